// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to execution queues of xe: catastrophic errors, resets, timeouts. It
 * is told of a queue's number; the record says whose address space the queue uses.
 */
#include <linux/dma-fence.h>
#include <linux/kernel.h>
#include <linux/log2.h>

#include <drm/gpu_scheduler.h>

#include "xe.h"

/* Of a catastrophic error: the queue's number, then its kind where that is told. */
#define XE_CAT_ERROR_WORDS	2

static struct drm_fault_reporter *xe_reporter_of_guc(const void *guc)
{
	return drm_fault_xe_reporter(drm_fault_xe_device_of_guc(guc));
}

static const void *xe_queue_of_guc(const void *guc, u32 number)
{
	return drm_fault_xe_array_load(guc, XE_GUC_QUEUES, number);
}

/* @queue can be NULL: then it is nobody's. */
static void xe_queue_event(struct drm_fault_event *event, char *name, const void *queue)
{
	u32 engine_class, mask;
	u16 instance;
	bool one;

	*event = (struct drm_fault_event){
		.key = (uintptr_t)xe_pointer(queue, XE_QUEUE_VM),
		.raw_format = DRM_FAULT_RAW_XE,
		.raw_count = 2,
	};
	if (!xe_peek(&engine_class, queue, XE_QUEUE_CLASS))
		return;
	xe_peek(&mask, queue, XE_QUEUE_MASK);
	event->raw[1] = mask;
	/* Among several engines the GuC chooses, and does not say which. */
	one = is_power_of_2(mask) &&
	      xe_peek(&instance, xe_pointer(queue, XE_QUEUE_ENGINE), XE_ENGINE_INSTANCE);
	drm_fault_xe_engine(event, name, engine_class, one ? instance : -1);
	drm_fault_xe_batch_of_queue(event, queue);
}

/* The driver gives the queue up after this. */
bool drm_fault_xe_cat_error(struct drm_fault_hook_hit *hit)
{
	const void *guc = (void *)drm_fault_hook_arg(hit, 0);
	const void *message = (void *)drm_fault_hook_arg(hit, 1);
	u32 count = drm_fault_hook_arg(hit, 2);
	u32 words[XE_CAT_ERROR_WORDS];
	struct drm_fault_event event;
	char name[DRM_FAULT_ENGINE_LEN];

	if (!count || count > XE_CAT_ERROR_WORDS)
		return true;
	if (!drm_fault_peek(words, message, count * sizeof(words[0]))) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	xe_queue_event(&event, name, xe_queue_of_guc(guc, words[0]));
	event.fault_type = DRM_FAULT_TYPE_OTHER;
	event.flags = DRM_FAULT_RECORD_F_FATAL;
	event.raw[0] = words[0];
	if (count == XE_CAT_ERROR_WORDS) {
		event.raw_count = 3;
		event.raw[2] = words[1];
	}
	drm_fault_hook_report(hit->hook, xe_reporter_of_guc(guc), &event);
	return true;
}

bool drm_fault_xe_reset(struct drm_fault_hook_hit *hit)
{
	const void *guc = (void *)drm_fault_hook_arg(hit, 0);
	struct drm_fault_reporter *reporter = xe_reporter_of_guc(guc);
	struct drm_fault_event event;
	char name[DRM_FAULT_ENGINE_LEN];
	u32 number;

	if (!reporter || !(u32)drm_fault_hook_arg(hit, 2) ||
	    !drm_fault_peek(&number, (void *)drm_fault_hook_arg(hit, 1), sizeof(number)))
		return true;
	xe_queue_event(&event, name, xe_queue_of_guc(guc, number));
	event.flags = DRM_FAULT_RECORD_F_GUILTY;
	event.raw[0] = number;
	drm_fault_note_reset(reporter, &event);
	return true;
}

/*
 * The driver's timeout function also runs for jobs that just ended, for jobs whose
 * queue waited for others, and to clean up after a process that exits. It makes a
 * dump where it finds that a job hangs, and only there.
 */
bool drm_fault_xe_timeout_enter(struct drm_fault_hook_hit *hit)
{
	struct xe_timeout *timeout = hit->data;

	timeout->job = (void *)drm_fault_hook_arg(hit, 0);
	return true;
}

void drm_fault_xe_timeout_leave(struct drm_fault_hook_hit *hit)
{
}

static void xe_job_fence(struct drm_fault_event *event, const struct drm_sched_job *job)
{
	const struct drm_sched_fence *fence;

	if (!drm_fault_peek(&fence, &job->s_fence, sizeof(fence)) ||
	    !drm_fault_peek(&event->job_context, &fence->finished.context,
			    sizeof(fence->finished.context)))
		return;
	drm_fault_peek(&event->job_seqno, &fence->finished.seqno,
		       sizeof(fence->finished.seqno));
}

bool drm_fault_xe_timeout_dump(struct drm_fault_hook_hit *hit)
{
	struct xe_timeout *timeout = drm_fault_hook_enclosing(&drm_fault_xe_list[XE_HOOK_TIMEOUT]);
	struct drm_fault_reporter *reporter;
	struct drm_fault_event event;
	char name[DRM_FAULT_ENGINE_LEN];
	const void *queue;
	u16 number;

	if (!timeout || timeout->noted)
		return true;
	queue = xe_pointer(xe_container(timeout->job, XE_JOB_DRM), XE_JOB_QUEUE);
	reporter = drm_fault_xe_reporter(drm_fault_xe_device_of_gt(xe_pointer(queue, XE_QUEUE_GT)));
	if (!reporter)
		return true;
	timeout->noted = true;
	xe_queue_event(&event, name, queue);
	event.flags = DRM_FAULT_RECORD_F_GUILTY | DRM_FAULT_RECORD_F_FATAL;
	xe_peek(&number, xe_pointer(queue, XE_QUEUE_GUC), XE_GUC_QUEUE_ID);
	event.raw[0] = number;
	xe_job_fence(&event, timeout->job);
	drm_fault_note_timeout(reporter, &event);
	return true;
}
