// SPDX-License-Identifier: MIT
/* What a physical device is: names, limits, memory, queues, and no formats. */
#include <stdio.h>
#include <string.h>

#include "icd.h"

#define NAME "drm_fault_sim"
#define KIB  1024
#define MIB  (1024 * KIB)

/* What Vulkan asks for at least, of what can be had here; the rest is 0, for it cannot. */
static const VkPhysicalDeviceLimits limits = {
	.maxMemoryAllocationCount = 4096,
	.bufferImageGranularity = 1,
	.maxPushConstantsSize = 128,
	.maxUniformBufferRange = 16 * KIB,
	.maxStorageBufferRange = 128 * MIB,
	.maxComputeWorkGroupCount = { 65535, 65535, 65535 },
	.maxComputeWorkGroupInvocations = 1,
	.maxComputeWorkGroupSize = { 1, 1, 1 },
	.minMemoryMapAlignment = ICD_PAGE,
	.minTexelBufferOffsetAlignment = 64,
	.minUniformBufferOffsetAlignment = 64,
	.minStorageBufferOffsetAlignment = 64,
	.discreteQueuePriorities = 2,
	.timestampPeriod = 1,
	.strictLines = VK_TRUE,
	.optimalBufferCopyOffsetAlignment = 1,
	.optimalBufferCopyRowPitchAlignment = 1,
	.nonCoherentAtomSize = 1,
};

void icd_pipeline_cache_uuid(uint8_t uuid[VK_UUID_SIZE])
{
	memcpy(uuid, "drm_fault_sim 1", VK_UUID_SIZE);
}

void icd_GetPhysicalDeviceProperties(VkPhysicalDevice gpu, VkPhysicalDeviceProperties *pProperties)
{
	(void)gpu;
	*pProperties = (VkPhysicalDeviceProperties){
		.apiVersion = ICD_API_VERSION,
		.driverVersion = ICD_DRIVER_VERSION,
		.vendorID = VK_VENDOR_ID_MESA,
		.deviceID = ICD_DEVICE_ID,
		.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU,
		.deviceName = NAME,
		.limits = limits,
	};
	icd_pipeline_cache_uuid(pProperties->pipelineCacheUUID);
}

static void fill_id(VkPhysicalDeviceIDProperties *id)
{
	icd_pipeline_cache_uuid(id->deviceUUID);
	icd_pipeline_cache_uuid(id->driverUUID);
	id->deviceLUIDValid = VK_FALSE;
}

static void fill_driver(VkPhysicalDeviceDriverProperties *driver)
{
	/* The registry has no number for drivers that only test. */
	driver->driverID = VK_DRIVER_ID_MESA_LLVMPIPE;
	snprintf(driver->driverName, sizeof(driver->driverName), NAME);
	snprintf(driver->driverInfo, sizeof(driver->driverInfo), "tests/icd of drm_fault");
	driver->conformanceVersion = (VkConformanceVersion){ 0, 0, 0, 0 };
}

void icd_GetPhysicalDeviceProperties2(VkPhysicalDevice handle,
				      VkPhysicalDeviceProperties2 *pProperties)
{
	struct icd_physical_device *gpu = ICD_OBJECT(physical_device, handle);
	VkBaseOutStructure *out;

	icd_GetPhysicalDeviceProperties(handle, &pProperties->properties);
	for (out = pProperties->pNext; out; out = out->pNext) {
		/* Some of these are no enumerators in older headers. */
		switch ((uint32_t)out->sType) {
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
			fill_id((void *)out);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
			fill_driver((void *)out);
			break;
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES: {
			VkPhysicalDeviceMaintenance3Properties *maintenance = (void *)out;

			maintenance->maxPerSetDescriptors = 1024;
			maintenance->maxMemoryAllocationSize = gpu->info.max_object_size;
			break;
		}
		case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR:
			icd_fault_properties(gpu, (void *)out);
			break;
		}
	}
}

void icd_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice handle,
					   VkPhysicalDeviceMemoryProperties *pMemoryProperties)
{
	memset(pMemoryProperties, 0, sizeof(*pMemoryProperties));
	pMemoryProperties->memoryTypeCount = 1;
	pMemoryProperties->memoryTypes[0].propertyFlags =
		VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
		VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
	pMemoryProperties->memoryHeapCount = 1;
	pMemoryProperties->memoryHeaps[0] = (VkMemoryHeap){
		.size = ICD_OBJECT(physical_device, handle)->info.max_mapped_size,
		.flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT,
	};
}

void icd_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice handle,
					    VkPhysicalDeviceMemoryProperties2 *pMemoryProperties)
{
	icd_GetPhysicalDeviceMemoryProperties(handle, &pMemoryProperties->memoryProperties);
}

