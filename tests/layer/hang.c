// SPDX-License-Identifier: MIT
/* The watchdog: drivers that hang instead of losing the device, and programs that only idle. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"
#include "place.h"

#define COUNT(array) (sizeof(array) / sizeof(array[0]))
#define ENOUGH_NS    50000000
#define TURNS_MOST   10000

struct work {
	struct app app;
	VkFence fence;
	VkSemaphore semaphore;
};

static void work_open(struct work *work, const char *mock, const char *watchdog_ms)
{
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkSemaphoreTypeCreateInfo timeline = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
	};
	const VkSemaphoreCreateInfo semaphore = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &timeline,
	};

	setenv("DRMFAULT_LAYER_WATCHDOG_MS", watchdog_ms, 1);
	app_start(&work->app, mock);
	unsetenv("DRMFAULT_LAYER_WATCHDOG_MS");
	assert_int_equal(vkCreateFence(work->app.device, &fence, NULL, &work->fence), VK_SUCCESS);
	assert_int_equal(vkCreateSemaphore(work->app.device, &semaphore, NULL, &work->semaphore),
			 VK_SUCCESS);
}

/* What is written now is not written any more later. */
static void work_close(struct work *work)
{
	vkDestroyFence(work->app.device, work->fence, NULL);
	vkDestroySemaphore(work->app.device, work->semaphore, NULL);
	app_close(&work->app, NULL);
}

static void submit(struct work *work)
{
	const uint64_t value = 1;
	const VkTimelineSemaphoreSubmitInfo timeline = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &value,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &timeline,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &work->semaphore,
	};

	assert_int_equal(vkQueueSubmit(work->app.queue, 1, &info, work->fence), VK_SUCCESS);
}

static VkResult ask_status(struct work *work)
{
	return vkGetFenceStatus(work->app.device, work->fence);
}

static VkResult ask_fences(struct work *work)
{
	return vkWaitForFences(work->app.device, 1, &work->fence, VK_TRUE, 0);
}

static VkResult ask_value(struct work *work)
{
	uint64_t value;

	assert_int_equal(vkGetSemaphoreCounterValue(work->app.device, work->semaphore, &value),
			 VK_SUCCESS);
	return value ? VK_SUCCESS : VK_NOT_READY;
}

static VkResult ask_semaphores(struct work *work)
{
	const uint64_t value = 1;
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &work->semaphore,
		.pValues = &value,
	};

	return vkWaitSemaphores(work->app.device, &info, 0);
}

static const struct {
	const char *call;
	VkResult (*ask)(struct work *work);
} polls[] = {
	{ "vkGetFenceStatus", ask_status },
	{ "vkWaitForFences", ask_fences },
	{ "vkGetSemaphoreCounterValue", ask_value },
	{ "vkWaitSemaphores", ask_semaphores },
};

static void expect_hang(const char *reason)
{
	static char text[TEXT_MAX];
	struct drmfault_dump *dump = open_report();

	assert_string_equal(host_value(dump, "reason"), reason);
	drmfault_dump_free(dump);
	read_summary(text);
	assert_non_null(strstr(text, "seems to hang"));
}

/* The wait ends only when the summary is there. */
static void test_wait(void **state)
{
	struct app app;

	(void)state;
	setenv("DRMFAULT_LAYER_WATCHDOG_MS", "20", 1);
	app_start(&app, "ext");
	unsetenv("DRMFAULT_LAYER_WATCHDOG_MS");
	setenv("MOCK_UNTIL", place.output, 1);
	assert_int_equal(vkQueueWaitIdle(app.queue), VK_SUCCESS);
	unsetenv("MOCK_UNTIL");
	app_close(&app, NULL);
	expect_hang("vkQueueWaitIdle has not returned for 20 ms");
}

/* Asks until the summary is there. */
static void test_polls(void **state)
{
	char reason[96];
	struct work work;
	size_t i;

	for (i = 0; i < COUNT(polls); i++) {
		assert_int_equal(place_make(state), 0);
		work_open(&work, "ext hang", "20");
		submit(&work);
		while (access(place.output, F_OK))
			assert_int_not_equal(polls[i].ask(&work), VK_SUCCESS);
		work_close(&work);
		snprintf(reason, sizeof(reason), "%s has seen no progress for 20 ms",
			 polls[i].call);
		expect_hang(reason);
		assert_int_equal(place_remove(state), 0);
	}
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void ask_all_for_long(struct work *work, VkResult fence)
{
	int64_t end = now() + ENOUGH_NS;

	do {
		assert_int_equal(ask_status(work), fence);
		ask_fences(work);
		ask_value(work);
		ask_semaphores(work);
	} while (now() < end);
}

/* Asking for what nobody submitted, what is done, and what was reset is no hang. */
static void test_idle(void **state)
{
	char path[PATH_MAX];
	struct work work;

	(void)state;
	work_open(&work, "ext", "5");
	ask_all_for_long(&work, VK_NOT_READY);
	submit(&work);
	ask_all_for_long(&work, VK_SUCCESS);
	assert_int_equal(vkResetFences(work.app.device, 1, &work.fence), VK_SUCCESS);
	ask_all_for_long(&work, VK_NOT_READY);
	work_close(&work);
	assert_int_equal(find_reports(path), 0);
}

/* Nor is what nobody asks for, however long it takes. */
static void test_nobody_asks(void **state)
{
	int64_t end = now() + ENOUGH_NS;
	char path[PATH_MAX];
	struct work work;

	(void)state;
	work_open(&work, "ext hang", "5");
	submit(&work);
	while (now() < end)
		continue;
	work_close(&work);
	assert_int_equal(find_reports(path), 0);
}

/* Without the setting it takes as long as it takes. */
static void test_off(void **state)
{
	char path[PATH_MAX];
	struct work work;

	(void)state;
	work_open(&work, "ext hang", "0");
	submit(&work);
	ask_all_for_long(&work, VK_NOT_READY);
	work_close(&work);
	assert_int_equal(find_reports(path), 0);
}

static unsigned int count_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	const struct dirent *entry;
	unsigned int count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

/* With the instance the loader takes the layer out of memory, whose thread may not go on. */
static void test_device_left_behind(void **state)
{
	static struct app app;
	unsigned int before = count_threads(), turns;

	(void)state;
	setenv("DRMFAULT_LAYER_WATCHDOG_MS", "60000", 1);
	app_start(&app, "ext");
	unsetenv("DRMFAULT_LAYER_WATCHDOG_MS");
	assert_int_equal(count_threads(), before + 1);
	vkDestroyInstance(app.instance, NULL);
	/* The kernel has it for a moment more. */
	for (turns = 0; count_threads() > before && turns < TURNS_MOST; turns++)
		usleep(1000);
	assert_int_equal(count_threads(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(test_wait), cmocka_unit_test(test_polls),
		IN_PLACE(test_idle), IN_PLACE(test_nobody_asks),
		IN_PLACE(test_off),  cmocka_unit_test(test_device_left_behind),
	};

	return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
