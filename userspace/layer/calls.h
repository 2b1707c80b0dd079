/* SPDX-License-Identifier: MIT */
/* The functions of the next layer or of the driver that this layer calls or replaces. */
#ifndef DRMFAULT_LAYER_CALLS_H
#define DRMFAULT_LAYER_CALLS_H

#include "drmfault_vulkan.h"

#include <vulkan/vk_layer.h>

#define INSTANCE_CALLS(CALL)                       \
	CALL(vkDestroyInstance)                    \
	CALL(vkEnumerateDeviceExtensionProperties) \
	CALL(vkGetPhysicalDeviceProperties)        \
	CALL(vkGetPhysicalDeviceFeatures2)         \
	CALL(vkGetPhysicalDeviceFeatures2KHR)      \
	CALL(vkGetPhysicalDeviceProperties2)       \
	CALL(vkGetPhysicalDeviceProperties2KHR)    \
	CALL(vkCreateDevice)                       \
	CALL(vkCreateDebugUtilsMessengerEXT)       \
	CALL(vkDestroyDebugUtilsMessengerEXT)

/* Besides those of registry.py. */
#define DEVICE_CALLS(CALL)                               \
	CALL(vkDestroyDevice)                            \
	CALL(vkGetDeviceFaultInfoEXT)                    \
	CALL(vkGetDeviceFaultReportsKHR)                 \
	CALL(vkGetDeviceFaultDebugInfoKHR)               \
	CALL(vkAllocateMemory)                           \
	CALL(vkFreeMemory)                               \
	CALL(vkCreateBuffer)                             \
	CALL(vkDestroyBuffer)                            \
	CALL(vkBindBufferMemory)                         \
	CALL(vkBindBufferMemory2)                        \
	CALL(vkBindBufferMemory2KHR)                     \
	CALL(vkGetBufferDeviceAddress)                   \
	CALL(vkGetBufferDeviceAddressKHR)                \
	CALL(vkGetBufferDeviceAddressEXT)                \
	CALL(vkCreateImage)                              \
	CALL(vkDestroyImage)                             \
	CALL(vkBindImageMemory)                          \
	CALL(vkBindImageMemory2)                         \
	CALL(vkBindImageMemory2KHR)                      \
	CALL(vkCreateAccelerationStructureKHR)           \
	CALL(vkDestroyAccelerationStructureKHR)          \
	CALL(vkCreateAccelerationStructureNV)            \
	CALL(vkDestroyAccelerationStructureNV)           \
	CALL(vkBindAccelerationStructureMemoryNV)        \
	CALL(vkDestroyPipeline)                          \
	CALL(vkFreeCommandBuffers)                       \
	CALL(vkGetAccelerationStructureDeviceAddressKHR) \
	CALL(vkQueueBindSparse)                          \
	CALL(vkSetDebugUtilsObjectNameEXT)               \
	CALL(vkQueueSubmit)                              \
	CALL(vkQueueSubmit2)                             \
	CALL(vkQueueSubmit2KHR)                          \
	CALL(vkGetFenceStatus)                           \
	CALL(vkResetFences)                              \
	CALL(vkDestroyFence)                             \
	CALL(vkDestroySemaphore)                         \
	CALL(vkGetSemaphoreCounterValue)                 \
	CALL(vkGetSemaphoreCounterValueKHR)              \
	CALL(vkWaitForFences)                            \
	CALL(vkWaitSemaphores)                           \
	CALL(vkWaitSemaphoresKHR)                        \
	CALL(vkQueueWaitIdle)                            \
	CALL(vkDeviceWaitIdle)

/* Called, and not replaced. */
#define SIZE_CALLS(CALL)                       \
	CALL(vkGetImageMemoryRequirements)     \
	CALL(vkGetImageMemoryRequirements2)    \
	CALL(vkGetImageMemoryRequirements2KHR) \
	CALL(vkGetAccelerationStructureMemoryRequirementsNV)

#define CALL_MEMBER(name) PFN_##name name;

struct instance_calls {
	PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
	INSTANCE_CALLS(CALL_MEMBER)
};

#define LOST(name, parameters, arguments, handle) PFN_##name name;

struct device_calls {
	PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr;
	DEVICE_CALLS(CALL_MEMBER)
	SIZE_CALLS(CALL_MEMBER)
#include "lost-commands.h"
};

#undef LOST

void instance_calls_load(struct instance_calls *calls, VkInstance instance,
			 PFN_vkGetInstanceProcAddr next);
void device_calls_load(struct device_calls *calls, VkDevice device, PFN_vkGetDeviceProcAddr next);

#endif /* DRMFAULT_LAYER_CALLS_H */
