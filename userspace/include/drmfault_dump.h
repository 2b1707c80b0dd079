/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault: dumps, the files that hold what is known of an incident.
 *
 * The kernel's devcoredumps, the vendor binaries of Vulkan drivers and what a
 * collector stored are all the same container, which <drm/drm_fault_dump.h> and
 * Documentation/dump-format.rst describe. Here a dump is opened from a file or from
 * memory and then looked at (drmfault_dump_snapshot, drmfault_dump_device, ...), or
 * one is written (drmfault_dump_write).
 *
 * Rules, besides those of drmfault.h:
 *  - A dump may come from anybody: whatever is in it, nothing here crashes, and
 *    memory is at most some times the size of the file.
 *  - What is damaged is named by drmfault_dump_finding(). What is readable is given
 *    all the same; a section with the wrong checksum may hold anything.
 *  - Numbers are those of this machine, whichever wrote the dump.
 *  - Structures start with their size, which the caller sets, sizeof() of them. They
 *    may grow at their end.
 *  - Pointers live as long as the dump that they are from.
 */
#ifndef DRMFAULT_DUMP_H
#define DRMFAULT_DUMP_H

#include "drmfault.h"

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault_dump;

/** enum drmfault_dump_type - what a section holds; the numbers are the kernel's */
enum drmfault_dump_type {
	DRMFAULT_DUMP_META = 1,		 /**< where and when it was made */
	DRMFAULT_DUMP_DEVICE = 2,	 /**< a GPU */
	DRMFAULT_DUMP_CONTEXTS = 3,	 /**< GPU address spaces */
	DRMFAULT_DUMP_RECORDS = 4,	 /**< records, see drmfault_dump_snapshot() */
	DRMFAULT_DUMP_ENGINE = 5,	 /**< what a driver tells of its engines, text */
	DRMFAULT_DUMP_LOST = 6,		 /**< what the dump does not tell */
	DRMFAULT_DUMP_APPLICATION = 256, /**< the Vulkan application */
	DRMFAULT_DUMP_BINDINGS = 257,	 /**< objects and their addresses */
	DRMFAULT_DUMP_STRINGS = 258,	 /**< names that the two above have */
	DRMFAULT_DUMP_HOST = 259,	 /**< lines NAME=VALUE of who stored it */
};

/** enum drmfault_dump_form - what the container was found in */
enum drmfault_dump_form {
	DRMFAULT_DUMP_PLAIN = 1,	 /**< nothing: a devcoredump or a stored file */
	DRMFAULT_DUMP_VENDOR_BINARY = 2, /**< behind the header of a Vulkan vendor binary */
};

/** enum drmfault_dump_damage - what is wrong with a dump */
enum drmfault_dump_damage {
	DRMFAULT_DAMAGE_HEADER = 1,	   /**< sizes in the header that cannot be */
	DRMFAULT_DAMAGE_CHECKSUM = 2,	   /**< of the header or a section */
	DRMFAULT_DAMAGE_CUT_OFF = 3,	   /**< the file ends too early */
	DRMFAULT_DAMAGE_TRAILING = 4,	   /**< there is more behind the end */
	DRMFAULT_DAMAGE_SECTION_COUNT = 5, /**< not as many sections as the header says */
	DRMFAULT_DAMAGE_GAP = 6,	   /**< a gap between sections that is not zeros */
	DRMFAULT_DAMAGE_TABLE = 7,	   /**< size or number of entries that cannot be */
	DRMFAULT_DAMAGE_STRINGS = 8,	   /**< strings without an end, or twice */
	DRMFAULT_DAMAGE_NAME = 9,	   /**< a name that is not among the strings */
	DRMFAULT_DAMAGE_HOST = 10,	   /**< a line that is not NAME=VALUE */
	DRMFAULT_DAMAGE_TOO_MUCH = 11, /**< more than this library reads; the rest is left out */
};

/** The header, where a section is meant. */
#define DRMFAULT_DUMP_HEADER UINT32_MAX

/** struct drmfault_dump_finding - one thing that is wrong */
struct drmfault_dump_finding {
	size_t size;
	enum drmfault_dump_damage damage;
	/** Number of the section, or DRMFAULT_DUMP_HEADER. */
	uint32_t section;
	/** In the file. */
	uint64_t offset;
};

/** struct drmfault_dump_section - a part of the container, also one of a newer kind */
struct drmfault_dump_section {
	size_t size;
	uint32_t type;
	uint32_t flags;
	/** Of its first byte in the file. */
	uint64_t offset;
	/** Bytes that are there. */
	uint64_t length;
	const void *bytes;
};

