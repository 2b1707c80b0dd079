// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bug.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "record.h"
#include "ring.h"

/* Records are coalesced by what a CPU would call a page, whatever the GPU's is. */
#define DRM_FAULT_RING_PAGE_SHIFT	12

/* A hang is noticed seconds after the fault that caused it: drivers wait for 10. */
#define DRM_FAULT_RING_AFTERMATH_NS	(30 * NSEC_PER_SEC)

/* A chain longer than this is not searched to its end: the record is kept as a new one. */
#define DRM_FAULT_RING_MAX_CHAIN	16

/* How often a reader tries for a view in which nothing moved. */
#define DRM_FAULT_RING_TRIES		4

/**
 * drm_fault_ring_size - bytes that a ring of @capacity records takes
 * @capacity: a power of two from DRM_FAULT_RING_MIN to DRM_FAULT_RING_MAX
 *
 * Context: Any.
 * Return: the size
 */
size_t drm_fault_ring_size(unsigned int capacity)
{
	return sizeof(struct drm_fault_ring) +
	       capacity * (sizeof(struct drm_fault_slot) + sizeof(u16));
}

/**
 * drm_fault_ring_init - make an empty ring
 * @ring: drm_fault_ring_size() bytes of zeroed memory
 * @capacity: as for drm_fault_ring_size()
 *
 * Context: Any; nobody else sees @ring yet.
 */
void drm_fault_ring_init(struct drm_fault_ring *ring, unsigned int capacity)
{
	unsigned int i;

	seqcount_init(&ring->seq);
	ring->capacity = capacity;
	ring->oldest = DRM_FAULT_SLOT_NONE;
	ring->newest = DRM_FAULT_SLOT_NONE;
	ring->group_first = DRM_FAULT_SLOT_NONE;
	ring->roll = DRM_FAULT_SLOT_NONE;
	ring->group_closed = true;
	ring->buckets = (u16 *)&ring->slots[capacity];
	for (i = 0; i < capacity; i++) {
		seqcount_init(&ring->slots[i].seq);
		ring->buckets[i] = DRM_FAULT_SLOT_NONE;
	}
}

/**
 * drm_fault_ring_joins - does an event belong to the current incident?
 * @ring: the ring
 * @type: enum drm_fault_record_type of the event
 * @now_ns: its time
 * @gap_ns: a pause this long ends an incident
 *
 * Timeouts and resets come long after the fault behind them and still join.
 *
 * Context: Any; the caller serialises writers.
 * Return: true if it does, false if it starts a new one
 */
bool drm_fault_ring_joins(const struct drm_fault_ring *ring, u32 type, u64 now_ns,
			  u64 gap_ns)
{
	u64 limit = type == DRM_FAULT_RECORD_FAULT ? gap_ns :
		    max_t(u64, gap_ns, DRM_FAULT_RING_AFTERMATH_NS);

	if (ring->group_closed)
		return false;
	return now_ns < ring->group_last_ns || now_ns - ring->group_last_ns < limit;
}

static u16 drm_fault_ring_bucket(const struct drm_fault_ring *ring,
				 const struct drm_fault_record *record)
{
	u64 key = record->address >> DRM_FAULT_RING_PAGE_SHIFT;

	key ^= (u64)record->access << 52 | (u64)record->fault_type << 56 |
	       (u64)record->engine_class << 60;
	return hash_64(key + record->engine_instance, ilog2(ring->capacity));
}

static bool drm_fault_ring_same(const struct drm_fault_record *a,
				const struct drm_fault_record *b)
{
	return a->group_id == b->group_id && a->type == b->type &&
	       a->address >> DRM_FAULT_RING_PAGE_SHIFT ==
	       b->address >> DRM_FAULT_RING_PAGE_SHIFT &&
	       !a->address_precision == !b->address_precision &&
	       a->access == b->access && a->fault_type == b->fault_type &&
	       a->engine_class == b->engine_class &&
	       a->engine_instance == b->engine_instance;
}

/**
 * drm_fault_ring_repeat - count an event in a record that says the same already
 * @ring: the ring
 * @event: the event as a record, its group_id set; made no earlier than what the
 *	ring has, as two that read the clock can come here in the other order
 *
 * Context: Any; the caller serialises writers and keeps interrupts off.
 * Return: the record in the ring, or NULL if there is none and @event is to be
 * inserted
 */
struct drm_fault_record *drm_fault_ring_repeat(struct drm_fault_ring *ring,
					       struct drm_fault_record *event)
{
	struct drm_fault_slot *slot;
	unsigned int hops = 0;
	u16 i;

	event->timestamp_ns = max_t(u64, event->timestamp_ns, ring->group_last_ns);
	event->last_timestamp_ns = event->timestamp_ns;
	if (event->type != DRM_FAULT_RECORD_FAULT)
		return NULL;

