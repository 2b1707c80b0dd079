// SPDX-License-Identifier: MIT
/* What the drmfault command prints of a record, in both forms. */
#define _GNU_SOURCE
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <drm/drm_fault.h>

#include "fields.h"
#include "tool.h"

static const struct drm_fault_record write_fault = {
	.type = DRM_FAULT_RECORD_FAULT,
	.length = sizeof(struct drm_fault_record),
	.flags = DRM_FAULT_RECORD_F_FATAL,
	.reporter_id = 1,
	.seqno = 7,
	.count = 3,
	.record_id = 12,
	.group_id = 4,
	.timestamp_ns = 1000000,
	.last_timestamp_ns = 2000000,
	.gpu_timestamp = UINT64_MAX,
	.address = 0x21040,
	.address_precision = 8,
	.ip = 0x10010,
	.ip_precision = 8,
	.access = DRM_FAULT_ACCESS_WRITE,
	.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
	.ip_type = DRM_FAULT_IP_FAULT,
	.level = 1,
	.engine_class = DRM_FAULT_ENGINE_COMPUTE,
	.engine_instance = 2,
	.engine = "ring1",
	.context_id = 5,
	.client_id = 6,
	.pid = 123,
	.comm = "demo",
	.raw_format = DRM_FAULT_RAW_SIM,
	.raw_count = 2,
	.address_bits = 48,
	.raw = { 0x12, 0xffffffffffffffff },
	.job_context = 8,
	.job_seqno = 9,
};

/* Which belongs to a snapshot that is freed with it. */
static const struct drmfault_record *record_of(const struct drm_fault_record *kernel,
					       struct drmfault_snapshot **snapshot)
{
	assert_int_equal(drmfault_snapshot_from_bytes(kernel, sizeof(*kernel), 1, snapshot), 0);
	return drmfault_snapshot_record(*snapshot, 0);
}

/* What a printer prints, without what the clock says at its beginning. */
static char *printed(void (*print)(const struct drmfault_record *record),
		     const struct drm_fault_record *kernel)
{
	struct drmfault_snapshot *snapshot;
	const struct drmfault_record *record = record_of(kernel, &snapshot);
	FILE *terminal = stdout;
	char *text = NULL;
	size_t size;

	stdout = open_memstream(&text, &size);
	print(record);
	fclose(stdout);
	stdout = terminal;
	drmfault_snapshot_free(snapshot);
	return text;
}

static void expect_text(const struct drm_fault_record *kernel, const char *expected)
{
	char *text = printed(print_record_text, kernel), *start = text;

	if (strncmp(text, "  ", 2))
		start = strstr(text, "  ");
	assert_non_null(start);
	assert_string_equal(start, expected);
	free(text);
}

static void faults_are_sentences(void **state)
{
	struct drm_fault_record fault = write_fault;

	(void)state;
	expect_text(&fault, "  write access at 0x000000021040 (within 8 bytes): not present "
			    "(level 1), 3 times\n"
			    "                 demo[123]  on ring1 (compute 2)  ip 0x000000010010 "
			    "(fault)  gpu1  incident 4  fatal\n");
	fault.address_precision = 1;
	fault.level = 0;
	fault.count = 1;
	fault.flags = DRM_FAULT_RECORD_F_OWNER_UNKNOWN | DRM_FAULT_RECORD_F_LOST;
	fault.lost = 11;
	fault.ip_type = 0;
	fault.comm[0] = '\0';
	fault.engine[0] = '\0';
	expect_text(&fault, "  write access at 0x000000021040: not present\n"
			    "                 unknown process  on compute 2  gpu1  incident 4\n"
			    "                 11 events before it were dropped\n");
}

