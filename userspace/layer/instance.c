// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <string.h>

#include "chain.h"
#include "hooks.h"
#include "instance.h"

static VkLayerInstanceCreateInfo *link_of(const VkInstanceCreateInfo *pCreateInfo)
{
	VkLayerInstanceCreateInfo *info = (VkLayerInstanceCreateInfo *)pCreateInfo->pNext;

	while (info && (info->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
			info->function != VK_LAYER_LINK_INFO))
		info = (VkLayerInstanceCreateInfo *)info->pNext;
	return info;
}

/*
 * Under two names a loader takes the layer twice. The lower one does the work of both,
 * since both would be found by the same handle.
 */
static bool is_once_more(const VkLayerInstanceLink *link)
{
	while (link && link->pfnNextGetInstanceProcAddr != layer_vkGetInstanceProcAddr)
		link = link->pNext;
	return link;
}

static VkResult pass_on(VkLayerInstanceCreateInfo *link, const VkInstanceCreateInfo *pCreateInfo,
			const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
	PFN_vkCreateInstance create =
		(PFN_vkCreateInstance)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
			NULL, "vkCreateInstance");

	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	return create(pCreateInfo, pAllocator, pInstance);
}

static size_t name_size(const char *name)
{
	return name ? strlen(name) + 1 : 0;
}

/* A copy of what the application said of itself: device creation wants it later. */
static bool copy_application(struct instance *instance, const VkApplicationInfo *from)
{
	size_t name, engine;

	if (!from)
		return true;
	name = name_size(from->pApplicationName);
	engine = name_size(from->pEngineName);
	instance->names = layer_allocate(instance->allocator, name + engine + 1,
					 VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
	if (!instance->names)
		return false;
	instance->application = *from;
	instance->application.pNext = NULL;
	if (name)
		instance->application.pApplicationName =
			memcpy(instance->names, from->pApplicationName, name);
	if (engine)
		instance->application.pEngineName =
			memcpy(instance->names + name, from->pEngineName, engine);
	return true;
}

static void instance_free(struct instance *instance)
{
	VkAllocationCallbacks copy = instance->allocator_copy;
	const VkAllocationCallbacks *allocator = instance->allocator ? &copy : NULL;

	pthread_mutex_destroy(&instance->lock);
	layer_free(allocator, instance->names);
	layer_free(allocator, instance);
}

static struct instance *instance_new(const VkInstanceCreateInfo *pCreateInfo,
				     const VkAllocationCallbacks *pAllocator)
{
	struct instance *instance =
		layer_allocate(pAllocator, sizeof(*instance), VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);

	if (!instance)
		return NULL;
	if (pAllocator) {
		instance->allocator_copy = *pAllocator;
		instance->allocator = &instance->allocator_copy;
	}
	pthread_mutex_init(&instance->lock, NULL);
	instance->off = layer_is_off();
	instance->debug_utils = names_have(pCreateInfo->ppEnabledExtensionNames,
					   pCreateInfo->enabledExtensionCount,
					   VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
	if (!copy_application(instance, pCreateInfo->pApplicationInfo)) {
		instance_free(instance);
		return NULL;
	}
	if (!instance->off)
		settings_read(&instance->settings, pCreateInfo->pNext);
	return instance;
}

/* With VK_EXT_debug_utils, by which drivers tell their bindings. */
static VkResult create_with_messages(PFN_vkCreateInstance create,
				     const VkInstanceCreateInfo *pCreateInfo,
				     const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
	uint32_t count = pCreateInfo->enabledExtensionCount;
	VkInstanceCreateInfo info = *pCreateInfo;
	const char **names;
	VkResult result;

	names = layer_allocate(pAllocator, (count + 1) * sizeof(*names),
			       VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
	if (!names)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (count)
		memcpy(names, pCreateInfo->ppEnabledExtensionNames, count * sizeof(*names));
	names[count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
	info.enabledExtensionCount = count;
	info.ppEnabledExtensionNames = names;
	result = create(&info, pAllocator, pInstance);
	layer_free(pAllocator, names);
	return result;
}

/* Where the handle is to be written the loader has left something for its own end. */
static VkResult create_below(struct instance *instance, VkLayerInstanceCreateInfo *link,
			     const VkInstanceCreateInfo *pCreateInfo,
			     const VkAllocationCallbacks *pAllocator, VkInstance loader_instance)
{
	VkLayerInstanceLink *next = link->u.pLayerInfo->pNext;
	PFN_vkCreateInstance create;
	VkResult result;

	instance->calls.vkGetInstanceProcAddr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	create = (PFN_vkCreateInstance)instance->calls.vkGetInstanceProcAddr(NULL,
									     "vkCreateInstance");
	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	instance->handle = loader_instance;
	link->u.pLayerInfo = next;
	if (!instance->off && !instance->debug_utils) {
		result = create_with_messages(create, pCreateInfo, pAllocator, &instance->handle);
		if (result != VK_ERROR_EXTENSION_NOT_PRESENT)
			return result;
		instance->handle = loader_instance;
		link->u.pLayerInfo = next;
	}
	return create(pCreateInfo, pAllocator, &instance->handle);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateInstance(const VkInstanceCreateInfo *pCreateInfo,
						      const VkAllocationCallbacks *pAllocator,
						      VkInstance *pInstance)
{
	VkLayerInstanceCreateInfo *link = link_of(pCreateInfo);
	struct instance *instance;
	VkResult result;

	if (!link || !link->u.pLayerInfo)
		return VK_ERROR_INITIALIZATION_FAILED;
	if (is_once_more(link->u.pLayerInfo))
		return pass_on(link, pCreateInfo, pAllocator, pInstance);
	instance = instance_new(pCreateInfo, pAllocator);
	if (!instance)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = create_below(instance, link, pCreateInfo, pAllocator, *pInstance);
	if (result != VK_SUCCESS) {
		instance_free(instance);
		return result;
	}
	instance_calls_load(&instance->calls, instance->handle,
			    instance->calls.vkGetInstanceProcAddr);
	if (!table_add(&instances, instance->handle, instance)) {
		instance->calls.vkDestroyInstance(instance->handle, pAllocator);
		instance_free(instance);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	*pInstance = instance->handle;
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroyInstance(VkInstance handle,
						   const VkAllocationCallbacks *pAllocator)
{
	struct instance *instance = handle ? instance_of(handle) : NULL;

	if (!instance)
		return;
	devices_end(instance);
	messenger_destroy(instance);
	table_remove(&instances, handle);
	instance->calls.vkDestroyInstance(handle, pAllocator);
	app_messengers_free(instance);
	instance_free(instance);
}
