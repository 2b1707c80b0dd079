/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault-vulkan: GPU faults as VK_EXT_device_fault and VK_KHR_device_fault.
 *
 * A Vulkan driver asks drmfault_vk_probe() once for each physical device what the
 * kernel offers, fills its features and properties from the answer, makes one
 * struct drmfault_vk_device for each VkDevice, and calls the functions of the same
 * names as Vulkan's from its entry points:
 *
 *	vkGetPhysicalDeviceFeatures2	drmfault_vk_fill_features_ext(), ..._khr()
 *	vkGetPhysicalDeviceProperties2	drmfault_vk_fill_properties_khr()
 *	vkCreateDevice			drmfault_vk_device_create()
 *	vkDestroyDevice			drmfault_vk_device_destroy()
 *	where the driver loses the device	drmfault_vk_device_lost()
 *	vkGetDeviceFaultInfoEXT		drmfault_vk_device_get_fault_info_ext()
 *	vkGetDeviceFaultReportsKHR	drmfault_vk_device_get_fault_reports_khr()
 *	vkGetDeviceFaultDebugInfoKHR	drmfault_vk_device_get_fault_debug_info_khr()
 *
 * A layer, which does not know the driver's file, does the same for the process.
 * Who has records from elsewhere (a dump) has drmfault_vk_get_fault_info_ext(), a
 * function of its arguments alone.
 *
 * Rules:
 *  - No global state. Never prints, never exits, starts no threads.
 *  - A struct drmfault_vk_device may be used by any number of threads at a time,
 *    but for its creation and destruction, which Vulkan synchronises too.
 *  - All memory that is kept comes from the VkAllocationCallbacks given at creation;
 *    without, from malloc(). Nothing is allocated while faults are reported (KHR); the
 *    first query on a lost device (EXT, debug info) allocates what it keeps.
 *  - sType and pNext of structures that are filled in are left alone.
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
#include "drmfault_vulkan_khr.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Size of the header of a vendor binary: the only headerSize there is. */
#define DRMFAULT_VK_BINARY_HEADER_SIZE 56u
/** Bits 63..56 of every vendorFaultCode. */
#define DRMFAULT_VK_VENDOR_CODE_MARK 0xdfu
/** maxDeviceFaultCount: reports that wait for the application, at least. */
#define DRMFAULT_VK_MAX_FAULTS 64u
/** In place of a DRM file: the calling process, all its GPUs. */
#define DRMFAULT_VK_PROCESS (-1)

struct drmfault_vk_device;

/**
 * struct drmfault_vk_identity - whose faults these are
 * @vendorID: of VkPhysicalDeviceProperties
 * @deviceID: of VkPhysicalDeviceProperties
 * @driverVersion: of VkPhysicalDeviceProperties
 * @pipelineCacheUUID: of VkPhysicalDeviceProperties
 * @pApplicationInfo: of VkInstanceCreateInfo, may be NULL
 * @vendor_binary: the feature deviceFaultVendorBinary was enabled on the device,
 *	by the structure of either extension
 * @device: the GPU, which must not change as long as answers must not; may be NULL.
 *	drmfault_vk_device_create() finds it itself
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

/* ---- What the kernel offers ---- */

/**
 * drmfault_vk_probe - can the faults of a GPU be reported?
 * @drm_fd: an open node of the GPU, or DRMFAULT_VK_PROCESS
 *
 * Opens nothing that stays open. The answer changes when the kernel module is loaded
 * or unloaded; a driver asks once for each physical device.
 *
 * Return: 0: yes; -ENODEV: the kernel module is not loaded; -EACCES: this process may
 * not open /dev/drm_fault; -EOPNOTSUPP: nothing reports the faults of this GPU, or none
 * of the hooks on its driver that see faults is attached; or what drmfault_open() and
 * drmfault_device_of_fd() return besides. drmfault_explain() has a sentence for each.
 */
int drmfault_vk_probe(int drm_fd);

