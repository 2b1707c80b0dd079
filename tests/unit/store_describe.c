// SPDX-License-Identifier: MIT
/* What a dump tells of itself, and by what repeats of it are known. */
#include <stdlib.h>

#include "describe.h"
#include "dump.h"

#define AT(member) offsetof(struct drm_fault_record, member)

static struct file file;

static uint8_t *record_at(size_t i)
{
	return file.bytes + file.at[GOOD_RECORDS] + 8 + i * sizeof(struct drm_fault_record);
}

static void set(size_t i, size_t offset, size_t width, uint64_t value)
{
	file_put(record_at(i) + offset, width, value);
}

static uint8_t *binding_at(size_t i)
{
	return file.bytes + file.at[GOOD_BINDINGS] + 8 + i * 56;
}

/* A good one, but for objects that are far away. */
static void start(void)
{
	file_good(&file);
	file_put(binding_at(0), 8, 0x400000000000);
	file_put(binding_at(1), 8, 0x400000000000);
}

static const char *fingerprint(void)
{
	static char text[FINGERPRINT_SIZE];
	struct drmfault_dump *dump;

	file_end(&file);
	dump = file_open(&file);
	fingerprint_of_dump(dump, text);
	drmfault_dump_free(dump);
	return text;
}

/* Without the hash, which is a word of eight digits. */
static void expect_words(const char *words)
{
	const char *text = fingerprint();

	assert_int_equal(strlen(text), strlen(words) + 9);
	assert_memory_equal(text, words, strlen(words));
	assert_int_equal(text[strlen(words)], ' ');
	assert_int_equal(strspn(text + strlen(words) + 1, "0123456789abcdef"), 8);
}

static void set_address(uint64_t address, uint32_t bits)
{
	start();
	set(0, AT(address), 8, address);
	set(0, AT(address_bits), 4, bits);
	set(0, AT(engine_class), 4, DRM_FAULT_ENGINE_COMPUTE);
}

static void test_words(void **state)
{
	(void)state;
	set_address(0x800101600040, 0);
	expect_words("drm_fault_sim/write/not-present/compute/middle");
	set_address(0x800101600040, 48);
	expect_words("drm_fault_sim/write/not-present/compute/high");
	set_address(0xffff, 48);
	expect_words("drm_fault_sim/write/not-present/compute/null");
	set_address(0x10000, 48);
	expect_words("drm_fault_sim/write/not-present/compute/low");
	set_address(0xffffffff, 48);
	expect_words("drm_fault_sim/write/not-present/compute/low");
	set_address(0x100000000, 48);
	expect_words("drm_fault_sim/write/not-present/compute/middle");
	set(0, AT(address_precision), 8, 0);
	expect_words("drm_fault_sim/write/not-present/compute/none");
}

static void set_near(uint64_t distance, bool unbound)
{
	set_address(0x200000000 + distance, 48);
	file_put(binding_at(0), 8, 0x200000000);
	file_put(binding_at(0) + 8, 8, 0x1000);
	file_put(binding_at(0) + 24, 8, unbound ? 7 : 0);
}

static void test_objects(void **state)
{
	(void)state;
	set_near(0xfff, false);
	expect_words("drm_fault_sim/write/not-present/compute/in-object");
	set_near(0, true);
	expect_words("drm_fault_sim/write/not-present/compute/freed-object");
	set_near(0x1000, false);
	expect_words("drm_fault_sim/write/not-present/compute/past-object");
	set_near(0x1000 + 0xffff, false);
	expect_words("drm_fault_sim/write/not-present/compute/past-object");
	set_near(0x1000 + 0x10000, false);
	expect_words("drm_fault_sim/write/not-present/compute/middle");
	set_near(UINT64_MAX, false);
	expect_words("drm_fault_sim/write/not-present/compute/middle");
}