static void what_is_not_known_is_said(void **state)
{
	struct drm_fault_record fault = write_fault;

	(void)state;
	fault.address_precision = 0;
	fault.access = 99;
	fault.fault_type = 98;
	fault.engine_class = 0;
	fault.flags = DRM_FAULT_RECORD_F_REPEAT;
	expect_text(&fault,
		    "  number 99 access at an unknown address: number 98 (level 1), 3 more\n"
		    "                 demo[123]  on ring1  ip 0x000000010010 (fault)  gpu1  "
		    "incident 4\n");
	fault.type = 97;
	fault.count = 1;
	fault.flags = 0;
	expect_text(&fault,
		    "  a record of type 97, which this program does not know\n"
		    "                 demo[123]  on ring1  ip 0x000000010010 (fault)  gpu1  "
		    "incident 4\n");
}

static void other_records_are_sentences(void **state)
{
	struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_TIMEOUT,
		.length = sizeof(record),
		.flags = DRM_FAULT_RECORD_F_GUILTY,
		.reporter_id = 2,
		.count = 1,
		.group_id = 3,
		.comm = "game",
		.pid = 77,
		.job_seqno = 55,
	};
	const struct drm_fault_record lost = {
		.type = DRM_FAULT_RECORD_LOST,
		.length = sizeof(lost),
		.flags = DRM_FAULT_RECORD_F_LOST,
		.lost = 85,
	};

	(void)state;
	expect_text(&record, "  job 55 did not end in time\n"
			     "                 game[77]  gpu2  incident 3  guilty\n");
	record.type = DRM_FAULT_RECORD_RESET;
	record.flags = 0;
	expect_text(&record, "  the GPU was reset\n"
			     "                 game[77]  gpu2  incident 3\n");
	record.engine_class = DRM_FAULT_ENGINE_COPY;
	expect_text(&record, "  the engine was reset\n"
			     "                 game[77]  on copy 0  gpu2  incident 3\n");
	record.type = DRM_FAULT_RECORD_WEDGED;
	record.engine_class = 0;
	expect_text(&record, "  the GPU is wedged\n"
			     "                 game[77]  gpu2  incident 3\n");
	record.raw_format = DRM_FAULT_RAW_WEDGED;
	record.raw_count = 1;
	record.raw[0] = 0x6;
	expect_text(&record, "  the GPU is wedged; to recover: rebind or bus reset\n"
			     "                 game[77]  gpu2  incident 3\n");
	record.type = DRM_FAULT_RECORD_DUMP;
	strcpy(record.engine, "devcd3");
	expect_text(&record, "  the driver made a dump: /sys/class/devcoredump/devcd3\n"
			     "                 game[77]  gpu2  incident 3\n");
	expect_text(&lost, "                 85 events were lost: this reader was too slow\n");
}

/* A process calls itself what it likes, and must not reach the terminal with it. */
static void names_do_no_harm(void **state)
{
	struct drm_fault_record fault = write_fault;
	struct drmfault_snapshot *snapshot;
	json_t *json;
	char *text;

	(void)state;
	memcpy(fault.comm, "a\033[2J\x9b\xffz\n", 9);
	text = printed(print_record_text, &fault);
	assert_non_null(strstr(text, " a?[2J??z?[123]"));
	free(text);
	json = record_json(record_of(&fault, &snapshot));
	assert_string_equal(json_string_value(json_object_get(json, "comm")), "a\033[2J??z\n");
	json_decref(json);
	drmfault_snapshot_free(snapshot);
}

/* The kernel's clock counts from boot: a record of now bears the time of now. */
static void times_are_of_the_wall(void **state)
{
	struct drm_fault_record fault = write_fault;
	char before[16], after[16], *text;
	struct timespec now;
	time_t wall = time(NULL);

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &now);
	fault.timestamp_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	strftime(before, sizeof(before), "%H:%M:%S.", localtime(&wall));
	text = printed(print_record_text, &fault);
	wall = time(NULL);
	strftime(after, sizeof(after), "%H:%M:%S.", localtime(&wall));
	assert_true(!strncmp(text, before, 9) || !strncmp(text, after, 9));
	assert_int_equal(strspn(text + 9, "0123456789"), 6);
	free(text);
}

