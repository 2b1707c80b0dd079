// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "app.h"

#define EXTENSIONS_MAX 64
#define VALIDATION     "VK_LAYER_KHRONOS_validation"

static void behave(const char *words)
{
	setenv("MOCK", words, 1);
}

void app_open(struct app *app, const char *words, const VkAllocationCallbacks *allocator)
{
	static const char *const layers[] = { VALIDATION, "VK_LAYER_DRMFAULT_device_fault",
					      VALIDATION };
	const char *validation = getenv("APP_VALIDATION");
	static const char *const names[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pApplicationName = APP_NAME,
		.apiVersion = getenv("APP_NEW") ? VK_MAKE_API_VERSION(0, 1, 4, 0)
						: VK_API_VERSION_1_2,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
		.enabledLayerCount = getenv("APP_LAYERS") ? 0 : (validation ? 2 : 1),
		.ppEnabledLayerNames = layers + !(validation && !strcmp(validation, "above")),
		.enabledExtensionCount = !getenv("APP_PLAIN"),
		.ppEnabledExtensionNames = names,
	};
	uint32_t count = 1;

	memset(app, 0, sizeof(*app));
	app->mock = words;
	unsetenv("MOCK_FAULT");
	behave(words);
	assert_int_equal(vkCreateInstance(&info, allocator, &app->instance), VK_SUCCESS);
	assert_int_equal(vkEnumeratePhysicalDevices(app->instance, &count, &app->gpu), VK_SUCCESS);
	assert_int_equal(count, 1);
}

VkResult app_device(struct app *app, const char *const *names, const void *features,
		    const VkAllocationCallbacks *allocator)
{
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkPhysicalDeviceVulkan12Features core = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = (void *)features,
		.timelineSemaphore = VK_TRUE,
		.bufferDeviceAddress = VK_TRUE,
	};
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &core,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.ppEnabledExtensionNames = names,
	};
	VkResult result;

	while (names && names[info.enabledExtensionCount])
		info.enabledExtensionCount++;
	result = vkCreateDevice(app->gpu, &info, allocator, &app->device);
	if (result != VK_SUCCESS) {
		app->device = NULL;
		return result;
	}
	vkGetDeviceQueue(app->device, 0, 0, &app->queue);
	app->ask_ext = (PFN_vkGetDeviceFaultInfoEXT)vkGetDeviceProcAddr(app->device,
									"vkGetDeviceFaultInfoEXT");
	app->ask_khr = (PFN_vkGetDeviceFaultReportsKHR)vkGetDeviceProcAddr(
		app->device, "vkGetDeviceFaultReportsKHR");
	app->ask_debug = (PFN_vkGetDeviceFaultDebugInfoKHR)vkGetDeviceProcAddr(
		app->device, "vkGetDeviceFaultDebugInfoKHR");
	return VK_SUCCESS;
}

void app_start(struct app *app, const char *words)
{
	static const char *const names[] = { VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
					     VK_KHR_DEVICE_FAULT_EXTENSION_NAME, NULL };
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		.deviceFault = VK_TRUE,
	};
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.pNext = &khr,
		.deviceFault = VK_TRUE,
	};

	app_open(app, words, NULL);
	assert_int_equal(app_device(app, names, &ext, NULL), VK_SUCCESS);
	assert_non_null(app->ask_ext);
	assert_non_null(app->ask_khr);
	assert_non_null(app->ask_debug);
}

void app_close(struct app *app, const VkAllocationCallbacks *allocator)
{
	if (app->device)
		vkDestroyDevice(app->device, allocator);
	vkDestroyInstance(app->instance, allocator);
}

unsigned int app_lists(const struct app *app, const char *name)
{
	VkExtensionProperties list[EXTENSIONS_MAX];
	uint32_t count = EXTENSIONS_MAX, i;
	unsigned int found = 0;

	assert_int_equal(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, list),
			 VK_SUCCESS);
	for (i = 0; i < count; i++)
		found += !strcmp(list[i].extensionName, name);
	return found;
}

void app_name(struct app *app, VkObjectType type, uint64_t object, const char *name)
{
	const VkDebugUtilsObjectNameInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = type,
		.objectHandle = object,
		.pObjectName = name,
	};
	PFN_vkSetDebugUtilsObjectNameEXT set =
		(PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(
			app->instance, "vkSetDebugUtilsObjectNameEXT");

	assert_non_null(set);
	assert_int_equal(set(app->device, &info), VK_SUCCESS);
}

struct app_buffer app_buffer(struct app *app, VkDeviceSize size, const char *name)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
			 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateFlagsInfo flags = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateInfo memory = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &flags,
		.allocationSize = size,
	};
	VkBufferDeviceAddressInfo ask = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
	};
	struct app_buffer made;

	assert_int_equal(vkCreateBuffer(app->device, &info, NULL, &made.buffer), VK_SUCCESS);
	if (name)
		app_name(app, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)made.buffer, name);
	assert_int_equal(vkAllocateMemory(app->device, &memory, NULL, &made.memory), VK_SUCCESS);
	assert_int_equal(vkBindBufferMemory(app->device, made.buffer, made.memory, 0), VK_SUCCESS);
	ask.buffer = made.buffer;
	made.address = vkGetBufferDeviceAddress(app->device, &ask);
	return made;
}

void app_buffer_free(struct app *app, struct app_buffer *buffer)
{
	vkDestroyBuffer(app->device, buffer->buffer, NULL);
	vkFreeMemory(app->device, buffer->memory, NULL);
}

void app_lose(struct app *app, VkDeviceAddress fault)
{
	char text[32], words[128];

	if (fault) {
		snprintf(text, sizeof(text), "%" PRIx64, fault);
		setenv("MOCK_FAULT", text, 1);
	}
	snprintf(words, sizeof(words), "%s lose", getenv("MOCK"));
	behave(words);
	assert_int_equal(vkQueueWaitIdle(app->queue), VK_ERROR_DEVICE_LOST);
}
