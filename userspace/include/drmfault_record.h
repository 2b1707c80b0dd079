/* SPDX-License-Identifier: MIT */
/*
 * One record of libdrmfault: a fault, a job timeout or a reset. drmfault.h, which
 * includes this, says where records come from; the rules for its calls are those of these.
 * Words, units and meanings are those of the kernel's <drm/drm_fault.h>.
 */
#ifndef DRMFAULT_RECORD_H
#define DRMFAULT_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault_record;

/* The numbers of these are the kernel's. 0 is none, or not known. */

/** enum drmfault_record_type - what a record tells */
enum drmfault_record_type {
	DRMFAULT_RECORD_FAULT = 1,   /**< an access that the GPU could not complete */
	DRMFAULT_RECORD_TIMEOUT = 2, /**< a job did not end in time */
	DRMFAULT_RECORD_RESET = 3,   /**< an engine or the GPU was reset */
	DRMFAULT_RECORD_LOST = 4,    /**< on streams: only drmfault_record_lost() has a value */
	DRMFAULT_RECORD_WEDGED = 5,  /**< the driver says that the GPU does not work any more */
	DRMFAULT_RECORD_DUMP = 6, /**< the driver made a dump, devcoredump of the engine's name */
};

/** enum drmfault_access - what the GPU tried to do */
enum drmfault_access {
	DRMFAULT_ACCESS_UNKNOWN = 0,
	DRMFAULT_ACCESS_READ = 1,
	DRMFAULT_ACCESS_WRITE = 2,
	DRMFAULT_ACCESS_EXECUTE = 3,
	DRMFAULT_ACCESS_ATOMIC = 4,
};

/** enum drmfault_type - why a fault happened */
enum drmfault_type {
	DRMFAULT_TYPE_NOT_PRESENT = 1,	  /**< nothing is mapped at the address */
	DRMFAULT_TYPE_PERMISSION = 2,	  /**< mapped, but not for this access */
	DRMFAULT_TYPE_INVALID_FORMAT = 3, /**< page table or instruction is malformed */
	DRMFAULT_TYPE_OTHER = 4,	  /**< anything else, or the hardware does not tell */
};

/** enum drmfault_ip_type - what the instruction pointer means */
enum drmfault_ip_type {
	DRMFAULT_IP_UNKNOWN = 1, /**< it ran near the time of the fault */
	DRMFAULT_IP_INVALID = 2, /**< the pointer itself could not be fetched */
	DRMFAULT_IP_FAULT = 3,	 /**< the instruction there raised the fault */
};

/** enum drmfault_engine_class - kinds of engines, as in DRM's fdinfo */
enum drmfault_engine_class {
	DRMFAULT_ENGINE_RENDER = 1,
	DRMFAULT_ENGINE_COMPUTE = 2,
	DRMFAULT_ENGINE_COPY = 3,
	DRMFAULT_ENGINE_VIDEO_DECODE = 4,
	DRMFAULT_ENGINE_VIDEO_ENCODE = 5,
	DRMFAULT_ENGINE_VIDEO_ENHANCE = 6,
	DRMFAULT_ENGINE_OTHER = 7,
};

/** enum drmfault_raw_format - how to decode the raw words */
enum drmfault_raw_format {
	DRMFAULT_RAW_SIM = 1,	  /**< the software GPU: job status, instruction word */
	DRMFAULT_RAW_AMDGPU = 2,  /**< amdgpu */
	DRMFAULT_RAW_XE = 3,	  /**< xe */
	DRMFAULT_RAW_I915 = 4,	  /**< i915 */
	DRMFAULT_RAW_NOUVEAU = 5, /**< nouveau */
	DRMFAULT_RAW_VTD = 6,	  /**< Intel VT-d: fault recording register in two, PCI segment */
	DRMFAULT_RAW_WEDGED = 7,  /**< recovery methods, the task that is blamed */
	DRMFAULT_RAW_NOUVEAU_GSP = 8, /**< engine, error, channel, MMU fault of the firmware */
};

/** Events were lost right before this record: drmfault_record_lost() of them. */
#define DRMFAULT_FLAG_LOST 0x1u
/** On a stream: more of a record that was read before, only its count is new. */
#define DRMFAULT_FLAG_REPEAT 0x2u
/** The context cannot go on. */
#define DRMFAULT_FLAG_FATAL 0x4u
/** The context is blamed for the timeout or reset. */
#define DRMFAULT_FLAG_GUILTY 0x8u
/** Nobody knows whose fault this is. */
#define DRMFAULT_FLAG_OWNER_UNKNOWN 0x10u

/* ---- Records ---- */

/* A record is read by these; what its kernel did not tell is 0, or "". */

