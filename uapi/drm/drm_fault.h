/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * drm_fault: GPU faults of any DRM driver, read through /dev/drm_fault.
 *
 * A *reporter* is one GPU that can report faults. A *client* is one opener of
 * a DRM node, a *context* one GPU address space of a client. Every fault goes
 * as a *record* into the ring of its context. A *stream* is an open file on
 * which the records of a chosen scope are read.
 *
 * Rules that hold for every call:
 *  - Structures start with their size. A shorter structure of an older caller
 *    is extended with zeros, the tail of a longer one must be zero (E2BIG).
 *    The reply is as long as the shorter of the two.
 *  - Padding and unknown flag bits must be zero (EINVAL).
 *  - Enumerators start at 1; 0 says "none" or "not known".
 *  - Strings are NUL-terminated, longer ones are cut.
 *  - All times are CLOCK_MONOTONIC in nanoseconds.
 *
 * Errors:
 *  ENOTTY	no such call in this version of the module
 *  E2BIG	a newer structure uses a field that this module does not know
 *  EINVAL	unknown flag or scope, non-zero padding, size below the minimum, a
 *		file that is no DRM node or no pidfd where one is asked for,
 *		read() with a buffer shorter than one record
 *  EBADF	the file descriptor is not open
 *  ENODEV	no such reporter, or the GPU's driver is gone
 *  EOPNOTSUPP	the file is a DRM node, but nothing reports faults for it
 *  EACCES	the scope reaches further than the caller's own processes and the
 *		caller has neither the capability nor the right to look there
 *  ESRCH	the process behind a pidfd has been reaped
 *  EMFILE	too many streams of this user, or open files of this process
 *  EAGAIN	nothing to read now, and the stream does not block
 *  EFAULT	a pointer is bad; nothing was consumed
 *  ENOMEM, EINTR	as everywhere
 */
#ifndef _UAPI_DRM_FAULT_H_
#define _UAPI_DRM_FAULT_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

/** DRM_FAULT_DEVICE_PATH: the device node, mode 0666; udev may narrow it. */
#define DRM_FAULT_DEVICE_PATH		"/dev/drm_fault"

#define DRM_FAULT_NAME_LEN		32
#define DRM_FAULT_ENGINE_LEN		16
#define DRM_FAULT_COMM_LEN		16
#define DRM_FAULT_RAW_WORDS		4

/**
 * enum drm_fault_record_type - what a record tells
 * @DRM_FAULT_RECORD_FAULT:	an access that the GPU could not complete
 * @DRM_FAULT_RECORD_TIMEOUT:	a job did not end in time
 * @DRM_FAULT_RECORD_RESET:	an engine or the GPU was reset
 * @DRM_FAULT_RECORD_LOST:	only on streams: events were dropped and no record
 *				followed them yet; &drm_fault_record.lost says how
 *				many, everything but the header is zero
 * @DRM_FAULT_RECORD_WEDGED:	the driver says that the GPU does not work any more;
 *				raw[0] are its recovery methods
 * @DRM_FAULT_RECORD_DUMP:	the driver made a dump of its own; engine is its name
 *				in /sys/class/devcoredump
 */
enum drm_fault_record_type {
	DRM_FAULT_RECORD_FAULT = 1,
	DRM_FAULT_RECORD_TIMEOUT = 2,
	DRM_FAULT_RECORD_RESET = 3,
	DRM_FAULT_RECORD_LOST = 4,
	DRM_FAULT_RECORD_WEDGED = 5,
	DRM_FAULT_RECORD_DUMP = 6,
};

/** enum drm_fault_access - what the GPU tried to do; 0 is unknown */
enum drm_fault_access {
	DRM_FAULT_ACCESS_UNKNOWN = 0,
	DRM_FAULT_ACCESS_READ = 1,
	DRM_FAULT_ACCESS_WRITE = 2,
	DRM_FAULT_ACCESS_EXECUTE = 3,
	DRM_FAULT_ACCESS_ATOMIC = 4,
};

