// SPDX-License-Identifier: MIT
/* The driver's KHR, whose results are taken with care. */
#include <stdlib.h>
#include <string.h>

#include "faults.h"

/* No driver has as many at once; one that never ends is left then. */
#define ASK_MAX 4096u
/* So many of the driver's are kept for the EXT, and the oldest half goes first. */
#define KEEP_MAX   1024u
#define BINARY_MAX (1u << 30)

static const VkDeviceFaultAddressInfoKHR no_address = { .addressPrecision = 1 };

/* Members without their flag have not been written. */
void report_repair(VkDeviceFaultInfoKHR *report)
{
	report->pNext = NULL;
	description_repair(report->description);
	precision_repair(&report->faultAddressInfo);
	precision_repair(&report->instructionAddressInfo);
	if (!(report->flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR))
		report->faultAddressInfo = no_address;
	if (!(report->flags & VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR))
		report->instructionAddressInfo = no_address;
	if (!(report->flags & VK_DEVICE_FAULT_FLAG_VENDOR_KHR))
		memset(&report->vendorInfo, 0, sizeof(report->vendorInfo));
	else
		description_repair(report->vendorInfo.description);
}

static bool same_address(const VkDeviceFaultAddressInfoKHR *a, const VkDeviceFaultAddressInfoKHR *b)
{
	return a->addressType == b->addressType && a->reportedAddress == b->reportedAddress &&
	       a->addressPrecision == b->addressPrecision;
}

static bool same(const VkDeviceFaultInfoKHR *a, const VkDeviceFaultInfoKHR *b)
{
	return a->flags == b->flags && a->groupId == b->groupId &&
	       !strcmp(a->description, b->description) &&
	       same_address(&a->faultAddressInfo, &b->faultAddressInfo) &&
	       same_address(&a->instructionAddressInfo, &b->instructionAddressInfo) &&
	       a->vendorInfo.vendorFaultCode == b->vendorInfo.vendorFaultCode &&
	       a->vendorInfo.vendorFaultData == b->vendorInfo.vendorFaultData;
}

/* Those before @from are old, and may come once more with reason. */
static bool is_known(const struct driver_reports *driver, uint32_t from,
		     const VkDeviceFaultInfoKHR *report)
{
	uint32_t i;

	for (i = from; i < driver->count; i++)
		if (same(&driver->list[i], report))
			return true;
	return false;
}

bool driver_reported(const struct driver_reports *driver, const VkDeviceFaultInfoKHR *report)
{
	uint32_t i;

	for (i = 0; i < driver->count; i++)
		if (report_has(&driver->list[i], report, address_is_equal))
			return true;
	return false;
}

static uint32_t less(uint32_t index, uint32_t by)
{
	return index > by ? index - by : 0;
}

/* What the application has not had by then is missed. */
static void forget_half(struct faults *faults)
{
	struct driver_reports *driver = &faults->driver;
	const uint32_t gone = driver->count / 2;

	memmove(driver->list, driver->list + gone, (driver->count - gone) * sizeof(*driver->list));
	driver->count -= gone;
	if (driver->passed < gone)
		driver->list[0].flags |= VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR;
	driver->passed = less(driver->passed, gone);
	faults->answer.taken = less(faults->answer.taken, gone);
	driver->current = less(driver->current, gone);
}

static void keep(struct faults *faults, const VkDeviceFaultInfoKHR *report)
{
	struct driver_reports *driver = &faults->driver;
	void *larger;

	if (driver->count == KEEP_MAX)
		forget_half(faults);
	if (driver->count == driver->room) {
		larger =
			realloc(driver->list, (driver->room + REPORTS_MAX) * sizeof(*driver->list));
		if (!larger)
			return;
		driver->list = larger;
		driver->room += REPORTS_MAX;
	}
	driver->list[driver->count++] = *report;
}

/* The driver says that the device is lost, perhaps before any call has. */
static void take_loss(struct faults *faults, const VkDeviceFaultInfoKHR *report)
{
	struct answer *answer = &faults->answer;

	if (!answer->told && !answer->driver_description[0])
		strcpy(answer->driver_description, report->description);
	atomic_store(&faults->device->lost, true);
	drmfault_vk_device_lost(faults->device->kernel, report->description);
}

/* Returns false: these are the ones that it gave before. */
static bool take(struct faults *faults, VkDeviceFaultInfoKHR *reports, uint32_t count)
{
	struct driver_reports *driver = &faults->driver;
	bool news = false;
	uint32_t i;

	for (i = 0; i < count; i++) {
		report_repair(&reports[i]);
		if (reports[i].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR) {
			news |= !driver->told_loss;
			driver->told_loss = true;
			take_loss(faults, &reports[i]);
		} else if (!is_known(driver, driver->current, &reports[i])) {
			news = true;
			keep(faults, &reports[i]);
		}
	}
	return news;
}

/*
 * Until it has none, which a driver that takes back what it gave says at once; one that
 * gives the same again and again never does.
 */
void driver_ask_reports(struct faults *faults)
{
	PFN_vkGetDeviceFaultReportsKHR ask = faults->device->calls.vkGetDeviceFaultReportsKHR;
	struct driver_reports *driver = &faults->driver;
	uint32_t count, i, asked = 0;
	VkResult result;

	if (!faults->device->driver_khr || !ask || faults->reports.closed)
		return;
	do {
		count = REPORTS_MAX;
		memset(driver->batch, 0, sizeof(driver->batch));
		for (i = 0; i < REPORTS_MAX; i++)
			driver->batch[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
		result = ask(faults->device->handle, 0, &count, driver->batch);
		if (result < 0)
			return;
		if (result == VK_TIMEOUT || !count)
			driver->current = driver->count;
		if (count > REPORTS_MAX)
			count = REPORTS_MAX;
		asked += count;
	} while (result != VK_TIMEOUT && take(faults, driver->batch, count) && asked < ASK_MAX);
}

/* The KHR's reports in the form of the EXT. */
void driver_take_reports(const struct driver_reports *driver, struct answer *answer)
{
	const VkDeviceFaultInfoKHR *report;

	for (; answer->taken < driver->count; answer->taken++) {
		report = &driver->list[answer->taken];
		if (report->flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR)
			answer_merge_address(answer, &report->faultAddressInfo);
		if (report->flags & VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR)
			answer_merge_address(answer, &report->instructionAddressInfo);
		if (report->flags & VK_DEVICE_FAULT_FLAG_VENDOR_KHR)
			answer_merge_vendor(answer, &report->vendorInfo);
		if (answer->driver_description[0])
			continue;
		strcpy(answer->driver_description, report->description);
		if (answer->told)
			description_add(answer->description, report->description);
	}
}

void driver_take_binary(struct faults *faults, struct answer *answer)
{
	PFN_vkGetDeviceFaultDebugInfoKHR ask = faults->device->calls.vkGetDeviceFaultDebugInfoKHR;
	VkDeviceFaultDebugInfoKHR info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR };
	uint32_t size;

	if (ask(faults->device->handle, &info) < 0)
		return;
	size = info.vendorBinarySize < BINARY_MAX ? info.vendorBinarySize : BINARY_MAX;
	if (size < DRMFAULT_VK_BINARY_HEADER_SIZE)
		return;
	info.vendorBinarySize = size;
	info.pVendorBinaryData = calloc(1, size);
	if (info.pVendorBinaryData && ask(faults->device->handle, &info) >= 0) {
		answer->binary = info.pVendorBinaryData;
		answer->binary_size = info.vendorBinarySize < size ? info.vendorBinarySize : size;
		info.pVendorBinaryData = NULL;
	}
	free(info.pVendorBinaryData);
}
