// SPDX-License-Identifier: MIT
/* Entries of a store: written, found, read, removed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_test.h"

#define HOUR_US INT64_C(3600000000)
/* 2023-11-14 22:13:20 */
#define SOME_TIME_US INT64_C(1700000000123456)

static void test_round_trip(void **state)
{
	json_t *meta = json_pack("{s:s, s:I}", "driver", "xe", "time_us", (json_int_t)SOME_TIME_US);
	struct store_writer *writer;
	char id[STORE_ID_SIZE], text[64];
	json_t *loaded;

	assert_int_equal(store_begin(*state, &writer), 0);
	assert_int_equal(store_write(writer, "one ", 4), 0);
	assert_int_equal(store_write_log(writer, "log\n", 4), 0);
	assert_int_equal(store_write(writer, "two", 3), 0);
	assert_int_equal(count_entries(*state), 0);
	assert_int_equal(store_commit(writer, meta, id), 0);
	json_decref(meta);

	assert_int_equal(strncmp(id, "20231114-221320-", 16), 0);
	assert_int_equal(read_text(*state, id, STORE_DUMP, text, sizeof(text)), 0);
	assert_string_equal(text, "one two");
	assert_int_equal(read_text(*state, id, STORE_LOG, text, sizeof(text)), 0);
	assert_string_equal(text, "log\n");
	assert_int_equal(store_load(*state, id, &loaded), 0);
	assert_string_equal(json_string_value(json_object_get(loaded, "id")), id);
	assert_string_equal(json_string_value(json_object_get(loaded, "driver")), "xe");
	assert_string_equal(json_string_value(json_object_get(loaded, "time")),
			    "2023-11-14T22:13:20.123456Z");
	assert_int_equal(json_integer_value(json_object_get(loaded, "size")), 7);
	assert_true(json_integer_value(json_object_get(loaded, "stored_size")) > 0);
	assert_int_equal(json_integer_value(json_object_get(loaded, "version")), 1);
	json_decref(loaded);
}

static void assert_mode(struct store *store, const char *path, mode_t mode)
{
	struct stat stat;

	assert_int_equal(fstatat(store_fd(store), path, &stat, 0), 0);
	assert_int_equal(stat.st_mode & 07777, mode);
}

static void test_modes(void **state)
{
	char id[STORE_ID_SIZE], path[128];
	mode_t old = umask(022);

	add_entry(*state, "dump", 0, id);
	umask(old);
	assert_mode(*state, id, 0750);
	snprintf(path, sizeof(path), "%s/" STORE_DUMP, id);
	assert_mode(*state, path, 0640);
	snprintf(path, sizeof(path), "%s/" STORE_META, id);
	assert_mode(*state, path, 0640);
	assert_mode(*state, ".lock", 0600);
}

static void test_abort(void **state)
{
	struct store_writer *writer;

	assert_int_equal(store_begin(*state, &writer), 0);
	assert_int_equal(store_write(writer, "one", 3), 0);
	assert_int_equal(count_names(*state, ".new-"), 1);
	store_abort(writer);
	store_abort(NULL);
	assert_int_equal(count_names(*state, ".new-"), 0);
	assert_int_equal(count_entries(*state), 0);
}

static void test_bad_meta(void **state)
{
	json_t *meta = json_array();
	struct store_writer *writer;

	assert_int_equal(store_begin(*state, &writer), 0);
	assert_int_equal(store_commit(writer, meta, NULL), -EINVAL);
	json_decref(meta);
	assert_int_equal(count_names(*state, ".new-"), 0);
	assert_int_equal(count_entries(*state), 0);
}

static void test_order(void **state)
{
	char ids[4][STORE_ID_SIZE];
	struct store_list list;
	size_t i;

	add_entry(*state, "newest", SOME_TIME_US + HOUR_US, ids[3]);
	/* Three of one second, in another order than they are written in. */
	for (i = 0; i < 3; i++)
		add_entry(*state, "dump", SOME_TIME_US + (int64_t)(i + 1) % 3, ids[(i + 1) % 3]);
	assert_int_equal(mkdirat(store_fd(*state), "lost+found", 0700), 0);
	put_file(*state, "20231114-221320-README", "not an entry");
	assert_int_equal(store_list_read(*state, &list), 0);
	assert_int_equal(list.count, 4);
	for (i = 0; i < 4; i++)
		assert_string_equal(list.ids[i], ids[i]);
	store_list_free(&list);
}

static void test_find(void **state)
{
	char first[STORE_ID_SIZE], last[STORE_ID_SIZE], found[STORE_ID_SIZE];

	assert_int_equal(store_find(*state, "latest", found), -ENOENT);
	add_entry(*state, "dump", SOME_TIME_US, first);
	add_entry(*state, "dump", SOME_TIME_US + HOUR_US, last);
	assert_int_equal(store_find(*state, "latest", found), 0);
	assert_string_equal(found, last);
	assert_int_equal(store_find(*state, first, found), 0);
	assert_string_equal(found, first);
	assert_int_equal(store_find(*state, "20231114-22", found), 0);
	assert_string_equal(found, first);
	assert_int_equal(store_find(*state, "2023", found), -ENOTUNIQ);
	assert_int_equal(store_find(*state, "2024", found), -ENOENT);
	assert_int_equal(store_find(*state, "", found), -EINVAL);
	assert_int_equal(store_find(*state, "../2023", found), -EINVAL);
	assert_int_equal(store_find(*state, "20231114-221320-ABCDEF", found), -EINVAL);
	assert_int_equal(store_find(*state, "20231114-221320-abcdef0", found), -EINVAL);
}