/**
 * enum drm_fault_type - why it failed; 0 where the record is no fault
 * @DRM_FAULT_TYPE_NOT_PRESENT:	nothing is mapped at the address
 * @DRM_FAULT_TYPE_PERMISSION:	mapped, but not for this access
 * @DRM_FAULT_TYPE_INVALID_FORMAT:	the page table or the instruction is malformed
 * @DRM_FAULT_TYPE_OTHER:		anything else, or not told by the hardware
 */
enum drm_fault_type {
	DRM_FAULT_TYPE_NOT_PRESENT = 1,
	DRM_FAULT_TYPE_PERMISSION = 2,
	DRM_FAULT_TYPE_INVALID_FORMAT = 3,
	DRM_FAULT_TYPE_OTHER = 4,
};

/**
 * enum drm_fault_ip_type - what the instruction pointer means
 * @DRM_FAULT_IP_UNKNOWN:	it ran near the time of the fault, no more is known
 * @DRM_FAULT_IP_INVALID:	the pointer itself is what could not be fetched
 * @DRM_FAULT_IP_FAULT:		the instruction there raised the fault
 */
enum drm_fault_ip_type {
	DRM_FAULT_IP_UNKNOWN = 1,
	DRM_FAULT_IP_INVALID = 2,
	DRM_FAULT_IP_FAULT = 3,
};

/** enum drm_fault_engine_class - kinds of engines, as DRM's fdinfo names them */
enum drm_fault_engine_class {
	DRM_FAULT_ENGINE_RENDER = 1,
	DRM_FAULT_ENGINE_COMPUTE = 2,
	DRM_FAULT_ENGINE_COPY = 3,
	DRM_FAULT_ENGINE_VIDEO_DECODE = 4,
	DRM_FAULT_ENGINE_VIDEO_ENCODE = 5,
	DRM_FAULT_ENGINE_VIDEO_ENHANCE = 6,
	DRM_FAULT_ENGINE_OTHER = 7,
};

