// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/siphash.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_file.h>

#include "cursor.h"

/*
 * A snapshot is a merge of the rings of all contexts in view, by time. It goes
 * record by record straight to the caller's array.
 */

/* What lies beyond a record is zeroed, in one go. */
#define DRM_FAULT_SNAPSHOT_STRIDE_MAX	SZ_4K

static int drm_fault_snapshot_put(const struct drm_fault_view *view,
				  struct drm_fault_cursor *cursor,
				  const struct drm_fault_snapshot *args, u32 index,
				  u32 stride)
{
	void __user *to = u64_to_user_ptr(args->records_ptr + (u64)index * stride);
	size_t size = min_t(size_t, stride, sizeof(cursor->record));

	cursor->record.pid = drm_fault_view_pid(view, cursor->context);
	if (copy_to_user(to, &cursor->record, size))
		return -EFAULT;
	if (stride > size && clear_user(to + size, stride - size))
		return -EFAULT;
	return 0;
}

static int drm_fault_snapshot_fill(const struct drm_fault_view *view,
				   struct drm_fault_cursors *cursors,
				   struct drm_fault_snapshot *args, u32 room, u32 stride)
{
	int ret = room ? drm_fault_cursors_start(cursors) : 0;

	if (ret)
		return ret;
	while (args->record_count < room && cursors->waiting) {
		ret = drm_fault_snapshot_put(view, cursors->heap[0], args,
					     args->record_count, stride);
		if (ret)
			return ret;
		args->record_count++;
		drm_fault_cursors_advance(cursors);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int drm_fault_snapshot_sum(struct drm_fault_cursors *cursors,
				  struct drm_fault_snapshot *args)
{
	struct drm_fault_cursor *cursor;
	u64 events, lost;
	unsigned int i;
	int ret;

	for (i = 0; i < cursors->count; i++) {
		cursor = &cursors->list[i];
		ret = drm_fault_cursor_index(cursor);
		if (ret)
			return ret;
		drm_fault_ring_counts(cursor->context->ring, &events, &lost);
		args->events += events;
		args->lost += lost;
		args->total += cursor->count;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

/*
 * Contexts come and go, too: what they are is mixed in with what they recorded, so
 * that two which go and two others that come do not make the same sum.
 */
static u64 drm_fault_snapshot_generation(const struct drm_fault_cursors *cursors)
{
	static const siphash_key_t key;
	u64 generation = 0;
	unsigned int i;

	for (i = 0; i < cursors->count; i++)
		generation += siphash_2u64(cursors->list[i].context->id,
					   cursors->list[i].seq, &key);
	return generation;
}

static bool drm_fault_snapshot_moved(const struct drm_fault_cursors *cursors)
{
	const struct drm_fault_cursor *cursor;
	unsigned int i;

	for (i = 0; i < cursors->count; i++) {
		cursor = &cursors->list[i];
		if (read_seqcount_retry(&cursor->context->ring->seq, cursor->seq))
			return true;
	}
	return false;
}

static int drm_fault_snapshot_check(const struct drm_fault_snapshot *args)
{
	if (args->flags || args->pad)
		return -EINVAL;
	if (!args->record_count)
		return 0;
	if (args->record_size < sizeof(u64) || args->record_size % sizeof(u64) ||
	    args->record_size > DRM_FAULT_SNAPSHOT_STRIDE_MAX)
		return -EINVAL;
	return 0;
}

/**
 * drm_fault_snapshot - copy what the rings in view hold
 * @view: whose
 * @args: the call, in and out
 *
 * Context: Process, may sleep.
 * Return: 0, -EINVAL, -EFAULT, -ENODEV, -ENOMEM or -EINTR
 */
int drm_fault_snapshot(const struct drm_fault_view *view, struct drm_fault_snapshot *args)
{
	struct drm_fault_cursors cursors = {};
	u32 room = args->record_count, stride = args->record_size;
	int ret = drm_fault_snapshot_check(args);

	if (ret)
		return ret;
	args->record_count = 0;
	args->record_size = sizeof(struct drm_fault_record);
	if (room)
		args->record_size = min_t(u32, stride, sizeof(struct drm_fault_record));
	args->total = 0;
	args->events = 0;
	args->lost = 0;
	args->result = 0;

	ret = drm_fault_cursors_open(&cursors, view);
	if (!ret)
		ret = drm_fault_snapshot_sum(&cursors, args);
	if (!ret)
		ret = drm_fault_snapshot_fill(view, &cursors, args, room, stride);
	if (!ret) {
		args->generation = drm_fault_snapshot_generation(&cursors);
		if (drm_fault_snapshot_moved(&cursors))
			args->result |= DRM_FAULT_SNAPSHOT_MOVING;
	}
	drm_fault_cursors_close(&cursors);
	return ret;
}

/**
 * drm_fault_snapshot_ioctl - the query as an ioctl of a driver's own node
 * @drm: the DRM device
 * @data: a struct drm_fault_snapshot
 * @file: the caller, who sees the contexts of its own client
 *
 * A driver adds one line to its table, with a number of its own::
 *
 *	DRM_IOCTL_DEF_DRV(SIM_FAULTS, drm_fault_snapshot_ioctl, DRM_RENDER_ALLOW),
 *
 * Context: Process, may sleep.
 * Return: as the SNAPSHOT call; -EOPNOTSUPP without a client for @file
 */
int drm_fault_snapshot_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_fault_snapshot *args = data;
	struct drm_fault_view view = { .scope = DRM_FAULT_SCOPE_FILE };
	int ret;

	if (args->size < offsetofend(struct drm_fault_snapshot, pad))
		return -EINVAL;
	if (args->size > sizeof(*args))
		return -E2BIG;

	view.client = drm_fault_client_find_drm(file);
	if (IS_ERR(view.client))
		return PTR_ERR(view.client);
	view.pid_ns = task_active_pid_ns(current);
	ret = drm_fault_snapshot(&view, args);
	args->size = sizeof(*args);
	drm_fault_client_put(view.client);
	return ret;
}
EXPORT_SYMBOL_GPL(drm_fault_snapshot_ioctl);
