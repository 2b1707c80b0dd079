// SPDX-License-Identifier: MIT
/* Addresses that can be asked for: by the layer, and by the application. */
#include "hooks.h"
#include "object.h"

VkDeviceAddress address_ask(const struct device *device, uint64_t buffer)
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

static void learn(struct device *device, VkObjectType type, uint64_t handle,
		  VkDeviceAddress address)
{
	struct object object;

	if (device->bindings && objects_get(device->objects, type, handle, &object))
		object_locate(device, &object, address);
}

#define ADDRESS(Info, object_type, object, name)                                               \
	VKAPI_ATTR VkDeviceAddress VKAPI_CALL layer_##name(VkDevice handle, const Info *pInfo) \
	{                                                                                      \
		struct device *device = device_of(handle);                                     \
		VkDeviceAddress address = device->calls.name(handle, pInfo);                   \
                                                                                               \
		learn(device, object_type, HANDLE(pInfo->object), address);                    \
		return address;                                                                \
	}

ADDRESS(VkBufferDeviceAddressInfo, VK_OBJECT_TYPE_BUFFER, buffer, vkGetBufferDeviceAddress)
ADDRESS(VkBufferDeviceAddressInfo, VK_OBJECT_TYPE_BUFFER, buffer, vkGetBufferDeviceAddressKHR)
ADDRESS(VkBufferDeviceAddressInfo, VK_OBJECT_TYPE_BUFFER, buffer, vkGetBufferDeviceAddressEXT)
ADDRESS(VkAccelerationStructureDeviceAddressInfoKHR, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
	accelerationStructure, vkGetAccelerationStructureDeviceAddressKHR)
