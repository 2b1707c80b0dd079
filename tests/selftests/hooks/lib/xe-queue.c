// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include "xe.h"

__u64 xe_queue(struct xe_queues *queues, __u32 engine_class, __u32 mask)
{
	struct xe *xe = &queues->xe;
	__u64 queue = xe_new(xe, XE_QUEUE), guc = xe_new(xe, XE_GUC_QUEUE);
	int ret = queue && guc ? 0 : -ENOMEM;

	ret = ret ?: xe_set(xe, queue, XE_QUEUE_GT, xe->gt);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_VM, queues->vm);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_GUC, guc);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_ENGINE, queues->engine);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_CLASS, engine_class);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_MASK, mask);
	ret = ret ?: xe_set(xe, queue, XE_QUEUE_WIDTH, 1);
	ret = ret ?: xe_set(xe, guc, XE_GUC_QUEUE_ID, XE_QUEUE_NUMBER);
	return ret ? 0 : queue;
}

/* The address space has two mappings, the batch is in the right one. */
static int map(struct xe_queues *queues)
{
	struct xe *xe = &queues->xe;
	__u64 root = xe_new(xe, XE_MAPPING), right = xe_new(xe, XE_MAPPING);
	__u32 node = xe->field[XE_MAPPING_NODE].offset;
	int ret = root && right ? 0 : -ENOMEM;

	ret = ret ?: xe_set(xe, root, XE_MAPPING_START, 0x10000);
	ret = ret ?: xe_set(xe, root, XE_MAPPING_LENGTH, 0x10000);
	ret = ret ?: xe_set(xe, root, XE_MAPPING_RIGHT, right + node);
	ret = ret ?: xe_set(xe, right, XE_MAPPING_START, XE_MAPPED);
	ret = ret ?: xe_set(xe, right, XE_MAPPING_LENGTH, XE_MAPPED_LENGTH);
	return ret ?: xe_set(xe, queues->vm, XE_VM_TREE, root + node);
}

int xe_queues_setup(struct xe_queues *queues)
{
	static const __u32 number = XE_QUEUE_NUMBER;
	struct xe *xe = &queues->xe;
	int ret = xe_setup(xe);

	if (ret)
		return ret;
	queues->seqno = 0;
	queues->vm = xe_vm(xe, 0, XE_ASID);
	queues->engine = xe_new(xe, XE_ENGINE);
	if (!queues->vm || !queues->engine)
		return -ENOMEM;
	ret = xe_set(xe, queues->engine, XE_ENGINE_INSTANCE, 2);
	queues->queue = xe_queue(queues, XE_COMPUTE, 0x4);
	if (!queues->queue)
		return -ENOMEM;
	ret = ret ?: xe_set(xe, xe->guc, XE_GUC_QUEUES, xe_array(xe, &number, &queues->queue, 1));
	ret = ret ?: map(queues);
	return ret ?: xe_vm_make(xe, xe->hooks.file, queues->vm);
}

int xe_queue_tell(struct xe_queues *queues, const char *function, __u32 number, __u32 words)
{
	const __u32 message[] = { number, XE_ERROR_KIND };
	struct xe *xe = &queues->xe;
	int ret = hooks_write(&xe->hooks, xe->message, message, sizeof(message));

	return ret ?: hooks_call(&xe->hooks, function, 0, xe->guc, xe->message, words);
}

int xe_incident_end(struct xe_queues *queues)
{
	struct drm_fault_record record;
	int ret = xe_queue_tell(queues, XE_RESET, XE_QUEUE_NUMBER, 1);

	return ret ?: hooks_record(queues->xe.hooks.all, &record);
}

int xe_job(struct xe_queues *queues, struct xe_job *job, __u64 queue, __u64 batch)
{
	struct xe *xe = &queues->xe;
	__u64 rings = xe->field[XE_JOB_RINGS].offset, sched = xe_new(xe, XE_SCHED_FENCE);
	int ret;

	job->job = hooks_buffer(&xe->hooks, rings + xe->field[XE_RINGS].offset);
	job->fence = xe_new(xe, XE_FENCE);
	if (!sched || !job->job || !job->fence)
		return -ENOMEM;
	job->seqno = ++queues->seqno;
	ret = xe_set(xe, sched, XE_SCHED_FENCE_CONTEXT, XE_JOB_CONTEXT);
	ret = ret ?: xe_set(xe, sched, XE_SCHED_FENCE_SEQNO, job->seqno);
	ret = ret ?: xe_set(xe, job->fence, XE_FENCE_CONTEXT, XE_JOB_CONTEXT + 1);
	ret = ret ?: xe_set(xe, job->fence, XE_FENCE_SEQNO, job->seqno);
	ret = ret ?: xe_set(xe, job->job, XE_JOB_SCHED_FENCE, sched);
	ret = ret ?: xe_set(xe, job->job, XE_JOB_QUEUE, queue);
	ret = ret ?: xe_set(xe, job->job, XE_JOB_FENCE, job->fence);
	return ret ?: xe_set(xe, job->job + rings, XE_RING_BATCH, batch);
}

int xe_job_start(struct xe_queues *queues, struct xe_job *job, __u64 queue, __u64 batch)
{
	int ret = xe_job(queues, job, queue, batch);

	return ret ?: hooks_call(&queues->xe.hooks, "xe:guc_exec_queue_run_job", 0,
				 job->job + queues->xe.field[XE_JOB_DRM].offset);
}

/* All flags: which of them says so is not the same in every kernel. */
int xe_job_end(struct xe_queues *queues, const struct xe_job *job)
{
	return xe_set(&queues->xe, job->fence, XE_FENCE_FLAGS, ~0ULL);
}
