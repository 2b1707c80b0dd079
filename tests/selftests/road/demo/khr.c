// SPDX-License-Identifier: MIT
/* The same faults as vkGetDeviceFaultReportsKHR returns them, one after the other. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo.h"

/* One of each mistake, and that the device is lost. */
#define REPORTS	 (MISTAKES + 1)
#define LIMIT_NS 20000000000ULL

static VkDeviceFaultInfoKHR reports[REPORTS];
static uint32_t taken;

static const struct {
	VkDeviceFaultFlagBitsKHR bit;
	const char *name;
} flags[] = {
	{ VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, "DEVICE_LOST" },
	{ VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR, "MEMORY_ADDRESS" },
	{ VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR, "INSTRUCTION_ADDRESS" },
	{ VK_DEVICE_FAULT_FLAG_VENDOR_KHR, "VENDOR" },
	{ VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR, "WATCHDOG_TIMEOUT" },
	{ VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR, "OVERFLOW" },
};

#define OF_A_FAULT                                                                                \
	(VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR | VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR | \
	 VK_DEVICE_FAULT_FLAG_VENDOR_KHR)

void khr_take(struct demo *demo, const struct demo_job *job)
{
	bool lost = job->mistake->result == VK_ERROR_DEVICE_LOST;
	VkDeviceFaultInfoKHR *report = &reports[taken];
	uint32_t i, count = REPORTS - taken;

	for (i = taken; i < REPORTS; i++)
		reports[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
	check_begin("VkDeviceFaultInfoKHR");
	check_u64("VkResult", demo->get_reports(demo->device, LIMIT_NS, &count, report),
		  VK_SUCCESS);
	if (!check_true(count == 1U + lost, "there are not as many reports as faults"))
		return;
	taken += count;
	check_u64("flags", report->flags, OF_A_FAULT);
	check_address(&report->faultAddressInfo, type_of_access(job->mistake->access), job->address,
		      job->mistake->precision);
	check_address(&report->instructionAddressInfo, type_of_ip(job->mistake->ip_type), job->ip,
		      sizeof(uint64_t));
	check_true(report->groupId && (report == reports || report->groupId >= report[-1].groupId),
		   "groupId goes back");
	if (lost)
		check_u64("flags of the last", report[1].flags,
			  VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	count = 1;
	check_u64("VkResult afterwards", demo->get_reports(demo->device, 0, &count, NULL),
		  VK_TIMEOUT);
}

void khr_show(void)
{
	const char *separator;
	uint32_t i, j;

	printf("VkDeviceFaultInfoKHR\n");
	for (i = 0; i < taken; i++) {
		printf("   [%" PRIu32 "] groupId %" PRIu64 ", flags ", i, reports[i].groupId);
		separator = "";
		for (j = 0; j < ARRAY_SIZE(flags); j++) {
			if (!(reports[i].flags & flags[j].bit))
				continue;
			printf("%s%s", separator, flags[j].name);
			separator = " | ";
		}
		printf("\n");
		show_wrapped(7, reports[i].description);
	}
}
