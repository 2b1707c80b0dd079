// SPDX-License-Identifier: MIT
/*
 * Messengers of the application: the driver tells bindings since the layer wants them, and
 * an application that does not is not to hear of them.
 */
#include "chain.h"
#include "hooks.h"
#include "instance.h"
#include "object.h"

struct app_messenger {
	struct app_messenger *next;
	VkDebugUtilsMessengerEXT handle;
	struct instance *instance;
	PFN_vkDebugUtilsMessengerCallbackEXT callback;
	void *user;
	VkAllocationCallbacks allocator_copy;
	const VkAllocationCallbacks *allocator;
};

/* Of the device whose message it is, as far as that can be told. */
static bool is_wanted(struct instance *instance)
{
	const struct scope *scope = scope_current();
	const struct device *device;
	bool wanted = false;

	if (scope && scope->device->instance == instance)
		return scope->device->app_report;
	pthread_mutex_lock(&instance->lock);
	for (device = instance->first_device; device; device = device->next)
		wanted |= device->app_report;
	pthread_mutex_unlock(&instance->lock);
	return wanted;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL
pass_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
	     const VkDebugUtilsMessengerCallbackDataEXT *message, void *user)
{
	const struct app_messenger *messenger = user;

	if (chain_find(message->pNext,
		       VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT) &&
	    !layer_is_off() && !is_wanted(messenger->instance))
		return VK_FALSE;
	return messenger->callback(severity, types, message, messenger->user);
}

static void app_messenger_free(struct app_messenger *messenger)
{
	VkAllocationCallbacks copy = messenger->allocator_copy;

	layer_free(messenger->allocator ? &copy : NULL, messenger);
}

static struct app_messenger *app_messenger_new(struct instance *instance,
					       const VkDebugUtilsMessengerCreateInfoEXT *info,
					       const VkAllocationCallbacks *pAllocator)
{
	struct app_messenger *messenger =
		layer_allocate(pAllocator ? pAllocator : instance->allocator, sizeof(*messenger),
			       VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);

	if (!messenger)
		return NULL;
	messenger->instance = instance;
	messenger->callback = info->pfnUserCallback;
	messenger->user = info->pUserData;
	if (pAllocator || instance->allocator) {
		messenger->allocator_copy = pAllocator ? *pAllocator : *instance->allocator;
		messenger->allocator = &messenger->allocator_copy;
	}
	return messenger;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateDebugUtilsMessengerEXT(
	VkInstance handle, const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
	const VkAllocationCallbacks *pAllocator, VkDebugUtilsMessengerEXT *pMessenger)
{
	VkDebugUtilsMessengerCreateInfoEXT info = *pCreateInfo;
	struct instance *instance = instance_of(handle);
	struct app_messenger *messenger;
	VkResult result;

	if (instance->off || !(info.messageType & MESSAGE_OF_BINDING))
		return instance->calls.vkCreateDebugUtilsMessengerEXT(handle, pCreateInfo,
								      pAllocator, pMessenger);
	messenger = app_messenger_new(instance, pCreateInfo, pAllocator);
	if (!messenger)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	info.pfnUserCallback = pass_message;
	info.pUserData = messenger;
	result = instance->calls.vkCreateDebugUtilsMessengerEXT(handle, &info, pAllocator,
								&messenger->handle);
	if (result != VK_SUCCESS) {
		app_messenger_free(messenger);
		return result;
	}
	pthread_mutex_lock(&instance->lock);
	messenger->next = instance->app_messengers;
	instance->app_messengers = messenger;
	pthread_mutex_unlock(&instance->lock);
	*pMessenger = messenger->handle;
	return VK_SUCCESS;
}

static struct app_messenger *take(struct instance *instance, VkDebugUtilsMessengerEXT handle)
{
	struct app_messenger **at = &instance->app_messengers, *found;

	pthread_mutex_lock(&instance->lock);
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	found = *at;
	if (found)
		*at = found->next;
	pthread_mutex_unlock(&instance->lock);
	return found;
}

VKAPI_ATTR void VKAPI_CALL
layer_vkDestroyDebugUtilsMessengerEXT(VkInstance handle, VkDebugUtilsMessengerEXT messenger,
				      const VkAllocationCallbacks *pAllocator)
{
	struct instance *instance = instance_of(handle);
	struct app_messenger *ours = messenger ? take(instance, messenger) : NULL;

	instance->calls.vkDestroyDebugUtilsMessengerEXT(handle, messenger, pAllocator);
	if (ours)
		app_messenger_free(ours);
}

void app_messengers_free(struct instance *instance)
{
	struct app_messenger *messenger;

	while ((messenger = instance->app_messengers)) {
		instance->app_messengers = messenger->next;
		app_messenger_free(messenger);
	}
}
