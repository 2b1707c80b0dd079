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
#include "fault-answer.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

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
		VkDeviceSize binary, struct fault_answer *answer);
/* With room for all. */
void vulkan_ask_all(const struct drmfault_snapshot *snapshot, struct fault_answer *answer);
/* Of one record alone. */
void vulkan_ask_record(const struct drm_fault_record *record, struct fault_answer *answer);

/* Are all bytes of it still guards? */
void vulkan_assert_untouched(const void *bytes, size_t size);

#endif /* TEST_VULKAN_H */
