// SPDX-License-Identifier: MIT
/* Dumps that are damaged, or made to do damage. */
#include <errno.h>
#include <stdlib.h>

#include "dump.h"
#include "dump_ask.h"

static struct file file;

static int fill(void **state)
{
	(void)state;
	file_good(&file);
	return 0;
}

static size_t whole_records(size_t size)
{
	size_t first = file.at[GOOD_RECORDS] + 8, n;

	if (size < first)
		return 0;
	n = (size - first) / sizeof(struct drm_fault_record);
	return n < RECORDS ? n : RECORDS;
}

/* Each into memory of just that size, so that a sanitizer sees what is beyond. */
static void cut_off_at_every_byte(void **state)
{
	struct drmfault_dump *dump;
	uint8_t *bytes;
	size_t size;
	int ret;

	(void)state;
	for (size = 0; size < file.size; size++) {
		bytes = malloc(size ? size : 1);
		memcpy(bytes, file.bytes, size);
		ret = drmfault_dump_open_memory(bytes, size, &dump);
		free(bytes);
		assert_int_equal(ret, size < 96 ? -EBADMSG : 0);
		if (ret)
			continue;
		assert_true(drmfault_dump_finding_count(dump) > 0);
		assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)),
				 whole_records(size));
		assert_true(dump_ask_everything(dump) != UINT64_MAX);
		drmfault_dump_free(dump);
	}
}

static void a_vendor_binary_cut_off_at_every_byte(void **state)
{
	struct drmfault_dump *dump;
	size_t size;
	int ret;

	(void)state;
	file_vendor_binary(&file);
	for (size = 0; size < file.size; size++) {
		ret = drmfault_dump_open_memory(file.bytes, size, &dump);
		assert_int_equal(ret, size < file.start + 96 ? -EBADMSG : 0);
		if (ret)
			continue;
		assert_true(drmfault_dump_finding_count(dump) > 0);
		assert_true(dump_ask_everything(dump) != UINT64_MAX);
		drmfault_dump_free(dump);
	}
}

/* Bytes that no checksum is of: type, flags and padding of a section's header. */
static bool is_unprotected(size_t at)
{
	size_t i;

	for (i = 0; i < file.sections; i++)
		if (at >= file.at[i] - 24 && at < file.at[i] &&
		    (at < file.at[i] - 16 || at >= file.at[i] - 4))
			return true;
	return false;
}

static void each_byte_that_changes_is_noticed(void **state)
{
	static const uint8_t changes[] = { 0x01, 0x80, 0xff };
	struct drmfault_dump *dump;
	size_t at, i;
	int ret;

	(void)state;
	for (at = 0; at < file.size; at++) {
		for (i = 0; i < ARRAY_SIZE(changes); i++) {
			file.bytes[at] ^= changes[i];
			ret = drmfault_dump_open_memory(file.bytes, file.size, &dump);
			file.bytes[at] ^= changes[i];
			if (ret) {
				assert_in_range(at, 88, 99);
				continue;
			}
			if (!is_unprotected(at) && !drmfault_dump_finding_count(dump))
				fail_msg("byte %zu is another, and nobody says so", at);
			assert_true(dump_ask_everything(dump) != UINT64_MAX);
			drmfault_dump_free(dump);
		}
	}
}

static void what_is_no_dump_is_refused(void **state)
{
	struct drmfault_dump *dump = NULL;
	uint8_t magic[8];
	size_t i;

	(void)state;
	assert_int_equal(drmfault_dump_open_memory(NULL, 0, &dump), -EBADMSG);
	assert_int_equal(drmfault_dump_open_memory("**** AMDGPU Device Coredump ****", 32, &dump),
			 -EBADMSG);
	/* Written by a machine that does not know the right order of bytes. */
	memcpy(magic, file.bytes + 88, 8);
	for (i = 0; i < 8; i++)
		file.bytes[88 + i] = magic[7 - i];
	assert_int_equal(drmfault_dump_open_memory(file.bytes, file.size, &dump), -EBADMSG);
	assert_null(dump);
}

static void a_future_version_is_refused(void **state)
{
	struct drmfault_dump *dump = NULL;

	(void)state;
	file_put(file.bytes + 96, 4, 2);
	assert_int_equal(drmfault_dump_open_memory(file.bytes, file.size, &dump), -EPROTONOSUPPORT);
	assert_null(dump);
}

