// SPDX-License-Identifier: MIT
#include "icd.h"

#define ALIGNMENT 64

VkResult icd_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *pCreateInfo,
			  const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_buffer *buffer;

	buffer = icd_object_create(pAllocator ? pAllocator : &device->alloc, sizeof(*buffer),
				   VK_OBJECT_TYPE_BUFFER);
	if (!buffer)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	buffer->size = pCreateInfo->size;
	*pBuffer = ICD_HANDLE(VkBuffer, buffer);
	return VK_SUCCESS;
}

/* Its addresses end with it; the memory's may have done so before. */
void icd_DestroyBuffer(VkDevice handle, VkBuffer buffer_handle,
		       const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_buffer *buffer = ICD_OBJECT(buffer, buffer_handle);

	if (!buffer)
		return;
	if (buffer->address)
		icd_report_binding(device, &buffer->object, buffer->address, buffer->size,
				   VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, 0);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, buffer);
}

void icd_GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
				     VkMemoryRequirements *pMemoryRequirements)
{
	uint64_t size = ICD_OBJECT(buffer, buffer)->size;

	(void)device;
	*pMemoryRequirements = (VkMemoryRequirements){
		.size = (size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1),
		.alignment = ALIGNMENT,
		.memoryTypeBits = 1,
	};
}

void icd_GetBufferMemoryRequirements2(VkDevice device, const VkBufferMemoryRequirementsInfo2 *pInfo,
				      VkMemoryRequirements2 *pMemoryRequirements)
{
	VkBaseOutStructure *out;

	icd_GetBufferMemoryRequirements(device, pInfo->buffer,
					&pMemoryRequirements->memoryRequirements);
	for (out = pMemoryRequirements->pNext; out; out = out->pNext)
		if (out->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS) {
			VkMemoryDedicatedRequirements *dedicated = (void *)out;

			dedicated->prefersDedicatedAllocation = VK_FALSE;
			dedicated->requiresDedicatedAllocation = VK_FALSE;
		}
}

VkResult icd_BindBufferMemory(VkDevice handle, VkBuffer buffer_handle, VkDeviceMemory memory,
			      VkDeviceSize memoryOffset)
{
	struct icd_buffer *buffer = ICD_OBJECT(buffer, buffer_handle);

	buffer->address = ICD_OBJECT(memory, memory)->bo.address + memoryOffset;
	icd_report_binding(ICD_OBJECT(device, handle), &buffer->object, buffer->address,
			   buffer->size, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, 0);
	return VK_SUCCESS;
}

VkResult icd_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
			       const VkBindBufferMemoryInfo *pBindInfos)
{
	uint32_t i;

	for (i = 0; i < bindInfoCount; i++)
		icd_BindBufferMemory(device, pBindInfos[i].buffer, pBindInfos[i].memory,
				     pBindInfos[i].memoryOffset);
	return VK_SUCCESS;
}

VkDeviceAddress icd_GetBufferDeviceAddressKHR(VkDevice device,
					      const VkBufferDeviceAddressInfo *pInfo)
{
	(void)device;
	return icd_canonical(ICD_OBJECT(buffer, pInfo->buffer)->address);
}

/* For captures, whose addresses cannot be asked for. */
uint64_t icd_GetBufferOpaqueCaptureAddressKHR(VkDevice device,
					      const VkBufferDeviceAddressInfo *pInfo)
{
	(void)device;
	(void)pInfo;
	return 0;
}
