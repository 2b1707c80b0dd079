// SPDX-License-Identifier: MIT
#include "internal.h"

struct name {
	int value;
	const char *name;
};

#define NAME(value)           \
	{                     \
		value, #value \
	}
#define LOOKUP(table, value) lookup(table, sizeof(table) / sizeof((table)[0]), (int)(value))

/*
 * The preprocessor cannot see enumerators, so a newer header that makes these
 * aliases of KHR's changes nothing here: the names are those of the EXT.
 */
static const struct name address_types[] = {
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT),
	NAME(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT),
};

static const struct name fault_flags[] = {
	NAME(VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR),
	NAME(VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR),
	NAME(VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR),
	NAME(VK_DEVICE_FAULT_FLAG_VENDOR_KHR),
	NAME(VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR),
	NAME(VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR),
};

static const struct name header_versions[] = {
	NAME(VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT),
};

/* Those that the queries may return. */
static const struct name results[] = {
	NAME(VK_SUCCESS),	    NAME(VK_TIMEOUT),
	NAME(VK_INCOMPLETE),	    NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
	NAME(VK_ERROR_DEVICE_LOST), NAME(VK_ERROR_NOT_ENOUGH_SPACE_KHR),
};

static const char *lookup(const struct name *names, size_t count, int value)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (names[i].value == value)
			return names[i].name;
	return NULL;
}

DRMFAULT_API const char *drmfault_vk_address_type_name(VkDeviceFaultAddressTypeEXT type)
{
	return LOOKUP(address_types, type);
}

DRMFAULT_API const char *
drmfault_vk_header_version_name(VkDeviceFaultVendorBinaryHeaderVersionEXT version)
{
	return LOOKUP(header_versions, version);
}

DRMFAULT_API const char *drmfault_vk_fault_flag_name(VkDeviceFaultFlagBitsKHR flag)
{
	return LOOKUP(fault_flags, flag);
}

DRMFAULT_API const char *drmfault_vk_result_name(VkResult result)
{
	return LOOKUP(results, result);
}
