/* SPDX-License-Identifier: MIT */
/* What an application hands over to the query of the EXT, every byte a guard, and what comes back.
 */
#ifndef FAULT_ANSWER_H
#define FAULT_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drmfault_vulkan_khr.h"

#define GUARD	   0xa5
#define MAX_INFOS  512
#define MAX_BINARY (512 * 1024)

struct fault_answer {
	VkResult result;
	VkDeviceFaultCountsEXT counts;
	VkDeviceFaultInfoEXT info;
	VkDeviceFaultAddressInfoEXT addresses[MAX_INFOS];
	VkDeviceFaultVendorInfoEXT vendors[MAX_INFOS];
	uint8_t binary[MAX_BINARY];
};

/* To ask for the counts alone: guards, but for the type. */
VkDeviceFaultCountsEXT fault_answer_counts(void);
/* To ask for everything: says that there is room for as many as this. */
void fault_answer_prepare(struct fault_answer *answer, uint32_t addresses, uint32_t vendors,
			  VkDeviceSize binary);

/* Are all bytes of it still guards? */
bool is_untouched(const void *bytes, size_t size);

#endif /* FAULT_ANSWER_H */
