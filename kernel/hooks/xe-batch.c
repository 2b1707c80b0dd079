// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which batch buffer an engine runs: the driver says what it submits, a queue runs
 * its jobs in order, and the fences tell which have ended. So the oldest job that
 * has not ended is the one that runs, if it is still known.
 */
#include <linux/bitops.h>
#include <linux/dma-fence.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>

#include <drm/gpu_scheduler.h>

#include "xe.h"

#define XE_BATCH_QUEUE_BITS	7
#define XE_BATCH_QUEUE_PROBES	8
/* Jobs of a queue that are remembered. */
#define XE_BATCHES		8
/* Mappings of an address space are in a balanced tree. */
#define XE_TREE_DEPTH		64

/**
 * struct xe_batch - a submitted job
 * @address: where its batch buffer begins
 * @fence: that says that it has ended; may be gone by then
 * @context: of @fence
 * @seqno: of @fence
 */
struct xe_batch {
	u64 address;
	const struct dma_fence *fence;
	u64 context;
	u64 seqno;
};

/**
 * struct xe_batch_queue - what was submitted to a queue
 * @queue: struct xe_exec_queue, compared only, NULL: the place is free
 * @vm: its address space, compared and peeked at
 * @asid: of @vm
 * @engine_class: enum xe_engine_class
 * @stamp: when something was submitted last, in jobs
 * @count: jobs ever
 * @batches: the newest of them
 */
struct xe_batch_queue {
	const void *queue;
	const void *vm;
	u32 asid;
	u32 engine_class;
	u32 stamp;
	u32 count;
	struct xe_batch batches[XE_BATCHES];
};

/* Protects the following; taken where others spin with interrupts off. A leaf. */
static DEFINE_RAW_SPINLOCK(xe_batch_lock);
static struct xe_batch_queue xe_batch_queues[1 << XE_BATCH_QUEUE_BITS];
static u32 xe_batch_stamp;

/* The place of a queue; with @take any, should it have none: the least used one goes. */
static struct xe_batch_queue *xe_batch_queue_find(const void *queue, bool take)
{
	u32 start = hash_ptr(queue, XE_BATCH_QUEUE_BITS);
	struct xe_batch_queue *place, *oldest = NULL;
	unsigned int step;

	lockdep_assert_held(&xe_batch_lock);
	for (step = 0; step < XE_BATCH_QUEUE_PROBES; step++) {
		place = &xe_batch_queues[(start + step) & (ARRAY_SIZE(xe_batch_queues) - 1)];
		if (place->queue == queue)
			return place;
		if (!oldest || !place->queue ||
		    (oldest->queue && (s32)(place->stamp - oldest->stamp) < 0))
			oldest = place;
	}
	return take ? oldest : NULL;
}

static bool xe_fence_peek(const struct dma_fence *fence, u64 *context, u64 *seqno,
			  unsigned long *flags)
{
	return drm_fault_peek(context, &fence->context, sizeof(fence->context)) &&
	       drm_fault_peek(seqno, &fence->seqno, sizeof(fence->seqno)) &&
	       drm_fault_peek(flags, &fence->flags, sizeof(fence->flags));
}

/* False also for a fence that is another one by now. */
static bool xe_batch_runs(const struct xe_batch *batch)
{
	u64 context, seqno;
	unsigned long flags;

	return xe_fence_peek(batch->fence, &context, &seqno, &flags) &&
	       context == batch->context && seqno == batch->seqno &&
	       !test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &flags);
}

/* Zero: none runs, or one that is not known any more. */
static u64 xe_batch_running(const struct xe_batch_queue *queue)
{
	u32 first = queue->count > XE_BATCHES ? queue->count - XE_BATCHES : 0;
	const struct xe_batch *batch;
	u32 i;

	lockdep_assert_held(&xe_batch_lock);
	for (i = first; i != queue->count; i++) {
		batch = &queue->batches[i % XE_BATCHES];
		if (xe_batch_runs(batch))
			return first && i == first ? 0 : batch->address;
	}
	return 0;
}

static void xe_batch_add(const void *queue, const void *vm, const struct xe_batch *batch)
{
	struct xe_batch_queue *place;
	unsigned long flags;
	u32 asid, engine_class;

	xe_peek(&asid, vm, XE_VM_ASID);
	xe_peek(&engine_class, queue, XE_QUEUE_CLASS);
	raw_spin_lock_irqsave(&xe_batch_lock, flags);
	place = xe_batch_queue_find(queue, true);
	/* A new queue may be where an old one was. */
	if (place->queue != queue || place->vm != vm)
		place->count = 0;
	place->queue = queue;
	place->vm = vm;
	place->asid = asid;
	place->engine_class = engine_class;
	place->stamp = xe_batch_stamp++;
	place->batches[place->count++ % XE_BATCHES] = *batch;
	raw_spin_unlock_irqrestore(&xe_batch_lock, flags);
}

