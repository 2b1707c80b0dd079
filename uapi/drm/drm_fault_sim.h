/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * drm_fault_sim: a GPU in software that really faults.
 *
 * The driver is found by its name in DRM_IOCTL_VERSION, %DRM_FAULT_SIM_NAME.
 * Every open file of its DRM node has a GPU address space of its own, 48 bits
 * wide, in pages of 4 KiB. Objects are mapped into it with a permission to be
 * read, written or executed. A job is a program in mapped memory that is run
 * on one of two rings; each ring runs the jobs of all files one after the
 * other, in the order of their submission.
 *
 * What a job does wrong is a fault:
 *  - an access where nothing is mapped, without the permission, or misaligned,
 *  - an instruction that cannot be fetched or decoded.
 * The job then ends, its fence has the error -EFAULT, and the file is *guilty*:
 * its other jobs end with -ECANCELED, new ones are refused with ECANCELED,
 * until DRM_IOCTL_FAULT_SIM_RECOVER. A job that runs too long ends the same way
 * with -ETIMEDOUT and a reset of the ring.
 *
 * Rules that hold for every call: padding and unknown flags must be zero
 * (EINVAL), a call after the device is gone fails with ENODEV. A call that
 * fails changes nothing. EFAULT, ENOMEM, EINTR as everywhere.
 */
#ifndef _UAPI_DRM_FAULT_SIM_H_
#define _UAPI_DRM_FAULT_SIM_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#include "drm_fault.h"

