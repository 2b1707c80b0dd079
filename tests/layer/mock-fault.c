// SPDX-License-Identifier: MIT
/* The fault extensions, with what drivers do wrong. */
#include <stdlib.h>
#include <string.h>

#include "mock.h"

static uint32_t fault_count(void)
{
	if (!mock_is_lost || !getenv("MOCK_FAULT"))
		return 0;
	if (mock_does("flood"))
		return MOCK_FLOOD;
	return mock_does("many") ? MOCK_MANY : 1;
}

static VkDeviceFaultAddressInfoEXT fault(uint32_t i)
{
	const char *text = getenv("MOCK_FAULT");

	return (VkDeviceFaultAddressInfoEXT){
		.addressType = mock_does("instruction")
				       ? VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT
				       : VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
		.reportedAddress = (text ? strtoull(text, NULL, 16) : 0) + (uint64_t)i * MOCK_PAGE,
		.addressPrecision = mock_does("imprecise") ? MOCK_IMPRECISE : MOCK_PRECISION,
	};
}

static void describe(char description[VK_MAX_DESCRIPTION_SIZE])
{
	if (mock_does("garbage"))
		memset(description, 0xfe, VK_MAX_DESCRIPTION_SIZE);
	else
		strcpy(description, "mock fault");
}

static void count_absurdly(VkDeviceFaultCountsEXT *counts)
{
	counts->addressInfoCount = UINT32_MAX;
	counts->vendorInfoCount = UINT32_MAX;
	counts->vendorBinarySize = UINT64_MAX;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkGetDeviceFaultInfoEXT(VkDevice device,
								   VkDeviceFaultCountsEXT *counts,
								   VkDeviceFaultInfoEXT *info)
{
	uint32_t total = fault_count(), i;

	(void)device;
	if (mock_does("error") || mock_does("ext-error"))
		return VK_ERROR_DEVICE_LOST;
	counts->vendorInfoCount = 0;
	counts->vendorBinarySize = 0;
	if (!info) {
		counts->addressInfoCount = mock_does("incomplete") ? 0 : total;
		if (mock_does("absurd"))
			count_absurdly(counts);
		return mock_does("incomplete") ? VK_INCOMPLETE : VK_SUCCESS;
	}
	describe(info->description);
	if (counts->addressInfoCount < total) {
		counts->addressInfoCount = 0;
		return VK_INCOMPLETE;
	}
	counts->addressInfoCount = total;
	for (i = 0; i < total; i++)
		info->pAddressInfos[i] = fault(i);
	if (mock_does("absurd"))
		count_absurdly(counts);
	return VK_SUCCESS;
}

/* The loss and nothing else, and always the same. */
static VkResult tell_loss(uint32_t *count, VkDeviceFaultInfoKHR *infos)
{
	if (infos && *count) {
		infos->flags = VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR;
		describe(infos->description);
	}
	*count = !infos || *count;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkGetDeviceFaultReportsKHR(VkDevice device,
								      uint64_t timeout,
								      uint32_t *count,
								      VkDeviceFaultInfoKHR *infos)
{
	static uint32_t taken;
	uint32_t left, i;

	(void)device;
	(void)timeout;
	if (mock_does("error") || mock_does("khr-error"))
		return VK_ERROR_DEVICE_LOST;
	if (mock_does("tells"))
		return tell_loss(count, infos);
	if (!fault_count() || mock_does("repeat"))
		taken = 0;
	left = fault_count() - taken;
	if (!left || !infos) {
		*count = left;
		return left ? VK_SUCCESS : VK_TIMEOUT;
	}
	for (i = 0; i < left && i < *count; i++) {
		/* What has no flag is left as it was. */
		infos[i].flags = VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR;
		infos[i].groupId = 0;
		describe(infos[i].description);
		infos[i].faultAddressInfo = fault(taken + i);
	}
	taken += i;
	*count = i;
	return i < left ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_vkGetDeviceFaultDebugInfoKHR(VkDevice device, VkDeviceFaultDebugInfoKHR *info)
{
	(void)device;
	info->vendorBinarySize = 0;
	return VK_SUCCESS;
}

PFN_vkVoidFunction mock_fault_function(const char *name)
{
	static const struct mock_name ext[] = { MOCK_NAME(vkGetDeviceFaultInfoEXT) };
	static const struct mock_name khr[] = { MOCK_NAME(vkGetDeviceFaultReportsKHR),
						MOCK_NAME(vkGetDeviceFaultDebugInfoKHR) };
	PFN_vkVoidFunction function = NULL;

	if (mock_does("ext"))
		function = MOCK_FIND(ext, name);
	if (!function && mock_does("khr"))
		function = MOCK_FIND(khr, name);
	return function;
}

VkResult mock_check_features(const void *pNext)
{
	const VkBaseInStructure *at = pNext;

	for (; at; at = at->pNext) {
		if ((at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT &&
		     !mock_does("ext")) ||
		    (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR &&
		     !mock_does("khr")) ||
		    (at->sType ==
			     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT &&
		     !mock_does("report")))
			return VK_ERROR_FEATURE_NOT_PRESENT;
	}
	return VK_SUCCESS;
}
