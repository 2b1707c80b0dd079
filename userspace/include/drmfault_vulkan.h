/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault-vulkan: GPU faults as the structures of VK_EXT_device_fault.
 *
 * A Vulkan driver takes a snapshot of its DRM file's faults when the device is
 * lost (drmfault_snapshot_take of libdrmfault, scope FILE), keeps it, and
 * answers vkGetDeviceFaultInfoEXT with drmfault_vk_get_fault_info_ext(). The
 * same snapshot always gives the same answer, byte for byte.
 *
 * The library has no state, allocates nothing, takes no locks and never prints:
 * any thread may call anything at any time.
 *
 * What becomes what
 *  - An address of a fault is one VkDeviceFaultAddressInfoEXT; an instruction
 *    pointer is another one, right behind the address of its record.
 *    Addresses are canonical: the highest bit of the GPU's address width is
 *    copied into all bits above, as Vulkan's own device addresses have it.
 *  - Every fault, timeout and reset is one VkDeviceFaultVendorInfoEXT.
 *  - All records as the kernel wrote them are the vendor binary.
 *  - Records of kinds that this library does not know are in the vendor binary
 *    alone.
 *
 * vendorFaultCode of a record; a value that does not fit is 255:
 *	63..56	0xdf, the mark of this layout
 *	55..48	flags, DRMFAULT_FLAG_*, the low 8
 *	47..40	number of the engine in its class
 *	39..32	class of the engine, enum drmfault_engine_class
 *	31..24	level of the page table where the walk ended, 0: not known
 *	23..16	access, enum drmfault_access
 *	15..8	fault type, enum drmfault_type, 0 in what is no fault
 *	 7..0	record type, enum drmfault_record_type
 * vendorFaultData of a fault is the first status word of the hardware as it was
 * read, 0 if there is none; of a timeout or reset the number of the job in its
 * fence context.
 *
 * The vendor binary, all numbers little-endian:
 *	0	VkDeviceFaultVendorBinaryHeaderVersionOneEXT, 56 bytes
 *	56	name of the application, then of the engine, each NUL-terminated
 *		and only if there is one; their offsets are in the header
 *	then, from the next multiple of 8 on, a dump as the kernel makes them, see
 *		<drm/drm_fault_dump.h>: drmfault_dump_open_memory() of drmfault_dump.h
 *		and `drmfault decode` read all of it. In it are the time of the newest
 *		record, the kernel's release, the GPU if it is given, all records, and
 *		the application
 */
#ifndef DRMFAULT_VULKAN_H
#define DRMFAULT_VULKAN_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include "drmfault.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Size of the header of a vendor binary: the only headerSize there is. */
#define DRMFAULT_VK_BINARY_HEADER_SIZE 56u
/** Bits 63..56 of every vendorFaultCode. */
#define DRMFAULT_VK_VENDOR_CODE_MARK 0xdfu

/**
 * struct drmfault_vk_identity - whose faults these are
 * @vendorID: of VkPhysicalDeviceProperties
 * @deviceID: of VkPhysicalDeviceProperties
 * @driverVersion: of VkPhysicalDeviceProperties
 * @pipelineCacheUUID: of VkPhysicalDeviceProperties
 * @pApplicationInfo: of VkInstanceCreateInfo, may be NULL
 * @vendor_binary: the feature deviceFaultVendorBinary was enabled on the device
 * @device: the GPU, which must not change as long as answers must not; may be NULL
 */
struct drmfault_vk_identity {
	uint32_t vendorID;
	uint32_t deviceID;
	uint32_t driverVersion;
	uint8_t pipelineCacheUUID[VK_UUID_SIZE];
	const VkApplicationInfo *pApplicationInfo;
	bool vendor_binary;
	const struct drmfault_device *device;
};

/**
 * drmfault_vk_get_fault_info_ext - answer vkGetDeviceFaultInfoEXT
 * @identity: what the header of the vendor binary says
 * @snapshot: the faults; NULL: none are known
 * @pFaultCounts: in: capacities of the arrays and of the binary, if @pFaultInfo
 *	is given; out: what was written, or how much there is without @pFaultInfo
 * @pFaultInfo: NULL to learn the counts; description is always written and
 *	terminated, sType and pNext are left alone
 *
 * An array or binary whose pointer is NULL counts as one with no capacity. A
 * binary with capacity for less than its header gets nothing and the size 0;
 * a longer one that is too short gets as many bytes as it can hold. Without the
 * feature the size is 0 and the pointer is not looked at.
 *
 * Without a fault the answer is VK_SUCCESS, all counts 0, and a description that
 * says so.
 *
 * Return: VK_SUCCESS, or VK_INCOMPLETE if any capacity was too small
 */
VkResult drmfault_vk_get_fault_info_ext(const struct drmfault_vk_identity *identity,
					const struct drmfault_snapshot *snapshot,
					VkDeviceFaultCountsEXT *pFaultCounts,
					VkDeviceFaultInfoEXT *pFaultInfo);

/* Names of values as Vulkan's headers spell them. NULL for one that is not known here. */
const char *drmfault_vk_address_type_name(VkDeviceFaultAddressTypeEXT type);
const char *drmfault_vk_header_version_name(VkDeviceFaultVendorBinaryHeaderVersionEXT version);
const char *drmfault_vk_result_name(VkResult result);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_VULKAN_H */
