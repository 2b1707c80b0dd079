// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tool.h"

int complain(const char *what, int error)
{
	fprintf(stderr, "drmfault: cannot %s: %s\n", what, drmfault_explain(error));
	return EXIT_FAILURE;
}

int complain_of(const char *file, const char *why)
{
	fprintf(stderr, "drmfault: %s: %s\n", file, why);
	return EXIT_FAILURE;
}

int finish_output(void)
{
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "drmfault: cannot write the output: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

int open_fault(struct drmfault **fault)
{
	int ret = drmfault_open(NULL, fault);

	if (ret == -ENODEV) {
		fputs("drmfault: the kernel module is not loaded: `modprobe drm_fault` as root, "
		      "then try again\n",
		      stderr);
		return EXIT_FAILURE;
	}
	if (ret == -EACCES) {
		fputs("drmfault: this user may not open /dev/drm_fault: run it as root, or see to "
		      "its mode by a udev rule\n",
		      stderr);
		return EXIT_FAILURE;
	}
	return ret ? complain("open /dev/drm_fault", ret) : EXIT_SUCCESS;
}

static int open_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

int open_stream(const struct options *options, struct drmfault_stream **stream)
{
	struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = options->pid	   ? DRMFAULT_SCOPE_PIDFD
			 : options->device ? DRMFAULT_SCOPE_DEVICE
					   : DRMFAULT_SCOPE_ALL,
		.device_id = options->device,
	};
	struct drmfault *fault;
	int ret = open_fault(&fault);

	if (ret)
		return ret;
	if (options->pid) {
		args.fd = open_pidfd(options->pid);
		if (args.fd < 0) {
			drmfault_close(fault);
			return complain("find that process", args.fd);
		}
	}
	ret = drmfault_subscribe(fault, &args, stream);
	if (options->pid)
		close(args.fd);
	drmfault_close(fault);
	if (ret == -EACCES && !options->pid) {
		fputs("drmfault: the faults of all processes need root or CAP_PERFMON; name one of "
		      "your own processes by --pid\n",
		      stderr);
		return EXIT_FAILURE;
	}
	if (ret == -ENODEV && options->device) {
		fprintf(stderr,
			"drmfault: there is no GPU %" PRIu32
			" here; `drmfault devices` lists them\n",
			options->device);
		return EXIT_FAILURE;
	}
	return ret ? complain("read these faults", ret) : EXIT_SUCCESS;
}
