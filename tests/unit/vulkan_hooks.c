// SPDX-License-Identifier: MIT
/* Is a GPU whose driver has hooks one of which faults are seen? */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "internal.h"

static char folder[64];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/vulkan-hooks-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
	(void)info;
	(void)type;
	(void)at;
	return remove(path);
}

static int teardown(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void write_file(const char *path, const char *name, const char *text)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", path, name);
	file = fopen(whole, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", text);
	fclose(file);
}

static void add_set(const char *set, const char *driver)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, set);
	assert_int_equal(mkdir(path, 0700), 0);
	write_file(path, "driver", driver);
	write_file(path, "layout", "");
}

static void add_hook(const char *set, const char *symbol, const char *state, const char *provides)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s", folder, set, symbol);
	assert_int_equal(mkdir(path, 0700), 0);
	write_file(path, "state", state);
	write_file(path, "provides", provides);
}

static void a_driver_without_hooks(void **state)
{
	(void)state;
	add_set("xe", "xe");
	add_hook("xe", "xe_fault", "absent", "fault");
	assert_int_equal(hooks_support(folder, "msm"), 0);
	assert_int_equal(hooks_support(folder, "x"), 0);
	assert_int_equal(hooks_support("/nonexistent", "xe"), 0);
}

static void one_that_sees_faults_will_do(void **state)
{
	(void)state;
	add_set("xe", "xe");
	add_hook("xe", "old_fault", "absent", "fault ip");
	add_hook("xe", "xe_owner", "differs", "owner");
	assert_int_equal(hooks_support(folder, "xe"), -EOPNOTSUPP);
	add_hook("xe", "new_fault", "attached", "fault status");
	assert_int_equal(hooks_support(folder, "xe"), 0);
}

static void others_do_not_help(void **state)
{
	(void)state;
	add_set("xe", "xe");
	add_set("other", "amdgpu");
	add_hook("xe", "xe_fault", "differs", "fault");
	add_hook("xe", "xe_hang", "attached", "hang");
	add_hook("other", "amdgpu_fault", "attached", "fault");
	assert_int_equal(hooks_support(folder, "xe"), -EOPNOTSUPP);
	assert_int_equal(hooks_support(folder, "amdgpu"), 0);
}

/* Without hooks a GPU is known only if its driver reports itself. */
static void hooks_that_are_off_do_not_count(void **state)
{
	(void)state;
	add_set("xe", "xe");
	add_hook("xe", "xe_fault", "off", "fault");
	add_hook("xe", "xe_hang", "off", "hang");
	assert_int_equal(hooks_support(folder, "xe"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_driver_without_hooks, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_sees_faults_will_do, setup, teardown),
		cmocka_unit_test_setup_teardown(others_do_not_help, setup, teardown),
		cmocka_unit_test_setup_teardown(hooks_that_are_off_do_not_count, setup, teardown),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: hooks", tests, NULL, NULL);
}
