// SPDX-License-Identifier: MIT
/* The filters of the drmfault command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <drm/drm_fault.h>

#include "filter.h"

static const struct drm_fault_record kernel_record = {
	.type = DRM_FAULT_RECORD_FAULT,
	.length = sizeof(struct drm_fault_record),
	.flags = DRM_FAULT_RECORD_F_FATAL | DRM_FAULT_RECORD_F_LOST,
	.count = 3,
	.address = 0x800000021000,
	.address_precision = 0x1000,
	.address_bits = 48,
	.ip = 0x10010,
	.access = DRM_FAULT_ACCESS_WRITE,
	.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
	.engine = "ring1",
	.pid = 123,
	.comm = "demo",
	.raw_count = 2,
	.raw = { 0x12, 0x34 },
};

static const struct {
	const char *filters[3];
	bool pass;
} cases[] = {
	{ { NULL }, true },
	{ { "access=write" }, true },
	{ { "access=2" }, true },
	{ { "access=read" }, false },
	{ { "access=0" }, false },
	{ { "fault=not present" }, true },
	{ { "fault=permission" }, false },
	{ { "count=3" }, true },
	{ { "count=0x3" }, true },
	{ { "count=4" }, false },
	{ { "pid=123", "access=write" }, true },
	{ { "pid=123", "access=read" }, false },
	{ { "pid=124", "access=write" }, false },
	/* An address: all bytes of the page, sign-extended or not. */
	{ { "address=0x800000021000" }, true },
	{ { "address=0x800000021fff" }, true },
	{ { "address=0xffff800000021040" }, true },
	{ { "address=0x800000022000" }, false },
	{ { "address=0x800000020fff" }, false },
	/* A pointer without a precision is none. */
	{ { "ip=0x10010" }, false },
	{ { "comm=demo" }, true },
	{ { "comm=dem" }, false },
	{ { "comm=d*" }, true },
	{ { "comm=" }, false },
	{ { "engine=ring[12]" }, true },
	{ { "flags=fatal" }, true },
	{ { "flags=fatal", "flags=lost" }, true },
	{ { "flags=guilty" }, false },
	{ { "flags=0x5" }, true },
	{ { "flags=0xd" }, false },
	{ { "raw=0x34" }, true },
	{ { "raw=0x35" }, false },
};

static bool passes(const char *const *texts, const struct drm_fault_record *kernel)
{
	struct drmfault_snapshot *snapshot;
	struct filters filters = { 0 };
	char message[256];
	size_t i;
	bool pass;

	assert_int_equal(drmfault_snapshot_from_bytes(kernel, sizeof(*kernel), 1, &snapshot), 0);
	for (i = 0; i < 3 && texts[i]; i++)
		assert_null(filters_add(&filters, texts[i], message, sizeof(message)));
	pass = filters_pass(&filters, drmfault_snapshot_record(snapshot, 0));
	drmfault_snapshot_free(snapshot);
	return pass;
}

static void filters_choose(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (passes(cases[i].filters, &kernel_record) != cases[i].pass)
			fail_msg("\"%s\" is wrong", cases[i].filters[0]);
}

static void losses_always_pass(void **state)
{
	static const char *const texts[] = { "access=write", "pid=123", NULL };
	const struct drm_fault_record lost = {
		.type = DRM_FAULT_RECORD_LOST,
		.length = sizeof(lost),
		.lost = 5,
	};

	(void)state;
	assert_true(passes(texts, &lost));
}

static const struct {
	const char *text;
	const char *complaint;
} bad_cases[] = {
	{ "access", "FIELD=VALUE" },	 { "", "FIELD=VALUE" },
	{ "acces=write", "no field" },	 { "=write", "no field" },
	{ "access=wrote", "no value" },	 { "count=many", "no value" },
	{ "count=", "no value" },	 { "count=-1", "no value" },
	{ "count=1x", "no value" },	 { "count=18446744073709551616", "no value" },
	{ "address=stack", "no value" }, { "flags=big", "no value" },
};

static void mistakes_are_explained(void **state)
{
	struct filters filters = { 0 };
	char message[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		if (!filters_add(&filters, bad_cases[i].text, message, sizeof(message)))
			fail_msg("\"%s\" is taken", bad_cases[i].text);
		assert_non_null(strstr(message, bad_cases[i].complaint));
	}
	assert_int_equal(filters.count, 0);
	for (i = 0; i < FILTERS_MAX; i++)
		assert_null(filters_add(&filters, "pid=1", message, sizeof(message)));
	assert_non_null(filters_add(&filters, "pid=1", message, sizeof(message)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_choose),
		cmocka_unit_test(losses_always_pass),
		cmocka_unit_test(mistakes_are_explained),
	};

	return cmocka_run_group_tests_name("drmfault: filters", tests, NULL, NULL);
}
