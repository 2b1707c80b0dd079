// SPDX-License-Identifier: MIT
/* The ring of kernel/core against a model that is simple enough to be believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <pthread.h>

#include "kernel/core/ring.h"

#include <cmocka.h>

#define GAP 1000u

static struct drm_fault_ring *ring_new(unsigned int capacity)
{
	struct drm_fault_ring *ring = calloc(1, drm_fault_ring_size(capacity));

	assert_non_null(ring);
	drm_fault_ring_init(ring, capacity);
	return ring;
}

static struct drm_fault_record event_at(u64 address, u64 group)
{
	return (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(struct drm_fault_record),
		.count = 1,
		.group_id = group,
		.address = address,
		.address_precision = 4096,
		.access = DRM_FAULT_ACCESS_READ,
		.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
		.timestamp_ns = 1,
		.last_timestamp_ns = 1,
	};
}

static bool ring_raise(struct drm_fault_ring *ring, struct drm_fault_record record)
{
	if (drm_fault_ring_repeat(ring, &record))
		return true;
	drm_fault_ring_insert(ring, &record);
	return false;
}

static unsigned int ring_read(const struct drm_fault_ring *ring, struct drm_fault_record *records)
{
	static struct drm_fault_ring_entry entries[DRM_FAULT_RING_MAX];
	unsigned int seq, i, n = drm_fault_ring_index(ring, entries, &seq);

	for (i = 0; i < n; i++)
		assert_true(drm_fault_ring_copy(ring, &entries[i], &records[i]));
	return n;
}

static struct drm_fault_record records[DRM_FAULT_RING_MAX];

static void empty_ring_has_nothing(void **state)
{
	struct drm_fault_ring *ring = ring_new(4);
	u64 events, lost;

	(void)state;
	assert_int_equal(ring_read(ring, records), 0);
	drm_fault_ring_counts(ring, &events, &lost);
	assert_int_equal(events, 0);
	assert_int_equal(lost, 0);
	free(ring);
}

/* 8 slots, 20 pages: 1 to 4 are pinned, 17 to 20 roll, 12 lie between. */
static void older_half_is_pinned(void **state)
{
	static const u64 expected[] = { 1, 2, 3, 4, 17, 18, 19, 20 };
	struct drm_fault_ring *ring = ring_new(8);
	u64 i, events, lost;

	(void)state;
	for (i = 1; i <= 20; i++)
		assert_false(ring_raise(ring, event_at(i << 12, 1)));
	assert_int_equal(ring_read(ring, records), 8);
	for (i = 0; i < 8; i++) {
		assert_int_equal(records[i].seqno, expected[i]);
		assert_int_equal(records[i].address, expected[i] << 12);
		assert_int_equal(records[i].lost, i == 4 ? 12 : 0);
		assert_int_equal(records[i].flags, i == 4 ? DRM_FAULT_RECORD_F_LOST : 0);
	}
	drm_fault_ring_counts(ring, &events, &lost);
	assert_int_equal(events, 20);
	assert_int_equal(lost, 12);
	free(ring);
}

/* What a dropped record had counted is lost with it, to the last event. */
static void lost_counts_events_not_records(void **state)
{
	struct drm_fault_ring *ring = ring_new(4);
	u64 i, j, events, lost;

	(void)state;
	for (i = 1; i <= 5; i++)
		for (j = 0; j < i; j++)
			assert_int_equal(ring_raise(ring, event_at(i << 12, 1)), j > 0);
	assert_int_equal(ring_read(ring, records), 4);
	assert_int_equal(records[2].seqno, 4);
	assert_int_equal(records[2].lost, 3);
	assert_int_equal(records[2].count, 4);
	drm_fault_ring_counts(ring, &events, &lost);
	assert_int_equal(events, 15);
	assert_int_equal(lost, 3);
	free(ring);
}

static void repeats_are_one_record(void **state)
{
	struct drm_fault_record event = event_at(0x1000, 1);
	struct drm_fault_ring *ring = ring_new(8);
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		event.timestamp_ns = event.last_timestamp_ns = 100 + i;
		event.address = 0x1000 + i;
		event.ip = i;
		assert_int_equal(ring_raise(ring, event), i > 0);
	}
	assert_int_equal(ring_read(ring, records), 1);
	assert_int_equal(records[0].count, 1000);
	assert_int_equal(records[0].address, 0x1000);
	assert_int_equal(records[0].ip, 0);
	assert_int_equal(records[0].timestamp_ns, 100);
	assert_int_equal(records[0].last_timestamp_ns, 1099);
	free(ring);
}

/* Each member that makes two events different, alone. */
static void differences_are_records_of_their_own(void **state)
{
	struct drm_fault_ring *ring = ring_new(16);
	struct drm_fault_record event;
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		event = event_at(0x1000, 1);
		event.address += i == 1 ? 0x1000 : 0;
		event.access += i == 2;
		event.fault_type += i == 3;
		event.engine_class += i == 4;
		event.engine_instance += i == 5;
		event.address_precision *= i != 6;
		event.group_id += i == 7;
		assert_false(ring_raise(ring, event));
	}
	assert_int_equal(ring_read(ring, records), 8);
	free(ring);
}

