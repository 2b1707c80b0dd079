// SPDX-License-Identifier: MIT
/* What the loader's interface document wants of a layer, and what the loader then lists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>
#include <vulkan/vk_layer.h>

#include "app.h"

#define LAYER_NAME "VK_LAYER_DRMFAULT_device_fault"
#define LIST_MAX   64
#define NOBODY	   "vkOfNobody"

static PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;

static int open_layer(void **state)
{
	void *library = dlopen(getenv("LAYER_LIBRARY"), RTLD_NOW | RTLD_LOCAL);

	(void)state;
	if (library)
		*(void **)&negotiate = dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion");
	return negotiate ? 0 : -1;
}

static void test_negotiation(void **state)
{
	VkNegotiateLayerInterface wrong = { .sType = LAYER_NEGOTIATE_UNINTIALIZED,
					    .loaderLayerInterfaceVersion = 2 };
	VkNegotiateLayerInterface old = { .sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
					  .loaderLayerInterfaceVersion = 1 };
	VkNegotiateLayerInterface newer = { .sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
					    .loaderLayerInterfaceVersion = 9 };

	(void)state;
	assert_int_equal(negotiate(&wrong), VK_ERROR_INITIALIZATION_FAILED);
	assert_int_equal(negotiate(&old), VK_ERROR_INITIALIZATION_FAILED);
	assert_int_equal(negotiate(&newer), VK_SUCCESS);
	assert_int_equal(newer.loaderLayerInterfaceVersion, 2);
	assert_non_null(newer.pfnGetInstanceProcAddr);
	assert_non_null(newer.pfnGetDeviceProcAddr);
}

/* Without an instance there is only what makes one, and what finds it. */
static void test_global_functions(void **state)
{
	static const char *const absent[] = { "vkCreateDevice", "vkDestroyInstance",
					      "vkGetDeviceFaultInfoEXT", "vkQueueSubmit", NOBODY };
	VkNegotiateLayerInterface layer = { .sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
					    .loaderLayerInterfaceVersion = 2 };
	size_t i;

	(void)state;
	assert_int_equal(negotiate(&layer), VK_SUCCESS);
	assert_non_null(layer.pfnGetInstanceProcAddr(NULL, "vkCreateInstance"));
	assert_non_null(layer.pfnGetInstanceProcAddr(NULL, "vkGetInstanceProcAddr"));
	for (i = 0; i < sizeof(absent) / sizeof(absent[0]); i++)
		assert_null(layer.pfnGetInstanceProcAddr(NULL, absent[i]));
}

static void test_functions(void **state)
{
	struct app app;

	(void)state;
	app_open(&app, "", NULL);
	assert_non_null(vkGetInstanceProcAddr(app.instance, "vkGetDeviceFaultInfoEXT"));
	assert_non_null(vkGetInstanceProcAddr(app.instance, "vkGetDeviceFaultReportsKHR"));
	assert_null(vkGetInstanceProcAddr(app.instance, NOBODY));
	assert_int_equal(app_device(&app, NULL, NULL, NULL), VK_SUCCESS);
	assert_null(vkGetDeviceProcAddr(app.device, NOBODY));
	assert_null(vkGetDeviceProcAddr(app.device, "vkGetDeviceFaultInfoEXT"));
	assert_non_null(vkGetDeviceProcAddr(app.device, "vkQueueSubmit"));
	app_close(&app, NULL);
}

static void test_layer_is_listed(void **state)
{
	VkLayerProperties list[LIST_MAX];
	uint32_t count = LIST_MAX, i;
	unsigned int found = 0;

	(void)state;
	assert_int_equal(vkEnumerateInstanceLayerProperties(&count, list), VK_SUCCESS);
	for (i = 0; i < count; i++) {
		if (strcmp(list[i].layerName, LAYER_NAME))
			continue;
		found++;
		assert_int_equal(VK_API_VERSION_MAJOR(list[i].specVersion), 1);
		assert_int_equal(VK_API_VERSION_MINOR(list[i].specVersion), 4);
		assert_int_equal(list[i].implementationVersion, 1);
		assert_string_not_equal(list[i].description, "");
	}
	assert_int_equal(found, 1);
}

static void test_extensions_of_the_layer(void **state)
{
	VkExtensionProperties list[LIST_MAX];
	uint32_t count = LIST_MAX;
	struct app app;

	(void)state;
	assert_int_equal(vkEnumerateInstanceExtensionProperties(LAYER_NAME, &count, list),
			 VK_SUCCESS);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].extensionName, "VK_EXT_layer_settings");

	app_open(&app, "", NULL);
	count = LIST_MAX;
	assert_int_equal(vkEnumerateDeviceExtensionProperties(app.gpu, LAYER_NAME, &count, list),
			 VK_SUCCESS);
	assert_int_equal(count, 2);
	assert_string_equal(list[0].extensionName, VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
	assert_string_equal(list[1].extensionName, VK_KHR_DEVICE_FAULT_EXTENSION_NAME);
	/* Other layers have nothing of it. */
	vkEnumerateDeviceExtensionProperties(app.gpu, "VK_LAYER_of_nobody", &count, NULL);
	assert_int_equal(count, 0);
	app_close(&app, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_negotiation, open_layer),
		cmocka_unit_test_setup(test_global_functions, open_layer),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_layer_is_listed),
		cmocka_unit_test(test_extensions_of_the_layer),
	};

	return cmocka_run_group_tests_name("interface", tests, NULL, NULL);
}
