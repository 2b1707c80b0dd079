// SPDX-License-Identifier: MIT
/* Names that the application gives to its objects. */
#include "hooks.h"

VKAPI_ATTR VkResult VKAPI_CALL
layer_vkSetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
	struct device *device = device_of(handle);

	if (device->bindings)
		drmfault_bindings_name(device->bindings, (uint32_t)pNameInfo->objectType,
				       pNameInfo->objectHandle, pNameInfo->pObjectName);
	return device->calls.vkSetDebugUtilsObjectNameEXT(handle, pNameInfo);
}