/** enum drm_fault_raw_format - how to decode &drm_fault_record.raw */
enum drm_fault_raw_format {
	/** raw[0]: job status, raw[1]: the instruction word; drm_fault_sim.h */
	DRM_FAULT_RAW_SIM = 1,
	/**
	 * raw[0]: bits 31:0 the hub's fault status register if
	 * DRM_FAULT_AMDGPU_HAS_STATUS, 47:40 the driver's number of the hub if
	 * DRM_FAULT_AMDGPU_HAS_HUB, 63:56 the memory controller, which decides what
	 * the status means: 0x60, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0xc0 and 0xc1 for
	 * gmc_v6_0 to gmc_v12_1, 0 if not known. raw[1], raw[2]: the four data words
	 * of the interrupt, the first in the low half. raw[3]: bits 7:0 the client
	 * that raised it, 15:8 its source, 23:16 its ring, 31:24 its vmid_src,
	 * 39:32 its node, 63:48 its pasid.
	 */
	DRM_FAULT_RAW_AMDGPU = 2,
	/**
	 * raw_count 4: the four words in which the GuC described the page fault
	 * (struct xe_guc_pagefault_desc), the ASID is raw[1] >> 12.
	 * raw_count 1: only the two words of the driver's answer are known, the first
	 * in the low half.
	 * raw_count 2 or 3, without an address: raw[0] the queue's number at the GuC,
	 * raw[1] a bit for each engine of the class that the queue can run on, raw[2]
	 * the kind of error where the GuC tells it.
	 */
	DRM_FAULT_RAW_XE = 3,
	/**
	 * Of faults and timeouts: raw[0]: bits 31:0 the engine's FAULT_REG, 63:32
	 * FAULT_TLB_DATA1 (bit 36: an address of the global GTT). raw[1]: BBADDR.
	 * raw[2]: bits 31:0 FAULT_TLB_DATA0, 63:32 IPEHR. raw[3]: bits 31:0 the thread
	 * that made the GEM context, as the initial PID namespace counts, 63:32 how
	 * often that context was guilty before. Of resets: raw[0]: mask of the engines.
	 */
	DRM_FAULT_RAW_I915 = 4,
	/**
	 * raw[0]: bits 7:0 the MMU's number of the engine, 15:8 client, 23:16 GPC,
	 * 31:24 not 0 if the client is one of the hub, 39:32 access, 47:40 reason,
	 * 55:48 not 0 if the entry is valid. raw[1]: the address as it was read, a
	 * physical one if bit 35 of raw[0] is set.
	 */
	DRM_FAULT_RAW_NOUVEAU = 5,
	/**
	 * Intel VT-d: raw[0], raw[1]: lower and upper quadword of the fault recording
	 * register, raw[2]: PCI segment. The reason is in raw[1] >> 32 & 0xff, the
	 * device's bus, slot and function in raw[1] & 0xffff.
	 */
	DRM_FAULT_RAW_VTD = 6,
	/**
	 * drm_dev_wedged_event(): raw[0]: bits of the recovery methods, 0x1: none is
	 * needed, 0x2: rebind, 0x4: reset of the bus, 0x8: the vendor's; raw[1]: the
	 * task that is blamed, as the initial PID namespace counts
	 */
	DRM_FAULT_RAW_WEDGED = 7,
	/**
	 * nouveau where the firmware (GSP-RM) recovers channels: raw[0]: bits 31:0
	 * NV2080_ENGINE_TYPE_*, 63:32 the error as NVIDIA counts them ("Xid").
	 * raw[1]: bits 31:0 the firmware's number of the channel, 63:32 type of the
	 * MMU fault. raw[2]: bits 31:0 scope, 47:32 partition. raw[3]: bits 31:0 GFID,
	 * 63:32 level of the error. The type, GFID and level are 0 before firmware 570.
	 */
	DRM_FAULT_RAW_NOUVEAU_GSP = 8,
};

/* In raw[0] of DRM_FAULT_RAW_AMDGPU. */
#define DRM_FAULT_AMDGPU_HAS_STATUS		(1ULL << 32)
#define DRM_FAULT_AMDGPU_HAS_HUB		(1ULL << 33)

/* &drm_fault_record.flags */
/** Events were lost right before this record, &drm_fault_record.lost of them. */
#define DRM_FAULT_RECORD_F_LOST			0x1
/**
 * Streams only: this continues a record that was read before (the same
 * &drm_fault_record.record_id); &drm_fault_record.count has only what came since.
 */
#define DRM_FAULT_RECORD_F_REPEAT		0x2
/** The reporter says that the context cannot go on. */
#define DRM_FAULT_RECORD_F_FATAL		0x4
/** The context is to blame for the timeout or reset. */
#define DRM_FAULT_RECORD_F_GUILTY		0x8
/** No context is known for this fault: pid, comm and ids are zero. */
#define DRM_FAULT_RECORD_F_OWNER_UNKNOWN	0x10

