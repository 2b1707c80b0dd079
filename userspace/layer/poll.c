// SPDX-License-Identifier: MIT
/*
 * Applications that ask again and again instead of waiting. Only what was submitted counts,
 * and only while the application asks for it: one that idles is never said to hang.
 */
#include "chain.h"
#include "clock.h"
#include "hooks.h"
#include "object.h"
#include "watchdog.h"

static void submit_fence(struct device *device, VkFence fence)
{
	if (fence)
		watchdog_submit(device, VK_OBJECT_TYPE_FENCE, HANDLE(fence), 1);
}

/* Values of binary semaphores mean nothing, and nobody can ask for them. */
static void submit_semaphores(struct device *device, const VkSubmitInfo *info)
{
	const VkTimelineSemaphoreSubmitInfo *timeline =
		chain_find(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
	uint32_t i;

	for (i = 0;
	     timeline && i < info->signalSemaphoreCount && i < timeline->signalSemaphoreValueCount;
	     i++)
		watchdog_submit(device, VK_OBJECT_TYPE_SEMAPHORE,
				HANDLE(info->pSignalSemaphores[i]),
				timeline->pSignalSemaphoreValues[i]);
}

static void submit_semaphores2(struct device *device, const VkSubmitInfo2 *info)
{
	const VkSemaphoreSubmitInfo *signal;
	uint32_t i;

	for (i = 0; i < info->signalSemaphoreInfoCount; i++) {
		signal = &info->pSignalSemaphoreInfos[i];
		watchdog_submit(device, VK_OBJECT_TYPE_SEMAPHORE, HANDLE(signal->semaphore),
				signal->value);
	}
}

/* Before the call: another thread may ask as soon as it is made. */
#define SUBMIT(name, structure, tell)                                                        \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name(VkQueue queue, uint32_t count,           \
						    const structure *submits, VkFence fence) \
	{                                                                                    \
		struct device *device = device_of(queue);                                    \
		VkResult result;                                                             \
		uint32_t i;                                                                  \
                                                                                             \
		for (i = 0; device->watchdog && i < count; i++)                              \
			tell(device, &submits[i]);                                           \
		submit_fence(device, fence);                                                 \
		result = device->calls.name(queue, count, submits, fence);                   \
		if (result != VK_SUCCESS)                                                    \
			watchdog_forget(device, VK_OBJECT_TYPE_FENCE, HANDLE(fence));        \
		if (result == VK_ERROR_DEVICE_LOST)                                          \
			device_is_lost(device, #name);                                       \
		return result;                                                               \
	}

SUBMIT(vkQueueSubmit, VkSubmitInfo, submit_semaphores)
SUBMIT(vkQueueSubmit2, VkSubmitInfo2, submit_semaphores2)
SUBMIT(vkQueueSubmit2KHR, VkSubmitInfo2, submit_semaphores2)

VKAPI_ATTR VkResult VKAPI_CALL layer_vkGetFenceStatus(VkDevice handle, VkFence fence)
{
	struct device *device = device_of(handle);
	VkResult result = device->calls.vkGetFenceStatus(handle, fence);

	if (result == VK_ERROR_DEVICE_LOST)
		device_is_lost(device, "vkGetFenceStatus");
	else if (result >= 0)
		watchdog_see(device, "vkGetFenceStatus", VK_OBJECT_TYPE_FENCE, HANDLE(fence),
			     result == VK_SUCCESS);
	return result;
}

#define COUNTER(name)                                                                            \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name(VkDevice handle, VkSemaphore semaphore,      \
						    uint64_t *pValue)                            \
	{                                                                                        \
		struct device *device = device_of(handle);                                       \
		VkResult result = device->calls.name(handle, semaphore, pValue);                 \
                                                                                                 \
		if (result == VK_ERROR_DEVICE_LOST)                                              \
			device_is_lost(device, #name);                                           \
		else if (result == VK_SUCCESS)                                                   \
			watchdog_see(device, #name, VK_OBJECT_TYPE_SEMAPHORE, HANDLE(semaphore), \
				     *pValue);                                                   \
		return result;                                                                   \
	}

COUNTER(vkGetSemaphoreCounterValue)
COUNTER(vkGetSemaphoreCounterValueKHR)

/* Which of them are done the wait does not say. */
void polled_fences(struct device *device, const char *call, uint32_t count, const VkFence *fences,
		   VkResult result)
{
	VkResult one;
	uint32_t i;

	if (!device->watchdog || (result != VK_TIMEOUT && result != VK_SUCCESS))
		return;
	for (i = 0; i < count; i++) {
		one = device->calls.vkGetFenceStatus(device->handle, fences[i]);
		if (one >= 0)
			watchdog_see(device, call, VK_OBJECT_TYPE_FENCE, HANDLE(fences[i]),
				     one == VK_SUCCESS);
	}
}

void polled_semaphores(struct device *device, const char *call, const VkSemaphoreWaitInfo *info,
		       VkResult result)
{
	PFN_vkGetSemaphoreCounterValue ask = device->calls.vkGetSemaphoreCounterValue;
	uint64_t value;
	uint32_t i;

	if (!ask)
		ask = device->calls.vkGetSemaphoreCounterValueKHR;
	if (!device->watchdog || result != VK_TIMEOUT || !ask)
		return;
	for (i = 0; i < info->semaphoreCount; i++)
		if (ask(device->handle, info->pSemaphores[i], &value) == VK_SUCCESS)
			watchdog_see(device, call, VK_OBJECT_TYPE_SEMAPHORE,
				     HANDLE(info->pSemaphores[i]), value);
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkResetFences(VkDevice handle, uint32_t count,
						   const VkFence *fences)
{
	struct device *device = device_of(handle);
	uint32_t i;

	for (i = 0; device->watchdog && i < count; i++)
		watchdog_forget(device, VK_OBJECT_TYPE_FENCE, HANDLE(fences[i]));
	return device->calls.vkResetFences(handle, count, fences);
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroyFence(VkDevice handle, VkFence fence,
						const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);

	watchdog_forget(device, VK_OBJECT_TYPE_FENCE, HANDLE(fence));
	device->calls.vkDestroyFence(handle, fence, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroySemaphore(VkDevice handle, VkSemaphore semaphore,
						    const VkAllocationCallbacks *pAllocator)
{
	struct device *device = device_of(handle);

	watchdog_forget(device, VK_OBJECT_TYPE_SEMAPHORE, HANDLE(semaphore));
	device->calls.vkDestroySemaphore(handle, semaphore, pAllocator);
}
