/* SPDX-License-Identifier: MIT */
/*
 * A mock of a Vulkan driver: it stands in for a driver and for nothing else, and does no
 * work. How it behaves the environment says, looked at in each call:
 *
 *	MOCK		words, see mock_does()
 *	MOCK_FAULT	the address of the fault that it reports once a device is lost
 *	MOCK_UNTIL	a file: while it is not there, waiting for a queue does not end
 *
 *	ext, khr	it has VK_EXT_device_fault, VK_KHR_device_fault
 *	lose		what the GPU does ends in VK_ERROR_DEVICE_LOST
 *	lose-later	... after a while
 *	hang		submissions are never done
 *	garbage		descriptions without an end
 *	repeat		the reports of the KHR come again and again, and none is DEVICE_LOST
 *	tells		no call says that the device is lost, but a report of the KHR does
 *	incomplete	asked for counts, the EXT says VK_INCOMPLETE and no addresses
 *	error		its query returns VK_ERROR_DEVICE_LOST
 *	ext-error, khr-error	that of one of the two does
 *	many		there are MOCK_MANY faults, a page apart
 *	flood		... MOCK_FLOOD
 *	imprecise	their precision is no power of two
 *	absurd		the EXT counts more than there can be, and writes what there is, and
 *			bindings are told that cannot be
 *	extended	addresses have the sign of bit 47 in the bits above
 *	wide		addresses have 57 bits
 *	report		it has VK_EXT_device_address_binding_report, ...
 *	no-memory, no-buffers, no-images	... and keeps quiet about these
 *	early		... and tells of a binding while the device is made
 *	instruction	the fault's address is that of an instruction
 *	clock		what takes or gives addresses notes when, see MOCK_TIME
 */
#ifndef DRMFAULT_TEST_LAYER_MOCK_H
#define DRMFAULT_TEST_LAYER_MOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include <vulkan/vk_icd.h>

#include "drmfault_vulkan_khr.h"

#define MOCK_PRECISION 0x40u
#define MOCK_IMPRECISE 0x30u
#define MOCK_MANY      100u
#define MOCK_FLOOD     65536u
#define MOCK_PAGE      0x1000u
/* Where the driver has something before there is a device. */
#define MOCK_EARLY 0x10000000u
/* Where memory is that was imported by this number. */
#define MOCK_SHARED(fd) (0x700000000000u + (fd) * (UINT64_C(1) << 32))
/* In the environment: CLOCK_MONOTONIC in nanoseconds, when the driver was called last. */
#define MOCK_TIME "MOCK_TIME"
/* Bytes of a texel, and of a pipeline or the commands of a buffer. */
#define MOCK_TEXEL 4u
#define MOCK_CODE  0x1000u

bool mock_does(const char *word);

/* Functions of an instance or a device by their name; NULL: the mock has none such. */
PFN_vkVoidFunction mock_device_function(const char *name);
PFN_vkVoidFunction mock_fault_function(const char *name);
PFN_vkVoidFunction mock_sync_function(const char *name);
PFN_vkVoidFunction mock_lost_function(const char *name);
PFN_vkVoidFunction mock_object_function(const char *name);
PFN_vkVoidFunction mock_bind_function(const char *name);

/* What has an address; handles point to it. */
struct mock_object {
	/* Where it is a handle that the loader looks into. */
	VK_LOADER_DATA loader;
	struct mock_object *next;
	VkDevice device;
	VkObjectType type;
	VkDeviceAddress address;
	VkDeviceSize size;
};

/* Tells the messenger, if it is one of those that are told and has an address. */
void mock_object_tell(const struct mock_object *object, VkDeviceAddressBindingTypeEXT what);
/* Of what the application left behind. */
void mock_objects_end(VkDevice device);
void mock_note_time(void);

/* What a call returns that does something on the GPU. */
VkResult mock_work(VkResult otherwise);

/* The messenger, NULL: there is none any more. */
void mock_hear(PFN_vkDebugUtilsMessengerCallbackEXT function, void *data);
/* Tells the messenger of a range, if there is one. */
void mock_tell(VkObjectType type, uint64_t object, VkDeviceAddress address, VkDeviceSize size,
	       VkDeviceAddressBindingTypeEXT what);

/* Features of these structures alone are the mock's. VK_ERROR_FEATURE_NOT_PRESENT else. */
VkResult mock_check_features(const void *pNext);

extern atomic_bool mock_is_lost;
/* How much the GPU has done. */
extern atomic_uint mock_works;

struct mock_name {
	const char *name;
	PFN_vkVoidFunction function;
};

#define MOCK_NAME(function)                                    \
	{                                                      \
#function, (PFN_vkVoidFunction)mock_##function \
	}
#define MOCK_FIND(names, name_) mock_find(names, sizeof(names) / sizeof(names[0]), name_)

PFN_vkVoidFunction mock_find(const struct mock_name *names, size_t count, const char *name);

#endif /* DRMFAULT_TEST_LAYER_MOCK_H */
