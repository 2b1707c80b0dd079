// SPDX-License-Identifier: MIT
/* What the structures of both extensions have in common. */
#include <stdio.h>
#include <string.h>

#include "demo.h"

#define WIDTH 80

void show_wrapped(int indent, const char *text)
{
	int column = indent;
	size_t length;

	printf("%*s", indent, "");
	while (*text) {
		length = strcspn(text, " ");
		if (column > indent && column + 1 + (int)length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)length, text);
		column += (int)length;
		text += length + (text[length] == ' ');
	}
	putchar('\n');
}

static const VkDeviceFaultAddressTypeEXT access_types[] = {
	[DRMFAULT_ACCESS_READ] = VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT,
	[DRMFAULT_ACCESS_WRITE] = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
	[DRMFAULT_ACCESS_EXECUTE] = VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT,
};

static const VkDeviceFaultAddressTypeEXT ip_types[] = {
	[DRMFAULT_IP_INVALID] = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT,
	[DRMFAULT_IP_FAULT] = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
};

VkDeviceFaultAddressTypeEXT type_of_access(uint32_t access)
{
	return access_types[access];
}

VkDeviceFaultAddressTypeEXT type_of_ip(uint32_t ip_type)
{
	return ip_types[ip_type];
}

/* The record's addresses are those of the GPU, Vulkan's are canonical. */
void check_address(const VkDeviceFaultAddressInfoEXT *info, VkDeviceFaultAddressTypeEXT type,
		   uint64_t address, uint64_t precision)
{
	check_u64("addressType", info->addressType, type);
	check_u64("reportedAddress", info->reportedAddress,
		  drmfault_canonical(address, DRM_FAULT_SIM_ADDRESS_BITS));
	check_u64("addressPrecision", info->addressPrecision, precision);
}
