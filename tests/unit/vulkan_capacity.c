// SPDX-License-Identifier: MIT
/* What fits, what does not, and what is left alone. */
#include "vulkan.h"

#define RECORDS	  3
#define ADDRESSES 5
#define VENDORS	  3

static struct drmfault_snapshot *snapshot;
static VkDeviceFaultCountsEXT all;

/* Two faults with their instruction pointers, and a timeout with one. */
static int setup(void **state)
{
	struct drm_fault_record records[RECORDS] = { vulkan_fault(), vulkan_fault(),
						     vulkan_fault() };

	(void)state;
	records[1].address += 0x1000;
	records[2].type = DRM_FAULT_RECORD_TIMEOUT;
	snapshot = vulkan_snapshot(records, RECORDS);
	all = vulkan_counts(&vulkan_identity, snapshot);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	drmfault_snapshot_free(snapshot);
	return 0;
}

static void counts_without_info(void **state)
{
	(void)state;
	assert_int_equal(all.addressInfoCount, ADDRESSES);
	assert_int_equal(all.vendorInfoCount, VENDORS);
	/*
	 * Header, "particles" and "motor"; the dump's header, and its sections: meta,
	 * records, lost, application, strings, of 1, 10 and 6 bytes.
	 */
	assert_int_equal(all.vendorBinarySize,
			 56 + 16 + 120 + (24 + 168) +
				 (24 + 8 + RECORDS * sizeof(struct drm_fault_record)) + (24 + 24) +
				 (24 + 56) + (24 + 24));
}

/* Whatever the capacities are, as many as fit are the first of them. */
static void check(uint32_t addresses, uint32_t vendors, VkDeviceSize binary)
{
	static struct fault_answer whole, part;
	uint32_t address_count = addresses < ADDRESSES ? addresses : ADDRESSES;
	uint32_t vendor_count = vendors < VENDORS ? vendors : VENDORS;
	VkDeviceSize size = binary < all.vendorBinarySize ? binary : all.vendorBinarySize;
	bool fits = addresses >= ADDRESSES && vendors >= VENDORS && binary >= all.vendorBinarySize;

	if (binary < DRMFAULT_VK_BINARY_HEADER_SIZE)
		size = 0;
	vulkan_ask_all(snapshot, &whole);
	vulkan_ask(&vulkan_identity, snapshot, addresses, vendors, binary, &part);
	assert_int_equal(part.result, fits ? VK_SUCCESS : VK_INCOMPLETE);
	assert_int_equal(part.counts.addressInfoCount, address_count);
	assert_int_equal(part.counts.vendorInfoCount, vendor_count);
	assert_int_equal(part.counts.vendorBinarySize, size);
	assert_string_equal(part.info.description, whole.info.description);
	assert_memory_equal(part.vendors, whole.vendors, vendor_count * sizeof(part.vendors[0]));
	assert_memory_equal(part.binary, whole.binary, size);
	for (uint32_t i = 0; i < address_count; i++) {
		assert_int_equal(part.addresses[i].addressType, whole.addresses[i].addressType);
		assert_true(
			part.addresses[i].reportedAddress == whole.addresses[i].reportedAddress &&
			part.addresses[i].addressPrecision == whole.addresses[i].addressPrecision);
	}
	vulkan_assert_untouched(&part.addresses[address_count],
				(MAX_INFOS - address_count) * sizeof(part.addresses[0]));
	vulkan_assert_untouched(&part.vendors[vendor_count],
				(MAX_INFOS - vendor_count) * sizeof(part.vendors[0]));
	vulkan_assert_untouched(part.binary + size, MAX_BINARY - size);
}

/* Each of the three alone, from nothing to more than there is. */
static void every_address_capacity(void **state)
{
	uint32_t n;

	(void)state;
	for (n = 0; n <= ADDRESSES + 2; n++)
		check(n, VENDORS, all.vendorBinarySize);
}

static void every_vendor_capacity(void **state)
{
	uint32_t n;

	(void)state;
	for (n = 0; n <= VENDORS + 2; n++)
		check(ADDRESSES, n, all.vendorBinarySize);
}

static void every_binary_capacity(void **state)
{
	VkDeviceSize n;

	(void)state;
	for (n = 0; n <= all.vendorBinarySize + 8; n++)
		check(ADDRESSES, VENDORS, n);
}

