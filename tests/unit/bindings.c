// SPDX-License-Identifier: MIT
/* The history of bindings: its limits, its counts, and what it refuses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drmfault_bindings.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define BUFFER		  9
#define PAGE		  UINT64_C(0x1000)

static struct drmfault_bindings *new_bindings(uint32_t past_count, uint64_t past_bytes)
{
	const struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = 48,
		.past_count = past_count,
		.past_bytes = past_bytes,
	};
	struct drmfault_bindings *bindings;

	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	return bindings;
}

static struct drmfault_binding_event event_of(uint64_t object, uint64_t address, uint64_t length,
					      uint64_t time)
{
	return (struct drmfault_binding_event){
		.size = sizeof(struct drmfault_binding_event),
		.address = address,
		.length = length,
		.time_ns = time,
		.object = object,
		.object_type = BUFFER,
	};
}

static int bind(struct drmfault_bindings *bindings, uint64_t object, uint64_t address,
		uint64_t length, uint64_t time)
{
	const struct drmfault_binding_event event = event_of(object, address, length, time);

	return drmfault_bindings_bind(bindings, &event);
}

static int unbind(struct drmfault_bindings *bindings, uint64_t object, uint64_t address,
		  uint64_t length, uint64_t time)
{
	const struct drmfault_binding_event event = event_of(object, address, length, time);

	return drmfault_bindings_unbind(bindings, &event);
}

static struct drmfault_bindings_counts counts_of(struct drmfault_bindings *bindings)
{
	struct drmfault_bindings_counts counts = { .size = sizeof(counts) };

	drmfault_bindings_counts(bindings, &counts);
	return counts;
}

static size_t count_at(struct drmfault_bindings *bindings, uint64_t address, uint32_t relation)
{
	const struct drmfault_binding_query query = {
		.size = sizeof(query),
		.address = address,
		.length = 1,
		.relations = DRMFAULT_RELATION_BIT(relation),
	};
	struct drmfault_binding_list *list;
	size_t count;

	assert_int_equal(drmfault_bindings_find(bindings, &query, &list), 0);
	count = drmfault_binding_list_count(list);
	drmfault_binding_list_free(list);
	return count;
}

static const struct {
	uint64_t address;
	uint64_t length;
	int expected;
} ranges[] = {
	{ 0, 0, -EINVAL },
	{ 0, 1, 0 },
	{ UINT64_MAX, 1, 0 },
	{ UINT64_MAX, 2, -EINVAL },
	{ 0xffffffffffff, 1, 0 },
	{ 0xffffffffffff, 2, -EINVAL },
	{ 0xffff800000000000, UINT64_C(1) << 47, 0 },
	{ 0x800000000000, UINT64_C(1) << 47, 0 },
	{ 0x800000000000, (UINT64_C(1) << 47) + 1, -EINVAL },
	{ 0x7ffffffff000, PAGE, 0 },
	{ 0x7ffffffff000, PAGE + 1, -EINVAL },
	{ 0, UINT64_C(1) << 47, 0 },
	{ 0, UINT64_MAX, -EINVAL },
};

static void ranges_that_cannot_be(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(0, 0);
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		assert_int_equal(bind(bindings, i, ranges[i].address, ranges[i].length, 1),
				 ranges[i].expected);
		assert_int_equal(unbind(bindings, i, ranges[i].address, ranges[i].length, 2),
				 ranges[i].expected);
	}
	drmfault_bindings_free(bindings);
	drmfault_bindings_free(NULL);
}

static void newer_callers(void **state)
{
	struct {
		struct drmfault_bindings_args args;
		uint64_t newer;
	} args = { .args = { .size = sizeof(args) }, .newer = 1 };
	struct {
		struct drmfault_binding_event event;
		uint64_t newer;
	} event = { .event = event_of(1, PAGE, PAGE, 1), .newer = 1 };
	struct {
		struct drmfault_bindings_counts counts;
		uint64_t newer;
	} counts = { .counts = { .size = sizeof(counts) }, .newer = 1 };
	struct drmfault_bindings *bindings;

	(void)state;
	assert_int_equal(drmfault_bindings_new(&args.args, &bindings), -E2BIG);
	args.newer = 0;
	assert_int_equal(drmfault_bindings_new(&args.args, &bindings), 0);
	event.event.size = sizeof(event);
	assert_int_equal(drmfault_bindings_bind(bindings, &event.event), -E2BIG);
	assert_int_equal(drmfault_bindings_unbind(bindings, &event.event), -E2BIG);
	event.newer = 0;
	assert_int_equal(drmfault_bindings_bind(bindings, &event.event), 0);
	drmfault_bindings_counts(bindings, &counts.counts);
	assert_int_equal(counts.counts.live, 1);
	assert_int_equal(counts.newer, 0);
	drmfault_bindings_free(bindings);
	args.args.past_count = UINT32_MAX;
	assert_int_equal(drmfault_bindings_new(&args.args, &bindings), -EINVAL);
}

/* Oldest first, through all shards, and what is forgotten is counted. */
static void no_more_ended_ones_than_the_limit(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(10, 0);
	uint64_t i;

	(void)state;
	for (i = 1; i <= 1000; i++) {
		assert_int_equal(bind(bindings, i, i * PAGE, PAGE, i), 0);
		assert_int_equal(unbind(bindings, i, i * PAGE, PAGE, i + 1), 0);
	}
	assert_int_equal(counts_of(bindings).past, 10);
	assert_int_equal(counts_of(bindings).forgotten, 990);
	assert_int_equal(counts_of(bindings).live, 0);
	assert_int_equal(counts_of(bindings).objects, 0);
	for (i = 1; i <= 1000; i++)
		assert_int_equal(count_at(bindings, i * PAGE, DRMFAULT_RELATION_BEFORE), i > 990);
	/* Those that were looked at are forgotten as well. */
	for (i = 1; i <= 5; i++) {
		assert_int_equal(bind(bindings, i, i * PAGE, PAGE, 2000 + i), 0);
		assert_int_equal(unbind(bindings, i, i * PAGE, PAGE, 2001 + i), 0);
	}
	for (i = 991; i <= 1000; i++)
		assert_int_equal(count_at(bindings, i * PAGE, DRMFAULT_RELATION_BEFORE), i > 995);
	drmfault_bindings_free(bindings);
}

