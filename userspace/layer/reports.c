// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultReportsKHR: the reports of driver and kernel, each returned once. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "clock.h"
#include "faults.h"
#include "hooks.h"

/* A driver cannot be waited for together with the kernel. */
#define SLICE_NS 10000000u
#define FOREVER	 UINT64_MAX

static const VkDeviceFaultAddressInfoKHR no_address = { .addressPrecision = 1 };

/* Members without their flag have not been written. */
static void repair(VkDeviceFaultInfoKHR *report)
{
	report->pNext = NULL;
	description_repair(report->description);
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

static bool is_repeated(const struct report_queue *queue, uint32_t count,
			const VkDeviceFaultInfoKHR *report)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (same(&queue->again[i], report))
			return true;
	return false;
}

/* The driver says that the device is lost, perhaps before any call has. */
static void take_loss(struct faults *faults, const VkDeviceFaultInfoKHR *report)
{
	struct answer *answer = &faults->answer;

	if (!answer->driver_description[0])
		strcpy(answer->driver_description, report->description);
	atomic_store(&faults->device->lost, true);
	drmfault_vk_device_lost(faults->device->kernel, report->description);
}

/* Returns false: these are the ones that it gave before. */
static bool take_driver(struct faults *faults, VkDeviceFaultInfoKHR *reports, uint32_t count)
{
	struct report_queue *queue = &faults->reports;
	uint32_t i, before = queue->again_count;
	bool news = false;

	for (i = 0; i < count; i++) {
		bool lost = reports[i].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;

		repair(&reports[i]);
		if (is_repeated(queue, before, &reports[i]))
			continue;
		news = true;
		if (queue->again_count < REPORTS_MAX)
			queue->again[queue->again_count++] = reports[i];
		if (lost) {
			take_loss(faults, &reports[i]);
			continue;
		}
		if (queue->driver_count < REPORTS_MAX)
			queue->driver[queue->driver_count++] = reports[i];
		report_add(queue, REPORT_OF_DRIVER, &reports[i]);
	}
	return news;
}

/*
 * Until it has none, which a driver that takes back what it gave says at once; one that
 * gives the same again and again never does.
 */
