// SPDX-License-Identifier: MIT
/* Texts: the words for what happened, and what is left of them in a short room. */
#include "vulkan.h"
#include "internal.h"

static void words_are_cut_at_the_end(void **state)
{
	static const char whole[] = "ring0, ip 0x10 game";
	char room[32];
	struct text text;
	size_t size;

	(void)state;
	for (size = 1; size < sizeof(room); size++) {
		size_t length = size - 1 < strlen(whole) ? size - 1 : strlen(whole);

		memset(room, GUARD, sizeof(room));
		text_begin(&text, room, size);
		text_add(&text, "%s, ", "ring0");
		text_add(&text, "ip 0x%x ", 0x10);
		text_add_name(&text, "game");
		assert_int_equal(strlen(room), length);
		assert_memory_equal(room, whole, length);
		vulkan_assert_untouched(room + size, sizeof(room) - size);
	}
}

static void names_are_cut_between_characters(void **state)
{
	static const char whole[] = "a\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80z";
	static const size_t ends[] = { 0, 1, 3, 6, 10, 11 };
	char room[32];
	struct text text;
	size_t size, i, length;

	(void)state;
	for (size = 1; size < sizeof(room); size++) {
		for (i = 0, length = 0; i < ARRAY_SIZE(ends); i++)
			if (ends[i] < size)
				length = ends[i];
		memset(room, GUARD, sizeof(room));
		text_begin(&text, room, size);
		text_add_name(&text, whole);
		assert_int_equal(strlen(room), length);
		assert_memory_equal(room, whole, length);
		vulkan_assert_untouched(room + size, sizeof(room) - size);
	}
}

/* First and last of each length, and what is right beside them. */
static const struct {
	const char *name, *shown;
} name_cases[] = {
	{ "", "" },
	{ " ~\x1f\x7f", " ~??" },
	{ "\xc1\xbf", "??" },
	{ "\xc2\x9f", "??" },
	{ "\xc2\xa0", "\xc2\xa0" },
	{ "\xdf\xbf", "\xdf\xbf" },
	{ "\xdf\xc0", "??" },
	{ "\xe0\x9f\xbf", "???" },
	{ "\xe0\xa0\x80", "\xe0\xa0\x80" },
	{ "\xe0\xa0\xc0", "???" },
	{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
	{ "\xed\xa0\x80", "???" },
	{ "\xee\x80\x80", "\xee\x80\x80" },
	{ "\xf0\x8f\xbf\xbf", "????" },
	{ "\xf0\x90\x80\x80", "\xf0\x90\x80\x80" },
	{ "\xf0\x90\x80x", "???x" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
	{ "\xf4\x90\x80\x80", "????" },
	{ "\xf5\x80\x80\x80", "????" },
	{ "\xe6\x97", "??" },
	{ "\xf0\x9f\x98", "???" },
};

static void names_are_utf8(void **state)
{
	struct text text;
	char room[16];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(name_cases); i++) {
		memset(room, GUARD, sizeof(room));
		text_begin(&text, room, sizeof(room));
		text_add_name(&text, name_cases[i].name);
		assert_string_equal(room, name_cases[i].shown);
	}
}

static const char *const access_cases[] = {
	[DRM_FAULT_ACCESS_UNKNOWN] = "GPU page fault: access to 0x1000 (permission), ring0",
	[DRM_FAULT_ACCESS_READ] = "GPU page fault: read from 0x1000 (permission), ring0",
	[DRM_FAULT_ACCESS_WRITE] = "GPU page fault: write to 0x1000 (permission), ring0",
	[DRM_FAULT_ACCESS_EXECUTE] = "GPU page fault: execute at 0x1000 (permission), ring0",
	[DRM_FAULT_ACCESS_ATOMIC] = "GPU page fault: atomic at 0x1000 (permission), ring0",
	[DRM_FAULT_ACCESS_ATOMIC + 1] = "GPU page fault: access to 0x1000 (permission), ring0",
};

static void every_access_has_words(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	uint32_t i;

	(void)state;
	record.address = 0x1000;
	record.fault_type = DRM_FAULT_TYPE_PERMISSION;
	record.ip_type = 0;
	for (i = 0; i < ARRAY_SIZE(access_cases); i++) {
		record.access = i;
		vulkan_ask_record(&record, &answer);
		assert_string_equal(answer.info.description, access_cases[i]);
	}
}

static void engines_without_a_name_have_their_class(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.type = DRM_FAULT_RECORD_TIMEOUT;
	record.ip = 0x800000000008;
	record.engine[0] = '\0';
	record.engine_instance = 3;
	vulkan_ask_record(&record, &answer);
	assert_string_equal(answer.info.description,
			    "GPU job timeout: compute3, ip 0xffff800000000008; no page fault");
}

/* Of a fault that has no owner. */
static void what_is_not_known_has_no_words(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.pid = 0;
	record.ip_type = 0;
	vulkan_ask_record(&record, &answer);
	assert_non_null(strstr(answer.vendors[0].description, "at 12.345678 s game"));
	memset(record.comm, 0, sizeof(record.comm));
	vulkan_ask_record(&record, &answer);
	assert_string_equal(answer.vendors[0].description,
			    "GPU page fault: write to 0xffff800101600040 (not present), ring0, "
			    "level 1, count 3, at 12.345678 s");
}

static void assert_zeros_behind(const char description[VK_MAX_DESCRIPTION_SIZE])
{
	size_t i;

	for (i = strlen(description); i < VK_MAX_DESCRIPTION_SIZE; i++)
		assert_int_equal(description[i], 0);
}

/* Answers are compared and saved as they are, so all bytes of a description are the library's. */
static void zeros_lie_behind_descriptions(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	vulkan_ask_record(&record, &answer);
	assert_zeros_behind(answer.info.description);
	assert_zeros_behind(answer.vendors[0].description);
}

/* Only the low byte of the flags is in the code. */
static void newer_flags_hide_none_of_the_known(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.flags = 0x100 | DRM_FAULT_RECORD_F_FATAL;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdf04000201020101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_cut_at_the_end),
		cmocka_unit_test(names_are_cut_between_characters),
		cmocka_unit_test(names_are_utf8),
		cmocka_unit_test(every_access_has_words),
		cmocka_unit_test(engines_without_a_name_have_their_class),
		cmocka_unit_test(what_is_not_known_has_no_words),
		cmocka_unit_test(zeros_lie_behind_descriptions),
		cmocka_unit_test(newer_flags_hide_none_of_the_known),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: texts", tests, NULL, NULL);
}
