// SPDX-License-Identifier: MIT
/* What applications are told, by drivers that do well and by those that do not. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drivers.h"
#include "mock.h"

#define FAULT	 0x800000123440u
#define EXTENDED (FAULT | UINT64_C(0xffff) << 48)
#define MANY	 8

/* Who reports the fault; the last ones do it badly. */
static const char *const reporters[] = { "ext",
					 "khr",
					 "ext khr",
					 "ext garbage",
					 "khr garbage",
					 "khr repeat",
					 "ext khr repeat",
					 "ext khr garbage repeat",
					 "ext absurd",
					 "ext khr absurd",
					 "ext khr ext-error",
					 "ext khr khr-error",
					 NULL };
/* Who has nothing to say, or says it so that nobody can use it. */
static const char *const silent[] = {
	"", "ext error", "khr error", "ext khr error", "ext incomplete", NULL
};

struct ext_answer {
	VkDeviceFaultCountsEXT counts;
	VkDeviceFaultInfoEXT info;
	VkDeviceFaultAddressInfoEXT addresses[MANY];
	VkDeviceFaultVendorInfoEXT vendors[MANY];
};

static void ask_ext(struct app *app, struct ext_answer *answer)
{
	memset(answer, 0, sizeof(*answer));
	answer->counts.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT;
	answer->info.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT;
	answer->info.pAddressInfos = answer->addresses;
	answer->info.pVendorInfos = answer->vendors;
	memset(answer->info.description, 'x', sizeof(answer->info.description));
	assert_int_equal(app->ask_ext(app->device, &answer->counts, NULL), VK_SUCCESS);
	assert_in_range(answer->counts.addressInfoCount, 0, MANY);
	assert_in_range(answer->counts.vendorInfoCount, 0, MANY);
	assert_int_equal(app->ask_ext(app->device, &answer->counts, &answer->info), VK_SUCCESS);
	assert_non_null(memchr(answer->info.description, 0, sizeof(answer->info.description)));
}

static VkResult ask_khr(struct app *app, uint64_t timeout, uint32_t *count,
			VkDeviceFaultInfoKHR reports[MANY])
{
	uint32_t i;

	*count = MANY;
	for (i = 0; i < MANY; i++) {
		memset(&reports[i], 'x', sizeof(reports[i]));
		reports[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
		reports[i].pNext = NULL;
	}
	return app->ask_khr(app->device, timeout, count, reports);
}

static void test_healthy(struct app *app)
{
	VkDeviceFaultInfoKHR reports[MANY];
	struct ext_answer answer;
	uint32_t count;

	assert_int_equal(vkQueueWaitIdle(app->queue), VK_SUCCESS);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_int_equal(answer.counts.vendorInfoCount, 0);
	assert_int_equal(answer.counts.vendorBinarySize, 0);
	assert_int_equal(ask_khr(app, 0, &count, reports), VK_TIMEOUT);
	assert_int_equal(count, 0);
}

static void test_ext_of_a_fault(struct app *app)
{
	struct ext_answer answer, again;

	app_lose(app, FAULT);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 1);
	assert_int_equal(answer.addresses[0].addressType,
			 VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT);
	assert_int_equal(answer.addresses[0].reportedAddress, FAULT);
	assert_int_equal(answer.addresses[0].addressPrecision, 0x40);
	assert_string_not_equal(answer.info.description, "");
	if (!strstr(app->mock, "garbage"))
		assert_ptr_equal(strstr(answer.info.description, "mock fault"),
				 answer.info.description);
	ask_ext(app, &again);
	assert_int_equal(again.counts.addressInfoCount, 1);
	assert_memory_equal(again.addresses, answer.addresses, sizeof(again.addresses));
	assert_string_equal(again.info.description, answer.info.description);
}

/* An address that the driver has extended stays as the driver has it. */
static void test_extended(struct app *app)
{
	struct ext_answer answer;

	app_lose(app, EXTENDED);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 1);
	assert_true(answer.addresses[0].reportedAddress == EXTENDED);
}

/* What is no power of two says nothing of the range. */
static void test_imprecise(struct app *app)
{
	VkDeviceFaultInfoKHR reports[MANY];
	struct ext_answer answer;
	uint32_t count;

	app_lose(app, FAULT);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 1);
	assert_true(answer.addresses[0].reportedAddress == FAULT);
	assert_int_equal(answer.addresses[0].addressPrecision, 1);
	assert_int_equal(ask_khr(app, 0, &count, reports), VK_SUCCESS);
	assert_int_equal(count, 2);
	assert_true(reports[0].faultAddressInfo.reportedAddress == FAULT);
	assert_int_equal(reports[0].faultAddressInfo.addressPrecision, 1);
}

static void test_short_capacity(struct app *app)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };

	app_lose(app, FAULT);
	assert_int_equal(app->ask_ext(app->device, &counts, &info), VK_INCOMPLETE);
	assert_int_equal(counts.addressInfoCount, 0);
}

