// SPDX-License-Identifier: MIT
/* The queue of a stream, of kernel/core. */
#include <setjmp.h>
#include <stdarg.h>
#include <pthread.h>

#include "kernel/core/queue.h"

#include <cmocka.h>

#define CAPACITY 16

struct fixture {
	struct drm_fault_queue queue;
	void *memory;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->memory = calloc(1, drm_fault_queue_size(CAPACITY));
	assert_non_null(f->memory);
	drm_fault_queue_init(&f->queue, CAPACITY, f->memory);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	free(f->memory);
	free(f);
	return 0;
}

static void push(struct drm_fault_queue *queue, u64 id, bool repeat)
{
	struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(record),
		.reporter_id = 1,
		.record_id = id,
		.count = 1,
		.timestamp_ns = id,
	};

	drm_fault_queue_push(queue, &record, repeat);
}

static struct drm_fault_record take(struct drm_fault_queue *queue)
{
	struct drm_fault_record record;

	assert_true(drm_fault_queue_claim(queue, &record));
	drm_fault_queue_consume(queue, &record);
	return record;
}

static void first_in_first_out(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;
	u64 i;

	assert_true(drm_fault_queue_empty(queue));
	for (i = 1; i <= 10; i++)
		push(queue, i, false);
	assert_false(drm_fault_queue_empty(queue));
	for (i = 1; i <= 10; i++) {
		record = take(queue);
		assert_int_equal(record.record_id, i);
		assert_int_equal(record.seqno, i);
		assert_int_equal(record.count, 1);
		assert_int_equal(record.lost, 0);
	}
	assert_false(drm_fault_queue_claim(queue, &record));
}

static void repeats_join_what_waits(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;
	unsigned int i;

	push(queue, 1, false);
	push(queue, 2, false);
	for (i = 0; i < 99; i++)
		push(queue, 1, true);
	record = take(queue);
	assert_int_equal(record.count, 100);
	assert_int_equal(record.flags, 0);
	assert_int_equal(take(queue).count, 1);
	assert_true(drm_fault_queue_empty(queue));
}

static void repeats_of_what_was_read_are_marked(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;

	push(queue, 1, false);
	take(queue);
	push(queue, 1, true);
	push(queue, 1, true);
	record = take(queue);
	assert_int_equal(record.count, 2);
	assert_int_equal(record.record_id, 1);
	assert_int_equal(record.flags, DRM_FAULT_RECORD_F_REPEAT);
	assert_int_equal(record.seqno, 2);
}

static void full_queue_keeps_the_oldest(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;
	u64 i;

	for (i = 1; i <= CAPACITY + 5; i++)
		push(queue, i, false);
	record = take(queue);
	assert_int_equal(record.record_id, 1);
	/* The next that fits tells of the five. */
	push(queue, 100, false);
	for (i = 2; i <= CAPACITY; i++)
		assert_int_equal(take(queue).record_id, i);
	record = take(queue);
	assert_int_equal(record.record_id, 100);
	assert_int_equal(record.lost, 5);
	assert_int_equal(record.flags, DRM_FAULT_RECORD_F_LOST);
	assert_int_equal(record.seqno, CAPACITY + 6);
	assert_true(drm_fault_queue_empty(queue));
}

static void repeats_fit_into_a_full_queue(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	u64 i;

	for (i = 1; i <= CAPACITY; i++)
		push(queue, i, false);
	for (i = 1; i <= CAPACITY; i++)
		push(queue, i, true);
	for (i = 1; i <= CAPACITY; i++)
		assert_int_equal(take(queue).count, 2);
	assert_true(drm_fault_queue_empty(queue));
}

static void loss_alone_is_a_record(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;
	u64 i;

	for (i = 1; i <= CAPACITY + 3; i++)
		push(queue, i, false);
	for (i = 1; i <= CAPACITY; i++)
		take(queue);
	assert_false(drm_fault_queue_empty(queue));
	assert_true(drm_fault_queue_claim(queue, &record));
	assert_int_equal(record.type, DRM_FAULT_RECORD_LOST);
	assert_int_equal(record.lost, 3);
	assert_int_equal(record.seqno, CAPACITY + 3);
	/* It did not reach the reader: it is there again. */
	drm_fault_queue_unclaim(queue, &record);
	record = take(queue);
	assert_int_equal(record.lost, 3);
	assert_true(drm_fault_queue_empty(queue));
}

