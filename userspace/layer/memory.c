// SPDX-License-Identifier: MIT
/* Device memory: where it is the driver tells, or the buffers in it. */
#include "hooks.h"
#include "object.h"

VKAPI_ATTR VkResult VKAPI_CALL layer_vkAllocateMemory(VkDevice handle,
						      const VkMemoryAllocateInfo *pAllocateInfo,
						      const VkAllocationCallbacks *pAllocator,
						      VkDeviceMemory *pMemory)
{
	struct device *device = device_of(handle);
	struct object object = { .type = VK_OBJECT_TYPE_DEVICE_MEMORY };
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, 0);
	result = device->calls.vkAllocateMemory(handle, pAllocateInfo, pAllocator, pMemory);
	scope_leave(&scope);
	if (result != VK_SUCCESS || !device->bindings)
		return result;
	objects_get(device->objects, object.type, HANDLE(*pMemory), &object);
	object.handle = HANDLE(*pMemory);
	object.size = pAllocateInfo->allocationSize;
	objects_set(device->objects, &object);
	return result;
}

VKAPI_ATTR void VKAPI_CALL layer_vkFreeMemory(VkDevice handle, VkDeviceMemory memory,
					      const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);
	struct scope scope;

	if (memory && device->bindings)
		object_destroy(device, VK_OBJECT_TYPE_DEVICE_MEMORY, HANDLE(memory));
	scope_enter(&scope, device, 0);
	device->calls.vkFreeMemory(handle, memory, pAllocator);
	scope_leave(&scope);
}
