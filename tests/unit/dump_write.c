// SPDX-License-Identifier: MIT
/* Dumps that are written: byte by byte, into any room, onto others. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "dump.h"

#define GUARD 0xa5

static struct file file;
static struct drmfault_dump *good;

/* All of the good dump, as it was read. */
static struct drmfault_dump_meta meta;
static struct drmfault_dump_device device;
static struct drmfault_dump_context contexts[2];
static struct drmfault_dump_application application;
static struct drmfault_dump_binding bindings[2];

static int fill(void **state)
{
	size_t i;

	(void)state;
	file_good(&file);
	good = file_open(&file);
	meta.size = sizeof(meta);
	device.size = sizeof(device);
	application.size = sizeof(application);
	drmfault_dump_meta(good, 0, &meta);
	drmfault_dump_device(good, 0, &device);
	drmfault_dump_application(good, 0, &application);
	for (i = 0; i < 2; i++) {
		contexts[i].size = sizeof(contexts[i]);
		bindings[i].size = sizeof(bindings[i]);
		drmfault_dump_context(good, i, &contexts[i]);
		drmfault_dump_binding(good, i, &bindings[i]);
	}
	return 0;
}

static int empty(void **state)
{
	(void)state;
	drmfault_dump_free(good);
	return 0;
}

static struct drmfault_dump_content everything(void)
{
	return (struct drmfault_dump_content){
		.size = sizeof(struct drmfault_dump_content),
		.meta = &meta,
		.device = &device,
		.contexts = contexts,
		.context_count = 2,
		.snapshot = drmfault_dump_snapshot(good),
		.application = &application,
		.bindings = bindings,
		.binding_count = 2,
	};
}

static uint64_t size_of(const struct drmfault_dump_content *content)
{
	uint64_t size = 0;

	assert_int_equal(drmfault_dump_write(content, NULL, 0, &size), 0);
	return size;
}

/* The whole, in memory of just its size. */
static uint8_t *write_all(const struct drmfault_dump_content *content, uint64_t *size)
{
	uint8_t *bytes = malloc(size_of(content));

	assert_non_null(bytes);
	assert_int_equal(drmfault_dump_write(content, bytes, size_of(content), size), 0);
	return bytes;
}

static struct drmfault_dump *reopen(const struct drmfault_dump_content *content)
{
	struct drmfault_dump *dump = NULL;
	uint64_t size;
	uint8_t *bytes = write_all(content, &size);

	assert_int_equal(drmfault_dump_open_memory(bytes, size, &dump), 0);
	free(bytes);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	return dump;
}

/* What was read and is written is what was there. */
static void sections_are_byte_for_byte(void **state)
{
	static const size_t sections[] = {
		GOOD_META, GOOD_DEVICE,	     GOOD_CONTEXTS, GOOD_RECORDS,
		GOOD_LOST, GOOD_APPLICATION, GOOD_BINDINGS, GOOD_STRINGS
	};
	struct drmfault_dump_section section = { .size = sizeof(section) };
	struct drmfault_dump_content content = everything();
	struct drmfault_dump *dump = reopen(&content);
	size_t i;

	(void)state;
	assert_int_equal(drmfault_dump_section_count(dump), ARRAY_SIZE(sections));
	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		uint8_t *expected = file.bytes + file.at[sections[i]];

		drmfault_dump_section(dump, i, &section);
		/* A snapshot does not know of dumps that were not made. */
		if (sections[i] == GOOD_LOST)
			file_put(expected + 16, 8, 0);
		assert_int_equal(section.length, file.length[sections[i]]);
		assert_memory_equal(section.bytes, expected, section.length);
	}
	drmfault_dump_free(dump);
}