/*
 * Fill structures in the pNext chain of vkGetPhysicalDeviceFeatures2 and
 * vkGetPhysicalDeviceProperties2. @support is what drmfault_vk_probe() returned; if it
 * is not 0 all features are VK_FALSE, and the driver must not list the extensions.
 *
 *	deviceFault			VK_TRUE
 *	deviceFaultVendorBinary		VK_TRUE
 *	deviceFaultReportMasked		VK_TRUE: faults that the GPU survives are recorded
 *	deviceFaultDeviceLostOnMasked	VK_FALSE: only the driver can lose the device; one
 *					that does so on every fault sets it afterwards
 *	maxDeviceFaultCount		DRMFAULT_VK_MAX_FAULTS
 */
void drmfault_vk_fill_features_ext(int support, VkPhysicalDeviceFaultFeaturesEXT *features);
void drmfault_vk_fill_features_khr(int support, VkPhysicalDeviceFaultFeaturesKHR *features);
void drmfault_vk_fill_properties_khr(int support, VkPhysicalDeviceFaultPropertiesKHR *properties);

/* ---- Devices ---- */

/**
 * struct drmfault_vk_device_info - what a device is made of
 * @size: sizeof(struct drmfault_vk_device_info). It may grow at its end: what an older
 *	caller lacks counts as 0
 * @drm_fd: the DRM file on which the device's work is submitted, open while the device
 *	is created; or DRMFAULT_VK_PROCESS
 * @identity: copied with all it points to; its device is ignored
 * @report_masked: the feature deviceFaultReportMasked was enabled. Without it, reports
 *	wait until a fault is fatal or the device is lost
 * @is_foreign: may be NULL: is this record, which this process or file has, of another
 *	device than this one? It is called from any function of the device, in any thread, and
 *	must not call one itself
 * @foreign_data: given to it
 */
struct drmfault_vk_device_info {
	size_t size;
	int drm_fd;
	struct drmfault_vk_identity identity;
	bool report_masked;
	bool (*is_foreign)(void *data, const struct drmfault_record *record);
	void *foreign_data;
};

/**
 * drmfault_vk_device_create - the faults of one VkDevice, from now on
 * @info: whose
 * @pAllocator: as vkCreateDevice got it, or the instance's, or NULL; copied
 * @device: to be destroyed with drmfault_vk_device_destroy(); not written on failure
 *
 * A kernel that offers nothing is no failure: the device then has no faults, and its
 * descriptions say why, see drmfault_vk_device_support().
 *
 * Faults of the same file or process from before the creation are not the device's.
 * Two devices on one file at a time share their faults: each gets all of them.
 *
 * Return: VK_SUCCESS, VK_ERROR_OUT_OF_HOST_MEMORY, or VK_ERROR_INITIALIZATION_FAILED:
 * the size in @info is wrong, or this process has no file descriptor left
 */
VkResult drmfault_vk_device_create(const struct drmfault_vk_device_info *info,
				   const VkAllocationCallbacks *pAllocator,
				   struct drmfault_vk_device **device);
/** Destroys it; NULL does nothing. No other thread may be in a call with it. */
void drmfault_vk_device_destroy(struct drmfault_vk_device *device);

/** As drmfault_vk_probe(), of the moment when the device was created. */
int drmfault_vk_device_support(const struct drmfault_vk_device *device);

/**
 * drmfault_vk_device_lost - tell that the device is lost
 * @device: the device
 * @reason: what happened as the driver knows it, in a few words of UTF-8 ("the kernel
 *	banned the context of queue 0"), for the descriptions; or NULL
 *
 * To be called whenever the driver is about to return VK_ERROR_DEVICE_LOST for the
 * first time; later calls change nothing. Never waits and never allocates; threads that
 * wait for reports get the last one.
 */
void drmfault_vk_device_lost(struct drmfault_vk_device *device, const char *reason);
/** Has drmfault_vk_device_lost() been called? */
bool drmfault_vk_device_is_lost(struct drmfault_vk_device *device);

/**
 * drmfault_vk_device_get_fault_info_ext - vkGetDeviceFaultInfoEXT
 * @device: the device
 * @pFaultCounts: as drmfault_vk_get_fault_info_ext()
 * @pFaultInfo: as drmfault_vk_get_fault_info_ext()
 *
 * The first call on a lost device takes what the kernel has recorded and keeps it: every
 * later call is answered from that, so that what was returned once is returned again,
 * and more of it only behind. Reports that were taken (KHR) are in it all the same.
 *
 * On a device that is not lost, where Vulkan forbids the call and programs make it,
 * the counts are 0, the description says that the device is not lost, and nothing is
 * kept.
 *
 * Return: VK_SUCCESS, VK_INCOMPLETE if any capacity was too small,
 * VK_ERROR_OUT_OF_HOST_MEMORY
 */
