// SPDX-License-Identifier: MIT
/* Names that the application gives to its objects. */
#include "hooks.h"

/* Those whose end the layer sees: names of others, by which no fault is told, would pile up. */
static bool is_followed(VkObjectType type)
{
	switch ((int)type) {
	case VK_OBJECT_TYPE_DEVICE_MEMORY:
	case VK_OBJECT_TYPE_BUFFER:
	case VK_OBJECT_TYPE_IMAGE:
	case VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR:
	case VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV:
	case VK_OBJECT_TYPE_PIPELINE:
	case VK_OBJECT_TYPE_COMMAND_BUFFER:
		return true;
	default:
		return false;
	}
}

VKAPI_ATTR VkResult VKAPI_CALL
layer_vkSetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
	struct device *device = device_of(handle);

	if (device->bindings && is_followed(pNameInfo->objectType))
		drmfault_bindings_name(device->bindings, (uint32_t)pNameInfo->objectType,
				       pNameInfo->objectHandle, pNameInfo->pObjectName);
	return device->calls.vkSetDebugUtilsObjectNameEXT(handle, pNameInfo);
}