static void unclaimed_record_stays_first(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;

	push(queue, 1, false);
	push(queue, 2, false);
	assert_true(drm_fault_queue_claim(queue, &record));
	/* Claimed: this begins an entry of its own. */
	push(queue, 1, true);
	drm_fault_queue_unclaim(queue, &record);
	record = take(queue);
	assert_int_equal(record.record_id, 1);
	assert_int_equal(record.count, 1);
	assert_int_equal(take(queue).record_id, 2);
	record = take(queue);
	assert_int_equal(record.flags, DRM_FAULT_RECORD_F_REPEAT);
	assert_int_equal(record.count, 1);
}

/* A GPU came back with the numbers of the one that went: same record_id, other context. */
static void repeats_join_only_their_own_record(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(record),
		.reporter_id = 1,
		.record_id = 1,
		.context_id = 2,
		.count = 1,
	};
	u64 i;

	for (i = 1; i <= CAPACITY; i++)
		push(queue, i, false);
	drm_fault_queue_push(queue, &record, false);
	drm_fault_queue_push(queue, &record, true);
	for (i = 1; i <= CAPACITY; i++)
		assert_int_equal(take(queue).count, 1);
	assert_int_equal(take(queue).lost, 2);
	assert_true(drm_fault_queue_empty(queue));
}

static void numbers_wrap(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	u64 i;

	queue->head = queue->tail = UINT32_MAX - 3;
	for (i = 1; i <= 40; i++) {
		push(queue, i, false);
		push(queue, i, true);
		if (i >= 8)
			assert_int_equal(take(queue).count, 2);
	}
	for (i = 1; i < 8; i++)
		assert_int_equal(take(queue).count, 2);
	assert_true(drm_fault_queue_empty(queue));
}

#define EVENTS 2000000u

static void *produce(void *data)
{
	struct drm_fault_queue *queue = data;
	u64 i;

	/* Runs of the same record, as a storm has them. */
	for (i = 0; i < EVENTS; i++)
		push(queue, i / 7 + 1, i % 7);
	return NULL;
}

/* Every event is in one count or one lost, whoever comes first. */
static void nothing_is_counted_twice_or_never(void **state)
{
	struct drm_fault_queue *queue = &((struct fixture *)*state)->queue;
	struct drm_fault_record record;
	u64 sum = 0, last = 0;
	pthread_t producer;

	assert_int_equal(pthread_create(&producer, NULL, produce, queue), 0);
	while (sum < EVENTS) {
		if (!drm_fault_queue_claim(queue, &record))
			continue;
		if (sum % 5 == 4) {
			drm_fault_queue_unclaim(queue, &record);
			/* A loss that was given back may just be on its way in a record. */
			if (!drm_fault_queue_claim(queue, &record))
				continue;
		}
		drm_fault_queue_consume(queue, &record);
		sum += record.count + record.lost;
		assert_true(record.seqno >= last);
		last = record.seqno;
	}
	pthread_join(producer, NULL);
	assert_int_equal(sum, EVENTS);
	assert_true(drm_fault_queue_empty(queue));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(first_in_first_out, setup, teardown),
		cmocka_unit_test_setup_teardown(repeats_join_what_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(repeats_of_what_was_read_are_marked, setup,
						teardown),
		cmocka_unit_test_setup_teardown(full_queue_keeps_the_oldest, setup, teardown),
		cmocka_unit_test_setup_teardown(repeats_fit_into_a_full_queue, setup, teardown),
		cmocka_unit_test_setup_teardown(loss_alone_is_a_record, setup, teardown),
		cmocka_unit_test_setup_teardown(unclaimed_record_stays_first, setup, teardown),
		cmocka_unit_test_setup_teardown(repeats_join_only_their_own_record, setup,
						teardown),
		cmocka_unit_test_setup_teardown(numbers_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_is_counted_twice_or_never, setup, teardown),
	};

	return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