	for (i = ring->buckets[drm_fault_ring_bucket(ring, event)];
	     i != DRM_FAULT_SLOT_NONE && hops < DRM_FAULT_RING_MAX_CHAIN;
	     i = slot->hash_next, hops++) {
		slot = &ring->slots[i];
		if (!drm_fault_ring_same(&slot->record, event))
			continue;

		raw_write_seqcount_begin(&ring->seq);
		raw_write_seqcount_begin(&slot->seq);
		slot->record.count += event->count;
		slot->record.flags |= event->flags;
		slot->record.last_timestamp_ns = event->timestamp_ns;
		raw_write_seqcount_end(&slot->seq);
		ring->events += event->count;
		ring->group_last_ns = event->timestamp_ns;
		raw_write_seqcount_end(&ring->seq);
		return &slot->record;
	}
	return NULL;
}

static void drm_fault_ring_unhash(struct drm_fault_ring *ring, u16 i)
{
	struct drm_fault_slot *slot = &ring->slots[i];

	if (slot->bucket == DRM_FAULT_SLOT_NONE)
		return;
	if (slot->hash_prev == DRM_FAULT_SLOT_NONE)
		ring->buckets[slot->bucket] = slot->hash_next;
	else
		ring->slots[slot->hash_prev].hash_next = slot->hash_next;
	if (slot->hash_next != DRM_FAULT_SLOT_NONE)
		ring->slots[slot->hash_next].hash_prev = slot->hash_prev;
}

static void drm_fault_ring_hash(struct drm_fault_ring *ring, u16 i)
{
	struct drm_fault_slot *slot = &ring->slots[i];
	u16 *bucket;

	slot->bucket = DRM_FAULT_SLOT_NONE;
	if (slot->record.type != DRM_FAULT_RECORD_FAULT)
		return;

	slot->bucket = drm_fault_ring_bucket(ring, &slot->record);
	bucket = &ring->buckets[slot->bucket];
	slot->hash_prev = DRM_FAULT_SLOT_NONE;
	slot->hash_next = *bucket;
	if (*bucket != DRM_FAULT_SLOT_NONE)
		ring->slots[*bucket].hash_prev = i;
	*bucket = i;
}

static u16 drm_fault_ring_victim(struct drm_fault_ring *ring)
{
	u16 i = ring->oldest;

	if (i != ring->group_first)
		return i;
	i = ring->roll;
	ring->roll = ring->slots[i].next;
	return i;
}

/* Takes a record out; what it stood for goes to the one behind it, or to @newcomer. */
static u16 drm_fault_ring_drop(struct drm_fault_ring *ring,
			       struct drm_fault_record *newcomer)
{
	u16 i = drm_fault_ring_victim(ring);
	struct drm_fault_slot *slot = &ring->slots[i], *next;
	u64 lost = slot->record.lost + slot->record.count;

	drm_fault_ring_unhash(ring, i);
	if (slot->prev == DRM_FAULT_SLOT_NONE)
		ring->oldest = slot->next;
	else
		ring->slots[slot->prev].next = slot->next;

	if (slot->next == DRM_FAULT_SLOT_NONE) {
		ring->newest = slot->prev;
		newcomer->lost += lost;
		newcomer->flags |= DRM_FAULT_RECORD_F_LOST;
	} else {
		next = &ring->slots[slot->next];
		raw_write_seqcount_begin(&next->seq);
		next->prev = slot->prev;
		next->record.lost += lost;
		next->record.flags |= DRM_FAULT_RECORD_F_LOST;
		raw_write_seqcount_end(&next->seq);
	}
	ring->lost += slot->record.count;
	return i;
}

static void drm_fault_ring_start_group(struct drm_fault_ring *ring, u64 group_id)
{
	ring->group_id = group_id;
	ring->group_first = DRM_FAULT_SLOT_NONE;
	ring->roll = DRM_FAULT_SLOT_NONE;
	ring->group_used = 0;
}

/* The half of the ring that an incident fills first is pinned, the next record rolls. */
static void drm_fault_ring_note_group(struct drm_fault_ring *ring, u16 i)
{
	if (ring->group_first == DRM_FAULT_SLOT_NONE)
		ring->group_first = i;
	if (ring->group_used <= ring->capacity / 2 &&
	    ring->group_used++ == ring->capacity / 2)
		ring->roll = i;
	else if (ring->roll == DRM_FAULT_SLOT_NONE && ring->group_used > ring->capacity / 2)
		ring->roll = i;
}

/**
 * drm_fault_ring_insert - add a record, dropping another one if the ring is full
 * @ring: the ring
 * @record: the new record; its seqno and lost are set here
 *
 * Context: Any; the caller serialises writers and keeps interrupts off.
 */
