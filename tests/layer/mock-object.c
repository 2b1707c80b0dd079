// SPDX-License-Identifier: MIT
/* Objects that are made and destroyed, each with the application's allocator. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mock.h"

#define MEMORY_FIRST 0x800000100000u
#define WIDE_FIRST   (UINT64_C(1) << 52)
#define ALIGN	     0x10000u

#define BIND   VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT
#define UNBIND VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mock_object *all;

void mock_note_time(void)
{
	struct timespec now;
	char text[32];

	if (!mock_does("clock"))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "%" PRIu64,
		 (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
	setenv(MOCK_TIME, text, 1);
}

static VkDeviceAddress next_address(VkDeviceSize size)
{
	static VkDeviceAddress next = MEMORY_FIRST;
	VkDeviceAddress address = __atomic_fetch_add(
		&next, (size + ALIGN) & ~(VkDeviceSize)(ALIGN - 1), __ATOMIC_RELAXED);

	if (mock_does("wide"))
		address += WIDE_FIRST;
	return mock_does("extended") ? address | UINT64_C(0xffff) << 48 : address;
}

static bool is_told(VkObjectType type)
{
	if (type == VK_OBJECT_TYPE_DEVICE_MEMORY)
		return !mock_does("no-memory");
	if (type == VK_OBJECT_TYPE_BUFFER)
		return !mock_does("no-buffers");
	return type != VK_OBJECT_TYPE_IMAGE || !mock_does("no-images");
}

void mock_object_tell(const struct mock_object *object, VkDeviceAddressBindingTypeEXT what)
{
	if (is_told(object->type) && object->address)
		mock_tell(object->type, (uintptr_t)object, object->address, object->size, what);
}

static struct mock_object *object_new(VkDevice device, VkObjectType type, VkDeviceSize size,
				      const VkAllocationCallbacks *allocator)
{
	struct mock_object *object =
		allocator ? allocator->pfnAllocation(allocator->pUserData, sizeof(*object),
						     _Alignof(struct mock_object),
						     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT)
			  : malloc(sizeof(*object));

	if (!object)
		return NULL;
	*object = (struct mock_object){ .device = device, .type = type, .size = size };
	set_loader_magic_value(object);
	pthread_mutex_lock(&lock);
	object->next = all;
	all = object;
	pthread_mutex_unlock(&lock);
	return object;
}

static void object_free(void *handle, const VkAllocationCallbacks *allocator)
{
	struct mock_object *object = handle, **at = &all;

	mock_note_time();
	if (!object)
		return;
	mock_object_tell(object, UNBIND);
	pthread_mutex_lock(&lock);
	while (*at != object)
		at = &(*at)->next;
	*at = object->next;
	pthread_mutex_unlock(&lock);
	if (allocator)
		allocator->pfnFree(allocator->pUserData, object);
	else
		free(object);
}

void mock_objects_end(VkDevice device)
{
	struct mock_object **at = &all, *object;

	pthread_mutex_lock(&lock);
	while ((object = *at)) {
		if (object->device == device) {
			*at = object->next;
			free(object);
		} else {
			at = &object->next;
		}
	}
	pthread_mutex_unlock(&lock);
}

/* What is imported by the same number is at the same address. */
static VkDeviceAddress memory_address(const VkMemoryAllocateInfo *info)
{
	const VkBaseInStructure *at = info->pNext;

	for (; at; at = at->pNext)
		if (at->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR)
			return MOCK_SHARED((uint32_t)((const VkImportMemoryFdInfoKHR *)at)->fd);
	return next_address(info->allocationSize);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkAllocateMemory(VkDevice device,
							    const VkMemoryAllocateInfo *info,
							    const VkAllocationCallbacks *allocator,
							    VkDeviceMemory *memory)
{
	struct mock_object *object =
		object_new(device, VK_OBJECT_TYPE_DEVICE_MEMORY, info->allocationSize, allocator);

	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	object->address = memory_address(info);
	mock_object_tell(object, BIND);
	*memory = (VkDeviceMemory)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateBuffer(VkDevice device,
							  const VkBufferCreateInfo *info,
							  const VkAllocationCallbacks *allocator,
							  VkBuffer *buffer)
{
	struct mock_object *object =
		object_new(device, VK_OBJECT_TYPE_BUFFER, info->size, allocator);

	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) {
		object->address = next_address(info->size);
		mock_object_tell(object, BIND);
	}
	*buffer = (VkBuffer)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateImage(VkDevice device,
							 const VkImageCreateInfo *info,
							 const VkAllocationCallbacks *allocator,
							 VkImage *image)
{
	VkDeviceSize size = (VkDeviceSize)info->extent.width * info->extent.height * MOCK_TEXEL;
	struct mock_object *object = object_new(device, VK_OBJECT_TYPE_IMAGE, size, allocator);

	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) {
		object->address = next_address(size);
		mock_object_tell(object, BIND);
	}
	*image = (VkImage)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateAccelerationStructureKHR(
	VkDevice device, const VkAccelerationStructureCreateInfoKHR *info,
	const VkAllocationCallbacks *allocator, VkAccelerationStructureKHR *structure)
{
	struct mock_object *object = object_new(device, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
						info->size, allocator);

	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	object->address = ((struct mock_object *)info->buffer)->address + info->offset;
	*structure = (VkAccelerationStructureKHR)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateAccelerationStructureNV(
	VkDevice device, const VkAccelerationStructureCreateInfoNV *info,
	const VkAllocationCallbacks *allocator, VkAccelerationStructureNV *structure)
{
	struct mock_object *object = object_new(device, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV,
						info->compactedSize, allocator);

	*structure = (VkAccelerationStructureNV)object;
	return object ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
			      const VkComputePipelineCreateInfo *infos,
			      const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
	struct mock_object *object;
	uint32_t i;

	(void)cache;
	(void)infos;
	for (i = 0; i < count; i++) {
		object = object_new(device, VK_OBJECT_TYPE_PIPELINE, MOCK_CODE, allocator);
		if (!object)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		object->address = next_address(MOCK_CODE);
		mock_object_tell(object, BIND);
		pipelines[i] = (VkPipeline)object;
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkAllocateCommandBuffers(
	VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *commands)
{
	struct mock_object *object;
	uint32_t i;

	for (i = 0; i < info->commandBufferCount; i++) {
		object = object_new(device, VK_OBJECT_TYPE_COMMAND_BUFFER, MOCK_CODE, NULL);
		if (!object)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		object->address = next_address(MOCK_CODE);
		mock_object_tell(object, BIND);
		commands[i] = (VkCommandBuffer)object;
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkFreeCommandBuffers(VkDevice device, VkCommandPool pool,
							    uint32_t count,
							    const VkCommandBuffer *commands)
{
	uint32_t i;

	(void)device;
	(void)pool;
	for (i = 0; i < count; i++)
		object_free(commands[i], NULL);
}

#define DESTROY(name, type)                                                                   \
	static VKAPI_ATTR void VKAPI_CALL mock_##name(VkDevice device, type object,           \
						      const VkAllocationCallbacks *allocator) \
	{                                                                                     \
		(void)device;                                                                 \
		object_free((void *)(uintptr_t)object, allocator);                            \
	}

DESTROY(vkFreeMemory, VkDeviceMemory)
DESTROY(vkDestroyBuffer, VkBuffer)
DESTROY(vkDestroyImage, VkImage)
DESTROY(vkDestroyAccelerationStructureKHR, VkAccelerationStructureKHR)
DESTROY(vkDestroyAccelerationStructureNV, VkAccelerationStructureNV)
DESTROY(vkDestroyPipeline, VkPipeline)

PFN_vkVoidFunction mock_object_function(const char *name)
{
	static const struct mock_name names[] = {
		MOCK_NAME(vkAllocateMemory),
		MOCK_NAME(vkFreeMemory),
		MOCK_NAME(vkCreateBuffer),
		MOCK_NAME(vkDestroyBuffer),
		MOCK_NAME(vkCreateImage),
		MOCK_NAME(vkDestroyImage),
		MOCK_NAME(vkCreateAccelerationStructureKHR),
		MOCK_NAME(vkDestroyAccelerationStructureKHR),
		MOCK_NAME(vkCreateAccelerationStructureNV),
		MOCK_NAME(vkDestroyAccelerationStructureNV),
		MOCK_NAME(vkCreateComputePipelines),
		MOCK_NAME(vkDestroyPipeline),
		MOCK_NAME(vkAllocateCommandBuffers),
		MOCK_NAME(vkFreeCommandBuffers),
	};

	return MOCK_FIND(names, name);
}
