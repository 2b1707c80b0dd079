// SPDX-License-Identifier: MIT
/* Address infos, vendor infos, descriptions and names. */
#include <stdlib.h>

#include "drmfault_dump.h"
#include "vulkan.h"

static const struct {
	uint32_t access;
	VkDeviceFaultAddressTypeEXT type;
} access_cases[] = {
	{ DRM_FAULT_ACCESS_UNKNOWN, VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT },
	{ DRM_FAULT_ACCESS_READ, VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT },
	{ DRM_FAULT_ACCESS_WRITE, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT },
	{ DRM_FAULT_ACCESS_EXECUTE, VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT },
	{ DRM_FAULT_ACCESS_ATOMIC, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT },
	{ DRM_FAULT_ACCESS_ATOMIC + 1, VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT },
	{ UINT32_MAX, VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT },
};

static const struct {
	uint32_t ip_type;
	VkDeviceFaultAddressTypeEXT type;
} ip_cases[] = {
	{ DRM_FAULT_IP_UNKNOWN, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT },
	{ DRM_FAULT_IP_INVALID, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT },
	{ DRM_FAULT_IP_FAULT, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT },
	{ DRM_FAULT_IP_FAULT + 1, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT },
	{ UINT32_MAX, VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT },
};

static void every_access_has_its_type(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(access_cases); i++) {
		record.access = access_cases[i].access;
		vulkan_ask_record(&record, &answer);
		assert_int_equal(answer.counts.addressInfoCount, 2);
		assert_int_equal(answer.addresses[0].addressType, access_cases[i].type);
	}
}

static void every_pointer_has_its_type(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ip_cases); i++) {
		record.ip_type = ip_cases[i].ip_type;
		vulkan_ask_record(&record, &answer);
		assert_int_equal(answer.counts.addressInfoCount, 2);
		assert_int_equal(answer.addresses[1].addressType, ip_cases[i].type);
		assert_true(answer.addresses[1].reportedAddress == 0x10008);
		assert_true(answer.addresses[1].addressPrecision == 8);
	}
}

static void what_is_not_known_is_left_out(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.ip_type = 0;
	vulkan_ask_record(&record, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 1);
	record.address_precision = 0;
	vulkan_ask_record(&record, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_int_equal(answer.counts.vendorInfoCount, 1);
	assert_string_equal(answer.info.description,
			    "GPU page fault: write to an unknown address (not present), ring0");
}

/* In the order of the records, each pointer behind its address. */
static void pointers_follow_their_address(void **state)
{
	struct drm_fault_record records[4] = { vulkan_fault(), vulkan_fault(), vulkan_fault(),
					       vulkan_fault() };
	static const uint64_t expected[] = { 0x1000, 0x10, 0x2000, 0x30, 0x4000, 0x40 };
	struct drmfault_snapshot *snapshot;
	static struct fault_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		records[i].address = 0x1000 * (i + 1);
		records[i].ip = 0x10 * (i + 1);
	}
	records[1].ip_type = 0;
	records[2].type = DRM_FAULT_RECORD_TIMEOUT;
	snapshot = vulkan_snapshot(records, 4);
	vulkan_ask_all(snapshot, &answer);
	assert_int_equal(answer.counts.addressInfoCount, ARRAY_SIZE(expected));
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		assert_true(answer.addresses[i].reportedAddress == expected[i]);
	drmfault_snapshot_free(snapshot);
}

static const struct {
	uint64_t address;
	uint32_t bits;
	uint64_t reported;
} address_cases[] = {
	{ 0x0, 48, 0x0 },
	{ 0x7fffffffffff, 48, 0x7fffffffffff },
	{ 0x800101600040, 48, 0xffff800101600040 },
	{ 0xffff800101600040, 48, 0xffff800101600040 },
	{ 0x800101600040, 57, 0x800101600040 },
	{ 0x80000000, 32, 0xffffffff80000000 },
	{ 0x800101600040, 0, 0x800101600040 },
	{ 0x8000000000000000, 64, 0x8000000000000000 },
};

