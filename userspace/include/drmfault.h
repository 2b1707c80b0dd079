/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault: GPU faults of this process, of others, of the whole machine.
 *
 * A program opens the fault device (drmfault_open), asks for the records of
 * some scope (drmfault_subscribe) and then reads them one by one
 * (drmfault_stream_next), or looks at all that the kernel keeps
 * (drmfault_snapshot_take). Words, units and meanings are those of the kernel's
 * <drm/drm_fault.h>, which nobody needs in order to use this one.
 *
 * Rules:
 *  - Functions that can fail return a negative errno; 0 or more is success.
 *  - Functions that make an object store it through their last argument, and
 *    leave it alone when they fail. Freeing NULL does nothing.
 *  - The library never prints, never exits, has no global state. One object may
 *    be used by one thread at a time, different objects by different threads.
 *  - A call that a signal interrupts is made again, except for waits: these
 *    return -EINTR.
 *  - Fields that a newer kernel adds are kept in the bytes of a record; fields
 *    that an older one lacks read as 0.
 */
#ifndef DRMFAULT_H
#define DRMFAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault;
struct drmfault_device;
struct drmfault_stream;
struct drmfault_snapshot;
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

/** enum drmfault_scope - whose records a stream has */
enum drmfault_scope {
	DRMFAULT_SCOPE_FILE = 1,   /**< of one open DRM node; who holds it may */
	DRMFAULT_SCOPE_SELF = 2,   /**< of the calling process */
	DRMFAULT_SCOPE_PIDFD = 3,  /**< of another process, one's own or by privilege */
	DRMFAULT_SCOPE_DEVICE = 4, /**< of one GPU, by privilege */
	DRMFAULT_SCOPE_ALL = 5,	   /**< of all, by privilege */
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

/** Wait as long as it takes. */
#define DRMFAULT_FOREVER UINT64_MAX

/* ---- The fault device ---- */

/**
 * drmfault_open - open the fault device
 * @path: NULL for /dev/drm_fault
 * @fault: the handle; drmfault_close() closes it
 *
 * Return: 0; -ENODEV: the kernel module is not loaded; -EACCES: this user may
 * not open the device; -ENOTTY: @path is something else
 */
int drmfault_open(const char *path, struct drmfault **fault);
void drmfault_close(struct drmfault *fault);

/**
 * struct drmfault_memory - where memory comes from
 * @allocate: as malloc(), with @user; NULL: malloc() and free(), and the rest is ignored
 * @release: as free(), with @user; never of NULL
 * @user: whatever they need
 */
struct drmfault_memory {
	void *(*allocate)(void *user, size_t size);
	void (*release)(void *user, void *memory);
	void *user;
};

/**
 * drmfault_open_in - open the fault device, with memory of the caller's
 * @path: NULL for /dev/drm_fault
 * @memory: copied; it is used for the handle and for all that is made from it, up to
 *	its snapshots; NULL: malloc()
 * @fault: the handle; drmfault_close() closes it
 *
 * Return: as drmfault_open(), or -ENOMEM
 */
int drmfault_open_in(const char *path, const struct drmfault_memory *memory,
		     struct drmfault **fault);

/** drmfault_module_version - version of the kernel module; lives as long as @fault */
const char *drmfault_module_version(const struct drmfault *fault);
/** drmfault_is_privileged - may the caller see the faults of all processes? */
bool drmfault_is_privileged(const struct drmfault *fault);
/** drmfault_ring_records - how many records the kernel keeps per GPU address space */
uint32_t drmfault_ring_records(const struct drmfault *fault);

/**
 * drmfault_explain - one sentence for a person: what an error means and what to do
 * @error: negative errno that a function here returned
 *
 * Return: a constant string without a newline
 */
const char *drmfault_explain(int error);

/** drmfault_version - version of this library, "MAJOR.MINOR.PATCH" */
const char *drmfault_version(void);

/* ---- GPUs that report faults ---- */

/**
 * drmfault_device_get - describe the GPU with this number
 * @fault: the handle
 * @id: the number, from 1
 * @device: to be freed with drmfault_device_free()
 *
 * Return: 0 or -ENODEV
 */
int drmfault_device_get(struct drmfault *fault, uint32_t id, struct drmfault_device **device);

/**
 * drmfault_device_next - go through all GPUs
 * @fault: the handle
 * @after: number of the one before, 0 for the first
 * @device: to be freed with drmfault_device_free()
 *
 * Return: 0, or -ENODEV after the last one
 */
int drmfault_device_next(struct drmfault *fault, uint32_t after, struct drmfault_device **device);

/**
 * drmfault_device_of_fd - describe the GPU of an open DRM node
 * @fault: the handle
 * @drm_fd: the node
 * @device: to be freed with drmfault_device_free()
 *
 * Return: 0; -EOPNOTSUPP: nothing reports faults of this GPU; -EINVAL: no DRM
 * node; -EBADF
 */
int drmfault_device_of_fd(struct drmfault *fault, int drm_fd, struct drmfault_device **device);
void drmfault_device_free(struct drmfault_device *device);

/** drmfault_device_id - its number */
uint32_t drmfault_device_id(const struct drmfault_device *device);
/** drmfault_device_name - its name in /sys/class/drm_fault */
const char *drmfault_device_name(const struct drmfault_device *device);
/** drmfault_device_driver - name of the GPU's driver */
const char *drmfault_device_driver(const struct drmfault_device *device);
/** drmfault_device_bus - bus address or platform name */
const char *drmfault_device_bus(const struct drmfault_device *device);
/** drmfault_device_primary_minor - N of /dev/dri/cardN, or -1 */
int drmfault_device_primary_minor(const struct drmfault_device *device);
/** drmfault_device_render_minor - N of /dev/dri/renderDN, or -1 */
int drmfault_device_render_minor(const struct drmfault_device *device);
/** drmfault_device_address_bits - width of its virtual addresses, 0 if not known */
uint32_t drmfault_device_address_bits(const struct drmfault_device *device);
/** drmfault_device_events - events since it was registered, 0 without privilege */
uint64_t drmfault_device_events(const struct drmfault_device *device);
/** drmfault_device_records - records made of them, 0 without privilege */
uint64_t drmfault_device_records(const struct drmfault_device *device);

/* ---- Streams ---- */

/**
 * struct drmfault_subscribe_args - what drmfault_subscribe() is to deliver
 * @size: sizeof(struct drmfault_subscribe_args). It may grow at its end: what an
 *	older caller lacks counts as 0, what a newer one has beyond what this
 *	library knows must be 0 (-E2BIG)
 * @scope: whose records
 * @fd: for FILE a DRM file descriptor, for PIDFD a pidfd; not needed afterwards
 * @device_id: for DEVICE the number of the GPU
 * @queue_records: wished length of the queue, 0 for the kernel's default
 */
struct drmfault_subscribe_args {
	size_t size;
	enum drmfault_scope scope;
	int fd;
	uint32_t device_id;
	uint32_t queue_records;
};

/**
 * drmfault_subscribe - open a stream
 * @fault: the handle, may be closed afterwards
 * @args: whose records
 * @stream: to be freed with drmfault_stream_free()
 *
 * Return: 0; -EACCES: the scope needs a privilege; -EOPNOTSUPP: nothing reports
 * faults of this GPU; -ENODEV: no such GPU; -ESRCH: the process is gone; -EMFILE:
 * too many streams or files; -EBADF, -EINVAL: @fd is not what the scope asks for;
 * -E2BIG: see @args.size; -ENOMEM
 */
int drmfault_subscribe(struct drmfault *fault, const struct drmfault_subscribe_args *args,
		       struct drmfault_stream **stream);
void drmfault_stream_free(struct drmfault_stream *stream);

/** drmfault_stream_fd - for the caller's own poll loop: readable when there is a record */
int drmfault_stream_fd(const struct drmfault_stream *stream);
/** drmfault_stream_queue_records - length of the queue it has */
uint32_t drmfault_stream_queue_records(const struct drmfault_stream *stream);

/**
 * drmfault_stream_wait - wait for a record
 * @stream: the stream
 * @timeout_ns: how long, 0: not at all, DRMFAULT_FOREVER
 *
 * Return: 1: there is one; 0: the time is over; -ENODEV: the GPU is gone and
 * all is read; -EINTR
 */
int drmfault_stream_wait(struct drmfault_stream *stream, uint64_t timeout_ns);

/**
 * drmfault_stream_next - take the next record, without waiting
 * @stream: the stream
 * @record: valid until the next call with @stream
 *
 * Return: 1: there is one; 0: none now; -ENODEV: the GPU is gone and all is read
 */
int drmfault_stream_next(struct drmfault_stream *stream, const struct drmfault_record **record);

/* ---- Snapshots ---- */

/**
 * drmfault_snapshot_take - all records that the kernel keeps for a stream's scope
 * @stream: the stream; nothing is taken from it
 * @snapshot: to be freed with drmfault_snapshot_free()
 *
 * Return: 0; -ENODEV: the GPU is gone; -ENOMEM
 */
int drmfault_snapshot_take(struct drmfault_stream *stream, struct drmfault_snapshot **snapshot);

/**
 * drmfault_snapshot_from_bytes - a snapshot of records that come from elsewhere
 * @bytes: records as the kernel lays them out, one after the other; copied
 * @stride: bytes from one to the next, a multiple of 8, at least 8
 * @count: how many
 * @snapshot: to be freed with drmfault_snapshot_free()
 *
 * Events and lost are the sums over the records.
 *
 * Return: 0; -EINVAL: @stride; -ENOMEM
 */
int drmfault_snapshot_from_bytes(const void *bytes, size_t stride, size_t count,
				 struct drmfault_snapshot **snapshot);
void drmfault_snapshot_free(struct drmfault_snapshot *snapshot);

/** struct drmfault_told - a fault that somebody else than the kernel tells, as a driver does */
struct drmfault_told {
	/** sizeof(struct drmfault_told) */
	uint32_t size;
	/** enum drmfault_access */
	uint32_t access;
	/** GPU virtual address and its precision, a power of two; 0: there is no address */
	uint64_t address;
	uint64_t precision;
	/** As the address, and enum drmfault_ip_type; 0: there is no instruction pointer */
	uint64_t ip;
	uint64_t ip_precision;
	uint32_t ip_type;
	/** Whose it is; 0: not known */
	uint32_t pid;
	/** Its name, cut where that of a record ends; may be NULL */
	const char *comm;
	/** When it was seen, CLOCK_MONOTONIC */
	uint64_t timestamp_ns;
};

/**
 * drmfault_snapshot_with - a snapshot and behind it records of faults that were told
 * @snapshot: stays as it is; NULL: none
 * @told: the faults
 * @count: how many
 * @with: to be freed with drmfault_snapshot_free()
 *
 * Records of what was told have neither numbers nor a context. Events and lost are the
 * sums over the records.
 *
 * Return: 0; -EINVAL: too many; -ENOMEM
 */
int drmfault_snapshot_with(const struct drmfault_snapshot *snapshot,
			   const struct drmfault_told *told, size_t count,
			   struct drmfault_snapshot **with);

/**
 * drmfault_snapshot_forget_before - leave out what is older
 * @snapshot: the snapshot; pointers to its records become invalid
 * @timestamp_ns: records whose last event was before this are left out; CLOCK_MONOTONIC
 *
 * If any is, events and lost become the sums over the records that stay.
 */
void drmfault_snapshot_forget_before(struct drmfault_snapshot *snapshot, uint64_t timestamp_ns);

/**
 * drmfault_snapshot_forget - leave out what is not of interest
 * @snapshot: the snapshot; pointers to its records become invalid
 * @is_forgotten: called for each record; those for which it returns true are left out
 * @data: given to it
 *
 * If any is, events and lost become the sums over the records that stay.
 */
void drmfault_snapshot_forget(struct drmfault_snapshot *snapshot,
			      bool (*is_forgotten)(void *data,
						   const struct drmfault_record *record),
			      void *data);

/** drmfault_snapshot_count - number of records */
size_t drmfault_snapshot_count(const struct drmfault_snapshot *snapshot);
/** drmfault_snapshot_record - record @i, oldest first; NULL if there is none */
const struct drmfault_record *drmfault_snapshot_record(const struct drmfault_snapshot *snapshot,
						       size_t i);
/** drmfault_snapshot_events - events ever raised in the scope */
uint64_t drmfault_snapshot_events(const struct drmfault_snapshot *snapshot);
/** drmfault_snapshot_lost - those that no record here counts */
uint64_t drmfault_snapshot_lost(const struct drmfault_snapshot *snapshot);
/** drmfault_snapshot_generation - changes when, and only when, something happens */
uint64_t drmfault_snapshot_generation(const struct drmfault_snapshot *snapshot);
/** drmfault_snapshot_moving - records arrived meanwhile, the sums are approximate */
bool drmfault_snapshot_moving(const struct drmfault_snapshot *snapshot);

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
const char *drmfault_scope_name(uint32_t scope);
int drmfault_scope_from_name(const char *name);
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

#endif /* DRMFAULT_H */
