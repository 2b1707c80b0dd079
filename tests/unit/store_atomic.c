// SPDX-License-Identifier: MIT
/*
 * Whatever call a writer is killed at, or fails at, the store has the entries it had,
 * and at most the whole new one.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store_test.h"
#include "store_wrap.h"

/* Does not compress: there is more than one write() of the dump. */
#define DUMP_SIZE 400000
#define LOG	  "one line\nanother\n"
/* More than there are. */
#define MOST_STEPS 60

static uint8_t dump[DUMP_SIZE];

static void fill_dump(void)
{
	uint32_t value = 1;
	size_t i;

	for (i = 0; i < sizeof(dump); i++) {
		value = value * 1664525 + 1013904223;
		dump[i] = (uint8_t)(value >> 24);
	}
}

static int write_entry(struct store *store)
{
	json_t *meta = json_pack("{s:s}", "driver", "xe");
	struct store_writer *writer;
	int ret = store_begin(store, &writer);

	if (ret) {
		json_decref(meta);
		return ret;
	}
	ret = store_write(writer, dump, sizeof(dump));
	if (!ret)
		ret = store_write_log(writer, LOG, strlen(LOG));
	if (ret)
		store_abort(writer);
	else
		ret = store_commit(writer, meta, NULL);
	json_decref(meta);
	return ret;
}

static int compare_dump(void *data, const void *bytes, size_t size)
{
	size_t *at = data;

	assert_true(*at + size <= sizeof(dump));
	assert_memory_equal(dump + *at, bytes, size);
	*at += size;
	return 0;
}

static void assert_whole(struct store *store, const char *id)
{
	char text[64];
	size_t at = 0;
	json_t *meta;

	assert_int_equal(store_load(store, id, &meta), 0);
	assert_int_equal(json_integer_value(json_object_get(meta, "size")), DUMP_SIZE);
	json_decref(meta);
	assert_int_equal(store_read(store, id, STORE_DUMP, compare_dump, &at), 0);
	assert_int_equal(at, DUMP_SIZE);
	assert_int_equal(read_text(store, id, STORE_LOG, text, sizeof(text)), 0);
	assert_string_equal(text, LOG);
}

static size_t assert_all_whole(struct store *store)
{
	struct store_list list;
	size_t i, count;

	assert_int_equal(store_list_read(store, &list), 0);
	for (i = 0; i < list.count; i++)
		assert_whole(store, list.ids[i]);
	count = list.count;
	store_list_free(&list);
	return count;
}

/* How the child ended: 0: it was killed at the step; 1: it wrote the entry before. */
static int run_killed(struct store *store, int step)
{
	int status = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		wrap = (struct wrap){ .at = step };
		_exit(write_entry(store) ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status)) {
		assert_int_equal(WTERMSIG(status), SIGKILL);
		return 0;
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	return 1;
}

static void test_killed_at_each_step(void **state)
{
	struct store *store = *state;
	size_t before, after, leftovers = 0, appeared = 0;
	int step, swept;

	for (step = 1; step < MOST_STEPS; step++) {
		before = count_entries(store);
		if (run_killed(store, step))
			break;
		after = assert_all_whole(store);
		assert_true(after == before || after == before + 1);
		appeared += after - before;
		leftovers += count_names(store, ".new-");
		swept = store_sweep(store);
		assert_true(swept == 0 || swept == 1);
		assert_int_equal(count_names(store, ".new-"), 0);
		assert_int_equal(count_entries(store), after);
	}
	/* It was killed in all stages: before, in the middle, and after. */
	assert_true(step > 15 && step < MOST_STEPS);
	assert_true(leftovers > 5);
	assert_true(appeared > 0);
	assert_int_equal(write_entry(store), 0);
	assert_all_whole(store);
}

static void fail_at_each_step(struct store *store, int error, bool lasts)
{
	int step, ret, failed = 0;
	size_t before;

	for (step = 1; step < MOST_STEPS; step++) {
		before = count_entries(store);
		wrap = (struct wrap){ .at = step, .error = error, .lasts = lasts };
		ret = write_entry(store);
		if (wrap.count < step) {
			assert_int_equal(ret, 0);
			break;
		}
		wrap = (struct wrap){ 0 };
		assert_true(ret == -error || ret == 0);
		failed += ret != 0;
		assert_int_equal(assert_all_whole(store), before + (ret == 0));
		assert_int_equal(count_names(store, ".new-"), 0);
	}
	wrap = (struct wrap){ 0 };
	assert_true(step > 15 && step < MOST_STEPS);
	assert_true(failed > 10);
	assert_int_equal(write_entry(store), 0);
}

static void test_full_at_each_step(void **state)
{
	fail_at_each_step(*state, ENOSPC, true);
}

static void test_error_at_each_step(void **state)
{
	fail_at_each_step(*state, EIO, false);
}

static void test_living_writers_are_not_swept(void **state)
{
	struct store_writer *writer;
	json_t *meta = json_object();
	char id[STORE_ID_SIZE];

	assert_int_equal(store_begin(*state, &writer), 0);
	assert_int_equal(store_write(writer, dump, sizeof(dump)), 0);
	assert_int_equal(store_write_log(writer, LOG, strlen(LOG)), 0);
	assert_int_equal(store_sweep(*state), 0);
	assert_int_equal(count_names(*state, ".new-"), 1);
	assert_int_equal(store_commit(writer, meta, id), 0);
	json_decref(meta);
	assert_whole(*state, id);
}

static void test_remover_killed(void **state)
{
	struct store *store = *state;
	char id[STORE_ID_SIZE], old[64], path[128];

	assert_int_equal(write_entry(store), 0);
	assert_int_equal(store_find(store, "latest", id), 0);
	snprintf(old, sizeof(old), ".old-%s", id);
	assert_int_equal(renameat(store_fd(store), id, store_fd(store), old), 0);
	snprintf(path, sizeof(path), "%s/" STORE_META, old);
	assert_int_equal(unlinkat(store_fd(store), path, 0), 0);
	assert_int_equal(count_entries(store), 0);
	assert_int_equal(store_sweep(store), 1);
	assert_int_equal(count_names(store, ".old-"), 0);
	assert_int_equal(store_sweep(store), 0);
}

/* Several write at once, while one sweeps. */
static void test_many_writers(void **state)
{
	enum { WRITERS = 4, EACH = 5 };
	struct store *store = *state;
	int i, j, status;

	for (i = 0; i < WRITERS; i++) {
		if (fork())
			continue;
		for (j = 0; j < EACH; j++)
			if (write_entry(store) || store_sweep(store) < 0)
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < WRITERS; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(assert_all_whole(store), WRITERS * EACH);
	assert_int_equal(count_names(store, ".new-"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_store, unmake_store)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_killed_at_each_step), TEST(test_full_at_each_step),
		TEST(test_error_at_each_step),	TEST(test_living_writers_are_not_swept),
		TEST(test_remover_killed),	TEST(test_many_writers),
	};

	fill_dump();
	return cmocka_run_group_tests_name("a store that is written", tests, NULL, NULL);
}
