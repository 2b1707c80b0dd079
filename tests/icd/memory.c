// SPDX-License-Identifier: MIT
#include "icd.h"

VkResult icd_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *pAllocateInfo,
			    const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	const VkAllocationCallbacks *alloc = pAllocator ? pAllocator : &device->alloc;
	struct icd_memory *memory;
	VkResult result;

	if (pAllocateInfo->allocationSize > device->gpu->info.max_object_size)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	memory = icd_object_create(alloc, sizeof(*memory), VK_OBJECT_TYPE_DEVICE_MEMORY);
	if (!memory)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memory->size = pAllocateInfo->allocationSize;
	result = icd_bo_create(device, memory->size, ICD_ZONE_DATA, &memory->bo);
	if (result) {
		icd_object_destroy(alloc, memory);
		return result;
	}
	icd_report_binding(device, &memory->object, memory->bo.address, memory->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, 0);
	*pMemory = ICD_HANDLE(VkDeviceMemory, memory);
	return VK_SUCCESS;
}

void icd_FreeMemory(VkDevice handle, VkDeviceMemory memory_handle,
		    const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_memory *memory = ICD_OBJECT(memory, memory_handle);

	if (!memory)
		return;
	icd_report_binding(device, &memory->object, memory->bo.address, memory->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, 0);
	icd_bo_destroy(device, &memory->bo);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, memory);
}

/* It is always mapped. */
VkResult icd_MapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
		       VkDeviceSize size, VkMemoryMapFlags flags, void **ppData)
{
	(void)device;
	(void)size;
	(void)flags;
	*ppData = (char *)ICD_OBJECT(memory, memory)->bo.cpu + offset;
	return VK_SUCCESS;
}

void icd_UnmapMemory(VkDevice device, VkDeviceMemory memory)
{
	(void)device;
	(void)memory;
}

VkResult icd_FlushMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
				     const VkMappedMemoryRange *pMemoryRanges)
{
	(void)device;
	(void)memoryRangeCount;
	(void)pMemoryRanges;
	return VK_SUCCESS;
}

VkResult icd_InvalidateMappedMemoryRanges(VkDevice device, uint32_t memoryRangeCount,
					  const VkMappedMemoryRange *pMemoryRanges)
{
	(void)device;
	(void)memoryRangeCount;
	(void)pMemoryRanges;
	return VK_SUCCESS;
}

void icd_GetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory,
				   VkDeviceSize *pCommittedMemoryInBytes)
{
	(void)device;
	*pCommittedMemoryInBytes = ICD_OBJECT(memory, memory)->size;
}

uint64_t
icd_GetDeviceMemoryOpaqueCaptureAddressKHR(VkDevice device,
					   const VkDeviceMemoryOpaqueCaptureAddressInfo *pInfo)
{
	(void)device;
	return icd_canonical(ICD_OBJECT(memory, pInfo->memory)->bo.address);
}
