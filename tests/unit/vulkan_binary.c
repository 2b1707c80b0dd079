// SPDX-License-Identifier: MIT
/* The vendor binary: its header byte by byte, and the dump behind it. */
#include <errno.h>
#include <sys/utsname.h>

#include "drmfault_dump.h"
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
	static struct fault_answer answer;

	(void)state;
	vulkan_ask_record(&record, &answer);
	assert_memory_equal(answer.binary, expected, sizeof(expected));
}

static void header_has_vulkans_shape(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	VkDeviceFaultVendorBinaryHeaderVersionOneEXT header;
	static struct fault_answer answer;

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

/* Which names there are, and where they and the dump then lie. */
static const struct {
	const char *application, *engine;
	uint32_t application_at, engine_at, dump_at;
} name_cases[] = {
	{ NULL, NULL, 0, 0, 56 },	{ "", NULL, 56, 0, 64 },
	{ "1234567", NULL, 56, 0, 64 }, { "12345678", NULL, 56, 0, 72 },
	{ NULL, "engine", 0, 56, 64 },	{ "app", "engine", 56, 60, 72 },
	{ "123", "4567", 56, 60, 72 },	{ "", "", 56, 57, 64 },
};

static struct drmfault_dump *open_binary(const struct fault_answer *answer)
{
	struct drmfault_dump *dump = NULL;

	assert_int_equal(answer->result, VK_SUCCESS);
	assert_int_equal(
		drmfault_dump_open_memory(answer->binary, answer->counts.vendorBinarySize, &dump),
		0);
	assert_int_equal(drmfault_dump_form(dump), DRMFAULT_DUMP_VENDOR_BINARY);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	return dump;
}

static const char *or_empty(const char *name)
{
	return name ? name : "";
}

static void names_lie_behind_the_header(void **state)
{
	struct drm_fault_record record = vulkan_fault();
	struct drmfault_vk_identity identity = vulkan_identity;
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&record, 1);
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO };
	struct drmfault_dump_application read = { .size = sizeof(read) };
	static struct fault_answer answer;
	struct drmfault_dump *dump;
	size_t i;

	(void)state;
	identity.pApplicationInfo = &app;
	for (i = 0; i < ARRAY_SIZE(name_cases); i++) {
		app.pApplicationName = name_cases[i].application;
		app.pEngineName = name_cases[i].engine;
		vulkan_ask(&identity, snapshot, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
		assert_int_equal(le32(answer.binary + 36), name_cases[i].application_at);
		assert_int_equal(le32(answer.binary + 44), name_cases[i].engine_at);
		if (app.pApplicationName)
			assert_string_equal((char *)answer.binary + name_cases[i].application_at,
					    app.pApplicationName);
		if (app.pEngineName)
			assert_string_equal((char *)answer.binary + name_cases[i].engine_at,
					    app.pEngineName);
		assert_memory_equal(answer.binary + name_cases[i].dump_at, "drm_fault dump", 14);
		dump = open_binary(&answer);
		assert_int_equal(drmfault_dump_application(dump, 0, &read), 0);
		assert_string_equal(read.application_name, or_empty(app.pApplicationName));
		assert_string_equal(read.engine_name, or_empty(app.pEngineName));
		drmfault_dump_free(dump);
	}
	drmfault_snapshot_free(snapshot);
}

static void no_application_info_is_all_zeros(void **state)
{
	static const uint8_t zeros[20];
	struct drm_fault_record record = vulkan_fault();
	struct drmfault_vk_identity identity = vulkan_identity;
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&record, 1);
	static struct fault_answer answer;

	(void)state;
	identity.pApplicationInfo = NULL;
	vulkan_ask(&identity, snapshot, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
	assert_memory_equal(answer.binary + 36, zeros, sizeof(zeros));
	drmfault_dump_free(open_binary(&answer));
	drmfault_snapshot_free(snapshot);
}

static void the_dump_says_who_and_when(void **state)
{
	struct drmfault_dump_application app = { .size = sizeof(app) };
	struct drmfault_dump_device device = { .size = sizeof(device) };
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	struct drm_fault_record record = vulkan_fault();
	static struct fault_answer answer;
	struct drmfault_dump *dump;
	struct utsname names;

	(void)state;
	record.last_timestamp_ns = 12345678999;
	vulkan_ask_record(&record, &answer);
	dump = open_binary(&answer);
	assert_int_equal(uname(&names), 0);
	assert_int_equal(drmfault_dump_meta(dump, 0, &meta), 0);
	assert_string_equal(meta.release, names.release);
	assert_string_equal(meta.machine, names.machine);
	assert_int_equal(meta.monotonic_ns, 12345678999);
	assert_int_equal(meta.realtime_ns, 0);
	assert_int_equal(drmfault_dump_application(dump, 0, &app), 0);
	assert_string_equal(app.application_name, "particles");
	assert_string_equal(app.engine_name, "motor");
	assert_int_equal(app.application_version, 0x01020304);
	assert_int_equal(app.engine_version, 0x11121314);
	assert_int_equal(app.api_version, VK_API_VERSION_1_3);
	assert_int_equal(app.driver_version, vulkan_identity.driverVersion);
	assert_int_equal(app.vendor_id, vulkan_identity.vendorID);
	assert_int_equal(app.device_id, vulkan_identity.deviceID);
	assert_memory_equal(app.pipeline_cache_uuid, vulkan_identity.pipelineCacheUUID,
			    VK_UUID_SIZE);
	/* Nobody said which GPU. */
	assert_int_equal(drmfault_dump_device(dump, 0, &device), -ENOENT);
	drmfault_dump_free(dump);
}

/* Records come as they are, also longer ones of a newer kernel and kinds it added. */
static void records_are_the_kernels_bytes(void **state)
{
	struct {
		struct drm_fault_record record;
		uint64_t newer[2];
	} longer[2] = { { vulkan_fault(), { 1, 2 } }, { vulkan_fault(), { 3, 4 } } };
	struct drmfault_snapshot *snapshot = NULL;
	const struct drmfault_snapshot *read;
	static struct fault_answer answer;
	struct drmfault_dump *dump;
	const void *bytes;
	size_t i, size;

	(void)state;
	longer[0].record.length = longer[1].record.length = sizeof(longer[0]);
	longer[1].record.type = 200;
	assert_int_equal(drmfault_snapshot_from_bytes(longer, sizeof(longer[0]), 2, &snapshot), 0);
	vulkan_ask_all(snapshot, &answer);
	assert_int_equal(answer.counts.vendorInfoCount, 1);
	assert_int_equal(answer.counts.addressInfoCount, 2);
	dump = open_binary(&answer);
	read = drmfault_dump_snapshot(dump);
	assert_int_equal(drmfault_snapshot_count(read), 2);
	assert_int_equal(drmfault_snapshot_events(read), 6);
	for (i = 0; i < 2; i++) {
		bytes = drmfault_record_bytes(drmfault_snapshot_record(read, i), &size);
		assert_int_equal(size, sizeof(longer[i]));
		assert_memory_equal(bytes, &longer[i], size);
	}
	drmfault_dump_free(dump);
	drmfault_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_byte_by_byte),
		cmocka_unit_test(header_has_vulkans_shape),
		cmocka_unit_test(names_lie_behind_the_header),
		cmocka_unit_test(no_application_info_is_all_zeros),
		cmocka_unit_test(the_dump_says_who_and_when),
		cmocka_unit_test(records_are_the_kernels_bytes),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: vendor binary", tests, NULL, NULL);
}
