// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects: made of shmem, mapped into address spaces.
 */
#include <linux/mm.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem_shmem_helper.h>
#include <drm/drm_vma_manager.h>

#include "sim.h"

#define SIM_MAP_FLAGS \
	(DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE | DRM_FAULT_SIM_MAP_EXEC)

static int sim_create(struct drm_device *drm, struct drm_fault_sim_create *args,
		      struct drm_file *file)
{
	struct drm_gem_shmem_object *shmem;
	int ret;

	shmem = drm_gem_shmem_create(drm, args->size);
	if (IS_ERR(shmem))
		return PTR_ERR(shmem);

	/* The engine writes behind the back of whoever keeps the page tables. */
	shmem->pages_mark_dirty_on_put = true;
	args->mmap_offset = drm_vma_node_offset_addr(&shmem->base.vma_node);
	ret = drm_gem_handle_create(file, &shmem->base, &args->handle);
	drm_gem_object_put(&shmem->base);
	return ret;
}

/**
 * drm_fault_sim_create_ioctl - DRM_IOCTL_FAULT_SIM_CREATE
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_create
 * @file:	the caller's file
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno, as the uAPI header says.
 */
int drm_fault_sim_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_fault_sim_create *args = data;
	int ret, idx;

	if (args->flags || !args->size)
		return -EINVAL;
	if (args->size > DRM_FAULT_SIM_MAX_OBJECT)
		return -E2BIG;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	args->size = PAGE_ALIGN(args->size);
	ret = sim_create(drm, args, file);
	drm_dev_exit(idx);
	return ret;
}

static bool sim_range_is_valid(u64 address, u64 size)
{
	return size && !((address | size) % PAGE_SIZE) && address < DRM_FAULT_SIM_ADDRESS_END &&
	       size <= DRM_FAULT_SIM_ADDRESS_END - address;
}

static int sim_map(struct drm_file *file, const struct drm_fault_sim_map *args)
{
	struct drm_fault_sim_file *sim_file = file->driver_priv;
	struct drm_gem_object *object;
	int ret = -EINVAL;

	object = drm_gem_object_lookup(file, args->handle);
	if (!object)
		return -ENOENT;

	if (args->size <= object->size && args->offset <= object->size - args->size)
		ret = drm_fault_sim_vm_map(&sim_file->vm, object, args);
	drm_gem_object_put(object);
	return ret;
}

/**
 * drm_fault_sim_map_ioctl - DRM_IOCTL_FAULT_SIM_MAP
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_map
 * @file:	the caller's file
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno, as the uAPI header says.
 */
int drm_fault_sim_map_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_fault_sim_map *args = data;
	int ret, idx;

	if (!args->flags || args->flags & ~SIM_MAP_FLAGS)
		return -EINVAL;
	if (!sim_range_is_valid(args->address, args->size) || args->offset % PAGE_SIZE)
		return -EINVAL;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = sim_map(file, args);
	drm_dev_exit(idx);
	return ret;
}

/**
 * drm_fault_sim_unmap_ioctl - DRM_IOCTL_FAULT_SIM_UNMAP
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_unmap
 * @file:	the caller's file
 *
 * Context: Process context, may sleep.
 * Return: 0, -EINVAL or -ENODEV.
 */
int drm_fault_sim_unmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_fault_sim_unmap *args = data;
	struct drm_fault_sim_file *sim_file = file->driver_priv;
	int idx;

	if (args->flags || args->pad || !sim_range_is_valid(args->address, args->size))
		return -EINVAL;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	drm_fault_sim_vm_unmap(&sim_file->vm, args->address, args->size);
	drm_dev_exit(idx);
	return 0;
}
