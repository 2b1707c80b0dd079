// SPDX-License-Identifier: MIT
#include <string.h>

#include "answer.h"

void ask_ext(struct app *app, struct answer *answer)
{
	memset(answer, 0, sizeof(*answer));
	memset(answer->info.description, 0xa5, sizeof(answer->info.description));
	answer->counts.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT;
	answer->info.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT;
	assert_int_equal(app->get_info(app->device, &answer->counts, NULL), VK_SUCCESS);
	assert_in_range(answer->counts.addressInfoCount, 0, MAX_INFOS);
	assert_in_range(answer->counts.vendorInfoCount, 0, MAX_INFOS);
	assert_in_range(answer->counts.vendorBinarySize, 0, sizeof(answer->binary));
	answer->info.pAddressInfos = answer->addresses;
	answer->info.pVendorInfos = answer->vendors;
	answer->info.pVendorBinaryData = answer->binary;
	assert_int_equal(app->get_info(app->device, &answer->counts, &answer->info), VK_SUCCESS);
	assert_non_null(memchr(answer->info.description, 0, sizeof(answer->info.description)));
	print_message("# %s\n", answer->info.description);
}

uint32_t ask_khr(struct app *app, VkDeviceFaultInfoKHR reports[MAX_REPORTS], uint64_t timeout)
{
	uint32_t i, count = MAX_REPORTS;

	memset(reports, 0, MAX_REPORTS * sizeof(*reports));
	for (i = 0; i < MAX_REPORTS; i++)
		reports[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
	if (app->get_reports(app->device, timeout, &count, reports) == VK_TIMEOUT)
		return 0;
	for (i = 0; i < count; i++)
		print_message("# report 0x%x of group %llu: %s\n", reports[i].flags,
			      (unsigned long long)reports[i].groupId, reports[i].description);
	return count;
}

static void check_address(const VkDeviceFaultAddressInfoEXT *info, VkDeviceFaultAddressTypeEXT type,
			  uint64_t address, uint64_t precision)
{
	assert_int_equal(info->addressType, type);
	assert_int_equal(info->reportedAddress, address);
	assert_int_equal(info->addressPrecision, precision);
}

void check_report(const VkDeviceFaultInfoKHR *report, const struct expected *e)
{
	assert_int_equal(report->flags, VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR |
						VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR |
						VK_DEVICE_FAULT_FLAG_VENDOR_KHR);
	check_address(&report->faultAddressInfo, e->type, e->address, e->precision);
	check_address(&report->instructionAddressInfo, e->ip_type, e->ip, sizeof(uint64_t));
	assert_int_not_equal(report->groupId, 0);
}

void check_lost(struct app *app, const struct expected *e)
{
	static VkDeviceFaultInfoKHR reports[MAX_REPORTS];
	static struct answer answer, again;

	assert_int_equal(vkDeviceWaitIdle(app->device), VK_ERROR_DEVICE_LOST);
	assert_int_equal(vkQueueSubmit(app->queues[1], 0, NULL, VK_NULL_HANDLE),
			 VK_ERROR_DEVICE_LOST);

	assert_int_equal(ask_khr(app, reports, APP_LIMIT_NS), 2);
	check_report(&reports[0], e);
	assert_int_equal(reports[1].flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_int_equal(reports[1].groupId, reports[0].groupId);
	assert_int_equal(ask_khr(app, reports, UINT64_MAX), 0);

	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 2);
	check_address(&answer.addresses[0], e->type, e->address, e->precision);
	check_address(&answer.addresses[1], e->ip_type, e->ip, sizeof(uint64_t));
	assert_int_equal(answer.counts.vendorInfoCount, 1);
	assert_true(answer.counts.vendorBinarySize > 56);
	ask_ext(app, &again);
	assert_memory_equal(again.binary, answer.binary, sizeof(answer.binary));
	assert_memory_equal(again.addresses, answer.addresses, sizeof(answer.addresses));
	assert_string_equal(again.info.description, answer.info.description);
}
