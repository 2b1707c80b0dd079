// SPDX-License-Identifier: MIT
/* Records as reports: what each kind becomes, and what a full store leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vulkan_mock.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define ROOM		  300

#define LOST	    VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR
#define MEMORY	    VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR
#define INSTRUCTION VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR
#define VENDOR	    VK_DEVICE_FAULT_FLAG_VENDOR_KHR
#define WATCHDOG    VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR
#define OVERFLOW    VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR

static int drm_fd;
static struct drmfault_vk_device *device;
static VkDeviceFaultInfoKHR reports[ROOM];

static void make(bool report_masked)
{
	const struct drmfault_vk_device_info info = {
		.size = sizeof(info),
		.drm_fd = drm_fd,
		.report_masked = report_masked,
	};

	assert_int_equal(device_create_with(vulkan_mock_open, &info, NULL, &device), VK_SUCCESS);
}

static int setup(void **state)
{
	(void)state;
	vulkan_mock_reset();
	drm_fd = vulkan_mock_file();
	device = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	drmfault_vk_device_destroy(device);
	vulkan_mock_file_close(drm_fd);
	return 0;
}

static uint32_t drain(void)
{
	uint32_t count = ROOM;
	VkResult result;

	memset(reports, 0xa5, sizeof(reports));
	result = drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports);
	assert_int_equal(result, count ? VK_SUCCESS : VK_TIMEOUT);
	return count;
}

static struct drm_fault_record fault(void)
{
	return (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.address = 0x800101600040,
		.address_precision = 4,
		.ip = 0x10008,
		.ip_precision = 8,
		.ip_type = DRM_FAULT_IP_FAULT,
		.access = DRM_FAULT_ACCESS_WRITE,
		.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
		.engine = "ring0",
		.address_bits = 48,
	};
}

static void raise_at(uint64_t address, uint32_t flags)
{
	struct drm_fault_record record = fault();

	record.address = address;
	record.flags = flags;
	vulkan_mock_raise(drm_fd, &record);
}

/* What each kind of record has; addresses are taken away by a precision or type of 0. */
static const struct {
	uint32_t type;
	uint64_t precision;
	uint32_t ip_type;
	VkDeviceFaultFlagsKHR flags;
	const char *description;
} kinds[] = {
	{ DRM_FAULT_RECORD_FAULT, 4, DRM_FAULT_IP_FAULT, MEMORY | INSTRUCTION | VENDOR,
	  "GPU page fault: write to 0xffff800101600040 (not present), ring0, ip 0x10008" },
	{ DRM_FAULT_RECORD_FAULT, 4, 0, MEMORY | VENDOR,
	  "GPU page fault: write to 0xffff800101600040 (not present), ring0" },
	{ DRM_FAULT_RECORD_FAULT, 0, DRM_FAULT_IP_UNKNOWN, INSTRUCTION | VENDOR,
	  "GPU page fault: write to an unknown address (not present), ring0, ip 0x10008" },
	{ DRM_FAULT_RECORD_TIMEOUT, 4, DRM_FAULT_IP_UNKNOWN, WATCHDOG | INSTRUCTION | VENDOR,
	  "GPU job timeout: ring0, ip 0x10008" },
	{ DRM_FAULT_RECORD_RESET, 4, 0, VENDOR, "GPU reset: ring0" },
	{ DRM_FAULT_RECORD_WEDGED, 0, 0, VENDOR, "GPU wedged" },
};

static void every_kind_has_its_flags(void **state)
{
	struct drm_fault_record record;
	size_t i;

	(void)state;
	make(true);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		record = fault();
		record.type = kinds[i].type;
		record.address_precision = kinds[i].precision;
		record.ip_type = kinds[i].ip_type;
		vulkan_mock_raise(drm_fd, &record);
		assert_int_equal(drain(), 1);
		assert_int_equal(reports[0].flags, kinds[i].flags);
		assert_string_equal(reports[0].description, kinds[i].description);
		assert_int_equal(reports[0].vendorInfo.vendorFaultCode >> 56, 0xdf);
		assert_int_equal(reports[0].vendorInfo.vendorFaultCode & 0xff, kinds[i].type);
	}
}

