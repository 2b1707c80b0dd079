// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for what several drivers share when a GPU hangs: the scheduler's timeout,
 * DRM's notice that a GPU is wedged, and the dumps that drivers make.
 */
#include <linux/bits.h>
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include <drm/gpu_scheduler.h>

#include "sets.h"

/* A name may end right before memory that is not there, hence byte by byte. */
static void hang_peek_name(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; i < size - 1; i++)
		if (!drm_fault_peek(&to[i], from + i, 1) || !to[i])
			break;
	to[i] = '\0';
}

/*
 * The fence of the oldest job. It is on the list as long as it is not done, and one
 * that is done meanwhile may be freed: then what was read means nothing.
 */
static void hang_job(const struct drm_gpu_scheduler *sched, struct drm_fault_event *event)
{
	const struct list_head *first, *still;
	const struct drm_sched_fence *fence;
	const struct drm_sched_job *job;
	u64 context, seqno;

	if (!drm_fault_peek(&first, &sched->pending_list.next, sizeof(first)) ||
	    first == &sched->pending_list)
		return;
	job = list_entry(first, struct drm_sched_job, list);
	if (!drm_fault_peek(&fence, &job->s_fence, sizeof(fence)) ||
	    !drm_fault_peek(&context, &fence->finished.context, sizeof(context)) ||
	    !drm_fault_peek(&seqno, &fence->finished.seqno, sizeof(seqno)) ||
	    !drm_fault_peek(&still, &sched->pending_list.next, sizeof(still)) || still != first)
		return;
	event->job_context = context;
	event->job_seqno = seqno;
}

/* Drivers whose own timeout is hooked say more of it there. */
static bool hang_job_timedout(struct drm_fault_hook_hit *hit)
{
	const struct work_struct *work = (void *)drm_fault_hook_arg(hit, 0);
	const struct drm_gpu_scheduler *sched =
		container_of(work, const struct drm_gpu_scheduler, work_tdr.work);
	struct drm_fault_reporter *reporter;
	struct drm_fault_event event = { 0 };
	char name[DRM_FAULT_ENGINE_LEN];
	const struct device *dev;
	const char *sched_name;

	if (!drm_fault_peek(&dev, &sched->dev, sizeof(dev)))
		return true;
	reporter = drm_fault_reporter_of_device(dev);
	if (!reporter || drm_fault_reporter_provides(reporter, DRM_FAULT_PROVIDES_HANG))
		return true;
	drm_fault_peek(&sched_name, &sched->name, sizeof(sched_name));
	hang_peek_name(name, sizeof(name), sched_name);
	event.engine = name;
	hang_job(sched, &event);
	drm_fault_note_timeout(reporter, &event);
	return true;
}

static struct drm_fault_hook hang_sched_hooks[] = {
	{
		.symbol = "drm_sched_job_timedout",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "void (struct work_struct *)",
		.enter = hang_job_timedout,
	},
};

struct drm_fault_hooks drm_fault_sched_hooks = {
	.name = "gpu_sched",
	.module = "gpu_sched",
	.hooks = hang_sched_hooks,
	.hook_count = ARRAY_SIZE(hang_sched_hooks),
};

/* What a driver that could help itself tells: it was reset, and goes on. */
#define HANG_RECOVERY_NONE	BIT(0)

enum {
	HANG_FIELD_PID,
};

static struct drm_fault_field hang_wedged_fields[] = {
	[HANG_FIELD_PID] = { .type = "drm_wedge_task_info", .path = "pid", .size = sizeof(s32) },
};

static bool hang_wedged(struct drm_fault_hook_hit *hit)
{
	const struct drm_device *drm = (void *)drm_fault_hook_arg(hit, 0);
	unsigned long methods = drm_fault_hook_arg(hit, 1);
	const void *info = (void *)drm_fault_hook_arg(hit, 2);
	struct drm_fault_event event = {
		.raw_format = DRM_FAULT_RAW_WEDGED,
		.raw_count = 1,
		.raw = { methods },
	};
	struct drm_fault_reporter *reporter = drm_fault_reporter_of_drm(drm);
	s32 pid;

	if (!reporter)
		return true;
	if (drm_fault_field_peek(&pid, info, &hang_wedged_fields[HANG_FIELD_PID]) && pid > 0)
		event.raw[event.raw_count++] = pid;
	if (methods == HANG_RECOVERY_NONE) {
		drm_fault_note_reset(reporter, &event);
		return true;
	}
	event.flags = DRM_FAULT_RECORD_F_FATAL;
	drm_fault_note_wedged(reporter, &event);
	return true;
}

