// SPDX-License-Identifier: MIT
/* A semaphore is a syncobj: it waits and is signaled in queue.c. */
#include <xf86drm.h>

#include "icd.h"

VkResult icd_CreateSemaphore(VkDevice handle, const VkSemaphoreCreateInfo *pCreateInfo,
			     const VkAllocationCallbacks *pAllocator, VkSemaphore *pSemaphore)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	const VkAllocationCallbacks *alloc = pAllocator ? pAllocator : &device->alloc;
	struct icd_semaphore *semaphore;

	(void)pCreateInfo;
	semaphore = icd_object_create(alloc, sizeof(*semaphore), VK_OBJECT_TYPE_SEMAPHORE);
	if (!semaphore)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (drmSyncobjCreate(device->fd, 0, &semaphore->syncobj)) {
		icd_object_destroy(alloc, semaphore);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	*pSemaphore = ICD_HANDLE(VkSemaphore, semaphore);
	return VK_SUCCESS;
}

void icd_DestroySemaphore(VkDevice handle, VkSemaphore semaphore_handle,
			  const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_semaphore *semaphore = ICD_OBJECT(semaphore, semaphore_handle);

	if (!semaphore)
		return;
	drmSyncobjDestroy(device->fd, semaphore->syncobj);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, semaphore);
}
