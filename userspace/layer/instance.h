/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LAYER_INSTANCE_H
#define DRMFAULT_LAYER_INSTANCE_H

#include "layer.h"

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateInstance(const VkInstanceCreateInfo *pCreateInfo,
						      const VkAllocationCallbacks *pAllocator,
						      VkInstance *pInstance);
VKAPI_ATTR void VKAPI_CALL layer_vkDestroyInstance(VkInstance handle,
						   const VkAllocationCallbacks *pAllocator);

/* Hears of the driver's bindings, if it tells them; the application does not see it. */
bool messenger_create(struct instance *instance);
void messenger_destroy(struct instance *instance);

/* In the headers since 1.3.230; some have only the flag's old name. */
#define MESSAGE_OF_BINDING ((VkDebugUtilsMessageTypeFlagBitsEXT)0x8)

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateDebugUtilsMessengerEXT(
	VkInstance handle, const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
	const VkAllocationCallbacks *pAllocator, VkDebugUtilsMessengerEXT *pMessenger);
VKAPI_ATTR void VKAPI_CALL
layer_vkDestroyDebugUtilsMessengerEXT(VkInstance handle, VkDebugUtilsMessengerEXT messenger,
				      const VkAllocationCallbacks *pAllocator);
/* Those that the application has left, once the instance is gone. */
void app_messengers_free(struct instance *instance);
/* Those devices that the application left. */
void devices_end(struct instance *instance);

#endif /* DRMFAULT_LAYER_INSTANCE_H */
