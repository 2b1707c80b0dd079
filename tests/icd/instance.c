// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "icd.h"

static const struct icd_extension_entry extensions[] = {
	{ ICD_DEBUG_UTILS, { VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_DEBUG_UTILS_SPEC_VERSION } },
	{ ICD_PROPERTIES2,
	  { VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME,
	    VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_SPEC_VERSION } },
};

VkResult icd_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
	*pApiVersion = ICD_API_VERSION;
	return VK_SUCCESS;
}

VkResult icd_EnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
						  VkExtensionProperties *pProperties)
{
	if (pLayerName)
		return VK_ERROR_LAYER_NOT_PRESENT;
	return icd_extensions_list(extensions, ARRAY_SIZE(extensions), ICD_OF_INSTANCES,
				   pPropertyCount, pProperties);
}

/* The application's structure is its own again when the instance is made. */
static bool copy_application(VkApplicationInfo *to, const VkApplicationInfo *from)
{
	if (!from)
		return true;
	*to = *from;
	to->pNext = NULL;
	to->pApplicationName = NULL;
	to->pEngineName = NULL;
	if (from->pApplicationName) {
		to->pApplicationName = strdup(from->pApplicationName);
		if (!to->pApplicationName)
			return false;
	}
	if (from->pEngineName) {
		to->pEngineName = strdup(from->pEngineName);
		if (!to->pEngineName)
			return false;
	}
	return true;
}

static void destroy(struct icd_instance *instance)
{
	VkAllocationCallbacks alloc = instance->alloc;

	icd_close_gpus(instance);
	pthread_mutex_destroy(&instance->messenger_lock);
	free((char *)instance->application.pApplicationName);
	free((char *)instance->application.pEngineName);
	icd_object_destroy(&alloc, instance);
}

VkResult icd_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
			    const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
	const VkAllocationCallbacks *alloc = pAllocator ? pAllocator : &icd_default_alloc;
	struct icd_instance *instance;
	uint32_t enabled;
	VkResult result;

	result = icd_extensions_enable(extensions, ARRAY_SIZE(extensions), ICD_OF_INSTANCES,
				       pCreateInfo->enabledExtensionCount,
				       pCreateInfo->ppEnabledExtensionNames, &enabled);
	if (result)
		return result;
	instance = icd_object_create(alloc, sizeof(*instance), VK_OBJECT_TYPE_INSTANCE);
	if (!instance)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	instance->alloc = *alloc;
	instance->extensions = enabled;
	pthread_mutex_init(&instance->messenger_lock, NULL);
	if (!copy_application(&instance->application, pCreateInfo->pApplicationInfo)) {
		destroy(instance);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	instance->gpu_count = icd_find_gpus(instance);
	*pInstance = (VkInstance)instance;
	return VK_SUCCESS;
}

void icd_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *pAllocator)
{
	(void)pAllocator; /* the same as at the creation */
	if (handle)
		destroy(ICD_OBJECT(instance, handle));
}

VkResult icd_EnumeratePhysicalDevices(VkInstance handle, uint32_t *pPhysicalDeviceCount,
				      VkPhysicalDevice *pPhysicalDevices)
{
	struct icd_instance *instance = ICD_OBJECT(instance, handle);
	uint32_t i;

	if (!pPhysicalDevices) {
		*pPhysicalDeviceCount = instance->gpu_count;
		return VK_SUCCESS;
	}
	for (i = 0; i < *pPhysicalDeviceCount && i < instance->gpu_count; i++)
		pPhysicalDevices[i] = (VkPhysicalDevice)&instance->gpus[i];
	*pPhysicalDeviceCount = i;
	return i < instance->gpu_count ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult icd_EnumeratePhysicalDeviceGroups(VkInstance handle, uint32_t *pCount,
					   VkPhysicalDeviceGroupProperties *pGroups)
{
	struct icd_instance *instance = ICD_OBJECT(instance, handle);
	uint32_t i;

	if (!pGroups) {
		*pCount = instance->gpu_count;
		return VK_SUCCESS;
	}
	for (i = 0; i < *pCount && i < instance->gpu_count; i++) {
		pGroups[i].physicalDeviceCount = 1;
		pGroups[i].physicalDevices[0] = (VkPhysicalDevice)&instance->gpus[i];
		pGroups[i].subsetAllocation = VK_FALSE;
	}
	*pCount = i;
	return i < instance->gpu_count ? VK_INCOMPLETE : VK_SUCCESS;
}