static void no_more_bytes_than_the_limit(void **state)
{
	const uint64_t limit = 64 * 1024;
	struct drmfault_bindings *bindings = new_bindings(0, limit);
	char name[300];
	uint64_t i;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (i = 1; i <= 2000; i++) {
		assert_int_equal(bind(bindings, i, i * PAGE, PAGE, i), 0);
		assert_int_equal(drmfault_bindings_name(bindings, BUFFER, i, name), 0);
		assert_int_equal(drmfault_bindings_destroy(bindings, BUFFER, i, i + 1), 0);
		assert_true(counts_of(bindings).past_bytes <= limit);
	}
	assert_true(counts_of(bindings).past >= limit / 512);
	assert_true(counts_of(bindings).past <= limit / 256);
	assert_int_equal(counts_of(bindings).past + counts_of(bindings).forgotten, 2000);
	assert_int_equal(count_at(bindings, 2000 * PAGE, DRMFAULT_RELATION_BEFORE), 1);
	drmfault_bindings_free(bindings);
}

static void unmatched_ones_are_counted(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(0, 0);

	(void)state;
	assert_int_equal(unbind(bindings, 1, PAGE, PAGE, 1), -ENOENT);
	assert_int_equal(bind(bindings, 1, PAGE, PAGE, 2), 0);
	assert_int_equal(unbind(bindings, 2, PAGE, PAGE, 3), -ENOENT);
	assert_int_equal(unbind(bindings, 1, 3 * PAGE, PAGE, 3), -ENOENT);
	assert_int_equal(counts_of(bindings).unmatched, 3);
	/* What a driver tells after the destruction is known already. */
	assert_int_equal(drmfault_bindings_destroy(bindings, BUFFER, 1, 4), 0);
	assert_int_equal(unbind(bindings, 1, PAGE, PAGE, 5), 0);
	assert_int_equal(counts_of(bindings).unmatched, 3);
	assert_int_equal(counts_of(bindings).past, 1);
	assert_int_equal(drmfault_bindings_destroy(bindings, BUFFER, 1, 6), -ENOENT);
	drmfault_bindings_free(bindings);
}