static void the_header_byte_by_byte(void **state)
{
	static const char line[] = "drm_fault dump of a drm_fault_sim GPU, read it with: drmfault "
				   "decode FILE              \n";
	struct drmfault_dump_content content = everything();
	uint64_t size;
	uint8_t *bytes = write_all(&content, &size), expected[32];

	(void)state;
	assert_int_equal(sizeof(line) - 1, 88);
	assert_memory_equal(bytes, line, 88);
	memcpy(expected, "DRMFAULT", 8);
	file_put(expected + 8, 4, 1);
	file_put(expected + 12, 4, 120);
	file_put(expected + 16, 8, size);
	file_put(expected + 24, 4, 8);
	file_put(expected + 28, 4, 0);
	assert_memory_equal(bytes + 88, expected, 28);
	memcpy(expected + 28, bytes + 116, 4);
	memset(bytes + 116, 0, 4);
	file_put(bytes + 116, 4, file_crc(bytes, 120));
	assert_memory_equal(bytes + 88, expected, 32);
	free(bytes);
}

static void any_room_gets_the_first_bytes(void **state)
{
	struct drmfault_dump_content content = everything();
	uint64_t whole, size, room;
	uint8_t *bytes = write_all(&content, &whole), *some = malloc(whole + 8);

	(void)state;
	for (room = 0; room <= whole; room++) {
		memset(some, GUARD, whole + 8);
		assert_int_equal(drmfault_dump_write(&content, some, room, &size), 0);
		assert_int_equal(size, whole);
		assert_memory_equal(some, bytes, room);
		assert_int_equal(some[room], GUARD);
		assert_int_equal(some[room + 7], GUARD);
	}
	free(some);
	free(bytes);
}

static void a_file_gets_the_same(void **state)
{
	struct drmfault_dump_content content = everything();
	char path[] = "/tmp/drmfault-dump-XXXXXX";
	uint8_t read_back[FILE_ROOM];
	uint64_t size;
	uint8_t *bytes = write_all(&content, &size);
	int fd = mkstemp(path);

	(void)state;
	unlink(path);
	assert_int_equal(drmfault_dump_write_fd(&content, fd), 0);
	assert_int_equal(pread(fd, read_back, sizeof(read_back), 0), size);
	assert_memory_equal(read_back, bytes, size);
	close(fd);
	free(bytes);
	assert_int_equal(drmfault_dump_write_fd(&content, -1), -EBADF);
	fd = open("/dev/full", O_WRONLY);
	assert_int_equal(drmfault_dump_write_fd(&content, fd), -ENOSPC);
	close(fd);
}

static void nothing_is_a_dump_too(void **state)
{
	struct drmfault_dump_content content = { .size = sizeof(content) };
	struct drmfault_dump *dump = reopen(&content);

	(void)state;
	assert_int_equal(size_of(&content), 120);
	assert_int_equal(drmfault_dump_section_count(dump), 0);
	assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)), 0);
	drmfault_dump_free(dump);
}

/* Onto one that has strings: the old offsets stay right, and so do the new ones. */
static void more_is_appended(void **state)
{
	const struct drmfault_dump_part parts[] = {
		{ DRMFAULT_DUMP_HOST, 6, "A=more" },
		{ DRMFAULT_DUMP_ENGINE, 0, "" },
	};
	struct drmfault_dump_binding binding = { .size = sizeof(binding), .name = "new one" };
	struct drmfault_dump_content content = {
		.size = sizeof(content),
		.base = good,
		.bindings = &binding,
		.binding_count = 1,
		.parts = parts,
		.part_count = 2,
	};
	struct drmfault_dump_application app = { .size = sizeof(app) };
	struct drmfault_dump *dump = reopen(&content);
	struct drmfault_dump_binding read = { .size = sizeof(read) };

	(void)state;
	assert_int_equal(drmfault_dump_section_count(dump), GOOD_SECTIONS + 3);
	assert_int_equal(drmfault_dump_application(dump, 0, &app), 0);
	assert_string_equal(app.engine_name, "motor");
	assert_int_equal(drmfault_dump_binding(dump, 1, &read), 0);
	assert_string_equal(read.name, "texels");
	assert_int_equal(drmfault_dump_binding(dump, 2, &read), 0);
	assert_string_equal(read.name, "new one");
	assert_string_equal(drmfault_dump_host(dump, 2), "A=more");
	assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)), RECORDS);
	drmfault_dump_free(dump);
}