static void json_has_every_value(void **state)
{
	static const char expected[] =
		"{\"type\":\"fault\",\"device\":1,\"record\":12,\"incident\":4,\"seqno\":7,"
		"\"count\":3,\"lost\":0,\"time_ns\":1000000,\"last_time_ns\":2000000,"
		"\"gpu_time\":\"18446744073709551615\",\"access\":\"write\","
		"\"fault\":\"not present\",\"address\":\"0x21040\",\"precision\":8,"
		"\"address_bits\":48,\"level\":1,\"ip\":\"0x10010\",\"ip_precision\":8,"
		"\"ip_type\":\"fault\",\"engine\":\"ring1\",\"engine_class\":\"compute\","
		"\"engine_instance\":2,\"comm\":\"demo\",\"pid\":123,\"client\":6,\"context\":5,"
		"\"pasid\":0,\"vmid\":0,\"job_context\":8,\"job_seqno\":9,\"flags\":[\"fatal\"],"
		"\"raw_format\":\"sim\",\"raw\":[\"0x12\",\"0xffffffffffffffff\"]}";
	struct drmfault_snapshot *snapshot;
	json_t *json = record_json(record_of(&write_fault, &snapshot));
	char *text = json_dumps(json, JSON_COMPACT);

	(void)state;
	assert_string_equal(text, expected);
	free(text);
	json_decref(json);
	drmfault_snapshot_free(snapshot);
}

static void json_of_unknown_values(void **state)
{
	struct drm_fault_record fault = write_fault;
	struct drmfault_snapshot *snapshot;
	json_t *json;

	(void)state;
	fault.access = 99;
	fault.fault_type = 0;
	fault.flags = 0x80000001;
	fault.address_precision = 0;
	json = record_json(record_of(&fault, &snapshot));
	assert_int_equal(json_integer_value(json_object_get(json, "access")), 99);
	assert_true(json_is_null(json_object_get(json, "fault")));
	assert_true(json_is_null(json_object_get(json, "address")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(json, "flags"), 0)),
			    "lost");
	assert_string_equal(json_string_value(json_array_get(json_object_get(json, "flags"), 1)),
			    "0x80000000");
	json_decref(json);
	drmfault_snapshot_free(snapshot);
}

/* The long text and JSON are the same fields in the same order. */
static void long_text_has_what_json_has(void **state)
{
	char *text = printed(print_record_long, &write_fault), *line = text, *next;
	struct drmfault_snapshot *snapshot;
	json_t *json = record_json(record_of(&write_fault, &snapshot)), *value;
	const char *name;
	char word[32];

	(void)state;
	json_object_foreach(json, name, value)
	{
		assert_non_null(line);
		next = strchr(line, '\n');
		assert_int_equal(sscanf(line, " %31s", word), 1);
		assert_string_equal(word, name);
		line = next ? next + 1 : NULL;
	}
	assert_string_equal(line, "");
	assert_non_null(strstr(text, "    precision        8 bytes\n"));
	assert_non_null(strstr(text, "    raw              0x12 0xffffffffffffffff\n"));
	assert_non_null(strstr(text, "    flags            fatal\n"));
	free(text);
	json_decref(json);
	drmfault_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_sentences),
		cmocka_unit_test(what_is_not_known_is_said),
		cmocka_unit_test(other_records_are_sentences),
		cmocka_unit_test(names_do_no_harm),
		cmocka_unit_test(times_are_of_the_wall),
		cmocka_unit_test(json_has_every_value),
		cmocka_unit_test(json_of_unknown_values),
		cmocka_unit_test(long_text_has_what_json_has),
	};

	setlocale(LC_ALL, "C");
	return cmocka_run_group_tests_name("drmfault: printing", tests, NULL, NULL);
}