/* Another boot, address, time and process: the same thing went wrong. */
static void test_repeats_are_the_same(void **state)
{
	char first[FINGERPRINT_SIZE];

	(void)state;
	set_address(0x200000000, 48);
	strcpy(first, fingerprint());
	set_address(0x277777000, 48);
	memcpy(file.bytes + file.at[GOOD_META] + 16, "ffffffff", 8);
	set(0, AT(timestamp_ns), 8, 1);
	set(0, AT(pid), 4, 9);
	set(0, AT(engine_instance), 4, 3);
	assert_string_equal(fingerprint(), first);
	set(0, AT(access), 4, DRM_FAULT_ACCESS_READ);
	assert_string_not_equal(fingerprint(), first);
}

/* The first in time counts, wherever it stands; a hang only where there is no fault. */
static void test_which_record(void **state)
{
	(void)state;
	set_address(0x200000000, 48);
	set(1, AT(timestamp_ns), 8, 5);
	set(1, AT(access), 4, DRM_FAULT_ACCESS_READ);
	set(1, AT(address), 8, 0);
	set(1, AT(engine_class), 4, DRM_FAULT_ENGINE_COPY);
	set(2, AT(timestamp_ns), 8, 1);
	expect_words("drm_fault_sim/read/not-present/copy/null");
	set(0, 0, 4, DRM_FAULT_RECORD_RESET);
	set(1, 0, 4, DRM_FAULT_RECORD_RESET);
	set(2, AT(engine_class), 4, DRM_FAULT_ENGINE_RENDER);
	expect_words("drm_fault_sim/timeout/render");
}

static json_t *describe(json_t *meta)
{
	file_end(&file);
	assert_int_equal(describe_dump(meta, file.bytes, file.size), 0);
	return meta;
}

static void assert_json(json_t *json, const char *expected)
{
	json_t *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);
	char *text;

	assert_non_null(wanted);
	if (!json_equal(json, wanted)) {
		text = json_dumps(json, JSON_ENCODE_ANY);
		fail_msg("it is %s and not %s", text, expected);
	}
	json_decref(wanted);
}

static void test_meta(void **state)
{
	json_t *meta;

	(void)state;
	set_address(0x200000000, 48);
	set(0, AT(context_id), 8, 0x100000001);
	set(2, AT(pid), 4, 77);
	meta = describe(json_pack("{s:s}", "kernel", "other"));
	/* What was known before stays. */
	assert_json(json_object_get(meta, "kernel"), "\"other\"");
	assert_json(json_object_get(meta, "machine"), "\"x86_64\"");
	assert_json(json_object_get(meta, "format"), "\"drm_fault\"");
	assert_json(json_object_get(meta, "driver"), "\"drm_fault_sim\"");
	assert_json(json_object_get(meta, "gpu"), "\"gpu7\"");
	assert_json(json_object_get(meta, "bus"), "\"0000:03:00.0\"");
	assert_json(json_object_get(meta, "pci_id"), "\"1002:73bf\"");
	assert_json(json_object_get(meta, "boot_id"), "\"0123456789abcdef0123456789abcdef\"");
	assert_json(json_object_get(meta, "process"),
		    "{\"pid\": 4242, \"uid\": 1000, \"comm\": \"game\"}");
	assert_json(json_object_get(meta, "fault"),
		    "{\"access\": \"write\", \"type\": \"not present\", \"engine\": \"compute\", "
		    "\"address\": \"0x200000000\", \"relation\": \"middle\", \"events\": 12, "
		    "\"records\": 3, \"dumps_skipped\": 5}");
	/* Whose job hung is told apart from whose memory it was. */
	assert_json(json_object_get(meta, "hang"),
		    "{\"pid\": 77, \"comm\": \"game\", \"ring\": \"ring0\"}");
	assert_null(json_object_get(meta, "damage"));
	assert_string_equal(meta_kind(meta), "not present");
	json_decref(meta);
}