#if defined(__cplusplus)
extern "C" {
#endif

/** DRM_FAULT_SIM_NAME: the driver's name in DRM_IOCTL_VERSION */
#define DRM_FAULT_SIM_NAME		"drm_fault_sim"

/** DRM_FAULT_SIM_RINGS: rings, numbered from 0, called "ring0" and "ring1" */
#define DRM_FAULT_SIM_RINGS		2
/** DRM_FAULT_SIM_PAGE_SIZE: unit of mapping, in bytes */
#define DRM_FAULT_SIM_PAGE_SIZE		4096
/** DRM_FAULT_SIM_ADDRESS_BITS: width of a GPU virtual address */
#define DRM_FAULT_SIM_ADDRESS_BITS	48
/** DRM_FAULT_SIM_LEVELS: levels of the page table; 1 has the pages, 4 is the root */
#define DRM_FAULT_SIM_LEVELS		4
/** DRM_FAULT_SIM_REGISTERS: registers of 64 bits, 0 when a job starts */
#define DRM_FAULT_SIM_REGISTERS		16

/**
 * struct drm_fault_sim_info - DRM_IOCTL_FAULT_SIM_INFO, what there is
 * @flags:	in: must be 0
 * @rings:	out: DRM_FAULT_SIM_RINGS
 * @address_bits:	out: DRM_FAULT_SIM_ADDRESS_BITS
 * @page_size:	out: DRM_FAULT_SIM_PAGE_SIZE
 * @timeout_ms:	out: time after which a running job is taken for hung
 * @max_jobs:	out: jobs of one file that may be queued or running
 * @reporting:	out: 1 if faults are reported to drm_fault, 0 if they are only
 *		printed to the kernel's log (module parameter report=0)
 * @pad:	must be 0
 * @max_object_size:	out: bytes that one object may have
 * @max_mapped_size:	out: bytes that one file may have mapped at a time
 */
struct drm_fault_sim_info {
	__u32 flags;
	__u32 rings;
	__u32 address_bits;
	__u32 page_size;
	__u32 timeout_ms;
	__u32 max_jobs;
	__u32 reporting;
	__u32 pad;
	__aligned_u64 max_object_size;
	__aligned_u64 max_mapped_size;
};

/**
 * struct drm_fault_sim_create - DRM_IOCTL_FAULT_SIM_CREATE, make an object
 * @size:	in: bytes, at least 1; out: rounded up to whole pages
 * @mmap_offset:	out: for mmap() of the DRM file, with MAP_SHARED
 * @flags:	in: must be 0
 * @handle:	out: GEM handle, closed with DRM_IOCTL_GEM_CLOSE
 *
 * The object is all zeros. It lives as long as a handle, a mapping (of the CPU
 * or the GPU) or an exported dma-buf refers to it.
 * EINVAL: @size is 0. E2BIG: @size is above the limit.
 */
struct drm_fault_sim_create {
	__aligned_u64 size;
	__aligned_u64 mmap_offset;
	__u32 flags;
	__u32 handle;
};

/* &drm_fault_sim_map.flags: at least one; an atomic access needs READ and WRITE */
/** The range may be loaded from. */
#define DRM_FAULT_SIM_MAP_READ		0x1
/** The range may be stored to. */
#define DRM_FAULT_SIM_MAP_WRITE		0x2
/** The range may be executed. */
#define DRM_FAULT_SIM_MAP_EXEC		0x4

/**
 * struct drm_fault_sim_map - DRM_IOCTL_FAULT_SIM_MAP, map a range of an object
 * @handle:	in: the object
 * @flags:	in: DRM_FAULT_SIM_MAP_*
 * @address:	in: GPU address of the first byte, a multiple of the page size
 * @offset:	in: first byte in the object, a multiple of the page size
 * @size:	in: bytes, a multiple of the page size, at least one page
 *
 * The mapping keeps the object when its handle is closed.
 * ENOENT: no such handle. EINVAL: misaligned, nothing permitted, beyond the
 * end of the object or of the address space. EEXIST: a page of the range is
 * mapped already. ENOSPC: over the file's limit.
 */
struct drm_fault_sim_map {
	__u32 handle;
	__u32 flags;
	__aligned_u64 address;
	__aligned_u64 offset;
	__aligned_u64 size;
};

/**
 * struct drm_fault_sim_unmap - DRM_IOCTL_FAULT_SIM_UNMAP, unmap a range
 * @address:	in: first GPU address, a multiple of the page size
 * @size:	in: bytes, a multiple of the page size, at least one page
 * @flags:	in: must be 0
 * @pad:	must be 0
 *
 * Pages of the range that are not mapped are passed over; parts of what was
 * mapped by one call can be unmapped. When it returns no job touches the pages
 * any more. EINVAL: misaligned, or beyond the end of the address space.
 */
struct drm_fault_sim_unmap {
	__aligned_u64 address;
	__aligned_u64 size;
	__u32 flags;
	__u32 pad;
};

/* &drm_fault_sim_submit.flags */
/**
 * Data faults are reported, but the job goes on: what cannot be read is zero,
 * what cannot be written is dropped, COPY passes over the bytes up to the end
 * of the page that faulted. The file does not become guilty. Faults of
 * instructions end the job as always.
 */
#define DRM_FAULT_SIM_SUBMIT_NONFATAL	0x1
/** Return a sync_file in @fence_fd. */
#define DRM_FAULT_SIM_SUBMIT_FENCE_FD	0x2

/**
 * struct drm_fault_sim_submit - DRM_IOCTL_FAULT_SIM_SUBMIT, run a program
 * @start:	in: GPU address of the first instruction; that it is mapped and
 *		sensible is found out by the ring
 * @ring:	in: the ring, 0 or 1
 * @flags:	in: DRM_FAULT_SIM_SUBMIT_*
 * @in_syncobj:	in: binary syncobj to wait for before the job starts, 0: none.
 *		Must have a fence already. If that has an error, the job ends
 *		with -ECANCELED and the file stays innocent.
 * @out_syncobj:	in: binary syncobj that gets the job's fence, 0: none
 * @fence_fd:	out: with DRM_FAULT_SIM_SUBMIT_FENCE_FD a sync_file, O_CLOEXEC,
 *		else -1; in: must be 0
 * @pad:	must be 0
 * @fence_context:	out: context of the job's fence, one per file and ring,
 *		&drm_fault_record.job_context of its faults
 * @fence_seqno:	out: number of the job in that context,
 *		&drm_fault_record.job_seqno
 *
 * Jobs of one ring run in the order of submission, also those behind one that
 * waits for its @in_syncobj.
 * EINVAL: no such ring, @start beyond the address space, or @in_syncobj has no
 * fence. ENOENT: no such syncobj. ECANCELED: the file is guilty. EAGAIN:
 * max_jobs of the file are under way. EMFILE: no free file descriptor.
 */
struct drm_fault_sim_submit {
	__aligned_u64 start;
	__u32 ring;
	__u32 flags;
	__u32 in_syncobj;
	__u32 out_syncobj;
	__s32 fence_fd;
	__u32 pad;
	__aligned_u64 fence_context;
	__aligned_u64 fence_seqno;
};

/**
 * struct drm_fault_sim_wait - DRM_IOCTL_FAULT_SIM_WAIT, wait for a job's result
 * @timeout_ns:	in: point in time of CLOCK_MONOTONIC in nanoseconds; one in the
 *		past: do not wait
 * @syncobj:	in: syncobj with the job's fence
 * @flags:	in: must be 0
 * @result:	out: 0: the job ended well; -EFAULT: it faulted; -ETIMEDOUT: it
 *		hung and was ended by a reset; -ECANCELED: another job's fault,
 *		the failure of what it waited for, a closed file or the end of
 *		the device ended it
 * @pad:	must be 0
 *
 * DRM_IOCTL_SYNCOBJ_WAIT waits too, but tells no result.
 * ENOENT: no such syncobj. EINVAL: it has no fence. ETIME: not yet done.
 */
struct drm_fault_sim_wait {
	__aligned_s64 timeout_ns;
	__u32 syncobj;
	__u32 flags;
	__s32 result;
	__u32 pad;
};

/* &drm_fault_sim_state.state */
/** A job of the file faulted or hung: submissions are refused. */
#define DRM_FAULT_SIM_STATE_GUILTY	0x1

/**
 * struct drm_fault_sim_state - DRM_IOCTL_FAULT_SIM_STATE, how the file stands
 * @flags:	in: must be 0
 * @state:	out: DRM_FAULT_SIM_STATE_*
 * @faults:	out: faults of this file's jobs, the non-fatal ones included
 * @resets:	out: resets that this file's jobs caused
 * @device_resets:	out: resets of the device since it was made
 * @mapped_size:	out: bytes now mapped
 * @jobs:	out: jobs queued or running
 * @pad:	must be 0
 */
struct drm_fault_sim_state {
	__u32 flags;
	__u32 state;
	__aligned_u64 faults;
	__aligned_u64 resets;
	__aligned_u64 device_resets;
	__aligned_u64 mapped_size;
	__u32 jobs;
	__u32 pad;
};

/**
 * struct drm_fault_sim_recover - DRM_IOCTL_FAULT_SIM_RECOVER, be innocent again
 * @flags:	in: must be 0
 * @pad:	must be 0
 *
 * What was submitted before the fault stays cancelled. Mappings, objects and
 * the counters of DRM_IOCTL_FAULT_SIM_STATE stay as they are.
 */
struct drm_fault_sim_recover {
	__u32 flags;
	__u32 pad;
};

#define DRM_FAULT_SIM_INFO		0x00
#define DRM_FAULT_SIM_CREATE		0x01
#define DRM_FAULT_SIM_MAP		0x02
#define DRM_FAULT_SIM_UNMAP		0x03
#define DRM_FAULT_SIM_SUBMIT		0x04
#define DRM_FAULT_SIM_WAIT		0x05
#define DRM_FAULT_SIM_STATE		0x06
#define DRM_FAULT_SIM_RECOVER		0x07
#define DRM_FAULT_SIM_FAULTS		0x08

/*
 * Numbers as DRM_IOWR(DRM_COMMAND_BASE + nr, struct) makes them; drm.h is not
 * needed for this header, only for DRM's own calls on the same file.
 */
#define DRM_FAULT_SIM_IOW(nr, type)	_IOW('d', 0x40 + (nr), type)
#define DRM_FAULT_SIM_IOWR(nr, type)	_IOWR('d', 0x40 + (nr), type)

#define DRM_IOCTL_FAULT_SIM_INFO \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_INFO, struct drm_fault_sim_info)
#define DRM_IOCTL_FAULT_SIM_CREATE \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_CREATE, struct drm_fault_sim_create)
#define DRM_IOCTL_FAULT_SIM_MAP \
	DRM_FAULT_SIM_IOW(DRM_FAULT_SIM_MAP, struct drm_fault_sim_map)
#define DRM_IOCTL_FAULT_SIM_UNMAP \
	DRM_FAULT_SIM_IOW(DRM_FAULT_SIM_UNMAP, struct drm_fault_sim_unmap)
#define DRM_IOCTL_FAULT_SIM_SUBMIT \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_SUBMIT, struct drm_fault_sim_submit)
#define DRM_IOCTL_FAULT_SIM_WAIT \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_WAIT, struct drm_fault_sim_wait)
#define DRM_IOCTL_FAULT_SIM_STATE \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_STATE, struct drm_fault_sim_state)
#define DRM_IOCTL_FAULT_SIM_RECOVER \
	DRM_FAULT_SIM_IOW(DRM_FAULT_SIM_RECOVER, struct drm_fault_sim_recover)
/**
 * DRM_IOCTL_FAULT_SIM_FAULTS: the records of this file's faults, exactly as
 * DRM_FAULT_IOCTL_SNAPSHOT gives them on a stream of this file; no stream is
 * needed. EOPNOTSUPP: the module was loaded with report=0.
 */
#define DRM_IOCTL_FAULT_SIM_FAULTS \
	DRM_FAULT_SIM_IOWR(DRM_FAULT_SIM_FAULTS, struct drm_fault_snapshot)

/*
 * The instructions: words of 64 bits, aligned to 8 bytes, in the byte order of
 * the CPU, run one after the other from &drm_fault_sim_submit.start on.
 *
 *	63      56 55  52 51  48 47 46 45 44 43  40 39    32 31            0
 *	| opcode  |  a   |  b   | size|  0  |  c   |   0    | displacement  |
 *	| opcode  |  a   |  0   |              immediate                    |
 *
 * a, b, c are registers. size is log2 of the bytes accessed. displacement is
 * signed. Bits that an instruction does not use must be 0, otherwise it cannot
 * be decoded; nor can a word of zeros. Addresses are taken modulo 2^48. An
 * access must be a multiple of its size, otherwise it faults.
 *
 * An access that faults is reported at its exact address, with the size of the
 * access as precision, and no part of it takes effect. The instruction pointer
 * in the record is that of the faulting instruction (DRM_FAULT_IP_FAULT), or,
 * where the fetch itself faults, the address that could not be fetched
 * (DRM_FAULT_IP_INVALID).
 */
enum drm_fault_sim_opcode {
	/** The job ends well. */
	DRM_FAULT_SIM_OP_END = 0x01,
	/** Nothing. */
	DRM_FAULT_SIM_OP_NOP = 0x02,
	/** a = immediate (48 bits) */
	DRM_FAULT_SIM_OP_SET = 0x03,
	/** bits 63..48 of a = immediate (16 bits), the others stay */
	DRM_FAULT_SIM_OP_SET_HIGH = 0x04,
	/** a = b + displacement */
	DRM_FAULT_SIM_OP_ADD = 0x05,
	/** a = memory[b + displacement], zero-extended */
	DRM_FAULT_SIM_OP_LOAD = 0x06,
	/** memory[b + displacement] = a */
	DRM_FAULT_SIM_OP_STORE = 0x07,
	/** a = memory[b + displacement], memory += a, at once; size 4 or 8 */
	DRM_FAULT_SIM_OP_ATOMIC_ADD = 0x08,
	/**
	 * copy c bytes from memory[b] to memory[a], upwards byte by byte; no
	 * alignment. A fault has the address of the byte, its precision is 1,
	 * what is below it has been copied.
	 */
	DRM_FAULT_SIM_OP_COPY = 0x09,
	/** go on at immediate (48 bits) */
	DRM_FAULT_SIM_OP_JUMP = 0x0a,
	/** the same if a is not 0 */
	DRM_FAULT_SIM_OP_JUMP_NONZERO = 0x0b,
	/** wait for immediate (32 bits) microseconds */
	DRM_FAULT_SIM_OP_WAIT = 0x0c,
	/** wait while memory[b + displacement] equals a (its low bytes) */
	DRM_FAULT_SIM_OP_WAIT_WHILE = 0x0d,
};

/*
 * The instructions as constant expressions of type __u64. @bytes is the size
 * of the access: 1, 2, 4 or 8; @a, @b, @c are registers from 0 to 15.
 *
 *	static const __u64 program[] = {
 *		DRM_FAULT_SIM_SET(0, 0x10000),
 *		DRM_FAULT_SIM_SET(1, 42),
 *		DRM_FAULT_SIM_STORE(4, 1, 0, 0x40),	(stores 42 at 0x10040)
 *		DRM_FAULT_SIM_END,
 *	};
 */
#define DRM_FAULT_SIM_WORD(op, a, b) \
	(((__u64)(op) << 56) | ((__u64)((a) & 15) << 52) | ((__u64)((b) & 15) << 48))
/* log2, as a table of two bits at 2 * @bytes */
#define DRM_FAULT_SIM_SIZE(bytes) \
	((((__u64)0x30210 >> (2 * (bytes))) & 3) << 46)
#define DRM_FAULT_SIM_ADDRESS(address) \
	((__u64)(address) & ((1ULL << DRM_FAULT_SIM_ADDRESS_BITS) - 1))
#define DRM_FAULT_SIM_MEMORY(op, bytes, a, b, displacement) \
	(DRM_FAULT_SIM_WORD(op, a, b) | DRM_FAULT_SIM_SIZE(bytes) | \
	 (__u64)(__u32)(displacement))

#define DRM_FAULT_SIM_END \
	DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_END, 0, 0)
