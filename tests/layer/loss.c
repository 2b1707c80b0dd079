// SPDX-License-Identifier: MIT
/* Every call that can lose the device: it returns what it returned, and one report is written. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drivers.h"

/* The queue or the device, and no other argument that means anything. */
#define CALL(name, type, arguments)                                         \
	static VkResult call_##name(void *handle, PFN_vkVoidFunction below) \
	{                                                                   \
		return ((PFN_##name)below)arguments;                        \
	}

#include "lost-calls.h"

#undef CALL
#define CALL(name, type, arguments) { #name, #type, call_##name },

static const struct {
	const char *name, *handle;
	VkResult (*call)(void *handle, PFN_vkVoidFunction below);
} calls[] = {
#include "lost-calls.h"
};

#define CALL_COUNT (sizeof(calls) / sizeof(calls[0]))

/* For these the loader itself looks into what it is given. */
static bool needs_surface(const char *name)
{
	return !strcmp(name, "vkCreateSwapchainKHR") ||
	       !strcmp(name, "vkCreateSharedSwapchainsKHR");
}

static void lose_by(struct app *app, size_t i)
{
	void *handle = strcmp(calls[i].handle, "VkQueue") ? (void *)app->device : app->queue;
	PFN_vkVoidFunction below = vkGetDeviceProcAddr(app->device, calls[i].name);
	int j;

	if (!below)
		fail_msg("there is no %s", calls[i].name);
	for (j = 0; j < 2; j++)
		if (calls[i].call(handle, below) != VK_ERROR_DEVICE_LOST)
			fail_msg("%s does not lose the device", calls[i].name);
}

static void test_each(struct app *app)
{
	const char *name = calls[drivers_row].name;
	struct drmfault_dump *dump;
	char reason[96];

	if (needs_surface(name))
		return;
	setenv("MOCK", "ext lose", 1);
	lose_by(app, drivers_row);
	dump = open_report();
	snprintf(reason, sizeof(reason), "%s returned VK_ERROR_DEVICE_LOST", name);
	assert_string_equal(host_value(dump, "reason"), reason);
	drmfault_dump_free(dump);
}

static void test_there_are_calls(void **state)
{
	(void)state;
	assert_in_range(CALL_COUNT, 20, 100);
}

static void ask_by_khr(const struct app *app)
{
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 1;

	assert_int_equal(app->ask_khr(app->device, 0, &count, &report), VK_SUCCESS);
	assert_int_equal(count, 1);
	assert_int_equal(report.flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

static void ask_by_ext(const struct app *app)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };

	assert_int_equal(app->ask_ext(app->device, &counts, NULL), VK_SUCCESS);
}

static void (*const asks[])(const struct app *app) = { ask_by_khr, ask_by_ext };

#define ASK_COUNT (sizeof(asks) / sizeof(asks[0]))

/* No call has lost the device yet: who asks learns of it, and so does the report. */
static void test_told(struct app *app)
{
	struct drmfault_dump *dump;
	char path[PATH_MAX];

	assert_int_equal(find_reports(path), 0);
	asks[drivers_row](app);
	dump = open_report();
	assert_string_equal(host_value(dump, "reason"), "the driver's reports say that it is lost");
	drmfault_dump_free(dump);
	app_lose(app, 0);
	ask_by_ext(app);
	assert_int_equal(find_reports(path), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_are_calls),
		ROWS_ON(test_each, CALL_COUNT, "ext"),
		ROWS_ON(test_told, ASK_COUNT, "khr tells"),
	};

	return cmocka_run_group_tests_name("loss", tests, NULL, NULL);
}