static void test_meta_of_a_hang(void **state)
{
	json_t *meta;

	(void)state;
	start();
	set(0, 0, 4, DRM_FAULT_RECORD_RESET);
	set(1, 0, 4, DRM_FAULT_RECORD_RESET);
	/* Of a context that the dump does not have: the record is all there is. */
	set(0, AT(context_id), 8, 99);
	meta = describe(json_object());
	assert_null(json_object_get(meta, "fault"));
	assert_json(json_object_get(meta, "process"), "{\"pid\": 4242, \"comm\": \"game\"}");
	assert_string_equal(meta_kind(meta), "timeout");
	json_decref(meta);
}

static void test_meta_of_a_damaged_one(void **state)
{
	json_t *meta = json_object();

	(void)state;
	start();
	file_end(&file);
	assert_int_equal(describe_dump(meta, file.bytes,
				       file.at[GOOD_RECORDS] + 8 + sizeof(struct drm_fault_record)),
			 0);
	assert_json(json_object_get(meta, "damage"), "[\"cut off\", \"cut off\"]");
	assert_non_null(json_object_get(meta, "fingerprint"));
	json_decref(meta);
}

/* A name that is not UTF-8 is no reason to lose a dump. */
static void test_meta_is_utf8(void **state)
{
	json_t *meta;
	char *text;

	(void)state;
	start();
	memcpy(file.bytes + file.at[GOOD_DEVICE] + 56, "\xff\xfe", 2);
	meta = describe(json_object());
	assert_json(json_object_get(meta, "driver"), "\"??m_fault_sim\"");
	text = json_dumps(meta, 0);
	assert_non_null(text);
	free(text);
	json_decref(meta);
}

static const char *of_text(const char *driver, const char *text)
{
	static char print[FINGERPRINT_SIZE];

	fingerprint_of_text(driver, text, strlen(text), print);
	return print;
}

#define AMDGPU(time, process, address, status)                                                  \
	"**** AMDGPU Device Coredump ****\nversion: 1\nkernel: 6.12." time "\nmodule: amdgpu\n" \
	"time: " time ".25\nprocess_name: " process "\n\n[gfxhub] Page fault observed\n"        \
	"Faulty page starting at address: 0x" address                                           \
	"\nProtection fault status register: 0x" status "\n"

static void test_text(void **state)
{
	char first[FINGERPRINT_SIZE];

	(void)state;
	strcpy(first, of_text("amdgpu", AMDGPU("1", "game", "0000800101600000", "401031")));
	assert_memory_equal(first, "amdgpu/text ", 12);
	assert_string_equal(first, of_text("amdgpu", AMDGPU("5", "tool", "deadbeef000", "301031")));
	assert_string_not_equal(first, of_text("xe", AMDGPU("1", "game", "1000", "401031")));
	assert_string_not_equal(first, of_text("amdgpu", "**** AMDGPU Device Coredump ****\n"
							 "version: 1\nring timeout\n"));
	assert_memory_equal(of_text(NULL, ""), "unknown/text ", 13);
}

static void test_other_formats(void **state)
{
	static const uint8_t binary[64] = "PANF";
	json_t *meta = json_pack("{s:s}", "driver", "panfrost");

	(void)state;
	assert_int_equal(describe_dump(meta, binary, sizeof(binary)), 0);
	assert_json(json_object_get(meta, "format"), "\"binary\"");
	assert_memory_equal(json_string_value(json_object_get(meta, "fingerprint")),
			    "panfrost/binary ", 16);
	json_object_clear(meta);
	assert_int_equal(describe_dump(meta, "a text\n", 7), 0);
	assert_json(json_object_get(meta, "format"), "\"text\"");
	assert_string_equal(meta_kind(meta), "unknown");
	json_object_clear(meta);
	assert_int_equal(describe_dump(meta, "", 0), 0);
	assert_json(json_object_get(meta, "format"), "\"text\"");
	json_decref(meta);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_repeats_are_the_same),
		cmocka_unit_test(test_which_record),
		cmocka_unit_test(test_meta),
		cmocka_unit_test(test_meta_of_a_hang),
		cmocka_unit_test(test_meta_of_a_damaged_one),
		cmocka_unit_test(test_meta_is_utf8),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_other_formats),
	};

	return cmocka_run_group_tests_name("what dumps tell", tests, NULL, NULL);
}