/* Values that a member gets, where the checksums are made right again. */
static const struct {
	uint32_t section;
	/* In the payload, or from the end of the section's header back. */
	int at;
	size_t width;
	uint64_t value;
	enum drmfault_dump_damage damage;
	size_t records;
} wrong_values[] = {
	{ GOOD_RECORDS, 0, 4, 0, DRMFAULT_DAMAGE_TABLE, 0 },
	{ GOOD_RECORDS, 0, 4, 4, DRMFAULT_DAMAGE_TABLE, 0 },
	{ GOOD_RECORDS, 0, 4, 12, DRMFAULT_DAMAGE_TABLE, 0 },
	{ GOOD_RECORDS, 0, 4, UINT32_MAX - 7, DRMFAULT_DAMAGE_TABLE, 0 },
	{ GOOD_RECORDS, 0, 4, 272, DRMFAULT_DAMAGE_TABLE, 2 },
	{ GOOD_RECORDS, 4, 4, 0, DRMFAULT_DAMAGE_TABLE, 0 },
	{ GOOD_RECORDS, 4, 4, 2, DRMFAULT_DAMAGE_TABLE, 2 },
	{ GOOD_RECORDS, 4, 4, 4, DRMFAULT_DAMAGE_TABLE, RECORDS },
	{ GOOD_RECORDS, 4, 4, UINT32_MAX, DRMFAULT_DAMAGE_TABLE, RECORDS },
	{ GOOD_CONTEXTS, 4, 4, UINT32_MAX, DRMFAULT_DAMAGE_TABLE, RECORDS },
	{ GOOD_BINDINGS, 0, 4, 48, DRMFAULT_DAMAGE_TABLE, RECORDS },
	{ GOOD_BINDINGS, 8 + 48, 4, 53, DRMFAULT_DAMAGE_NAME, RECORDS },
	{ GOOD_BINDINGS, 8 + 48, 4, UINT32_MAX, DRMFAULT_DAMAGE_NAME, RECORDS },
	{ GOOD_APPLICATION, 0, 4, UINT32_MAX, DRMFAULT_DAMAGE_NAME, RECORDS },
	{ GOOD_APPLICATION, 52, 4, 1000, DRMFAULT_DAMAGE_NAME, RECORDS },
	{ GOOD_STRINGS, 0, 1, 'x', DRMFAULT_DAMAGE_STRINGS, RECORDS },
	{ GOOD_STRINGS, 51, 1, 'x', DRMFAULT_DAMAGE_STRINGS, RECORDS },
	{ GOOD_HOST, 0, 1, '=', DRMFAULT_DAMAGE_HOST, RECORDS },
	{ GOOD_HOST, 8, 1, '-', DRMFAULT_DAMAGE_HOST, RECORDS },
	{ GOOD_HOST, 9, 1, 0, DRMFAULT_DAMAGE_HOST, RECORDS },
	{ GOOD_ENGINE, 22, 1, 1, DRMFAULT_DAMAGE_GAP, RECORDS },
};

static bool has_finding(const struct drmfault_dump *dump, enum drmfault_dump_damage damage,
			uint32_t section)
{
	struct drmfault_dump_finding finding = { .size = sizeof(finding) };
	size_t i;

	for (i = 0; !drmfault_dump_finding(dump, i, &finding); i++)
		if (finding.damage == damage && finding.section == section)
			return true;
	return false;
}

static void wrong_values_are_named(void **state)
{
	struct drmfault_dump *dump;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(wrong_values); i++) {
		file_good(&file);
		file_put(file.bytes + file.at[wrong_values[i].section] + wrong_values[i].at,
			 wrong_values[i].width, wrong_values[i].value);
		file_end(&file);
		dump = file_open(&file);
		if (!has_finding(dump, wrong_values[i].damage, wrong_values[i].section))
			fail_msg("case %zu: not found", i);
		assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)),
				 wrong_values[i].records);
		assert_true(dump_ask_everything(dump) != UINT64_MAX);
		drmfault_dump_free(dump);
	}
}

static const uint64_t lengths[] = { UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 23,
				    INT64_MAX,	UINT32_MAX,	FILE_ROOM };

static void huge_lengths_are_cut_off(void **state)
{
	struct drmfault_dump *dump;
	size_t i, s;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (s = 0; s < GOOD_SECTIONS; s++) {
			file_good(&file);
			file_put(file.bytes + file.at[s] - 16, 8, lengths[i]);
			dump = file_open(&file);
			assert_true(has_finding(dump, DRMFAULT_DAMAGE_CUT_OFF, (uint32_t)s));
			assert_int_equal(drmfault_dump_section_count(dump), s + 1);
			assert_true(dump_ask_everything(dump) != UINT64_MAX);
			drmfault_dump_free(dump);
		}
	}
}

