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

#include "drmfault_record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault;
struct drmfault_device;
struct drmfault_stream;
struct drmfault_snapshot;

/** enum drmfault_scope - whose records a stream has; the numbers are the kernel's */
enum drmfault_scope {
	DRMFAULT_SCOPE_FILE = 1,   /**< of one open DRM node; who holds it may */
	DRMFAULT_SCOPE_SELF = 2,   /**< of the calling process */
	DRMFAULT_SCOPE_PIDFD = 3,  /**< of another process, one's own or by privilege */
	DRMFAULT_SCOPE_DEVICE = 4, /**< of one GPU, by privilege */
	DRMFAULT_SCOPE_ALL = 5,	   /**< of all, by privilege */
};

/* Its name as one short word, NULL for what has none; and the value of a word, or -EINVAL. */
const char *drmfault_scope_name(uint32_t scope);
int drmfault_scope_from_name(const char *name);

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
	/** Faults told right before this one that are left out, as drmfault_record_lost() */
	uint64_t lost;
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

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_H */
