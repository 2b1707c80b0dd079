// SPDX-License-Identifier: MIT
/*
 * A layer that loses devices, which a driver in software never does: where the variable
 * LOSE is in the environment, vkQueueWaitIdle() says so. For one instance with one device.
 */
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

static PFN_vkGetInstanceProcAddr instance_below;
static PFN_vkGetDeviceProcAddr device_below;
static PFN_vkQueueWaitIdle wait_below;

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *pCreateInfo,
					   const VkAllocationCallbacks *pAllocator,
					   VkInstance *pInstance)
{
	VkLayerInstanceCreateInfo *link = (void *)pCreateInfo->pNext;
	PFN_vkCreateInstance create;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)link->pNext;
	instance_below = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	create = (PFN_vkCreateInstance)instance_below(NULL, "vkCreateInstance");
	return create(pCreateInfo, pAllocator, pInstance);
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice gpu,
					 const VkDeviceCreateInfo *pCreateInfo,
					 const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
	VkLayerDeviceCreateInfo *link = (void *)pCreateInfo->pNext;
	PFN_vkCreateDevice create;
	VkResult result;

	while (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
	       link->function != VK_LAYER_LINK_INFO)
		link = (void *)link->pNext;
	create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
		NULL, "vkCreateDevice");
	device_below = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = create(gpu, pCreateInfo, pAllocator, pDevice);
	if (result == VK_SUCCESS)
		wait_below = (PFN_vkQueueWaitIdle)device_below(*pDevice, "vkQueueWaitIdle");
	return result;
}

static VkResult VKAPI_CALL wait_idle(VkQueue queue)
{
	return getenv("LOSE") ? VK_ERROR_DEVICE_LOST : wait_below(queue);
}

static PFN_vkVoidFunction VKAPI_CALL of_device(VkDevice device, const char *pName)
{
	if (!strcmp(pName, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)of_device;
	if (!strcmp(pName, "vkQueueWaitIdle"))
		return (PFN_vkVoidFunction)wait_idle;
	return device_below(device, pName);
}

static PFN_vkVoidFunction VKAPI_CALL of_instance(VkInstance instance, const char *pName)
{
	if (!strcmp(pName, "vkGetInstanceProcAddr"))
		return (PFN_vkVoidFunction)of_instance;
	if (!strcmp(pName, "vkCreateInstance"))
		return (PFN_vkVoidFunction)create_instance;
	if (!strcmp(pName, "vkCreateDevice"))
		return (PFN_vkVoidFunction)create_device;
	if (!strcmp(pName, "vkGetDeviceProcAddr"))
		return (PFN_vkVoidFunction)of_device;
	return instance_below ? instance_below(instance, pName) : NULL;
}

__attribute__((visibility("default"))) VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *negotiated)
{
	negotiated->loaderLayerInterfaceVersion = 2;
	negotiated->pfnGetInstanceProcAddr = of_instance;
	negotiated->pfnGetDeviceProcAddr = of_device;
	negotiated->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