void reports_ask_driver(struct faults *faults)
{
	PFN_vkGetDeviceFaultReportsKHR ask = faults->device->calls.vkGetDeviceFaultReportsKHR;
	struct report_queue *queue = &faults->reports;
	VkDeviceFaultInfoKHR batch[16];
	uint32_t count, room, i;
	VkResult result;

	do {
		room = REPORTS_MAX - queue->count;
		count = room < 16 ? room : 16;
		if (!faults->device->driver_khr || !ask || !count || queue->closed)
			return;
		room = count;
		memset(batch, 0, sizeof(batch));
		for (i = 0; i < count; i++)
			batch[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
		result = ask(faults->device->handle, 0, &count, batch);
		if (result < 0)
			return;
		if (result == VK_TIMEOUT || !count)
			queue->again_count = 0;
		if (count > room)
			count = room;
	} while (result != VK_TIMEOUT && take_driver(faults, batch, count));
}

static bool is_instruction(const VkDeviceFaultAddressInfoEXT *info)
{
	return info->addressType >= VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT;
}

static void bridge_one(struct report_queue *queue, VkDeviceFaultInfoKHR *report,
		       const char *description)
{
	repair(report);
	memcpy(report->description, description, sizeof(report->description));
	if (queue->count < REPORTS_MAX && !report_is_told(queue, report))
		report_add(queue, REPORT_OF_DRIVER, report);
}

/* What only the EXT of the driver has, once the device is lost. */
static void bridge(struct faults *faults)
{
	struct report_queue *queue = &faults->reports;
	const struct answer *answer;
	VkDeviceFaultInfoKHR report;
	uint32_t i;

	if (queue->bridged || !faults->device->driver_ext || faults->device->driver_khr ||
	    !atomic_load(&faults->device->lost))
		return;
	queue->bridged = true;
	answer = faults_ask(faults, NULL);
	for (i = 0; i < answer->driver_address_count; i++) {
		memset(&report, 0, sizeof(report));
		if (is_instruction(&answer->addresses[i])) {
			report.flags = VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR;
			report.instructionAddressInfo = answer->addresses[i];
		} else {
			report.flags = VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR;
			report.faultAddressInfo = answer->addresses[i];
		}
		bridge_one(queue, &report, answer->driver_description);
	}
	for (i = 0; i < answer->driver_vendor_count; i++) {
		memset(&report, 0, sizeof(report));
		report.flags = VK_DEVICE_FAULT_FLAG_VENDOR_KHR;
		report.vendorInfo = answer->vendors[i];
		bridge_one(queue, &report, report.vendorInfo.description);
	}
}

static void ask_kernel(struct faults *faults)
{
	struct report_queue *queue = &faults->reports;
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 1;

	while (queue->count < REPORTS_MAX && !queue->has_lost &&
	       drmfault_vk_device_get_fault_reports_khr(faults->device->kernel, 0, &count,
							&report) >= 0 &&
	       count) {
		if (report.flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR) {
			queue->has_lost = true;
			queue->lost = report;
		} else {
			report_add(queue, REPORT_OF_KERNEL, &report);
		}
		count = 1;
	}
}

/* The driver's EXT last: what the kernel has of it is told better there. */
void reports_fill(struct faults *faults)
{
	reports_ask_driver(faults);
	ask_kernel(faults);
	bridge(faults);
}

static uint32_t available(const struct report_queue *queue)
{
	return queue->count + (queue->has_lost && !queue->closed);
}

static void give(struct report_queue *queue, VkDeviceFaultInfoKHR *to)
{
	VkStructureType type = to->sType;
	void *next = to->pNext;

	if (queue->count) {
		*to = queue->waiting[queue->first];
		queue->first = (queue->first + 1) % REPORTS_MAX;
		queue->count--;
	} else {
		*to = queue->lost;
		if (to->groupId < queue->group)
			to->groupId = queue->group;
		queue->closed = true;
	}
	to->sType = type;
	to->pNext = next;
}

static VkResult hand_out(struct faults *faults, uint32_t *pFaultCounts,
			 VkDeviceFaultInfoKHR *pFaultInfo, bool *over)
{
	struct report_queue *queue = &faults->reports;
	uint32_t written = 0, capacity = *pFaultCounts;
	VkResult result = VK_SUCCESS;

	pthread_mutex_lock(&faults->lock);
	reports_fill(faults);
	if (!available(queue)) {
		result = VK_TIMEOUT;
	} else if (!pFaultInfo) {
		*pFaultCounts = available(queue);
	} else {
		while (written < capacity && available(queue)) {
			give(queue, &pFaultInfo[written++]);
			reports_fill(faults);
		}
		*pFaultCounts = written;
		if (available(queue))
			result = VK_INCOMPLETE;
	}
	*over = queue->closed;
	pthread_mutex_unlock(&faults->lock);
	return result;
}

/* Returns false when the time is over. */
static bool wait_until(const struct device *device, uint64_t deadline)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC),
		 left = deadline == FOREVER ? FOREVER : deadline - now;
	uint32_t count = 0;

	if (now >= deadline)
		return false;
	if (device->driver_khr && left > SLICE_NS)
		left = SLICE_NS;
	drmfault_vk_device_get_fault_reports_khr(device->kernel, left, &count, NULL);
	return true;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkGetDeviceFaultReportsKHR(VkDevice handle, uint64_t timeout,
								uint32_t *pFaultCounts,
								VkDeviceFaultInfoKHR *pFaultInfo)
{
	struct device *device = device_of(handle);
	uint64_t now, deadline = 0;
	VkResult result;
	bool over;

	if (device->off)
		return device->calls.vkGetDeviceFaultReportsKHR(handle, timeout, pFaultCounts,
								pFaultInfo);
	if (timeout) {
		now = clock_ns(CLOCK_MONOTONIC);
		deadline = timeout > FOREVER - now ? FOREVER : now + timeout;
	}
	do
		result = hand_out(device->faults, pFaultCounts, pFaultInfo, &over);
	while (result == VK_TIMEOUT && !(over && deadline == FOREVER) &&
	       wait_until(device, deadline));
	if (result == VK_TIMEOUT)
		*pFaultCounts = 0;
	return result;
}
