// SPDX-License-Identifier: MIT
/* Sparse binding: ranges of objects that get and lose memory. */
#include "hooks.h"
#include "object.h"

static void bind_ranges(struct device *device, VkObjectType type, uint64_t handle, uint32_t count,
			const VkSparseMemoryBind *binds)
{
	struct object object;
	uint32_t i;

	if (!objects_get(device->objects, type, handle, &object) || !object.address)
		return;
	for (i = 0; i < count; i++) {
		VkDeviceAddress address = object.address + binds[i].resourceOffset;

		if (binds[i].memory)
			binding_begin(device, &object, address, binds[i].size, 0);
		else
			binding_end(device, &object, address, binds[i].size);
	}
}

/*
 * When memory is taken away its time must be one at which it still was there, and when it is
 * given one at which it is there: with semaphores that is later than the call.
 */
static void follow(struct device *device, uint32_t count, const VkBindSparseInfo *pBindInfo)
{
	uint32_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < pBindInfo[i].bufferBindCount; j++)
			bind_ranges(device, VK_OBJECT_TYPE_BUFFER,
				    HANDLE(pBindInfo[i].pBufferBinds[j].buffer),
				    pBindInfo[i].pBufferBinds[j].bindCount,
				    pBindInfo[i].pBufferBinds[j].pBinds);
		for (j = 0; j < pBindInfo[i].imageOpaqueBindCount; j++)
			bind_ranges(device, VK_OBJECT_TYPE_IMAGE,
				    HANDLE(pBindInfo[i].pImageOpaqueBinds[j].image),
				    pBindInfo[i].pImageOpaqueBinds[j].bindCount,
				    pBindInfo[i].pImageOpaqueBinds[j].pBinds);
	}
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkQueueBindSparse(VkQueue queue, uint32_t count,
						       const VkBindSparseInfo *pBindInfo,
						       VkFence fence)
{
	struct device *device = device_of(queue);
	struct scope scope;
	VkResult result;

	scope_enter(&scope, device, 0);
	result = device->calls.vkQueueBindSparse(queue, count, pBindInfo, fence);
	scope_leave(&scope);
	if (result == VK_SUCCESS && device->bindings)
		follow(device, count, pBindInfo);
	else if (result == VK_ERROR_DEVICE_LOST)
		device_is_lost(device, "vkQueueBindSparse");
	return result;
}
