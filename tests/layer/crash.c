// SPDX-License-Identifier: MIT
/* The report of a lost device: the file, the summary, and the object that they name. */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drivers.h"
#include "mock.h"
#include "seen.h"

#define SIZE	0x1000u
#define THREADS 8
#define TURNS	200
/* Of what a driver tells the file has so much. */
#define KEPT	 256u
#define FLOOD_AT UINT64_C(0x40000000)

/* How the driver tells of bindings, if at all. */
static const char *const drivers[] = { "ext",
				       "khr",
				       "ext khr",
				       "ext report",
				       "ext report early",
				       "ext report no-memory",
				       "ext report no-buffers",
				       "ext report extended",
				       "ext report absurd",
				       "khr repeat extended",
				       NULL };

static void expect(const struct drmfault_dump *dump, const char *verdict)
{
	static char text[TEXT_MAX];

	seen_verdict(dump, verdict);
	assert_non_null(strstr(host_value(dump, "reason"), "vkQueueWaitIdle"));
	read_summary(text);
	assert_non_null(strstr(text, APP_NAME));
	assert_non_null(strstr(text, verdict));
	assert_non_null(strstr(text, place.reports));
}

/* An address in the middle of an object that is gone. */
static void test_use_after_free(struct app *app)
{
	struct app_buffer other = app_buffer(app, SIZE, "other");
	struct app_buffer gone = app_buffer(app, SIZE, "particles");
	struct drmfault_dump *dump;

	app_buffer_free(app, &gone);
	dump = seen_lose(app, gone.address + 0x100);
	expect(dump, "VkBuffer \"particles\"");
	expect(dump, "freed");
	drmfault_dump_free(dump);
	app_buffer_free(app, &other);
}

/* Right behind the end: objects are not next to each other in the mock. */
static void test_out_of_bounds(struct app *app)
{
	struct app_buffer buffer = app_buffer(app, SIZE, "indices");
	struct drmfault_dump *dump;

	dump = seen_lose(app, buffer.address + SIZE + 0x40);
	expect(dump, "0x40");
	expect(dump, "\"indices\"");
	drmfault_dump_free(dump);
	app_buffer_free(app, &buffer);
}

static void test_null(struct app *app)
{
	struct drmfault_dump *dump = seen_lose(app, 0x40);

	expect(dump, "null");
	drmfault_dump_free(dump);
}

static size_t host_count(const struct drmfault_dump *dump, const char *name)
{
	const size_t length = strlen(name);
	const char *line;
	size_t i, count = 0;

	for (i = 0; (line = drmfault_dump_host(dump, i)); i++)
		count += !strncmp(line, name, length) && line[length] == '=';
	return count;
}

/* All that another machine needs is in the file. */
static void test_content(struct app *app)
{
	struct drmfault_dump_application application = { .size = sizeof(application) };
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	const struct drmfault_snapshot *snapshot;
	const struct drmfault_record *record;
	struct app_buffer buffer = app_buffer(app, SIZE, "vertices");
	struct drmfault_dump *dump;
	bool found = false;
	size_t i;

	dump = seen_lose(app, buffer.address + 0x100);
	assert_int_equal(drmfault_dump_application(dump, 0, &application), 0);
	assert_string_equal(application.application_name, APP_NAME);
	assert_string_equal(application.device_name, "mock");
	assert_int_equal(application.vendor_id, 0x1234);
	assert_int_equal(drmfault_dump_meta(dump, 0, &meta), 0);
	assert_true(meta.realtime_ns);
	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++)
		if (binding.object_type == VK_OBJECT_TYPE_BUFFER) {
			found = true;
			assert_int_equal(binding.address, buffer.address);
			assert_int_equal(binding.length, SIZE);
			assert_string_equal(binding.name, "vertices");
			assert_int_equal(binding.unbound_ns, 0);
		}
	assert_true(found);
	snapshot = drmfault_dump_snapshot(dump);
	assert_int_equal(drmfault_snapshot_count(snapshot), 1);
	record = drmfault_snapshot_record(snapshot, 0);
	assert_int_equal(drmfault_record_access(record), DRMFAULT_ACCESS_WRITE);
	assert_int_equal(
		drmfault_record_address(record) & ~(drmfault_record_address_precision(record) - 1),
		(buffer.address + 0x100) & ~(drmfault_record_address_precision(record) - 1));
	assert_int_equal(drmfault_record_pid(record), getpid());
	assert_non_null(strstr(host_value(dump, "records"), "driver's"));
	assert_string_equal(host_value(dump, "driver_description"), "mock fault");
	assert_non_null(strstr(host_value(dump, "driver_address"), "WRITE_INVALID"));
	drmfault_dump_free(dump);
	app_buffer_free(app, &buffer);
}

