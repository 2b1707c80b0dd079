// SPDX-License-Identifier: MIT
/* Settings: where they come from, which goes before which, and what they cannot be. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "layer.h"
#include "settings.h"

static char path[] = "/tmp/drmfault-setting.XXXXXX";

static int file_write(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	return fclose(file);
}

static int setup(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	setenv("VK_LAYER_SETTINGS_PATH", path, 1);
	return close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static void test_defaults(void **state)
{
	struct settings settings;

	(void)state;
	file_write("");
	settings_read(&settings, NULL);
	assert_int_equal(settings.provide, PROVIDE_ALWAYS);
	assert_true(settings.report);
	assert_true(settings.bindings);
	assert_string_equal(settings.report_dir, "");
	assert_string_equal(settings.output, "stderr");
	assert_int_equal(settings.watchdog_ms, 0);
	assert_int_equal(settings.past_bindings, 0);
}

static void test_file(void **state)
{
	struct settings settings;

	(void)state;
	file_write("# drmfault_device_fault.report = false\n"
		   "other.bindings = false\n"
		   "drmfault_device_fault.provide=kernel\n"
		   "  drmfault_device_fault.report_dir =  /tmp/a folder  # and why\n"
		   "DRMFAULT_device_fault.watchdog_ms = 250");
	settings_read(&settings, NULL);
	assert_true(settings.report);
	assert_true(settings.bindings);
	assert_int_equal(settings.provide, PROVIDE_KERNEL);
	assert_string_equal(settings.report_dir, "/tmp/a folder");
	assert_int_equal(settings.watchdog_ms, 250);
}

static void test_environment_first(void **state)
{
	struct settings settings;

	(void)state;
	file_write("drmfault_device_fault.output = none\n");
	setenv("DRMFAULT_LAYER_OUTPUT", "/tmp/x", 1);
	settings_read(&settings, NULL);
	assert_string_equal(settings.output, "/tmp/x");
	unsetenv("DRMFAULT_LAYER_OUTPUT");
	settings_read(&settings, NULL);
	assert_string_equal(settings.output, "none");
}

/* What cannot be leaves the default. */
static void test_wrong_values(void **state)
{
	static const char *const wrong[] = { "", "-1", "1x", "4294967296", "ms" };
	struct settings settings;
	size_t i;

	(void)state;
	file_write("drmfault_device_fault.provide = sometimes\n"
		   "drmfault_device_fault.report = perhaps\n");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		setenv("DRMFAULT_LAYER_WATCHDOG_MS", wrong[i], 1);
		settings_read(&settings, NULL);
		assert_int_equal(settings.watchdog_ms, 0);
		assert_int_equal(settings.provide, PROVIDE_ALWAYS);
		assert_true(settings.report);
	}
	unsetenv("DRMFAULT_LAYER_WATCHDOG_MS");
}

/* More than the library takes, which would leave the application without a device. */
static void test_too_many_past_ones(void **state)
{
	static const char *const numbers[] = { "67108864", "67108865" };
	struct drmfault_bindings_args args = { .size = sizeof(args) };
	struct drmfault_bindings *bindings;
	struct settings settings;
	size_t i;

	(void)state;
	file_write("");
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		setenv("DRMFAULT_LAYER_PAST_BINDINGS", numbers[i], 1);
		settings_read(&settings, NULL);
		assert_int_equal(settings.past_bindings, i ? 0 : 67108864);
		args.past_count = settings.past_bindings;
		assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
		drmfault_bindings_free(bindings);
	}
	unsetenv("DRMFAULT_LAYER_PAST_BINDINGS");
}

/* What it wrote to stderr while it read the settings. */
static void read_and_hear(struct settings *settings, char *said, size_t size)
{
	int kept = dup(STDERR_FILENO);
	FILE *file = tmpfile();

	assert_non_null(file);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	settings_read(settings, NULL);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(file);
	said[fread(said, 1, size - 1, file)] = 0;
	fclose(file);
}

static void test_too_long(void **state)
{
	static char value[1 << 20], said[4096];
	struct settings settings;

	(void)state;
	memset(value, 'x', sizeof(value) - 1);
	value[1] = '\n';
	setenv("DRMFAULT_LAYER_REPORT_DIR", value, 1);
	setenv("DRMFAULT_LAYER_WATCHDOG_MS", value + 2, 1);
	read_and_hear(&settings, said, sizeof(said));
	unsetenv("DRMFAULT_LAYER_REPORT_DIR");
	unsetenv("DRMFAULT_LAYER_WATCHDOG_MS");
	assert_string_equal(settings.report_dir, "");
	assert_int_equal(settings.watchdog_ms, 0);
	assert_non_null(strstr(said, "setting report_dir cannot be \"x?xx"));
	assert_non_null(strstr(said, "setting watchdog_ms cannot be \"xx"));
	assert_true(strlen(said) < 512);
}

/* What has no end, or waits for somebody, is not read; said once, and not seven times. */
static void test_files_that_are_none(void **state)
{
	static const char fifo[] = "drmfault-setting.fifo";
	static const struct {
		const char *path, *said;
	} files[] = {
		{ fifo, "cannot be read from drmfault-setting.fifo: " },
		{ "/dev/zero", "cannot be read from /dev/zero: File too large" },
		{ "/dev/null", NULL },
		{ "/nonexistent/file", NULL },
	};
	static char said[4096];
	struct settings settings;
	size_t i;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		setenv("VK_LAYER_SETTINGS_PATH", files[i].path, 1);
		read_and_hear(&settings, said, sizeof(said));
		if (files[i].said)
			assert_non_null(strstr(said, files[i].said));
		assert_true(strchr(said, '\n') == strrchr(said, '\n'));
		assert_int_equal(!said[0], !files[i].said);
		assert_true(settings.report);
	}
	unlink(fifo);
	setenv("VK_LAYER_SETTINGS_PATH", path, 1);
}

/* As VK_EXT_layer_settings has it, by its numbers: headers may be older. */
static void test_application(void **state)
{
	static const uint32_t number = 1000;
	static const char *const text = "never";
	const struct {
		const char *layer, *name;
		int type;
		uint32_t count;
		const void *values;
	} list[] = {
		{ "VK_LAYER_other", "report", 0, 1, &(const VkBool32){ VK_FALSE } },
		{ LAYER_NAME, "past_bindings", 3, 1, &number },
		{ LAYER_NAME, "provide", 7, 1, &text },
		{ LAYER_NAME, "bindings", 0, 1, &(const VkBool32){ VK_FALSE } },
	};
	const struct {
		VkStructureType type;
		const void *next;
		uint32_t count;
		const void *settings;
	} info = { (VkStructureType)1000496000, NULL, 4, list };
	struct settings settings;

	(void)state;
	file_write("drmfault_device_fault.provide = kernel\n");
	settings_read(&settings, &info);
	assert_true(settings.report);
	assert_false(settings.bindings);
	assert_int_equal(settings.past_bindings, 1000);
	assert_int_equal(settings.provide, PROVIDE_KERNEL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_environment_first),
		cmocka_unit_test(test_wrong_values),
		cmocka_unit_test(test_application),
		cmocka_unit_test(test_too_many_past_ones),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_files_that_are_none),
	};

	return cmocka_run_group_tests_name("setting", tests, setup, teardown);
}