static void damage_stays_to_be_seen(void **state)
{
	struct drmfault_dump_content content = { .size = sizeof(content) };
	struct drmfault_dump *dump, *copy = NULL;
	uint64_t size;
	uint8_t *bytes;

	(void)state;
	file.bytes[file.at[GOOD_META]] ^= 1;
	dump = file_open(&file);
	content.base = dump;
	bytes = write_all(&content, &size);
	assert_int_equal(drmfault_dump_open_memory(bytes, size, &copy), 0);
	assert_int_equal(drmfault_dump_finding_count(copy), 1);
	free(bytes);
	drmfault_dump_free(copy);
	drmfault_dump_free(dump);
}

static void what_cannot_be_is_refused(void **state)
{
	const struct drmfault_dump_part part = { DRMFAULT_DUMP_STRINGS, 1, "" };
	struct {
		struct drmfault_dump_content content;
		uint64_t newer;
	} longer = { .content = everything() };
	struct drmfault_dump_content content = everything();
	struct drmfault_dump *cut = NULL;
	uint64_t size = 42, longer_size;

	(void)state;
	longer.content.size = sizeof(longer);
	assert_int_equal(drmfault_dump_write(&longer.content, NULL, 0, &longer_size), 0);
	assert_int_equal(longer_size, size_of(&content));
	longer.newer = 1;
	assert_int_equal(drmfault_dump_write(&longer.content, NULL, 0, &size), -E2BIG);
	content.parts = &part;
	content.part_count = 1;
	assert_int_equal(drmfault_dump_write(&content, NULL, 0, &size), -EINVAL);
	content = everything();
	assert_int_equal(drmfault_dump_open_memory(file.bytes, file.size - 1, &cut), 0);
	content.base = cut;
	assert_int_equal(drmfault_dump_write(&content, NULL, 0, &size), -EINVAL);
	content.size = 0;
	assert_int_equal(drmfault_dump_write(&content, NULL, 0, &size), -EINVAL);
	assert_int_equal(size, 42);
	drmfault_dump_free(cut);
}

/* Longer records of a newer kernel, and the part of them that nobody here knows. */
static void records_keep_what_is_not_known(void **state)
{
	struct {
		struct drm_fault_record record;
		uint64_t newer[2];
	} records[2] = { { .newer = { 1, 2 } }, { .newer = { 3, 4 } } };
	struct drmfault_dump_content content = { .size = sizeof(content) };
	struct drmfault_snapshot *snapshot = NULL;
	struct drmfault_dump *dump;
	const void *bytes;
	size_t i, size;

	(void)state;
	assert_int_equal(drmfault_snapshot_from_bytes(records, sizeof(records[0]), 2, &snapshot),
			 0);
	content.snapshot = snapshot;
	dump = reopen(&content);
	for (i = 0; i < 2; i++) {
		bytes = drmfault_record_bytes(
			drmfault_snapshot_record(drmfault_dump_snapshot(dump), i), &size);
		assert_int_equal(size, sizeof(records[0]));
		assert_memory_equal(bytes, &records[i], size);
	}
	drmfault_dump_free(dump);
	drmfault_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(sections_are_byte_for_byte, fill, empty),
		cmocka_unit_test_setup_teardown(the_header_byte_by_byte, fill, empty),
		cmocka_unit_test_setup_teardown(any_room_gets_the_first_bytes, fill, empty),
		cmocka_unit_test_setup_teardown(a_file_gets_the_same, fill, empty),
		cmocka_unit_test(nothing_is_a_dump_too),
		cmocka_unit_test_setup_teardown(more_is_appended, fill, empty),
		cmocka_unit_test_setup_teardown(damage_stays_to_be_seen, fill, empty),
		cmocka_unit_test_setup_teardown(what_cannot_be_is_refused, fill, empty),
		cmocka_unit_test(records_keep_what_is_not_known),
	};

	return cmocka_run_group_tests_name("libdrmfault: writing dumps", tests, NULL, NULL);
}