bool drm_fault_xe_run_job(struct drm_fault_hook_hit *hit)
{
	const struct drm_sched_job *drm_job = (void *)drm_fault_hook_arg(hit, 0);
	const void *job = xe_container(drm_job, XE_JOB_DRM);
	const void *queue = xe_pointer(job, XE_JOB_QUEUE);
	const void *vm = xe_pointer(queue, XE_QUEUE_VM);
	int rings = READ_ONCE(drm_fault_xe_fields[XE_JOB_RINGS].offset);
	struct xe_batch batch;
	unsigned long flags;
	u16 width;

	/* The driver's own queues have none; those of several rings, several batches. */
	if (!vm || rings < 0 || !xe_peek(&width, queue, XE_QUEUE_WIDTH) || width != 1)
		return true;
	batch.fence = xe_pointer(job, XE_JOB_FENCE);
	if (xe_peek(&batch.address, job + rings, XE_RING_BATCH) && batch.address &&
	    xe_fence_peek(batch.fence, &batch.context, &batch.seqno, &flags))
		xe_batch_add(queue, vm, &batch);
	return true;
}

/* The end of what is mapped at an address, 0 if nothing is. */
static u64 xe_mapping_end(const void *vm, u64 address)
{
	struct rb_root_cached tree;
	const struct rb_node *node;
	struct rb_node links;
	const void *mapping;
	unsigned int depth;
	u64 start, length;

	xe_peek(&tree, vm, XE_VM_TREE);
	node = tree.rb_root.rb_node;
	for (depth = 0; node && depth < XE_TREE_DEPTH; depth++) {
		mapping = xe_container(node, XE_MAPPING_NODE);
		if (!xe_peek(&start, mapping, XE_MAPPING_START) ||
		    !xe_peek(&length, mapping, XE_MAPPING_LENGTH) ||
		    !xe_peek(&links, mapping, XE_MAPPING_NODE))
			return 0;
		if (address < start)
			node = links.rb_left;
		else if (address - start >= length)
			node = links.rb_right;
		else
			return start + length;
	}
	return 0;
}

/* How long a batch is nobody says, but it does not go on behind its mapping. */
static void xe_batch_tell(struct drm_fault_event *event, const void *vm, u64 address)
{
	u64 end = address ? xe_mapping_end(vm, address) : 0;

	if (!end)
		return;
	event->ip = address;
	event->ip_type = DRM_FAULT_IP_UNKNOWN;
	event->ip_precision = 1ULL << fls64(address ^ (end - 1));
}

/**
 * drm_fault_xe_batch_of_queue - say which batch a queue runs
 * @event: of what happened to the queue
 * @queue: struct xe_exec_queue
 *
 * Context: In a handler.
 */
void drm_fault_xe_batch_of_queue(struct drm_fault_event *event, const void *queue)
{
	const struct xe_batch_queue *place;
	const void *vm = NULL;
	unsigned long flags;
	u64 address = 0;

	raw_spin_lock_irqsave(&xe_batch_lock, flags);
	place = xe_batch_queue_find(queue, false);
	if (place) {
		vm = place->vm;
		address = xe_batch_running(place);
	}
	raw_spin_unlock_irqrestore(&xe_batch_lock, flags);
	if (vm == xe_pointer(queue, XE_QUEUE_VM))
		xe_batch_tell(event, vm, address);
}

/**
 * drm_fault_xe_batch_of_engine - say which batch runs on a kind of engine
 * @event: of what happened there
 * @device: struct xe_device
 * @asid: of the address space
 * @engine_class: enum xe_engine_class
 *
 * Nothing is said where several run: the GPU tells the engine, not the queue.
 *
 * Context: In a handler.
 */
void drm_fault_xe_batch_of_engine(struct drm_fault_event *event, const void *device, u32 asid,
				  u32 engine_class)
{
	const struct xe_batch_queue *place;
	const void *vm = NULL;
	unsigned long flags;
	u64 address = 0, running;
	unsigned int found = 0;

	raw_spin_lock_irqsave(&xe_batch_lock, flags);
	for (place = xe_batch_queues;
	     place < xe_batch_queues + ARRAY_SIZE(xe_batch_queues); place++) {
		if (!place->queue || place->asid != asid ||
		    place->engine_class != engine_class)
			continue;
		running = xe_batch_running(place);
		if (!running || xe_pointer(place->vm, XE_VM_DEVICE) != device)
			continue;
		vm = place->vm;
		address = running;
		found++;
	}
	raw_spin_unlock_irqrestore(&xe_batch_lock, flags);
	if (found == 1)
		xe_batch_tell(event, vm, address);
}
