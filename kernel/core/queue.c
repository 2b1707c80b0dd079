// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "queue.h"
#include "record.h"

/*
 * Records of one GPU have numbers in a row, so that those which wait do not meet
 * in the table as long as they are not further apart than it is long.
 */
#define DRM_FAULT_QUEUE_SPREAD	4

/**
 * drm_fault_queue_size - bytes that the entries of a queue take
 * @capacity: a power of two
 *
 * Context: Any.
 * Return: the size
 */
size_t drm_fault_queue_size(unsigned int capacity)
{
	return capacity * (sizeof(struct drm_fault_queue_entry) +
			   DRM_FAULT_QUEUE_SPREAD * sizeof(u32));
}

/**
 * drm_fault_queue_init - make an empty queue
 * @queue: zeroed
 * @capacity: as for drm_fault_queue_size()
 * @memory: drm_fault_queue_size() bytes, zeroed; the caller frees them
 *
 * Context: Any; nobody else sees @queue yet.
 */
void drm_fault_queue_init(struct drm_fault_queue *queue, unsigned int capacity,
			  void *memory)
{
	queue->capacity = capacity;
	queue->entries = memory;
	queue->recent = (u32 *)&queue->entries[capacity];
}

static u32 *drm_fault_queue_recent(struct drm_fault_queue *queue,
				   const struct drm_fault_record *record)
{
	u64 key = record->record_id + hash_64(record->reporter_id, 32);

	return &queue->recent[key & (DRM_FAULT_QUEUE_SPREAD * queue->capacity - 1)];
}

static struct drm_fault_queue_entry *
drm_fault_queue_waiting(struct drm_fault_queue *queue,
			const struct drm_fault_record *record)
{
	u32 position = *drm_fault_queue_recent(queue, record);
	u32 head = READ_ONCE(queue->head);
	struct drm_fault_queue_entry *entry;

	if (position - head >= queue->tail - head)
		return NULL;
	entry = &queue->entries[position & (queue->capacity - 1)];
	/* A GPU that comes back can have the numbers of the one that went. */
	if (entry->record.record_id != record->record_id ||
	    entry->record.context_id != record->context_id)
		return NULL;
	return entry;
}

static bool drm_fault_queue_add(struct drm_fault_queue *queue,
				const struct drm_fault_record *record)
{
	struct drm_fault_queue_entry *entry = drm_fault_queue_waiting(queue, record);
	s64 count;

	if (!entry)
		return false;
	count = atomic64_read(&entry->count);
	do {
		/* The consumer has it: what comes now is for a later read. */
		if (!count)
			return false;
		WRITE_ONCE(entry->last_ns, record->timestamp_ns);
	} while (!atomic64_try_cmpxchg(&entry->count, &count, count + record->count));
	return true;
}

/**
 * drm_fault_queue_push - hand an event to the reader
 * @queue: the queue
 * @record: the event as a record; seqno and lost are set in the queue's copy
 * @repeat: its record was pushed before
 *
 * Context: Any; the caller serialises producers and keeps interrupts off.
 */
void drm_fault_queue_push(struct drm_fault_queue *queue,
			  const struct drm_fault_record *record, bool repeat)
{
	struct drm_fault_queue_entry *entry;
	u32 tail = queue->tail;

	if (repeat && drm_fault_queue_add(queue, record))
		return;

	queue->seqno++;
	/* Pairs with the release in drm_fault_queue_consume(): it is done with the entry. */
	if (tail - smp_load_acquire(&queue->head) >= queue->capacity) {
		WRITE_ONCE(queue->lost_seqno, queue->seqno);
		/* Who sees the loss sees its number, or a later one. */
		smp_mb__before_atomic();
		atomic64_add(record->count, &queue->lost);
		return;
	}

	entry = &queue->entries[tail & (queue->capacity - 1)];
	drm_fault_record_copy(&entry->record, record);
	entry->record.seqno = queue->seqno;
	entry->record.lost = atomic64_xchg(&queue->lost, 0);
	entry->record.flags &= ~DRM_FAULT_RECORD_F_LOST;
	if (entry->record.lost)
		entry->record.flags |= DRM_FAULT_RECORD_F_LOST;
	if (repeat)
		entry->record.flags |= DRM_FAULT_RECORD_F_REPEAT;
	entry->last_ns = record->timestamp_ns;
	atomic64_set(&entry->count, record->count);
	*drm_fault_queue_recent(queue, record) = tail;
	/* Pairs with the acquire in drm_fault_queue_claim(): first the entry, then its news. */
	smp_store_release(&queue->tail, tail + 1);
}