/* The first ones and the last one; what is between is counted, and said. */
static void test_flood(struct app *app)
{
	const uint64_t left_out = MOCK_FLOOD - KEPT;
	struct drmfault_dump *dump = seen_lose(app, FLOOD_AT);
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	const struct drmfault_record *record;
	char text[TEXT_MAX];
	size_t i;

	assert_int_equal(drmfault_snapshot_count(snapshot), KEPT);
	assert_int_equal(drmfault_snapshot_events(snapshot), MOCK_FLOOD);
	assert_int_equal(drmfault_snapshot_lost(snapshot), left_out);
	for (i = 0; i < KEPT - 1; i++) {
		record = drmfault_snapshot_record(snapshot, i);
		assert_int_equal(drmfault_record_address(record), FLOOD_AT + i * MOCK_PAGE);
		assert_int_equal(drmfault_record_lost(record), 0);
		assert_false(drmfault_record_flags(record) & DRMFAULT_FLAG_LOST);
	}
	record = drmfault_snapshot_record(snapshot, i);
	assert_int_equal(drmfault_record_address(record),
			 FLOOD_AT + (MOCK_FLOOD - UINT64_C(1)) * MOCK_PAGE);
	assert_int_equal(drmfault_record_lost(record), left_out);
	assert_true(drmfault_record_flags(record) & DRMFAULT_FLAG_LOST);
	assert_int_equal(host_count(dump, "driver_address"), KEPT);
	assert_int_equal(host_count(dump, "verdict"), KEPT);
	assert_string_equal(host_value(dump, "driver_address_left_out"), "65280");
	read_summary(text);
	assert_non_null(strstr(text, "65280 more that the driver told are left out"));
	drmfault_dump_free(dump);
}

static void test_once(struct app *app)
{
	char path[PATH_MAX];

	app_lose(app, 0x40);
	assert_int_equal(vkDeviceWaitIdle(app->device), VK_ERROR_DEVICE_LOST);
	assert_int_equal(vkQueueWaitIdle(app->queue), VK_ERROR_DEVICE_LOST);
	assert_int_equal(find_reports(path), 1);
}

static void test_none_of_a_healthy_run(void **state)
{
	struct app_buffer buffer;
	char path[PATH_MAX];
	struct app app;

	(void)state;
	app_start(&app, "ext report");
	buffer = app_buffer(&app, SIZE, "fine");
	app_buffer_free(&app, &buffer);
	assert_int_equal(vkDeviceWaitIdle(app.device), VK_SUCCESS);
	app_close(&app, NULL);
	assert_int_equal(find_reports(path), 0);
	assert_int_not_equal(access(place.output, F_OK), 0);
}

/* A folder that cannot be is said, and the application goes on. */
static void test_folder_that_cannot_be(void **state)
{
	char path[PATH_MAX];
	struct app app;

	(void)state;
	setenv("DRMFAULT_LAYER_REPORT_DIR", "/dev/null/folder", 1);
	app_start(&app, "ext");
	app_lose(&app, 0x40);
	app_close(&app, NULL);
	assert_int_equal(find_reports(path), 0);
	assert_int_equal(access(place.output, F_OK), 0);
}

/* A child has the objects of its parent, and says nothing of them. */
static void test_child(struct app *app)
{
	char path[PATH_MAX];
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		setenv("MOCK", "ext report lose", 1);
		_exit(vkQueueWaitIdle(app->queue) != VK_ERROR_DEVICE_LOST);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(find_reports(path), 0);
}

static void *create_and_destroy(void *data)
{
	struct app *app = data;
	struct app_buffer buffer;
	int i;

	for (i = 0; i < TURNS; i++) {
		buffer = app_buffer(app, SIZE, "of a thread");
		app_buffer_free(app, &buffer);
	}
	return NULL;
}

static void test_threads(struct app *app)
{
	pthread_t threads[THREADS];
	char path[PATH_MAX];
	int i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, create_and_destroy, app), 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	app_lose(app, 0x40);
	assert_int_equal(find_reports(path), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(test_use_after_free, drivers),
		ON_EACH(test_out_of_bounds, drivers),
		ON(test_null, "ext report"),
		ON(test_content, "ext"),
		ON(test_flood, "ext flood", "ext report flood"),
		ON(test_once, "ext"),
		IN_PLACE(test_none_of_a_healthy_run),
		IN_PLACE(test_folder_that_cannot_be),
		ON(test_child, "ext report"),
		ON(test_threads, "ext report"),
	};

	return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
