// SPDX-License-Identifier: MIT
/* The vendor binary, byte by byte. */
#include "vulkan.h"

static uint32_t le32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static void header_byte_by_byte(void **state)
{
	static const uint8_t expected[] = {
		56,   0,    0,	  0,			    /* headerSize */
		1,    0,    0,	  0,			    /* headerVersion */
		0x01, 0x00, 0x01, 0x00,			    /* vendorID */
		0xd4, 0xc3, 0xb2, 0xa1,			    /* deviceID */
		0x01, 0x00, 0x40, 0x00,			    /* driverVersion */
		1,    2,    3,	  4,	5,   6,	  7,   8,   /* pipelineCacheUUID */
		9,    10,   11,	  12,	13,  14,  15,  16,  /* continued */
		56,   0,    0,	  0,			    /* applicationNameOffset */
		0x04, 0x03, 0x02, 0x01,			    /* applicationVersion */
		66,   0,    0,	  0,			    /* engineNameOffset */
		0x14, 0x13, 0x12, 0x11,			    /* engineVersion */
		0x00, 0x30, 0x40, 0x00,			    /* apiVersion */
		'p',  'a',  'r',  't',	'i', 'c', 'l', 'e', /* application */
		's',  0,    'm',  'o',	't', 'o', 'r', 0,   /* engine */
	};
	struct drm_fault_record record = vulkan_fault();
	static struct answer answer;

	(void)state;
	vulkan_ask_record(&record, &answer);
	assert_memory_equal(answer.binary, expected, sizeof(expected));
}

static void header_has_vulkans_shape(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	VkDeviceFaultVendorBinaryHeaderVersionOneEXT header;
	static struct answer answer;

	(void)state;
	/* Debian 12's headers lack its last two members. */
	assert_int_equal(offsetof(VkDeviceFaultVendorBinaryHeaderVersionOneEXT, engineNameOffset),
			 44);
	vulkan_ask_record(&record, &answer);
	memcpy(&header, answer.binary, sizeof(header));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	assert_int_equal(header.headerSize, DRMFAULT_VK_BINARY_HEADER_SIZE);
	assert_int_equal(header.headerVersion,
			 VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT);
	assert_int_equal(header.vendorID, vulkan_identity.vendorID);
	assert_int_equal(header.deviceID, vulkan_identity.deviceID);
	assert_int_equal(header.driverVersion, vulkan_identity.driverVersion);
	assert_int_equal(header.applicationVersion, 0x01020304);
#endif
	assert_memory_equal(header.pipelineCacheUUID, vulkan_identity.pipelineCacheUUID,
			    VK_UUID_SIZE);
}

/* Which names there are, and where they and the records then lie. */
static const struct {
	const char *application, *engine;
	uint32_t application_at, engine_at, records_at;
} name_cases[] = {
	{ NULL, NULL, 0, 0, 56 },	{ "", NULL, 56, 0, 64 },
	{ "1234567", NULL, 56, 0, 64 }, { "12345678", NULL, 56, 0, 72 },
	{ NULL, "engine", 0, 56, 64 },	{ "app", "engine", 56, 60, 72 },
	{ "123", "4567", 56, 60, 72 },	{ "", "", 56, 57, 64 },
};

static void names_lie_behind_the_header(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	struct drmfault_vk_identity identity = vulkan_identity;
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&record, 1);
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO };
	static struct answer answer;
	size_t i;

	(void)state;
	identity.pApplicationInfo = &app;
	for (i = 0; i < ARRAY_SIZE(name_cases); i++) {
		app.pApplicationName = name_cases[i].application;
		app.pEngineName = name_cases[i].engine;
		vulkan_ask(&identity, snapshot, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
		assert_int_equal(answer.result, VK_SUCCESS);
		assert_int_equal(le32(answer.binary + 36), name_cases[i].application_at);
		assert_int_equal(le32(answer.binary + 44), name_cases[i].engine_at);
		if (app.pApplicationName)
			assert_string_equal((char *)answer.binary + name_cases[i].application_at,
					    app.pApplicationName);
		if (app.pEngineName)
			assert_string_equal((char *)answer.binary + name_cases[i].engine_at,
					    app.pEngineName);
		assert_int_equal(le32(answer.binary + name_cases[i].records_at), sizeof(record));
		assert_int_equal(le32(answer.binary + name_cases[i].records_at + 4), 1);
		assert_memory_equal(answer.binary + name_cases[i].records_at + 8, &record,
				    sizeof(record));
		assert_int_equal(answer.counts.vendorBinarySize,
				 name_cases[i].records_at + 8 + sizeof(record));
	}
	drmfault_snapshot_free(snapshot);
}

static void no_application_info_is_all_zeros(void **state)
{
	static const uint8_t zeros[20];
	struct drm_fault_record record = vulkan_fault();
	struct drmfault_vk_identity identity = vulkan_identity;
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&record, 1);
	static struct answer answer;

	(void)state;
	identity.pApplicationInfo = NULL;
	vulkan_ask(&identity, snapshot, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
	assert_memory_equal(answer.binary + 36, zeros, sizeof(zeros));
	assert_int_equal(answer.counts.vendorBinarySize, 56 + 8 + sizeof(record));
	drmfault_snapshot_free(snapshot);
}

/* Records come as they are, also longer ones of a newer kernel and kinds it added. */
static void records_are_the_kernels_bytes(void **state)
{
	struct {
		struct drm_fault_record record;
		uint64_t newer[2];
	} longer[2] = { { vulkan_fault(), { 1, 2 } }, { vulkan_fault(), { 3, 4 } } };
	struct drmfault_snapshot *snapshot = NULL;
	static struct answer answer;

	(void)state;
	longer[0].record.length = longer[1].record.length = sizeof(longer[0]);
	longer[1].record.type = 200;
	assert_int_equal(drmfault_snapshot_from_bytes(longer, sizeof(longer[0]), 2, &snapshot), 0);
	vulkan_ask_all(snapshot, &answer);
	assert_int_equal(answer.counts.vendorInfoCount, 1);
	assert_int_equal(answer.counts.addressInfoCount, 2);
	assert_int_equal(le32(answer.binary + 72), sizeof(longer[0]));
	assert_int_equal(le32(answer.binary + 76), 2);
	assert_memory_equal(answer.binary + 80, longer, sizeof(longer));
	drmfault_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_byte_by_byte),
		cmocka_unit_test(header_has_vulkans_shape),
		cmocka_unit_test(names_lie_behind_the_header),
		cmocka_unit_test(no_application_info_is_all_zeros),
		cmocka_unit_test(records_are_the_kernels_bytes),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: vendor binary", tests, NULL, NULL);
}