#define DRM_FAULT_SIM_NOP \
	DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_NOP, 0, 0)
#define DRM_FAULT_SIM_SET(a, value) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_SET, a, 0) | DRM_FAULT_SIM_ADDRESS(value))
#define DRM_FAULT_SIM_SET_HIGH(a, value) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_SET_HIGH, a, 0) | (__u64)(__u16)(value))
#define DRM_FAULT_SIM_ADD(a, b, value) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_ADD, a, b) | (__u64)(__u32)(value))
#define DRM_FAULT_SIM_LOAD(bytes, a, b, displacement) \
	DRM_FAULT_SIM_MEMORY(DRM_FAULT_SIM_OP_LOAD, bytes, a, b, displacement)
#define DRM_FAULT_SIM_STORE(bytes, a, b, displacement) \
	DRM_FAULT_SIM_MEMORY(DRM_FAULT_SIM_OP_STORE, bytes, a, b, displacement)
#define DRM_FAULT_SIM_ATOMIC_ADD(bytes, a, b, displacement) \
	DRM_FAULT_SIM_MEMORY(DRM_FAULT_SIM_OP_ATOMIC_ADD, bytes, a, b, displacement)
#define DRM_FAULT_SIM_COPY(a, b, c) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_COPY, a, b) | ((__u64)((c) & 15) << 40))
#define DRM_FAULT_SIM_JUMP(address) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_JUMP, 0, 0) | DRM_FAULT_SIM_ADDRESS(address))
#define DRM_FAULT_SIM_JUMP_NONZERO(a, address) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_JUMP_NONZERO, a, 0) | \
	 DRM_FAULT_SIM_ADDRESS(address))
