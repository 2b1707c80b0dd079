// SPDX-License-Identifier: MIT
#include "hooks.h"
#include "object.h"

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateImage(VkDevice handle,
						   const VkImageCreateInfo *pCreateInfo,
						   const VkAllocationCallbacks *pAllocator,
						   VkImage *pImage)
{
	bool sparse = pCreateInfo->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
	struct device *device = device_of(handle);
	struct object object = { .type = VK_OBJECT_TYPE_IMAGE };
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, sparse ? DRMFAULT_BINDING_SPARSE : 0);
	result = device->calls.vkCreateImage(handle, pCreateInfo, pAllocator, pImage);
	scope_leave(&scope);
	if (result != VK_SUCCESS || !device->bindings)
		return result;

	objects_get(device->objects, object.type, HANDLE(*pImage), &object);
	object.handle = HANDLE(*pImage);
	object.flags |= sparse ? OBJECT_SPARSE : 0;
	if (pCreateInfo->tiling == VK_IMAGE_TILING_LINEAR)
		object.flags |= OBJECT_LINEAR;
	if (pCreateInfo->flags & VK_IMAGE_CREATE_DISJOINT_BIT)
		object.flags |= OBJECT_DISJOINT;
	objects_set(device->objects, &object);
	return result;
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroyImage(VkDevice handle, VkImage image,
						const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);
	struct scope scope;

	if (image && device->bindings)
		object_destroy(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image));
	scope_enter(&scope, device, 0);
	device->calls.vkDestroyImage(handle, image, pAllocator);
	scope_leave(&scope);
}

/* How long an image is only its requirements tell, and they cost a call. */
static void image_bind(struct device *device, VkImage image, VkDeviceMemory memory,
		       VkDeviceSize offset)
{
	VkMemoryRequirements requirements;
	struct object object;

	if (!memory || !device->bindings ||
	    !objects_get(device->objects, VK_OBJECT_TYPE_IMAGE, HANDLE(image), &object) ||
	    object.flags & (OBJECT_REPORTED | OBJECT_DISJOINT))
		return;
	device->calls.vkGetImageMemoryRequirements(device->handle, image, &requirements);
	object.size = requirements.size;
	objects_set(device->objects, &object);
	resource_bind(device, VK_OBJECT_TYPE_IMAGE, HANDLE(image), HANDLE(memory), offset);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindImageMemory(VkDevice handle, VkImage image,
						       VkDeviceMemory memory, VkDeviceSize offset)
{
	struct device *device = device_of(handle);
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, 0);
	result = device->calls.vkBindImageMemory(handle, image, memory, offset);
	scope_leave(&scope);
	if (result == VK_SUCCESS)
		image_bind(device, image, memory, offset);
	return result;
}

static VkResult bind_many(PFN_vkBindImageMemory2 bind, VkDevice handle, uint32_t count,
			  const VkBindImageMemoryInfo *pInfos)
{
	struct device *device = device_of(handle);
	struct scope scope;
	VkResult result;
	uint32_t i;

	scope_enter(&scope, device, 0);
	result = bind(handle, count, pInfos);
	scope_leave(&scope);
	for (i = 0; result == VK_SUCCESS && i < count; i++)
		image_bind(device, pInfos[i].image, pInfos[i].memory, pInfos[i].memoryOffset);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindImageMemory2(VkDevice handle, uint32_t count,
							const VkBindImageMemoryInfo *pInfos)
{
	return bind_many(device_of(handle)->calls.vkBindImageMemory2, handle, count, pInfos);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindImageMemory2KHR(VkDevice handle, uint32_t count,
							   const VkBindImageMemoryInfo *pInfos)
{
	return bind_many(device_of(handle)->calls.vkBindImageMemory2KHR, handle, count, pInfos);
}