VkResult drmfault_vk_device_get_fault_info_ext(struct drmfault_vk_device *device,
					       VkDeviceFaultCountsEXT *pFaultCounts,
					       VkDeviceFaultInfoEXT *pFaultInfo);

/**
 * drmfault_vk_device_get_fault_reports_khr - vkGetDeviceFaultReportsKHR
 * @device: the device
 * @timeout: nanoseconds to wait for the first report; 0: not at all; UINT64_MAX: as long
 *	as one can come
 * @pFaultCounts: in: capacity of @pFaultInfo, if that is given; out: reports written, or
 *	reports there are without @pFaultInfo
 * @pFaultInfo: array for them, or NULL to learn their number, which takes none away
 *
 * One report is one record of the kernel. What it has:
 *
 *	groupId		number of the incident, as `drmfault show` prints it, never 0;
 *			never less than that of the report before
 *	description	one line, as in the EXT
 *	MEMORY_ADDRESS	of a fault whose address is known: faultAddressInfo
 *	INSTRUCTION_ADDRESS	if an instruction pointer is known: instructionAddressInfo
 *	VENDOR		always, but for DEVICE_LOST: vendorInfo, as in the EXT
 *	WATCHDOG_TIMEOUT	a job did not end in time
 *	OVERFLOW	events were lost between the report before and this one
 *	DEVICE_LOST	a report of its own, after all others: why the device was lost, in
 *			the group of the report before
 *
 * Members whose flag is not set are written as well: no address type, address 0,
 * precision 1, empty strings.
 *
 * Reports come in the order of their events, each is returned once, whichever thread
 * asks. While up to DRMFAULT_VK_MAX_FAULTS wait the kernel keeps others; when its queue is
 * full too, the newest are lost and counted. (Without report_masked the oldest are.)
 *
 * Waiting costs no processor time and is not cut short by signals. Once the report
 * with DEVICE_LOST is returned no other can come: then UINT64_MAX does not wait at all.
 *
 * Return: VK_SUCCESS; VK_INCOMPLETE: there are more reports than @pFaultInfo has room
 * for; VK_TIMEOUT: there is none, and *@pFaultCounts is 0
 */
VkResult drmfault_vk_device_get_fault_reports_khr(struct drmfault_vk_device *device,
						  uint64_t timeout, uint32_t *pFaultCounts,
						  VkDeviceFaultInfoKHR *pFaultInfo);

/**
 * drmfault_vk_device_get_fault_debug_info_khr - vkGetDeviceFaultDebugInfoKHR
 * @device: the device
 * @pDebugInfo: vendorBinarySize: in: capacity of pVendorBinaryData, if that is given;
 *	out: bytes written, or bytes there are without pVendorBinaryData
 *
 * The same bytes as the EXT's, each time. Without the feature deviceFaultVendorBinary,
 * on a device that is not lost, and if nothing was recorded the size is 0, and the pointer
 * is not looked at. A VkDeviceFaultShaderAbortMessageInfoKHR in the chain gets the
 * size 0: no shader's message is recorded.
 *
 * Return: VK_SUCCESS; VK_ERROR_NOT_ENOUGH_SPACE_KHR: the capacity is too small, nothing
 * was written and the size is 0; VK_ERROR_OUT_OF_HOST_MEMORY
 */
VkResult drmfault_vk_device_get_fault_debug_info_khr(struct drmfault_vk_device *device,
						     VkDeviceFaultDebugInfoKHR *pDebugInfo);

/* ---- Records from elsewhere ---- */

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
const char *drmfault_vk_fault_flag_name(VkDeviceFaultFlagBitsKHR flag);
const char *drmfault_vk_header_version_name(VkDeviceFaultVendorBinaryHeaderVersionEXT version);
const char *drmfault_vk_result_name(VkResult result);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_VULKAN_H */
