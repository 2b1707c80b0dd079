// SPDX-License-Identifier: MIT
/* Reports between the kernel's queue and the application. */
#include <errno.h>

#include "device.h"

/* Without deviceFaultReportMasked nobody is told of a fault that the device survives. */
static bool ring_is_open(const struct drmfault_vk_device *device)
{
	return device->report_masked || device->lost || device->ring.fatal;
}

static VkDeviceFaultInfoKHR *ring_at(struct report_ring *ring, uint32_t i)
{
	return &ring->reports[(ring->first + i) % DRMFAULT_VK_MAX_FAULTS];
}

static void ring_drop_oldest(struct report_ring *ring)
{
	ring->first = (ring->first + 1) % DRMFAULT_VK_MAX_FAULTS;
	ring->count--;
	ring_at(ring, 0)->flags |= VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR;
}

static void ring_add(struct drmfault_vk_device *device, const struct drmfault_record *record)
{
	struct report_ring *ring = &device->ring;
	VkDeviceFaultInfoKHR *report;

	if (drmfault_record_flags(record) & DRMFAULT_FLAG_LOST ||
	    drmfault_record_type(record) == DRMFAULT_RECORD_LOST)
		ring->overflow = true;
	if (!record_is_known(record))
		return;
	if (device->is_foreign && device->is_foreign(device->foreign_data, record))
		return;
	if (drmfault_record_flags(record) & DRMFAULT_FLAG_FATAL)
		ring->fatal = true;
	if (ring->count == DRMFAULT_VK_MAX_FAULTS)
		ring_drop_oldest(ring);

	report = ring_at(ring, ring->count++);
	report_of_record(record, report);
	if (ring->overflow)
		report->flags |= VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR;
	ring->overflow = false;
	/* Incidents of two contexts may overlap. */
	if (report->groupId < ring->group || !report->groupId)
		report->groupId = ring->group ? ring->group : 1;
	ring->group = report->groupId;
	ring->made++;
}

void ring_fill(struct drmfault_vk_device *device)
{
	struct report_ring *ring = &device->ring;
	const struct drmfault_record *record;
	int ret;

	while (device->stream && !ring->ended && !ring->closed) {
		/* What nobody may have yet must not keep out what follows it. */
		if (ring_is_open(device) && ring->count == DRMFAULT_VK_MAX_FAULTS)
			break;
		ret = drmfault_stream_next(device->stream, &record);
		if (ret == -EPROTO)
			continue;
		if (ret < 0)
			ring->ended = true;
		if (ret <= 0)
			break;
		ring_add(device, record);
	}
}

/* The loss comes last: behind a full ring the kernel may have more. */
static bool loss_is_next(const struct drmfault_vk_device *device)
{
	return device->lost && device->ring.count < DRMFAULT_VK_MAX_FAULTS;
}

uint32_t ring_available(const struct drmfault_vk_device *device)
{
	if (device->ring.closed || !ring_is_open(device))
		return 0;
	return device->ring.count + loss_is_next(device);
}

void ring_take(struct drmfault_vk_device *device, VkDeviceFaultInfoKHR *report)
{
	struct report_ring *ring = &device->ring;
	VkStructureType type = report->sType;
	void *next = report->pNext;

	if (ring->count) {
		*report = *ring_at(ring, 0);
		ring->first = (ring->first + 1) % DRMFAULT_VK_MAX_FAULTS;
		ring->count--;
	} else {
		report_of_loss(device, report);
		if (ring->overflow)
			report->flags |= VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR;
		ring->closed = true;
	}
	report->sType = type;
	report->pNext = next;
}
