// SPDX-License-Identifier: MIT
/* The driver's EXT, whose results are taken with care. */
#include <stdlib.h>
#include <string.h>

#include "faults.h"

/* More than any driver has; a number beyond this one is no number. */
#define COUNT_MAX  65536u
#define BINARY_MAX (1u << 30)

static uint32_t least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

/* No array is given for what the driver says it does not have. */
static bool room(const VkDeviceFaultCountsEXT *counts, VkDeviceFaultInfoEXT *info)
{
	if (counts->addressInfoCount)
		info->pAddressInfos =
			calloc(counts->addressInfoCount, sizeof(*info->pAddressInfos));
	if (counts->vendorInfoCount)
		info->pVendorInfos = calloc(counts->vendorInfoCount, sizeof(*info->pVendorInfos));
	if (counts->vendorBinarySize)
		info->pVendorBinaryData = calloc(1, (size_t)counts->vendorBinarySize);
	return (info->pAddressInfos || !counts->addressInfoCount) &&
	       (info->pVendorInfos || !counts->vendorInfoCount) &&
	       (info->pVendorBinaryData || !counts->vendorBinarySize);
}

/* What the driver has counted and not written is as it was given to it. */
static bool is_written(const void *from, size_t size)
{
	const unsigned char *bytes = from;
	size_t i;

	for (i = 0; i < size; i++)
		if (bytes[i])
			return true;
	return false;
}

static void take(struct answer *answer, const VkDeviceFaultCountsEXT *counts,
		 VkDeviceFaultInfoEXT *info)
{
	uint32_t i;

	for (i = 0; i < counts->addressInfoCount; i++) {
		if (!is_written(&info->pAddressInfos[i], sizeof(info->pAddressInfos[i])))
			continue;
		precision_repair(&info->pAddressInfos[i]);
		answer_add_address(answer, &info->pAddressInfos[i]);
	}
	for (i = 0; i < counts->vendorInfoCount; i++) {
		if (!is_written(&info->pVendorInfos[i], sizeof(info->pVendorInfos[i])))
			continue;
		description_repair(info->pVendorInfos[i].description);
		answer_add_vendor(answer, &info->pVendorInfos[i]);
	}
	if (counts->vendorBinarySize >= DRMFAULT_VK_BINARY_HEADER_SIZE &&
	    is_written(info->pVendorBinaryData, DRMFAULT_VK_BINARY_HEADER_SIZE)) {
		answer->binary = info->pVendorBinaryData;
		answer->binary_size = (size_t)counts->vendorBinarySize;
		info->pVendorBinaryData = NULL;
	}
	description_repair(info->description);
	strcpy(answer->driver_description, info->description);
}

/* What a driver answers with an error has not been answered. */
static void ask_ext(struct faults *faults, struct answer *answer)
{
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	PFN_vkGetDeviceFaultInfoEXT ask = faults->device->calls.vkGetDeviceFaultInfoEXT;
	VkDeviceFaultCountsEXT had;

	answer->driver_result = ask(faults->device->handle, &counts, NULL);
	if (answer->driver_result < 0)
		return;
	counts.addressInfoCount = least(counts.addressInfoCount, COUNT_MAX);
	counts.vendorInfoCount = least(counts.vendorInfoCount, COUNT_MAX);
	counts.vendorBinarySize = least(counts.vendorBinarySize, BINARY_MAX);
	had = counts;
	if (room(&counts, &info)) {
		answer->driver_result = ask(faults->device->handle, &counts, &info);
		counts.addressInfoCount = least(counts.addressInfoCount, had.addressInfoCount);
		counts.vendorInfoCount = least(counts.vendorInfoCount, had.vendorInfoCount);
		counts.vendorBinarySize = least(counts.vendorBinarySize, had.vendorBinarySize);
		if (answer->driver_result >= 0)
			take(answer, &counts, &info);
	}
	free(info.pAddressInfos);
	free(info.pVendorInfos);
	free(info.pVendorBinaryData);
}

void driver_answer(struct faults *faults, struct answer *answer, bool lost)
{
	const struct device *device = faults->device;

	if (device->driver_ext && device->calls.vkGetDeviceFaultInfoEXT)
		ask_ext(faults, answer);
	answer->ext_address_count = answer->address_count;
	answer->ext_vendor_count = answer->vendor_count;
	if (device->driver_khr && lost)
		driver_take_reports(&faults->driver, answer);
	if (lost && !answer->binary && device->driver_khr &&
	    device->gpu.driver_khr.deviceFaultVendorBinary &&
	    device->calls.vkGetDeviceFaultDebugInfoKHR)
		driver_take_binary(faults, answer);
	answer->driver_address_count = answer->address_count;
	answer->driver_vendor_count = answer->vendor_count;
	strcpy(answer->description, answer->driver_description);
}
