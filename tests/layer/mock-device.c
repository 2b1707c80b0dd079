// SPDX-License-Identifier: MIT
/* The device, its queue, and objects with addresses. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mock.h"

#define MEMORY_FIRST 0x800000100000u
#define ALIGN	     0x10000u

/* Memory or a buffer. */
struct mock_object {
	VkDeviceAddress address;
	VkDeviceSize size;
};

static VK_LOADER_DATA queue;

static VkDeviceAddress extended(VkDeviceAddress address)
{
	return mock_does("extended") ? address | UINT64_C(0xffff) << 48 : address;
}

static VkDeviceAddress next_address(VkDeviceSize size)
{
	static VkDeviceAddress next = MEMORY_FIRST;
	VkDeviceAddress address = __atomic_fetch_add(
		&next, (size + ALIGN) & ~(VkDeviceSize)(ALIGN - 1), __ATOMIC_RELAXED);

	return extended(address);
}

static bool is_told(VkObjectType type)
{
	return !mock_does(type == VK_OBJECT_TYPE_BUFFER ? "no-buffers" : "no-memory");
}

static void tell(VkObjectType type, const struct mock_object *object,
		 VkDeviceAddressBindingTypeEXT what)
{
	if (is_told(type) && object->address)
		mock_tell(type, (uintptr_t)object, object->address, object->size, what);
}

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

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkAllocateMemory(VkDevice device,
							    const VkMemoryAllocateInfo *info,
							    const VkAllocationCallbacks *allocator,
							    VkDeviceMemory *memory)
{
	struct mock_object *object = calloc(1, sizeof(*object));

	(void)device;
	(void)allocator;
	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	object->address = next_address(info->allocationSize);
	object->size = info->allocationSize;
	tell(VK_OBJECT_TYPE_DEVICE_MEMORY, object, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
	*memory = (VkDeviceMemory)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkFreeMemory(VkDevice device, VkDeviceMemory memory,
						    const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	if (memory)
		tell(VK_OBJECT_TYPE_DEVICE_MEMORY, (struct mock_object *)memory,
		     VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
	free(memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateBuffer(VkDevice device,
							  const VkBufferCreateInfo *info,
							  const VkAllocationCallbacks *allocator,
							  VkBuffer *buffer)
{
	struct mock_object *object = calloc(1, sizeof(*object));

	(void)device;
	(void)allocator;
	if (!object)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	object->size = info->size;
	if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) {
		object->address = next_address(info->size);
		tell(VK_OBJECT_TYPE_BUFFER, object, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
	}
	*buffer = (VkBuffer)object;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkDestroyBuffer(VkDevice device, VkBuffer buffer,
						       const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	if (buffer)
		tell(VK_OBJECT_TYPE_BUFFER, (struct mock_object *)buffer,
		     VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
	free(buffer);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetBufferMemoryRequirements(
	VkDevice device, VkBuffer buffer, VkMemoryRequirements *requirements)
{
	(void)device;
	*requirements = (VkMemoryRequirements){
		.size = ((struct mock_object *)buffer)->size,
		.alignment = 0x10,
		.memoryTypeBits = 1,
	};
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkBindBufferMemory(VkDevice device, VkBuffer buffer,
							      VkDeviceMemory memory,
							      VkDeviceSize offset)
{
	struct mock_object *object = (struct mock_object *)buffer;

	(void)device;
	object->address = ((struct mock_object *)memory)->address + offset;
	tell(VK_OBJECT_TYPE_BUFFER, object, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkDeviceAddress VKAPI_CALL
mock_vkGetBufferDeviceAddress(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
	(void)device;
	return ((struct mock_object *)info->buffer)->address;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_vkSetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
	(void)device;
	(void)info;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkQueueBindSparse(VkQueue handle, uint32_t count,
							     const VkBindSparseInfo *info,
							     VkFence fence)
{
	(void)handle;
	(void)count;
	(void)info;
	(void)fence;
	return mock_work(VK_SUCCESS);
}

static const struct mock_name names[] = {
	MOCK_NAME(vkGetDeviceProcAddr),
	MOCK_NAME(vkDestroyDevice),
	MOCK_NAME(vkGetDeviceQueue),
	MOCK_NAME(vkQueueWaitIdle),
	MOCK_NAME(vkDeviceWaitIdle),
	MOCK_NAME(vkAllocateMemory),
	MOCK_NAME(vkFreeMemory),
	MOCK_NAME(vkCreateBuffer),
	MOCK_NAME(vkDestroyBuffer),
	MOCK_NAME(vkGetBufferMemoryRequirements),
	MOCK_NAME(vkBindBufferMemory),
	MOCK_NAME(vkGetBufferDeviceAddress),
	MOCK_NAME(vkSetDebugUtilsObjectNameEXT),
	MOCK_NAME(vkQueueBindSparse),
};

PFN_vkVoidFunction mock_device_function(const char *name)
{
	PFN_vkVoidFunction function = MOCK_FIND(names, name);

	if (!function)
		function = mock_sync_function(name);
	return function ? function : mock_fault_function(name);
}