static void addresses_are_canonical(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(address_cases); i++) {
		record.address = record.ip = address_cases[i].address;
		record.address_bits = address_cases[i].bits;
		vulkan_ask_record(&record, &answer);
		assert_true(answer.addresses[0].reportedAddress == address_cases[i].reported);
		assert_true(answer.addresses[1].reportedAddress == address_cases[i].reported);
	}
}

static const struct {
	uint64_t precision, reported;
} precision_cases[] = {
	{ 1, 1 },
	{ 4, 4 },
	{ 0x1000, 0x1000 },
	{ 3, 4 },
	{ 0x1001, 0x2000 },
	{ UINT64_C(1) << 63, UINT64_C(1) << 63 },
	{ UINT64_MAX, UINT64_C(1) << 63 },
};

static void precision_is_a_power_of_two(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(precision_cases); i++) {
		record.address_precision = record.ip_precision = precision_cases[i].precision;
		vulkan_ask_record(&record, &answer);
		assert_true(answer.addresses[0].addressPrecision == precision_cases[i].reported);
		assert_true(answer.addresses[1].addressPrecision == precision_cases[i].reported);
	}
	record.ip_precision = 0;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.addresses[1].addressPrecision == 1);
}

static void vendor_codes(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.engine_instance = 5;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdf04050201020101);
	assert_true(answer.vendors[0].vendorFaultData == 0x123456789abcdef0);

	record.type = DRM_FAULT_RECORD_TIMEOUT;
	record.flags = DRM_FAULT_RECORD_F_GUILTY;
	record.access = record.fault_type = record.level = 0;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdf08050200000002);
	assert_true(answer.vendors[0].vendorFaultData == 77);

	record.type = DRM_FAULT_RECORD_RESET;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdf08050200000003);

	record.type = DRM_FAULT_RECORD_WEDGED;
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdf08050200000005);
	assert_true(answer.vendors[0].vendorFaultData == 0x123456789abcdef0);
}

/* It says that somebody wrote about a fault, and is none. */
static void dumps_are_no_faults(void **state)
{
	struct drm_fault_record records[2] = { vulkan_fault(), vulkan_fault() };
	struct drmfault_snapshot *snapshot;
	static struct fault_answer answer;

	(void)state;
	records[0].type = DRM_FAULT_RECORD_DUMP;
	snapshot = vulkan_snapshot(records, 1);
	vulkan_ask_all(snapshot, &answer);
	assert_string_equal(answer.info.description, "No GPU fault is recorded for this device");
	assert_int_equal(answer.counts.vendorInfoCount, 0);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_int_equal(answer.counts.vendorBinarySize, 0);
	drmfault_snapshot_free(snapshot);

	snapshot = vulkan_snapshot(records, 2);
	vulkan_ask_all(snapshot, &answer);
	assert_int_equal(answer.counts.vendorInfoCount, 1);
	assert_null(strstr(answer.info.description, "more"));
	drmfault_snapshot_free(snapshot);
}

/* Values that a newer kernel made up stay in their byte. */
static void unknown_values_do_not_overflow(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	record.flags = record.engine_instance = record.engine_class = record.level = UINT32_MAX;
	record.access = record.fault_type = 256;
	record.engine[0] = '\0';
	vulkan_ask_record(&record, &answer);
	assert_true(answer.vendors[0].vendorFaultCode == 0xdfffffffffffff01);
	assert_string_equal(answer.info.description,
			    "GPU page fault: access to 0xffff800101600040, "
			    "an unknown engine, ip 0x10008");
}