#define DRM_FAULT_SIM_WAIT_US(microseconds) \
	(DRM_FAULT_SIM_WORD(DRM_FAULT_SIM_OP_WAIT, 0, 0) | (__u64)(__u32)(microseconds))
#define DRM_FAULT_SIM_WAIT_WHILE(bytes, a, b, displacement) \
	DRM_FAULT_SIM_MEMORY(DRM_FAULT_SIM_OP_WAIT_WHILE, bytes, a, b, displacement)

/*
 * &drm_fault_record.raw for DRM_FAULT_RAW_SIM: raw[0] is the ring's status
 * register, raw[1] the instruction word (0 where none was fetched).
 *
 *	 3..0	cause, enum drm_fault_sim_cause
 *	 7..4	access, enum drm_fault_access
 *	11..8	level of the page table where the walk ended, 0: none was made
 *	15..12	ring
 *	19..16	log2 of the bytes accessed
 *	20	the job went on (DRM_FAULT_SIM_SUBMIT_NONFATAL)
 */
enum drm_fault_sim_cause {
	/** Nothing is mapped there: DRM_FAULT_TYPE_NOT_PRESENT. */
	DRM_FAULT_SIM_CAUSE_NOT_PRESENT = 1,
	/** Mapped without the permission: DRM_FAULT_TYPE_PERMISSION. */
	DRM_FAULT_SIM_CAUSE_PERMISSION = 2,
	/** The word is no instruction: DRM_FAULT_TYPE_INVALID_FORMAT. */
	DRM_FAULT_SIM_CAUSE_INSTRUCTION = 3,
	/** No multiple of the size: DRM_FAULT_TYPE_OTHER. */
	DRM_FAULT_SIM_CAUSE_ALIGNMENT = 4,
	/** The job ran too long, in a DRM_FAULT_RECORD_TIMEOUT or _RESET. */
	DRM_FAULT_SIM_CAUSE_TIMEOUT = 5,
};

#define DRM_FAULT_SIM_STATUS_CAUSE(status)	((__u32)(status) & 15)
#define DRM_FAULT_SIM_STATUS_ACCESS(status)	(((__u32)(status) >> 4) & 15)
#define DRM_FAULT_SIM_STATUS_LEVEL(status)	(((__u32)(status) >> 8) & 15)
#define DRM_FAULT_SIM_STATUS_RING(status)	(((__u32)(status) >> 12) & 15)
#define DRM_FAULT_SIM_STATUS_SIZE(status)	(1U << (((__u32)(status) >> 16) & 15))
#define DRM_FAULT_SIM_STATUS_NONFATAL(status)	(((__u32)(status) >> 20) & 1)

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_DRM_FAULT_SIM_H_ */