/**
 * drm_fault_queue_empty - is there nothing to tell?
 * @queue: the queue
 *
 * Context: Any.
 * Return: true if there is neither a record nor a loss
 */
bool drm_fault_queue_empty(const struct drm_fault_queue *queue)
{
	return READ_ONCE(queue->head) == READ_ONCE(queue->tail) &&
	       !atomic64_read(&queue->lost) && !READ_ONCE(queue->carried);
}

static bool drm_fault_queue_nothing_published(const struct drm_fault_queue *queue)
{
	/* Pairs with the release in drm_fault_queue_push(): first the news, then the entry. */
	return queue->head == smp_load_acquire(&queue->tail);
}

static void drm_fault_queue_tell_loss(const struct drm_fault_queue *queue,
				      struct drm_fault_record *record)
{
	memset(record, 0, sizeof(*record));
	record->type = DRM_FAULT_RECORD_LOST;
	record->length = sizeof(*record);
	record->flags = DRM_FAULT_RECORD_F_LOST;
	record->seqno = READ_ONCE(queue->lost_seqno);
	record->lost = queue->carried;
}

/**
 * drm_fault_queue_claim - look at the oldest record, so that it stays as it is
 * @queue: the queue
 * @record: where it goes; a loss that no record follows comes as a record too
 *
 * Must be followed by drm_fault_queue_consume() or drm_fault_queue_unclaim()
 * with the same @record.
 *
 * Context: Any; the caller serialises consumers.
 * Return: false if there is nothing
 */
bool drm_fault_queue_claim(struct drm_fault_queue *queue, struct drm_fault_record *record)
{
	struct drm_fault_queue_entry *entry;

	if (drm_fault_queue_nothing_published(queue)) {
		if (!atomic64_read(&queue->lost) && !queue->carried)
			return false;
		queue->carried += atomic64_xchg(&queue->lost, 0);
		/* If records came meanwhile, the oldest of them tells of the loss. */
		if (drm_fault_queue_nothing_published(queue)) {
			drm_fault_queue_tell_loss(queue, record);
			return true;
		}
	}

	entry = &queue->entries[queue->head & (queue->capacity - 1)];
	drm_fault_record_copy(record, &entry->record);
	record->count = atomic64_xchg(&entry->count, 0);
	record->last_timestamp_ns = READ_ONCE(entry->last_ns);
	record->lost += queue->carried;
	if (record->lost)
		record->flags |= DRM_FAULT_RECORD_F_LOST;
	return true;
}

/**
 * drm_fault_queue_consume - the claimed record has reached the reader
 * @queue: the queue
 * @record: as it was claimed
 *
 * Context: Any; the caller serialises consumers.
 */
void drm_fault_queue_consume(struct drm_fault_queue *queue,
			     const struct drm_fault_record *record)
{
	queue->carried = 0;
	if (record->type == DRM_FAULT_RECORD_LOST)
		return;
	/* Pairs with the acquire in drm_fault_queue_push(): the entry may be used again. */
	smp_store_release(&queue->head, queue->head + 1);
}

/**
 * drm_fault_queue_unclaim - the claimed record did not reach the reader
 * @queue: the queue
 * @record: as it was claimed
 *
 * Context: Any; the caller serialises consumers.
 */
void drm_fault_queue_unclaim(struct drm_fault_queue *queue,
			     const struct drm_fault_record *record)
{
	struct drm_fault_queue_entry *entry;

	if (record->type == DRM_FAULT_RECORD_LOST)
		return;
	entry = &queue->entries[queue->head & (queue->capacity - 1)];
	atomic64_add(record->count, &entry->count);
}
