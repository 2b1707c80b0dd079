// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring: a queue of jobs and the worker that runs them.
 */
#include <linux/kernel.h>

#include <drm/drm_print.h>

#include "sim.h"

static const char * const sim_ring_names[DRM_FAULT_SIM_RINGS] = { "ring0", "ring1" };

/**
 * drm_fault_sim_job_cancelled - must the job end now
 * @job:	a job on its ring
 *
 * Context: Any.
 * Return: whether its file is guilty or closed, or the device goes.
 */
bool drm_fault_sim_job_cancelled(const struct drm_fault_sim_job *job)
{
	return READ_ONCE(job->file->epoch) != job->epoch || READ_ONCE(job->ring->stopped);
}

static void sim_in_fence_signalled(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct drm_fault_sim_job *job = container_of(cb, struct drm_fault_sim_job, in_cb);

	wake_up_all(&job->ring->wake);
}

/* The wait is not bounded: fences of others have time limits of their own. */
static int sim_wait_in_fence(struct drm_fault_sim_job *job)
{
	struct dma_fence *fence = job->in_fence;

	if (!fence)
		return 0;

	if (!dma_fence_add_callback(fence, &job->in_cb, sim_in_fence_signalled)) {
		wait_event_idle(job->ring->wake, drm_fault_sim_job_cancelled(job) ||
				dma_fence_is_signaled(fence));
		dma_fence_remove_callback(fence, &job->in_cb);
	}
	return dma_fence_get_status(fence) == 1 ? 0 : -ECANCELED;
}

static struct drm_fault_sim_job *sim_next_job(struct drm_fault_sim_ring *ring)
{
	struct drm_fault_sim_job *job;

	spin_lock(&ring->lock);
	job = list_first_entry_or_null(&ring->queue, struct drm_fault_sim_job, link);
	if (job) {
		list_del(&job->link);
		ring->current_file = job->file;
	}
	spin_unlock(&ring->lock);
	return job;
}

static void sim_run_job(struct drm_fault_sim_ring *ring, struct drm_fault_sim_job *job)
{
	int ret = sim_wait_in_fence(job);

	if (!ret)
		ret = drm_fault_sim_engine_run(job);

	/* Before the fence, so that who has seen it also sees the guilt. */
	if (ret == -EFAULT || ret == -ETIMEDOUT)
		drm_fault_sim_file_blame(job->file);
	drm_fault_sim_job_end(job, ret);

	spin_lock(&ring->lock);
	ring->current_file = NULL;
	spin_unlock(&ring->lock);
	wake_up_all(&ring->wake);
}

static void sim_ring_work(struct work_struct *work)
{
	struct drm_fault_sim_ring *ring = container_of(work, struct drm_fault_sim_ring, work);
	struct drm_fault_sim_job *job;

	while ((job = sim_next_job(ring)))
		sim_run_job(ring, job);
}

/**
 * drm_fault_sim_ring_push - queue a job
 * @job:	the job, with its fence made; the ring's on success
 *
 * Context: Process context, with &drm_fault_sim_ring.submit_lock held.
 * Return: 0, -ECANCELED if the file is guilty, -EAGAIN if it has too many jobs,
 * -ENODEV if the device goes.
 */
int drm_fault_sim_ring_push(struct drm_fault_sim_job *job)
{
	struct drm_fault_sim_file *file = job->file;
	struct drm_fault_sim_ring *ring = job->ring;
	int ret = 0;

	lockdep_assert_held(&ring->submit_lock);

	spin_lock(&file->lock);
	spin_lock(&ring->lock);
	if (ring->stopped) {
		ret = -ENODEV;
	} else if (file->guilty) {
		ret = -ECANCELED;
	} else if (file->jobs >= DRM_FAULT_SIM_MAX_JOBS) {
		ret = -EAGAIN;
	} else {
		job->epoch = file->epoch;
		file->jobs++;
		list_add_tail(&job->link, &ring->queue);
		queue_work(ring->wq, &ring->work);
	}
	spin_unlock(&ring->lock);
	spin_unlock(&file->lock);
	return ret;
}

