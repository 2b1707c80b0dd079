// SPDX-License-Identifier: MIT
/*
 * VK_EXT_debug_utils: names of objects, and the messengers that are told of
 * every range of addresses an object gets or gives back.
 */
#include <stdlib.h>
#include <string.h>

#include "icd.h"

VkResult icd_CreateDebugUtilsMessengerEXT(VkInstance handle,
					  const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
					  const VkAllocationCallbacks *pAllocator,
					  VkDebugUtilsMessengerEXT *pMessenger)
{
	struct icd_instance *instance = ICD_OBJECT(instance, handle);
	struct icd_messenger *messenger;

	messenger = icd_object_create(pAllocator ? pAllocator : &instance->alloc,
				      sizeof(*messenger), VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT);
	if (!messenger)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	messenger->info = *pCreateInfo;
	messenger->info.pNext = NULL;
	pthread_mutex_lock(&instance->messenger_lock);
	messenger->next = instance->messengers;
	instance->messengers = messenger;
	pthread_mutex_unlock(&instance->messenger_lock);
	*pMessenger = ICD_HANDLE(VkDebugUtilsMessengerEXT, messenger);
	return VK_SUCCESS;
}

void icd_DestroyDebugUtilsMessengerEXT(VkInstance handle, VkDebugUtilsMessengerEXT messenger_handle,
				       const VkAllocationCallbacks *pAllocator)
{
	struct icd_messenger *messenger = ICD_OBJECT(messenger, messenger_handle);
	struct icd_instance *instance = ICD_OBJECT(instance, handle);
	struct icd_messenger **link = &instance->messengers;

	if (!messenger)
		return;
	pthread_mutex_lock(&instance->messenger_lock);
	while (*link && *link != messenger)
		link = &(*link)->next;
	if (*link)
		*link = messenger->next;
	pthread_mutex_unlock(&instance->messenger_lock);
	icd_object_destroy(pAllocator ? pAllocator : &instance->alloc, messenger);
}

/* A callback calls no command of Vulkan's, so the lock may be held. */
static void tell(struct icd_instance *instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
		 VkDebugUtilsMessageTypeFlagsEXT types,
		 const VkDebugUtilsMessengerCallbackDataEXT *data)
{
	const struct icd_messenger *m;

	pthread_mutex_lock(&instance->messenger_lock);
	for (m = instance->messengers; m; m = m->next)
		if (m->info.messageSeverity & severity && m->info.messageType & types)
			m->info.pfnUserCallback(severity, types, data, m->info.pUserData);
	pthread_mutex_unlock(&instance->messenger_lock);
}

void icd_SubmitDebugUtilsMessageEXT(VkInstance handle,
				    VkDebugUtilsMessageSeverityFlagBitsEXT messageSeverity,
				    VkDebugUtilsMessageTypeFlagsEXT messageTypes,
				    const VkDebugUtilsMessengerCallbackDataEXT *pCallbackData)
{
	tell(ICD_OBJECT(instance, handle), messageSeverity, messageTypes, pCallbackData);
}

void icd_report_binding(struct icd_device *device, const struct icd_object *object,
			uint64_t address, uint64_t size, VkDeviceAddressBindingTypeEXT type,
			VkDeviceAddressBindingFlagsEXT flags)
{
	VkDeviceAddressBindingCallbackDataEXT binding = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
		.flags = flags,
		.baseAddress = icd_canonical(address),
		.size = size,
		.bindingType = type,
	};
	VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = object->type,
		.objectHandle = (uintptr_t)object,
		.pObjectName = object->name,
	};
	const VkDebugUtilsMessengerCallbackDataEXT data = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
		.pNext = &binding,
		.objectCount = 1,
		.pObjects = &name,
	};

	if (device->features.binding_report)
		tell(device->gpu->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		     VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &data);
}

VkResult icd_SetDebugUtilsObjectNameEXT(VkDevice device,
					const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
	struct icd_object *object = (struct icd_object *)(uintptr_t)pNameInfo->objectHandle;
	char *name = NULL;

	(void)device;
	/* A surface or the like is the loader's, and none of ours. */
	if (!object || object->type != pNameInfo->objectType)
		return VK_SUCCESS;
	if (pNameInfo->pObjectName && *pNameInfo->pObjectName) {
		name = strdup(pNameInfo->pObjectName);
		if (!name)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	free(object->name);
	object->name = name;
	return VK_SUCCESS;
}

VkResult icd_SetDebugUtilsObjectTagEXT(VkDevice device,
				       const VkDebugUtilsObjectTagInfoEXT *pTagInfo)
{
	(void)device;
	(void)pTagInfo;
	return VK_SUCCESS;
}

/* Labels are for tools that record; nothing here does. */
void icd_QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
	(void)queue;
	(void)pLabelInfo;
}

void icd_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
	(void)queue;
}

void icd_QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *pLabelInfo)
{
	(void)queue;
	(void)pLabelInfo;
}

void icd_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *pLabelInfo)
{
	(void)cmd;
	(void)pLabelInfo;
}

void icd_CmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
	(void)cmd;
}

void icd_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer cmd, const VkDebugUtilsLabelEXT *pLabelInfo)
{
	(void)cmd;
	(void)pLabelInfo;
}
