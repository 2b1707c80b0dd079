/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The container of GPU fault dumps: what drm_fault.ko gives as a devcoredump,
 * what follows the header of a Vulkan vendor binary, what is stored in files.
 *
 * A header, then sections one behind the other, each with a header of its own.
 * All numbers are little-endian, on every machine. All sizes are in bytes.
 * Sections begin at multiples of 8; the gap before the next one is zeros.
 *
 * Rules for readers:
 *  - Skip sections that you do not know, by their length.
 *  - Structures may be longer than those here: @length, @stride and @header_size
 *    count; what is shorter reads as zeros beyond its end.
 *  - A file that ends before @total_size is cut off: what is whole is good.
 *  - A section whose @crc differs is damaged.
 *  - There may be any number of sections of one type, in any order, unless said
 *    otherwise.
 *
 * Rules for those who append: sections go behind the last one, then @total_size,
 * @section_count and @crc of the header are brought up to date.
 */
#ifndef _UAPI_DRM_FAULT_DUMP_H_
#define _UAPI_DRM_FAULT_DUMP_H_

#include <linux/types.h>

#include "drm_fault.h"

#if defined(__cplusplus)
extern "C" {
#endif

/** DRM_FAULT_DUMP_MAGIC: behind the line of text; "DRMFAULT" in the file */
#define DRM_FAULT_DUMP_MAGIC		0x544c5541464d5244ULL
#define DRM_FAULT_DUMP_VERSION		1
#define DRM_FAULT_DUMP_TEXT_LEN		88

/**
 * struct drm_fault_dump_header - the first bytes of a dump
 * @text:	a line for people, "drm_fault dump ...", filled with spaces, the last
 *		byte is a newline; not to be parsed
 * @magic:	DRM_FAULT_DUMP_MAGIC
 * @version:	DRM_FAULT_DUMP_VERSION; greater: no reader of this one can read it
 * @header_size:	of this structure, a multiple of 8; the first section follows
 * @total_size:	of the dump
 * @section_count:	sections in it
 * @crc:	CRC-32 (as in zlib) of @header_size bytes with this member 0
 */
struct drm_fault_dump_header {
	char text[DRM_FAULT_DUMP_TEXT_LEN];
	__aligned_le64 magic;
	__le32 version;
	__le32 header_size;
	__aligned_le64 total_size;
	__le32 section_count;
	__le32 crc;
};

/**
 * enum drm_fault_dump_type - what a section holds
 * @DRM_FAULT_DUMP_META:	one struct drm_fault_dump_meta
 * @DRM_FAULT_DUMP_DEVICE:	one struct drm_fault_dump_device
 * @DRM_FAULT_DUMP_CONTEXTS:	struct drm_fault_dump_table of drm_fault_dump_context
 * @DRM_FAULT_DUMP_RECORDS:	struct drm_fault_dump_table of drm_fault_record, all
 *				numbers little-endian; in the order of their timestamps
 * @DRM_FAULT_DUMP_ENGINE:	state of the GPU's engines as the driver gave it, text
 * @DRM_FAULT_DUMP_LOST:	one struct drm_fault_dump_lost
 * @DRM_FAULT_DUMP_APPLICATION:	one struct drm_fault_dump_application
 * @DRM_FAULT_DUMP_BINDINGS:	struct drm_fault_dump_table of drm_fault_dump_binding
 * @DRM_FAULT_DUMP_STRINGS:	strings, each with a 0 behind it; others refer to them
 *				by offset. Offset 0 is the empty string. One at most
 * @DRM_FAULT_DUMP_HOST:	lines "NAME=VALUE" of whoever stored the dump, UTF-8
 */
enum drm_fault_dump_type {
	DRM_FAULT_DUMP_META = 1,
	DRM_FAULT_DUMP_DEVICE = 2,
	DRM_FAULT_DUMP_CONTEXTS = 3,
	DRM_FAULT_DUMP_RECORDS = 4,
	DRM_FAULT_DUMP_ENGINE = 5,
	DRM_FAULT_DUMP_LOST = 6,
	DRM_FAULT_DUMP_APPLICATION = 256,
	DRM_FAULT_DUMP_BINDINGS = 257,
	DRM_FAULT_DUMP_STRINGS = 258,
	DRM_FAULT_DUMP_HOST = 259,
};

/**
 * struct drm_fault_dump_section - in front of each section
 * @type:	enum drm_fault_dump_type
 * @flags:	0
 * @length:	of what follows, without the gap behind it
 * @crc:	CRC-32 (as in zlib) of these bytes
 * @pad:	0
 */
struct drm_fault_dump_section {
	__le32 type;
	__le32 flags;
	__aligned_le64 length;
	__le32 crc;
	__le32 pad;
};

/**
 * struct drm_fault_dump_table - first in sections that are arrays
 * @stride:	from one entry to the next, a multiple of 8
 * @count:	entries that follow
 */
struct drm_fault_dump_table {
	__le32 stride;
	__le32 count;
};

/**
 * struct drm_fault_dump_meta - where and when
 * @monotonic_ns:	CLOCK_MONOTONIC when the dump was made, as in records
 * @realtime_ns:	CLOCK_REALTIME at that moment
 * @boot_id:	as in /proc/sys/kernel/random/boot_id, without dashes; zeros if not known
 * @release:	uname -r
 * @machine:	uname -m
 * @module_version:	version of drm_fault.ko
 */
struct drm_fault_dump_meta {
	__aligned_le64 monotonic_ns;
	__aligned_le64 realtime_ns;
	char boot_id[40];
	char release[64];
	char machine[16];
	char module_version[DRM_FAULT_NAME_LEN];
};

/**
 * struct drm_fault_dump_device - the GPU
 * @id:		&drm_fault_record.reporter_id of the records
 * @address_bits:	width of its virtual addresses, 0 if not known
 * @pci_vendor:	PCI ids, 0 if it is no PCI device
 * @pci_device:	likewise
 * @pci_subsystem_vendor:	likewise
 * @pci_subsystem_device:	likewise
 * @pci_revision:	likewise
 * @pad:	0
 * @name:	in /sys/class/drm_fault
 * @driver:	name of its driver
 * @bus:	bus address or platform name
 * @events:	events since it was registered
 * @records:	records made of them
 * @missed:	events that could not be recorded
 */
struct drm_fault_dump_device {
	__le32 id;
	__le32 address_bits;
	__le16 pci_vendor;
	__le16 pci_device;
	__le16 pci_subsystem_vendor;
	__le16 pci_subsystem_device;
	__le32 pci_revision;
	__le32 pad;
	char name[DRM_FAULT_NAME_LEN];
	char driver[DRM_FAULT_NAME_LEN];
	char bus[DRM_FAULT_NAME_LEN];
	__aligned_le64 events;
	__aligned_le64 records;
	__aligned_le64 missed;
};

/* &drm_fault_dump_context.flags */
/** It was destroyed before the dump was made. */
#define DRM_FAULT_DUMP_CONTEXT_F_ENDED		0x1
/** Nobody knows whose it is: events without an owner. */
#define DRM_FAULT_DUMP_CONTEXT_F_OWNER_UNKNOWN	0x2

/**
 * struct drm_fault_dump_context - an address space with records in the dump
 * @id:		&drm_fault_record.context_id
 * @client_id:	as there
 * @pid:	process that owns it, in the initial PID namespace
 * @uid:	its user, in the initial user namespace, when it opened the GPU
 * @pasid:	as there
 * @flags:	DRM_FAULT_DUMP_CONTEXT_F_*
 * @comm:	name of the process when it opened the GPU
 * @events:	events ever raised here
 * @lost:	of these, those that no record counts
 * @group_id:	of its newest incident
 */
struct drm_fault_dump_context {
	__aligned_le64 id;
	__aligned_le64 client_id;
	__le32 pid;
	__le32 uid;
	__le32 pasid;
	__le32 flags;
	char comm[DRM_FAULT_COMM_LEN];
	__aligned_le64 events;
	__aligned_le64 lost;
	__aligned_le64 group_id;
};

/**
 * struct drm_fault_dump_lost - what this dump does not tell
 * @events:	sum of events of all contexts in it
 * @lost:	of these, those that no record counts
 * @dumps_skipped:	incidents since the last dump of this GPU of which none was
 *		made, because that one had not been read
 */
struct drm_fault_dump_lost {
	__aligned_le64 events;
	__aligned_le64 lost;
	__aligned_le64 dumps_skipped;
};

/**
 * struct drm_fault_dump_application - the Vulkan application and its driver
 * @application_name:	offset in DRM_FAULT_DUMP_STRINGS
 * @application_version:	as the application gave it
 * @engine_name:	offset in DRM_FAULT_DUMP_STRINGS
 * @engine_version:	as the application gave it
 * @api_version:	VK_MAKE_API_VERSION
 * @driver_version:	&VkPhysicalDeviceProperties.driverVersion
 * @vendor_id:	likewise
 * @device_id:	likewise
 * @pipeline_cache_uuid:	likewise
 * @device_name:	offset in DRM_FAULT_DUMP_STRINGS
 * @driver_name:	likewise, with the text of its version
 */
struct drm_fault_dump_application {
	__le32 application_name;
	__le32 application_version;
	__le32 engine_name;
	__le32 engine_version;
	__le32 api_version;
	__le32 driver_version;
	__le32 vendor_id;
	__le32 device_id;
	__u8 pipeline_cache_uuid[16];
	__le32 device_name;
	__le32 driver_name;
};

/**
 * struct drm_fault_dump_binding - an object's range of addresses, and when
 * @address:	first address, as wide as the GPU's addresses
 * @size:	bytes
 * @bound_ns:	CLOCK_MONOTONIC when it was bound
 * @unbound_ns:	and when it was unbound, 0: it still is
 * @object:	handle of the Vulkan object
 * @object_type:	VkObjectType
 * @flags:	VkDeviceAddressBindingFlagsEXT, and in the upper 8 bits libdrmfault's
 * @name:	offset in DRM_FAULT_DUMP_STRINGS
 * @pad:	0
 */
struct drm_fault_dump_binding {
	__aligned_le64 address;
	__aligned_le64 size;
	__aligned_le64 bound_ns;
	__aligned_le64 unbound_ns;
	__aligned_le64 object;
	__le32 object_type;
	__le32 flags;
	__le32 name;
	__le32 pad;
};

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_DRM_FAULT_DUMP_H_ */
