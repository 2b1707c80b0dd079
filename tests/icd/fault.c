// SPDX-License-Identifier: MIT
/*
 * VK_EXT_device_fault and VK_KHR_device_fault. This file is all that a driver
 * needs for them, but for one call where it finds that the device is lost.
 */
#include "icd.h"

uint32_t icd_fault_offered(struct icd_physical_device *gpu)
{
	gpu->fault_support = drmfault_vk_probe(gpu->fd);
	return gpu->fault_support ? 0 : ICD_FAULT_EXT | ICD_FAULT_KHR;
}

void icd_fault_features_ext(struct icd_physical_device *gpu,
			    VkPhysicalDeviceFaultFeaturesEXT *features)
{
	drmfault_vk_fill_features_ext(gpu->fault_support, features);
}

void icd_fault_features_khr(struct icd_physical_device *gpu,
			    VkPhysicalDeviceFaultFeaturesKHR *features)
{
	drmfault_vk_fill_features_khr(gpu->fault_support, features);
	/* The GPU masks faults only where it is asked to, see queue.c. */
	features->deviceFaultDeviceLostOnMasked = features->deviceFault;
}

void icd_fault_properties(struct icd_physical_device *gpu,
			  VkPhysicalDeviceFaultPropertiesKHR *properties)
{
	drmfault_vk_fill_properties_khr(gpu->fault_support, properties);
}

/* Before anything is submitted: only faults from now on are the device's. */
VkResult icd_fault_open(struct icd_device *device)
{
	struct drmfault_vk_device_info info = {
		.size = sizeof(info),
		.drm_fd = device->fd,
		.identity = {
			.vendorID = VK_VENDOR_ID_MESA,
			.deviceID = ICD_DEVICE_ID,
			.driverVersion = ICD_DRIVER_VERSION,
			.pApplicationInfo = &device->gpu->instance->application,
			.vendor_binary = device->features.vendor_binary,
		},
		.report_masked = device->features.report_masked,
	};

	icd_pipeline_cache_uuid(info.identity.pipelineCacheUUID);
	return drmfault_vk_device_create(&info, &device->alloc, &device->fault);
}

void icd_fault_close(struct icd_device *device)
{
	drmfault_vk_device_destroy(device->fault);
}

VkResult icd_device_lose(struct icd_device *device, const char *reason)
{
	device->lost = true;
	drmfault_vk_device_lost(device->fault, reason);
	return VK_ERROR_DEVICE_LOST;
}

VkResult icd_GetDeviceFaultInfoEXT(VkDevice device, VkDeviceFaultCountsEXT *pFaultCounts,
				   VkDeviceFaultInfoEXT *pFaultInfo)
{
	return drmfault_vk_device_get_fault_info_ext(ICD_OBJECT(device, device)->fault,
						     pFaultCounts, pFaultInfo);
}

VkResult icd_GetDeviceFaultReportsKHR(VkDevice device, uint64_t timeout, uint32_t *pFaultCounts,
				      VkDeviceFaultInfoKHR *pFaultInfo)
{
	return drmfault_vk_device_get_fault_reports_khr(ICD_OBJECT(device, device)->fault, timeout,
							pFaultCounts, pFaultInfo);
}

VkResult icd_GetDeviceFaultDebugInfoKHR(VkDevice device, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
	return drmfault_vk_device_get_fault_debug_info_khr(ICD_OBJECT(device, device)->fault,
							   pDebugInfo);
}