/* An object with many ranges, one of which is cut in the middle. */
static void an_object_is_split(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(0, 0);
	uint64_t i;

	(void)state;
	for (i = 1; i <= 100; i++)
		assert_int_equal(bind(bindings, 1, i * 16 * PAGE, 8 * PAGE, i), 0);
	assert_int_equal(unbind(bindings, 1, 50 * 16 * PAGE + PAGE, PAGE, 200), 0);
	assert_int_equal(counts_of(bindings).live, 101);
	assert_int_equal(count_at(bindings, 50 * 16 * PAGE, DRMFAULT_RELATION_AT), 1);
	assert_int_equal(count_at(bindings, 50 * 16 * PAGE + PAGE, DRMFAULT_RELATION_AT), 0);
	assert_int_equal(count_at(bindings, 50 * 16 * PAGE + PAGE, DRMFAULT_RELATION_BEFORE), 1);
	assert_int_equal(count_at(bindings, 50 * 16 * PAGE + 2 * PAGE, DRMFAULT_RELATION_AT), 1);
	/* One that goes over all of them ends all. */
	assert_int_equal(unbind(bindings, 1, 0, 2000 * PAGE, 201), 0);
	assert_int_equal(counts_of(bindings).live, 0);
	assert_int_equal(counts_of(bindings).past, 102);
	assert_int_equal(counts_of(bindings).objects, 0);
	drmfault_bindings_free(bindings);
}

/* Memory of a sparse object comes and goes; what it has as addresses stays. */
static void memory_is_taken_from_a_sparse_object(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(0, 0);
	struct drmfault_binding_event whole = event_of(1, 16 * PAGE, 16 * PAGE, 1);
	struct drmfault_binding_event taken = event_of(1, 17 * PAGE, PAGE, 3);

	(void)state;
	whole.flags = DRMFAULT_BINDING_SPARSE;
	taken.flags = DRMFAULT_BINDING_SPARSE;
	assert_int_equal(drmfault_bindings_bind(bindings, &whole), 0);
	assert_int_equal(bind(bindings, 1, 16 * PAGE, 4 * PAGE, 2), 0);
	assert_int_equal(bind(bindings, 1, 20 * PAGE, 4 * PAGE, 2), 0);
	assert_int_equal(drmfault_bindings_unbind(bindings, &taken), 0);
	assert_int_equal(count_at(bindings, 16 * PAGE, DRMFAULT_RELATION_AT), 2);
	assert_int_equal(count_at(bindings, 17 * PAGE, DRMFAULT_RELATION_AT), 1);
	assert_int_equal(count_at(bindings, 18 * PAGE, DRMFAULT_RELATION_AT), 2);
	whole.time_ns = 4;
	assert_int_equal(drmfault_bindings_unbind(bindings, &whole), 0);
	assert_int_equal(counts_of(bindings).live, 1);
	assert_int_equal(counts_of(bindings).past, 4);
	assert_int_equal(drmfault_bindings_unbind(bindings, &whole), 0);
	assert_int_equal(counts_of(bindings).unmatched, 0);
	assert_int_equal(count_at(bindings, 16 * PAGE, DRMFAULT_RELATION_AT), 1);
	drmfault_bindings_free(bindings);
}

