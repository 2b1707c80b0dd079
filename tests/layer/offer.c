// SPDX-License-Identifier: MIT
/* What the layer adds to a driver, and what it lets nobody have. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"
#include "counting.h"

#define EXT VK_EXT_DEVICE_FAULT_EXTENSION_NAME
#define KHR VK_KHR_DEVICE_FAULT_EXTENSION_NAME

/* Drivers with neither, one, the other, and both; with and without the binding report. */
static const char *const drivers[] = {
	"", "ext", "khr", "ext khr", "report", "ext report", "khr report", "ext khr report early"
};

#define DRIVER_COUNT (sizeof(drivers) / sizeof(drivers[0]))

static void test_both_are_there(void **state)
{
	VkPhysicalDeviceFaultPropertiesKHR properties;
	VkPhysicalDeviceFaultFeaturesEXT ext;
	VkPhysicalDeviceFaultFeaturesKHR khr;
	struct app app;
	size_t i;

	(void)state;
	for (i = 0; i < DRIVER_COUNT; i++) {
		VkPhysicalDeviceFeatures2 features = {
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
			.pNext = &ext,
		};
		VkPhysicalDeviceProperties2 all = {
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
			.pNext = &properties,
		};

		ext = (VkPhysicalDeviceFaultFeaturesEXT){
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
			.pNext = &khr,
		};
		khr = (VkPhysicalDeviceFaultFeaturesKHR){
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		};
		properties = (VkPhysicalDeviceFaultPropertiesKHR){
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR,
		};
		app_start(&app, drivers[i]);
		assert_int_equal(app_lists(&app, EXT), 1);
		assert_int_equal(app_lists(&app, KHR), 1);
		vkGetPhysicalDeviceFeatures2(app.gpu, &features);
		assert_true(ext.deviceFault);
		assert_ptr_equal(ext.pNext, &khr);
		assert_true(khr.deviceFault);
		assert_false(khr.deviceFaultDeviceLostOnMasked);
		assert_true(features.features.sparseBinding);
		vkGetPhysicalDeviceProperties2(app.gpu, &all);
		assert_in_range(properties.maxDeviceFaultCount, 1, UINT32_MAX);
		app_close(&app, NULL);
	}
}

static void test_list_of_short_capacity(void **state)
{
	VkExtensionProperties list;
	uint32_t count = 1;
	struct app app;

	(void)state;
	app_start(&app, "");
	assert_int_equal(vkEnumerateDeviceExtensionProperties(app.gpu, NULL, &count, &list),
			 VK_INCOMPLETE);
	assert_int_equal(count, 1);
	app_close(&app, NULL);
}

static void test_functions_only_if_enabled(void **state)
{
	static const char *const ext[] = { EXT, NULL }, *const khr[] = { KHR, NULL };
	struct app app;
	size_t i;

	(void)state;
	for (i = 0; i < DRIVER_COUNT; i++) {
		app_open(&app, drivers[i], NULL);
		assert_int_equal(app_device(&app, NULL, NULL, NULL), VK_SUCCESS);
		assert_null(app.ask_ext);
		assert_null(app.ask_khr);
		assert_null(app.ask_debug);
		vkDestroyDevice(app.device, NULL);
		assert_int_equal(app_device(&app, ext, NULL, NULL), VK_SUCCESS);
		assert_non_null(app.ask_ext);
		assert_null(app.ask_khr);
		vkDestroyDevice(app.device, NULL);
		assert_int_equal(app_device(&app, khr, NULL, NULL), VK_SUCCESS);
		assert_null(app.ask_ext);
		assert_non_null(app.ask_khr);
		assert_non_null(app.ask_debug);
		app_close(&app, NULL);
	}
}

/* As conformance tests do it: the structure, without the name. */
static void test_feature_without_name(void **state)
{
	const VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.deviceFault = VK_TRUE,
	};
	struct app app;

	(void)state;
	app_open(&app, "", NULL);
	assert_int_equal(app_device(&app, NULL, &ext, NULL), VK_SUCCESS);
	assert_non_null(app.ask_ext);
	app_close(&app, NULL);
}

static void test_feature_that_is_not_there(void **state)
{
	const VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		.deviceFaultDeviceLostOnMasked = VK_TRUE,
	};
	struct app app;
	size_t i;

	(void)state;
	for (i = 0; i < DRIVER_COUNT; i++) {
		app_open(&app, drivers[i], NULL);
		assert_int_equal(app_device(&app, NULL, &khr, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
		app_close(&app, NULL);
	}
}

/* What the layer does not know the driver answers for. */
static void test_binding_report_that_is_not_there(void **state)
{
	const VkPhysicalDeviceAddressBindingReportFeaturesEXT report = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
		.reportAddressBinding = VK_TRUE,
	};
	struct app app;

	(void)state;
	app_open(&app, "ext", NULL);
	assert_int_equal(app_device(&app, NULL, &report, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
	app_close(&app, NULL);
}

static void test_never(void **state)
{
	static const char *const ext[] = { EXT, NULL };
	struct app app;

	(void)state;
	setenv("DRMFAULT_LAYER_PROVIDE", "never", 1);
	app_open(&app, "khr", NULL);
	assert_int_equal(app_lists(&app, EXT), 0);
	assert_int_equal(app_lists(&app, KHR), 1);
	assert_int_equal(app_device(&app, ext, NULL, NULL), VK_ERROR_EXTENSION_NOT_PRESENT);
	app_close(&app, NULL);
	unsetenv("DRMFAULT_LAYER_PROVIDE");
}

static void test_messages_are_hidden(void **state)
{
	struct app app;

	(void)state;
	setenv("APP_PLAIN", "1", 1);
	app_start(&app, "report");
	assert_null(vkGetDeviceProcAddr(app.device, "vkSetDebugUtilsObjectNameEXT"));
	app_close(&app, NULL);
	unsetenv("APP_PLAIN");
}

static void test_memory_of_the_application(void **state)
{
	static const char *const names[] = { EXT, KHR, NULL };
	struct app app;

	(void)state;
	app_open(&app, "ext report", &counting);
	assert_int_equal(app_device(&app, names, NULL, &counting), VK_SUCCESS);
	assert_true(counting_allocated());
	app_close(&app, &counting);
	assert_int_equal(counting_allocated(), 0);
}

/* Two instances with a device each: what is learned of one is not said of the other. */
static void test_two_at_a_time(void **state)
{
	struct app first, second;

	(void)state;
	app_start(&first, "ext");
	app_start(&second, "ext");
	vkDestroyDevice(first.device, NULL);
	first.device = NULL;
	assert_int_equal(vkQueueWaitIdle(second.queue), VK_SUCCESS);
	app_close(&first, NULL);
	assert_int_equal(vkQueueWaitIdle(second.queue), VK_SUCCESS);
	app_close(&second, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_are_there),
		cmocka_unit_test(test_list_of_short_capacity),
		cmocka_unit_test(test_functions_only_if_enabled),
		cmocka_unit_test(test_feature_without_name),
		cmocka_unit_test(test_feature_that_is_not_there),
		cmocka_unit_test(test_binding_report_that_is_not_there),
		cmocka_unit_test(test_never),
		cmocka_unit_test(test_messages_are_hidden),
		cmocka_unit_test(test_memory_of_the_application),
		cmocka_unit_test(test_two_at_a_time),
	};

	return cmocka_run_group_tests_name("offer", tests, NULL, NULL);
}