/** enum drmfault_record_type, or one that is newer than this library */
uint32_t drmfault_record_type(const struct drmfault_record *record);
/** DRMFAULT_FLAG_* */
uint32_t drmfault_record_flags(const struct drmfault_record *record);
/** The GPU, for drmfault_device_get() */
uint32_t drmfault_record_device_id(const struct drmfault_record *record);
/** 1, 2, 3... in the context's ring (snapshots) or in the stream, counted before drops */
uint64_t drmfault_record_seqno(const struct drmfault_record *record);
/** Events dropped right before this record */
uint64_t drmfault_record_lost(const struct drmfault_record *record);
/** Equal events that this record stands for, at least 1 */
uint64_t drmfault_record_count(const struct drmfault_record *record);
/** Number of this record at its GPU, the same for every reader */
uint64_t drmfault_record_id(const struct drmfault_record *record);
/** Number of the incident that it belongs to; later ones are greater */
uint64_t drmfault_record_group_id(const struct drmfault_record *record);
/** CLOCK_MONOTONIC in nanoseconds, first of the events */
uint64_t drmfault_record_timestamp_ns(const struct drmfault_record *record);
/** The same, last of the events */
uint64_t drmfault_record_last_timestamp_ns(const struct drmfault_record *record);
/** The GPU's own clock in its own unit */
uint64_t drmfault_record_gpu_timestamp(const struct drmfault_record *record);
/** GPU virtual address, not sign-extended; see drmfault_canonical() */
uint64_t drmfault_record_address(const struct drmfault_record *record);
/** Bytes, a power of two, for drmfault_range(); 0: there is no address */
uint64_t drmfault_record_address_precision(const struct drmfault_record *record);
/** Width of the GPU's virtual addresses */
uint32_t drmfault_record_address_bits(const struct drmfault_record *record);
/** Instruction pointer of the ring or shader; none if its type is 0 */
uint64_t drmfault_record_ip(const struct drmfault_record *record);
/** As the precision of the address */
uint64_t drmfault_record_ip_precision(const struct drmfault_record *record);
/** enum drmfault_ip_type, 0: there is no instruction pointer */
uint32_t drmfault_record_ip_type(const struct drmfault_record *record);
/** enum drmfault_access */
uint32_t drmfault_record_access(const struct drmfault_record *record);
/** enum drmfault_type, 0 where the record is no fault */
uint32_t drmfault_record_fault_type(const struct drmfault_record *record);
/** Page-table level where the walk ended, from 1 (the last, PTE) */
uint32_t drmfault_record_level(const struct drmfault_record *record);
/** enum drmfault_engine_class */
uint32_t drmfault_record_engine_class(const struct drmfault_record *record);
/** Number of the engine in its class, from 0 */
uint32_t drmfault_record_engine_instance(const struct drmfault_record *record);
/** Name of the engine or ring at its driver; lives as long as the record */
const char *drmfault_record_engine(const struct drmfault_record *record);
/** The GPU address space, unique until the module is unloaded */
uint64_t drmfault_record_context_id(const struct drmfault_record *record);
/** "drm-client-id" of fdinfo */
uint64_t drmfault_record_client_id(const struct drmfault_record *record);
/** Process that owns the context, as counted where the stream was opened */
uint32_t drmfault_record_pid(const struct drmfault_record *record);
/** Process address space id of the IOMMU or GPU */
uint32_t drmfault_record_pasid(const struct drmfault_record *record);
/** Name of that process when it opened the GPU; lives as long as the record */
const char *drmfault_record_comm(const struct drmfault_record *record);
/** Hardware address space slot at the time of the fault */
uint32_t drmfault_record_vmid(const struct drmfault_record *record);
/** How to decode the raw words; enum drmfault_raw_format */
uint32_t drmfault_record_raw_format(const struct drmfault_record *record);
/** How many raw words there are */
uint32_t drmfault_record_raw_count(const struct drmfault_record *record);
/** Word @i as the hardware gave it, 0 beyond the count */
uint64_t drmfault_record_raw(const struct drmfault_record *record, uint32_t i);
/** Fence context of the job */
uint64_t drmfault_record_job_context(const struct drmfault_record *record);
/** Fence number of the job in its context */
uint64_t drmfault_record_job_seqno(const struct drmfault_record *record);

/**
 * drmfault_record_bytes - the record as the kernel gave it
 * @record: the record
 * @size: its length
 *
 * Return: the bytes, valid as long as the record
 */
const void *drmfault_record_bytes(const struct drmfault_record *record, size_t *size);

/* ---- Names and addresses ---- */

/*
 * Short words for values ("write", "not present"), NULL for one that has no name
 * here; and the value of a word, or -EINVAL.
 */
const char *drmfault_record_type_name(uint32_t type);
int drmfault_record_type_from_name(const char *name);
const char *drmfault_access_name(uint32_t access);
int drmfault_access_from_name(const char *name);
const char *drmfault_type_name(uint32_t fault_type);
int drmfault_type_from_name(const char *name);
const char *drmfault_ip_type_name(uint32_t ip_type);
int drmfault_ip_type_from_name(const char *name);
const char *drmfault_engine_class_name(uint32_t engine_class);
int drmfault_engine_class_from_name(const char *name);
const char *drmfault_raw_format_name(uint32_t raw_format);
int drmfault_raw_format_from_name(const char *name);
/** The name of flag bit @bit, from 0. */
const char *drmfault_flag_name(unsigned int bit);

/** A width for drmfault_canonical(): the least of 48, 57 and 64 bits that the address fits */
#define DRMFAULT_ADDRESS_BITS_AUTO 0xffffffffu

/**
 * drmfault_canonical - an address as the CPU would write it
 * @address: GPU virtual address
 * @bits: its width, 0 or 64: it stays as it is
 *
 * The one rule by which addresses are compared: the highest bit of the width is
 * copied into all bits above it. An address fits a width if the bits above are all 0, or
 * all as that highest bit. Where nobody knows the width, DRMFAULT_ADDRESS_BITS_AUTO makes
 * the same of both forms of an address; it cannot tell the upper half of 48 bits from
 * what 57 bits have between 2^47 and 2^48.
 *
 * Return: the sign-extended address
 */
uint64_t drmfault_canonical(uint64_t address, uint32_t bits);

/**
 * drmfault_range - the bytes that an address with a precision may mean
 * @address: the address
 * @precision: a power of two, 0 counts as 1
 * @first: first byte
 * @last: last byte, inclusive
 */
void drmfault_range(uint64_t address, uint64_t precision, uint64_t *first, uint64_t *last);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_RECORD_H */
