// SPDX-License-Identifier: MIT
#include "vulkan.h"

static const VkApplicationInfo application = {
	.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
	.pApplicationName = "particles",
	.applicationVersion = 0x01020304,
	.pEngineName = "motor",
	.engineVersion = 0x11121314,
	.apiVersion = VK_API_VERSION_1_3,
};

const struct drmfault_vk_identity vulkan_identity = {
	.vendorID = 0x10001,
	.deviceID = 0xa1b2c3d4,
	.driverVersion = 0x00400001,
	.pipelineCacheUUID = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
	.pApplicationInfo = &application,
	.vendor_binary = true,
};

struct drm_fault_record vulkan_fault(void)
{
	return (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.flags = DRM_FAULT_RECORD_F_FATAL,
		.count = 3,
		.timestamp_ns = 12345678901,
		.address = 0x800101600040,
		.address_precision = 4,
		.ip = 0x10008,
		.ip_precision = 8,
		.access = DRM_FAULT_ACCESS_WRITE,
		.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
		.ip_type = DRM_FAULT_IP_FAULT,
		.level = 1,
		.engine_class = DRM_FAULT_ENGINE_COMPUTE,
		.engine_instance = 0,
		.engine = "ring0",
		.pid = 4242,
		.comm = "game",
		.raw_count = 1,
		.address_bits = 48,
		.raw = { 0x123456789abcdef0 },
		.job_seqno = 77,
	};
}

struct drmfault_snapshot *vulkan_snapshot(struct drm_fault_record *records, size_t count)
{
	struct drmfault_snapshot *snapshot = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		records[i].length = sizeof(records[i]);
	assert_int_equal(drmfault_snapshot_from_bytes(records, sizeof(*records), count, &snapshot),
			 0);
	return snapshot;
}

VkDeviceFaultCountsEXT vulkan_counts(const struct drmfault_vk_identity *identity,
				     const struct drmfault_snapshot *snapshot)
{
	VkDeviceFaultCountsEXT counts = fault_answer_counts();

	assert_int_equal(drmfault_vk_get_fault_info_ext(identity, snapshot, &counts, NULL),
			 VK_SUCCESS);
	return counts;
}

void vulkan_ask(const struct drmfault_vk_identity *identity,
		const struct drmfault_snapshot *snapshot, uint32_t addresses, uint32_t vendors,
		VkDeviceSize binary, struct fault_answer *answer)
{
	fault_answer_prepare(answer, addresses, vendors, binary);
	answer->info.pNext = answer;
	answer->result =
		drmfault_vk_get_fault_info_ext(identity, snapshot, &answer->counts, &answer->info);
	assert_int_equal(answer->info.sType, VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT);
	assert_ptr_equal(answer->info.pNext, answer);
	assert_non_null(memchr(answer->info.description, '\0', VK_MAX_DESCRIPTION_SIZE));
}

void vulkan_ask_all(const struct drmfault_snapshot *snapshot, struct fault_answer *answer)
{
	VkDeviceFaultCountsEXT counts = vulkan_counts(&vulkan_identity, snapshot);

	assert_true(counts.addressInfoCount <= MAX_INFOS && counts.vendorInfoCount <= MAX_INFOS);
	assert_true(counts.vendorBinarySize <= MAX_BINARY);
	vulkan_ask(&vulkan_identity, snapshot, counts.addressInfoCount, counts.vendorInfoCount,
		   counts.vendorBinarySize, answer);
	assert_int_equal(answer->result, VK_SUCCESS);
}

void vulkan_ask_record(const struct drm_fault_record *record, struct fault_answer *answer)
{
	struct drm_fault_record copy = *record;
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&copy, 1);

	vulkan_ask_all(snapshot, answer);
	drmfault_snapshot_free(snapshot);
}

void vulkan_assert_untouched(const void *bytes, size_t size)
{
	const uint8_t *b = bytes;
	size_t i;

	if (is_untouched(bytes, size))
		return;
	for (i = 0; b[i] == GUARD; i++)
		;
	fail_msg("byte %zu of %zu was written", i, size);
}
