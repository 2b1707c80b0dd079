// SPDX-License-Identifier: MIT
/* One record as one report. */
#include <inttypes.h>
#include <string.h>

#include "device.h"

static const VkDeviceFaultAddressInfoKHR no_address = {
	.addressType = VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_KHR,
	.addressPrecision = 1,
};

static void report_clear(VkDeviceFaultInfoKHR *report)
{
	memset(report, 0, sizeof(*report));
	report->faultAddressInfo = no_address;
	report->instructionAddressInfo = no_address;
}

void report_of_record(const struct drmfault_record *record, VkDeviceFaultInfoKHR *report)
{
	struct vendor_list vendor = { .infos = &report->vendorInfo, .capacity = 1 };
	struct text text;

	report_clear(report);
	report->flags = VK_DEVICE_FAULT_FLAG_VENDOR_KHR;
	report->groupId = drmfault_record_group_id(record);
	vendor_of_record(record, &vendor);
	if (drmfault_record_type(record) == DRMFAULT_RECORD_TIMEOUT)
		report->flags |= VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR;
	if (fault_address_of_record(record, &report->faultAddressInfo))
		report->flags |= VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR;
	if (instruction_address_of_record(record, &report->instructionAddressInfo))
		report->flags |= VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR;

	text_begin(&text, report->description, sizeof(report->description));
	describe_record(&text, record);
	if (drmfault_record_flags(record) & DRMFAULT_FLAG_REPEAT)
		text_add(&text, "; again, %" PRIu64 " times", drmfault_record_count(record));
}

void report_of_loss(const struct drmfault_vk_device *device, VkDeviceFaultInfoKHR *report)
{
	const struct report_ring *ring = &device->ring;
	struct text text;

	report_clear(report);
	report->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
	report->groupId = ring->group ? ring->group : 1;
	text_begin(&text, report->description, sizeof(report->description));
	if (!ring->made) {
		describe_nothing(&text, device);
		return;
	}
	describe_loss(&text, device);
	text_add(&text, " after %" PRIu64 " report%s", ring->made, ring->made == 1 ? "" : "s");
}