/* Each once, the loss at the end, and then no waiting. */
static void test_khr_of_a_fault(struct app *app)
{
	VkDeviceFaultInfoKHR reports[MANY];
	uint32_t count;

	app_lose(app, FAULT);
	assert_int_equal(ask_khr(app, 0, &count, reports), VK_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(reports[0].flags, VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR);
	assert_int_equal(reports[0].faultAddressInfo.reportedAddress, FAULT);
	assert_int_equal(reports[0].instructionAddressInfo.addressType,
			 VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT);
	assert_non_null(memchr(reports[0].description, 0, VK_MAX_DESCRIPTION_SIZE));
	assert_true(reports[1].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_true(reports[1].groupId >= reports[0].groupId);
	assert_int_equal(ask_khr(app, UINT64_MAX, &count, reports), VK_TIMEOUT);
	assert_int_equal(count, 0);
}

static void test_one_report_at_a_time(struct app *app)
{
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 0;

	app_lose(app, FAULT);
	assert_int_equal(app->ask_khr(app->device, 0, &count, NULL), VK_SUCCESS);
	assert_int_equal(count, 2);
	count = 1;
	assert_int_equal(app->ask_khr(app->device, 0, &count, &report), VK_INCOMPLETE);
	assert_int_equal(count, 1);
	assert_int_equal(report.flags, VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR);
	assert_int_equal(app->ask_khr(app->device, 0, &count, &report), VK_SUCCESS);
	assert_true(report.flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

/* More than the layer keeps at a time: none is left out, and each is there once. */
static void test_many(struct app *app)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	VkDeviceFaultInfoKHR reports[MANY];
	uint32_t count, j, seen;
	VkResult result;

	app_lose(app, FAULT);
	seen = 0;
	do {
		result = ask_khr(app, 0, &count, reports);
		for (j = 0; j < count && seen < MOCK_MANY; j++)
			assert_int_equal(reports[j].faultAddressInfo.reportedAddress,
					 FAULT + seen++ * MOCK_PAGE);
	} while (result == VK_INCOMPLETE);
	assert_int_equal(result, VK_SUCCESS);
	assert_int_equal(seen, MOCK_MANY);
	assert_int_equal(count, j + 1);
	assert_true(reports[j].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_int_equal(app->ask_ext(app->device, &counts, NULL), VK_SUCCESS);
	assert_int_equal(counts.addressInfoCount, MOCK_MANY);
}

/* A driver that knows of its fault later than of the loss: nothing of it is lost. */
static void test_late(struct app *app)
{
	VkDeviceFaultInfoKHR reports[MANY];
	struct ext_answer answer;
	uint32_t count;
	int i;

	app_lose(app, 0);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	setenv("MOCK_FAULT", "800000123440", 1);
	for (i = 0; i < 2; i++) {
		ask_ext(app, &answer);
		assert_int_equal(answer.counts.addressInfoCount, 1);
		assert_int_equal(answer.addresses[0].reportedAddress, FAULT);
		assert_non_null(strstr(answer.info.description, "mock fault"));
	}
	assert_int_equal(ask_khr(app, 0, &count, reports), VK_SUCCESS);
	assert_int_equal(count, 2);
	assert_int_equal(reports[0].faultAddressInfo.reportedAddress, FAULT);
	assert_true(reports[1].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

/* An error of the driver's query is not the application's: it learns that nothing is known. */
static void test_silent(struct app *app)
{
	VkDeviceFaultInfoKHR reports[MANY];
	struct ext_answer answer;
	uint32_t count;

	app_lose(app, FAULT);
	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_string_not_equal(answer.info.description, "");
	assert_int_equal(ask_khr(app, UINT64_MAX, &count, reports), VK_SUCCESS);
	assert_int_equal(count, 1);
	assert_true(reports[0].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_int_equal(ask_khr(app, UINT64_MAX, &count, reports), VK_TIMEOUT);
}

/* Without the feature there is no binary, and its pointer is not looked at. */
static void test_debug_info(struct app *app)
{
	VkDeviceFaultDebugInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
		.vendorBinarySize = 100,
		.pVendorBinaryData = (void *)(uintptr_t)1,
	};

	app_lose(app, FAULT);
	assert_int_equal(app->ask_debug(app->device, &info), VK_SUCCESS);
	assert_int_equal(info.vendorBinarySize, 0);
}

static int quiet(void **state)
{
	(void)state;
	return setenv("DRMFAULT_LAYER_REPORT", "off", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(test_healthy, "", "ext", "khr", "ext khr", "ext khr garbage", "ext error",
		   "khr error", "ext incomplete"),
		ON_EACH(test_ext_of_a_fault, reporters),
		ON(test_extended, "ext extended"),
		ON(test_imprecise, "ext imprecise", "khr imprecise", "ext khr imprecise"),
		ON(test_short_capacity, "ext"),
		ON_EACH(test_khr_of_a_fault, reporters),
		ON(test_one_report_at_a_time, "khr repeat"),
		ON(test_many, "ext many", "khr many", "ext khr many", "ext khr khr-error many"),
		ON(test_late, "khr", "khr repeat", "ext khr ext-error"),
		ON_EACH(test_silent, silent),
		ON(test_debug_info, "khr"),
	};

	return cmocka_run_group_tests_name("answer", tests, quiet, NULL);
}
