// SPDX-License-Identifier: MIT
/* Where the report cannot go: that is said, the summary is told, the application goes on. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"
#include "place.h"

/* A device is lost; what is on stderr meanwhile, which is a pipe. */
static void lose_and_hear(char said[TEXT_MAX])
{
	int kept = dup(STDERR_FILENO), ends[2];
	struct app app;
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	app_start(&app, "ext");
	app_lose(&app, 0x40);
	app_close(&app, NULL);
	dup2(kept, STDERR_FILENO);
	close(kept);
	n = read(ends[0], said, TEXT_MAX - 1);
	said[n > 0 ? n : 0] = 0;
	close(ends[0]);
}

static void expect_on_stderr(const char *output, const char *why)
{
	char said[TEXT_MAX], path[PATH_MAX];

	setenv("DRMFAULT_LAYER_OUTPUT", output, 1);
	lose_and_hear(said);
	if (!strstr(said, why) || !strstr(said, "DRMFAULT_LAYER_OUTPUT"))
		fail_msg("\"%s\" is not in \"%s\"", why, said);
	assert_non_null(strstr(said, "is lost: vkQueueWaitIdle"));
	assert_int_equal(find_reports(path), 1);
}

static void test_full(void **state)
{
	(void)state;
	expect_on_stderr("/dev/full", "No space left on device");
}

static void test_no_folder(void **state)
{
	(void)state;
	expect_on_stderr("/nonexistent/summary", "No such file or directory");
}

/* Nobody reads there: waiting for somebody would hold the application for ever. */
static void test_fifo(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(place.output, 0600), 0);
	expect_on_stderr(place.output, "No such device or address");
}

/* By default SIGPIPE ends a process. */
static void test_stderr_without_reader(void **state)
{
	int kept = dup(STDERR_FILENO), ends[2];
	char path[PATH_MAX];
	struct app app;
	sigset_t waiting;

	(void)state;
	setenv("DRMFAULT_LAYER_OUTPUT", "stderr", 1);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	app_start(&app, "ext");
	app_lose(&app, 0x40);
	dup2(kept, STDERR_FILENO);
	close(kept);
	assert_int_equal(sigpending(&waiting), 0);
	assert_false(sigismember(&waiting, SIGPIPE));
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &waiting), 0);
	assert_false(sigismember(&waiting, SIGPIPE));
	assert_int_equal(find_reports(path), 1);
	app_close(&app, NULL);
}

/* By default SIGXFSZ does, too. */
static void test_limit_of_files(void **state)
{
	struct rlimit before, none;
	char said[TEXT_MAX], path[PATH_MAX];

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	lose_and_hear(said);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(said, "no crash report in "));
	assert_non_null(strstr(said, "File too large; set DRMFAULT_LAYER_REPORT_DIR"));
	assert_non_null(strstr(said, "is lost: vkQueueWaitIdle"));
	assert_int_equal(find_reports(path), 0);
}

/* What no terminal should get: bytes that are no UTF-8, and characters that it would obey. */
static void test_name_of_any_bytes(void **state)
{
	char text[TEXT_MAX];
	struct app_buffer buffer;
	struct app app;

	(void)state;
	app_start(&app, "ext");
	buffer = app_buffer(&app, 0x1000,
			    "caf\xe9 caf\xc3\xa9 \x9b\x33\x31m \xe2\x80\xae \xf0\x9f\x98");
	app_buffer_free(&app, &buffer);
	app_lose(&app, buffer.address + 0x100);
	read_summary(text);
	assert_non_null(strstr(text, "\"caf? caf\xc3\xa9 ?31m ? ???\""));
	app_close(&app, NULL);
}

/* Wine's programs write theirs over the arguments, from where libc has it. */
static void test_program_that_names_itself(void **state)
{
	char *before = program_invocation_short_name, none[] = "", path[PATH_MAX];
	const struct drmfault_record *record;
	struct drmfault_dump *dump;
	struct app app;

	(void)state;
	assert_int_equal(prctl(PR_SET_NAME, "game.exe"), 0);
	program_invocation_short_name = none;
	app_start(&app, "ext");
	app_lose(&app, 0x40);
	app_close(&app, NULL);
	program_invocation_short_name = before;
	assert_int_equal(find_reports(path), 1);
	assert_non_null(strstr(path, "-game.exe-"));
	dump = open_report();
	record = drmfault_snapshot_record(drmfault_dump_snapshot(dump), 0);
	assert_string_equal(drmfault_record_comm(record), "game.exe");
	drmfault_dump_free(dump);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(test_full),
		IN_PLACE(test_no_folder),
		IN_PLACE(test_fifo),
		IN_PLACE(test_stderr_without_reader),
		IN_PLACE(test_name_of_any_bytes),
		IN_PLACE(test_limit_of_files),
		IN_PLACE(test_program_that_names_itself),
	};

	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
