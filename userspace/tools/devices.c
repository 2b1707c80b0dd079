// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

static json_t *minor_json(int minor)
{
	return minor < 0 ? json_null() : json_integer(minor);
}

static int print_json(const struct drmfault_device *device, bool privileged)
{
	json_t *object = json_pack(
		"{s:I, s:s, s:s, s:s, s:o, s:o, s:I}", "id", (json_int_t)drmfault_device_id(device),
		"name", drmfault_device_name(device), "driver", drmfault_device_driver(device),
		"bus", drmfault_device_bus(device), "card",
		minor_json(drmfault_device_primary_minor(device)), "render",
		minor_json(drmfault_device_render_minor(device)), "address_bits",
		(json_int_t)drmfault_device_address_bits(device));

	if (!object)
		return fail("print JSON", -ENOMEM);
	if (privileged) {
		json_object_set_new(object, "events",
				    json_integer((json_int_t)drmfault_device_events(device)));
		json_object_set_new(object, "records",
				    json_integer((json_int_t)drmfault_device_records(device)));
	}
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
	return EXIT_SUCCESS;
}

static void print_text(const struct drmfault_device *device, bool privileged)
{
	char node[32] = "-", events[32] = "-", records[32] = "-";

	if (drmfault_device_render_minor(device) >= 0)
		snprintf(node, sizeof(node), "renderD%d", drmfault_device_render_minor(device));
	else if (drmfault_device_primary_minor(device) >= 0)
		snprintf(node, sizeof(node), "card%d", drmfault_device_primary_minor(device));
	if (privileged) {
		snprintf(events, sizeof(events), "%" PRIu64, drmfault_device_events(device));
		snprintf(records, sizeof(records), "%" PRIu64, drmfault_device_records(device));
	}
	printf("%-3" PRIu32 " %-6s %-16s %-16s %-11s %4" PRIu32 " %10s %10s\n",
	       drmfault_device_id(device), drmfault_device_name(device),
	       drmfault_device_driver(device), drmfault_device_bus(device), node,
	       drmfault_device_address_bits(device), events, records);
}

static int run(const struct options *options)
{
	struct drmfault_device *device;
	struct drmfault *fault;
	bool privileged;
	uint32_t id = 0;
	int ret = open_fault(&fault);

	if (ret)
		return ret;
	privileged = drmfault_is_privileged(fault);
	while (!ret && !(ret = drmfault_device_next(fault, id, &device))) {
		if (!id && !options->json)
			printf("%-3s %-6s %-16s %-16s %-11s %4s %10s %10s\n", "ID", "NAME",
			       "DRIVER", "BUS", "NODE", "BITS", "EVENTS", "RECORDS");
		id = drmfault_device_id(device);
		if (options->json)
			ret = print_json(device, privileged);
		else
			print_text(device, privileged);
		drmfault_device_free(device);
	}
	drmfault_close(fault);
	if (ret && ret != -ENODEV)
		return ret < 0 ? fail("list the GPUs", ret) : ret;
	if (!id && !options->json)
		puts("No GPU reports faults: none of the drivers that are loaded uses drm_fault.");
	return finish_output();
}

const struct command command_devices = {
	.name = "devices",
	.summary = "List the GPUs that report faults",
	.options = "j",
	.run = run,
};
