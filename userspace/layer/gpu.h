/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LAYER_GPU_H
#define DRMFAULT_LAYER_GPU_H

#include "layer.h"

/* All that the driver lists, with room for so many more, to be freed in any case. */
VkResult gpu_extensions(const struct instance *instance, VkPhysicalDevice gpu, uint32_t more,
			VkExtensionProperties **list, uint32_t *count);
/* What the driver has, and what the layer makes of it. */
VkResult gpu_learn(struct gpu *gpu, const struct instance *instance, VkPhysicalDevice handle);

VKAPI_ATTR VkResult VKAPI_CALL layer_vkEnumerateDeviceExtensionProperties(
	VkPhysicalDevice gpu, const char *pLayerName, uint32_t *pPropertyCount,
	VkExtensionProperties *pProperties);
VKAPI_ATTR void VKAPI_CALL layer_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice gpu,
							      VkPhysicalDeviceFeatures2 *pFeatures);
VKAPI_ATTR void VKAPI_CALL
layer_vkGetPhysicalDeviceFeatures2KHR(VkPhysicalDevice gpu, VkPhysicalDeviceFeatures2 *pFeatures);
VKAPI_ATTR void VKAPI_CALL layer_vkGetPhysicalDeviceProperties2(
	VkPhysicalDevice gpu, VkPhysicalDeviceProperties2 *pProperties);
VKAPI_ATTR void VKAPI_CALL layer_vkGetPhysicalDeviceProperties2KHR(
	VkPhysicalDevice gpu, VkPhysicalDeviceProperties2 *pProperties);

#endif /* DRMFAULT_LAYER_GPU_H */
