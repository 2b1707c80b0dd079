// SPDX-License-Identifier: MIT
/* Many threads on one device, one of which loses it: for what watches the order of accesses. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"
#include "place.h"

#define MAKERS	   3
#define SUBMITTERS 2
#define ASKERS	   2
#define THREADS	   (MAKERS + SUBMITTERS + ASKERS)
#define WAIT_NS	   1000000

static struct app app;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool lost, told;
static atomic_uint fault_reports, loss_reports;

static void *make(void *data)
{
	struct app_buffer buffer;

	while (!atomic_load(&told)) {
		buffer = app_buffer(&app, 0x1000, "of a thread");
		app_buffer_free(&app, &buffer);
	}
	return data;
}

static VkResult submit(VkFence fence)
{
	VkResult result;

	pthread_mutex_lock(&queue_lock);
	result = vkQueueSubmit(app.queue, 0, NULL, fence);
	pthread_mutex_unlock(&queue_lock);
	return result;
}

static void *submit_and_ask(void *data)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;

	assert_int_equal(vkCreateFence(app.device, &info, NULL, &fence), VK_SUCCESS);
	while (submit(fence) == VK_SUCCESS && vkGetFenceStatus(app.device, fence) == VK_SUCCESS)
		vkResetFences(app.device, 1, &fence);
	atomic_store(&lost, true);
	vkDestroyFence(app.device, fence, NULL);
	return data;
}

static void ask_ext(void)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	VkDeviceFaultAddressInfoEXT address;

	counts.addressInfoCount = 1;
	info.pAddressInfos = &address;
	assert_int_equal(app.ask_ext(app.device, &counts, &info), VK_SUCCESS);
}

static void *ask(void *data)
{
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count;

	while (!atomic_load(&told)) {
		ask_ext();
		count = 1;
		if (app.ask_khr(app.device, WAIT_NS, &count, &report) == VK_TIMEOUT)
			continue;
		assert_int_equal(count, 1);
		if (!(report.flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR)) {
			atomic_fetch_add(&fault_reports, 1);
			continue;
		}
		atomic_fetch_add(&loss_reports, 1);
		atomic_store(&told, true);
	}
	return data;
}

static void test_all_at_once(void **state)
{
	pthread_t threads[THREADS];
	char path[PATH_MAX];
	int i;

	(void)state;
	setenv("DRMFAULT_LAYER_WATCHDOG_MS", "60000", 1);
	app_start(&app, "khr report lose-later");
	setenv("MOCK_FAULT", "800000100000", 1);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL,
						i < MAKERS		  ? make
						: i < MAKERS + SUBMITTERS ? submit_and_ask
									  : ask,
						NULL),
				 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_true(atomic_load(&lost));
	assert_int_equal(atomic_load(&fault_reports), 1);
	assert_int_equal(atomic_load(&loss_reports), 1);
	assert_int_equal(find_reports(path), 1);
	app_close(&app, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(test_all_at_once),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
