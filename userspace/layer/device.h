/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LAYER_DEVICE_H
#define DRMFAULT_LAYER_DEVICE_H

#include "layer.h"

/* What vkCreateDevice is asked for, and what the driver is. */
struct device_request {
	const VkDeviceCreateInfo *info;
	const VkAllocationCallbacks *allocator;
	struct gpu gpu;
	/* By name or by feature. */
	bool app_ext, app_khr, vendor_binary, report_masked, lost_on_masked, binding_report;
	/* Additions of the layer. */
	bool driver_ext, driver_khr, driver_report;
};

/* VK_SUCCESS, or why the device cannot be had. */
VkResult request_read(struct device_request *request, struct instance *instance);
/* Calls @create with the information that the driver is to get. */
VkResult request_create(const struct device_request *request, PFN_vkCreateDevice create,
			VkDevice *pDevice);

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateDevice(VkPhysicalDevice gpu,
						    const VkDeviceCreateInfo *pCreateInfo,
						    const VkAllocationCallbacks *pAllocator,
						    VkDevice *pDevice);
VKAPI_ATTR void VKAPI_CALL layer_vkDestroyDevice(VkDevice handle,
						 const VkAllocationCallbacks *pAllocator);

#endif /* DRMFAULT_LAYER_DEVICE_H */
