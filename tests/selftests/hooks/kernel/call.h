/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * drm_fault_call: calls functions of the kernel with prepared arguments.
 *
 * A test module. It tells addresses of the kernel, writes what they point to and
 * calls what it is told to: nobody but root can open it, and it belongs on no
 * machine that is used for anything else.
 *
 * What a function does is skipped: a kprobe of ours on its first instruction
 * makes it return at once, after the hooks have seen the call. Kprobes at one
 * place run newest first, so ours must be there before the hooks': PREPARE comes
 * before drm_fault.ko attaches. A symbol of a module that is not loaded is
 * remembered; its kprobe is placed when the module comes, before drm_fault.ko
 * hears of that.
 */
#ifndef _DRM_FAULT_CALL_H_
#define _DRM_FAULT_CALL_H_

#include <linux/ioctl.h>
#include <linux/types.h>

#define DRM_FAULT_CALL_PATH		"/dev/drm_fault_call"

/* "module:function", or "function" for the kernel's own */
#define DRM_FAULT_CALL_SYMBOL_LEN	96
#define DRM_FAULT_CALL_NAME_LEN		32
#define DRM_FAULT_CALL_ARGS		6
#define DRM_FAULT_CALL_INNER		4
#define DRM_FAULT_CALL_BUFFER_MAX	(4 << 20)
#define DRM_FAULT_CALL_FIELDS_MAX	256
#define DRM_FAULT_CALL_COUNT_MAX	1000000

/**
 * struct drm_fault_call_buffer - BUFFER_ALLOC, zeroed memory of the kernel
 * @size:	in: bytes
 * @address:	out: where the kernel has it
 * @handle:	out: for BUFFER_WRITE and BUFFER_READ
 * @pad:	must be 0
 *
 * It goes with the file.
 */
struct drm_fault_call_buffer {
	__aligned_u64 size;
	__aligned_u64 address;
	__u32 handle;
	__u32 pad;
};

/**
 * struct drm_fault_call_copy - BUFFER_WRITE, BUFFER_READ
 * @handle:	of the buffer
 * @pad:	must be 0
 * @offset:	in the buffer
 * @size:	bytes
 * @ptr:	the caller's
 */
struct drm_fault_call_copy {
	__u32 handle;
	__u32 pad;
	__aligned_u64 offset;
	__aligned_u64 size;
	__aligned_u64 ptr;
};

/**
 * struct drm_fault_call_symbol - SYMBOL, PREPARE
 * @name:	the function
 * @address:	out: its first byte, 0 if its module is not loaded (PREPARE)
 * @placed:	out: PREPARE: the kprobe was not there before: hooks that are attached
 *		by now would be skipped with the body
 * @pad:	must be 0
 *
 * ENOENT: there is no such function. A prepared function stays so until the
 * module is unloaded; unless a call of ours is in progress that changes nothing
 * for its callers.
 */
struct drm_fault_call_symbol {
	char name[DRM_FAULT_CALL_SYMBOL_LEN];
	__aligned_u64 address;
	__u32 placed;
	__u32 pad;
};

/* &drm_fault_call_step.flags */
/** Let the function do what it does; it need not be prepared. */
#define DRM_FAULT_CALL_BODY		0x1

/**
 * DRM_FAULT_CALL_FILE: an argument that stands for the struct drm_file, in calls
 * made while it is opened
 */
#define DRM_FAULT_CALL_FILE		0xf17ef17ef17ef17eULL

/**
 * struct drm_fault_call_step - a function and what to call it with
 * @symbol:	the function
 * @args:	its arguments, as registers hold them
 * @result:	what its caller gets, without BODY
 * @flags:	DRM_FAULT_CALL_BODY
 * @pad:	must be 0
 */
struct drm_fault_call_step {
	char symbol[DRM_FAULT_CALL_SYMBOL_LEN];
	__aligned_u64 args[DRM_FAULT_CALL_ARGS];
	__aligned_u64 result;
	__u32 flags;
	__u32 pad;
};

/* &drm_fault_call_make.flags */
/** From a hard interrupt. */
#define DRM_FAULT_CALL_IN_IRQ		0x1
/** With preemption off, as probes of tracepoints are called. */
#define DRM_FAULT_CALL_ATOMIC		0x2

/**
 * struct drm_fault_call_make - CALL
 * @outer:	the function
 * @inner:	functions to call inside it in place of its body, in this order
 * @inner_count:	how many
 * @flags:	DRM_FAULT_CALL_IN_IRQ, DRM_FAULT_CALL_ATOMIC
 * @count:	how often, 0 is 1
 * @gpu:	0: now; else: when that GPU is opened next, as the driver's own
 *		open would
 * @returned:	out: what the (last) call of @outer returned
 *
 * ENOENT: no such function. EINVAL: it is not prepared. EIO: the body ran, since
 * the kernel missed the kprobe.
 */
