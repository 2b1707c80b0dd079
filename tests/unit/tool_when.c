// SPDX-License-Identifier: MIT
/* Moments as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "when.h"

#define S INT64_C(1000000)
/* Tuesday, 2023-11-14 22:13:20 UTC */
#define NOW (1700000000 * S + 250000)
#define DAY (86400 * S)
/* 2023-11-14 00:00:00 UTC */
#define MIDNIGHT (1699920000 * S)

static const struct {
	const char *text;
	int64_t when;
} good[] = {
	{ "now", NOW },
	{ " now", NOW },
	{ "today", MIDNIGHT },
	{ "yesterday", MIDNIGHT - DAY },
	{ "tomorrow", MIDNIGHT + DAY },
	{ "2023-11-14", MIDNIGHT },
	{ "2023-11-14 01:00", MIDNIGHT + 3600 * S },
	{ "2023-11-14 01:00:05", MIDNIGHT + 3605 * S },
	{ "2023-11-14T01:00:05", MIDNIGHT + 3605 * S },
	{ "2023-11-14T01:00:05Z", MIDNIGHT + 3605 * S },
	{ "01:00", MIDNIGHT + 3600 * S },
	{ "01:00:05", MIDNIGHT + 3605 * S },
	{ "-1h", NOW - 3600 * S },
	{ "+1h", NOW + 3600 * S },
	{ "-1h 30min", NOW - 5400 * S },
	{ "-1h30min", NOW - 5400 * S },
	{ "2 hours ago", NOW - 7200 * S },
	{ "2h ago", NOW - 7200 * S },
	{ "3days ago", NOW - 3 * DAY },
	{ "1week ago", NOW - 7 * DAY },
	{ "1M ago", NOW - 30 * DAY },
	{ "5m ago", NOW - 300 * S },
	{ "@1700000000", 1700000000 * S },
	{ "@1700000000.5", 1700000000 * S + S / 2 },
};

static const char *const bad[] = {
	"",
	"soon",
	"1h",
	"2h agoo",
	"-",
	"-1",
	"-1x",
	"2023-13-01",
	"2023-11-14 25:00",
	"2023-11-14 01:00 CET",
	"@",
	"@x",
	"@1x",
	"ago",
	"-99999999999999999999h",
	"@1e300",
	"12",
	"-1h ago",
};

static void test_good(void **state)
{
	int64_t when;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		when = 0;
		if (!parse_when(good[i].text, NOW, &when) || when != good[i].when)
			fail_msg("\"%s\" is %lld and not %lld", good[i].text, (long long)when,
				 (long long)good[i].when);
	}
}

static void test_bad(void **state)
{
	int64_t when;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse_when(bad[i], NOW, &when))
			fail_msg("\"%s\" is taken for %lld", bad[i], (long long)when);
}

static void test_time_zone(void **state)
{
	int64_t when;

	(void)state;
	setenv("TZ", "XYZ-2", 1);
	tzset();
	assert_true(parse_when("2023-11-14 02:00", NOW, &when));
	assert_int_equal(when, MIDNIGHT);
	/* There it is past midnight. */
	assert_true(parse_when("today", NOW, &when));
	assert_int_equal(when, MIDNIGHT + 22 * 3600 * S);
	assert_true(parse_when("2023-11-14T00:00:00Z", NOW, &when));
	assert_int_equal(when, MIDNIGHT);
	setenv("TZ", "UTC", 1);
	tzset();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_time_zone),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
