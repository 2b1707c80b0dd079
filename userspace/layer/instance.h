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
void messenger_create(struct instance *instance);
void messenger_destroy(struct instance *instance);

#endif /* DRMFAULT_LAYER_INSTANCE_H */
