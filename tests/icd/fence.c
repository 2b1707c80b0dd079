// SPDX-License-Identifier: MIT
/* A fence is a syncobj. */
#include <errno.h>
#include <time.h>

#include <xf86drm.h>

#include "icd.h"

#define NS_PER_S 1000000000ULL

VkResult icd_CreateFence(VkDevice handle, const VkFenceCreateInfo *pCreateInfo,
			 const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	const VkAllocationCallbacks *alloc = pAllocator ? pAllocator : &device->alloc;
	bool signaled = pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT;
	struct icd_fence *fence;

	fence = icd_object_create(alloc, sizeof(*fence), VK_OBJECT_TYPE_FENCE);
	if (!fence)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (drmSyncobjCreate(device->fd, signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0,
			     &fence->syncobj)) {
		icd_object_destroy(alloc, fence);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	*pFence = ICD_HANDLE(VkFence, fence);
	return VK_SUCCESS;
}

void icd_DestroyFence(VkDevice handle, VkFence fence_handle,
		      const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_fence *fence = ICD_OBJECT(fence, fence_handle);

	if (!fence)
		return;
	drmSyncobjDestroy(device->fd, fence->syncobj);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, fence);
}

VkResult icd_ResetFences(VkDevice handle, uint32_t fenceCount, const VkFence *pFences)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	uint32_t i;

	for (i = 0; i < fenceCount; i++)
		if (drmSyncobjReset(device->fd, &ICD_OBJECT(fence, pFences[i])->syncobj, 1))
			return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	return VK_SUCCESS;
}

VkResult icd_GetFenceStatus(VkDevice handle, VkFence fence)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	uint32_t syncobj = ICD_OBJECT(fence, fence)->syncobj;

	if (device->lost)
		return VK_ERROR_DEVICE_LOST;
	if (drmSyncobjWait(device->fd, &syncobj, 1, 0, 0, NULL))
		return VK_NOT_READY;
	return icd_sync_result(device, syncobj);
}

/* The time of CLOCK_MONOTONIC after this many nanoseconds, as the kernel takes it. */
uint64_t icd_deadline(uint64_t timeout_ns)
{
	struct timespec now;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	return timeout_ns > INT64_MAX - ns ? INT64_MAX : ns + timeout_ns;
}

VkResult icd_WaitForFences(VkDevice handle, uint32_t fenceCount, const VkFence *pFences,
			   VkBool32 waitAll, uint64_t timeout)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	uint32_t flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT;
	uint64_t deadline = icd_deadline(timeout);
	uint32_t *syncobjs, i, first = 0;
	VkResult result = VK_SUCCESS;
	int ret;

	if (device->lost)
		return VK_ERROR_DEVICE_LOST;
	syncobjs = icd_alloc(&device->alloc, fenceCount * sizeof(*syncobjs),
			     VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
	if (!syncobjs)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (i = 0; i < fenceCount; i++)
		syncobjs[i] = ICD_OBJECT(fence, pFences[i])->syncobj;
	if (waitAll || fenceCount == 1)
		flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
	ret = drmSyncobjWait(device->fd, syncobjs, fenceCount, (int64_t)deadline, flags, &first);
	if (ret == -ETIME)
		result = VK_TIMEOUT;
	else if (ret)
		result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
	else if (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)
		for (i = 0; i < fenceCount && !result; i++)
			result = icd_sync_result(device, syncobjs[i]);
	else
		result = icd_sync_result(device, syncobjs[first]);
	icd_free(&device->alloc, syncobjs);
	return result;
}
