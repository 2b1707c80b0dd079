// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/* The first version of the information ended here. */
#define INFO_MIN (offsetof(struct drmfault_vk_device_info, report_masked) + sizeof(bool))
/* A size beyond this is no size but a mistake. */
#define INFO_MAX 4096

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Of a caller who was built with an older or a newer header. */
static bool info_copy(struct drmfault_vk_device_info *known,
		      const struct drmfault_vk_device_info *info)
{
	const char *tail = (const char *)info + sizeof(*known);
	size_t i;

	if (info->size < INFO_MIN || info->size > INFO_MAX)
		return false;
	for (i = 0; i + sizeof(*known) < info->size; i++)
		if (tail[i])
			return false;
	memset(known, 0, sizeof(*known));
	memcpy(known, info, info->size < sizeof(*known) ? info->size : sizeof(*known));
	return true;
}

static const char *name_copy(char **room, const char *name)
{
	char *copy = *room;
	size_t size;

	if (!name)
		return NULL;
	size = strlen(name) + 1;
	memcpy(copy, name, size);
	*room += size;
	return copy;
}

static bool identity_copy(struct drmfault_vk_device *device,
			  const struct drmfault_vk_identity *identity)
{
	const VkApplicationInfo *from = identity->pApplicationInfo;
	size_t size = 0;
	char *room;

	device->identity = *identity;
	device->identity.device = NULL;
	if (!from)
		return true;

	size += from->pApplicationName ? strlen(from->pApplicationName) + 1 : 0;
	size += from->pEngineName ? strlen(from->pEngineName) + 1 : 0;
	if (size)
		device->names = memory_allocate(&device->allocator, size);
	if (size && !device->names)
		return false;

	room = device->names;
	device->application = *from;
	device->application.pNext = NULL;
	device->application.pApplicationName = name_copy(&room, from->pApplicationName);
	device->application.pEngineName = name_copy(&room, from->pEngineName);
	device->identity.pApplicationInfo = &device->application;
	return true;
}

/* Returns why nothing is heard. Hangs may be, where faults are not. */
static int device_listen(struct drmfault_vk_device *device, struct drmfault *fault, int drm_fd)
{
	struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_SELF,
		.queue_records = DRMFAULT_VK_MAX_FAULTS,
	};
	int ret;

	if (drm_fd != DRMFAULT_VK_PROCESS) {
		args.scope = DRMFAULT_SCOPE_FILE;
		args.fd = drm_fd;
		ret = drmfault_device_of_fd(fault, drm_fd, &device->gpu);
		if (ret)
			return ret;
		device->identity.device = device->gpu;
	}
	ret = drmfault_subscribe(fault, &args, &device->stream);
	if (!ret && device->gpu)
		ret = hooks_support(HOOKS_FOLDER, drmfault_device_driver(device->gpu));
	return ret;
}

static int device_connect(struct drmfault_vk_device *device, open_fault open, int drm_fd)
{
	const struct drmfault_memory memory = memory_of(&device->allocator);
	struct drmfault *fault = NULL;
	int ret = open(&memory, &fault);

	if (!ret)
		ret = device_listen(device, fault, drm_fd);
	drmfault_close(fault);
	return ret;
}

static VkResult device_init(struct drmfault_vk_device *device, open_fault open,
			    const struct drmfault_vk_device_info *info)
{
	device->report_masked = info->report_masked;
	device->is_foreign = info->is_foreign;
	device->foreign_data = info->foreign_data;
	device->lost_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (device->lost_fd < 0)
		return VK_ERROR_INITIALIZATION_FAILED;
	if (!identity_copy(device, &info->identity))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	device->created_ns = clock_ns();
	device->support = device_connect(device, open, info->drm_fd);
	return device->support == -ENOMEM ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

VkResult device_create_with(open_fault open, const struct drmfault_vk_device_info *info,
			    const VkAllocationCallbacks *pAllocator,
			    struct drmfault_vk_device **device)
{
	struct drmfault_vk_device_info known;
	struct drmfault_vk_device *d;
	VkResult result;

	if (!info_copy(&known, info))
		return VK_ERROR_INITIALIZATION_FAILED;
	d = memory_allocate(pAllocator, sizeof(*d));
	if (!d)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memset(d, 0, sizeof(*d));
	if (pAllocator)
		d->allocator = *pAllocator;
	pthread_mutex_init(&d->lock, NULL);

	result = device_init(d, open, &known);
	if (result != VK_SUCCESS) {
		drmfault_vk_device_destroy(d);
		return result;
	}
	*device = d;
	return VK_SUCCESS;
}

static int open_kernel(const struct drmfault_memory *memory, struct drmfault **fault)
{
	return drmfault_open_in(NULL, memory, fault);
}

DRMFAULT_API VkResult drmfault_vk_device_create(const struct drmfault_vk_device_info *info,
						const VkAllocationCallbacks *pAllocator,
						struct drmfault_vk_device **device)
{
	return device_create_with(open_kernel, info, pAllocator, device);
}

DRMFAULT_API void drmfault_vk_device_destroy(struct drmfault_vk_device *device)
{
	VkAllocationCallbacks allocator;

	if (!device)
		return;
	allocator = device->allocator;
	drmfault_snapshot_free(device->snapshot);
	drmfault_stream_free(device->stream);
	drmfault_device_free(device->gpu);
	memory_free(&allocator, device->names);
	if (device->lost_fd >= 0)
		close(device->lost_fd);
	pthread_mutex_destroy(&device->lock);
	memory_free(&allocator, device);
}

DRMFAULT_API int drmfault_vk_device_support(const struct drmfault_vk_device *device)
{
	return device->support;
}

DRMFAULT_API void drmfault_vk_device_lost(struct drmfault_vk_device *device, const char *reason)
{
	struct text text;

	pthread_mutex_lock(&device->lock);
	if (!device->lost) {
		text_begin(&text, device->reason, sizeof(device->reason));
		text_add_name(&text, reason ? reason : "");
		device->lost = true;
		eventfd_write(device->lost_fd, 1);
	}
	pthread_mutex_unlock(&device->lock);
}

DRMFAULT_API bool drmfault_vk_device_is_lost(struct drmfault_vk_device *device)
{
	bool lost;

	pthread_mutex_lock(&device->lock);
	lost = device->lost;
	pthread_mutex_unlock(&device->lock);
	return lost;
}
