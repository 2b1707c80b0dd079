// SPDX-License-Identifier: MIT
#include "internal.h"

DRMFAULT_API int drmfault_vk_probe(int drm_fd)
{
	struct drmfault_device *gpu = NULL;
	struct drmfault *fault = NULL;
	int ret = drmfault_open(NULL, &fault);

	if (!ret && drm_fd != DRMFAULT_VK_PROCESS)
		ret = drmfault_device_of_fd(fault, drm_fd, &gpu);
	if (!ret && gpu)
		ret = hooks_support(HOOKS_FOLDER, drmfault_device_driver(gpu));
	drmfault_device_free(gpu);
	drmfault_close(fault);
	return ret;
}

DRMFAULT_API void drmfault_vk_fill_features_ext(int support,
						VkPhysicalDeviceFaultFeaturesEXT *features)
{
	features->deviceFault = support == 0;
	features->deviceFaultVendorBinary = support == 0;
}

DRMFAULT_API void drmfault_vk_fill_features_khr(int support,
						VkPhysicalDeviceFaultFeaturesKHR *features)
{
	features->deviceFault = support == 0;
	features->deviceFaultVendorBinary = support == 0;
	features->deviceFaultReportMasked = support == 0;
	features->deviceFaultDeviceLostOnMasked = VK_FALSE;
}

/* A count of 0 is not allowed, whatever the kernel offers. */
DRMFAULT_API void drmfault_vk_fill_properties_khr(int support,
						  VkPhysicalDeviceFaultPropertiesKHR *properties)
{
	properties->maxDeviceFaultCount = support == 0 ? DRMFAULT_VK_MAX_FAULTS : 1;
}
