// SPDX-License-Identifier: MIT
/* A store in which lies what does not belong there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "store_test.h"

#define SOME_ID "20200101-000000-00000"
/* 2020-01-01 00:00:00 */
#define SOME_TIME_US INT64_C(1577836800000000)
#define HOUR_US	     INT64_C(3600000000)
/* What waits for a pipe waits for ever. */
#define LIMIT_S 60

static const struct store_limits one_entry = {
	.max_use = STORE_NO_LIMIT,
	.keep_free = STORE_NO_LIMIT,
	.max_age_us = STORE_NO_LIMIT,
	.max_count = 1,
};

static int make_hostile_store(void **state)
{
	alarm(LIMIT_S);
	return make_store(state);
}

static void put_socket(struct store *store, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", store_fd(store),
		 path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

static void put_link(struct store *store, const char *path)
{
	assert_int_equal(symlinkat("/dev/zero", store_fd(store), path), 0);
}

static void put_pipe(struct store *store, const char *path)
{
	assert_int_equal(mkfifoat(store_fd(store), path, 0600), 0);
}

static void put_folder(struct store *store, const char *path)
{
	assert_int_equal(mkdirat(store_fd(store), path, 0700), 0);
}

static void put_text(struct store *store, const char *path)
{
	put_file(store, path, "text");
}

static void (*const puts_it[])(struct store *, const char *) = {
	put_socket, put_link, put_pipe, put_folder, put_text,
};

#define KINDS (sizeof(puts_it) / sizeof(puts_it[0]))

static void test_names_of_entries(void **state)
{
	char name[32], id[STORE_ID_SIZE];
	size_t i, folders = 0;

	for (i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), SOME_ID "%zu", i);
		puts_it[i](*state, name);
		if (puts_it[i] == put_folder)
			folders++;
		else
			assert_int_equal(store_find(*state, name, id), -ENOENT);
	}
	assert_int_equal(count_entries(*state), folders);
	assert_int_equal(store_vacuum(*state, &one_entry, NULL, NULL), 0);
}

/* Left by somebody who was killed, or by somebody who does not know what the names mean. */
static void test_names_of_leftovers(void **state)
{
	char name[32];
	size_t i;

	for (i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), ".new-%08zx", i);
		puts_it[i](*state, name);
		snprintf(name, sizeof(name), ".old-" SOME_ID "%zu", i);
		puts_it[i](*state, name);
	}
	assert_int_equal(store_sweep(*state), 2 * KINDS);
	assert_int_equal(count_names(*state, ".new-"), 0);
	assert_int_equal(count_names(*state, ".old-"), 0);
	assert_int_equal(store_sweep(*state), 0);
}

static void test_files_of_an_entry(void **state)
{
	char id[STORE_ID_SIZE], meta[64], dump[64], text[64];
	json_t *loaded;
	size_t i;

	for (i = 0; i < KINDS; i++) {
		add_entry(*state, "dump", 0, id);
		snprintf(meta, sizeof(meta), "%s/" STORE_META, id);
		snprintf(dump, sizeof(dump), "%s/" STORE_DUMP, id);
		assert_int_equal(unlinkat(store_fd(*state), meta, 0), 0);
		assert_int_equal(unlinkat(store_fd(*state), dump, 0), 0);
		puts_it[i](*state, meta);
		puts_it[i](*state, dump);
		assert_int_equal(store_load(*state, id, &loaded), -EBADMSG);
		assert_int_equal(read_text(*state, id, STORE_DUMP, text, sizeof(text)), -EBADMSG);
		assert_int_equal(store_remove(*state, id), 0);
	}
	assert_int_equal(count_names(*state, ".old-"), 0);
}

static void test_more_in_an_entry(void **state)
{
	char id[STORE_ID_SIZE], path[128];
	struct store *store = *state;

	add_entry(store, "dump", 0, id);
	snprintf(path, sizeof(path), "%s/.hidden", id);
	put_file(store, path, "");
	snprintf(path, sizeof(path), "%s/folder", id);
	put_folder(store, path);
	snprintf(path, sizeof(path), "%s/folder/.folder", id);
	put_folder(store, path);
	snprintf(path, sizeof(path), "%s/folder/.folder/file", id);
	put_file(store, path, "");
	snprintf(path, sizeof(path), "%s/link", id);
	assert_int_equal(symlinkat("..", store_fd(store), path), 0);
	put_file(store, "stays", "");
	assert_int_equal(store_remove(store, id), 0);
	assert_int_equal(count_names(store, ".old-"), 0);
	assert_int_equal(count_names(store, "stays"), 1);
}

/* No description is so long; it is not read. */
static void test_endless_meta(void **state)
{
	char id[STORE_ID_SIZE], path[128];
	json_t *meta;

	add_entry(*state, "dump", 0, id);
	snprintf(path, sizeof(path), "%s/%s/" STORE_META, store_path(*state), id);
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	assert_int_equal(store_load(*state, id, &meta), -EBADMSG);
}

