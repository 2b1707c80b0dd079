// SPDX-License-Identifier: MIT
#include <string.h>

#include "fault-answer.h"

VkDeviceFaultCountsEXT fault_answer_counts(void)
{
	VkDeviceFaultCountsEXT counts;

	memset(&counts, GUARD, sizeof(counts));
	counts.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT;
	counts.pNext = NULL;
	return counts;
}

void fault_answer_prepare(struct fault_answer *answer, uint32_t addresses, uint32_t vendors,
			  VkDeviceSize binary)
{
	memset(answer, GUARD, sizeof(*answer));
	answer->counts = (VkDeviceFaultCountsEXT){
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT,
		.addressInfoCount = addresses,
		.vendorInfoCount = vendors,
		.vendorBinarySize = binary,
	};
	answer->info.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT;
	answer->info.pNext = NULL;
	answer->info.pAddressInfos = answer->addresses;
	answer->info.pVendorInfos = answer->vendors;
	answer->info.pVendorBinaryData = answer->binary;
}

bool is_untouched(const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;

	/* Each is what the one before it is. */
	return !size || (byte[0] == GUARD && !memcmp(byte, byte + 1, size - 1));
}