/**
 * struct drm_fault_record - one captured event
 * @type:	enum drm_fault_record_type; skip what you do not know by @length
 * @length:	bytes of this record, a multiple of 8
 * @flags:	DRM_FAULT_RECORD_F_*
 * @reporter_id:	the reporter, for DRM_FAULT_IOCTL_GET_DEVICE
 * @seqno:	1, 2, 3... in the view it is read from: the context's ring for
 *		SNAPSHOT, the stream for read(). Given before anything is dropped.
 *		Gaps in a ring are records that were dropped; a stream has gaps
 *		where its queue was full.
 * @lost:	events dropped between the previous record of this view (and
 *		context, in a snapshot) and this one. Every event is in exactly one
 *		@count or one @lost.
 * @count:	events coalesced in this record: the same context, page, access,
 *		fault type, engine and incident. At least 1.
 * @record_id:	number of this record at its reporter, the same for every reader
 * @group_id:	number of the incident; all records of one incident have the same,
 *		later incidents have greater ones
 * @timestamp_ns:	when the first event of this record was captured
 * @last_timestamp_ns:	when the last was; @timestamp_ns if @count is 1
 * @gpu_timestamp:	the GPU's own clock in its own unit, 0 if not known
 * @address:	GPU virtual address, as wide as @address_bits, not sign-extended
 * @address_precision:	power of two; the access was in
 *		[address & ~(precision - 1), address | (precision - 1)].
 *		0: the reporter could not tell an address.
 * @ip:		instruction pointer of the ring or shader, see @ip_type
 * @ip_precision:	as @address_precision, for @ip
 * @access:	enum drm_fault_access
 * @fault_type:	enum drm_fault_type
 * @ip_type:	enum drm_fault_ip_type, 0: there is no @ip
 * @level:	page-table level where the walk ended, 1 is the last level (PTE),
 *		0 is not known
 * @engine_class:	enum drm_fault_engine_class
 * @engine_instance:	number of the engine in its class
 * @engine:	the engine's or ring's name as the driver calls it
 * @context_id:	the context, unique until the module is unloaded
 * @client_id:	the DRM client, "drm-client-id" of fdinfo where the kernel has it;
 *		0 if not known
 * @pid:	process (thread group) that owns the context, as counted in the PID
 *		namespace of who subscribed; 0 where it has none there
 * @pasid:	process address space id of the IOMMU or GPU, 0 if none
 * @comm:	name of the process when it opened the device
 * @vmid:	hardware address space slot at the time of the fault
 * @raw_format:	enum drm_fault_raw_format, 0: @raw is empty
 * @raw_count:	words used in @raw
 * @address_bits:	width of the GPU's virtual addresses, 0 if not known
 * @raw:	status words of the hardware as they were read
 * @job_context:	fence context of the job, 0 if not known
 * @job_seqno:	fence number of the job in @job_context
 */
struct drm_fault_record {
	__u32 type;
	__u32 length;
	__u32 flags;
	__u32 reporter_id;
	__aligned_u64 seqno;
	__aligned_u64 lost;
	__aligned_u64 count;
	__aligned_u64 record_id;
	__aligned_u64 group_id;
	__aligned_u64 timestamp_ns;
	__aligned_u64 last_timestamp_ns;
	__aligned_u64 gpu_timestamp;
	__aligned_u64 address;
	__aligned_u64 address_precision;
	__aligned_u64 ip;
	__aligned_u64 ip_precision;
	__u32 access;
	__u32 fault_type;
	__u32 ip_type;
	__u32 level;
	__u32 engine_class;
	__u32 engine_instance;
	char engine[DRM_FAULT_ENGINE_LEN];
	__aligned_u64 context_id;
	__aligned_u64 client_id;
	__u32 pid;
	__u32 pasid;
	char comm[DRM_FAULT_COMM_LEN];
	__u32 vmid;
	__u32 raw_format;
	__u32 raw_count;
	__u32 address_bits;
	__aligned_u64 raw[DRM_FAULT_RAW_WORDS];
	__aligned_u64 job_context;
	__aligned_u64 job_seqno;
};

/* &drm_fault_info.features */
/** The caller may use DEVICE and ALL scopes. */
#define DRM_FAULT_FEATURE_PRIVILEGED	0x1

/**
 * struct drm_fault_info - DRM_FAULT_IOCTL_GET_INFO
 * @size:	in: size of this structure, out: bytes the kernel knows
 * @flags:	in: must be 0
 * @features:	out: DRM_FAULT_FEATURE_*
 * @record_size:	out: &drm_fault_record.length of this module
 * @device_count:	out: reporters now registered
 * @ring_records:	out: records that a context's ring holds
 * @max_queue_records:	out: most that &drm_fault_subscribe.queue_records may ask
 * @max_streams:	out: streams a user may have open
 * @group_gap_ms:	out: a pause this long ends an incident
 * @version:	out: version of the module, as modinfo prints it
 */
