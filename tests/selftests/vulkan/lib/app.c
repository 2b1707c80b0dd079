// SPDX-License-Identifier: MIT
/* Instances and devices. */
#include <stdlib.h>
#include <string.h>

#include "app.h"

const VkApplicationInfo app_application = {
	.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
	.pApplicationName = APP_NAME,
	.applicationVersion = 7,
	.pEngineName = APP_ENGINE,
	.engineVersion = 8,
	.apiVersion = VK_API_VERSION_1_1,
};

#define GPU_NAME       "drm_fault_sim"
#define MAX_GPUS       16
#define MAX_EXTENSIONS 256

static PFN_vkVoidFunction of_instance(struct app *app, const char *name)
{
	PFN_vkVoidFunction function = vkGetInstanceProcAddr(app->instance, name);

	assert_non_null(function);
	return function;
}

static VkPhysicalDevice find_gpu(VkInstance instance)
{
	VkPhysicalDevice gpus[MAX_GPUS], found = VK_NULL_HANDLE;
	VkPhysicalDeviceProperties properties;
	uint32_t i, count = MAX_GPUS;

	assert_int_equal(vkEnumeratePhysicalDevices(instance, &count, gpus), VK_SUCCESS);
	for (i = 0; i < count; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (!strcmp(properties.deviceName, GPU_NAME))
			found = gpus[i];
	}
	return found;
}

void app_instance_open(struct app *app)
{
	static const char *const extensions[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	static const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app_application,
		.enabledExtensionCount = ARRAY_SIZE(extensions),
		.ppEnabledExtensionNames = extensions,
	};

	uint32_t families = 0;

	memset(app, 0, sizeof(*app));
	assert_int_equal(vkCreateInstance(&info, NULL, &app->instance), VK_SUCCESS);
	app_log_open(app);
	app->gpu = find_gpu(app->instance);
	assert_non_null(app->gpu);
	vkGetPhysicalDeviceQueueFamilyProperties(app->gpu, &families, NULL);
	assert_int_equal(families, APP_QUEUES);
}

void app_instance_close(struct app *app)
{
	app_log_close(app);
	vkDestroyInstance(app->instance, NULL);
}

bool app_offers(struct app *app, const char *extension)
{
	VkExtensionProperties properties[MAX_EXTENSIONS];
	uint32_t i, count = MAX_EXTENSIONS;

	assert_int_equal(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, properties),
			 VK_SUCCESS);
	for (i = 0; i < count; i++)
		if (!strcmp(properties[i].extensionName, extension))
			return true;
	return false;
}

/* The structures of the features that @with asks for, chained. */
struct chain {
	VkPhysicalDeviceFeatures2 core;
	VkPhysicalDeviceBufferDeviceAddressFeatures address;
	VkPhysicalDeviceAddressBindingReportFeaturesEXT bindings;
	VkPhysicalDeviceFaultFeaturesEXT ext;
	VkPhysicalDeviceFaultFeaturesKHR khr;
};

static void link_to(struct chain *chain, void *structure)
{
	((VkBaseOutStructure *)structure)->pNext = chain->core.pNext;
	chain->core.pNext = structure;
}

static void fill_chain(struct chain *chain, unsigned int with)
{
	*chain = (struct chain){
		.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.core.features.robustBufferAccess = with & APP_ROBUST ? VK_TRUE : VK_FALSE,
		.address.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
		.address.bufferDeviceAddress = VK_TRUE,
		.bindings.sType =
			VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
		.bindings.reportAddressBinding = VK_TRUE,
		.ext.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.ext.deviceFault = VK_TRUE,
		.ext.deviceFaultVendorBinary = with & APP_BINARY ? VK_TRUE : VK_FALSE,
		.khr.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		.khr.deviceFault = VK_TRUE,
		.khr.deviceFaultVendorBinary = with & APP_BINARY ? VK_TRUE : VK_FALSE,
		.khr.deviceFaultReportMasked = with & APP_REPORT_MASKED ? VK_TRUE : VK_FALSE,
		.khr.deviceFaultDeviceLostOnMasked = with & APP_LOST_ON_MASKED ? VK_TRUE : VK_FALSE,
	};
	link_to(chain, &chain->address);
	if (with & APP_BINDINGS)
		link_to(chain, &chain->bindings);
	if (with & APP_EXT)
		link_to(chain, &chain->ext);
	if (with & APP_KHR)
		link_to(chain, &chain->khr);
}

