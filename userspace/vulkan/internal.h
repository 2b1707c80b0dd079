/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_VULKAN_INTERNAL_H
#define DRMFAULT_VULKAN_INTERNAL_H

#include "drmfault_vulkan.h"

#define DRMFAULT_API __attribute__((visibility("default")))

/* A text that grows up to the end of its room, and is terminated at any time. */
struct text {
	char *start;
	size_t size;
	size_t used;
};

void text_begin(struct text *text, char *room, size_t size);
__attribute__((format(printf, 2, 3))) void text_add(struct text *text, const char *format, ...);
void text_add_name(struct text *text, const char *name);

/* Where the kernel shows its hooks. */
#define HOOKS_FOLDER "/sys/class/misc/drm_fault/hooks"

/* 0, or -EOPNOTSUPP if @driver has hooks, and none that sees faults is attached. */
int hooks_support(const char *folder, const char *driver);

/*
 * Where answers go. What does not fit is counted and left out, so that the code
 * that measures is the code that writes.
 */
struct address_list {
	VkDeviceFaultAddressInfoEXT *infos;
	uint32_t capacity;
	uint32_t count;
};

struct vendor_list {
	VkDeviceFaultVendorInfoEXT *infos;
	uint32_t capacity;
	uint32_t count;
};

struct byte_list {
	uint8_t *bytes;
	uint64_t capacity;
	uint64_t count;
};

/* Does anything in it deserve a vendor binary? */
bool snapshot_has_events(const struct drmfault_snapshot *snapshot);
bool record_is_known(const struct drmfault_record *record);
/* The address that faulted, or the instruction; false: the record has none. */
bool fault_address_of_record(const struct drmfault_record *record,
			     VkDeviceFaultAddressInfoEXT *info);
bool instruction_address_of_record(const struct drmfault_record *record,
				   VkDeviceFaultAddressInfoEXT *info);
void addresses_of_record(const struct drmfault_record *record, struct address_list *list);
void vendor_of_record(const struct drmfault_record *record, struct vendor_list *list);
void binary_of_snapshot(const struct drmfault_vk_identity *identity,
			const struct drmfault_snapshot *snapshot, struct byte_list *list);
void describe_record(struct text *text, const struct drmfault_record *record);
void describe_snapshot(const struct drmfault_snapshot *snapshot, char *room, size_t size);

#endif /* DRMFAULT_VULKAN_INTERNAL_H */
