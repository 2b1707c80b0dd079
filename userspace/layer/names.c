// SPDX-License-Identifier: MIT
/* Names that the application gives to its objects. */
#include "hooks.h"
#include "object.h"

/*
 * Where pipelines and command buffers are only the driver can tell, and it may do so later.
 * Names of what nobody tells the address or the end of would pile up.
 */
static bool is_kept(struct device *device, VkObjectType type, uint64_t handle)
{
	struct object object;

	return type == VK_OBJECT_TYPE_PIPELINE || type == VK_OBJECT_TYPE_COMMAND_BUFFER ||
	       objects_get(device->objects, type, handle, &object);
}

VKAPI_ATTR VkResult VKAPI_CALL
layer_vkSetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
	struct device *device = device_of(handle);

	if (device->bindings && is_kept(device, pNameInfo->objectType, pNameInfo->objectHandle))
		drmfault_bindings_name(device->bindings, (uint32_t)pNameInfo->objectType,
				       pNameInfo->objectHandle, pNameInfo->pObjectName);
	return device->calls.vkSetDebugUtilsObjectNameEXT(handle, pNameInfo);
}
