// SPDX-License-Identifier: MIT
/* What the loader asks for: one function that leads to all others. */
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "device.h"
#include "gpu.h"
#include "hooks.h"
#include "instance.h"

#define LAYER_EXPORT __attribute__((visibility("default")))

static atomic_bool in_child;

static void after_fork(void)
{
	atomic_store(&in_child, true);
}

/* A child has the locks as other threads of its parent held them. */
__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, after_fork);
}

bool layer_is_off(void)
{
	return atomic_load_explicit(&in_child, memory_order_relaxed) || getauxval(AT_SECURE);
}

struct hook {
	const char *name;
	PFN_vkVoidFunction function;
	/* Offset of the driver's in its table of calls: without it there is no function. */
	size_t below;
};

#define ALWAYS SIZE_MAX
#define INSTANCE(name_) \
	{ #name_, (PFN_vkVoidFunction)layer_##name_, offsetof(struct instance_calls, name_) },
#define DEVICE(name_) \
	{ #name_, (PFN_vkVoidFunction)layer_##name_, offsetof(struct device_calls, name_) },
#define LOST(name_, parameters, arguments, object) DEVICE(name_)

static const struct hook instance_hooks[] = {
	INSTANCE(vkDestroyInstance) INSTANCE(vkEnumerateDeviceExtensionProperties) INSTANCE(
		vkGetPhysicalDeviceFeatures2) INSTANCE(vkGetPhysicalDeviceFeatures2KHR)
		INSTANCE(vkGetPhysicalDeviceProperties2) INSTANCE(vkGetPhysicalDeviceProperties2KHR)
			INSTANCE(vkCreateDevice) INSTANCE(vkCreateDebugUtilsMessengerEXT)
				INSTANCE(vkDestroyDebugUtilsMessengerEXT){
					"vkGetDeviceProcAddr",
					(PFN_vkVoidFunction)layer_vkGetDeviceProcAddr, ALWAYS },
	{ "vkGetInstanceProcAddr", (PFN_vkVoidFunction)layer_vkGetInstanceProcAddr, ALWAYS },
	{ "vkCreateInstance", (PFN_vkVoidFunction)layer_vkCreateInstance, ALWAYS },
};

static const struct hook device_hooks[] = {
	{ "vkGetDeviceProcAddr", (PFN_vkVoidFunction)layer_vkGetDeviceProcAddr, ALWAYS },
	DEVICE_CALLS(DEVICE)
#include "lost-commands.h"
};

/* Of VK_EXT_debug_utils, which the layer enables and the application may not see. */
static const char *const message_functions[] = {
	"vkCmdBeginDebugUtilsLabelEXT",	   "vkCmdEndDebugUtilsLabelEXT",
	"vkCmdInsertDebugUtilsLabelEXT",   "vkCreateDebugUtilsMessengerEXT",
	"vkDestroyDebugUtilsMessengerEXT", "vkQueueBeginDebugUtilsLabelEXT",
	"vkQueueEndDebugUtilsLabelEXT",	   "vkQueueInsertDebugUtilsLabelEXT",
	"vkSetDebugUtilsObjectNameEXT",	   "vkSetDebugUtilsObjectTagEXT",
	"vkSubmitDebugUtilsMessageEXT",
};

static bool is_message_function(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(message_functions) / sizeof(message_functions[0]); i++)
		if (!strcmp(name, message_functions[i]))
			return true;
	return false;
}

static const struct hook *hook_find(const struct hook *hooks, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(hooks[i].name, name))
			return &hooks[i];
	return NULL;
}

static bool has_below(const void *calls, const struct hook *hook)
{
	return hook->below == ALWAYS ||
	       *(const PFN_vkVoidFunction *)((const char *)calls + hook->below);
}

/* The functions that drivers may lack. */
static bool is_own_function(const char *name)
{
	return !strcmp(name, "vkGetDeviceFaultInfoEXT") ||
	       !strcmp(name, "vkGetDeviceFaultReportsKHR") ||
	       !strcmp(name, "vkGetDeviceFaultDebugInfoKHR");
}

static bool is_enabled(const struct device *device, const char *own)
{
	return strcmp(own, "vkGetDeviceFaultInfoEXT") ? device->app_khr : device->app_ext;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL layer_vkGetDeviceProcAddr(VkDevice handle,
								   const char *pName)
{
	const struct device *device = device_of(handle);
	const struct hook *hook =
		hook_find(device_hooks, sizeof(device_hooks) / sizeof(device_hooks[0]), pName);

	if (device->off)
		return hook && (hook->below == ALWAYS || !strcmp(pName, "vkDestroyDevice"))
			       ? hook->function
			       : device->calls.vkGetDeviceProcAddr(handle, pName);
	if (is_own_function(pName))
		return is_enabled(device, pName) ? hook->function : NULL;
	if (!device->instance->debug_utils && is_message_function(pName))
		return NULL;
	if (!hook)
		return device->calls.vkGetDeviceProcAddr(handle, pName);
	return has_below(&device->calls, hook) ? hook->function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL layer_vkGetInstanceProcAddr(VkInstance handle,
								     const char *pName)
{
	const struct hook *hook = hook_find(
		instance_hooks, sizeof(instance_hooks) / sizeof(instance_hooks[0]), pName);
	const struct instance *instance = handle ? instance_of(handle) : NULL;
	PFN_vkVoidFunction below;

	if (!instance)
		return hook && hook->below == ALWAYS ? hook->function : NULL;
	if (!instance->off && !instance->debug_utils && is_message_function(pName))
		return NULL;
	if (hook)
		return has_below(&instance->calls, hook) ? hook->function : NULL;
	below = instance->calls.vkGetInstanceProcAddr(handle, pName);
	hook = hook_find(device_hooks, sizeof(device_hooks) / sizeof(device_hooks[0]), pName);
	/* Of a device's functions there are those that the driver has, and the layer's own. */
	if (instance->off || !hook || !(below || is_own_function(pName)))
		return below;
	return hook->function;
}

LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
	if (pVersionStruct->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
	    pVersionStruct->loaderLayerInterfaceVersion < 2)
		return VK_ERROR_INITIALIZATION_FAILED;
	pVersionStruct->loaderLayerInterfaceVersion = 2;
	pVersionStruct->pfnGetInstanceProcAddr = layer_vkGetInstanceProcAddr;
	pVersionStruct->pfnGetDeviceProcAddr = layer_vkGetDeviceProcAddr;
	pVersionStruct->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
