// SPDX-License-Identifier: MIT
/* The device and its queue. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mock.h"

static VK_LOADER_DATA queue;

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL mock_vkGetDeviceProcAddr(VkDevice device,
									 const char *name)
{
	(void)device;
	return mock_device_function(name);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkDestroyDevice(VkDevice device,
						       const VkAllocationCallbacks *allocator)
{
	(void)allocator;
	mock_objects_end(device);
	free(device);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetDeviceQueue(VkDevice device, uint32_t family,
							uint32_t index, VkQueue *to)
{
	(void)device;
	(void)family;
	(void)index;
	set_loader_magic_value(&queue);
	*to = (VkQueue)&queue;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkQueueWaitIdle(VkQueue handle)
{
	const char *until = getenv("MOCK_UNTIL");

	(void)handle;
	while (until && access(until, F_OK))
		usleep(1000);
	return mock_work(VK_SUCCESS);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkDeviceWaitIdle(VkDevice device)
{
	(void)device;
	return mock_vkQueueWaitIdle(NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
	(void)device;
	(void)info;
	return VK_SUCCESS;
}

static const struct mock_name names[] = {
	MOCK_NAME(vkGetDeviceProcAddr), MOCK_NAME(vkDestroyDevice),
	MOCK_NAME(vkGetDeviceQueue),	MOCK_NAME(vkQueueWaitIdle),
	MOCK_NAME(vkDeviceWaitIdle),	MOCK_NAME(vkSetDebugUtilsObjectNameEXT),
};

PFN_vkVoidFunction mock_device_function(const char *name)
{
	PFN_vkVoidFunction function = MOCK_FIND(names, name);

	if (!function)
		function = mock_object_function(name);
	if (!function)
		function = mock_bind_function(name);
	if (!function)
		function = mock_sync_function(name);
	if (!function)
		function = mock_lost_function(name);
	return function ? function : mock_fault_function(name);
}