struct drm_fault_info {
	__u32 size;
	__u32 flags;
	__aligned_u64 features;
	__u32 record_size;
	__u32 device_count;
	__u32 ring_records;
	__u32 max_queue_records;
	__u32 max_streams;
	__u32 group_gap_ms;
	char version[DRM_FAULT_NAME_LEN];
};

/* &drm_fault_device.flags: how the reporter is chosen; one at most */
/** The first reporter whose id is @id or more (ENODEV: no more of them). */
#define DRM_FAULT_DEVICE_NEXT		0x1
/** The reporter of the DRM node open as @fd. */
#define DRM_FAULT_DEVICE_BY_FD		0x2

/**
 * struct drm_fault_device - DRM_FAULT_IOCTL_GET_DEVICE
 * @size:	in: size of this structure, out: bytes the kernel knows
 * @flags:	in: DRM_FAULT_DEVICE_*; 0: the reporter with exactly this @id
 * @id:		in/out: reporter id, from 1
 * @fd:		in: with DRM_FAULT_DEVICE_BY_FD a DRM file descriptor, else 0
 * @name:	out: name in /sys/class/drm_fault
 * @driver:	out: name of the GPU's driver
 * @bus:	out: bus address ("0000:03:00.0") or platform name of the GPU
 * @primary_minor:	out: N of /dev/dri/cardN, 0xffffffff if there is none
 * @render_minor:	out: N of /dev/dri/renderDN, 0xffffffff if there is none
 * @address_bits:	out: width of its virtual addresses, 0 if not known
 * @pad:	must be 0
 * @events:	out: events captured since it was registered, 0 for callers who
 *		may not see other processes
 * @records:	out: records made of them, likewise
 */
struct drm_fault_device {
	__u32 size;
	__u32 flags;
	__u32 id;
	__s32 fd;
	char name[DRM_FAULT_NAME_LEN];
	char driver[DRM_FAULT_NAME_LEN];
	char bus[DRM_FAULT_NAME_LEN];
	__u32 primary_minor;
	__u32 render_minor;
	__u32 address_bits;
	__u32 pad;
	__aligned_u64 events;
	__aligned_u64 records;
};

/**
 * enum drm_fault_scope - whose records a stream has
 * @DRM_FAULT_SCOPE_FILE:	the contexts of the DRM client open as @fd; who holds
 *				the file may see its faults
 * @DRM_FAULT_SCOPE_SELF:	the contexts of the calling process
 * @DRM_FAULT_SCOPE_PIDFD:	the contexts of the process behind the pidfd @fd;
 *				needs CAP_SYS_PTRACE or CAP_PERFMON, or all of that
 *				process's uids and gids to be the caller's, and it to
 *				be dumpable and to have no capability that the caller
 *				has not
 * @DRM_FAULT_SCOPE_DEVICE:	all contexts of the reporter @device_id; needs
 *				CAP_PERFMON or CAP_SYS_ADMIN
 * @DRM_FAULT_SCOPE_ALL:	everything; needs CAP_PERFMON or CAP_SYS_ADMIN
 *
 * Capabilities are checked once, here, in the initial user namespace.
 */
enum drm_fault_scope {
	DRM_FAULT_SCOPE_FILE = 1,
	DRM_FAULT_SCOPE_SELF = 2,
	DRM_FAULT_SCOPE_PIDFD = 3,
	DRM_FAULT_SCOPE_DEVICE = 4,
	DRM_FAULT_SCOPE_ALL = 5,
};

/* &drm_fault_subscribe.flags */
/** The stream starts with O_NONBLOCK set. */
#define DRM_FAULT_SUBSCRIBE_NONBLOCK	0x1

