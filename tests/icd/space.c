// SPDX-License-Identifier: MIT
/* GPU memory and where it lies in the device's address space. */
#include <errno.h>
#include <sys/mman.h>

#include <xf86drm.h>

#include "icd.h"

/*
 * The first address that is free is taken, so those of freed memory come again.
 * A page that is never mapped lies behind every piece: what goes past an end is
 * a fault.
 */
static const struct {
	uint64_t first, end;
	uint32_t permission;
} zones[ICD_ZONES] = {
	[ICD_ZONE_CODE] = { 0x10000, 0x800000000000,
			    DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_EXEC },
	[ICD_ZONE_DATA] = { 0x800000200000, 0x1000000000000,
			    DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE },
};

uint64_t icd_canonical(uint64_t address)
{
	return drmfault_canonical(address, DRM_FAULT_SIM_ADDRESS_BITS);
}

static bool take_address(struct icd_device *device, enum icd_zone zone, struct icd_bo *bo)
{
	struct icd_bo **link;
	bool fits;

	pthread_mutex_lock(&device->space_lock);
	bo->address = zones[zone].first;
	for (link = &device->space[zone]; *link; link = &(*link)->next) {
		if (bo->address + bo->size + ICD_PAGE <= (*link)->address)
			break;
		bo->address = (*link)->address + (*link)->size + ICD_PAGE;
	}
	fits = bo->size < zones[zone].end - bo->address;
	if (fits) {
		bo->next = *link;
		*link = bo;
	}
	pthread_mutex_unlock(&device->space_lock);
	return fits;
}

static void give_address(struct icd_device *device, struct icd_bo *bo)
{
	struct icd_bo **link;
	int zone;

	pthread_mutex_lock(&device->space_lock);
	for (zone = 0; zone < ICD_ZONES; zone++)
		for (link = &device->space[zone]; *link; link = &(*link)->next)
			if (*link == bo) {
				*link = bo->next;
				break;
			}
	pthread_mutex_unlock(&device->space_lock);
}

static VkResult to_result(int error)
{
	return error == -ENODEV ? VK_ERROR_DEVICE_LOST : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* @bo must stay where it is until icd_bo_destroy(). Its memory is all zeros. */
VkResult icd_bo_create(struct icd_device *device, uint64_t size, enum icd_zone zone,
		       struct icd_bo *bo)
{
	struct drm_fault_sim_create create = { .size = size };
	struct drm_fault_sim_map map = { .flags = zones[zone].permission };
	int ret;

	ret = icd_ioctl(device->fd, DRM_IOCTL_FAULT_SIM_CREATE, &create);
	if (ret)
		return to_result(ret);
	bo->handle = create.handle;
	bo->size = create.size;
	bo->cpu = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, device->fd,
		       (off_t)create.mmap_offset);
	if (bo->cpu == MAP_FAILED) {
		bo->cpu = NULL;
		drmCloseBufferHandle(device->fd, bo->handle);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (!take_address(device, zone, bo)) {
		ret = -ENOSPC;
		goto err_unmap;
	}
	map.handle = bo->handle;
	map.address = bo->address;
	map.size = bo->size;
	ret = icd_ioctl(device->fd, DRM_IOCTL_FAULT_SIM_MAP, &map);
	if (!ret)
		return VK_SUCCESS;

	give_address(device, bo);
err_unmap:
	munmap(bo->cpu, bo->size);
	bo->cpu = NULL;
	drmCloseBufferHandle(device->fd, bo->handle);
	return to_result(ret);
}

void icd_bo_destroy(struct icd_device *device, struct icd_bo *bo)
{
	struct drm_fault_sim_unmap unmap = { .address = bo->address, .size = bo->size };

	icd_ioctl(device->fd, DRM_IOCTL_FAULT_SIM_UNMAP, &unmap);
	give_address(device, bo);
	munmap(bo->cpu, bo->size);
	drmCloseBufferHandle(device->fd, bo->handle);
}
