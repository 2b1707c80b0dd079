// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs and their fences: submission, the end, waiting for it.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/sync_file.h>

#include <drm/drm_drv.h>
#include <drm/drm_syncobj.h>
#include <drm/drm_utils.h>

#include "sim.h"

#define SIM_SUBMIT_FLAGS \
	(DRM_FAULT_SIM_SUBMIT_NONFATAL | DRM_FAULT_SIM_SUBMIT_FENCE_FD)

/**
 * struct drm_fault_sim_out - where else the fence of a submission goes
 * @syncobj:	a reference, or NULL
 * @file:	sync_file, or NULL
 * @fd:		reserved for @file, or -1
 */
struct drm_fault_sim_out {
	struct drm_syncobj *syncobj;
	struct sync_file *file;
	int fd;
};

static const char *sim_fence_driver_name(struct dma_fence *fence)
{
	return DRM_FAULT_SIM_NAME;
}

static const char *sim_fence_timeline_name(struct dma_fence *fence)
{
	return container_of(fence, struct drm_fault_sim_fence, base)->name;
}

/* Others may keep a fence long after the device; its ops keep the module. */
static void sim_fence_release(struct dma_fence *fence)
{
	dma_fence_free(fence);
	module_put(THIS_MODULE);
}

static const struct dma_fence_ops sim_fence_ops = {
	.get_driver_name = sim_fence_driver_name,
	.get_timeline_name = sim_fence_timeline_name,
	.release = sim_fence_release,
};

static struct drm_fault_sim_fence *sim_fence_create(const struct drm_fault_sim_job *job)
{
	struct drm_fault_sim_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);
	unsigned int ring = job->ring->index;

	BUILD_BUG_ON(offsetof(struct drm_fault_sim_fence, base));
	if (!fence)
		return NULL;

	__module_get(THIS_MODULE);
	spin_lock_init(&fence->lock);
	fence->name = job->ring->name;
	dma_fence_init(&fence->base, &sim_fence_ops, &fence->lock,
		       job->file->fence_context + ring, job->file->fence_seqno[ring] + 1);
	return fence;
}

/* The reference, and the end of the fence, are the caller's. */
static void sim_fence_end(struct drm_fault_sim_fence *fence, int error)
{
	if (error)
		dma_fence_set_error(&fence->base, error);
	dma_fence_signal(&fence->base);
	dma_fence_put(&fence->base);
}

static void sim_job_free(struct drm_fault_sim_job *job)
{
	dma_fence_put(job->in_fence);
	kfree(job);
}

/**
 * drm_fault_sim_job_end - signal a job's fence and free it
 * @job:	the job
 * @error:	0 or what went wrong
 *
 * The file may be gone afterwards, unless it is current on a ring.
 *
 * Context: Process context.
 */
void drm_fault_sim_job_end(struct drm_fault_sim_job *job, int error)
{
	struct drm_fault_sim_device *sim = job->ring->sim;
	struct drm_fault_sim_file *file = job->file;

	/* First, so that who has seen the fence finds room for the next job. */
	spin_lock(&file->lock);
	file->jobs--;
	spin_unlock(&file->lock);

	sim_fence_end(job->fence, error);
	sim_job_free(job);
	wake_up_all(&sim->idle);
}

static struct drm_fault_sim_job *sim_job_create(struct drm_file *file,
						const struct drm_fault_sim_submit *args)
{
	struct drm_fault_sim_file *sim_file = file->driver_priv;
	struct drm_fault_sim_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);

	job->ring = &sim_file->sim->rings[array_index_nospec(args->ring, DRM_FAULT_SIM_RINGS)];
	job->file = sim_file;
	job->flags = args->flags;
	job->start = args->start;
	if (args->in_syncobj) {
		ret = drm_syncobj_find_fence(file, args->in_syncobj, 0, 0, &job->in_fence);
		if (ret) {
			kfree(job);
			return ERR_PTR(ret);
		}
	}
	return job;
}

static int sim_out_init(struct drm_fault_sim_out *out, struct drm_file *file,
			const struct drm_fault_sim_submit *args)
{
	if (args->out_syncobj) {
		out->syncobj = drm_syncobj_find(file, args->out_syncobj);
		if (!out->syncobj)
			return -ENOENT;
	}
	if (args->flags & DRM_FAULT_SIM_SUBMIT_FENCE_FD) {
		out->fd = get_unused_fd_flags(O_CLOEXEC);
		if (out->fd < 0)
			return out->fd;
	}
	return 0;
}