void drm_fault_ring_insert(struct drm_fault_ring *ring, struct drm_fault_record *record)
{
	struct drm_fault_slot *slot;
	u16 i;

	raw_write_seqcount_begin(&ring->seq);
	if (record->group_id != ring->group_id)
		drm_fault_ring_start_group(ring, record->group_id);
	record->seqno = ++ring->seqno;
	i = ring->used < ring->capacity ? ring->used++ : drm_fault_ring_drop(ring, record);

	slot = &ring->slots[i];
	raw_write_seqcount_begin(&slot->seq);
	drm_fault_record_copy(&slot->record, record);
	slot->next = DRM_FAULT_SLOT_NONE;
	slot->prev = ring->newest;
	raw_write_seqcount_end(&slot->seq);

	if (ring->newest == DRM_FAULT_SLOT_NONE)
		ring->oldest = i;
	else
		ring->slots[ring->newest].next = i;
	ring->newest = i;
	drm_fault_ring_hash(ring, i);
	drm_fault_ring_note_group(ring, i);

	ring->events += record->count;
	ring->group_last_ns = record->timestamp_ns;
	ring->group_closed = record->type == DRM_FAULT_RECORD_RESET;
	raw_write_seqcount_end(&ring->seq);
}

static int drm_fault_ring_entry_cmp(const void *a, const void *b)
{
	u64 x = ((const struct drm_fault_ring_entry *)a)->seqno;
	u64 y = ((const struct drm_fault_ring_entry *)b)->seqno;

	return x < y ? -1 : x > y;
}

/* Follows the order of the ring, which holds only as long as no writer comes. */
static unsigned int drm_fault_ring_walk(const struct drm_fault_ring *ring,
					struct drm_fault_ring_entry *entries)
{
	unsigned int n = 0;
	u16 i;

	for (i = READ_ONCE(ring->oldest); i < ring->capacity && n < ring->capacity;
	     i = READ_ONCE(ring->slots[i].next), n++) {
		entries[n].slot = i;
		entries[n].seqno = READ_ONCE(ring->slots[i].record.seqno);
	}
	return n;
}

/* Looks at every slot, in whatever order they are: good while writers come and go. */
static unsigned int drm_fault_ring_scan(const struct drm_fault_ring *ring,
					struct drm_fault_ring_entry *entries)
{
	unsigned int n = 0, seq;
	u16 i, used = READ_ONCE(ring->used);

	for (i = 0; i < used; i++) {
		entries[n].slot = i;
		do {
			seq = read_seqcount_begin(&ring->slots[i].seq);
			entries[n].seqno = READ_ONCE(ring->slots[i].record.seqno);
		} while (read_seqcount_retry(&ring->slots[i].seq, seq));
		/* The writer counts a slot before it fills it. */
		n += !!entries[n].seqno;
	}
	sort(entries, n, sizeof(*entries), drm_fault_ring_entry_cmp, NULL);
	return n;
}

/**
 * drm_fault_ring_index - list the records of a ring, oldest first
 * @ring: the ring
 * @entries: room for as many as the ring has slots
 * @seq: the state of the ring that the list belongs to; if the ring's counter
 *	is the same after the records were copied, nothing moved meanwhile
 *
 * Context: Any but the report path; takes no lock.
 * Return: the number of entries
 */
unsigned int drm_fault_ring_index(const struct drm_fault_ring *ring,
				  struct drm_fault_ring_entry *entries, unsigned int *seq)
{
	unsigned int tries, n;

	for (tries = 0; tries < DRM_FAULT_RING_TRIES; tries++) {
		*seq = read_seqcount_begin(&ring->seq);
		n = drm_fault_ring_walk(ring, entries);
		if (!read_seqcount_retry(&ring->seq, *seq))
			return n;
	}
	return drm_fault_ring_scan(ring, entries);
}

/**
 * drm_fault_ring_copy - copy one record out
 * @ring: the ring
 * @entry: from drm_fault_ring_index()
 * @record: where it goes
 *
 * Context: Any but the report path; takes no lock.
 * Return: true, or false if the record has been dropped since
 */
bool drm_fault_ring_copy(const struct drm_fault_ring *ring,
			 const struct drm_fault_ring_entry *entry,
			 struct drm_fault_record *record)
{
	const struct drm_fault_slot *slot = &ring->slots[entry->slot];
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&slot->seq);
		drm_fault_record_copy(record, &slot->record);
	} while (read_seqcount_retry(&slot->seq, seq));
	return record->seqno == entry->seqno;
}

/**
 * drm_fault_ring_counts - sums of a ring, of one moment
 * @ring: the ring
 * @events: events ever added
 * @lost: those that no record in the ring counts
 *
 * Context: Any but the report path; takes no lock.
 */
void drm_fault_ring_counts(const struct drm_fault_ring *ring, u64 *events, u64 *lost)
{
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&ring->seq);
		*events = ring->events;
		*lost = ring->lost;
	} while (read_seqcount_retry(&ring->seq, seq));
}
