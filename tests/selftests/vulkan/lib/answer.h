/* SPDX-License-Identifier: MIT */
/* What both fault extensions answer, and what they have to. */
#ifndef VULKAN_ANSWER_H
#define VULKAN_ANSWER_H

#include "app.h"

#define MAX_INFOS   16
#define MAX_REPORTS 16

struct answer {
	VkDeviceFaultCountsEXT counts;
	VkDeviceFaultInfoEXT info;
	VkDeviceFaultAddressInfoEXT addresses[MAX_INFOS];
	VkDeviceFaultVendorInfoEXT vendors[MAX_INFOS];
	uint8_t binary[4 * DRM_FAULT_SIM_PAGE_SIZE];
};

/* All that the EXT has, in two calls as applications do. */
void ask_ext(struct app *app, struct answer *answer);
/* All reports that there are, waiting for the first; their number. */
uint32_t ask_khr(struct app *app, VkDeviceFaultInfoKHR reports[MAX_REPORTS], uint64_t timeout);

/* What both extensions must tell of a fault of a job, which is the only one. */
struct expected {
	VkDeviceFaultAddressTypeEXT type;
	uint64_t address, precision;
	VkDeviceFaultAddressTypeEXT ip_type;
	uint64_t ip;
};

void check_report(const VkDeviceFaultInfoKHR *report, const struct expected *e);
/* Is the device lost, by this fault, and do both say so, each time that they are asked? */
void check_lost(struct app *app, const struct expected *e);

#endif /* VULKAN_ANSWER_H */
