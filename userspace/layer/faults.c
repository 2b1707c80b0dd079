// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultInfoEXT and vkGetDeviceFaultDebugInfoKHR. */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "faults.h"
#include "hooks.h"

struct faults *faults_new(struct device *device)
{
	struct faults *faults = calloc(1, sizeof(*faults));

	if (!faults)
		return NULL;
	faults->device = device;
	pthread_mutex_init(&faults->lock, NULL);
	return faults;
}

void faults_free(struct faults *faults)
{
	if (!faults)
		return;
	answer_clear(&faults->answer);
	free(faults->driver.list);
	pthread_mutex_destroy(&faults->lock);
	free(faults);
}

const struct answer *faults_ask(struct faults *faults, struct answer *fresh)
{
	struct answer *answer;
	bool lost;

	driver_ask_reports(faults);
	if (faults->answer.told) {
		driver_take_reports(&faults->driver, &faults->answer);
		return &faults->answer;
	}
	/* The driver's reports may have said so. */
	lost = atomic_load(&faults->device->lost);
	answer = lost || !fresh ? &faults->answer : fresh;
	driver_answer(faults, answer, lost);
	kernel_answer(faults, answer);
	answer->told = lost;
	return answer;
}

/* Returns how many fit. */
static uint32_t copy(void *to, const void *from, uint32_t count, uint32_t capacity, size_t size)
{
	uint32_t fits = to ? (count < capacity ? count : capacity) : 0;

	if (fits)
		memcpy(to, from, fits * size);
	return fits;
}

/* A binary that is too short for its header is none. */
static uint64_t copy_binary(const struct answer *answer, size_t size, void *to, uint64_t capacity)
{
	uint64_t fits = size < capacity ? size : capacity;

	if (!to || fits < DRMFAULT_VK_BINARY_HEADER_SIZE)
		return 0;
	memcpy(to, answer->binary, (size_t)fits);
	return fits;
}

static VkResult answer_ext(const struct answer *answer, bool binary,
			   VkDeviceFaultCountsEXT *pFaultCounts, VkDeviceFaultInfoEXT *pFaultInfo)
{
	size_t size = binary ? answer->binary_size : 0;
	const VkDeviceFaultCountsEXT whole = {
		.addressInfoCount = answer->address_count,
		.vendorInfoCount = answer->vendor_count,
		.vendorBinarySize = size,
	};
	VkDeviceFaultCountsEXT fit = whole;

	if (pFaultInfo) {
		fit.addressInfoCount = copy(pFaultInfo->pAddressInfos, answer->addresses,
					    answer->address_count, pFaultCounts->addressInfoCount,
					    sizeof(*answer->addresses));
		fit.vendorInfoCount = copy(pFaultInfo->pVendorInfos, answer->vendors,
					   answer->vendor_count, pFaultCounts->vendorInfoCount,
					   sizeof(*answer->vendors));
		fit.vendorBinarySize = copy_binary(answer, size, pFaultInfo->pVendorBinaryData,
						   pFaultCounts->vendorBinarySize);
		strcpy(pFaultInfo->description, answer->description);
	}
	pFaultCounts->addressInfoCount = fit.addressInfoCount;
	pFaultCounts->vendorInfoCount = fit.vendorInfoCount;
	pFaultCounts->vendorBinarySize = fit.vendorBinarySize;
	return fit.addressInfoCount < whole.addressInfoCount ||
			       fit.vendorInfoCount < whole.vendorInfoCount ||
			       fit.vendorBinarySize < whole.vendorBinarySize
		       ? VK_INCOMPLETE
		       : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkGetDeviceFaultInfoEXT(VkDevice handle,
							     VkDeviceFaultCountsEXT *pFaultCounts,
							     VkDeviceFaultInfoEXT *pFaultInfo)
{
	struct device *device = device_of(handle);
	struct faults *faults = device->faults;
	struct answer fresh = { 0 };
	VkResult result;

	if (device->off)
		return device->calls.vkGetDeviceFaultInfoEXT(handle, pFaultCounts, pFaultInfo);
	/* A child knows nothing, and has the lock as another thread held it. */
	if (layer_is_off())
		return answer_ext(&fresh, false, pFaultCounts, pFaultInfo);
	pthread_mutex_lock(&faults->lock);
	result = answer_ext(faults_ask(faults, &fresh), device->app_vendor_binary, pFaultCounts,
			    pFaultInfo);
	pthread_mutex_unlock(&faults->lock);
	answer_clear(&fresh);
	device_was_asked(device);
	return result;
}

/* A driver that has shader abort messages answers for them itself. */
static void answer_chain(struct device *device, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
	VkDeviceFaultShaderAbortMessageInfoKHR *message = chain_find(
		pDebugInfo->pNext, VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR);
	VkDeviceFaultDebugInfoKHR info = *pDebugInfo;

	if (!message)
		return;
	if (device->driver_khr && device->calls.vkGetDeviceFaultDebugInfoKHR) {
		info.vendorBinarySize = 0;
		info.pVendorBinaryData = NULL;
		device->calls.vkGetDeviceFaultDebugInfoKHR(device->handle, &info);
	} else {
		message->messageDataSize = 0;
	}
}

static VkResult answer_debug(const struct answer *answer, VkDeviceFaultDebugInfoKHR *pDebugInfo,
			     uint32_t capacity)
{
	if (pDebugInfo->pVendorBinaryData && answer->binary_size > capacity)
		return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
	pDebugInfo->vendorBinarySize = (uint32_t)answer->binary_size;
	if (pDebugInfo->pVendorBinaryData && answer->binary_size)
		memcpy(pDebugInfo->pVendorBinaryData, answer->binary, answer->binary_size);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
layer_vkGetDeviceFaultDebugInfoKHR(VkDevice handle, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
	struct device *device = device_of(handle);
	uint32_t capacity = pDebugInfo->vendorBinarySize;
	struct faults *faults = device->faults;
	struct answer fresh = { 0 };
	VkResult result = VK_SUCCESS;

	if (device->off)
		return device->calls.vkGetDeviceFaultDebugInfoKHR(handle, pDebugInfo);
	answer_chain(device, pDebugInfo);
	pDebugInfo->vendorBinarySize = 0;
	if (!device->app_vendor_binary || !atomic_load(&device->lost) || layer_is_off())
		return VK_SUCCESS;
	pthread_mutex_lock(&faults->lock);
	result = answer_debug(faults_ask(faults, &fresh), pDebugInfo, capacity);
	pthread_mutex_unlock(&faults->lock);
	answer_clear(&fresh);
	return result;
}