/** struct drmfault_dump_meta - where and when */
struct drmfault_dump_meta {
	size_t size;
	/** CLOCK_MONOTONIC when the dump was made, as in records */
	uint64_t monotonic_ns;
	/** CLOCK_REALTIME at that moment, 0 if not known */
	uint64_t realtime_ns;
	/** Without dashes, "" if not known */
	char boot_id[40];
	/** uname -r */
	char release[64];
	/** uname -m */
	char machine[16];
	/** Of drm_fault.ko */
	char module_version[32];
};

/** struct drmfault_dump_device - a GPU */
struct drmfault_dump_device {
	size_t size;
	/** drmfault_record_device_id() of its records */
	uint32_t id;
	/** Width of its virtual addresses, 0 if not known */
	uint32_t address_bits;
	/** PCI ids, all 0 if it is no PCI device */
	uint16_t pci_vendor;
	uint16_t pci_device;
	uint16_t pci_subsystem_vendor;
	uint16_t pci_subsystem_device;
	uint32_t pci_revision;
	/** In /sys/class/drm_fault */
	char name[32];
	char driver[32];
	/** Bus address or platform name */
	char bus[32];
	/** Since it was registered: events, records made of them, events that could not be */
	uint64_t events;
	uint64_t records;
	uint64_t missed;
};

/** It was destroyed before the dump was made. */
#define DRMFAULT_CONTEXT_ENDED 0x1u
/** Nobody knows whose it is. */
#define DRMFAULT_CONTEXT_OWNER_UNKNOWN 0x2u

/** struct drmfault_dump_context - a GPU address space with records in the dump */
struct drmfault_dump_context {
	size_t size;
	/** drmfault_record_context_id() of its records */
	uint64_t id;
	uint64_t client_id;
	/** Its process, in the initial PID namespace */
	uint32_t pid;
	/** The process's user, in the initial user namespace */
	uint32_t uid;
	uint32_t pasid;
	/** DRMFAULT_CONTEXT_* */
	uint32_t flags;
	/** Name of the process when it opened the GPU */
	char comm[16];
	/** Events ever raised here, and those that no record counts */
	uint64_t events;
	uint64_t lost;
	/** Of its newest incident */
	uint64_t group_id;
};

/** struct drmfault_dump_lost - what the dump does not tell */
struct drmfault_dump_lost {
	size_t size;
	/** Sum of its contexts, and those that no record counts */
	uint64_t events;
	uint64_t lost;
	/** Incidents before this one of which no dump was made */
	uint64_t dumps_skipped;
};

/** struct drmfault_dump_application - the Vulkan application and its driver */
struct drmfault_dump_application {
	size_t size;
	/* Names are never NULL when read, and may be when written. */
	const char *application_name;
	const char *engine_name;
	const char *device_name;
	const char *driver_name;
	uint32_t application_version;
	uint32_t engine_version;
	uint32_t api_version;
	uint32_t driver_version;
	uint32_t vendor_id;
	uint32_t device_id;
	uint8_t pipeline_cache_uuid[16];
};

/** struct drmfault_dump_binding - an object's range of addresses, and when */
struct drmfault_dump_binding {
	size_t size;
	/** As for the application's */
	const char *name;
	uint64_t address;
	/** Bytes from there on */
	uint64_t length;
	/** CLOCK_MONOTONIC; unbound 0: it still is bound */
	uint64_t bound_ns;
	uint64_t unbound_ns;
	/** Handle and VkObjectType */
	uint64_t object;
	uint32_t object_type;
	/** VkDeviceAddressBindingFlagsEXT */
	uint32_t flags;
};

/* ---- Reading ---- */

/**
 * drmfault_dump_open_memory - open a dump that lies in memory
 * @bytes: the file; copied
 * @size: its length
 * @dump: to be freed with drmfault_dump_free()
 *
 * Return: 0, also if it is damaged; -EBADMSG: it is no dump of drm_fault, or ends
 * before that can be told; -EPROTONOSUPPORT: its format is newer than this library
 * and cannot be read by it; -ENOMEM
 */
int drmfault_dump_open_memory(const void *bytes, size_t size, struct drmfault_dump **dump);
/**
 * drmfault_dump_open_fd - open a dump by reading a file to its end
 * @fd: also a pipe; stays open
 * @dump: to be freed with drmfault_dump_free()
 *
 * Return: as drmfault_dump_open_memory(); -EFBIG: it is longer than 1 GiB; what
 * read() fails with
 */
int drmfault_dump_open_fd(int fd, struct drmfault_dump **dump);
/**
 * drmfault_dump_open - open a dump by its path
 * @path: the file
 * @dump: to be freed with drmfault_dump_free()
 *
 * Return: as drmfault_dump_open_fd(); what open() fails with
 */
int drmfault_dump_open(const char *path, struct drmfault_dump **dump);
void drmfault_dump_free(struct drmfault_dump *dump);

