// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>

#include "internal.h"

struct drmfault_device {
	struct drmfault_memory memory;
	struct drm_fault_device info;
};

static int device_query(struct drmfault *fault, const struct drm_fault_device *query,
			struct drmfault_device **device)
{
	struct drmfault_device *d = drmfault_allocate(&fault->memory, 1, sizeof(*d));
	int ret;

	if (!d)
		return -ENOMEM;
	d->memory = fault->memory;
	d->info = *query;
	d->info.size = sizeof(d->info);
	ret = drmfault_ioctl(fault->sys, fault->fd, DRM_FAULT_IOCTL_GET_DEVICE, &d->info);
	if (ret) {
		drmfault_release(&fault->memory, d);
		return ret;
	}
	d->info.name[sizeof(d->info.name) - 1] = '\0';
	d->info.driver[sizeof(d->info.driver) - 1] = '\0';
	d->info.bus[sizeof(d->info.bus) - 1] = '\0';
	*device = d;
	return 0;
}

DRMFAULT_API int drmfault_device_get(struct drmfault *fault, uint32_t id,
				     struct drmfault_device **device)
{
	struct drm_fault_device query = { .id = id };

	return device_query(fault, &query, device);
}

DRMFAULT_API int drmfault_device_next(struct drmfault *fault, uint32_t after,
				      struct drmfault_device **device)
{
	struct drm_fault_device query = { .flags = DRM_FAULT_DEVICE_NEXT, .id = after + 1 };

	if (after == UINT32_MAX)
		return -ENODEV;
	return device_query(fault, &query, device);
}

DRMFAULT_API int drmfault_device_of_fd(struct drmfault *fault, int drm_fd,
				       struct drmfault_device **device)
{
	struct drm_fault_device query = { .flags = DRM_FAULT_DEVICE_BY_FD, .fd = drm_fd };

	return device_query(fault, &query, device);
}

DRMFAULT_API void drmfault_device_free(struct drmfault_device *device)
{
	struct drmfault_memory memory;

	if (!device)
		return;
	memory = device->memory;
	drmfault_release(&memory, device);
}

DRMFAULT_API uint32_t drmfault_device_id(const struct drmfault_device *device)
{
	return device->info.id;
}

DRMFAULT_API const char *drmfault_device_name(const struct drmfault_device *device)
{
	return device->info.name;
}

DRMFAULT_API const char *drmfault_device_driver(const struct drmfault_device *device)
{
	return device->info.driver;
}

DRMFAULT_API const char *drmfault_device_bus(const struct drmfault_device *device)
{
	return device->info.bus;
}

static int device_minor(uint32_t minor)
{
	return minor > INT_MAX ? -1 : (int)minor;
}

DRMFAULT_API int drmfault_device_primary_minor(const struct drmfault_device *device)
{
	return device_minor(device->info.primary_minor);
}

DRMFAULT_API int drmfault_device_render_minor(const struct drmfault_device *device)
{
	return device_minor(device->info.render_minor);
}

DRMFAULT_API uint32_t drmfault_device_address_bits(const struct drmfault_device *device)
{
	return device->info.address_bits;
}

DRMFAULT_API uint64_t drmfault_device_events(const struct drmfault_device *device)
{
	return device->info.events;
}

DRMFAULT_API uint64_t drmfault_device_records(const struct drmfault_device *device)
{
	return device->info.records;
}
