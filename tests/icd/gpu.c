// SPDX-License-Identifier: MIT
/* The GPUs of this machine that the driver is for, by their render nodes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>

#include "icd.h"

#define MAX_NODES 64

int icd_ioctl(int fd, unsigned long request, void *args)
{
	return drmIoctl(fd, request, args) ? -errno : 0;
}

static bool is_sim(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool is = version && !strcmp(version->name, DRM_FAULT_SIM_NAME);

	drmFreeVersion(version);
	return is;
}

static bool open_gpu(struct icd_instance *instance, const char *node,
		     struct icd_physical_device *gpu)
{
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	memset(gpu, 0, sizeof(*gpu));
	if (!is_sim(fd) || icd_ioctl(fd, DRM_IOCTL_FAULT_SIM_INFO, &gpu->info)) {
		close(fd);
		return false;
	}
	set_loader_magic_value(gpu);
	gpu->object.type = VK_OBJECT_TYPE_PHYSICAL_DEVICE;
	gpu->instance = instance;
	gpu->fd = fd;
	snprintf(gpu->node, sizeof(gpu->node), "%s", node);
	gpu->extensions = icd_device_extensions(gpu);
	return true;
}

/* A machine without DRM has no GPU, which is no error. */
uint32_t icd_find_gpus(struct icd_instance *instance)
{
	drmDevicePtr devices[MAX_NODES];
	uint32_t found = 0;
	int i, count;

	count = drmGetDevices2(0, devices, MAX_NODES);
	for (i = 0; i < count && found < ICD_MAX_GPUS; i++)
		if (devices[i]->available_nodes & (1 << DRM_NODE_RENDER) &&
		    open_gpu(instance, devices[i]->nodes[DRM_NODE_RENDER], &instance->gpus[found]))
			found++;
	if (count > 0)
		drmFreeDevices(devices, count);
	return found;
}

void icd_close_gpus(struct icd_instance *instance)
{
	uint32_t i;

	for (i = 0; i < instance->gpu_count; i++)
		close(instance->gpus[i].fd);
}