/** drmfault_dump_form - what the container was found in */
enum drmfault_dump_form drmfault_dump_form(const struct drmfault_dump *dump);

/** drmfault_dump_finding_count - how much is wrong, 0: nothing */
size_t drmfault_dump_finding_count(const struct drmfault_dump *dump);
/** drmfault_dump_finding - finding @i; 0, or -ENOENT if there is none */
int drmfault_dump_finding(const struct drmfault_dump *dump, size_t i,
			  struct drmfault_dump_finding *finding);

/** drmfault_dump_section_count - how many sections could be found */
size_t drmfault_dump_section_count(const struct drmfault_dump *dump);
/** drmfault_dump_section - section @i; 0, or -ENOENT if there is none */
int drmfault_dump_section(const struct drmfault_dump *dump, size_t i,
			  struct drmfault_dump_section *section);

/**
 * drmfault_dump_snapshot - the records, in the order of the file
 * @dump: the dump
 *
 * The sums are those that the dump has, else those of the records.
 *
 * Return: a snapshot that belongs to the dump; empty where there are no records
 */
const struct drmfault_snapshot *drmfault_dump_snapshot(const struct drmfault_dump *dump);

/*
 * The entry number @i of its kind, counted through all sections: 0, or -ENOENT if
 * there is none.
 */
int drmfault_dump_meta(const struct drmfault_dump *dump, size_t i, struct drmfault_dump_meta *meta);
int drmfault_dump_device(const struct drmfault_dump *dump, size_t i,
			 struct drmfault_dump_device *device);
int drmfault_dump_context(const struct drmfault_dump *dump, size_t i,
			  struct drmfault_dump_context *context);
int drmfault_dump_lost(const struct drmfault_dump *dump, size_t i, struct drmfault_dump_lost *lost);
int drmfault_dump_application(const struct drmfault_dump *dump, size_t i,
			      struct drmfault_dump_application *application);
int drmfault_dump_binding(const struct drmfault_dump *dump, size_t i,
			  struct drmfault_dump_binding *binding);
/** drmfault_dump_host - line @i, "NAME=VALUE", of who stored the dump; NULL: there is none */
const char *drmfault_dump_host(const struct drmfault_dump *dump, size_t i);
/** drmfault_dump_string - the string at @offset of the strings, NULL if there is none */
const char *drmfault_dump_string(const struct drmfault_dump *dump, uint32_t offset);

/* Short words, NULL for what has no name here. */
const char *drmfault_dump_type_name(uint32_t type);
const char *drmfault_dump_damage_name(uint32_t damage);

/* ---- Writing ---- */

/** struct drmfault_dump_part - a section of the caller's making */
struct drmfault_dump_part {
	uint32_t type;
	uint64_t length;
	const void *bytes;
};

/**
 * struct drmfault_dump_content - what goes into a dump; what is NULL or 0 is left out
 * @size: sizeof(struct drmfault_dump_content)
 * @base: a dump whose sections come first, as they are; it must not be cut off
 * @meta: where and when
 * @device: the GPU
 * @contexts: address spaces
 * @context_count: how many
 * @snapshot: records, and what is lost
 * @application: the application
 * @bindings: objects
 * @binding_count: how many
 * @parts: more sections; no strings
 * @part_count: how many
 */
struct drmfault_dump_content {
	size_t size;
	const struct drmfault_dump *base;
	const struct drmfault_dump_meta *meta;
	const struct drmfault_dump_device *device;
	const struct drmfault_dump_context *contexts;
	size_t context_count;
	const struct drmfault_snapshot *snapshot;
	const struct drmfault_dump_application *application;
	const struct drmfault_dump_binding *bindings;
	size_t binding_count;
	const struct drmfault_dump_part *parts;
	size_t part_count;
};

/**
 * drmfault_dump_write - write a dump to memory
 * @content: what goes into it
 * @bytes: where; may be NULL if @capacity is 0
 * @capacity: room; what does not fit is left out
 * @size: how long the whole dump is
 *
 * Allocates nothing and reads no clock: the same content is always the same bytes.
 *
 * Return: 0, also if it did not fit; -E2BIG: the content is newer than this library;
 * -EINVAL: the base is cut off, or a part is strings
 */
int drmfault_dump_write(const struct drmfault_dump_content *content, void *bytes, uint64_t capacity,
			uint64_t *size);
/**
 * drmfault_dump_write_fd - write a dump to a file
 * @content: what goes into it
 * @fd: from where it stands; also a pipe
 *
 * Return: as drmfault_dump_write(); what write() fails with
 */
int drmfault_dump_write_fd(const struct drmfault_dump_content *content, int fd);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_DUMP_H */