VkResult app_try_device(struct app *app, unsigned int with)
{
	static const float priority = 1;
	const char *extensions[8] = { VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
				      VK_NVX_BINARY_IMPORT_EXTENSION_NAME };
	VkDeviceQueueCreateInfo queues[APP_QUEUES];
	struct chain chain;
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &chain,
		.queueCreateInfoCount = APP_QUEUES,
		.pQueueCreateInfos = queues,
		.enabledExtensionCount = 2,
		.ppEnabledExtensionNames = extensions,
	};
	uint32_t i;

	for (i = 0; i < APP_QUEUES; i++)
		queues[i] = (VkDeviceQueueCreateInfo){
			.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueFamilyIndex = i,
			.queueCount = 1,
			.pQueuePriorities = &priority,
		};
	fill_chain(&chain, with);
	if (with & APP_EXT)
		extensions[info.enabledExtensionCount++] = VK_EXT_DEVICE_FAULT_EXTENSION_NAME;
	if (with & APP_KHR)
		extensions[info.enabledExtensionCount++] = VK_KHR_DEVICE_FAULT_EXTENSION_NAME;
	if (with & APP_BINDINGS)
		extensions[info.enabledExtensionCount++] =
			VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME;
	return vkCreateDevice(app->gpu, &info, NULL, &app->device);
}

static void load_commands(struct app *app, unsigned int with)
{
#define LOAD(member, name)                                                         \
	do {                                                                       \
		app->member = (PFN_##name)vkGetDeviceProcAddr(app->device, #name); \
		assert_non_null(app->member);                                      \
	} while (0)
	app->set_name =
		(PFN_vkSetDebugUtilsObjectNameEXT)of_instance(app, "vkSetDebugUtilsObjectNameEXT");
	LOAD(get_address, vkGetBufferDeviceAddressKHR);
	LOAD(create_module, vkCreateCuModuleNVX);
	LOAD(destroy_module, vkDestroyCuModuleNVX);
	LOAD(create_function, vkCreateCuFunctionNVX);
	LOAD(destroy_function, vkDestroyCuFunctionNVX);
	LOAD(launch, vkCmdCuLaunchKernelNVX);
	if (with & APP_EXT)
		LOAD(get_info, vkGetDeviceFaultInfoEXT);
	if (with & APP_KHR) {
		LOAD(get_reports, vkGetDeviceFaultReportsKHR);
		LOAD(get_debug_info, vkGetDeviceFaultDebugInfoKHR);
	}
#undef LOAD
}

void app_device_open(struct app *app, unsigned int with)
{
	VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};

	assert_int_equal(app_try_device(app, with), VK_SUCCESS);
	load_commands(app, with);
	for (pool.queueFamilyIndex = 0; pool.queueFamilyIndex < APP_QUEUES;
	     pool.queueFamilyIndex++) {
		vkGetDeviceQueue(app->device, pool.queueFamilyIndex, 0,
				 &app->queues[pool.queueFamilyIndex]);
		assert_int_equal(vkCreateCommandPool(app->device, &pool, NULL,
						     &app->pools[pool.queueFamilyIndex]),
				 VK_SUCCESS);
	}
}

void app_device_close(struct app *app)
{
	uint32_t i;

	vkDeviceWaitIdle(app->device);
	for (i = 0; i < APP_QUEUES; i++)
		vkDestroyCommandPool(app->device, app->pools[i], NULL);
	vkDestroyDevice(app->device, NULL);
}

void app_open(struct app *app, unsigned int with)
{
	app_instance_open(app);
	app_device_open(app, with);
}

void app_close(struct app *app)
{
	app_device_close(app);
	app_instance_close(app);
}