/* The name that a removed entry has is taken, by what cannot be replaced. */
static void test_one_that_stays(void **state)
{
	char ids[4][STORE_ID_SIZE], path[128];
	int i;

	for (i = 0; i < 4; i++)
		add_entry(*state, "dump", SOME_TIME_US + i * HOUR_US, ids[i]);
	snprintf(path, sizeof(path), ".old-%s", ids[0]);
	put_file(*state, path, "");
	assert_int_equal(store_vacuum(*state, &one_entry, NULL, NULL), -ENOTDIR);
	assert_int_equal(count_entries(*state), 2);
	assert_int_equal(store_find(*state, ids[0], path), 0);
	assert_int_equal(store_find(*state, ids[3], path), 0);
	assert_int_equal(store_sweep(*state), 1);
	assert_int_equal(store_vacuum(*state, &one_entry, NULL, NULL), 1);
}

/* A clock that was put back makes what is written now the oldest. */
static void test_written_now_stays(void **state)
{
	char old[STORE_ID_SIZE], now[STORE_ID_SIZE], found[STORE_ID_SIZE];
	struct store_limits limits = one_entry;

	add_entry(*state, "dump", SOME_TIME_US + 2 * HOUR_US, old);
	add_entry(*state, "dump", SOME_TIME_US + HOUR_US, old);
	add_entry(*state, "dump", SOME_TIME_US, now);
	limits.max_age_us = 1;
	limits.max_use = 0;
	assert_int_equal(store_vacuum(*state, &limits, NULL, NULL), 1);
	assert_int_equal(store_find(*state, now, found), 0);
	assert_int_equal(store_find(*state, old, found), -ENOENT);
}

static void test_counters_that_are_none(void **state)
{
	struct store *store = *state;
	char id[STORE_ID_SIZE];
	struct stat stat;
	size_t i;

	for (i = 0; i < KINDS; i++) {
		unlinkat(store_fd(store), ".counters.json", 0);
		puts_it[i](store, ".counters.json");
		puts_it[i](store, ".counters.json.new");
		/* The dump is stored, whatever becomes of the counters. */
		add_entry(store, "dump", 0, id);
		expect_metric(store, "\ndrmfault_dumps_stored ");
		unlinkat(store_fd(store), ".counters.json", AT_REMOVEDIR);
		unlinkat(store_fd(store), ".counters.json.new", AT_REMOVEDIR);
		add_entry(store, "dump", 0, id);
		assert_int_equal(
			fstatat(store_fd(store), ".counters.json", &stat, AT_SYMLINK_NOFOLLOW), 0);
		assert_true(S_ISREG(stat.st_mode));
	}
	assert_int_equal(count_entries(store), 2 * KINDS);
	assert_int_equal(unlinkat(store_fd(store), ".counters.json", 0), 0);
	assert_int_equal(symlinkat("nowhere", store_fd(store), ".counters.json"), 0);
	add_entry(store, "dump", 0, id);
	expect_metric(store, "{driver=\"amdgpu\",fault=\"unknown\"} 11\n");
}

static void test_numbers_that_are_none(void **state)
{
	char id[STORE_ID_SIZE];

	put_file(*state, ".counters.json",
		 "{\"dumps\": {\"amdgpu\": {\"unknown\": 9223372036854775807, \"a\": -5}, \"xe\": "
		 "3},"
		 " \"removed\": {\"MaxAge\": -9223372036854775808, \"MaxUse\": \"many\"}}");
	add_entry(*state, "dump", 0, id);
	expect_metric(*state, "{driver=\"amdgpu\",fault=\"unknown\"} 9223372036854775807\n");
	expect_metric(*state, "{driver=\"amdgpu\",fault=\"a\"} 0\n");
	assert_int_equal(counters_add_removed(*state, STORE_MAX_AGE, 2), 0);
	expect_metric(*state, "{limit=\"MaxAge\"} 2\n");
	assert_int_equal(counters_add_removed(*state, STORE_MAX_AGE, UINT64_MAX), 0);
	expect_metric(*state, "{limit=\"MaxAge\"} 9223372036854775807\n");
	expect_metric(*state, "{limit=\"MaxUse\"} 0\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_hostile_store, unmake_store)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_names_of_entries),	  TEST(test_names_of_leftovers),
		TEST(test_files_of_an_entry),	  TEST(test_more_in_an_entry),
		TEST(test_endless_meta),	  TEST(test_one_that_stays),
		TEST(test_written_now_stays),	  TEST(test_counters_that_are_none),
		TEST(test_numbers_that_are_none),
	};

	return cmocka_run_group_tests_name("a store with other things in it", tests, NULL, NULL);
}