static void test_damaged_meta(void **state)
{
	char id[STORE_ID_SIZE], path[128];
	json_t *meta;

	add_entry(*state, "dump", SOME_TIME_US, id);
	snprintf(path, sizeof(path), "%s/" STORE_META, id);
	put_file(*state, path, "{\"driver\": ");
	assert_int_equal(store_load(*state, id, &meta), -EBADMSG);
	put_file(*state, path, "[1]");
	assert_int_equal(store_load(*state, id, &meta), -EBADMSG);
	put_file(*state, path, "");
	assert_int_equal(store_load(*state, id, &meta), -EBADMSG);
	put_file(*state, path, "{\"id\": 5, \"time_us\": \"now\"}");
	assert_int_equal(store_load(*state, id, &meta), 0);
	assert_string_equal(json_string_value(json_object_get(meta, "id")), id);
	assert_int_equal(json_integer_value(json_object_get(meta, "time_us")),
			 SOME_TIME_US / 1000000 * 1000000);
	json_decref(meta);
	assert_int_equal(unlinkat(store_fd(*state), path, 0), 0);
	assert_int_equal(store_load(*state, id, &meta), -EBADMSG);
	assert_int_equal(store_load(*state, "20231114-221320-000000", &meta), -ENOENT);
	assert_int_equal(store_load(*state, "../../etc", &meta), -ENOENT);
}

static void test_damaged_dump(void **state)
{
	char id[STORE_ID_SIZE], path[128], text[64];
	struct stat stat;

	add_entry(*state, "what can be read of it", SOME_TIME_US, id);
	snprintf(path, sizeof(path), "%s/%s/" STORE_DUMP, store_path(*state), id);
	assert_int_equal(lstat(path, &stat), 0);
	/* The checksum is what is lacking. */
	assert_int_equal(truncate(path, stat.st_size - 1), 0);
	assert_int_equal(read_text(*state, id, STORE_DUMP, text, sizeof(text)), -EBADMSG);
	assert_string_equal(text, "what can be read of it");
	snprintf(path, sizeof(path), "%s/" STORE_DUMP, id);
	put_file(*state, path, "plain");
	assert_int_equal(read_text(*state, id, STORE_DUMP, text, sizeof(text)), -EBADMSG);
	assert_int_equal(read_text(*state, id, STORE_LOG, text, sizeof(text)), -ENOENT);
}

static int stop(void *data, const void *bytes, size_t size)
{
	(void)data;
	(void)bytes;
	(void)size;
	return -EPIPE;
}

static void test_sink_ends_it(void **state)
{
	char id[STORE_ID_SIZE];

	add_entry(*state, "dump", 0, id);
	assert_int_equal(store_read(*state, id, STORE_DUMP, stop, NULL), -EPIPE);
}

static void test_remove(void **state)
{
	char id[STORE_ID_SIZE], text[64];

	add_entry(*state, "dump", SOME_TIME_US, id);
	assert_int_equal(store_remove(*state, "2023"), -ENOENT);
	assert_int_equal(store_remove(*state, id), 0);
	assert_int_equal(store_remove(*state, id), -ENOENT);
	assert_int_equal(count_entries(*state), 0);
	assert_int_equal(count_names(*state, ".old-"), 0);
	assert_int_equal(read_text(*state, id, STORE_DUMP, text, sizeof(text)), -ENOENT);
}

static void test_open(void **state)
{
	char path[256], id[STORE_ID_SIZE];
	struct store *store;

	snprintf(path, sizeof(path), "%s/inner", store_path(*state));
	assert_int_equal(store_open(path, false, &store), -ENOENT);
	assert_int_equal(store_open(path, true, &store), 0);
	assert_mode(*state, "inner", 0750);
	assert_string_equal(store_path(store), path);
	add_entry(store, "dump", 0, id);
	store_close(store);
	setenv(STORE_ENVIRONMENT, path, 1);
	assert_int_equal(store_open(NULL, true, &store), 0);
	unsetenv(STORE_ENVIRONMENT);
	assert_int_equal(count_entries(store), 1);
	store_close(store);
	put_file(*state, "file", "");
	snprintf(path, sizeof(path), "%s/file", store_path(*state));
	assert_int_equal(store_open(path, true, &store), -ENOTDIR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_store, unmake_store)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_round_trip),	 TEST(test_modes),	  TEST(test_abort),
		TEST(test_bad_meta),	 TEST(test_order),	  TEST(test_find),
		TEST(test_damaged_meta), TEST(test_damaged_dump), TEST(test_sink_ends_it),
		TEST(test_remove),	 TEST(test_open),
	};

	return cmocka_run_group_tests_name("entries of a store", tests, NULL, NULL);
}