static void vendor_descriptions(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	vulkan_ask_record(&record, &answer);
	assert_string_equal(answer.vendors[0].description,
			    "GPU page fault: write to 0xffff800101600040 (not present), ring0, "
			    "ip 0x10008, level 1, count 3, at 12.345678 s, pid 4242 game");
	record.type = DRM_FAULT_RECORD_RESET;
	record.level = record.ip_type = 0;
	vulkan_ask_record(&record, &answer);
	assert_string_equal(answer.vendors[0].description,
			    "GPU reset: ring0, count 3, at 12.345678 s, pid 4242 game");
	record.type = DRM_FAULT_RECORD_WEDGED;
	vulkan_ask_record(&record, &answer);
	assert_string_equal(answer.vendors[0].description,
			    "GPU wedged, count 3, at 12.345678 s, pid 4242 game");
}

static void description_is_of_the_first_fault(void **state)
{
	struct drm_fault_record records[3] = { vulkan_fault(), vulkan_fault(), vulkan_fault() };
	struct drmfault_snapshot *snapshot;
	static struct fault_answer answer;

	(void)state;
	records[0].type = DRM_FAULT_RECORD_TIMEOUT;
	records[1].lost = 5;
	records[2].address = 0;
	snapshot = vulkan_snapshot(records, 3);
	vulkan_ask_all(snapshot, &answer);
	assert_string_equal(answer.info.description,
			    "GPU page fault: write to 0xffff800101600040 (not present), ring0, "
			    "ip 0x10008; 2 more; 5 lost");
	drmfault_snapshot_free(snapshot);

	snapshot = vulkan_snapshot(records, 1);
	vulkan_ask_all(snapshot, &answer);
	assert_string_equal(answer.info.description,
			    "GPU job timeout: ring0, ip 0x10008; no page fault");
	drmfault_snapshot_free(snapshot);
}

/* Names that fill their field to the last byte, are cut in a character, or are no text. */
static const struct {
	const char name[DRM_FAULT_COMM_LEN + 1];
	const char *shown;
} comm_cases[] = {
	{ "0123456789abcdef", "0123456789abcde" },
	{ "spiel\xc3\xa4rger", "spiel\xc3\xa4rger" },
	{ "0123456789abcd\xc3\xa4", "0123456789abcd?" },
	{ "a\nb\tc\x7f", "a?b?c?" },
	{ "\xff\xfe\x80\xc0\xaf", "?????" },
	{ "\xed\xa0\x80", "???" },
	{ "\xc2\x9b"
	  "2J",
	  "??2J" },
	{ "\xe6\x97\xa5\xf0\x9f\x98\x80", "\xe6\x97\xa5\xf0\x9f\x98\x80" },
	{ "\xf4\x90\x80\x80", "????" },
};

static void names_are_utf8(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	size_t i;

	(void)state;
	memset(record.engine, 'e', sizeof(record.engine));
	for (i = 0; i < ARRAY_SIZE(comm_cases); i++) {
		const char *end;

		memcpy(record.comm, comm_cases[i].name, sizeof(record.comm));
		vulkan_ask_record(&record, &answer);
		assert_non_null(strstr(answer.info.description, ", eeeeeeeeeeeeeee, "));
		end = strstr(answer.vendors[0].description, "pid 4242 ");
		assert_non_null(end);
		assert_string_equal(end + strlen("pid 4242 "), comm_cases[i].shown);
	}
}

/* Everything as long as it can get still fits. */
static void longest_descriptions_are_terminated(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;

	(void)state;
	memset(&record, 0xff, sizeof(record));
	record.type = DRM_FAULT_RECORD_FAULT;
	record.access = DRM_FAULT_ACCESS_EXECUTE;
	record.fault_type = DRM_FAULT_TYPE_INVALID_FORMAT;
	vulkan_ask_record(&record, &answer);
	assert_non_null(memchr(answer.vendors[0].description, '\0', VK_MAX_DESCRIPTION_SIZE));
	assert_non_null(strstr(answer.vendors[0].description, "pid 4294967295 ???????????????"));
	assert_non_null(strstr(answer.info.description, " lost"));
}