/* A family for each ring: they differ in what the kernel calls them. */
static const VkQueueFamilyProperties families[ICD_QUEUES] = {
	{
		.queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
		.queueCount = 1,
		.minImageTransferGranularity = { 1, 1, 1 },
	},
	{
		.queueFlags = VK_QUEUE_TRANSFER_BIT,
		.queueCount = 1,
		.minImageTransferGranularity = { 1, 1, 1 },
	},
};

void icd_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice gpu, uint32_t *pCount,
						VkQueueFamilyProperties *pProperties)
{
	uint32_t i;

	(void)gpu;
	for (i = 0; i < ICD_QUEUES && (!pProperties || i < *pCount); i++)
		if (pProperties)
			pProperties[i] = families[i];
	*pCount = i;
}

void icd_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice gpu, uint32_t *pCount,
						 VkQueueFamilyProperties2 *pProperties)
{
	uint32_t i;

	(void)gpu;
	for (i = 0; i < ICD_QUEUES && (!pProperties || i < *pCount); i++)
		if (pProperties)
			pProperties[i].queueFamilyProperties = families[i];
	*pCount = i;
}

/* There are no images, so no format can be used for one. */
void icd_GetPhysicalDeviceFormatProperties(VkPhysicalDevice gpu, VkFormat format,
					   VkFormatProperties *pFormatProperties)
{
	(void)gpu;
	(void)format;
	memset(pFormatProperties, 0, sizeof(*pFormatProperties));
}

void icd_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice gpu, VkFormat format,
					    VkFormatProperties2 *pFormatProperties)
{
	icd_GetPhysicalDeviceFormatProperties(gpu, format, &pFormatProperties->formatProperties);
}

VkResult icd_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice gpu, VkFormat format,
						    VkImageType type, VkImageTiling tiling,
						    VkImageUsageFlags usage,
						    VkImageCreateFlags flags,
						    VkImageFormatProperties *pProperties)
{
	(void)gpu;
	(void)format;
	(void)type;
	(void)tiling;
	(void)usage;
	(void)flags;
	memset(pProperties, 0, sizeof(*pProperties));
	return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

VkResult icd_GetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice gpu,
						     const VkPhysicalDeviceImageFormatInfo2 *pInfo,
						     VkImageFormatProperties2 *pProperties)
{
	(void)gpu;
	(void)pInfo;
	memset(&pProperties->imageFormatProperties, 0, sizeof(pProperties->imageFormatProperties));
	return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

void icd_GetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice gpu, VkFormat format,
						      VkImageType type,
						      VkSampleCountFlagBits samples,
						      VkImageUsageFlags usage, VkImageTiling tiling,
						      uint32_t *pPropertyCount,
						      VkSparseImageFormatProperties *pProperties)
{
	(void)gpu;
	(void)format;
	(void)type;
	(void)samples;
	(void)usage;
	(void)tiling;
	(void)pProperties;
	*pPropertyCount = 0;
}

void icd_GetPhysicalDeviceSparseImageFormatProperties2(
	VkPhysicalDevice gpu, const VkPhysicalDeviceSparseImageFormatInfo2 *pFormatInfo,
	uint32_t *pPropertyCount, VkSparseImageFormatProperties2 *pProperties)
{
	(void)gpu;
	(void)pFormatInfo;
	(void)pProperties;
	*pPropertyCount = 0;
}

/* Nothing is shared with others. */
void icd_GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice gpu,
						   const VkPhysicalDeviceExternalBufferInfo *pInfo,
						   VkExternalBufferProperties *pProperties)
{
	(void)gpu;
	(void)pInfo;
	memset(&pProperties->externalMemoryProperties, 0,
	       sizeof(pProperties->externalMemoryProperties));
}

void icd_GetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice gpu,
						  const VkPhysicalDeviceExternalFenceInfo *pInfo,
						  VkExternalFenceProperties *pProperties)
{
	(void)gpu;
	(void)pInfo;
	pProperties->exportFromImportedHandleTypes = 0;
	pProperties->compatibleHandleTypes = 0;
	pProperties->externalFenceFeatures = 0;
}

void icd_GetPhysicalDeviceExternalSemaphoreProperties(
	VkPhysicalDevice gpu, const VkPhysicalDeviceExternalSemaphoreInfo *pInfo,
	VkExternalSemaphoreProperties *pProperties)
{
	(void)gpu;
	(void)pInfo;
	pProperties->exportFromImportedHandleTypes = 0;
	pProperties->compatibleHandleTypes = 0;
	pProperties->externalSemaphoreFeatures = 0;
}
