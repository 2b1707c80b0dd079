// SPDX-License-Identifier: MIT
/* The questions about a physical device whose answers the layer adds to. */
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "gpu.h"

static const VkExtensionProperties own[] = {
	{ VK_EXT_DEVICE_FAULT_EXTENSION_NAME, 2 },
	{ VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_KHR_DEVICE_FAULT_SPEC_VERSION },
};

#define OWN_COUNT (sizeof(own) / sizeof(own[0]))

static VkResult answer(const VkExtensionProperties *list, uint32_t total, uint32_t *pPropertyCount,
		       VkExtensionProperties *pProperties)
{
	uint32_t count = total;

	if (!pProperties) {
		*pPropertyCount = total;
		return VK_SUCCESS;
	}
	if (count > *pPropertyCount)
		count = *pPropertyCount;
	if (count)
		memcpy(pProperties, list, count * sizeof(*list));
	*pPropertyCount = count;
	return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/*
 * Of an implicit layer the loader has put those of the manifest into the list, whether the
 * layer offers them or not.
 */
static void correct_own(const struct gpu *gpu, VkExtensionProperties *list, uint32_t *count)
{
	const bool offered[OWN_COUNT] = { gpu->offers_ext, gpu->offers_khr };
	uint32_t i, j;

	for (i = 0; i < OWN_COUNT; i++) {
		for (j = 0; j < *count; j++)
			if (!strcmp(list[j].extensionName, own[i].extensionName))
				break;
		if (offered[i] && j == *count)
			list[(*count)++] = own[i];
		else if (!offered[i] && j < *count)
			memmove(&list[j], &list[j + 1], (--*count - j) * sizeof(*list));
	}
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkEnumerateDeviceExtensionProperties(
	VkPhysicalDevice handle, const char *pLayerName, uint32_t *pPropertyCount,
	VkExtensionProperties *pProperties)
{
	struct instance *instance = instance_of(handle);
	VkExtensionProperties *list;
	uint32_t count = 0;
	VkResult result;
	struct gpu gpu;

	if (pLayerName && !strcmp(pLayerName, LAYER_NAME))
		return answer(own, OWN_COUNT, pPropertyCount, pProperties);
	if (pLayerName)
		return instance->calls.vkEnumerateDeviceExtensionProperties(
			handle, pLayerName, pPropertyCount, pProperties);
	result = gpu_learn(&gpu, instance, handle);
	if (result != VK_SUCCESS)
		return result;
	result = gpu_extensions(instance, handle, OWN_COUNT, &list, &count);
	if (result == VK_SUCCESS) {
		correct_own(&gpu, list, &count);
		result = answer(list, count, pPropertyCount, pProperties);
	}
	free(list);
	return result;
}

static void fill_features(const struct instance *instance, VkPhysicalDevice handle,
			  VkPhysicalDeviceFeatures2 *pFeatures)
{
	VkPhysicalDeviceFaultFeaturesEXT *ext =
		chain_find(pFeatures->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT);
	VkPhysicalDeviceFaultFeaturesKHR *khr =
		chain_find(pFeatures->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR);
	struct gpu gpu;

	if (instance->off || (!ext && !khr) || gpu_learn(&gpu, instance, handle) != VK_SUCCESS)
		return;
	if (ext) {
		gpu.ext_features.pNext = ext->pNext;
		*ext = gpu.ext_features;
	}
	if (khr) {
		gpu.khr_features.pNext = khr->pNext;
		*khr = gpu.khr_features;
	}
}

VKAPI_ATTR void VKAPI_CALL layer_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice gpu,
							      VkPhysicalDeviceFeatures2 *pFeatures)
{
	struct instance *instance = instance_of(gpu);

	instance->calls.vkGetPhysicalDeviceFeatures2(gpu, pFeatures);
	fill_features(instance, gpu, pFeatures);
}

VKAPI_ATTR void VKAPI_CALL
layer_vkGetPhysicalDeviceFeatures2KHR(VkPhysicalDevice gpu, VkPhysicalDeviceFeatures2 *pFeatures)
{
	struct instance *instance = instance_of(gpu);

	instance->calls.vkGetPhysicalDeviceFeatures2KHR(gpu, pFeatures);
	fill_features(instance, gpu, pFeatures);
}

/* The driver has filled in its own number already, if it has one. */
static void fill_properties(const struct instance *instance, VkPhysicalDevice handle,
			    VkPhysicalDeviceProperties2 *pProperties)
{
	VkPhysicalDeviceFaultPropertiesKHR *khr = chain_find(
		pProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR);
	VkPhysicalDeviceFaultPropertiesKHR filled;
	struct gpu gpu;

	if (instance->off || !khr || gpu_learn(&gpu, instance, handle) != VK_SUCCESS)
		return;
	if (!gpu.offers_khr)
		return;
	drmfault_vk_fill_properties_khr(0, &filled);
	if (!gpu.khr || khr->maxDeviceFaultCount < filled.maxDeviceFaultCount)
		khr->maxDeviceFaultCount = filled.maxDeviceFaultCount;
}

VKAPI_ATTR void VKAPI_CALL
layer_vkGetPhysicalDeviceProperties2(VkPhysicalDevice gpu, VkPhysicalDeviceProperties2 *pProperties)
{
	struct instance *instance = instance_of(gpu);

	instance->calls.vkGetPhysicalDeviceProperties2(gpu, pProperties);
	fill_properties(instance, gpu, pProperties);
}

VKAPI_ATTR void VKAPI_CALL layer_vkGetPhysicalDeviceProperties2KHR(
	VkPhysicalDevice gpu, VkPhysicalDeviceProperties2 *pProperties)
{
	struct instance *instance = instance_of(gpu);

	instance->calls.vkGetPhysicalDeviceProperties2KHR(gpu, pProperties);
	fill_properties(instance, gpu, pProperties);
}