/**
 * struct drm_fault_subscribe - DRM_FAULT_IOCTL_SUBSCRIBE
 * @size:	in: size of this structure, out: bytes the kernel knows
 * @flags:	in: DRM_FAULT_SUBSCRIBE_*
 * @scope:	in: enum drm_fault_scope
 * @fd:		in: for FILE a DRM file descriptor, for PIDFD a pidfd, else 0
 * @device_id:	in: for DEVICE the reporter's id, else 0
 * @queue_records:	in: wished length of the stream's queue, 0 for the default;
 *		out: the length it has (a power of two within the limits)
 * @stream_fd:	out: the stream, O_CLOEXEC
 * @pad:	must be 0
 *
 * read() on the stream returns whole records, each once, from the moment of
 * the subscription on, oldest first. It blocks while there is none, unless
 * O_NONBLOCK is set. poll() says POLLIN when there is one. When the queue is
 * full the newest events are dropped and counted in the next record's lost.
 * When the GPU's driver goes away, what is queued can still be read; after
 * that read() fails with ENODEV and poll() says POLLHUP | POLLERR.
 * Streams of SELF, PIDFD and ALL outlive any one GPU.
 */
struct drm_fault_subscribe {
	__u32 size;
	__u32 flags;
	__u32 scope;
	__s32 fd;
	__u32 device_id;
	__u32 queue_records;
	__s32 stream_fd;
	__u32 pad;
};

/* &drm_fault_snapshot.result */
/**
 * Records arrived during the call: every record is whole, but one may be
 * missing, and the sums are of a moment during the call.
 */
#define DRM_FAULT_SNAPSHOT_MOVING	0x1

/**
 * struct drm_fault_snapshot - DRM_FAULT_IOCTL_SNAPSHOT, on a stream
 * @size:	in: size of this structure, out: bytes the kernel knows
 * @flags:	in: must be 0
 * @record_size:	in: bytes from one record of the array to the next, from 8 to
 *		4096 and a multiple of 8, out: bytes of each that the kernel filled
 *		(what lies beyond them is zeroed)
 * @record_count:	in: records that the array holds, out: records written
 * @records_ptr:	in: array of struct drm_fault_record; ignored if the count is 0
 * @total:	out: records there are; more than @record_count if the array was
 *		too short, which then holds the oldest
 * @events:	out: events ever raised in these contexts
 * @lost:	out: those of them that no record counts
 * @generation:	out: the same as last time if and only if nothing happened since
 * @result:	out: DRM_FAULT_SNAPSHOT_*
 * @pad:	must be 0
 *
 * The rings of all contexts in the stream's scope, also those that faulted
 * before the subscription and those whose process is gone but which are still
 * kept. Nothing is consumed, neither here nor from the stream's queue. Records
 * are in the order of their timestamps.
 */
struct drm_fault_snapshot {
	__u32 size;
	__u32 flags;
	__u32 record_size;
	__u32 record_count;
	__aligned_u64 records_ptr;
	__aligned_u64 total;
	__aligned_u64 events;
	__aligned_u64 lost;
	__aligned_u64 generation;
	__u32 result;
	__u32 pad;
};

/*
 * The numbers carry no size, the structures do, so that they can grow. The
 * argument is a pointer to the structure named like the call.
 */
#define DRM_FAULT_IOCTL_TYPE		0xFA

#define DRM_FAULT_IOCTL_GET_INFO	_IO(DRM_FAULT_IOCTL_TYPE, 0x00)
#define DRM_FAULT_IOCTL_GET_DEVICE	_IO(DRM_FAULT_IOCTL_TYPE, 0x01)
#define DRM_FAULT_IOCTL_SUBSCRIBE	_IO(DRM_FAULT_IOCTL_TYPE, 0x02)
#define DRM_FAULT_IOCTL_SNAPSHOT	_IO(DRM_FAULT_IOCTL_TYPE, 0x03)

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_DRM_FAULT_H_ */
