// SPDX-License-Identifier: MIT
/* Fences, semaphores and submissions, which are done at once or never. */
#include <stdlib.h>

#include "mock.h"

#define LATER 300u

/* 1 of a fence that is done. */
struct mock_value {
	uint64_t value;
};

VkResult mock_work(VkResult otherwise)
{
	if (!mock_does("lose") && !(mock_does("lose-later") && ++mock_works > LATER))
		return otherwise;
	mock_is_lost = true;
	return VK_ERROR_DEVICE_LOST;
}

static uint64_t *value_of(const void *handle)
{
	return &((struct mock_value *)handle)->value;
}

static VkResult value_new(void **handle)
{
	*handle = calloc(1, sizeof(struct mock_value));
	return *handle ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateFence(VkDevice device,
							 const VkFenceCreateInfo *info,
							 const VkAllocationCallbacks *allocator,
							 VkFence *fence)
{
	(void)device;
	(void)info;
	(void)allocator;
	return value_new((void **)fence);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkDestroyFence(VkDevice device, VkFence fence,
						      const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	free(fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkResetFences(VkDevice device, uint32_t count,
							 const VkFence *fences)
{
	uint32_t i;

	(void)device;
	for (i = 0; i < count; i++)
		__atomic_store_n(value_of(fences[i]), 0, __ATOMIC_RELAXED);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkGetFenceStatus(VkDevice device, VkFence fence)
{
	(void)device;
	return mock_work(fence && __atomic_load_n(value_of(fence), __ATOMIC_RELAXED)
				 ? VK_SUCCESS
				 : VK_NOT_READY);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkWaitForFences(VkDevice device, uint32_t count,
							   const VkFence *fences, VkBool32 all,
							   uint64_t timeout)
{
	uint32_t i;

	(void)device;
	(void)all;
	(void)timeout;
	for (i = 0; i < count; i++)
		if (!__atomic_load_n(value_of(fences[i]), __ATOMIC_RELAXED))
			return mock_work(VK_TIMEOUT);
	return mock_work(VK_SUCCESS);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkCreateSemaphore(VkDevice device,
							     const VkSemaphoreCreateInfo *info,
							     const VkAllocationCallbacks *allocator,
							     VkSemaphore *semaphore)
{
	(void)device;
	(void)info;
	(void)allocator;
	return value_new((void **)semaphore);
}

static VKAPI_ATTR void VKAPI_CALL mock_vkDestroySemaphore(VkDevice device, VkSemaphore semaphore,
							  const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)allocator;
	free(semaphore);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkGetSemaphoreCounterValue(VkDevice device,
								      VkSemaphore semaphore,
								      uint64_t *value)
{
	(void)device;
	if (semaphore)
		*value = __atomic_load_n(value_of(semaphore), __ATOMIC_RELAXED);
	return mock_work(VK_SUCCESS);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkWaitSemaphores(VkDevice device,
							    const VkSemaphoreWaitInfo *info,
							    uint64_t timeout)
{
	uint32_t i;

	(void)device;
	(void)timeout;
	for (i = 0; info && i < info->semaphoreCount; i++)
		if (__atomic_load_n(value_of(info->pSemaphores[i]), __ATOMIC_RELAXED) <
		    info->pValues[i])
			return mock_work(VK_TIMEOUT);
	return mock_work(VK_SUCCESS);
}

static void finish(const VkSubmitInfo *info)
{
	const VkTimelineSemaphoreSubmitInfo *timeline = info->pNext;
	uint32_t i;

	for (i = 0; timeline && i < info->signalSemaphoreCount; i++)
		__atomic_store_n(value_of(info->pSignalSemaphores[i]),
				 timeline->pSignalSemaphoreValues[i], __ATOMIC_RELAXED);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkQueueSubmit(VkQueue queue, uint32_t count,
							 const VkSubmitInfo *infos, VkFence fence)
{
	uint32_t i;

	(void)queue;
	if (!mock_does("hang")) {
		for (i = 0; i < count; i++)
			finish(&infos[i]);
		if (fence)
			__atomic_store_n(value_of(fence), 1, __ATOMIC_RELAXED);
	}
	return mock_work(VK_SUCCESS);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_vkQueueSubmit2(VkQueue queue, uint32_t count,
							  const VkSubmitInfo2 *infos, VkFence fence)
{
	(void)count;
	(void)infos;
	return mock_vkQueueSubmit(queue, 0, NULL, fence);
}

PFN_vkVoidFunction mock_sync_function(const char *name)
{
	static const struct mock_name names[] = {
		MOCK_NAME(vkCreateFence),
		MOCK_NAME(vkDestroyFence),
		MOCK_NAME(vkResetFences),
		MOCK_NAME(vkGetFenceStatus),
		MOCK_NAME(vkWaitForFences),
		MOCK_NAME(vkCreateSemaphore),
		MOCK_NAME(vkDestroySemaphore),
		MOCK_NAME(vkGetSemaphoreCounterValue),
		MOCK_NAME(vkWaitSemaphores),
		MOCK_NAME(vkQueueSubmit),
		MOCK_NAME(vkQueueSubmit2),
		{ "vkQueueSubmit2KHR", (PFN_vkVoidFunction)mock_vkQueueSubmit2 },
		{ "vkGetSemaphoreCounterValueKHR",
		  (PFN_vkVoidFunction)mock_vkGetSemaphoreCounterValue },
		{ "vkWaitSemaphoresKHR", (PFN_vkVoidFunction)mock_vkWaitSemaphores },
	};

	return MOCK_FIND(names, name);
}
