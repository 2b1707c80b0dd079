/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_QUEUE_H_
#define _DRM_FAULT_QUEUE_H_

#include <linux/atomic.h>
#include <linux/types.h>
#include <uapi/drm/drm_fault.h>

#define DRM_FAULT_QUEUE_MIN	16
#define DRM_FAULT_QUEUE_MAX	4096

/**
 * DOC: The queue of a stream
 *
 * Bounded, first in first out, many producers that take turns, one consumer.
 * When it is full the new events are dropped and counted: what was there first
 * is kept. Repeats of a record that still waits are counted in it.
 *
 * The consumer takes no lock that a producer needs. It claims an entry by
 * taking its count away; a producer that finds the count zero starts a new
 * entry instead.
 */

/**
 * struct drm_fault_queue_entry - a record that waits
 * @count: events in it that were not claimed; 0: claimed
 * @last_ns: time of the last of them
 * @record: the rest, constant from the moment the entry is published
 */
struct drm_fault_queue_entry {
	atomic64_t count;
	u64 last_ns;
	struct drm_fault_record record;
};

/**
 * struct drm_fault_queue - records that wait to be read on a stream
 * @capacity: entries, a power of two
 * @tail: entries ever published, modulo 2^32; written by producers
 * @head: entries ever consumed, modulo 2^32; written by the consumer
 * @lost: events dropped since the last published record
 * @carried: those that the consumer has taken and not yet told; consumer only
 * @lost_seqno: seqno of the newest record that was dropped
 * @seqno: of the newest record, dropped or not; producers only
 * @recent: by record_id and reporter the position of the entry where it
 *	    waits or waited; producers only
 * @entries: the records
 */
struct drm_fault_queue {
	u32 capacity;
	u32 tail;
	u32 head;
	atomic64_t lost;
	u64 carried;
	u64 lost_seqno;
	u64 seqno;
	u32 *recent;
	struct drm_fault_queue_entry *entries;
};

size_t drm_fault_queue_size(unsigned int capacity);
void drm_fault_queue_init(struct drm_fault_queue *queue, unsigned int capacity,
			  void *memory);
void drm_fault_queue_push(struct drm_fault_queue *queue,
			  const struct drm_fault_record *record, bool repeat);
bool drm_fault_queue_empty(const struct drm_fault_queue *queue);
bool drm_fault_queue_claim(struct drm_fault_queue *queue,
			   struct drm_fault_record *record);
void drm_fault_queue_consume(struct drm_fault_queue *queue,
			     const struct drm_fault_record *record);
void drm_fault_queue_unclaim(struct drm_fault_queue *queue,
			     const struct drm_fault_record *record);

#endif /* _DRM_FAULT_QUEUE_H_ */