static struct drm_fault_hook hang_wedged_hooks[] = {
	{
		.symbol = "drm_dev_wedged_event",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype =
			"int (struct drm_device *, long unsigned int, struct drm_wedge_task_info *)",
		.enter = hang_wedged,
	},
};

struct drm_fault_hooks drm_fault_wedged_hooks = {
	.name = "wedged",
	.module = "drm",
	.hooks = hang_wedged_hooks,
	.hook_count = ARRAY_SIZE(hang_wedged_hooks),
	.fields = hang_wedged_fields,
	.field_count = ARRAY_SIZE(hang_wedged_fields),
};

/**
 * struct hang_dump - a dump in the making
 * @dev: whose it is
 * @name: in /sys/class/devcoredump, empty: none was made
 */
struct hang_dump {
	const struct device *dev;
	char name[DRM_FAULT_ENGINE_LEN];
};

static bool hang_dump_begins(struct drm_fault_hook_hit *hit)
{
	struct hang_dump *dump = hit->data;

	dump->dev = (void *)drm_fault_hook_arg(hit, 0);
	return drm_fault_reporter_of_device(dump->dev);
}

/* There is none if the GPU has an older one, or if dumps are switched off. */
static void hang_dump_ends(struct drm_fault_hook_hit *hit)
{
	const struct hang_dump *dump = hit->data;
	const struct drm_fault_event event = { .engine = dump->name };
	struct drm_fault_reporter *reporter = drm_fault_reporter_of_device(dump->dev);

	if (reporter && dump->name[0])
		drm_fault_note_dump(reporter, &event);
}

static bool hang_device_added(struct drm_fault_hook_hit *hit);

#define HANG_DUMP_ARGS \
	"struct device *, struct module *, void *, size_t, gfp_t, function *, function *"

/* The kernel has one of the first two, which calls the third. */
enum {
	HANG_DUMP,
	HANG_DUMP_TIMEOUT,
	HANG_DEVICE_ADD,
};

static struct drm_fault_hook hang_dump_hooks[] = {
	[HANG_DUMP] = {
		.symbol = "dev_coredumpm",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_DUMP,
		.prototype = "void (" HANG_DUMP_ARGS ")",
		.enter = hang_dump_begins,
		.leave = hang_dump_ends,
		.data_size = sizeof(struct hang_dump),
	},
	[HANG_DUMP_TIMEOUT] = {
		.symbol = "dev_coredumpm_timeout",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_DUMP,
		.prototype = "void (" HANG_DUMP_ARGS ", long unsigned int)",
		.enter = hang_dump_begins,
		.leave = hang_dump_ends,
		.data_size = sizeof(struct hang_dump),
	},
	[HANG_DEVICE_ADD] = {
		.symbol = "device_add",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_DUMP,
		.prototype = "int (struct device *)",
		.enter = hang_device_added,
	},
};

static bool hang_device_added(struct drm_fault_hook_hit *hit)
{
	const struct device *dev = (void *)drm_fault_hook_arg(hit, 0);
	struct hang_dump *dump = drm_fault_hook_enclosing(&hang_dump_hooks[HANG_DUMP_TIMEOUT]) ?:
				 drm_fault_hook_enclosing(&hang_dump_hooks[HANG_DUMP]);

	if (dump && !dump->name[0])
		strscpy(dump->name, dev_name(dev), sizeof(dump->name));
	return true;
}

struct drm_fault_hooks drm_fault_dump_hooks = {
	.name = "devcoredump",
	.module = "vmlinux",
	.hooks = hang_dump_hooks,
	.hook_count = ARRAY_SIZE(hang_dump_hooks),
};
