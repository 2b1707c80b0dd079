// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "crash.h"
#include "judge.h"
#include "owner.h"

#define MODE 0600

static void visit_verdict(const struct crash *crash, const struct drmfault_record *record,
			  bool is_code, crash_visit visit, void *data)
{
	struct drmfault_verdict *verdict = judge(crash->device->bindings, record, is_code);

	if (!verdict)
		return;
	visit(data, verdict, is_code);
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
		visit_verdict(crash, record, false, visit, data);
		visit_verdict(crash, record, true, visit, data);
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

/* 0, or a negative errno. */
static int write_all(int fd, const char *text, size_t size)
{
	ssize_t n;

	while (size) {
		n = write(fd, text, size);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* A file that somebody else would have to read first is none that can be waited for. */
static int write_file(const char *path, const char *text, size_t size)
{
	int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, MODE);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write_all(fd, text, size);
	close(fd);
	return ret;
}

static void print_to(const char *output, const char *text, size_t size)
{
	int ret;

	if (!strcmp(output, "none"))
		return;
	if (strcmp(output, "stderr")) {
		ret = write_file(output, text, size);
		if (!ret)
			return;
		fprintf(stderr,
			"drm_fault layer: no summary in %s: %s; it follows here, set "
			"DRMFAULT_LAYER_OUTPUT to another file\n",
			output, strerror(-ret));
	}
	write_all(STDERR_FILENO, text, size);
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

static void report(struct crash *crash)
{
	struct drmfault_snapshot *process = NULL;
	struct device *device = crash->device;

	if (crash->kind == CRASH_LOST) {
		pthread_mutex_lock(&device->faults->lock);
		crash->answer = faults_ask(device->faults, NULL);
		pthread_mutex_unlock(&device->faults->lock);
		take_kernel(crash);
		crash_add_told(crash);
	} else {
		process = take_process(device->owner);
		crash->snapshot = process;
	}
	crash_write(crash);
	print(crash);
	drmfault_snapshot_free(crash->told);
	drmfault_dump_free(crash->dump);
	drmfault_snapshot_free(process);
}

/* What a pipe without a reader or a limit of the file size sends ends no application. */
static const int of_writing[] = { SIGPIPE, SIGXFSZ };

static void hold_signals(sigset_t *before, sigset_t *waiting)
{
	sigset_t held;
	size_t i;

	sigemptyset(&held);
	for (i = 0; i < sizeof(of_writing) / sizeof(of_writing[0]); i++)
		sigaddset(&held, of_writing[i]);
	pthread_sigmask(SIG_BLOCK, &held, before);
	sigpending(waiting);
}

/* Those that came meanwhile are ours, and go. */
static void release_signals(const sigset_t *before, const sigset_t *waiting)
{
	static const struct timespec now;
	sigset_t ours;
	size_t i;

	sigemptyset(&ours);
	for (i = 0; i < sizeof(of_writing) / sizeof(of_writing[0]); i++)
		if (!sigismember(waiting, of_writing[i]))
			sigaddset(&ours, of_writing[i]);
	while (sigtimedwait(&ours, NULL, &now) > 0 || errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void crash_report(struct device *device, enum crash_kind kind, const char *reason)
{
	struct crash crash = {
		.device = device,
		.kind = kind,
		.reason = reason,
		.time_ns = clock_ns(CLOCK_MONOTONIC),
	};
	sigset_t before, waiting;

	if (!device->instance->settings.report)
		return;
	hold_signals(&before, &waiting);
	report(&crash);
	release_signals(&before, &waiting);
}
