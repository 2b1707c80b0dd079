/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_RING_H_
#define _DRM_FAULT_RING_H_

#include <linux/seqlock.h>
#include <linux/types.h>
#include <uapi/drm/drm_fault.h>

#define DRM_FAULT_RING_MIN	4
#define DRM_FAULT_RING_MAX	4096
#define DRM_FAULT_SLOT_NONE	0xffff

/**
 * DOC: The ring
 *
 * A ring holds the records of one context in the order of their seqno. When it
 * is full, one record makes room for the next:
 *
 * - while there are records of older incidents, the oldest of them;
 * - once all are of the current incident, its first half stays (the first
 *   fault is the one that matters) and the oldest of the other half goes.
 *
 * The events that a dropped record stood for are added to the lost count of
 * the record behind it, so that every event is in one count or in one lost.
 *
 * Writers are serialised by the caller. Readers take no lock: each slot has a
 * sequence counter, and so has the ring as a whole, to tell whether anything
 * changed while it was looked at.
 */

/**
 * struct drm_fault_slot - place of one record
 * @seq: odd while @record changes
 * @next: slot of the next younger record
 * @prev: slot of the next older record
 * @hash_next: next slot in the same hash bucket
 * @hash_prev: previous slot in the same hash bucket
 * @bucket: hash bucket, or DRM_FAULT_SLOT_NONE if the record never coalesces
 * @record: the record
 */
struct drm_fault_slot {
	seqcount_t seq;
	u16 next;
	u16 prev;
	u16 hash_next;
	u16 hash_prev;
	u16 bucket;
	struct drm_fault_record record;
};

/**
 * struct drm_fault_ring - records of one context
 * @seq: odd while anything changes
 * @capacity: slots, a power of two
 * @used: slots in use; they are filled from 0
 * @oldest: slot of the oldest record
 * @newest: slot of the newest record
 * @group_first: slot of the oldest record of the current incident
 * @roll: oldest slot of the current incident that is not pinned
 * @group_used: records added in the current incident, up to what sets @roll
 * @group_id: the current incident
 * @group_last_ns: time of its newest event
 * @group_closed: the next fault starts a new incident
 * @seqno: of the newest record
 * @events: events ever added
 * @lost: events of records that were dropped
 * @buckets: first slot of each hash bucket, @capacity of them, behind @slots
 * @slots: the records
 */
struct drm_fault_ring {
	seqcount_t seq;
	u16 capacity;
	u16 used;
	u16 oldest;
	u16 newest;
	u16 group_first;
	u16 roll;
	u16 group_used;
	bool group_closed;
	u64 group_id;
	u64 group_last_ns;
	u64 seqno;
	u64 events;
	u64 lost;
	u16 *buckets;
	struct drm_fault_slot slots[];
};

/**
 * struct drm_fault_ring_entry - where a reader found a record
 * @seqno: of the record
 * @slot: its slot at that time
 */
struct drm_fault_ring_entry {
	u64 seqno;
	u16 slot;
};

size_t drm_fault_ring_size(unsigned int capacity);
void drm_fault_ring_init(struct drm_fault_ring *ring, unsigned int capacity);

bool drm_fault_ring_joins(const struct drm_fault_ring *ring, u32 type, u64 now_ns,
			  u64 gap_ns);
struct drm_fault_record *drm_fault_ring_repeat(struct drm_fault_ring *ring,
					       struct drm_fault_record *event);
void drm_fault_ring_insert(struct drm_fault_ring *ring, struct drm_fault_record *record);

unsigned int drm_fault_ring_index(const struct drm_fault_ring *ring,
				  struct drm_fault_ring_entry *entries, unsigned int *seq);
bool drm_fault_ring_copy(const struct drm_fault_ring *ring,
			 const struct drm_fault_ring_entry *entry,
			 struct drm_fault_record *record);
void drm_fault_ring_counts(const struct drm_fault_ring *ring, u64 *events, u64 *lost);

#endif /* _DRM_FAULT_RING_H_ */
