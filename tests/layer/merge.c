// SPDX-License-Identifier: MIT
/* The same fault, told by driver and kernel, is one report, in whichever order they come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "faults.h"

#define ADDRESS 0xffff800000201040u
#define IP	0x12000u
#define PAGE	0x1000u

#define MEMORY	    VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR
#define INSTRUCTION VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR
#define VENDOR	    VK_DEVICE_FAULT_FLAG_VENDOR_KHR
#define WATCHDOG    VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR

static struct report_queue queue;

static int empty(void **state)
{
	(void)state;
	memset(&queue, 0, sizeof(queue));
	return 0;
}

/* As the library says it. */
static VkDeviceFaultInfoKHR whole(uint64_t address)
{
	return (VkDeviceFaultInfoKHR){
		.flags = MEMORY | INSTRUCTION | VENDOR,
		.groupId = 5,
		.description = "kernel",
		.faultAddressInfo = { VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT, address, 4 },
		.instructionAddressInfo = { VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
					    IP, 8 },
		.vendorInfo = { "kernel", 7, 8 },
	};
}

/* As a driver does that knows a page, not always with the sign, and sometimes the access. */
static VkDeviceFaultInfoKHR page(uint64_t address, VkDeviceFaultAddressTypeEXT type)
{
	return (VkDeviceFaultInfoKHR){
		.flags = MEMORY,
		.description = "driver",
		.faultAddressInfo = { type, address & 0xfffffffff000u, PAGE },
	};
}

static VkDeviceFaultInfoKHR hang(const char *description)
{
	VkDeviceFaultInfoKHR report = { .flags = WATCHDOG };

	strcpy(report.description, description);
	return report;
}

static void add(enum report_side side, VkDeviceFaultInfoKHR report)
{
	report_add(&queue, side, &report);
}

/* As the application takes it. */
static VkDeviceFaultInfoKHR take(void)
{
	VkDeviceFaultInfoKHR report = queue.waiting[queue.first];

	assert_true(queue.count);
	queue.first = (queue.first + 1) % REPORTS_MAX;
	queue.count--;
	return report;
}

static void assert_united(void)
{
	VkDeviceFaultInfoKHR report;

	assert_int_equal(queue.count, 1);
	report = take();
	assert_int_equal(report.flags, MEMORY | INSTRUCTION | VENDOR);
	assert_string_equal(report.description, "driver");
	assert_int_equal(report.faultAddressInfo.addressType,
			 VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT);
	assert_int_equal(report.instructionAddressInfo.reportedAddress, IP);
	assert_int_equal(report.vendorInfo.vendorFaultCode, 7);
	assert_true(report.groupId);
}

static void either_order(void **state)
{
	static const VkDeviceFaultAddressTypeEXT types[] = {
		VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT,
		VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		empty(state);
		add(REPORT_OF_DRIVER, page(ADDRESS, types[i]));
		add(REPORT_OF_KERNEL, whole(ADDRESS));
		assert_united();
		add(REPORT_OF_KERNEL, whole(ADDRESS));
		add(REPORT_OF_DRIVER, page(ADDRESS, types[i]));
		assert_united();
	}
}

static void different_faults_stay(void **state)
{
	(void)state;
	add(REPORT_OF_DRIVER, page(ADDRESS, VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT));
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	add(REPORT_OF_KERNEL, whole(ADDRESS + PAGE));
	add(REPORT_OF_DRIVER, hang("a job"));
	add(REPORT_OF_KERNEL, hang("another job"));
	assert_int_equal(queue.count, 5);
}

/* As often as both tell it, and not less: it may have happened again. */
static void each_is_united_once(void **state)
{
	(void)state;
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	add(REPORT_OF_DRIVER, whole(ADDRESS));
	add(REPORT_OF_DRIVER, whole(ADDRESS));
	assert_int_equal(queue.count, 3);
	add(REPORT_OF_DRIVER, hang("a job"));
	add(REPORT_OF_KERNEL, hang("a job"));
	assert_int_equal(queue.count, 4);
}

static void what_was_taken_is_no_news(void **state)
{
	VkDeviceFaultInfoKHR report;

	(void)state;
	add(REPORT_OF_DRIVER, page(ADDRESS, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT));
	take();
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	assert_int_equal(queue.count, 0);
	/* But what only the driver knows is. */
	report = whole(ADDRESS);
	report.flags = MEMORY;
	add(REPORT_OF_KERNEL, report);
	take();
	add(REPORT_OF_DRIVER, whole(ADDRESS));
	assert_int_equal(queue.count, 1);
	report = take();
	assert_int_equal(report.flags, MEMORY | INSTRUCTION | VENDOR);
}

/* All of a ring that has gone round, also where what was forgotten comes late. */
static void many(void **state)
{
	uint64_t i, group = 0;
	VkDeviceFaultInfoKHR report;

	(void)state;
	for (i = 0; i < 3 * REPORTS_MAX; i++) {
		add(REPORT_OF_KERNEL, whole(ADDRESS + i * PAGE));
		if (i % 2)
			add(REPORT_OF_DRIVER, whole(ADDRESS + i * PAGE));
		assert_int_equal(queue.count, 1);
		report = take();
		assert_int_equal(report.faultAddressInfo.reportedAddress, ADDRESS + i * PAGE);
		assert_true(report.groupId >= group);
		group = report.groupId;
	}
	/* The oldest that was the kernel's alone is forgotten, the newest is not. */
	add(REPORT_OF_DRIVER, whole(ADDRESS));
	assert_int_equal(queue.count, 1);
	add(REPORT_OF_DRIVER, whole(ADDRESS + (3 * REPORTS_MAX - 2) * PAGE));
	assert_int_equal(queue.count, 1);
}

/* What the EXT of a driver has, piece by piece. */
static void pieces(void **state)
{
	VkDeviceFaultInfoKHR piece = whole(ADDRESS);

	(void)state;
	add(REPORT_OF_KERNEL, whole(ADDRESS));
	piece.flags = MEMORY;
	assert_true(report_is_told(&queue, &piece));
	piece.flags = INSTRUCTION;
	assert_true(report_is_told(&queue, &piece));
	piece.flags = VENDOR;
	assert_true(report_is_told(&queue, &piece));
	piece.vendorInfo.vendorFaultData++;
	assert_false(report_is_told(&queue, &piece));
	piece = whole(ADDRESS + PAGE);
	piece.flags = MEMORY;
	assert_false(report_is_told(&queue, &piece));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(either_order, empty),
		cmocka_unit_test_setup(different_faults_stay, empty),
		cmocka_unit_test_setup(each_is_united_once, empty),
		cmocka_unit_test_setup(what_was_taken_is_no_news, empty),
		cmocka_unit_test_setup(many, empty),
		cmocka_unit_test_setup(pieces, empty),
	};

	return cmocka_run_group_tests_name("reports of driver and kernel", tests, NULL, NULL);
}
