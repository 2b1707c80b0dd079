// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tool.h"

static int add_reported(struct machine *machine, const struct drmfault_device *device)
{
	struct reported *more =
		realloc(machine->reported, (machine->reported_count + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	machine->reported = more;
	more += machine->reported_count++;
	more->minor = drmfault_device_primary_minor(device);
	snprintf(more->driver, sizeof(more->driver), "%s", drmfault_device_driver(device));
	return 0;
}

static int read_reported(struct drmfault *fault, struct machine *machine)
{
	struct drmfault_device *device;
	uint32_t after = 0;
	int ret;

	while (!(ret = drmfault_device_next(fault, after, &device))) {
		after = drmfault_device_id(device);
		ret = add_reported(machine, device);
		drmfault_device_free(device);
		if (ret)
			return ret;
	}
	return ret == -ENODEV ? 0 : ret;
}

static const char *verdict(const struct machine *machine, int status)
{
	switch (status) {
	case EXIT_SUCCESS:
		return "The GPUs of this machine are covered.";
	case DOCTOR_NOT_COVERED:
		return "Not every GPU of this machine is covered.";
	default:
		return machine->card_count ? "No GPU that could be covered has a driver here."
					   : "Load the GPU's driver, and ask again.";
	}
}

static int print_machine(const struct machine *machine, const struct options *options)
{
	int status = machine_status(machine), ret;

	if (options->json) {
		ret = print_json(machine_json(machine));
	} else {
		ret = machine_text(machine);
		if (!ret)
			printf("\n%s\n", verdict(machine, status));
		else
			complain("print that", ret);
	}
	if (!ret)
		ret = finish_output();
	return ret ? DOCTOR_CANNOT_TELL : status;
}

static int run(const struct options *options)
{
	struct machine machine = { 0 };
	struct drmfault *fault;
	int ret;

	/* The sentence is said there. */
	if (open_fault(&fault))
		return DOCTOR_CANNOT_TELL;
	ret = machine_read("/sys", &machine);
	if (ret == -ENOENT) {
		fputs("drmfault: the kernel module shows no hooks: it is older than this program, "
		      "update it\n",
		      stderr);
	} else {
		if (!ret)
			ret = read_reported(fault, &machine);
		if (ret)
			complain("see how this machine is", ret);
	}
	ret = ret ? DOCTOR_CANNOT_TELL : print_machine(&machine, options);
	machine_free(&machine);
	drmfault_close(fault);
	return ret;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "Tell whether the GPUs of this machine are covered, and why not",
	.options = "j",
	.run = run,
};
