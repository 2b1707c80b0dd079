// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
/*
 * vulkan REPORTER: what a Vulkan driver's queries cost on a full ring, beside the call
 * to the kernel below them. Events are raised at the catch-all context of a GPU, which
 * only a stream of all sees: the subscription of the library is changed to that one on
 * its way to the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/internal.h"
#include "vulkan/device.h"

/* Load drm_fault with ring_records of as many. */
#define FULL   4096u
#define ROUNDS 11

static struct drmfault_sys sys;

static void die(const char *what)
{
	fprintf(stderr, "vulkan: cannot %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static int ioctl_all(int fd, unsigned long request, void *arg)
{
	struct drm_fault_subscribe *args = arg;

	if (request == DRM_FAULT_IOCTL_SUBSCRIBE) {
		args->scope = DRM_FAULT_SCOPE_ALL;
		args->queue_records = FULL;
	}
	return drmfault_sys_kernel.ioctl(fd, request, arg);
}

static int open_all(const struct drmfault_memory *memory, struct drmfault **fault)
{
	return drmfault_open_with(&sys, memory, NULL, fault);
}

static void fill_ring(const char *reporter)
{
	static const char words[] =
		"address=0x100000 precision=4096 access=1 type=1 step=4096 count=4096\n";
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/drm_fault/%s/inject", reporter);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, words, strlen(words)) < 0)
		die("inject");
	close(fd);
}

static struct drmfault_vk_device *create(void)
{
	const struct drmfault_vk_device_info info = {
		.size = sizeof(info),
		.drm_fd = DRMFAULT_VK_PROCESS,
		.identity = { .vendor_binary = true },
		.report_masked = true,
	};
	struct drmfault_vk_device *device;

	if (device_create_with(open_all, &info, NULL, &device) != VK_SUCCESS ||
	    drmfault_vk_device_support(device))
		die("create the device");
	return device;
}

static void check(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "vulkan: not %s\n", what);
	exit(EXIT_FAILURE);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void say(const char *name, uint64_t *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	printf("%s %" PRIu64 "\n", name, values[ROUNDS / 2]);
}

static uint64_t time_reports(struct drmfault_vk_device *device, VkDeviceFaultInfoKHR *reports)
{
	uint64_t start = clock_ns();
	uint32_t count = FULL;
	VkResult result = drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports);

	check(result == VK_SUCCESS && count == FULL, "as many reports as the ring has records");
	return clock_ns() - start;
}

/* The call of the library on the kernel's, with its memory. */
static uint64_t time_snapshot(struct drmfault_vk_device *device)
{
	struct drmfault_snapshot *snapshot = NULL;
	uint64_t start = clock_ns();
	int ret = drmfault_snapshot_take(device->stream, &snapshot);

	check(!ret && drmfault_snapshot_count(snapshot) == FULL, "a full ring");
	start = clock_ns() - start;
	drmfault_snapshot_free(snapshot);
	return start;
}

static uint64_t time_info(struct drmfault_vk_device *device, VkDeviceFaultCountsEXT *counts,
			  VkDeviceFaultInfoEXT *info)
{
	uint64_t start = clock_ns();
	VkResult result = drmfault_vk_device_get_fault_info_ext(device, counts, info);

	check(result == VK_SUCCESS && counts->vendorInfoCount == FULL, "all of the ring");
	return clock_ns() - start;
}

int main(int argc, char **argv)
{
	static uint64_t snapshots[ROUNDS], firsts[ROUNDS], infos[ROUNDS], drains[ROUNDS];
	VkDeviceFaultInfoKHR *reports = calloc(FULL, sizeof(*reports));
	VkDeviceFaultInfoEXT info = {
		.pAddressInfos = calloc(FULL, sizeof(*info.pAddressInfos)),
		.pVendorInfos = calloc(FULL, sizeof(*info.pVendorInfos)),
	};
	VkDeviceFaultCountsEXT counts;
	struct drmfault_vk_device *device;
	unsigned int i;

	if (argc != 2 || !reports || !info.pAddressInfos || !info.pVendorInfos) {
		fputs("usage: vulkan REPORTER\n", stderr);
		return 2;
	}
	sys = drmfault_sys_kernel;
	sys.ioctl = ioctl_all;
	for (i = 0; i < ROUNDS; i++) {
		device = create();
		fill_ring(argv[1]);
		drains[i] = time_reports(device, reports);
		snapshots[i] = time_snapshot(device);
		drmfault_vk_device_lost(device, NULL);
		firsts[i] = time_info(device, &counts, NULL);
		if (!info.pVendorBinaryData)
			info.pVendorBinaryData = malloc((size_t)counts.vendorBinarySize);
		infos[i] = time_info(device, &counts, &info);
		drmfault_vk_device_destroy(device);
	}
	say("vulkan-snapshot-ns", snapshots);
	say("vulkan-counts-ns", firsts);
	say("vulkan-info-ns", infos);
	say("vulkan-reports-ns", drains);
	free(info.pVendorBinaryData);
	free(info.pVendorInfos);
	free(info.pAddressInfos);
	free(reports);
	return EXIT_SUCCESS;
}
