/* SPDX-License-Identifier: MIT */
/* An application under the layer, through the loader of this machine, on the mock. */
#ifndef DRMFAULT_TEST_LAYER_APP_H
#define DRMFAULT_TEST_LAYER_APP_H

#include "drmfault_vulkan.h"

#define APP_NAME "particle demo"

struct app {
	/* The words that its mock was given. */
	const char *mock;
	VkInstance instance;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	PFN_vkGetDeviceFaultInfoEXT ask_ext;
	PFN_vkGetDeviceFaultReportsKHR ask_khr;
	PFN_vkGetDeviceFaultDebugInfoKHR ask_debug;
};

struct app_buffer {
	VkDeviceMemory memory;
	VkBuffer buffer;
	VkDeviceAddress address;
};

/*
 * An instance with the layer; @mock: words of mock.h. The environment may ask for more:
 *
 *	APP_VALIDATION	"above" or "below": with the validation layer, and where
 *	APP_LAYERS	anything: without layers
 *	APP_PLAIN	without VK_EXT_debug_utils
 *	APP_NEW		for Vulkan 1.4
 */
void app_open(struct app *app, const char *mock, const VkAllocationCallbacks *allocator);
/* A device with extensions and a chain of features; NULL ends the list of names. */
VkResult app_device(struct app *app, const char *const *names, const void *features,
		    const VkAllocationCallbacks *allocator);
/* Both fault extensions, all must go well. */
void app_start(struct app *app, const char *mock);
void app_close(struct app *app, const VkAllocationCallbacks *allocator);

/* How often the extension is listed. */
unsigned int app_lists(const struct app *app, const char *name);

/* A buffer in memory of its own, named if @name is not NULL. */
struct app_buffer app_buffer(struct app *app, VkDeviceSize size, const char *name);
void app_buffer_free(struct app *app, struct app_buffer *buffer);

void app_name(struct app *app, VkObjectType type, uint64_t object, const char *name);

/* The mock loses the device, with a fault at this address unless it is 0. */
void app_lose(struct app *app, VkDeviceAddress fault);

#endif /* DRMFAULT_TEST_LAYER_APP_H */
