/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_CURSOR_H_
#define _DRM_FAULT_CURSOR_H_

#include "core.h"

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

int drm_fault_cursors_open(struct drm_fault_cursors *cursors,
			   const struct drm_fault_view *view);
void drm_fault_cursors_close(struct drm_fault_cursors *cursors);
int drm_fault_cursor_index(struct drm_fault_cursor *cursor);
int drm_fault_cursors_start(struct drm_fault_cursors *cursors);
void drm_fault_cursors_advance(struct drm_fault_cursors *cursors);

#endif /* _DRM_FAULT_CURSOR_H_ */