static void addresses_are_the_exts(void **state)
{
	const VkDeviceFaultAddressInfoKHR *info;

	(void)state;
	make(true);
	raise_at(0x800101600040, 0);
	assert_int_equal(drain(), 1);
	info = &reports[0].faultAddressInfo;
	assert_int_equal(info->addressType, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR);
	assert_true(info->reportedAddress == 0xffff800101600040);
	assert_int_equal(info->addressPrecision, 4);
	info = &reports[0].instructionAddressInfo;
	assert_int_equal(info->addressType,
			 VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_KHR);
	assert_true(info->reportedAddress == 0x10008);
	assert_int_equal(info->addressPrecision, 8);
}

static void what_is_no_fault_is_no_report(void **state)
{
	struct drm_fault_record record = fault();

	(void)state;
	make(true);
	record.type = DRM_FAULT_RECORD_DUMP;
	vulkan_mock_raise(drm_fd, &record);
	record.type = 1234;
	vulkan_mock_raise(drm_fd, &record);
	assert_int_equal(drain(), 0);
}

static void repeats_say_so(void **state)
{
	struct drm_fault_record record = fault();

	(void)state;
	make(true);
	record.flags = DRM_FAULT_RECORD_F_REPEAT;
	record.count = 16;
	record.ip_type = 0;
	vulkan_mock_raise(drm_fd, &record);
	assert_int_equal(drain(), 1);
	assert_string_equal(reports[0].description,
			    "GPU page fault: write to 0xffff800101600040 (not present), ring0; "
			    "again, 16 times");
}

/* Groups of two contexts may overlap, and of older kernels there may be none. */
static void groups_never_go_back(void **state)
{
	static const uint64_t groups[] = { 5, 5, 9, 7, 9, 12 }, expected[] = { 5, 5, 9, 9, 9, 12 };
	struct drm_fault_record record = fault();
	size_t i;

	(void)state;
	make(true);
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		record.group_id = groups[i];
		vulkan_mock_raise(drm_fd, &record);
	}
	assert_int_equal(drain(), ARRAY_SIZE(groups));
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		assert_int_equal(reports[i].groupId, expected[i]);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drain(), 1);
	assert_int_equal(reports[0].groupId, 12);
}

static void the_loss_counts_what_was_before(void **state)
{
	(void)state;
	make(true);
	raise_at(0x1000, 0);
	raise_at(0x2000, 0);
	drmfault_vk_device_lost(device, "the context was banned");
	assert_int_equal(drain(), 3);
	assert_int_equal(reports[2].flags, LOST);
	assert_string_equal(reports[2].description,
			    "The device is lost (the context was banned) after 2 reports");
}

/* What comes while the last reports wait is before the loss, what comes later is not told. */
static void late_records(void **state)
{
	uint32_t count;

	(void)state;
	make(true);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL),
			 VK_SUCCESS);
	assert_int_equal(count, 1);
	raise_at(0x1000, 0);
	assert_int_equal(drain(), 2);
	assert_int_equal(reports[1].flags, LOST);
	raise_at(0x2000, 0);
	assert_int_equal(drain(), 0);
}

/*
 * The kernel's queue is full: 64 wait there, the others are lost. The next report that is
 * made says so, and one that only counts has taken nothing.
 */
static void a_full_queue_is_told_once(void **state)
{
	uint32_t count, i;

	(void)state;
	make(true);
	for (i = 0; i < MOCK_QUEUE + 10; i++)
		raise_at(0x1000 * (i + 1), 0);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL),
			 VK_SUCCESS);
	assert_int_equal(count, DRMFAULT_VK_MAX_FAULTS);
	for (i = 0; i < 3; i++)
		raise_at(0x1000000 * (i + 1), 0);
	assert_int_equal(drain(), MOCK_QUEUE + 3);
	for (i = 0; i < MOCK_QUEUE + 3; i++) {
		assert_int_equal(!!(reports[i].flags & OVERFLOW), i == MOCK_QUEUE);
		assert_true(i >= MOCK_QUEUE ||
			    reports[i].faultAddressInfo.reportedAddress == 0x1000 * (i + 1));
	}
}

