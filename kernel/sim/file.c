// SPDX-License-Identifier: GPL-2.0-only
/*
 * An open file: its address space, its guilt, its end.
 */
#include <linux/sched.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include "sim.h"

static int sim_file_register(struct drm_fault_sim_file *file, struct drm_file *drm_file)
{
	struct drm_fault_sim_device *sim = file->sim;
	int ret = -ENODEV;

	mutex_lock(&sim->files_lock);
	if (!sim->gone) {
		ret = drm_fault_sim_report_open(file, drm_file);
		if (!ret)
			list_add_tail(&file->link, &sim->files);
	}
	mutex_unlock(&sim->files_lock);
	return ret;
}

/**
 * drm_fault_sim_open - &drm_driver.open
 * @drm:	the DRM device
 * @drm_file:	the new file
 *
 * Context: Process context, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV if the device goes.
 */
int drm_fault_sim_open(struct drm_device *drm, struct drm_file *drm_file)
{
	struct drm_fault_sim_device *sim = to_drm_fault_sim(drm);
	struct drm_fault_sim_file *file;
	int ret;

	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;

	file->sim = sim;
	file->pid = task_tgid_nr(current);
	file->vm_id = atomic_inc_return(&sim->vm_ids);
	file->fence_context = dma_fence_context_alloc(DRM_FAULT_SIM_RINGS);
	spin_lock_init(&file->lock);

	ret = drm_fault_sim_vm_init(&file->vm);
	if (ret)
		goto err_free;

	ret = sim_file_register(file, drm_file);
	if (ret)
		goto err_vm;

	drm_file->driver_priv = file;
	return 0;

err_vm:
	drm_fault_sim_vm_fini(&file->vm);
err_free:
	kfree(file);
	return ret;
}

/* Take what was submitted until now from the rings, soon. */
static void sim_file_cancel(struct drm_fault_sim_file *file)
{
	lockdep_assert_held(&file->lock);

	WRITE_ONCE(file->epoch, file->epoch + 1);
}

static bool sim_file_idle(struct drm_fault_sim_file *file)
{
	bool idle;

	spin_lock(&file->lock);
	idle = !file->jobs;
	spin_unlock(&file->lock);
	return idle;
}

/**
 * drm_fault_sim_postclose - &drm_driver.postclose
 * @drm:	the DRM device, which may have been removed
 * @drm_file:	the file
 *
 * Context: Process context, sleeps.
 */
void drm_fault_sim_postclose(struct drm_device *drm, struct drm_file *drm_file)
{
	struct drm_fault_sim_file *file = drm_file->driver_priv;
	struct drm_fault_sim_device *sim = file->sim;
	unsigned int i;

	spin_lock(&file->lock);
	sim_file_cancel(file);
	spin_unlock(&file->lock);
	for (i = 0; i < DRM_FAULT_SIM_RINGS; i++)
		drm_fault_sim_ring_purge(&sim->rings[i], file);
	/* The device may be on its way out too, and end jobs of ours. */
	wait_event(sim->idle, sim_file_idle(file));

	mutex_lock(&sim->files_lock);
	drm_fault_sim_report_close(file);
	list_del(&file->link);
	mutex_unlock(&sim->files_lock);

	drm_fault_sim_vm_fini(&file->vm);
	kfree(file);
}

/**
 * drm_fault_sim_file_blame - a job of the file has faulted or hung
 * @file:	the file
 *
 * Its other jobs end, also the one on the other ring.
 *
 * Context: A ring's worker.
 */
void drm_fault_sim_file_blame(struct drm_fault_sim_file *file)
{
	unsigned int i;

	spin_lock(&file->lock);
	file->guilty = true;
	sim_file_cancel(file);
	spin_unlock(&file->lock);

	for (i = 0; i < DRM_FAULT_SIM_RINGS; i++)
		wake_up_all(&file->sim->rings[i].wake);
}

/**
 * drm_fault_sim_state_ioctl - DRM_IOCTL_FAULT_SIM_STATE
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_state
 * @drm_file:	the caller's file
 *
 * Context: Process context, may sleep.
 * Return: 0 or -EINVAL.
 */
int drm_fault_sim_state_ioctl(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct drm_fault_sim_file *file = drm_file->driver_priv;
	struct drm_fault_sim_state *args = data;

	if (args->flags || args->pad)
		return -EINVAL;

	mutex_lock(&file->vm.map_lock);
	args->mapped_size = file->vm.mapped;
	mutex_unlock(&file->vm.map_lock);

	spin_lock(&file->lock);
	args->state = file->guilty ? DRM_FAULT_SIM_STATE_GUILTY : 0;
	args->faults = file->faults;
	args->resets = file->resets;
	args->jobs = file->jobs;
	spin_unlock(&file->lock);
	args->device_resets = atomic64_read(&file->sim->resets);
	return 0;
}

/**
 * drm_fault_sim_recover_ioctl - DRM_IOCTL_FAULT_SIM_RECOVER
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_recover
 * @drm_file:	the caller's file
 *
 * Context: Process context.
 * Return: 0, -EINVAL or -ENODEV.
 */
int drm_fault_sim_recover_ioctl(struct drm_device *drm, void *data, struct drm_file *drm_file)
{
	struct drm_fault_sim_file *file = drm_file->driver_priv;
	struct drm_fault_sim_recover *args = data;
	int idx;

	if (args->flags || args->pad)
		return -EINVAL;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	spin_lock(&file->lock);
	file->guilty = false;
	spin_unlock(&file->lock);
	drm_dev_exit(idx);
	return 0;
}
