// SPDX-License-Identifier: MIT
/* Buffers: an address that can be asked for, or that of their memory. */
#include "hooks.h"
#include "object.h"

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateBuffer(VkDevice handle,
						    const VkBufferCreateInfo *pCreateInfo,
						    const VkAllocationCallbacks *pAllocator,
						    VkBuffer *pBuffer)
{
	bool sparse = pCreateInfo->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
	struct device *device = device_of(handle);
	struct object object = { .type = VK_OBJECT_TYPE_BUFFER };
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, sparse ? DRMFAULT_BINDING_SPARSE : 0);
	result = device->calls.vkCreateBuffer(handle, pCreateInfo, pAllocator, pBuffer);
	scope_leave(&scope);
	if (result != VK_SUCCESS || !device->bindings)
		return result;

	objects_get(device->objects, object.type, HANDLE(*pBuffer), &object);
	object.handle = HANDLE(*pBuffer);
	object.size = pCreateInfo->size;
	object.flags |= OBJECT_LINEAR | (sparse ? OBJECT_SPARSE : 0);
	if (pCreateInfo->usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)
		object.flags |= OBJECT_ADDRESSABLE;
	objects_set(device->objects, &object);
	if (sparse)
		resource_locate(device, &object);
	return result;
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroyBuffer(VkDevice handle, VkBuffer buffer,
						 const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);
	struct scope scope;

	if (buffer && device->bindings)
		object_destroy(device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer));
	scope_enter(&scope, device, 0);
	device->calls.vkDestroyBuffer(handle, buffer, pAllocator);
	scope_leave(&scope);
}

static VkDeviceAddress ask_address(const struct device *device, uint64_t buffer)
{
	const VkBufferDeviceAddressInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
		.buffer = (VkBuffer)(uintptr_t)buffer,
	};

	if (device->calls.vkGetBufferDeviceAddress)
		return device->calls.vkGetBufferDeviceAddress(device->handle, &info);
	if (device->calls.vkGetBufferDeviceAddressKHR)
		return device->calls.vkGetBufferDeviceAddressKHR(device->handle, &info);
	if (device->calls.vkGetBufferDeviceAddressEXT)
		return device->calls.vkGetBufferDeviceAddressEXT(device->handle, &info);
	return 0;
}

/*
 * Optimal images may be mapped apart from their memory, so that it says nothing of them
 * unless the driver has told the memory and would have told them too.
 */
void resource_locate(struct device *device, struct object *object)
{
	struct object memory;

	if (object->flags & OBJECT_REPORTED || object->address)
		return;
	if (object->flags & OBJECT_ADDRESSABLE) {
		object_locate(device, object, ask_address(device, object->handle));
		return;
	}
	if (!object->parent ||
	    !objects_get(device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, object->parent, &memory))
		return;
	if (memory.address && (object->flags & OBJECT_LINEAR || memory.flags & OBJECT_REPORTED))
		object_locate(device, object, memory.address + object->offset);
}

void resource_bind(struct device *device, VkObjectType type, uint64_t handle, uint64_t memory,
		   VkDeviceSize offset)
{
	struct object object;

	if (!device->bindings || !objects_get(device->objects, type, handle, &object))
		return;
	object.parent = memory;
	object.offset = offset;
	objects_set(device->objects, &object);
	resource_locate(device, &object);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindBufferMemory(VkDevice handle, VkBuffer buffer,
							VkDeviceMemory memory, VkDeviceSize offset)
{
	struct device *device = device_of(handle);
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, 0);
	result = device->calls.vkBindBufferMemory(handle, buffer, memory, offset);
	scope_leave(&scope);
	if (result == VK_SUCCESS)
		resource_bind(device, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), HANDLE(memory),
			      offset);
	return result;
}

static VkResult bind_many(PFN_vkBindBufferMemory2 bind, VkDevice handle, uint32_t count,
			  const VkBindBufferMemoryInfo *pInfos)
{
	struct device *device = device_of(handle);
	struct scope scope;
	VkResult result;
	uint32_t i;

	scope_enter(&scope, device, 0);
	result = bind(handle, count, pInfos);
	scope_leave(&scope);
	for (i = 0; result == VK_SUCCESS && i < count; i++)
		resource_bind(device, VK_OBJECT_TYPE_BUFFER, HANDLE(pInfos[i].buffer),
			      HANDLE(pInfos[i].memory), pInfos[i].memoryOffset);
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindBufferMemory2(VkDevice handle, uint32_t count,
							 const VkBindBufferMemoryInfo *pInfos)
{
	return bind_many(device_of(handle)->calls.vkBindBufferMemory2, handle, count, pInfos);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkBindBufferMemory2KHR(VkDevice handle, uint32_t count,
							    const VkBindBufferMemoryInfo *pInfos)
{
	return bind_many(device_of(handle)->calls.vkBindBufferMemory2KHR, handle, count, pInfos);
}

static VkDeviceAddress learn(PFN_vkGetBufferDeviceAddress ask, VkDevice handle,
			     const VkBufferDeviceAddressInfo *pInfo)
{
	VkDeviceAddress address = ask(handle, pInfo);
	struct device *device = device_of(handle);
	struct object object;

	if (device->bindings &&
	    objects_get(device->objects, VK_OBJECT_TYPE_BUFFER, HANDLE(pInfo->buffer), &object))
		object_locate(device, &object, address);
	return address;
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
layer_vkGetBufferDeviceAddress(VkDevice handle, const VkBufferDeviceAddressInfo *pInfo)
{
	return learn(device_of(handle)->calls.vkGetBufferDeviceAddress, handle, pInfo);
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
layer_vkGetBufferDeviceAddressKHR(VkDevice handle, const VkBufferDeviceAddressInfo *pInfo)
{
	return learn(device_of(handle)->calls.vkGetBufferDeviceAddressKHR, handle, pInfo);
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
layer_vkGetBufferDeviceAddressEXT(VkDevice handle, const VkBufferDeviceAddressInfo *pInfo)
{
	return learn(device_of(handle)->calls.vkGetBufferDeviceAddressEXT, handle, pInfo);
}
