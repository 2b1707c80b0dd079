// SPDX-License-Identifier: MIT
/* Features: what the driver has of each structure it knows, and what of it is enabled. */
#include <string.h>

#include "icd.h"

/* All of these are a header, then booleans, and then there may be padding. */
#define FIRST_BOOLEAN sizeof(VkBaseOutStructure)
#define STRUCTURE(extension, type, structure, last)                        \
	{                                                                  \
		ICD_##extension, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, \
			offsetof(structure, last) + sizeof(VkBool32)       \
	}

static const struct {
	enum icd_extension extension;
	VkStructureType type;
	size_t end;
} structures[] = {
	STRUCTURE(CORE, 16BIT_STORAGE_FEATURES, VkPhysicalDevice16BitStorageFeatures,
		  storageInputOutput16),
	STRUCTURE(CORE, MULTIVIEW_FEATURES, VkPhysicalDeviceMultiviewFeatures,
		  multiviewTessellationShader),
	STRUCTURE(CORE, VARIABLE_POINTERS_FEATURES, VkPhysicalDeviceVariablePointersFeatures,
		  variablePointers),
	STRUCTURE(CORE, PROTECTED_MEMORY_FEATURES, VkPhysicalDeviceProtectedMemoryFeatures,
		  protectedMemory),
	STRUCTURE(CORE, SAMPLER_YCBCR_CONVERSION_FEATURES,
		  VkPhysicalDeviceSamplerYcbcrConversionFeatures, samplerYcbcrConversion),
	STRUCTURE(CORE, SHADER_DRAW_PARAMETERS_FEATURES,
		  VkPhysicalDeviceShaderDrawParametersFeatures, shaderDrawParameters),
	STRUCTURE(BUFFER_ADDRESS, BUFFER_DEVICE_ADDRESS_FEATURES,
		  VkPhysicalDeviceBufferDeviceAddressFeatures, bufferDeviceAddressMultiDevice),
	STRUCTURE(BINDING_REPORT, ADDRESS_BINDING_REPORT_FEATURES_EXT,
		  VkPhysicalDeviceAddressBindingReportFeaturesEXT, reportAddressBinding),
	STRUCTURE(FAULT_EXT, FAULT_FEATURES_EXT, VkPhysicalDeviceFaultFeaturesEXT,
		  deviceFaultVendorBinary),
	STRUCTURE(FAULT_KHR, FAULT_FEATURES_KHR, VkPhysicalDeviceFaultFeaturesKHR,
		  deviceFaultDeviceLostOnMasked),
};

/* 0 for a structure of something else. */
static size_t end_of(VkStructureType type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(structures); i++)
		if (structures[i].type == type)
			return structures[i].end;
	return 0;
}

static bool has_features(const struct icd_physical_device *gpu, VkStructureType type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(structures); i++)
		if (structures[i].type == type)
			return !structures[i].extension ||
			       gpu->extensions & structures[i].extension;
	return false;
}

static void fill(struct icd_physical_device *gpu, VkBaseOutStructure *out)
{
	size_t end = end_of(out->sType);

	if (!end)
		return;
	memset((char *)out + FIRST_BOOLEAN, 0, end - FIRST_BOOLEAN);
	if (!has_features(gpu, out->sType))
		return;
	/* Some of these are no enumerators in older headers. */
	switch ((uint32_t)out->sType) {
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
		((VkPhysicalDeviceBufferDeviceAddressFeatures *)out)->bufferDeviceAddress = VK_TRUE;
		break;
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT:
		((VkPhysicalDeviceAddressBindingReportFeaturesEXT *)out)->reportAddressBinding =
			VK_TRUE;
		break;
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT:
		icd_fault_features_ext(gpu, (void *)out);
		break;
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR:
		icd_fault_features_khr(gpu, (void *)out);
		break;
	}
}

void icd_GetPhysicalDeviceFeatures(VkPhysicalDevice gpu, VkPhysicalDeviceFeatures *pFeatures)
{
	(void)gpu;
	*pFeatures = (VkPhysicalDeviceFeatures){ .robustBufferAccess = VK_TRUE };
}

void icd_GetPhysicalDeviceFeatures2(VkPhysicalDevice handle, VkPhysicalDeviceFeatures2 *pFeatures)
{
	VkBaseOutStructure *out;

	icd_GetPhysicalDeviceFeatures(handle, &pFeatures->features);
	for (out = pFeatures->pNext; out; out = out->pNext)
		fill(ICD_OBJECT(physical_device, handle), out);
}

/* Is every boolean that is true in @wanted true in @there? */
static bool within(const void *wanted, const void *there, size_t size)
{
	const VkBool32 *w = wanted, *t = there;
	size_t i;

	for (i = 0; i < size / sizeof(*w); i++)
		if (w[i] && !t[i])
			return false;
	return true;
}

static bool core_supported(struct icd_physical_device *gpu, const VkPhysicalDeviceFeatures *wanted)
{
	VkPhysicalDeviceFeatures there;

	icd_GetPhysicalDeviceFeatures((VkPhysicalDevice)gpu, &there);
	return within(wanted, &there, sizeof(there));
}

static bool supported(struct icd_physical_device *gpu, const VkBaseInStructure *wanted)
{
	size_t end = end_of(wanted->sType);
	union {
		VkBaseOutStructure header;
		char room[sizeof(VkPhysicalDeviceFaultFeaturesKHR)];
	} there = { .header.sType = wanted->sType };

	if (wanted->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
		return core_supported(gpu, &((const VkPhysicalDeviceFeatures2 *)wanted)->features);
	if (!end)
		return true;
	fill(gpu, &there.header);
	return within((const char *)wanted + FIRST_BOOLEAN, there.room + FIRST_BOOLEAN,
		      end - FIRST_BOOLEAN);
}

static void enable(const VkBaseInStructure *in, struct icd_features *enabled)
{
	switch ((uint32_t)in->sType) {
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
		enabled->robust_access |=
			((const VkPhysicalDeviceFeatures2 *)in)->features.robustBufferAccess;
		break;
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT:
		enabled->binding_report =
			((const VkPhysicalDeviceAddressBindingReportFeaturesEXT *)in)
				->reportAddressBinding;
		break;
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT: {
		const VkPhysicalDeviceFaultFeaturesEXT *ext = (const void *)in;

		enabled->fault_ext = ext->deviceFault;
		enabled->vendor_binary |= ext->deviceFaultVendorBinary;
		break;
	}
	case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR: {
		const VkPhysicalDeviceFaultFeaturesKHR *khr = (const void *)in;

		enabled->fault_khr = khr->deviceFault;
		enabled->vendor_binary |= khr->deviceFaultVendorBinary;
		enabled->report_masked = khr->deviceFaultReportMasked;
		enabled->lost_on_masked = khr->deviceFaultDeviceLostOnMasked;
		break;
	}
	}
}

VkResult icd_features_enable(struct icd_physical_device *gpu, const VkDeviceCreateInfo *info,
			     struct icd_features *enabled)
{
	const VkPhysicalDeviceFeatures *core = info->pEnabledFeatures;
	const VkBaseInStructure *in;

	memset(enabled, 0, sizeof(*enabled));
	if (core && !core_supported(gpu, core))
		return VK_ERROR_FEATURE_NOT_PRESENT;
	if (core)
		enabled->robust_access = core->robustBufferAccess;
	for (in = info->pNext; in; in = in->pNext) {
		if (!supported(gpu, in))
			return VK_ERROR_FEATURE_NOT_PRESENT;
		enable(in, enabled);
	}
	return VK_SUCCESS;
}
