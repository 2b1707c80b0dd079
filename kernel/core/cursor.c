// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "cursor.h"

/*
 * A merge of the rings of all contexts in view, by time.
 */

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

/**
 * drm_fault_cursors_open - find the contexts in view that recorded something
 * @cursors: zeroed, to be closed whatever this returns
 * @view: whose
 *
 * Context: Process, may sleep.
 * Return: 0, -ENODEV, -ENOMEM or -EINTR
 */
int drm_fault_cursors_open(struct drm_fault_cursors *cursors,
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

/**
 * drm_fault_cursors_close - let go of all
 * @cursors: opened
 *
 * Context: Process, may sleep.
 */
void drm_fault_cursors_close(struct drm_fault_cursors *cursors)
{
	unsigned int i;

	for (i = 0; i < cursors->count; i++) {
		drm_fault_context_put(cursors->list[i].context);
		kvfree(cursors->list[i].entries);
	}
	kvfree(cursors->heap);
	kvfree(cursors->list);
}

/**
 * drm_fault_cursor_index - list the records of a context
 * @cursor: of an opened list
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM
 */
int drm_fault_cursor_index(struct drm_fault_cursor *cursor)
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

/**
 * drm_fault_cursors_start - put the oldest record of all on top
 * @cursors: with their indexes made
 *
 * Context: Process, may sleep.
 * Return: 0 or -ENOMEM
 */
int drm_fault_cursors_start(struct drm_fault_cursors *cursors)
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

/**
 * drm_fault_cursors_advance - put the next record on top
 * @cursors: started, one on top
 *
 * Context: Process.
 */
void drm_fault_cursors_advance(struct drm_fault_cursors *cursors)
{
	drm_fault_cursor_step(cursors->heap[0]);
	if (!cursors->heap[0]->more)
		cursors->heap[0] = cursors->heap[--cursors->waiting];
	drm_fault_cursors_sift(cursors, 0);
}
