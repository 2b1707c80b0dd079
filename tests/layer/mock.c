// SPDX-License-Identifier: MIT
/* The instance, its only physical device, and its device. */
#include <stdlib.h>
#include <string.h>

#include "mock.h"

#define EXPORT	     __attribute__((visibility("default")))
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array[0])))

/* Of all handles that the loader looks into. */
struct handle {
	VK_LOADER_DATA loader;
};

static struct handle gpu;
atomic_bool mock_is_lost;
atomic_uint mock_works;

bool mock_does(const char *word)
{
	const char *all = getenv("MOCK"), *at = all;
	size_t length = strlen(word);

	for (; all && (at = strstr(at, word)); at += length)
		if ((at == all || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

PFN_vkVoidFunction mock_find(const struct mock_name *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i].name, name))
			return names[i].function;
	return NULL;
}

static struct handle *handle_new(void)
{
	struct handle *handle = calloc(1, sizeof(*handle));

	if (handle)
		set_loader_magic_value(handle);
	return handle;
}

static VkResult list(const VkExtensionProperties *all, uint32_t total, uint32_t *count,
		     VkExtensionProperties *properties)
{
	uint32_t fits = properties && *count < total ? *count : total;

	if (properties)
		memcpy(properties, all, fits * sizeof(*all));
	*count = fits;
	return fits < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkEnumerateInstanceExtensionProperties(
	const char *layer, uint32_t *count, VkExtensionProperties *properties)
{
	static const VkExtensionProperties all[] = {
		{ VK_EXT_DEBUG_UTILS_EXTENSION_NAME, 2 },
		{ VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME, 2 },
	};

	(void)layer;
	return list(all, COUNT(all), count, properties);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateInstance(const VkInstanceCreateInfo *info,
							    const VkAllocationCallbacks *allocator,
							    VkInstance *instance)
{
	(void)info;
	(void)allocator;
	set_loader_magic_value(&gpu);
	mock_hear(NULL, NULL);
	mock_is_lost = false;
	mock_works = 0;
	*instance = (VkInstance)handle_new();
	return *instance ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkDestroyInstance(VkInstance instance,
							 const VkAllocationCallbacks *allocator)
{
	(void)allocator;
	free(instance);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkEnumeratePhysicalDevices(VkInstance instance,
								      uint32_t *count,
								      VkPhysicalDevice *devices)
{
	(void)instance;
	if (devices && *count)
		devices[0] = (VkPhysicalDevice)&gpu;
	*count = 1;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateDebugUtilsMessengerEXT(
	VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
	const VkAllocationCallbacks *allocator, VkDebugUtilsMessengerEXT *messenger)
{
	(void)instance;
	(void)allocator;
	mock_hear(info->pfnUserCallback, info->pUserData);
	*messenger = (VkDebugUtilsMessengerEXT)(uintptr_t)1;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
mock_vkDestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
				     const VkAllocationCallbacks *allocator)
{
	(void)instance;
	(void)messenger;
	(void)allocator;
	mock_hear(NULL, NULL);
}

static VKAPI_ATTR void VKAPI_CALL
mock_vkGetPhysicalDeviceProperties(VkPhysicalDevice handle, VkPhysicalDeviceProperties *properties)
{
	(void)handle;
	memset(properties, 0, sizeof(*properties));
	properties->apiVersion = VK_API_VERSION_1_2;
	properties->driverVersion = 7;
	properties->vendorID = 0x1234;
	properties->deviceID = 0x5678;
	properties->limits.maxMemoryAllocationCount = UINT32_MAX;
	strcpy(properties->deviceName, "mock");
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetPhysicalDeviceProperties2(
	VkPhysicalDevice handle, VkPhysicalDeviceProperties2 *properties)
{
	VkBaseOutStructure *at = properties->pNext;

	mock_vkGetPhysicalDeviceProperties(handle, &properties->properties);
	for (; at; at = at->pNext)
		if (mock_does("khr") &&
		    at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR)
			((VkPhysicalDeviceFaultPropertiesKHR *)at)->maxDeviceFaultCount = 1;
}

static VKAPI_ATTR void VKAPI_CALL
mock_vkGetPhysicalDeviceFeatures(VkPhysicalDevice handle, VkPhysicalDeviceFeatures *features)
{
	(void)handle;
	memset(features, 0, sizeof(*features));
	features->sparseBinding = VK_TRUE;
}

static VKAPI_ATTR void VKAPI_CALL
mock_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice handle, VkPhysicalDeviceFeatures2 *features)
{
	VkBaseOutStructure *at = features->pNext;

	mock_vkGetPhysicalDeviceFeatures(handle, &features->features);
	for (; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
			((VkPhysicalDeviceVulkan12Features *)at)->timelineSemaphore = VK_TRUE;
			((VkPhysicalDeviceVulkan12Features *)at)->bufferDeviceAddress = VK_TRUE;
		}
		if (mock_does("ext") &&
		    at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT)
			((VkPhysicalDeviceFaultFeaturesEXT *)at)->deviceFault = VK_TRUE;
		if (mock_does("khr") &&
		    at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR)
			((VkPhysicalDeviceFaultFeaturesKHR *)at)->deviceFault = VK_TRUE;
		if (mock_does("report") &&
		    at->sType ==
			    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT)
			((VkPhysicalDeviceAddressBindingReportFeaturesEXT *)at)
				->reportAddressBinding = VK_TRUE;
	}
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetPhysicalDeviceQueueFamilyProperties(
	VkPhysicalDevice handle, uint32_t *count, VkQueueFamilyProperties *properties)
{
	(void)handle;
	if (properties && *count)
		properties[0] = (VkQueueFamilyProperties){
			.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_SPARSE_BINDING_BIT,
			.queueCount = 1,
		};
	*count = 1;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetPhysicalDeviceMemoryProperties(
	VkPhysicalDevice handle, VkPhysicalDeviceMemoryProperties *properties)
{
	(void)handle;
	memset(properties, 0, sizeof(*properties));
	properties->memoryTypeCount = 1;
	properties->memoryHeapCount = 1;
	properties->memoryHeaps[0].size = 1u << 30;
}

/* The loader wants these to be there. */
static VKAPI_ATTR void VKAPI_CALL mock_vkGetPhysicalDeviceFormatProperties(
	VkPhysicalDevice handle, VkFormat format, VkFormatProperties *properties)
{
	(void)handle;
	(void)format;
	memset(properties, 0, sizeof(*properties));
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkGetPhysicalDeviceImageFormatProperties(
	VkPhysicalDevice handle, VkFormat format, VkImageType type, VkImageTiling tiling,
	VkImageUsageFlags usage, VkImageCreateFlags flags, VkImageFormatProperties *properties)
{
	(void)handle;
	(void)format;
	(void)type;
	(void)tiling;
	(void)usage;
	(void)flags;
	(void)properties;
	return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

static VKAPI_ATTR void VKAPI_CALL mock_vkGetPhysicalDeviceSparseImageFormatProperties(
	VkPhysicalDevice handle, VkFormat format, VkImageType type, VkSampleCountFlagBits samples,
	VkImageUsageFlags usage, VkImageTiling tiling, uint32_t *count,
	VkSparseImageFormatProperties *properties)
{
	(void)handle;
	(void)format;
	(void)type;
	(void)samples;
	(void)usage;
	(void)tiling;
	(void)properties;
	*count = 0;
}

static uint32_t device_extensions(VkExtensionProperties all[3])
{
	uint32_t total = 0;

	if (mock_does("ext"))
		all[total++] = (VkExtensionProperties){ VK_EXT_DEVICE_FAULT_EXTENSION_NAME, 2 };
	if (mock_does("khr"))
		all[total++] = (VkExtensionProperties){ VK_KHR_DEVICE_FAULT_EXTENSION_NAME, 1 };
	if (mock_does("report"))
		all[total++] = (VkExtensionProperties){
			VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME, 1
		};
	return total;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_vkEnumerateDeviceExtensionProperties(VkPhysicalDevice handle, const char *layer,
					  uint32_t *count, VkExtensionProperties *properties)
{
	VkExtensionProperties all[3];

	(void)handle;
	(void)layer;
	return list(all, device_extensions(all), count, properties);
}

static bool has_extension(const char *name)
{
	VkExtensionProperties all[3];
	uint32_t i, total = device_extensions(all);

	for (i = 0; i < total; i++)
		if (!strcmp(all[i].extensionName, name))
			return true;
	return false;
}

/* A driver does not let pass what it does not have. */
static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateDevice(VkPhysicalDevice handle,
							  const VkDeviceCreateInfo *info,
							  const VkAllocationCallbacks *allocator,
							  VkDevice *device)
{
	uint32_t i;

	(void)handle;
	(void)allocator;
	for (i = 0; i < info->enabledExtensionCount; i++)
		if (!has_extension(info->ppEnabledExtensionNames[i]))
			return VK_ERROR_EXTENSION_NOT_PRESENT;
	if (mock_check_features(info->pNext) != VK_SUCCESS)
		return VK_ERROR_FEATURE_NOT_PRESENT;
	if (mock_does("early"))
		mock_tell(VK_OBJECT_TYPE_DEVICE, 1, MOCK_EARLY, MOCK_PAGE,
			  VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
	*device = (VkDevice)handle_new();
	return *device ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static const struct mock_name names[] = {
	MOCK_NAME(vkEnumerateInstanceExtensionProperties),
	MOCK_NAME(vkCreateInstance),
	MOCK_NAME(vkDestroyInstance),
	MOCK_NAME(vkEnumeratePhysicalDevices),
	MOCK_NAME(vkCreateDebugUtilsMessengerEXT),
	MOCK_NAME(vkDestroyDebugUtilsMessengerEXT),
	MOCK_NAME(vkGetPhysicalDeviceProperties),
	MOCK_NAME(vkGetPhysicalDeviceProperties2),
	{ "vkGetPhysicalDeviceProperties2KHR",
	  (PFN_vkVoidFunction)mock_vkGetPhysicalDeviceProperties2 },
	MOCK_NAME(vkGetPhysicalDeviceFeatures),
	MOCK_NAME(vkGetPhysicalDeviceFeatures2),
	{ "vkGetPhysicalDeviceFeatures2KHR",
	  (PFN_vkVoidFunction)mock_vkGetPhysicalDeviceFeatures2 },
	MOCK_NAME(vkGetPhysicalDeviceQueueFamilyProperties),
	MOCK_NAME(vkGetPhysicalDeviceFormatProperties),
	MOCK_NAME(vkGetPhysicalDeviceImageFormatProperties),
	MOCK_NAME(vkGetPhysicalDeviceSparseImageFormatProperties),
	MOCK_NAME(vkGetPhysicalDeviceMemoryProperties),
	MOCK_NAME(vkEnumerateDeviceExtensionProperties),
	MOCK_NAME(vkCreateDevice),
};

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
									  const char *name);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version);

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
									  const char *name)
{
	PFN_vkVoidFunction function = MOCK_FIND(names, name);

	(void)instance;
	return function ? function : mock_device_function(name);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
	if (*version > 5)
		*version = 5;
	return VK_SUCCESS;
}
