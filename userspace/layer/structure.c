// SPDX-License-Identifier: MIT
/* Acceleration structures: where their buffer is. */
#include "hooks.h"
#include "object.h"

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateAccelerationStructureKHR(
	VkDevice handle, const VkAccelerationStructureCreateInfoKHR *pCreateInfo,
	const VkAllocationCallbacks *pAllocator, VkAccelerationStructureKHR *pStructure)
{
	struct device *device = device_of(handle);
	struct object object = { .type = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR }, buffer;
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, 0);
	result = device->calls.vkCreateAccelerationStructureKHR(handle, pCreateInfo, pAllocator,
								pStructure);
	scope_leave(&scope);
	if (result != VK_SUCCESS || !device->bindings)
		return result;

	objects_get(device->objects, object.type, HANDLE(*pStructure), &object);
	object.handle = HANDLE(*pStructure);
	object.size = pCreateInfo->size;
	object.parent = HANDLE(pCreateInfo->buffer);
	object.offset = pCreateInfo->offset;
	objects_set(device->objects, &object);
	if (objects_get(device->objects, VK_OBJECT_TYPE_BUFFER, object.parent, &buffer) &&
	    buffer.address)
		object_locate(device, &object, buffer.address + object.offset);
	return result;
}

VKAPI_ATTR void VKAPI_CALL
layer_vkDestroyAccelerationStructureKHR(VkDevice handle, VkAccelerationStructureKHR structure,
					const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);
	struct scope scope;

	if (structure && device->bindings)
		object_destroy(device, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
			       HANDLE(structure));
	scope_enter(&scope, device, 0);
	device->calls.vkDestroyAccelerationStructureKHR(handle, structure, pAllocator);
	scope_leave(&scope);
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL layer_vkGetAccelerationStructureDeviceAddressKHR(
	VkDevice handle, const VkAccelerationStructureDeviceAddressInfoKHR *pInfo)
{
	struct device *device = device_of(handle);
	VkDeviceAddress address =
		device->calls.vkGetAccelerationStructureDeviceAddressKHR(handle, pInfo);
	struct object object;

	if (device->bindings &&
	    objects_get(device->objects, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
			HANDLE(pInfo->accelerationStructure), &object))
		object_locate(device, &object, address);
	return address;
}
