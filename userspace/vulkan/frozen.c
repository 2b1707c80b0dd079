// SPDX-License-Identifier: MIT
/* Queries on a lost device: all are answered from one snapshot. */
#include <errno.h>
#include <string.h>

#include "device.h"

/* Records may arrive while a snapshot is taken; another one is whole. */
#define TRIES 4

static int snapshot_take(struct drmfault_stream *stream, struct drmfault_snapshot **snapshot)
{
	int ret = -EAGAIN;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		drmfault_snapshot_free(*snapshot);
		*snapshot = NULL;
		ret = drmfault_snapshot_take(stream, snapshot);
		if (ret || !drmfault_snapshot_moving(*snapshot))
			break;
	}
	return ret;
}

/* Fails only for want of memory: a GPU that is gone has nothing to tell. */
static VkResult freeze(struct drmfault_vk_device *device)
{
	struct drmfault_snapshot *snapshot = NULL;
	VkResult result = VK_SUCCESS;
	int ret = 0;

	pthread_mutex_lock(&device->lock);
	if (!device->frozen) {
		if (device->stream)
			ret = snapshot_take(device->stream, &snapshot);
		/* The file or process may have had faults before it had this device. */
		if (snapshot)
			drmfault_snapshot_forget_before(snapshot, device->created_ns);
		if (snapshot && device->is_foreign)
			drmfault_snapshot_forget(snapshot, device->is_foreign,
						 device->foreign_data);
		if (ret == -ENOMEM) {
			result = VK_ERROR_OUT_OF_HOST_MEMORY;
		} else {
			device->snapshot = snapshot;
			device->missed = ret;
			device->frozen = true;
		}
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}

static void describe_device(const struct drmfault_vk_device *device, char *room, size_t size)
{
	struct text text;

	if (snapshot_has_events(device->snapshot))
		return;
	memset(room, 0, size);
	text_begin(&text, room, size);
	describe_nothing(&text, device);
}

static void nothing_yet(VkDeviceFaultCountsEXT *pFaultCounts, VkDeviceFaultInfoEXT *pFaultInfo)
{
	struct text text;

	pFaultCounts->addressInfoCount = 0;
	pFaultCounts->vendorInfoCount = 0;
	pFaultCounts->vendorBinarySize = 0;
	if (!pFaultInfo)
		return;
	memset(pFaultInfo->description, 0, sizeof(pFaultInfo->description));
	text_begin(&text, pFaultInfo->description, sizeof(pFaultInfo->description));
	text_add(&text, "The device is not lost");
}

DRMFAULT_API VkResult drmfault_vk_device_get_fault_info_ext(struct drmfault_vk_device *device,
							    VkDeviceFaultCountsEXT *pFaultCounts,
							    VkDeviceFaultInfoEXT *pFaultInfo)
{
	VkResult result;

	if (!drmfault_vk_device_is_lost(device)) {
		nothing_yet(pFaultCounts, pFaultInfo);
		return VK_SUCCESS;
	}
	result = freeze(device);
	if (result != VK_SUCCESS)
		return result;
	result = drmfault_vk_get_fault_info_ext(&device->identity, device->snapshot, pFaultCounts,
						pFaultInfo);
	if (pFaultInfo)
		describe_device(device, pFaultInfo->description, sizeof(pFaultInfo->description));
	return result;
}

/* No shader's message comes this way. */
static void answer_chain(void *pNext)
{
	VkBaseOutStructure *next;

	for (next = pNext; next; next = next->pNext)
		if (next->sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR)
			((VkDeviceFaultShaderAbortMessageInfoKHR *)next)->messageDataSize = 0;
}

static uint64_t binary_write(const struct drmfault_vk_device *device, void *bytes,
			     uint64_t capacity)
{
	struct byte_list list = { .bytes = bytes, .capacity = bytes ? capacity : 0 };

	if (device->identity.vendor_binary && snapshot_has_events(device->snapshot))
		binary_of_snapshot(&device->identity, device->snapshot, &list);
	return list.count;
}

DRMFAULT_API VkResult drmfault_vk_device_get_fault_debug_info_khr(
	struct drmfault_vk_device *device, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
	uint32_t capacity = pDebugInfo->vendorBinarySize;
	VkResult result;
	uint64_t size;

	answer_chain(pDebugInfo->pNext);
	pDebugInfo->vendorBinarySize = 0;
	if (!device->identity.vendor_binary || !drmfault_vk_device_is_lost(device))
		return VK_SUCCESS;
	result = freeze(device);
	if (result != VK_SUCCESS)
		return result;

	size = binary_write(device, NULL, 0);
	if (pDebugInfo->pVendorBinaryData && size > capacity)
		return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
	pDebugInfo->vendorBinarySize = (uint32_t)size;
	if (pDebugInfo->pVendorBinaryData)
		binary_write(device, pDebugInfo->pVendorBinaryData, capacity);
	return VK_SUCCESS;
}
