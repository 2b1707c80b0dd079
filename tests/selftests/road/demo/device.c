// SPDX-License-Identifier: MIT
/* The Vulkan device, as any application makes one, and what is submitted to it. */
#include <string.h>
#include <time.h>

#include "demo.h"

#define GPU_NAME "drm_fault_sim"
#define MAX_GPUS 16
#define NS_PER_S 1000000000ULL

const VkApplicationInfo demo_application = {
	.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
	.pApplicationName = "three mistakes",
	.applicationVersion = 3,
	.pEngineName = "demo",
	.engineVersion = 1,
	.apiVersion = VK_API_VERSION_1_1,
};

uint64_t demo_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Where the driver puts what: here, the command buffers. */
static VkBool32 VKAPI_CALL note_binding(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
					VkDebugUtilsMessageTypeFlagsEXT types,
					const VkDebugUtilsMessengerCallbackDataEXT *data,
					void *user)
{
	const VkDeviceAddressBindingCallbackDataEXT *binding = data->pNext;
	struct demo *demo = user;

	(void)severity;
	(void)types;
	if (binding->bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT &&
	    data->pObjects[0].objectType == VK_OBJECT_TYPE_COMMAND_BUFFER) {
		demo->cmd_address = binding->baseAddress;
		demo->cmd_size = binding->size;
	}
	return VK_FALSE;
}

static bool make_instance(struct demo *demo)
{
	static const char *const extensions[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	static const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &demo_application,
		.enabledExtensionCount = ARRAY_SIZE(extensions),
		.ppEnabledExtensionNames = extensions,
	};
	const VkDebugUtilsMessengerCreateInfoEXT messenger = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
		.pfnUserCallback = note_binding,
		.pUserData = demo,
	};
	PFN_vkCreateDebugUtilsMessengerEXT create;

	if (vkCreateInstance(&info, NULL, &demo->instance))
		return false;
	create = (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
		demo->instance, "vkCreateDebugUtilsMessengerEXT");
	demo->set_name = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(
		demo->instance, "vkSetDebugUtilsObjectNameEXT");
	return create && demo->set_name &&
	       !create(demo->instance, &messenger, NULL, &demo->messenger);
}

static bool find_gpu(struct demo *demo)
{
	VkPhysicalDevice gpus[MAX_GPUS];
	VkPhysicalDeviceProperties properties;
	uint32_t i, count = MAX_GPUS;

	if (vkEnumeratePhysicalDevices(demo->instance, &count, gpus) < 0)
		return false;
	for (i = 0; i < count; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (!strcmp(properties.deviceName, GPU_NAME)) {
			demo->gpu = gpus[i];
			return true;
		}
	}
	return false;
}

/*
 * Robust access: what goes past the end is dropped, the device lives on, and the
 * KHR reports it.
 */
static bool make_device(struct demo *demo)
{
	static const char *const extensions[] = {
		VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
		VK_KHR_DEVICE_FAULT_EXTENSION_NAME,
		VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME,
		VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
		VK_NVX_BINARY_IMPORT_EXTENSION_NAME,
	};
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queues[] = {
		{ VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 0, 1, &priority },
		{ VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 1, 1, &priority },
	};
	VkPhysicalDeviceBufferDeviceAddressFeatures address = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
		.bufferDeviceAddress = VK_TRUE,
	};
	VkPhysicalDeviceAddressBindingReportFeaturesEXT bindings = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
		.pNext = &address,
		.reportAddressBinding = VK_TRUE,
	};
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		.pNext = &bindings,
		.deviceFault = VK_TRUE,
		.deviceFaultReportMasked = VK_TRUE,
	};
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.pNext = &khr,
		.deviceFault = VK_TRUE,
		.deviceFaultVendorBinary = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures core = { .robustBufferAccess = VK_TRUE };
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &ext,
		.queueCreateInfoCount = ARRAY_SIZE(queues),
		.pQueueCreateInfos = queues,
		.enabledExtensionCount = ARRAY_SIZE(extensions),
		.ppEnabledExtensionNames = extensions,
		.pEnabledFeatures = &core,
	};

	return !vkCreateDevice(demo->gpu, &info, NULL, &demo->device);
}

static bool load_commands(struct demo *demo)
{
#define LOAD(member, name) \
	((demo->member = (PFN_##name)vkGetDeviceProcAddr(demo->device, #name)) != NULL)
	return LOAD(get_address, vkGetBufferDeviceAddressKHR) &&
	       LOAD(create_module, vkCreateCuModuleNVX) &&
	       LOAD(destroy_module, vkDestroyCuModuleNVX) &&
	       LOAD(create_function, vkCreateCuFunctionNVX) &&
	       LOAD(destroy_function, vkDestroyCuFunctionNVX) &&
	       LOAD(launch, vkCmdCuLaunchKernelNVX) && LOAD(get_info, vkGetDeviceFaultInfoEXT) &&
	       LOAD(get_reports, vkGetDeviceFaultReportsKHR);
#undef LOAD
}

static bool make_queues(struct demo *demo)
{
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	uint32_t i;

	for (i = 0; i < ARRAY_SIZE(demo->queues); i++) {
		vkGetDeviceQueue(demo->device, i, 0, &demo->queues[i]);
		pool.queueFamilyIndex = i;
		if (vkCreateCommandPool(demo->device, &pool, NULL, &demo->pools[i]))
			return false;
	}
	return !vkCreateFence(demo->device, &fence, NULL, &demo->fence);
}

const char *demo_open(struct demo *demo)
{
	memset(demo, 0, sizeof(*demo));
	if (!make_instance(demo))
		return "no Vulkan instance: is VK_DRIVER_FILES the driver of drm_fault_sim?";
	if (!find_gpu(demo))
		return "Vulkan finds no drm_fault_sim: is the module loaded, and may this user "
		       "open its render node?";
	if (!make_device(demo) || !load_commands(demo))
		return "the driver does not offer both fault extensions: is drm_fault loaded?";
	if (!make_queues(demo) || !demo_add_buffer(demo, "particles", BUFFER_SIZE, &demo->buffer) ||
	    !demo_add_buffer(demo, "vertices", DRM_FAULT_SIM_PAGE_SIZE, &demo->freed))
		return "the driver gives no memory";
	return NULL;
}

void demo_close(struct demo *demo)
{
	PFN_vkDestroyDebugUtilsMessengerEXT destroy =
		(PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
			demo->instance, "vkDestroyDebugUtilsMessengerEXT");

	demo->destroy_function(demo->device, demo->function, NULL);
	demo->destroy_module(demo->device, demo->module, NULL);
	demo_free_buffer(demo, &demo->buffer);
	vkDestroyFence(demo->device, demo->fence, NULL);
	vkDestroyCommandPool(demo->device, demo->pools[0], NULL);
	vkDestroyCommandPool(demo->device, demo->pools[1], NULL);
	vkDestroyDevice(demo->device, NULL);
	destroy(demo->instance, demo->messenger, NULL);
	vkDestroyInstance(demo->instance, NULL);
}