static void all_combinations(void **state)
{
	const VkDeviceSize sizes[] = { 0, 1, 55, 56, 57, all.vendorBinarySize, MAX_BINARY };
	size_t i, j, k;

	(void)state;
	for (i = 0; i <= ADDRESSES + 1; i++)
		for (j = 0; j <= VENDORS + 1; j++)
			for (k = 0; k < ARRAY_SIZE(sizes); k++)
				check((uint32_t)i, (uint32_t)j, sizes[k]);
}

/* The spec demands it; RADV and others take what comes. */
static void no_pointer_is_no_capacity(void **state)
{
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	VkDeviceFaultCountsEXT counts = all;

	(void)state;
	assert_int_equal(drmfault_vk_get_fault_info_ext(&vulkan_identity, snapshot, &counts, &info),
			 VK_INCOMPLETE);
	assert_int_equal(counts.addressInfoCount, 0);
	assert_int_equal(counts.vendorInfoCount, 0);
	assert_int_equal(counts.vendorBinarySize, 0);
	assert_true(info.description[0]);
}

static void without_feature_no_binary(void **state)
{
	struct drmfault_vk_identity identity = vulkan_identity;
	static struct fault_answer answer;

	(void)state;
	identity.vendor_binary = false;
	assert_int_equal(vulkan_counts(&identity, snapshot).vendorBinarySize, 0);
	assert_int_equal(vulkan_counts(&identity, snapshot).addressInfoCount, ADDRESSES);
	vulkan_ask(&identity, snapshot, ADDRESSES, VENDORS, MAX_BINARY, &answer);
	assert_int_equal(answer.result, VK_SUCCESS);
	assert_int_equal(answer.counts.vendorBinarySize, 0);
	vulkan_assert_untouched(answer.binary, MAX_BINARY);
}

static void same_answer_each_time(void **state)
{
	static struct fault_answer first, again;
	int i;

	(void)state;
	vulkan_ask_all(snapshot, &first);
	for (i = 0; i < 3; i++) {
		vulkan_ask_all(snapshot, &again);
		assert_memory_equal(again.info.description, first.info.description,
				    sizeof(first.info.description));
		assert_memory_equal(again.vendors, first.vendors, sizeof(first.vendors));
		assert_memory_equal(again.binary, first.binary, sizeof(first.binary));
		assert_memory_equal(&again.counts, &first.counts, sizeof(first.counts));
	}
}

static void assert_nothing(const struct drmfault_snapshot *of, const char *description)
{
	static struct fault_answer answer;
	VkDeviceFaultCountsEXT counts = vulkan_counts(&vulkan_identity, of);

	assert_int_equal(counts.addressInfoCount, 0);
	assert_int_equal(counts.vendorInfoCount, 0);
	assert_int_equal(counts.vendorBinarySize, 0);
	vulkan_ask(&vulkan_identity, of, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
	assert_int_equal(answer.result, VK_SUCCESS);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_int_equal(answer.counts.vendorInfoCount, 0);
	assert_int_equal(answer.counts.vendorBinarySize, 0);
	assert_string_equal(answer.info.description, description);
	vulkan_assert_untouched(answer.addresses, sizeof(answer.addresses));
	vulkan_assert_untouched(answer.vendors, sizeof(answer.vendors));
	vulkan_assert_untouched(answer.binary, sizeof(answer.binary));
	vulkan_ask(&vulkan_identity, of, 0, 0, 0, &answer);
	assert_int_equal(answer.result, VK_SUCCESS);
}

static void no_faults(void **state)
{
	struct drmfault_snapshot *empty = vulkan_snapshot(NULL, 0);

	(void)state;
	assert_nothing(empty, "No GPU fault is recorded for this device");
	assert_nothing(NULL, "No GPU fault is recorded for this device");
	drmfault_snapshot_free(empty);
}

static void only_lost(void **state)
{
	struct drm_fault_record record = { .type = DRM_FAULT_RECORD_LOST, .lost = 12 };
	struct drmfault_snapshot *lost = vulkan_snapshot(&record, 1);

	(void)state;
	assert_nothing(lost, "No GPU fault is recorded for this device; 12 lost");
	drmfault_snapshot_free(lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_without_info),
		cmocka_unit_test(every_address_capacity),
		cmocka_unit_test(every_vendor_capacity),
		cmocka_unit_test(every_binary_capacity),
		cmocka_unit_test(all_combinations),
		cmocka_unit_test(no_pointer_is_no_capacity),
		cmocka_unit_test(without_feature_no_binary),
		cmocka_unit_test(same_answer_each_time),
		cmocka_unit_test(no_faults),
		cmocka_unit_test(only_lost),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: capacities", tests, setup,
					   teardown);
}
