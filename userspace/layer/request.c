// SPDX-License-Identifier: MIT
/* What an application asks of vkCreateDevice, and what the driver is asked in its place. */
#include <string.h>

#include "chain.h"
#include "device.h"
#include "gpu.h"
#include "instance.h"

#define NAMES_ADDED 3

/* Of a driver that may or may not have them. */
static const VkStructureType own_types[] = {
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
};

static bool has_name(const struct device_request *request, const char *name)
{
	return names_have(request->info->ppEnabledExtensionNames,
			  request->info->enabledExtensionCount, name);
}

static bool exceeds(VkBool32 asked, VkBool32 offered)
{
	return asked && !offered;
}

static VkResult read_ext(struct device_request *request)
{
	const VkPhysicalDeviceFaultFeaturesEXT *asked = chain_find(
		request->info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT);
	const VkPhysicalDeviceFaultFeaturesEXT *offered = &request->gpu.ext_features;

	request->app_ext = has_name(request, VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
	if (!asked)
		return VK_SUCCESS;
	if (exceeds(asked->deviceFault, offered->deviceFault) ||
	    exceeds(asked->deviceFaultVendorBinary, offered->deviceFaultVendorBinary))
		return VK_ERROR_FEATURE_NOT_PRESENT;
	/* The feature alone is not enough by the rules, but for conformance tests it is. */
	request->app_ext |= asked->deviceFault;
	request->vendor_binary |= asked->deviceFaultVendorBinary;
	return VK_SUCCESS;
}

static VkResult read_khr(struct device_request *request)
{
	const VkPhysicalDeviceFaultFeaturesKHR *asked = chain_find(
		request->info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR);
	const VkPhysicalDeviceFaultFeaturesKHR *offered = &request->gpu.khr_features;

	request->app_khr = has_name(request, VK_KHR_DEVICE_FAULT_EXTENSION_NAME);
	if (!asked)
		return VK_SUCCESS;
	if (exceeds(asked->deviceFault, offered->deviceFault) ||
	    exceeds(asked->deviceFaultVendorBinary, offered->deviceFaultVendorBinary) ||
	    exceeds(asked->deviceFaultReportMasked, offered->deviceFaultReportMasked) ||
	    exceeds(asked->deviceFaultDeviceLostOnMasked, offered->deviceFaultDeviceLostOnMasked))
		return VK_ERROR_FEATURE_NOT_PRESENT;
	request->app_khr |= asked->deviceFault;
	request->vendor_binary |= asked->deviceFaultVendorBinary;
	request->report_masked = asked->deviceFaultReportMasked;
	request->lost_on_masked = asked->deviceFaultDeviceLostOnMasked;
	return VK_SUCCESS;
}

/* A driver without the feature has to say so itself. */
static void read_binding_report(struct device_request *request)
{
	const VkPhysicalDeviceAddressBindingReportFeaturesEXT *asked =
		chain_find(request->info->pNext,
			   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT);

	request->binding_report = asked && asked->reportAddressBinding;
}

VkResult request_read(struct device_request *request, struct instance *instance)
{
	VkResult result = gpu_learn(&request->gpu, instance, request->gpu.handle);

	if (result == VK_SUCCESS)
		result = read_ext(request);
	if (result == VK_SUCCESS)
		result = read_khr(request);
	if (result != VK_SUCCESS)
		return result;
	if ((request->app_ext && !request->gpu.offers_ext) ||
	    (request->app_khr && !request->gpu.offers_khr))
		return VK_ERROR_EXTENSION_NOT_PRESENT;
	read_binding_report(request);
	request->driver_ext = request->gpu.ext;
	request->driver_khr = request->gpu.khr && (request->app_khr || !request->gpu.ext);
	request->driver_report = request->gpu.binding_report && instance->settings.bindings &&
				 messenger_create(instance);
	return VK_SUCCESS;
}

/* Without what the driver lacks, with what the layer wants of it. */
static uint32_t request_names(const struct device_request *request, const char **names)
{
	const struct {
		const char *name;
		bool here, enabled;
	} own[NAMES_ADDED] = {
		{ VK_EXT_DEVICE_FAULT_EXTENSION_NAME, request->gpu.ext, request->driver_ext },
		{ VK_KHR_DEVICE_FAULT_EXTENSION_NAME, request->gpu.khr, request->driver_khr },
		{ BINDING_REPORT, true, request->driver_report },
	};
	const VkDeviceCreateInfo *info = request->info;
	uint32_t i, j, count = 0;

	for (i = 0; i < info->enabledExtensionCount; i++) {
		for (j = 0; j < NAMES_ADDED; j++)
			if (!strcmp(info->ppEnabledExtensionNames[i], own[j].name))
				break;
		if (j == NAMES_ADDED || own[j].here)
			names[count++] = info->ppEnabledExtensionNames[i];
	}
	for (j = 0; j < NAMES_ADDED; j++)
		if (own[j].enabled && !names_have(names, count, own[j].name))
			names[count++] = own[j].name;
	return count;
}

/* In front of the application's structures, as far as the driver has them. */
struct request_features {
	VkPhysicalDeviceFaultFeaturesEXT ext;
	VkPhysicalDeviceFaultFeaturesKHR khr;
	VkPhysicalDeviceAddressBindingReportFeaturesEXT report;
};

static const void *request_features(const struct device_request *request,
				    struct request_features *features, const void *next)
{
	const struct gpu *gpu = &request->gpu;

	if (request->driver_ext) {
		features->ext = gpu->driver_ext;
		features->ext.pNext = (void *)next;
		next = &features->ext;
	}
	if (request->driver_khr) {
		features->khr = gpu->driver_khr;
		features->khr.pNext = (void *)next;
		features->khr.deviceFaultReportMasked &= request->report_masked;
		features->khr.deviceFaultDeviceLostOnMasked &= request->lost_on_masked;
		next = &features->khr;
	}
	if (request->driver_report || request->binding_report) {
		features->report = (VkPhysicalDeviceAddressBindingReportFeaturesEXT){
			.sType = own_types[2],
			.pNext = (void *)next,
			.reportAddressBinding = VK_TRUE,
		};
		next = &features->report;
	}
	return next;
}

VkResult request_create(const struct device_request *request, PFN_vkCreateDevice create,
			VkDevice *pDevice)
{
	const VkAllocationCallbacks *allocator = request->allocator;
	VkDeviceCreateInfo info = *request->info;
	struct request_features features;
	struct chain chain;
	const char **names;
	VkResult result;

	names = layer_allocate(allocator,
			       (info.enabledExtensionCount + NAMES_ADDED) * sizeof(*names),
			       VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
	if (!names)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (!chain_without(&chain, info.pNext, own_types, sizeof(own_types) / sizeof(own_types[0]),
			   allocator)) {
		layer_free(allocator, names);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	info.enabledExtensionCount = request_names(request, names);
	info.ppEnabledExtensionNames = names;
	info.pNext = request_features(request, &features, chain.first);
	result = create(request->gpu.handle, &info, allocator, pDevice);
	chain_restore(&chain, allocator);
	layer_free(allocator, names);
	return result;
}