struct drm_fault_call_make {
	struct drm_fault_call_step outer;
	struct drm_fault_call_step inner[DRM_FAULT_CALL_INNER];
	__u32 inner_count;
	__u32 flags;
	__u32 count;
	__u32 gpu;
	__aligned_u64 returned;
};

/**
 * struct drm_fault_call_field - one of FIELDS
 * @type:	name of the structure
 * @path:	member, through embedded structures with dots; empty: the structure
 * @size:	in: bytes it must have, 0: any
 * @offset:	out: where it is, or the size of the structure; negative: an error,
 *		ERANGE if the size is another
 */
struct drm_fault_call_field {
	char type[64];
	char path[88];
	__u32 size;
	__s32 offset;
};

/**
 * struct drm_fault_call_fields - FIELDS, looks members of private structures up
 * @module:	whose they are, "vmlinux": the kernel's own
 * @count:	how many
 * @pad:	must be 0
 * @fields_ptr:	array of struct drm_fault_call_field
 *
 * The answer is drm_fault.ko's, which must be loaded (ENOENT).
 */
struct drm_fault_call_fields {
	char module[56];
	__u32 count;
	__u32 pad;
	__aligned_u64 fields_ptr;
};

/**
 * struct drm_fault_call_gpu - GPU_ADD, a GPU that does nothing
 * @driver:	in: what its driver calls itself
 * @priv_size:	in: bytes of &drm_file.driver_priv
 * @id:		out: from 1
 * @render_minor:	out: N of /dev/dri/renderDN
 * @primary_minor:	out: N of /dev/dri/cardN
 * @device:	out: address of its struct device
 * @drm:	out: address of its struct drm_device
 *
 * It goes with the file.
 */
struct drm_fault_call_gpu {
	char driver[DRM_FAULT_CALL_NAME_LEN];
	__u32 priv_size;
	__u32 id;
	__u32 render_minor;
	__u32 primary_minor;
	__aligned_u64 device;
	__aligned_u64 drm;
};

/**
 * struct drm_fault_call_template - GPU_TEMPLATE, what openers get
 * @id:		of the GPU
 * @size:	bytes, &drm_fault_call_gpu.priv_size at most; the rest are zeros
 * @ptr:	what each &drm_file.driver_priv is a copy of from now on
 * @next:	out: where the next opener's will be
 */
struct drm_fault_call_template {
	__u32 id;
	__u32 size;
	__aligned_u64 ptr;
	__aligned_u64 next;
};

/**
 * struct drm_fault_call_priv - GPU_PRIV, what an opener got
 * @fd:		a file of such a GPU
 * @pad:	must be 0
 * @priv:	out: its &drm_file.driver_priv
 * @file:	out: address of its struct drm_file
 */
struct drm_fault_call_priv {
	__s32 fd;
	__u32 pad;
	__aligned_u64 priv;
	__aligned_u64 file;
};

#define DRM_FAULT_CALL_TYPE		0xFB

#define DRM_FAULT_CALL_BUFFER_ALLOC \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x00, struct drm_fault_call_buffer)
#define DRM_FAULT_CALL_BUFFER_WRITE \
	_IOW(DRM_FAULT_CALL_TYPE, 0x01, struct drm_fault_call_copy)
#define DRM_FAULT_CALL_BUFFER_READ \
	_IOW(DRM_FAULT_CALL_TYPE, 0x02, struct drm_fault_call_copy)
#define DRM_FAULT_CALL_SYMBOL \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x03, struct drm_fault_call_symbol)
#define DRM_FAULT_CALL_PREPARE \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x04, struct drm_fault_call_symbol)
#define DRM_FAULT_CALL_CALL \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x05, struct drm_fault_call_make)
#define DRM_FAULT_CALL_FIELDS \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x06, struct drm_fault_call_fields)
#define DRM_FAULT_CALL_GPU_ADD \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x07, struct drm_fault_call_gpu)
#define DRM_FAULT_CALL_GPU_TEMPLATE \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x08, struct drm_fault_call_template)
#define DRM_FAULT_CALL_GPU_PRIV \
	_IOWR(DRM_FAULT_CALL_TYPE, 0x09, struct drm_fault_call_priv)
/** The argument is the GPU's id. */
#define DRM_FAULT_CALL_GPU_REMOVE \
	_IO(DRM_FAULT_CALL_TYPE, 0x0a)

#endif /* _DRM_FAULT_CALL_H_ */
