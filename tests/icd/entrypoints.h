/* SPDX-License-Identifier: MIT */
/*
 * Every Vulkan command that the driver has: COMMAND(level, extension, name).
 * The level says of what the command is, the extension without which it is not
 * there. What Vulkan 1.1 has and this list lacks takes objects that the driver
 * does not make, see absent.c.
 */
#ifndef ICD_ENTRYPOINTS_H
#define ICD_ENTRYPOINTS_H

#define ICD_INSTANCE_COMMANDS(COMMAND)                                         \
	COMMAND(GLOBAL, CORE, EnumerateInstanceVersion)                        \
	COMMAND(GLOBAL, CORE, EnumerateInstanceExtensionProperties)            \
	COMMAND(GLOBAL, CORE, CreateInstance)                                  \
	COMMAND(INSTANCE, CORE, GetInstanceProcAddr)                           \
	COMMAND(INSTANCE, CORE, DestroyInstance)                               \
	COMMAND(INSTANCE, CORE, EnumeratePhysicalDevices)                      \
	COMMAND(INSTANCE, CORE, EnumeratePhysicalDeviceGroups)                 \
	COMMAND(INSTANCE, DEBUG_UTILS, CreateDebugUtilsMessengerEXT)           \
	COMMAND(INSTANCE, DEBUG_UTILS, DestroyDebugUtilsMessengerEXT)          \
	COMMAND(INSTANCE, DEBUG_UTILS, SubmitDebugUtilsMessageEXT)             \
	COMMAND(PHYSICAL, CORE, CreateDevice)                                  \
	COMMAND(PHYSICAL, CORE, EnumerateDeviceExtensionProperties)            \
	COMMAND(PHYSICAL, CORE, EnumerateDeviceLayerProperties)                \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceProperties)                   \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceProperties2)                  \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceFeatures)                     \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceFeatures2)                    \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceMemoryProperties)             \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceMemoryProperties2)            \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceQueueFamilyProperties)        \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceQueueFamilyProperties2)       \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceFormatProperties)             \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceFormatProperties2)            \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceImageFormatProperties)        \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceImageFormatProperties2)       \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceSparseImageFormatProperties)  \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceSparseImageFormatProperties2) \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceExternalBufferProperties)     \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceExternalFenceProperties)      \
	COMMAND(PHYSICAL, CORE, GetPhysicalDeviceExternalSemaphoreProperties)

#define ICD_DEVICE_COMMANDS(COMMAND)                                            \
	COMMAND(DEVICE, CORE, GetDeviceProcAddr)                                \
	COMMAND(DEVICE, CORE, DestroyDevice)                                    \
	COMMAND(DEVICE, CORE, DeviceWaitIdle)                                   \
	COMMAND(DEVICE, CORE, GetDeviceGroupPeerMemoryFeatures)                 \
	COMMAND(DEVICE, CORE, GetDeviceQueue)                                   \
	COMMAND(DEVICE, CORE, GetDeviceQueue2)                                  \
	COMMAND(DEVICE, CORE, QueueSubmit)                                      \
	COMMAND(DEVICE, CORE, QueueWaitIdle)                                    \
	COMMAND(DEVICE, CORE, QueueBindSparse)                                  \
	COMMAND(DEVICE, CORE, CreateFence)                                      \
	COMMAND(DEVICE, CORE, DestroyFence)                                     \
	COMMAND(DEVICE, CORE, ResetFences)                                      \
	COMMAND(DEVICE, CORE, GetFenceStatus)                                   \
	COMMAND(DEVICE, CORE, WaitForFences)                                    \
	COMMAND(DEVICE, CORE, CreateSemaphore)                                  \
	COMMAND(DEVICE, CORE, DestroySemaphore)                                 \
	COMMAND(DEVICE, CORE, AllocateMemory)                                   \
	COMMAND(DEVICE, CORE, FreeMemory)                                       \
	COMMAND(DEVICE, CORE, MapMemory)                                        \
	COMMAND(DEVICE, CORE, UnmapMemory)                                      \
	COMMAND(DEVICE, CORE, FlushMappedMemoryRanges)                          \
	COMMAND(DEVICE, CORE, InvalidateMappedMemoryRanges)                     \
	COMMAND(DEVICE, CORE, GetDeviceMemoryCommitment)                        \
	COMMAND(DEVICE, CORE, CreateBuffer)                                     \
	COMMAND(DEVICE, CORE, DestroyBuffer)                                    \
	COMMAND(DEVICE, CORE, GetBufferMemoryRequirements)                      \
	COMMAND(DEVICE, CORE, GetBufferMemoryRequirements2)                     \
	COMMAND(DEVICE, CORE, BindBufferMemory)                                 \
	COMMAND(DEVICE, CORE, BindBufferMemory2)                                \
	COMMAND(DEVICE, BUFFER_ADDRESS, GetBufferDeviceAddressKHR)              \
	COMMAND(DEVICE, BUFFER_ADDRESS, GetBufferOpaqueCaptureAddressKHR)       \
	COMMAND(DEVICE, BUFFER_ADDRESS, GetDeviceMemoryOpaqueCaptureAddressKHR) \
	COMMAND(DEVICE, CORE, CreateCommandPool)                                \
	COMMAND(DEVICE, CORE, DestroyCommandPool)                               \
	COMMAND(DEVICE, CORE, ResetCommandPool)                                 \
	COMMAND(DEVICE, CORE, TrimCommandPool)                                  \
	COMMAND(DEVICE, CORE, AllocateCommandBuffers)                           \
	COMMAND(DEVICE, CORE, FreeCommandBuffers)                               \
	COMMAND(DEVICE, CORE, BeginCommandBuffer)                               \
	COMMAND(DEVICE, CORE, EndCommandBuffer)                                 \
	COMMAND(DEVICE, CORE, ResetCommandBuffer)                               \
	COMMAND(DEVICE, CORE, CmdFillBuffer)                                    \
	COMMAND(DEVICE, CORE, CmdCopyBuffer)                                    \
	COMMAND(DEVICE, CORE, CmdUpdateBuffer)                                  \
	COMMAND(DEVICE, CORE, CmdPipelineBarrier)                               \
	COMMAND(DEVICE, CORE, CmdSetDeviceMask)                                 \
	COMMAND(DEVICE, CORE, CmdExecuteCommands)                               \
	COMMAND(DEVICE, BINARY_IMPORT, CreateCuModuleNVX)                       \
	COMMAND(DEVICE, BINARY_IMPORT, DestroyCuModuleNVX)                      \
	COMMAND(DEVICE, BINARY_IMPORT, CreateCuFunctionNVX)                     \
	COMMAND(DEVICE, BINARY_IMPORT, DestroyCuFunctionNVX)                    \
	COMMAND(DEVICE, BINARY_IMPORT, CmdCuLaunchKernelNVX)                    \
	COMMAND(DEVICE, DEBUG_UTILS, SetDebugUtilsObjectNameEXT)                \
	COMMAND(DEVICE, DEBUG_UTILS, SetDebugUtilsObjectTagEXT)                 \
	COMMAND(DEVICE, DEBUG_UTILS, QueueBeginDebugUtilsLabelEXT)              \
	COMMAND(DEVICE, DEBUG_UTILS, QueueEndDebugUtilsLabelEXT)                \
	COMMAND(DEVICE, DEBUG_UTILS, QueueInsertDebugUtilsLabelEXT)             \
	COMMAND(DEVICE, DEBUG_UTILS, CmdBeginDebugUtilsLabelEXT)                \
	COMMAND(DEVICE, DEBUG_UTILS, CmdEndDebugUtilsLabelEXT)                  \
	COMMAND(DEVICE, DEBUG_UTILS, CmdInsertDebugUtilsLabelEXT)               \
	COMMAND(DEVICE, FAULT_EXT, GetDeviceFaultInfoEXT)                       \
	COMMAND(DEVICE, FAULT_KHR, GetDeviceFaultReportsKHR)                    \
	COMMAND(DEVICE, FAULT_KHR, GetDeviceFaultDebugInfoKHR)