/* The first ones that wait are kept, so both stores fill. */
static void two_stores_hold_twice_as_many(void **state)
{
	uint32_t count, i;

	(void)state;
	make(true);
	for (i = 0; i < 3 * MOCK_QUEUE; i++) {
		raise_at(0x1000 * (i + 1), 0);
		/* Whoever asks moves them. */
		drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL);
	}
	assert_int_equal(count, DRMFAULT_VK_MAX_FAULTS);
	assert_int_equal(drain(), DRMFAULT_VK_MAX_FAULTS + MOCK_QUEUE);
	for (i = 0; i < DRMFAULT_VK_MAX_FAULTS + MOCK_QUEUE; i++)
		assert_true(reports[i].faultAddressInfo.reportedAddress == 0x1000 * (i + 1));
	raise_at(0x5000000, 0);
	assert_int_equal(drain(), 1);
	assert_true(reports[0].flags & OVERFLOW);
}

/* Of what the kernel still has nobody knows the number; the loss is behind all of it. */
static void the_loss_is_behind_both_stores(void **state)
{
	uint32_t count, i;

	(void)state;
	make(true);
	for (i = 0; i < MOCK_QUEUE; i++)
		raise_at(0x1000 * (i + 1), 0);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL),
			 VK_SUCCESS);
	raise_at(0x5000000, 0);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL),
			 VK_SUCCESS);
	assert_int_equal(count, DRMFAULT_VK_MAX_FAULTS);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports),
			 VK_INCOMPLETE);
	assert_int_equal(count, DRMFAULT_VK_MAX_FAULTS);
	assert_int_equal(drain(), 2);
	assert_int_equal(reports[0].faultAddressInfo.reportedAddress, 0x5000000);
	assert_int_equal(reports[1].flags, LOST);
}

/* Nothing follows the lost ones but the loss. */
static void a_loss_alone_is_told_with_the_last(void **state)
{
	uint32_t i;

	(void)state;
	make(true);
	for (i = 0; i < MOCK_QUEUE + 1; i++)
		raise_at(0x1000 * (i + 1), 0);
	assert_int_equal(drain(), MOCK_QUEUE);
	assert_int_equal(drain(), 0);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drain(), 1);
	assert_int_equal(reports[0].flags, LOST | OVERFLOW);
}

/*
 * Without deviceFaultReportMasked old faults are worth less than the one that kills: the
 * oldest give way.
 */
static void held_reports_give_way(void **state)
{
	uint32_t i, last = 2 * DRMFAULT_VK_MAX_FAULTS + 5;

	(void)state;
	make(false);
	for (i = 0; i < last; i++) {
		raise_at(0x1000 * (i + 1), 0);
		assert_int_equal(drain(), 0);
	}
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drain(), DRMFAULT_VK_MAX_FAULTS + 1);
	for (i = 0; i < DRMFAULT_VK_MAX_FAULTS; i++) {
		assert_int_equal(!!(reports[i].flags & OVERFLOW), i == 0);
		assert_true(reports[i].faultAddressInfo.reportedAddress ==
			    0x1000 * (last - DRMFAULT_VK_MAX_FAULTS + i + 1));
	}
}

static void a_fatal_fault_ends_the_hold(void **state)
{
	uint32_t count = 5;

	(void)state;
	make(false);
	raise_at(0x1000, 0);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 1000000, &count, NULL),
			 VK_TIMEOUT);
	raise_at(0x2000, DRM_FAULT_RECORD_F_FATAL);
	assert_int_equal(drain(), 2);
	assert_true(reports[1].faultAddressInfo.reportedAddress == 0x2000);
}

/* A count of 0 is against the rules; nothing is lost by it. */
static void no_room_takes_nothing(void **state)
{
	uint32_t count = 0;

	(void)state;
	make(true);
	raise_at(0x1000, 0);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports),
			 VK_INCOMPLETE);
	assert_int_equal(count, 0);
	assert_int_equal(drain(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(every_kind_has_its_flags),
		TEST(addresses_are_the_exts),
		TEST(what_is_no_fault_is_no_report),
		TEST(repeats_say_so),
		TEST(groups_never_go_back),
		TEST(the_loss_counts_what_was_before),
		TEST(late_records),
		TEST(a_full_queue_is_told_once),
		TEST(two_stores_hold_twice_as_many),
		TEST(the_loss_is_behind_both_stores),
		TEST(a_loss_alone_is_told_with_the_last),
		TEST(held_reports_give_way),
		TEST(a_fatal_fault_ends_the_hold),
		TEST(no_room_takes_nothing),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: reports", tests, NULL, NULL);
}
