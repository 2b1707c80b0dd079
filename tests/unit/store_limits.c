// SPDX-License-Identifier: MIT
/* What has to go when a limit is reached, and how it is counted. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/statvfs.h>
#include <time.h>

#include "counters.h"
#include "store_test.h"

#define ENTRIES 6
#define DAY_US	INT64_C(86400000000)

static const struct store_limits no_limits = {
	STORE_NO_LIMIT,
	STORE_NO_LIMIT,
	STORE_NO_LIMIT,
	STORE_NO_LIMIT,
};

static char ids[ENTRIES][STORE_ID_SIZE];

/* One each day, the newest of today. */
static int make_full_store(void **state)
{
	int64_t now_us = (int64_t)time(NULL) * 1000000;
	int i;

	make_store(state);
	for (i = 0; i < ENTRIES; i++)
		add_entry(*state, "dump", now_us - (ENTRIES - 1 - i) * DAY_US, ids[i]);
	return 0;
}

struct gone {
	int count;
	enum store_reason reason;
};

/* Always the oldest. */
static void note(void *data, const char *id, enum store_reason reason)
{
	struct gone *gone = data;

	assert_string_equal(id, ids[gone->count++]);
	gone->reason = reason;
}

static void expect(struct store *store, const struct store_limits *limits, int removed,
		   enum store_reason reason)
{
	struct gone gone = { 0 };
	json_t *meta;

	assert_int_equal(store_vacuum(store, limits, note, &gone), removed);
	assert_int_equal(gone.count, removed);
	if (removed)
		assert_int_equal(gone.reason, reason);
	assert_int_equal(count_entries(store), ENTRIES - removed);
	assert_int_equal(store_load(store, ids[ENTRIES - 1], &meta), 0);
	json_decref(meta);
}

static void test_no_limits(void **state)
{
	expect(*state, &no_limits, 0, 0);
}

static void test_count(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_count = ENTRIES;
	expect(*state, &limits, 0, 0);
	limits.max_count = 4;
	expect(*state, &limits, 2, STORE_MAX_COUNT);
	assert_int_equal(store_vacuum(*state, &limits, NULL, NULL), 0);
}

static void test_count_leaves_the_newest(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_count = 0;
	expect(*state, &limits, ENTRIES - 1, STORE_MAX_COUNT);
}

static void test_age(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_age_us = DAY_US * 5 / 2;
	expect(*state, &limits, 3, STORE_MAX_AGE);
}

static void test_age_of_zero_is_any(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_age_us = 0;
	expect(*state, &limits, 0, 0);
}

static void test_age_leaves_the_newest(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_age_us = 1;
	expect(*state, &limits, ENTRIES - 1, STORE_MAX_AGE);
}

static void test_use(void **state)
{
	struct store_limits limits = no_limits;
	uint64_t bytes, after;

	assert_int_equal(store_usage(*state, &bytes), 0);
	assert_true(bytes >= ENTRIES * 2 * 512);
	limits.max_use = bytes;
	expect(*state, &limits, 0, 0);
	limits.max_use = bytes * 3 / 4;
	expect(*state, &limits, 2, STORE_MAX_USE);
	assert_int_equal(store_usage(*state, &after), 0);
	assert_true(after <= limits.max_use);
}

static void test_use_of_nothing_leaves_the_newest(void **state)
{
	struct store_limits limits = no_limits;

	limits.max_use = 0;
	expect(*state, &limits, ENTRIES - 1, STORE_MAX_USE);
}

static void test_keep_free(void **state)
{
	struct store_limits limits = no_limits;
	struct statvfs fs;

	assert_int_equal(fstatvfs(store_fd(*state), &fs), 0);
	limits.keep_free = 0;
	expect(*state, &limits, 0, 0);
	/* As much as the whole file system has cannot be free. */
	limits.keep_free = (uint64_t)fs.f_blocks * fs.f_frsize;
	expect(*state, &limits, ENTRIES - 1, STORE_KEEP_FREE);
}

static void test_default(void **state)
{
	struct store_limits limits;
	struct statvfs fs;
	uint64_t size;

	assert_int_equal(store_limits_default(*state, &limits), 0);
	assert_int_equal(fstatvfs(store_fd(*state), &fs), 0);
	size = (uint64_t)fs.f_blocks * fs.f_frsize;
	assert_true(limits.max_use == size / 10 || limits.max_use == UINT64_C(1) << 30);
	assert_true(limits.max_use <= size / 10);
	assert_int_equal(limits.keep_free / 1000000, size / 100 * 15 / 1000000);
	assert_int_equal(limits.max_count, 1000);
	assert_int_equal(limits.max_age_us, 90 * DAY_US);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(store_reason_name(STORE_MAX_AGE), "MaxAge");
	assert_string_equal(store_reason_name(STORE_MAX_COUNT), "MaxCount");
	assert_string_equal(store_reason_name(STORE_MAX_USE), "MaxUse");
	assert_string_equal(store_reason_name(STORE_KEEP_FREE), "KeepFree");
	assert_null(store_reason_name(STORE_REASONS));
}

/* What was removed has been there all the same. */
static void test_counters(void **state)
{
	struct store_limits limits = no_limits;
	json_t *meta;

	expect_metric(*state, "\ndrmfault_dumps_total{driver=\"amdgpu\",fault=\"unknown\"} 6\n");
	limits.max_count = 2;
	assert_int_equal(store_vacuum(*state, &limits, NULL, NULL), 4);
	assert_int_equal(store_remove(*state, ids[4]), 0);
	expect_metric(*state, "\ndrmfault_dumps_total{driver=\"amdgpu\",fault=\"unknown\"} 6\n");
	expect_metric(*state, "\ndrmfault_dumps_removed_total{limit=\"MaxCount\"} 4\n");
	expect_metric(*state, "\ndrmfault_dumps_removed_total{limit=\"MaxAge\"} 0\n");
	expect_metric(*state, "\ndrmfault_dumps_stored 1\n");
	meta = json_pack("{s:s, s:{s:s}}", "driver", "a\"b\\c\nd", "fault", "type", "not present");
	assert_int_equal(counters_add_dump(*state, meta), 0);
	json_decref(meta);
	expect_metric(
		*state,
		"\ndrmfault_dumps_total{driver=\"a\\\"b\\\\c\\nd\",fault=\"not present\"} 1\n");
}

/* One that is gone, or damaged, starts with what is there. */
static void test_counters_anew(void **state)
{
	char id[STORE_ID_SIZE];

	put_file(*state, ".counters.json", "{\"dumps\": ");
	expect_metric(*state, "{driver=\"amdgpu\",fault=\"unknown\"} 6\n");
	add_entry(*state, "dump", 0, id);
	expect_metric(*state, "{driver=\"amdgpu\",fault=\"unknown\"} 7\n");
	add_entry(*state, "dump", 0, id);
	expect_metric(*state, "{driver=\"amdgpu\",fault=\"unknown\"} 8\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_full_store, unmake_store)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_no_limits),
		TEST(test_count),
		TEST(test_count_leaves_the_newest),
		TEST(test_age),
		TEST(test_age_of_zero_is_any),
		TEST(test_age_leaves_the_newest),
		TEST(test_use),
		TEST(test_use_of_nothing_leaves_the_newest),
		TEST(test_keep_free),
		TEST(test_default),
		TEST(test_names),
		TEST(test_counters),
		TEST(test_counters_anew),
	};

	return cmocka_run_group_tests_name("limits of a store", tests, NULL, NULL);
}
