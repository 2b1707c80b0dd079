/* SPDX-License-Identifier: MIT */
#ifndef TEST_VULKAN_H
#define TEST_VULKAN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <drm/drm_fault.h>

#include "drmfault_vulkan.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MAX_INFOS  16
#define MAX_BINARY 4096
#define GUARD	   0xa5

/* What an application hands over, every byte of it a guard, and what comes back. */
struct answer {
	VkResult result;
	VkDeviceFaultCountsEXT counts;
	VkDeviceFaultInfoEXT info;
	VkDeviceFaultAddressInfoEXT addresses[MAX_INFOS];
	VkDeviceFaultVendorInfoEXT vendors[MAX_INFOS];
	uint8_t binary[MAX_BINARY];
};

extern const struct drmfault_vk_identity vulkan_identity;

/* A write that faulted, as the software GPU reports it. */
struct drm_fault_record vulkan_fault(void);
struct drmfault_snapshot *vulkan_snapshot(struct drm_fault_record *records, size_t count);

/* The counts, asked for without an info. */
VkDeviceFaultCountsEXT vulkan_counts(const struct drmfault_vk_identity *identity,
				     const struct drmfault_snapshot *snapshot);
/* Everything, into room for as many as these capacities say. */
void vulkan_ask(const struct drmfault_vk_identity *identity,
		const struct drmfault_snapshot *snapshot, uint32_t addresses, uint32_t vendors,
		VkDeviceSize binary, struct answer *answer);
/* With room for all. */
void vulkan_ask_all(const struct drmfault_snapshot *snapshot, struct answer *answer);
/* Of one record alone. */
void vulkan_ask_record(const struct drm_fault_record *record, struct answer *answer);

/* Are all bytes of it still guards? */
void vulkan_assert_untouched(const void *bytes, size_t size);

#endif /* TEST_VULKAN_H */
