// SPDX-License-Identifier: MIT
#include "internal.h"

#define LOOKUP(table, value, otherwise) \
	((value) < sizeof(table) / sizeof((table)[0]) ? (table)[(value)] : (otherwise))

static const VkDeviceFaultAddressTypeEXT access_types[] = {
	[DRMFAULT_ACCESS_UNKNOWN] = VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT,
	[DRMFAULT_ACCESS_READ] = VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT,
	[DRMFAULT_ACCESS_WRITE] = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
	[DRMFAULT_ACCESS_EXECUTE] = VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT,
	[DRMFAULT_ACCESS_ATOMIC] = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
};

static const VkDeviceFaultAddressTypeEXT ip_types[] = {
	[DRMFAULT_IP_UNKNOWN] = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT,
	[DRMFAULT_IP_INVALID] = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT,
	[DRMFAULT_IP_FAULT] = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
};

/* Vulkan demands a power of two; from a file anything may come. */
static uint64_t power_of_two(uint64_t precision)
{
	uint64_t power = 1;

	while (power < precision && power < UINT64_C(1) << 63)
		power <<= 1;
	return power;
}

/* Addresses of records are as wide as the GPU has them, those of Vulkan are canonical. */
static void set(VkDeviceFaultAddressInfoEXT *info, VkDeviceFaultAddressTypeEXT type,
		const struct drmfault_record *record, uint64_t address, uint64_t precision)
{
	*info = (VkDeviceFaultAddressInfoEXT){
		.addressType = type,
		.reportedAddress =
			drmfault_canonical(address, drmfault_record_address_bits(record)),
		.addressPrecision = power_of_two(precision),
	};
}

bool fault_address_of_record(const struct drmfault_record *record,
			     VkDeviceFaultAddressInfoEXT *info)
{
	uint32_t access = drmfault_record_access(record);

	if (drmfault_record_type(record) != DRMFAULT_RECORD_FAULT ||
	    !drmfault_record_address_precision(record))
		return false;
	set(info, LOOKUP(access_types, access, VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT), record,
	    drmfault_record_address(record), drmfault_record_address_precision(record));
	return true;
}

bool instruction_address_of_record(const struct drmfault_record *record,
				   VkDeviceFaultAddressInfoEXT *info)
{
	uint32_t type = drmfault_record_ip_type(record);

	if (!type)
		return false;
	set(info,
	    LOOKUP(ip_types, type, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT),
	    record, drmfault_record_ip(record), drmfault_record_ip_precision(record));
	return true;
}

static void add(struct address_list *list, const VkDeviceFaultAddressInfoEXT *info)
{
	if (list->count < list->capacity)
		list->infos[list->count] = *info;
	list->count++;
}

void addresses_of_record(const struct drmfault_record *record, struct address_list *list)
{
	VkDeviceFaultAddressInfoEXT info;

	if (fault_address_of_record(record, &info))
		add(list, &info);
	if (instruction_address_of_record(record, &info))
		add(list, &info);
}