/* Objects that need what the GPU lacks: their creation fails. */
#define ICD_ABSENT_COMMANDS(COMMAND)                          \
	COMMAND(DEVICE, CORE, CreateBufferView)               \
	COMMAND(DEVICE, CORE, CreateImage)                    \
	COMMAND(DEVICE, CORE, CreateImageView)                \
	COMMAND(DEVICE, CORE, CreateSampler)                  \
	COMMAND(DEVICE, CORE, CreateSamplerYcbcrConversion)   \
	COMMAND(DEVICE, CORE, CreateShaderModule)             \
	COMMAND(DEVICE, CORE, CreatePipelineCache)            \
	COMMAND(DEVICE, CORE, CreatePipelineLayout)           \
	COMMAND(DEVICE, CORE, CreateComputePipelines)         \
	COMMAND(DEVICE, CORE, CreateGraphicsPipelines)        \
	COMMAND(DEVICE, CORE, CreateDescriptorSetLayout)      \
	COMMAND(DEVICE, CORE, CreateDescriptorPool)           \
	COMMAND(DEVICE, CORE, CreateDescriptorUpdateTemplate) \
	COMMAND(DEVICE, CORE, CreateRenderPass)               \
	COMMAND(DEVICE, CORE, CreateFramebuffer)              \
	COMMAND(DEVICE, CORE, CreateQueryPool)                \
	COMMAND(DEVICE, CORE, CreateEvent)                    \
	COMMAND(DEVICE, CORE, GetDescriptorSetLayoutSupport)

/* Other names: ALIAS(level, extension, name, name of the command that it is). */
#define ICD_ALIASES(ALIAS)                                                                      \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceFeatures2KHR, GetPhysicalDeviceFeatures2) \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceProperties2KHR,                           \
	      GetPhysicalDeviceProperties2)                                                     \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceFormatProperties2KHR,                     \
	      GetPhysicalDeviceFormatProperties2)                                               \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceImageFormatProperties2KHR,                \
	      GetPhysicalDeviceImageFormatProperties2)                                          \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceQueueFamilyProperties2KHR,                \
	      GetPhysicalDeviceQueueFamilyProperties2)                                          \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceMemoryProperties2KHR,                     \
	      GetPhysicalDeviceMemoryProperties2)                                               \
	ALIAS(PHYSICAL, PROPERTIES2, GetPhysicalDeviceSparseImageFormatProperties2KHR,          \
	      GetPhysicalDeviceSparseImageFormatProperties2)

#define ICD_COMMANDS(COMMAND)          \
	ICD_INSTANCE_COMMANDS(COMMAND) \
	ICD_DEVICE_COMMANDS(COMMAND)   \
	ICD_ABSENT_COMMANDS(COMMAND)

#endif /* ICD_ENTRYPOINTS_H */
