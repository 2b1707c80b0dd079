// SPDX-License-Identifier: MIT
/* Objects that get memory. */
#include "chain.h"
#include "hooks.h"
#include "object.h"

static VkDeviceSize image_size(const struct device *device, VkImage image,
			       const VkBindImagePlaneMemoryInfo *plane)
{
	const VkImagePlaneMemoryRequirementsInfo aspect = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO,
		.planeAspect = plane ? plane->planeAspect : 0,
	};
	const VkImageMemoryRequirementsInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
		.pNext = &aspect,
		.image = image,
	};
	VkMemoryRequirements2 requirements = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
	};
	PFN_vkGetImageMemoryRequirements2 ask = device->calls.vkGetImageMemoryRequirements2;

	if (!ask)
		ask = device->calls.vkGetImageMemoryRequirements2KHR;
	if (!plane)
		device->calls.vkGetImageMemoryRequirements(device->handle, image,
							   &requirements.memoryRequirements);
	else if (ask)
		ask(device->handle, &info, &requirements);
	return requirements.memoryRequirements.size;
}

static VkDeviceSize structure_size(const struct device *device, VkAccelerationStructureNV structure)
{
	const VkAccelerationStructureMemoryRequirementsInfoNV info = {
		.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_MEMORY_REQUIREMENTS_INFO_NV,
		.accelerationStructure = structure,
	};
	VkMemoryRequirements2 requirements = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
	};

	if (device->calls.vkGetAccelerationStructureMemoryRequirementsNV)
		device->calls.vkGetAccelerationStructureMemoryRequirementsNV(device->handle, &info,
									     &requirements);
	return requirements.memoryRequirements.size;
}

static VkDeviceSize size_of(const struct device *device, const struct object *object,
			    const VkBindImagePlaneMemoryInfo *plane)
{
	if (object->type == VK_OBJECT_TYPE_IMAGE)
		return image_size(device, (VkImage)(uintptr_t)object->handle, plane);
	if (object->type == VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV)
		return structure_size(device, (VkAccelerationStructureNV)(uintptr_t)object->handle);
	return object->size;
}

/* A plane has an address of its own, and the image none. */
static void bind_plane(struct device *device, const struct object *image,
		       const VkBindImagePlaneMemoryInfo *plane)
{
	struct object part = *image;

	part.size = size_of(device, image, plane);
	part.address = object_address_in_parent(device, &part);
	if (part.address)
		binding_begin(device, &part, part.address, part.size, 0);
}

static void bind(struct device *device, VkObjectType type, uint64_t handle, const void *pNext,
		 uint64_t memory, VkDeviceSize offset)
{
	const VkBindImagePlaneMemoryInfo *plane = NULL;
	struct object object;

	/* Images of a swapchain are bound to no memory. */
	if (!memory || !device->bindings || !objects_get(device->objects, type, handle, &object))
		return;
	object.parent_type = VK_OBJECT_TYPE_DEVICE_MEMORY;
	object.parent = memory;
	object.offset = offset;
	if (object.flags & OBJECT_DISJOINT) {
		plane = chain_find(pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
		if (plane && !(object.flags & OBJECT_REPORTED))
			bind_plane(device, &object, plane);
		return;
	}
	if (!object.size)
		object.size = size_of(device, &object, NULL);
	objects_set(device->objects, &object);
	object_find_address(device, &object);
}

#define BIND(HANDLE_TYPE, object_type, name)                                                     \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name(VkDevice handle, HANDLE_TYPE object,         \
						    VkDeviceMemory memory, VkDeviceSize offset)  \
	{                                                                                        \
		struct device *device = device_of(handle);                                       \
		struct scope scope;                                                              \
		VkResult result;                                                                 \
                                                                                                 \
		scope_enter(&scope, device, 0);                                                  \
		result = device->calls.name(handle, object, memory, offset);                     \
		scope_leave(&scope);                                                             \
		if (result == VK_SUCCESS)                                                        \
			bind(device, object_type, HANDLE(object), NULL, HANDLE(memory), offset); \
		return result;                                                                   \
	}

#define BIND_MANY(Info, object_type, object, name)                                           \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name(VkDevice handle, uint32_t count,         \
						    const Info *pInfos)                      \
	{                                                                                    \
		struct device *device = device_of(handle);                                   \
		struct scope scope;                                                          \
		VkResult result;                                                             \
		uint32_t i;                                                                  \
                                                                                             \
		scope_enter(&scope, device, 0);                                              \
		result = device->calls.name(handle, count, pInfos);                          \
		scope_leave(&scope);                                                         \
		for (i = 0; result == VK_SUCCESS && i < count; i++)                          \
			bind(device, object_type, HANDLE(pInfos[i].object), pInfos[i].pNext, \
			     HANDLE(pInfos[i].memory), pInfos[i].memoryOffset);              \
		return result;                                                               \
	}

BIND(VkBuffer, VK_OBJECT_TYPE_BUFFER, vkBindBufferMemory)
BIND(VkImage, VK_OBJECT_TYPE_IMAGE, vkBindImageMemory)
BIND_MANY(VkBindBufferMemoryInfo, VK_OBJECT_TYPE_BUFFER, buffer, vkBindBufferMemory2)
BIND_MANY(VkBindBufferMemoryInfo, VK_OBJECT_TYPE_BUFFER, buffer, vkBindBufferMemory2KHR)
BIND_MANY(VkBindImageMemoryInfo, VK_OBJECT_TYPE_IMAGE, image, vkBindImageMemory2)
BIND_MANY(VkBindImageMemoryInfo, VK_OBJECT_TYPE_IMAGE, image, vkBindImageMemory2KHR)
BIND_MANY(VkBindAccelerationStructureMemoryInfoNV, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV,
	  accelerationStructure, vkBindAccelerationStructureMemoryNV)
