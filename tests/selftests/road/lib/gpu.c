// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "road.h"

#define DEBUGFS		"/sys/kernel/debug/drm_fault"
#define PARAMETERS	"/sys/module/drm_fault/parameters"

/* Open as root, used by children that are not. */
static struct {
	struct drm_fault_device device;
	int inject;
	int rings;
} gpu = { .inject = -1, .rings = -1 };

static int open_debugfs(const char *file, int flags)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), DEBUGFS "/%s/%s", gpu.device.name, file);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int find_device(int dev)
{
	struct drm_fault_device args = {
		.size = sizeof(args),
		.flags = DRM_FAULT_DEVICE_NEXT,
	};
	int ret;

	for (;;) {
		ret = road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, &args);
		if (ret)
			return ret;
		if (!strcmp(args.driver, DRM_FAULT_SIM_NAME)) {
			gpu.device = args;
			return 0;
		}
		args = (struct drm_fault_device){
			.size = sizeof(args),
			.flags = DRM_FAULT_DEVICE_NEXT,
			.id = args.id + 1,
		};
	}
}

int road_setup(void)
{
	int dev, ret;

	if (gpu.inject >= 0)
		return 0;
	if (system("modprobe drm_fault && modprobe drm_fault_sim && udevadm settle"))
		return -ENODEV;
	dev = road_open();
	if (dev < 0)
		return dev;
	ret = find_device(dev);
	close(dev);
	if (ret)
		return ret;

	gpu.rings = open_debugfs("rings", O_RDONLY);
	if (gpu.rings < 0)
		return gpu.rings;
	gpu.inject = open_debugfs("inject", O_WRONLY);
	return gpu.inject < 0 ? gpu.inject : 0;
}

void road_forget(void)
{
	close(gpu.inject);
	close(gpu.rings);
	gpu.inject = -1;
	gpu.rings = -1;
}

const char *road_gpu(void)
{
	return gpu.device.name;
}

__u32 road_gpu_id(void)
{
	return gpu.device.id;
}

int road_inject(const struct road_sim *sim, const char *words)
{
	unsigned long long context = sim ? sim->context : 0;
	char line[512];
	int length;

	length = snprintf(line, sizeof(line), "context=%llu %s", context, words);
	if (length >= (int)sizeof(line))
		return -E2BIG;
	return write(gpu.inject, line, length) == length ? 0 : -errno;
}

int road_raise(const struct road_sim *sim, __u64 address, unsigned int count)
{
	char words[128];

	snprintf(words, sizeof(words), "address=0x%llx precision=8 access=%u type=%u count=%u",
		 (unsigned long long)address, DRM_FAULT_ACCESS_READ,
		 DRM_FAULT_TYPE_NOT_PRESENT, count);
	return road_inject(sim, words);
}

int road_raise_pages(const struct road_sim *sim, __u64 address, unsigned int count)
{
	char words[128];

	snprintf(words, sizeof(words),
		 "address=0x%llx precision=8 access=%u type=%u count=%u step=%llu",
		 (unsigned long long)address, DRM_FAULT_ACCESS_READ,
		 DRM_FAULT_TYPE_NOT_PRESENT, count, ROAD_PAGE);
	return road_inject(sim, words);
}

/* The list changes while it is read in pieces: it is read at once. */
static char *read_rings(void)
{
	const size_t size = 1 << 20;
	char *text = calloc(1, size);
	ssize_t length = text ? pread(gpu.rings, text, size - 1, 0) : -1;
	ssize_t more;

	while (length > 0 && (size_t)length < size - 1) {
		more = pread(gpu.rings, text + length, size - 1 - length, length);
		if (more <= 0)
			break;
		length += more;
	}
	return text;
}

__u64 road_context_of(pid_t pid)
{
	unsigned long long id, found = 0;
	char *text = read_rings(), *line, *rest = text;
	int owner;

	while (rest && (line = strsep(&rest, "\n")))
		if (sscanf(line, "context %llu pid %d ", &id, &owner) == 2 &&
		    owner == pid && id > found)
			found = id;
	free(text);
	return found;
}

int road_kept_contexts(void)
{
	char *text = read_rings(), *line, *rest = text;
	int count = 0;

	while (rest && (line = strsep(&rest, "\n")))
		count += !!strstr(line, " ended");
	free(text);
	return count;
}

int road_parameter(const char *name)
{
	char path[128], text[32] = "";
	int fd, ret = -1;

	snprintf(path, sizeof(path), PARAMETERS "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (read(fd, text, sizeof(text) - 1) > 0)
		ret = atoi(text);
	close(fd);
	return ret;
}