/* Where nobody says how wide addresses are. */
static void widths_of_their_own(void **state)
{
	const struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = DRMFAULT_ADDRESS_BITS_AUTO,
	};
	struct drmfault_bindings *bindings;

	(void)state;
	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	assert_int_equal(bind(bindings, 1, 0x800000000000, PAGE, 1), 0);
	assert_int_equal(bind(bindings, 2, UINT64_C(1) << 52, PAGE, 1), 0);
	assert_int_equal(bind(bindings, 3, 0x7ffffffff000, 2 * PAGE, 1), -EINVAL);
	assert_int_equal(bind(bindings, 3, 0xfffffffffffff000, 2 * PAGE, 1), -EINVAL);
	assert_int_equal(count_at(bindings, 0xffff800000000000, DRMFAULT_RELATION_AT), 1);
	assert_int_equal(count_at(bindings, UINT64_C(1) << 52, DRMFAULT_RELATION_AT), 1);
	assert_int_equal(count_at(bindings, 0, DRMFAULT_RELATION_AT), 0);
	drmfault_bindings_free(bindings);
}

static void a_handle_is_used_again(void **state)
{
	const struct drmfault_binding_query query = {
		.size = sizeof(query),
		.address = PAGE,
		.length = 1,
		.relations = DRMFAULT_RELATION_BIT(DRMFAULT_RELATION_AT) |
			     DRMFAULT_RELATION_BIT(DRMFAULT_RELATION_BEFORE),
	};
	struct drmfault_bindings *bindings = new_bindings(0, 0);
	const struct drmfault_dump_binding *found;
	struct drmfault_binding_list *list;

	(void)state;
	assert_int_equal(drmfault_bindings_name(bindings, BUFFER, 1, "first"), 0);
	assert_int_equal(bind(bindings, 1, PAGE, PAGE, 1), 0);
	assert_int_equal(drmfault_bindings_destroy(bindings, BUFFER, 1, 2), 0);
	assert_int_equal(bind(bindings, 1, PAGE, PAGE, 3), 0);
	assert_int_equal(drmfault_bindings_find(bindings, &query, &list), 0);
	assert_int_equal(drmfault_binding_list_count(list), 2);
	found = drmfault_binding_list_bindings(list);
	assert_string_equal(found[0].name, "");
	assert_int_equal(found[0].unbound_ns, 0);
	assert_string_equal(found[1].name, "first");
	assert_int_equal(found[1].flags, DRMFAULT_BINDING_DESTROYED);
	drmfault_binding_list_free(list);
	drmfault_bindings_free(bindings);
}

/* Nothing stays behind of what came and went. */
static void memory_is_given_back(void **state)
{
	struct drmfault_bindings *bindings = new_bindings(100, 0);
	uint64_t i, round, bytes = 0;

	(void)state;
	for (round = 0; round < 4; round++) {
		for (i = 1; i <= 20000; i++)
			assert_int_equal(bind(bindings, i, i * PAGE, PAGE, i), 0);
		if (round == 1)
			bytes = counts_of(bindings).bytes;
		for (i = 1; i <= 20000; i++)
			assert_int_equal(unbind(bindings, i, i * PAGE, PAGE, 20000 + i), 0);
	}
	assert_true(counts_of(bindings).bytes <= bytes);
	drmfault_bindings_free(bindings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_that_cannot_be),
		cmocka_unit_test(newer_callers),
		cmocka_unit_test(no_more_ended_ones_than_the_limit),
		cmocka_unit_test(no_more_bytes_than_the_limit),
		cmocka_unit_test(unmatched_ones_are_counted),
		cmocka_unit_test(an_object_is_split),
		cmocka_unit_test(memory_is_taken_from_a_sparse_object),
		cmocka_unit_test(widths_of_their_own),
		cmocka_unit_test(a_handle_is_used_again),
		cmocka_unit_test(memory_is_given_back),
	};

	return cmocka_run_group_tests_name("bindings", tests, NULL, NULL);
}
