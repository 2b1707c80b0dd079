// SPDX-License-Identifier: MIT
/*
 * Sparse binding: ranges of objects that get and lose memory. It goes at a time at which
 * it was there still, before the driver is told, and comes at one at which it is there for
 * sure, so that a fault during the call is not taken for another mistake.
 */
#include "clock.h"
#include "hooks.h"
#include "object.h"

static void bind_ranges(struct device *device, VkObjectType type, uint64_t handle, uint32_t count,
			const VkSparseMemoryBind *binds, uint64_t before_ns)
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
			binding_end(device, &object, address, binds[i].size,
				    DRMFAULT_BINDING_SPARSE, before_ns);
	}
}

/* Where the tiles of an image are only the driver knows: somewhere in it. */
static void bind_tiles(struct device *device, const VkSparseImageMemoryBindInfo *info)
{
	struct object object;
	bool some = false;
	uint32_t i;

	for (i = 0; i < info->bindCount; i++)
		some |= info->pBinds[i].memory != VK_NULL_HANDLE;
	if (!some ||
	    !objects_get(device->objects, VK_OBJECT_TYPE_IMAGE, HANDLE(info->image), &object) ||
	    !object.address || object.flags & OBJECT_PARTIAL)
		return;
	object.flags |= OBJECT_PARTIAL;
	objects_set(device->objects, &object);
	binding_begin(device, &object, object.address, object.size, DRMFAULT_BINDING_PARTIAL);
}

static void follow(struct device *device, const VkBindSparseInfo *info, uint64_t before_ns)
{
	uint32_t i;

	for (i = 0; i < info->bufferBindCount; i++)
		bind_ranges(device, VK_OBJECT_TYPE_BUFFER, HANDLE(info->pBufferBinds[i].buffer),
			    info->pBufferBinds[i].bindCount, info->pBufferBinds[i].pBinds,
			    before_ns);
	for (i = 0; i < info->imageOpaqueBindCount; i++)
		bind_ranges(device, VK_OBJECT_TYPE_IMAGE, HANDLE(info->pImageOpaqueBinds[i].image),
			    info->pImageOpaqueBinds[i].bindCount, info->pImageOpaqueBinds[i].pBinds,
			    before_ns);
	for (i = 0; i < info->imageBindCount; i++)
		bind_tiles(device, &info->pImageBinds[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkQueueBindSparse(VkQueue queue, uint32_t count,
						       const VkBindSparseInfo *pBindInfo,
						       VkFence fence)
{
	struct device *device = device_of(queue);
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC);
	struct scope scope;
	VkResult result;
	uint32_t i;

	scope_enter(&scope, device, 0);
	scope.taking = DRMFAULT_BINDING_SPARSE;
	result = device->calls.vkQueueBindSparse(queue, count, pBindInfo, fence);
	scope_leave(&scope);
	for (i = 0; result == VK_SUCCESS && device->bindings && i < count; i++)
		follow(device, &pBindInfo[i], before_ns);
	if (result == VK_ERROR_DEVICE_LOST)
		device_is_lost(device, "vkQueueBindSparse");
	return result;
}
