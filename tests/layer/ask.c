// SPDX-License-Identifier: MIT
/* What applications may ask in which way: capacities, chains, children. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"
#include "place.h"

#define FAULT	 0x800000123440u
#define PLENTY	 100
#define CHILDREN 30
#define CHILD_S	 20

static void test_counts_of_the_ext(void **state)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	VkDeviceFaultAddressInfoEXT addresses[PLENTY];
	VkDeviceFaultVendorInfoEXT vendors[PLENTY];
	uint8_t binary[PLENTY];
	struct app app;

	(void)state;
	app_start(&app, "ext");
	app_lose(&app, FAULT);
	info.pAddressInfos = addresses;
	info.pVendorInfos = vendors;
	info.pVendorBinaryData = binary;
	counts.addressInfoCount = PLENTY;
	counts.vendorInfoCount = PLENTY;
	counts.vendorBinarySize = PLENTY;
	assert_int_equal(app.ask_ext(app.device, &counts, &info), VK_SUCCESS);
	assert_int_equal(counts.addressInfoCount, 1);
	assert_int_equal(counts.vendorInfoCount, 0);
	assert_int_equal(counts.vendorBinarySize, 0);
	assert_true(addresses[0].reportedAddress == FAULT);

	/* Room that is said and not there is none. */
	info.pAddressInfos = NULL;
	info.pVendorInfos = NULL;
	info.pVendorBinaryData = NULL;
	counts.addressInfoCount = PLENTY;
	counts.vendorBinarySize = PLENTY;
	assert_int_equal(app.ask_ext(app.device, &counts, &info), VK_INCOMPLETE);
	assert_int_equal(counts.addressInfoCount, 0);
	assert_int_equal(counts.vendorBinarySize, 0);
	app_close(&app, NULL);
}

static void test_counts_of_the_khr(void **state)
{
	VkDeviceFaultInfoKHR reports[PLENTY];
	struct app app;
	uint32_t count, i;

	(void)state;
	for (i = 0; i < PLENTY; i++)
		reports[i] = (VkDeviceFaultInfoKHR){
			.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR,
		};
	app_start(&app, "khr");
	app_lose(&app, FAULT);
	for (i = 0; i < 2; i++) {
		count = PLENTY;
		assert_int_equal(app.ask_khr(app.device, 0, &count, NULL), VK_SUCCESS);
		assert_int_equal(count, 2);
		count = 0;
		assert_int_equal(app.ask_khr(app.device, 0, &count, reports), VK_INCOMPLETE);
		assert_int_equal(count, 0);
	}
	count = PLENTY;
	assert_int_equal(app.ask_khr(app.device, 0, &count, reports), VK_SUCCESS);
	assert_int_equal(count, 2);
	assert_true(reports[0].faultAddressInfo.reportedAddress == FAULT);
	count = PLENTY;
	assert_int_equal(app.ask_khr(app.device, 0, &count, NULL), VK_TIMEOUT);
	assert_int_equal(count, 0);
	app_close(&app, NULL);
}

/* Names twice, features in the chain behind others, and a device beside one that is gone. */
static void test_devices(void **state)
{
	static const char *const names[] = { VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
					     VK_KHR_DEVICE_FAULT_EXTENSION_NAME,
					     VK_EXT_DEVICE_FAULT_EXTENSION_NAME, NULL };
	static const char *const drivers[] = { "", "ext", "khr", "ext khr report" };
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.deviceFault = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &ext,
		.features.sparseBinding = VK_TRUE,
	};
	struct app app;
	VkDevice first;
	uint32_t count;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		app_open(&app, drivers[i], NULL);
		assert_int_equal(app_device(&app, names, &all, NULL), VK_SUCCESS);
		first = app.device;
		assert_int_equal(app_device(&app, names, &all, NULL), VK_SUCCESS);
		assert_ptr_equal(all.pNext, &ext);
		assert_ptr_not_equal(app.device, first);
		vkDestroyDevice(first, NULL);
		assert_int_equal(app.ask_khr(app.device, 0, &count, NULL), VK_TIMEOUT);
		app_lose(&app, 0);
		assert_int_equal(app.ask_khr(app.device, 0, &count, NULL), VK_SUCCESS);
		assert_int_equal(count, 1);
		app_close(&app, NULL);
	}
}

struct asker {
	struct app app;
	atomic_bool stop;
};

static void ask_both(struct app *app)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	uint32_t count = 0;

	app->ask_ext(app->device, &counts, NULL);
	app->ask_khr(app->device, 0, &count, NULL);
}

static void *ask_on(void *data)
{
	struct asker *asker = data;

	while (!atomic_load(&asker->stop))
		ask_both(&asker->app);
	return NULL;
}

/* A child has the locks as a thread of its parent held them. */
static void test_children(void **state)
{
	struct asker asker = { 0 };
	char path[PATH_MAX];
	pthread_t thread;
	int i, status;
	pid_t pid;

	(void)state;
	app_start(&asker.app, "ext khr");
	assert_int_equal(pthread_create(&thread, NULL, ask_on, &asker), 0);
	for (i = 0; i < CHILDREN; i++) {
		pid = fork();
		if (!pid) {
			alarm(CHILD_S);
			ask_both(&asker.app);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	atomic_store(&asker.stop, true);
	pthread_join(thread, NULL);
	assert_int_equal(find_reports(path), 0);
	app_close(&asker.app, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(test_counts_of_the_ext),
		IN_PLACE(test_counts_of_the_khr),
		IN_PLACE(test_devices),
		IN_PLACE(test_children),
	};

	return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
