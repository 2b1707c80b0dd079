// SPDX-License-Identifier: MIT
/* Objects that get memory, and what can be asked of them. */
#include <stddef.h>

#include "mock.h"

static const struct mock_object *object_of(const void *handle)
{
	return handle;
}

static void bind(void *handle, const void *memory, VkDeviceSize offset)
{
	struct mock_object *object = handle;

	object->address = object_of(memory)->address + offset;
	mock_object_tell(object, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
	mock_note_time();
}

#define BIND(name, type)                                                                  \
	static VKAPI_ATTR VkResult VKAPI_CALL mock_##name(                                \
		VkDevice device, type object, VkDeviceMemory memory, VkDeviceSize offset) \
	{                                                                                 \
		(void)device;                                                             \
		bind(object, memory, offset);                                             \
		return VK_SUCCESS;                                                        \
	}

BIND(vkBindBufferMemory, VkBuffer)
BIND(vkBindImageMemory, VkImage)

#define BIND_MANY(name, type, member)                                                      \
	static VKAPI_ATTR VkResult VKAPI_CALL mock_##name(VkDevice device, uint32_t count, \
							  const type *infos)               \
	{                                                                                  \
		uint32_t i;                                                                \
                                                                                           \
		(void)device;                                                              \
		for (i = 0; i < count; i++)                                                \
			bind(infos[i].member, infos[i].memory, infos[i].memoryOffset);     \
		return VK_SUCCESS;                                                         \
	}

BIND_MANY(vkBindBufferMemory2, VkBindBufferMemoryInfo, buffer)
BIND_MANY(vkBindImageMemory2, VkBindImageMemoryInfo, image)
BIND_MANY(vkBindAccelerationStructureMemoryNV, VkBindAccelerationStructureMemoryInfoNV,
	  accelerationStructure)

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkQueueBindSparse(VkQueue queue, uint32_t count,
							     const VkBindSparseInfo *info,
							     VkFence fence)
{
	(void)queue;
	(void)count;
	(void)info;
	(void)fence;
	mock_note_time();
	return mock_work(VK_SUCCESS);
}

static VkMemoryRequirements requirements_of(const void *handle)
{
	return (VkMemoryRequirements){
		.size = object_of(handle)->size,
		.alignment = 0x10,
		.memoryTypeBits = 1,
	};
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetBufferMemoryRequirements(
	VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements)
{
	(void)device;
	*requirements = requirements_of(buffer);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetImageMemoryRequirements(
	VkDevice device, VkImage image, VkMemoryRequirements *requirements)
{
	(void)device;
	*requirements = requirements_of(image);
}

/* Of a plane; the second one is half as large as the image. */
static VKAPI_ATTR void VKAPI_CALL
mock_vkGetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *info,
				   VkMemoryRequirements2 *requirements)
{
	const VkBaseInStructure *at = info->pNext;

	(void)device;
	requirements->memoryRequirements = requirements_of(info->image);
	for (; at; at = at->pNext)
		if (at->sType == VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO &&
		    ((const VkImagePlaneMemoryRequirementsInfo *)at)->planeAspect ==
			    VK_IMAGE_ASPECT_PLANE_1_BIT)
			requirements->memoryRequirements.size /= 2;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetAccelerationStructureMemoryRequirementsNV(
	VkDevice device, const VkAccelerationStructureMemoryRequirementsInfoNV *info,
	VkMemoryRequirements2 *requirements)
{
	(void)device;
	requirements->memoryRequirements = requirements_of(info->accelerationStructure);
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL
mock_vkGetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
	(void)device;
	return object_of(info->buffer)->address;
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL mock_vkGetAccelerationStructureDeviceAddressKHR(
	VkDevice device, const VkAccelerationStructureDeviceAddressInfoKHR *info)
{
	(void)device;
	return object_of(info->accelerationStructure)->address;
}

#define ALIAS(name, of)                              \
	{                                            \
#name, (PFN_vkVoidFunction)mock_##of \
	}

PFN_vkVoidFunction mock_bind_function(const char *name)
{
	static const struct mock_name names[] = {
		MOCK_NAME(vkBindBufferMemory),
		MOCK_NAME(vkBindBufferMemory2),
		ALIAS(vkBindBufferMemory2KHR, vkBindBufferMemory2),
		MOCK_NAME(vkBindImageMemory),
		MOCK_NAME(vkBindImageMemory2),
		ALIAS(vkBindImageMemory2KHR, vkBindImageMemory2),
		MOCK_NAME(vkBindAccelerationStructureMemoryNV),
		MOCK_NAME(vkQueueBindSparse),
		MOCK_NAME(vkGetBufferMemoryRequirements),
		MOCK_NAME(vkGetImageMemoryRequirements),
		MOCK_NAME(vkGetImageMemoryRequirements2),
		MOCK_NAME(vkGetAccelerationStructureMemoryRequirementsNV),
		MOCK_NAME(vkGetBufferDeviceAddress),
		ALIAS(vkGetBufferDeviceAddressKHR, vkGetBufferDeviceAddress),
		ALIAS(vkGetBufferDeviceAddressEXT, vkGetBufferDeviceAddress),
		MOCK_NAME(vkGetAccelerationStructureDeviceAddressKHR),
	};

	return MOCK_FIND(names, name);
}