static void thousands_of_records(void **state)
{
	enum { MANY = 5000 };
	struct drm_fault_record *records = calloc(MANY, sizeof(*records));
	VkDeviceFaultAddressInfoEXT *addresses = calloc(2 * MANY, sizeof(*addresses));
	VkDeviceFaultVendorInfoEXT *vendors = calloc(MANY, sizeof(*vendors));
	VkDeviceFaultInfoEXT info = { .pAddressInfos = addresses, .pVendorInfos = vendors };
	struct drmfault_dump_section section = { .size = sizeof(section) };
	struct drmfault_snapshot *snapshot;
	VkDeviceFaultCountsEXT counts;
	struct drmfault_dump *dump;
	size_t i;

	(void)state;
	assert_true(records && addresses && vendors);
	for (i = 0; i < MANY; i++) {
		records[i] = vulkan_fault();
		records[i].address = 0x1000 * i;
	}
	snapshot = vulkan_snapshot(records, MANY);
	counts = vulkan_counts(&vulkan_identity, snapshot);
	assert_int_equal(counts.addressInfoCount, 2 * MANY);
	assert_int_equal(counts.vendorInfoCount, MANY);
	info.pVendorBinaryData = malloc(counts.vendorBinarySize);
	assert_non_null(info.pVendorBinaryData);
	assert_int_equal(drmfault_vk_get_fault_info_ext(&vulkan_identity, snapshot, &counts, &info),
			 VK_SUCCESS);
	for (i = 0; i < MANY; i++)
		assert_true(addresses[2 * i].reportedAddress == 0x1000 * i);
	assert_int_equal(
		drmfault_dump_open_memory(info.pVendorBinaryData, counts.vendorBinarySize, &dump),
		0);
	assert_int_equal(drmfault_dump_section(dump, 1, &section), 0);
	assert_int_equal(section.type, DRMFAULT_DUMP_RECORDS);
	assert_int_equal(section.length, 8 + MANY * sizeof(*records));
	assert_memory_equal((const uint8_t *)section.bytes + 8, records, MANY * sizeof(*records));
	drmfault_dump_free(dump);
	assert_non_null(strstr(info.description, "; 4999 more"));
	free(info.pVendorBinaryData);
	free(vendors);
	free(addresses);
	free(records);
	drmfault_snapshot_free(snapshot);
}

static void enumerators_have_vulkans_names(void **state)
{
	int i;

	(void)state;
	for (i = 0; i <= VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT; i++)
		assert_non_null(drmfault_vk_address_type_name((VkDeviceFaultAddressTypeEXT)i));
	assert_string_equal(drmfault_vk_address_type_name((VkDeviceFaultAddressTypeEXT)2),
			    "VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT");
	assert_string_equal(drmfault_vk_address_type_name((VkDeviceFaultAddressTypeEXT)6),
			    "VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT");
	assert_null(drmfault_vk_address_type_name((VkDeviceFaultAddressTypeEXT)7));
	assert_string_equal(
		drmfault_vk_header_version_name((VkDeviceFaultVendorBinaryHeaderVersionEXT)1),
		"VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT");
	assert_string_equal(drmfault_vk_result_name(VK_INCOMPLETE), "VK_INCOMPLETE");
	assert_string_equal(drmfault_vk_result_name(VK_SUCCESS), "VK_SUCCESS");
	assert_null(drmfault_vk_result_name(VK_ERROR_UNKNOWN));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_access_has_its_type),
		cmocka_unit_test(every_pointer_has_its_type),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(pointers_follow_their_address),
		cmocka_unit_test(addresses_are_canonical),
		cmocka_unit_test(precision_is_a_power_of_two),
		cmocka_unit_test(vendor_codes),
		cmocka_unit_test(dumps_are_no_faults),
		cmocka_unit_test(unknown_values_do_not_overflow),
		cmocka_unit_test(vendor_descriptions),
		cmocka_unit_test(description_is_of_the_first_fault),
		cmocka_unit_test(names_are_utf8),
		cmocka_unit_test(longest_descriptions_are_terminated),
		cmocka_unit_test(thousands_of_records),
		cmocka_unit_test(enumerators_have_vulkans_names),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: infos", tests, NULL, NULL);
}