/* What has not been given away by then goes. */
static void sim_out_fini(struct drm_fault_sim_out *out)
{
	if (out->syncobj)
		drm_syncobj_put(out->syncobj);
	if (out->file)
		fput(out->file->file);
	if (out->fd >= 0)
		put_unused_fd(out->fd);
}

static void sim_out_give(struct drm_fault_sim_out *out, struct dma_fence *fence)
{
	if (out->syncobj)
		drm_syncobj_replace_fence(out->syncobj, fence);
	if (out->file)
		fd_install(out->fd, out->file->file);
	out->file = NULL;
	out->fd = -1;
}

/* On success the job is the ring's, and the reply in @args is filled. */
static int sim_submit_locked(struct drm_fault_sim_job *job, struct drm_fault_sim_out *out,
			     struct drm_fault_sim_submit *args)
{
	struct drm_fault_sim_file *file = job->file;
	unsigned int ring = job->ring->index;
	struct drm_fault_sim_fence *fence;
	int ret = -ENOMEM;

	lockdep_assert_held(&job->ring->submit_lock);

	fence = sim_fence_create(job);
	if (!fence)
		return -ENOMEM;
	job->fence = fence;

	if (out->fd >= 0) {
		out->file = sync_file_create(&fence->base);
		if (!out->file)
			goto err_fence;
	}

	dma_fence_get(&fence->base);
	ret = drm_fault_sim_ring_push(job);
	if (ret) {
		dma_fence_put(&fence->base);
		goto err_fence;
	}

	file->fence_seqno[ring]++;
	args->fence_context = fence->base.context;
	args->fence_seqno = fence->base.seqno;
	args->fence_fd = out->fd;
	sim_out_give(out, &fence->base);
	dma_fence_put(&fence->base);
	return 0;

err_fence:
	sim_fence_end(fence, -ECANCELED);
	return ret;
}

static int sim_submit(struct drm_file *file, struct drm_fault_sim_submit *args)
{
	struct drm_fault_sim_out out = { .fd = -1 };
	struct drm_fault_sim_ring *ring;
	struct drm_fault_sim_job *job;
	int ret;

	job = sim_job_create(file, args);
	if (IS_ERR(job))
		return PTR_ERR(job);

	ring = job->ring;
	ret = sim_out_init(&out, file, args);
	if (!ret) {
		mutex_lock(&ring->submit_lock);
		ret = sim_submit_locked(job, &out, args);
		mutex_unlock(&ring->submit_lock);
	}
	if (ret)
		sim_job_free(job);
	sim_out_fini(&out);
	return ret;
}

/**
 * drm_fault_sim_submit_ioctl - DRM_IOCTL_FAULT_SIM_SUBMIT
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_submit
 * @file:	the caller's file
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno, as the uAPI header says.
 */
int drm_fault_sim_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_fault_sim_submit *args = data;
	int ret, idx;

	if (args->flags & ~SIM_SUBMIT_FLAGS || args->pad || args->fence_fd)
		return -EINVAL;
	if (args->ring >= DRM_FAULT_SIM_RINGS || args->start >= DRM_FAULT_SIM_ADDRESS_END)
		return -EINVAL;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = sim_submit(file, args);
	drm_dev_exit(idx);
	return ret;
}

/**
 * drm_fault_sim_wait_ioctl - DRM_IOCTL_FAULT_SIM_WAIT
 * @drm:	the DRM device
 * @data:	&struct drm_fault_sim_wait
 * @file:	the caller's file
 *
 * The device may go meanwhile, which ends the job.
 *
 * Context: Process context, sleeps.
 * Return: 0 or a negative errno, as the uAPI header says.
 */
int drm_fault_sim_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_fault_sim_wait *args = data;
	struct dma_fence *fence;
	long ret;

	if (args->flags || args->pad)
		return -EINVAL;

	ret = drm_syncobj_find_fence(file, args->syncobj, 0, 0, &fence);
	if (ret)
		return ret;

	ret = dma_fence_wait_timeout(fence, true, drm_timeout_abs_to_jiffies(args->timeout_ns));
	if (ret > 0) {
		args->result = min(dma_fence_get_status(fence), 0);
		ret = 0;
	} else if (!ret) {
		ret = -ETIME;
	}
	dma_fence_put(fence);
	return ret;
}