static bool sim_ring_busy(struct drm_fault_sim_ring *ring, const struct drm_fault_sim_file *file)
{
	bool busy;

	spin_lock(&ring->lock);
	busy = file ? ring->current_file == file : !!ring->current_file;
	spin_unlock(&ring->lock);
	return busy;
}

/**
 * drm_fault_sim_ring_purge - end jobs that have been cancelled
 * @ring:	the ring
 * @file:	whose, NULL: all
 *
 * Waits for the one that runs, then ends those in the queue, so that the fences
 * of a file signal in their order. Nobody submits any more.
 *
 * Context: Process context, sleeps.
 */
void drm_fault_sim_ring_purge(struct drm_fault_sim_ring *ring,
			      struct drm_fault_sim_file *file)
{
	struct drm_fault_sim_job *job, *next;
	LIST_HEAD(cancelled);

	spin_lock(&ring->lock);
	list_for_each_entry_safe(job, next, &ring->queue, link) {
		if (!file || job->file == file)
			list_move_tail(&job->link, &cancelled);
	}
	spin_unlock(&ring->lock);

	wake_up_all(&ring->wake);
	wait_event(ring->wake, !sim_ring_busy(ring, file));

	list_for_each_entry_safe(job, next, &cancelled, link)
		drm_fault_sim_job_end(job, -ECANCELED);
}

/**
 * drm_fault_sim_ring_stop - run nothing any more
 * @ring:	the ring
 *
 * Context: Process context, sleeps.
 */
void drm_fault_sim_ring_stop(struct drm_fault_sim_ring *ring)
{
	spin_lock(&ring->lock);
	WRITE_ONCE(ring->stopped, true);
	spin_unlock(&ring->lock);

	drm_fault_sim_ring_purge(ring, NULL);
	flush_work(&ring->work);
}

/**
 * drm_fault_sim_ring_print - print what the ring does, and its fault registers
 * @ring:	the ring
 * @p:		where to
 *
 * Context: Process context, may sleep.
 */
void drm_fault_sim_ring_print(struct drm_fault_sim_ring *ring, struct drm_printer *p)
{
	/* Registers of hardware may change while they are read as well. */
	const struct drm_fault_sim_fault fault = data_race(ring->fault);
	const struct drm_fault_sim_job *job;
	unsigned int waiting = 0;
	u32 runs_vm = 0;

	spin_lock(&ring->lock);
	if (ring->current_file)
		runs_vm = ring->current_file->vm_id;
	list_for_each_entry(job, &ring->queue, link)
		waiting++;
	spin_unlock(&ring->lock);

	if (runs_vm)
		drm_printf(p, "%s: runs a job of vm %u, %u wait\n", ring->name, runs_vm, waiting);
	else
		drm_printf(p, "%s: idle, %u wait\n", ring->name, waiting);
	drm_printf(p, "  fault address 0x%012llx, ip 0x%012llx, status 0x%08llx, vm %u\n",
		   fault.address, fault.ip, fault.status, fault.vm);
}

/**
 * drm_fault_sim_ring_init - make a ring
 * @sim:	the device
 * @index:	number of the ring
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int drm_fault_sim_ring_init(struct drm_fault_sim_device *sim, unsigned int index)
{
	struct drm_fault_sim_ring *ring = &sim->rings[index];

	ring->sim = sim;
	ring->index = index;
	ring->name = sim_ring_names[index];
	mutex_init(&ring->submit_lock);
	spin_lock_init(&ring->lock);
	INIT_LIST_HEAD(&ring->queue);
	init_waitqueue_head(&ring->wake);
	INIT_WORK(&ring->work, sim_ring_work);
	ring->irq = IRQ_WORK_INIT_HARD(drm_fault_sim_irq);
	ring->wq = alloc_ordered_workqueue("fault_sim_%s", WQ_MEM_RECLAIM, ring->name);
	return ring->wq ? 0 : -ENOMEM;
}

/**
 * drm_fault_sim_ring_fini - undo drm_fault_sim_ring_init()
 * @ring:	the ring, stopped or never used
 *
 * Context: Process context, sleeps.
 */
void drm_fault_sim_ring_fini(struct drm_fault_sim_ring *ring)
{
	if (ring->wq)
		destroy_workqueue(ring->wq);
	ring->wq = NULL;
}