/* A length that ends within another section makes what follows another one. */
static void short_lengths_do_no_harm(void **state)
{
	struct drmfault_dump *dump;
	size_t s, length;

	(void)state;
	for (s = 0; s < GOOD_SECTIONS; s++) {
		for (length = 0; length < file.length[s]; length++) {
			file_good(&file);
			file_put(file.bytes + file.at[s] - 16, 8, length);
			dump = file_open(&file);
			assert_true(drmfault_dump_finding_count(dump) > 0);
			assert_true(dump_ask_everything(dump) != UINT64_MAX);
			drmfault_dump_free(dump);
		}
	}
}

static void header_sizes(void **state)
{
	static const uint32_t sizes[] = { 0, 8, 112, 121, 124, UINT32_MAX, UINT32_MAX - 7 };
	struct drmfault_dump *dump;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		file_put(file.bytes + 100, 4, sizes[i]);
		dump = file_open(&file);
		assert_true(has_finding(dump, DRMFAULT_DAMAGE_HEADER, DRMFAULT_DUMP_HEADER));
		assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)), RECORDS);
		assert_true(dump_ask_everything(dump) != UINT64_MAX);
		drmfault_dump_free(dump);
	}
}

static void more_than_there_should_be(void **state)
{
	(void)state;
	file.size += 3;
	file_expect(&file, DRMFAULT_DAMAGE_TRAILING, DRMFAULT_DUMP_HEADER);
	file.size += 5;
	file_end(&file);
	file_expect(&file, DRMFAULT_DAMAGE_TRAILING, DRMFAULT_DUMP_HEADER);
	file_good(&file);
	file.sections++;
	file_put(file.bytes + 112, 4, file.sections);
	file_put(file.bytes + 116, 4, 0);
	file_put(file.bytes + 116, 4, file_crc(file.bytes, 120));
	file_expect(&file, DRMFAULT_DAMAGE_SECTION_COUNT, DRMFAULT_DUMP_HEADER);
}

static void strings_come_once(void **state)
{
	(void)state;
	file_add(&file, DRM_FAULT_DUMP_STRINGS, "\0more", 6);
	file_end(&file);
	file_expect(&file, DRMFAULT_DAMAGE_STRINGS, GOOD_SECTIONS);
	file_begin(&file);
	file_add(&file, DRM_FAULT_DUMP_STRINGS, "", 0);
	file_end(&file);
	file_expect(&file, DRMFAULT_DAMAGE_STRINGS, 0);
}

/* Empty sections, so many that each would cost more memory than it is long. */
static void too_many_sections(void **state)
{
	const size_t count = 100000, size = 120 + 24 * count;
	struct drmfault_dump *dump = NULL;
	uint8_t *bytes = calloc(1, size);

	(void)state;
	memcpy(bytes, file.bytes, 120);
	file_put(bytes + 104, 8, size);
	file_put(bytes + 112, 4, count);
	file_put(bytes + 116, 4, 0);
	file_put(bytes + 116, 4, file_crc(bytes, 120));
	assert_int_equal(drmfault_dump_open_memory(bytes, size, &dump), 0);
	assert_true(has_finding(dump, DRMFAULT_DAMAGE_TOO_MUCH, DRMFAULT_DUMP_HEADER));
	assert_int_equal(drmfault_dump_section_count(dump), 4096);
	assert_true(dump_ask_everything(dump) != UINT64_MAX);
	drmfault_dump_free(dump);
	/* And each of them wrong. */
	memset(bytes + 120, 0, size - 120);
	for (size_t i = 0; i < count; i++)
		file_put(bytes + 120 + 24 * i + 16, 4, 1);
	assert_int_equal(drmfault_dump_open_memory(bytes, size, &dump), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 1024);
	drmfault_dump_free(dump);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(cut_off_at_every_byte, fill),
		cmocka_unit_test(a_vendor_binary_cut_off_at_every_byte),
		cmocka_unit_test_setup(each_byte_that_changes_is_noticed, fill),
		cmocka_unit_test_setup(what_is_no_dump_is_refused, fill),
		cmocka_unit_test_setup(a_future_version_is_refused, fill),
		cmocka_unit_test(wrong_values_are_named),
		cmocka_unit_test(huge_lengths_are_cut_off),
		cmocka_unit_test_setup(short_lengths_do_no_harm, fill),
		cmocka_unit_test_setup(header_sizes, fill),
		cmocka_unit_test_setup(more_than_there_should_be, fill),
		cmocka_unit_test_setup(strings_come_once, fill),
		cmocka_unit_test_setup(too_many_sections, fill),
	};

	return cmocka_run_group_tests_name("libdrmfault: damaged dumps", tests, NULL, NULL);
}
