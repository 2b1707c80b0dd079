// SPDX-License-Identifier: MIT
/* What the driver tells of bindings. */
#include "mock.h"

static PFN_vkDebugUtilsMessengerCallbackEXT callback;
static void *callback_data;

void mock_hear(PFN_vkDebugUtilsMessengerCallbackEXT function, void *data)
{
	callback = function;
	callback_data = data;
}

static void tell(VkObjectType type, uint64_t object, VkDeviceAddress address, VkDeviceSize size,
		 VkDeviceAddressBindingTypeEXT what)
{
	const bool bind = what == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT;
	VkDeviceAddressBindingCallbackDataEXT data = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
		/* Not the same at both ends, as one driver has it. */
		.flags = bind && type == VK_OBJECT_TYPE_DEVICE_MEMORY
				 ? VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT
				 : 0,
		.baseAddress = address,
		.size = size,
		.bindingType = what,
	};
	VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = type,
		.objectHandle = object,
	};
	/* Without texts, as the same driver has it. */
	VkDebugUtilsMessengerCallbackDataEXT message = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
		.pNext = &data,
		.objectCount = 1,
		.pObjects = &name,
	};

	if (callback && mock_does("report"))
		callback(VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
			 VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &message,
			 callback_data);
}

/* Ranges that cannot be, of what is not there, and ends of what never began. */
static void tell_absurdly(void)
{
	static const struct {
		VkDeviceAddress address;
		VkDeviceSize size;
	} ranges[] = {
		{ 0, 0 },
		{ 0, UINT64_MAX },
		{ UINT64_MAX, UINT64_MAX },
		{ UINT64_MAX, 1 },
		{ UINT64_MAX - 1, 0x10 },
		{ UINT64_C(1) << 63, UINT64_C(1) << 63 },
		{ 1, UINT64_MAX },
	};
	static const VkObjectType types[] = { VK_OBJECT_TYPE_UNKNOWN, VK_OBJECT_TYPE_MAX_ENUM,
					      (VkObjectType)-1, VK_OBJECT_TYPE_BUFFER };
	size_t i, j;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		for (j = 0; j < sizeof(types) / sizeof(types[0]); j++) {
			tell(types[j], UINT64_MAX - i, ranges[i].address, ranges[i].size,
			     VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
			tell(types[j], UINT64_MAX - i, ranges[i].address, ranges[i].size,
			     VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
			tell(types[j], UINT64_MAX - i, ranges[i].address, ranges[i].size,
			     (VkDeviceAddressBindingTypeEXT)7);
			tell(types[j], UINT64_MAX - i, ranges[i].address, ranges[i].size,
			     VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
		}
}

void mock_tell(VkObjectType type, uint64_t object, VkDeviceAddress address, VkDeviceSize size,
	       VkDeviceAddressBindingTypeEXT what)
{
	if (mock_does("absurd"))
		tell_absurdly();
	tell(type, object, address, size, what);
}
