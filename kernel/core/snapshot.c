// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/siphash.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_file.h>

#include "core.h"

/*
 * A snapshot is a merge of the rings of all contexts in view, by time. It goes
 * record by record straight to the caller's array.
 */

/* What lies beyond a record is zeroed, in one go. */
#define DRM_FAULT_SNAPSHOT_STRIDE_MAX	SZ_4K

/**
 * struct drm_fault_cursor - place in one ring
 * @context: whose ring; a reference is held
 * @entries: its records
 * @count: how many
 * @next: the entry that @record was copied from, plus one
 * @seq: state of the ring when @entries was made
 * @record: the next record to give out
 * @more: there is one
 */
struct drm_fault_cursor {
	struct drm_fault_context *context;
	struct drm_fault_ring_entry *entries;
	unsigned int count;
	unsigned int next;
	unsigned int seq;
	struct drm_fault_record record;
	bool more;
};

/**
 * struct drm_fault_cursors - places in all rings in view
 * @count: how many
 * @room: of @list
 * @list: the cursors
 * @heap: those with a record to give out, a binary heap with the oldest on top:
 *	one who can open many contexts must not make this quadratic for others
 * @waiting: how many are in @heap
 */
struct drm_fault_cursors {
	unsigned int count;
	unsigned int room;
	struct drm_fault_cursor *list;
	struct drm_fault_cursor **heap;
	unsigned int waiting;
};

static int drm_fault_cursors_grow(struct drm_fault_cursors *cursors, unsigned int room)
{
	struct drm_fault_cursor *list;

	if (room <= cursors->room)
		return 0;
	room = max(room, 2 * cursors->room);
	list = kvcalloc(room, sizeof(*list), GFP_KERNEL_ACCOUNT);
	if (!list)
		return -ENOMEM;
	if (cursors->count)
		memcpy(list, cursors->list, cursors->count * sizeof(*list));
	kvfree(cursors->list);
	cursors->list = list;
	cursors->room = room;
	return 0;
}

/* Takes the contexts for which there is room. Returns how many there are. */
static unsigned int drm_fault_cursors_take(struct drm_fault_cursors *cursors,
					   const struct drm_fault_view *view,
					   struct drm_fault_reporter *reporter)
{
	struct drm_fault_context *context;
	unsigned int found = 0;
	u64 events, lost;

	rcu_read_lock();
	list_for_each_entry_rcu(context, &reporter->contexts, node) {
		if (!drm_fault_view_has(view, context))
			continue;
		drm_fault_context_counts(context, &events, &lost);
		if (!events || !kref_get_unless_zero(&context->ref))
			continue;
		if (cursors->count + found < cursors->room)
			cursors->list[cursors->count + found].context = context;
		else
			drm_fault_context_put(context);
		found++;
	}
	rcu_read_unlock();
	return found;
}

static int drm_fault_cursors_add_reporter(struct drm_fault_cursors *cursors,
					  const struct drm_fault_view *view,
					  struct drm_fault_reporter *reporter)
{
	unsigned int found, taken, i;
	int ret;

	for (;;) {
		found = drm_fault_cursors_take(cursors, view, reporter);
		taken = min(found, cursors->room - cursors->count);
		if (taken == found) {
			cursors->count += taken;
			return 0;
		}
		for (i = 0; i < taken; i++) {
			drm_fault_context_put(cursors->list[cursors->count + i].context);
			cursors->list[cursors->count + i].context = NULL;
		}
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = drm_fault_cursors_grow(cursors, cursors->count + found);
		if (ret)
			return ret;
	}
}

static int drm_fault_cursors_open(struct drm_fault_cursors *cursors,
				  const struct drm_fault_view *view)
{
	struct drm_fault_reporter *reporter;
	int ret = 0;

	reporter = view->client ? view->client->reporter : view->reporter;
	if (reporter) {
		ret = drm_fault_cursors_add_reporter(cursors, view, reporter);
		/* Afterwards: the list of a GPU that went meanwhile is empty. */
		return drm_fault_view_gone(view) ? -ENODEV : ret;
	}

	mutex_lock(&drm_fault_reporters_lock);
	list_for_each_entry(reporter, &drm_fault_reporters, node) {
		ret = drm_fault_cursors_add_reporter(cursors, view, reporter);
		if (ret)
			break;
	}
	mutex_unlock(&drm_fault_reporters_lock);
	return ret;
}

static void drm_fault_cursors_close(struct drm_fault_cursors *cursors)
{
	unsigned int i;

	for (i = 0; i < cursors->count; i++) {
		drm_fault_context_put(cursors->list[i].context);
		kvfree(cursors->list[i].entries);
	}
	kvfree(cursors->heap);
	kvfree(cursors->list);
}

static int drm_fault_cursor_index(struct drm_fault_cursor *cursor)
{
	const struct drm_fault_ring *ring = cursor->context->ring;

	cursor->entries = kvcalloc(ring->capacity, sizeof(*cursor->entries),
				   GFP_KERNEL_ACCOUNT);
	if (!cursor->entries)
		return -ENOMEM;
	cursor->count = drm_fault_ring_index(ring, cursor->entries, &cursor->seq);
	return 0;
}

static void drm_fault_cursor_step(struct drm_fault_cursor *cursor)
{
	cursor->more = false;
	while (cursor->next < cursor->count && !cursor->more)
		cursor->more = drm_fault_ring_copy(cursor->context->ring,
						   &cursor->entries[cursor->next++],
						   &cursor->record);
}

static bool drm_fault_cursor_before(const struct drm_fault_cursor *a,
				    const struct drm_fault_cursor *b)
{
	if (a->record.timestamp_ns != b->record.timestamp_ns)
		return a->record.timestamp_ns < b->record.timestamp_ns;
	return a->context->id < b->context->id;
}

/* The cursor at @i may have become younger than those below it. */
static void drm_fault_cursors_sift(struct drm_fault_cursors *cursors, unsigned int i)
{
	struct drm_fault_cursor **heap = cursors->heap;
	unsigned int child;

	for (; (child = 2 * i + 1) < cursors->waiting; i = child) {
		if (child + 1 < cursors->waiting &&
		    drm_fault_cursor_before(heap[child + 1], heap[child]))
			child++;
		if (!drm_fault_cursor_before(heap[child], heap[i]))
			return;
		swap(heap[child], heap[i]);
	}
}

static int drm_fault_cursors_start(struct drm_fault_cursors *cursors)
{
	struct drm_fault_cursor *cursor;
	unsigned int i;

	if (!cursors->count)
		return 0;
	cursors->heap = kvcalloc(cursors->count, sizeof(*cursors->heap), GFP_KERNEL_ACCOUNT);
	if (!cursors->heap)
		return -ENOMEM;
	for (i = 0; i < cursors->count; i++) {
		cursor = &cursors->list[i];
		drm_fault_cursor_step(cursor);
		if (cursor->more)
			cursors->heap[cursors->waiting++] = cursor;
		cond_resched();
	}
	for (i = cursors->waiting / 2; i--; )
		drm_fault_cursors_sift(cursors, i);
	return 0;
}

/* The oldest record has been given out. */
static void drm_fault_cursors_advance(struct drm_fault_cursors *cursors)
{
	drm_fault_cursor_step(cursors->heap[0]);
	if (!cursors->heap[0]->more)
		cursors->heap[0] = cursors->heap[--cursors->waiting];
	drm_fault_cursors_sift(cursors, 0);
}

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
