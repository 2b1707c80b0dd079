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

static bool is_full(const struct report_queue *queue)
{
	return queue->count == REPORTS_MAX;
}

static void push_driver(struct faults *faults)
{
	struct driver_reports *driver = &faults->driver;

	while (driver->passed < driver->count && !is_full(&faults->reports))
		report_add(&faults->reports, REPORT_OF_DRIVER, &driver->list[driver->passed++]);
}

static void report_address(VkDeviceFaultInfoKHR *report, const VkDeviceFaultAddressInfoEXT *info)
{
	if (address_is_instruction(info)) {
		report->flags = VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR;
		report->instructionAddressInfo = *info;
	} else {
		report->flags = VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR;
		report->faultAddressInfo = *info;
	}
}

/* What only the EXT of the driver has, once the device is lost. */
static void bridge(struct faults *faults)
{
	struct report_queue *queue = &faults->reports;
	const struct answer *answer = &faults->answer;
	VkDeviceFaultInfoKHR report;
	uint32_t i;

	if (!faults->device->driver_ext || !atomic_load(&faults->device->lost))
		return;
	if (!answer->told)
		faults_ask(faults, NULL);
	for (; queue->bridged < answer->ext_address_count + answer->ext_vendor_count &&
	       !is_full(queue);
	     queue->bridged++) {
		memset(&report, 0, sizeof(report));
		report_repair(&report);
		i = queue->bridged;
		if (i < answer->ext_address_count) {
			report_address(&report, &answer->addresses[i]);
			strcpy(report.description, answer->driver_description);
		} else {
			report.flags = VK_DEVICE_FAULT_FLAG_VENDOR_KHR;
			report.vendorInfo = answer->vendors[i - answer->ext_address_count];
			strcpy(report.description, report.vendorInfo.description);
		}
		if (!driver_reported(&faults->driver, &report) && !report_is_told(queue, &report))
			report_add(queue, REPORT_OF_DRIVER, &report);
	}
}

static void ask_kernel(struct faults *faults)
{
	struct report_queue *queue = &faults->reports;
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 1;

	while (!is_full(queue) && !queue->has_lost &&
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

/*
 * As far as there is room. The driver's EXT last: what the kernel has of it is told
 * better there.
 */
static void fill(struct faults *faults)
{
	push_driver(faults);
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
	driver_ask_reports(faults);
	fill(faults);
	if (!available(queue)) {
		result = VK_TIMEOUT;
	} else if (!pFaultInfo) {
		*pFaultCounts = available(queue);
	} else {
		while (written < capacity && available(queue)) {
			give(queue, &pFaultInfo[written++]);
			fill(faults);
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
	/* As in the EXT. */
	if (layer_is_off()) {
		*pFaultCounts = 0;
		return VK_TIMEOUT;
	}
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
	device_was_asked(device);
	return result;
}
