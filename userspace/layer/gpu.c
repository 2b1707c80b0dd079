// SPDX-License-Identifier: MIT
/* What a driver has of fault reports, and what applications are to see of it. */
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

static void learn_extensions(struct gpu *gpu, const VkExtensionProperties *list, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!strcmp(list[i].extensionName, VK_EXT_DEVICE_FAULT_EXTENSION_NAME))
			gpu->ext = true;
		else if (!strcmp(list[i].extensionName, VK_KHR_DEVICE_FAULT_EXTENSION_NAME))
			gpu->khr = true;
		else if (!strcmp(list[i].extensionName, BINDING_REPORT))
			gpu->binding_report = true;
	}
}

VkResult gpu_extensions(const struct instance *instance, VkPhysicalDevice gpu, uint32_t more,
			VkExtensionProperties **list, uint32_t *count)
{
	uint32_t room;
	VkResult result;

	*list = NULL;
	do {
		free(*list);
		*list = NULL;
		result = instance->calls.vkEnumerateDeviceExtensionProperties(gpu, NULL, count,
									      NULL);
		if (result != VK_SUCCESS)
			return result;
		room = *count;
		*list = calloc((size_t)room + more + 1, sizeof(**list));
		if (!*list)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		result = instance->calls.vkEnumerateDeviceExtensionProperties(gpu, NULL, count,
									      *list);
	} while (result == VK_INCOMPLETE);
	/* What it says to have written behind the end is not there. */
	if (*count > room)
		*count = room;
	return result;
}

static VkResult ask_extensions(struct gpu *gpu, const struct instance *instance)
{
	VkExtensionProperties *list;
	uint32_t count = 0;
	VkResult result = gpu_extensions(instance, gpu->handle, 0, &list, &count);

	if (result == VK_SUCCESS)
		learn_extensions(gpu, list, count);
	free(list);
	return result;
}

/* An extension without its one feature is of no use. */
static void ask_features(struct gpu *gpu, const struct instance *instance)
{
	VkPhysicalDeviceAddressBindingReportFeaturesEXT report = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
	};
	PFN_vkGetPhysicalDeviceFeatures2 ask = instance->calls.vkGetPhysicalDeviceFeatures2;

	if (!ask)
		ask = instance->calls.vkGetPhysicalDeviceFeatures2KHR;
	if (gpu->ext) {
		gpu->driver_ext.pNext = features.pNext;
		features.pNext = &gpu->driver_ext;
	}
	if (gpu->khr) {
		gpu->driver_khr.pNext = features.pNext;
		features.pNext = &gpu->driver_khr;
	}
	if (gpu->binding_report) {
		report.pNext = features.pNext;
		features.pNext = &report;
	}
	if (ask && features.pNext)
		ask(gpu->handle, &features);
	gpu->ext = gpu->driver_ext.deviceFault;
	gpu->khr = gpu->driver_khr.deviceFault;
	gpu->binding_report = report.reportAddressBinding;
	gpu->driver_ext.pNext = NULL;
	gpu->driver_khr.pNext = NULL;
}

/* The kernel's records add to what the driver has, and never take from it. */
static void offer(struct gpu *gpu, const struct settings *settings)
{
	int support = drmfault_vk_probe(DRMFAULT_VK_PROCESS);
	bool provide = settings->provide == PROVIDE_ALWAYS ||
		       (settings->provide == PROVIDE_KERNEL && !support);
	VkBool32 binary;

	drmfault_vk_fill_features_ext(support, &gpu->ext_features);
	drmfault_vk_fill_features_khr(support, &gpu->khr_features);
	gpu->offers_ext = gpu->ext || provide;
	gpu->offers_khr = gpu->khr || provide;

	binary = gpu->ext_features.deviceFaultVendorBinary ||
		 gpu->driver_ext.deviceFaultVendorBinary || gpu->driver_khr.deviceFaultVendorBinary;
	gpu->ext_features.deviceFault = gpu->offers_ext;
	gpu->khr_features.deviceFault = gpu->offers_khr;
	gpu->ext_features.deviceFaultVendorBinary = binary && gpu->offers_ext;
	gpu->khr_features.deviceFaultVendorBinary = binary && gpu->offers_khr;
	if (!gpu->offers_khr)
		gpu->khr_features.deviceFaultReportMasked = VK_FALSE;
	if (gpu->driver_khr.deviceFaultReportMasked)
		gpu->khr_features.deviceFaultReportMasked = VK_TRUE;
	gpu->khr_features.deviceFaultDeviceLostOnMasked =
		gpu->driver_khr.deviceFaultDeviceLostOnMasked;
}

VkResult gpu_learn(struct gpu *gpu, const struct instance *instance, VkPhysicalDevice handle)
{
	VkResult result;

	memset(gpu, 0, sizeof(*gpu));
	gpu->handle = handle;
	gpu->driver_ext.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT;
	gpu->driver_khr.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR;
	gpu->ext_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT;
	gpu->khr_features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR;
	result = ask_extensions(gpu, instance);
	if (result != VK_SUCCESS)
		return result;
	ask_features(gpu, instance);
	if (instance->off) {
		gpu->offers_ext = gpu->ext;
		gpu->offers_khr = gpu->khr;
	} else {
		offer(gpu, &instance->settings);
	}
	return VK_SUCCESS;
}
