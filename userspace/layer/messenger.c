// SPDX-License-Identifier: MIT
/*
 * VK_EXT_device_address_binding_report: what the driver itself tells. Messages come from
 * any thread, before the call that makes an object has returned, and after its end.
 */
#include "chain.h"
#include "instance.h"
#include "object.h"

/* No GPU has more addresses: what is said to be longer is no object. */
#define LENGTH_MOST (UINT64_C(1) << 57)

/* The layer sees it being destroyed. */
static bool is_followed(VkObjectType type)
{
	return type == VK_OBJECT_TYPE_DEVICE_MEMORY || type == VK_OBJECT_TYPE_BUFFER ||
	       type == VK_OBJECT_TYPE_IMAGE || type == VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR ||
	       type == VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV;
}

/* Before an application can see its object, drivers call it their own. */
static uint32_t flags_of(const struct scope *scope, VkObjectType type,
			 VkDeviceAddressBindingFlagsEXT told)
{
	if (scope && scope->making == type)
		told &= ~(uint32_t)VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT;
	return told | (scope ? scope->flags : 0);
}

/* @scope: NULL: it is of another device. */
static void hear(struct device *device, const VkDeviceAddressBindingCallbackDataEXT *data,
		 const VkDebugUtilsObjectNameInfoEXT *name, const struct scope *scope)
{
	struct object object = { 0 };

	if (data->size > LENGTH_MOST)
		return;
	if (name) {
		object.type = name->objectType;
		object.handle = name->objectHandle;
	}
	if (data->bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT) {
		if (!is_followed(object.type))
			objects_remove(device->objects, object.type, object.handle);
		binding_end(device, &object, data->baseAddress, data->size,
			    scope ? scope->taking : 0, 0);
		return;
	}
	objects_report(device->objects, object.type, object.handle, data->baseAddress, data->size);
	if (name && name->pObjectName && *name->pObjectName)
		drmfault_bindings_name(device->bindings, (uint32_t)object.type, object.handle,
				       name->pObjectName);
	binding_begin(device, &object, data->baseAddress, data->size,
		      flags_of(scope, object.type, data->flags));
}

/* A message has no device in it: that of the call in which it comes, or the newest. */
static VKAPI_ATTR VkBool32 VKAPI_CALL
on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
	   const VkDebugUtilsMessengerCallbackDataEXT *message, void *user)
{
	const VkDeviceAddressBindingCallbackDataEXT *data = chain_find(
		message->pNext, VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
	const VkDebugUtilsObjectNameInfoEXT *name = message->objectCount ? message->pObjects : NULL;
	const struct scope *scope = scope_current();
	struct instance *instance = user;
	struct device *device;

	(void)severity;
	(void)types;
	if (!data || layer_is_off())
		return VK_FALSE;
	if (scope && scope->device->instance == instance) {
		if (scope->device->bindings)
			hear(scope->device, data, name, scope);
		return VK_FALSE;
	}
	pthread_mutex_lock(&instance->lock);
	device = instance->first_device;
	if (device && device->bindings)
		hear(device, data, name, NULL);
	pthread_mutex_unlock(&instance->lock);
	return VK_FALSE;
}

/* For the first device with a report; another thread may make its own at the same time. */
bool messenger_create(struct instance *instance)
{
	const VkDebugUtilsMessengerCreateInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		.messageType = MESSAGE_OF_BINDING,
		.pfnUserCallback = on_message,
		.pUserData = instance,
	};
	VkDebugUtilsMessengerEXT made = VK_NULL_HANDLE, spare = VK_NULL_HANDLE;

	pthread_mutex_lock(&instance->lock);
	made = instance->messenger;
	pthread_mutex_unlock(&instance->lock);
	if (made)
		return true;
	if (!instance->calls.vkCreateDebugUtilsMessengerEXT ||
	    instance->calls.vkCreateDebugUtilsMessengerEXT(instance->handle, &info,
							   instance->allocator, &made))
		return false;
	pthread_mutex_lock(&instance->lock);
	if (instance->messenger)
		spare = made;
	else
		instance->messenger = made;
	pthread_mutex_unlock(&instance->lock);
	if (spare)
		instance->calls.vkDestroyDebugUtilsMessengerEXT(instance->handle, spare,
								instance->allocator);
	return true;
}

void messenger_destroy(struct instance *instance)
{
	if (instance->messenger)
		instance->calls.vkDestroyDebugUtilsMessengerEXT(
			instance->handle, instance->messenger, instance->allocator);
}
