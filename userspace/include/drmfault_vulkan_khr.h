/* SPDX-License-Identifier: MIT */
/*
 * What <vulkan/vulkan_core.h> lacks of VK_KHR_device_fault where it is older than
 * the extension: the same names, values and layouts, so that a program is written
 * once and builds with every header from 1.3.236 on. Where the installed header has
 * the extension this one adds nothing.
 *
 * Source: the Vulkan registry, revision 1 of VK_KHR_device_fault (extension 574),
 * revision 1 of VK_KHR_shader_abort (extension 234), and VK_KHR_pipeline_binary
 * (extension 484) for one result. Later registries made the EXT's address and vendor
 * infos aliases of the KHR's; here it is the other way round.
 *
 * Enumerators that cannot be added to a foreign enum are macros. A switch over such
 * an enum may need a default.
 */
#ifndef DRMFAULT_VULKAN_KHR_H
#define DRMFAULT_VULKAN_KHR_H

#include <vulkan/vulkan_core.h>

#ifndef VK_KHR_pipeline_binary
#define VK_ERROR_NOT_ENOUGH_SPACE_KHR ((VkResult)-1000483000)
#endif

#ifndef VK_KHR_device_fault
#define VK_KHR_device_fault		   1
#define VK_KHR_DEVICE_FAULT_SPEC_VERSION   1
#define VK_KHR_DEVICE_FAULT_EXTENSION_NAME "VK_KHR_device_fault"

#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR   ((VkStructureType)1000573000)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR ((VkStructureType)1000573001)
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR		       ((VkStructureType)1000573002)
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR	       ((VkStructureType)1000573003)

typedef VkDeviceFaultAddressTypeEXT VkDeviceFaultAddressTypeKHR;
#define VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_KHR	      VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_KHR VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR \
	VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_KHR \
	VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_KHR \
	VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_KHR \
	VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT
#define VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_KHR \
	VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT

typedef VkDeviceFaultVendorBinaryHeaderVersionEXT VkDeviceFaultVendorBinaryHeaderVersionKHR;
#define VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_KHR \
	VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT

typedef enum VkDeviceFaultFlagBitsKHR {
	VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR = 0x00000001,
	VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR = 0x00000002,
	VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR = 0x00000004,
	VK_DEVICE_FAULT_FLAG_VENDOR_KHR = 0x00000008,
	VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR = 0x00000010,
	VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR = 0x00000020,
	VK_DEVICE_FAULT_FLAG_BITS_MAX_ENUM_KHR = 0x7FFFFFFF
} VkDeviceFaultFlagBitsKHR;
typedef VkFlags VkDeviceFaultFlagsKHR;

typedef struct VkPhysicalDeviceFaultFeaturesKHR {
	VkStructureType sType;
	void *pNext;
	VkBool32 deviceFault;
	VkBool32 deviceFaultVendorBinary;
	VkBool32 deviceFaultReportMasked;
	VkBool32 deviceFaultDeviceLostOnMasked;
} VkPhysicalDeviceFaultFeaturesKHR;

typedef struct VkPhysicalDeviceFaultPropertiesKHR {
	VkStructureType sType;
	void *pNext;
	uint32_t maxDeviceFaultCount;
} VkPhysicalDeviceFaultPropertiesKHR;

typedef VkDeviceFaultAddressInfoEXT VkDeviceFaultAddressInfoKHR;
typedef VkDeviceFaultVendorInfoEXT VkDeviceFaultVendorInfoKHR;

typedef struct VkDeviceFaultInfoKHR {
	VkStructureType sType;
	void *pNext;
	VkDeviceFaultFlagsKHR flags;
	uint64_t groupId;
	char description[VK_MAX_DESCRIPTION_SIZE];
	VkDeviceFaultAddressInfoKHR faultAddressInfo;
	VkDeviceFaultAddressInfoKHR instructionAddressInfo;
	VkDeviceFaultVendorInfoKHR vendorInfo;
} VkDeviceFaultInfoKHR;

typedef struct VkDeviceFaultDebugInfoKHR {
	VkStructureType sType;
	void *pNext;
	uint32_t vendorBinarySize;
	void *pVendorBinaryData;
} VkDeviceFaultDebugInfoKHR;

/* The EXT's has this shape too, except in headers before April 2023, which lack its end. */
typedef struct VkDeviceFaultVendorBinaryHeaderVersionOneKHR {
	uint32_t headerSize;
	VkDeviceFaultVendorBinaryHeaderVersionKHR headerVersion;
	uint32_t vendorID;
	uint32_t deviceID;
	uint32_t driverVersion;
	uint8_t pipelineCacheUUID[VK_UUID_SIZE];
	uint32_t applicationNameOffset;
	uint32_t applicationVersion;
	uint32_t engineNameOffset;
	uint32_t engineVersion;
	uint32_t apiVersion;
} VkDeviceFaultVendorBinaryHeaderVersionOneKHR;

typedef VkResult(VKAPI_PTR *PFN_vkGetDeviceFaultReportsKHR)(VkDevice device, uint64_t timeout,
							    uint32_t *pFaultCounts,
							    VkDeviceFaultInfoKHR *pFaultInfo);
typedef VkResult(VKAPI_PTR *PFN_vkGetDeviceFaultDebugInfoKHR)(
	VkDevice device, VkDeviceFaultDebugInfoKHR *pDebugInfo);
#endif /* VK_KHR_device_fault */

/* Not all of the extension, so its macro stays undefined. */
#ifndef VK_KHR_shader_abort
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR ((VkStructureType)1000233001)

typedef struct VkDeviceFaultShaderAbortMessageInfoKHR {
	VkStructureType sType;
	void *pNext;
	uint64_t messageDataSize;
	void *pMessageData;
} VkDeviceFaultShaderAbortMessageInfoKHR;
#endif /* VK_KHR_shader_abort */

#endif /* DRMFAULT_VULKAN_KHR_H */