static void timeouts_are_never_coalesced(void **state)
{
	struct drm_fault_record event = { .type = DRM_FAULT_RECORD_TIMEOUT,
					  .count = 1,
					  .group_id = 1 };
	struct drm_fault_ring *ring = ring_new(8);

	(void)state;
	assert_false(ring_raise(ring, event));
	assert_false(ring_raise(ring, event));
	assert_int_equal(ring_read(ring, records), 2);
	free(ring);
}

/* A later incident takes the room of earlier ones, oldest first, then pins its own half. */
static void later_incident_replaces_older_ones(void **state)
{
	static const u64 after_six[] = { 7, 8, 9, 10, 11, 12, 13, 14 };
	static const u64 after_all[] = { 9, 10, 11, 12, 25, 26, 27, 28 };
	struct drm_fault_ring *ring = ring_new(8);
	u64 i;

	(void)state;
	for (i = 1; i <= 8; i++)
		ring_raise(ring, event_at(i << 12, 1));
	for (i = 9; i <= 14; i++)
		ring_raise(ring, event_at(i << 12, 2));
	assert_int_equal(ring_read(ring, records), 8);
	for (i = 0; i < 8; i++)
		assert_int_equal(records[i].seqno, after_six[i]);
	assert_int_equal(records[0].lost, 6);
	for (i = 15; i <= 28; i++)
		ring_raise(ring, event_at(i << 12, 2));
	assert_int_equal(ring_read(ring, records), 8);
	for (i = 0; i < 8; i++)
		assert_int_equal(records[i].seqno, after_all[i]);
	assert_int_equal(records[0].lost, 8);
	assert_int_equal(records[4].lost, 12);
	free(ring);
}

static void incidents_end_with_a_pause_or_a_reset(void **state)
{
	struct drm_fault_record event = event_at(0x1000, 7);
	struct drm_fault_ring *ring = ring_new(8);
	const u64 second = NSEC_PER_SEC;

	(void)state;
	assert_false(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_FAULT, 5, GAP));
	event.timestamp_ns = 100;
	ring_raise(ring, event);
	assert_true(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_FAULT, 100 + GAP - 1, GAP));
	assert_false(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_FAULT, 100 + GAP, GAP));
	/* The clock of another CPU may be a little behind. */
	assert_true(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_FAULT, 99, GAP));
	assert_true(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_TIMEOUT, 100 + 29 * second, GAP));
	assert_true(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_RESET, 100 + 29 * second, GAP));
	assert_false(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_RESET, 100 + 30 * second, GAP));
	event.type = DRM_FAULT_RECORD_RESET;
	ring_raise(ring, event);
	assert_false(drm_fault_ring_joins(ring, DRM_FAULT_RECORD_FAULT, 101, GAP));
	free(ring);
}

/* ---- Random sequences against a model ---- */

#define MODEL_MAX 512

struct model {
	struct drm_fault_record list[MODEL_MAX];
	unsigned int count;
	unsigned int capacity;
	u64 seqno;
	u64 group;
};

static void model_drop(struct model *model, struct drm_fault_record *newcomer)
{
	unsigned int i, mine = 0, victim;
	struct drm_fault_record *next;

	for (i = 0; i < model->count; i++)
		mine += model->list[i].group_id == model->group;
	victim = mine == model->count ? model->capacity / 2 : 0;
	next = victim + 1 < model->count ? &model->list[victim + 1] : newcomer;
	next->lost += model->list[victim].lost + model->list[victim].count;
	memmove(&model->list[victim], &model->list[victim + 1],
		(model->count - victim - 1) * sizeof(model->list[0]));
	model->count--;
}

static void model_raise(struct model *model, struct drm_fault_record event)
{
	unsigned int i;

	for (i = 0; i < model->count; i++) {
		if (model->list[i].group_id == event.group_id &&
		    model->list[i].address >> 12 == event.address >> 12 &&
		    model->list[i].access == event.access) {
			model->list[i].count++;
			return;
		}
	}
	model->group = event.group_id;
	event.seqno = ++model->seqno;
	if (model->count == model->capacity)
		model_drop(model, &event);
	model->list[model->count++] = event;
}

static void compare(const struct drm_fault_ring *ring, const struct model *model, u64 raised)
{
	u64 events, lost, sum = 0, counted = 0;
	unsigned int i, n = ring_read(ring, records);

	assert_int_equal(n, model->count);
	for (i = 0; i < n; i++) {
		assert_int_equal(records[i].seqno, model->list[i].seqno);
		assert_int_equal(records[i].address, model->list[i].address);
		assert_int_equal(records[i].count, model->list[i].count);
		assert_int_equal(records[i].lost, model->list[i].lost);
		sum += records[i].count + records[i].lost;
		counted += records[i].count;
	}
	drm_fault_ring_counts(ring, &events, &lost);
	assert_int_equal(sum, raised);
	assert_int_equal(events, raised);
	assert_int_equal(counted + lost, raised);
}

