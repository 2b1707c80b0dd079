// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "crash.h"
#include "object-type.h"
#include "owner.h"

#define MODE 0600

static void judge_address(const struct crash *crash, const struct drmfault_record *record,
			  crash_visit visit, void *data)
{
	struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.types = object_types,
		.type_count = object_type_count,
	};
	struct drmfault_verdict *verdict;

	if (drmfault_verdict_args_of_record(record, &args) ||
	    drmfault_verdict_make(crash->device->bindings, &args, &verdict))
		return;
	visit(data, verdict, false);
	drmfault_verdict_free(verdict);
}

/* That nothing is known to have been at an instruction pointer says nothing. */
static void judge_code(const struct crash *crash, const struct drmfault_record *record,
		       crash_visit visit, void *data)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.types = object_types,
		.type_count = object_type_count,
	};
	struct drmfault_verdict *verdict;

	if (drmfault_verdict_args_of_ip(record, &args) ||
	    drmfault_verdict_make(crash->device->bindings, &args, &verdict))
		return;
	if (!drmfault_verdict_candidate(verdict, 0, &candidate) &&
	    candidate.kind != DRMFAULT_VERDICT_NEVER_BOUND)
		visit(data, verdict, true);
	drmfault_verdict_free(verdict);
}

void crash_judge(const struct crash *crash, crash_visit visit, void *data)
{
	const struct drmfault_record *record;
	size_t i;

	if (!crash->device->bindings)
		return;
	for (i = 0; crash->snapshot && (record = drmfault_snapshot_record(crash->snapshot, i));
	     i++) {
		judge_address(crash, record, visit, data);
		judge_code(crash, record, visit, data);
	}
}

/* All that the kernel recorded of the device, behind the header of a vendor binary. */
static void take_kernel(struct crash *crash)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	struct drmfault_vk_device *kernel = crash->device->kernel;

	if (drmfault_vk_device_get_fault_info_ext(kernel, &counts, NULL) < 0 ||
	    !counts.vendorBinarySize)
		return;
	counts.addressInfoCount = 0;
	counts.vendorInfoCount = 0;
	info.pVendorBinaryData = malloc((size_t)counts.vendorBinarySize);
	if (info.pVendorBinaryData &&
	    drmfault_vk_device_get_fault_info_ext(kernel, &counts, &info) >= 0 &&
	    !drmfault_dump_open_memory(info.pVendorBinaryData, (size_t)counts.vendorBinarySize,
				       &crash->dump))
		crash->snapshot = drmfault_dump_snapshot(crash->dump);
	free(info.pVendorBinaryData);
}

/* Where a device is not lost the library says nothing of it; the kernel still may. */
static struct drmfault_snapshot *take_process(struct owner *owner)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_SELF,
	};
	struct drmfault_snapshot *snapshot = NULL;
	struct drmfault_stream *stream;
	struct drmfault *fault;

	if (drmfault_open(NULL, &fault))
		return NULL;
	if (!drmfault_subscribe(fault, &args, &stream)) {
		if (drmfault_snapshot_take(stream, &snapshot))
			snapshot = NULL;
		else
			drmfault_snapshot_forget(snapshot, owner_is_foreign, owner);
		drmfault_stream_free(stream);
	}
	drmfault_close(fault);
	return snapshot;
}

static void print_to(const char *output, const char *text, size_t size)
{
	int fd = STDERR_FILENO;
	ssize_t n = 1;

	if (!strcmp(output, "none"))
		return;
	if (strcmp(output, "stderr"))
		fd = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, MODE);
	if (fd < 0) {
		fprintf(stderr, "drm_fault layer: %s: %s; the summary follows here\n", output,
			strerror(errno));
		fd = STDERR_FILENO;
	}
	while (size && (n > 0 || errno == EINTR)) {
		n = write(fd, text, size);
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
	if (fd != STDERR_FILENO)
		close(fd);
}

/* In one piece, so that what other threads print is not in between. */
static void print(const struct crash *crash)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return;
	crash_print_summary(crash, to);
	if (!fclose(to))
		print_to(crash->device->instance->settings.output, text, size);
	free(text);
}

void crash_report(struct device *device, enum crash_kind kind, const char *reason)
{
	struct crash crash = {
		.device = device,
		.kind = kind,
		.reason = reason,
		.time_ns = clock_ns(CLOCK_MONOTONIC),
	};
	struct drmfault_snapshot *process = NULL;

	if (!device->instance->settings.report)
		return;
	if (kind == CRASH_LOST) {
		pthread_mutex_lock(&device->faults->lock);
		crash.answer = faults_ask(device->faults, NULL);
		pthread_mutex_unlock(&device->faults->lock);
		take_kernel(&crash);
		crash_add_told(&crash);
	} else {
		process = take_process(device->owner);
		crash.snapshot = process;
	}
	crash_write(&crash);
	print(&crash);
	drmfault_snapshot_free(crash.told);
	drmfault_dump_free(crash.dump);
	drmfault_snapshot_free(process);
}