static void random_sequences_match_the_model(void **state)
{
	static const unsigned int capacities[] = { 4, 8, 64, 512 };
	static struct model model;
	struct drm_fault_ring *ring;
	u64 group, raised;
	unsigned int c, step, seed = 1;

	(void)state;
	for (c = 0; c < 4 * 20; c++) {
		memset(&model, 0, sizeof(model));
		model.capacity = capacities[c % 4];
		ring = ring_new(model.capacity);
		group = 1;
		raised = 0;
		for (step = 0; step < 3000; step++) {
			u64 page = (u64)rand_r(&seed) % (model.capacity * (c % 3 + 1)) + 1;
			struct drm_fault_record event = event_at(page << 12, group);

			event.access = 1 + (u32)rand_r(&seed) % 2;
			model_raise(&model, event);
			ring_raise(ring, event);
			raised++;
			group += rand_r(&seed) % 97 == 0;
			if (step % 37 == 0)
				compare(ring, &model, raised);
		}
		compare(ring, &model, raised);
		free(ring);
	}
}

/* ---- A reader while a writer is at work ---- */

static bool stop;

static void *write_storm(void *data)
{
	struct drm_fault_ring *ring = data;
	u64 i;

	for (i = 1; !__atomic_load_n(&stop, __ATOMIC_RELAXED); i++) {
		struct drm_fault_record event = event_at(i << 12, i / 1000);

		event.ip = ~event.address;
		ring_raise(ring, event);
	}
	return NULL;
}

/* No record is torn, and numbers only grow, however the ring moves. */
static void reader_sees_whole_records_in_order(void **state)
{
	struct drm_fault_ring *ring = ring_new(64);
	static struct drm_fault_ring_entry entries[64];
	struct drm_fault_record record;
	unsigned int round, i, n, seq;
	pthread_t writer;
	u64 last;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_storm, ring), 0);
	for (round = 0; round < 20000; round++) {
		n = drm_fault_ring_index(ring, entries, &seq);
		last = 0;
		for (i = 0; i < n; i++) {
			if (!drm_fault_ring_copy(ring, &entries[i], &record))
				continue;
			assert_true(record.seqno > last);
			assert_true(record.ip == ~record.address);
			last = record.seqno;
		}
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	free(ring);
}

static void *move_storm(void *data)
{
	struct drm_fault_ring *ring = data;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		raw_write_seqcount_begin(&ring->seq);
		raw_write_seqcount_end(&ring->seq);
	}
	return NULL;
}

/* A writer has counted a slot and not filled it yet: there is no record in it. */
static void slot_that_was_never_filled_is_no_record(void **state)
{
	static struct drm_fault_ring_entry entries[DRM_FAULT_RING_MAX];
	struct drm_fault_ring *ring = ring_new(DRM_FAULT_RING_MAX);
	unsigned int moved = 0, n, seq;
	pthread_t writer;
	u64 i;

	(void)state;
	for (i = 1; i < DRM_FAULT_RING_MAX; i++)
		ring_raise(ring, event_at(i << 12, 1));
	ring->used++;
	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	assert_int_equal(pthread_create(&writer, NULL, move_storm, ring), 0);
	while (moved < 8) {
		n = drm_fault_ring_index(ring, entries, &seq);
		moved += read_seqcount_retry(&ring->seq, seq);
		assert_int_equal(n, DRM_FAULT_RING_MAX - 1);
		assert_int_equal(entries[0].seqno, 1);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	free(ring);
}

/* Two processors read the clock and come to the ring in the other order. */
static void time_does_not_go_back(void **state)
{
	struct drm_fault_ring *ring = ring_new(4);
	struct drm_fault_record event = event_at(0x1000, 1);

	(void)state;
	event.timestamp_ns = event.last_timestamp_ns = 1000;
	assert_false(ring_raise(ring, event));
	event.timestamp_ns = event.last_timestamp_ns = 900;
	assert_true(ring_raise(ring, event));
	event.address = 0x2000;
	assert_false(ring_raise(ring, event));
	assert_int_equal(ring_read(ring, records), 2);
	assert_int_equal(records[0].timestamp_ns, 1000);
	assert_int_equal(records[0].last_timestamp_ns, 1000);
	assert_int_equal(records[1].timestamp_ns, 1000);
	assert_int_equal(records[1].last_timestamp_ns, 1000);
	free(ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_ring_has_nothing),
		cmocka_unit_test(older_half_is_pinned),
		cmocka_unit_test(lost_counts_events_not_records),
		cmocka_unit_test(repeats_are_one_record),
		cmocka_unit_test(differences_are_records_of_their_own),
		cmocka_unit_test(timeouts_are_never_coalesced),
		cmocka_unit_test(later_incident_replaces_older_ones),
		cmocka_unit_test(incidents_end_with_a_pause_or_a_reset),
		cmocka_unit_test(random_sequences_match_the_model),
		cmocka_unit_test(reader_sees_whole_records_in_order),
		cmocka_unit_test(slot_that_was_never_filled_is_no_record),
		cmocka_unit_test(time_does_not_go_back),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
