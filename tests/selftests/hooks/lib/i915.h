/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What tests of i915's hooks share: error states as the driver captures them, at the
 * places that this kernel's type information tells.
 */
#ifndef _HOOKS_I915_H_
#define _HOOKS_I915_H_

#include "hooks.h"

/* Classes of engines, as the driver counts them. */
#define I915_RENDER	0
#define I915_DECODE	1
#define I915_ENHANCE	2
#define I915_COPY	3
#define I915_COMPUTE	5

#define I915_VALID	0x1
#define I915_ENGINES	4

/**
 * struct i915_engine - an engine in an error state
 * @name: what the driver calls it
 * @class: as the driver counts them
 * @instance: number in the class
 * @hung: it is blamed
 * @fault: FAULT_REG
 * @acthd, @bbaddr, @ipehr: likewise named registers
 * @pid: thread that made the GEM context
 * @guilty: how often that was guilty before
 */
struct i915_engine {
	const char *name;
	__u8 class;
	__u8 instance;
	__u8 hung;
	__u32 fault;
	__u64 acthd;
	__u64 bbaddr;
	__u32 ipehr;
	__u32 pid;
	__u32 guilty;
};

/**
 * struct i915_state - an error state
 * @version: generation of the GPU
 * @simulated: as if somebody asked for no capture
 * @data0, @data1: FAULT_TLB_DATA0 and 1
 * @engines: the engines, in the order of the list
 * @count: how many
 * @error: returns struct i915_gpu_coredump
 * @gt: returns struct intel_gt_coredump
 * @states: returns struct intel_engine_coredump of each
 */
struct i915_state {
	__u8 version;
	__u8 simulated;
	__u32 data0;
	__u32 data1;
	struct i915_engine engines[I915_ENGINES];
	unsigned int count;
	__u64 error;
	__u64 gt;
	__u64 states[I915_ENGINES];
};

/**
 * struct i915_request - a request that is noted in an error state
 * @file: struct drm_file of who made it, or an error if that is closed
 * @context, @seqno: of its fence
 * @position: where it lies in the ring
 */
struct i915_request {
	__u64 file;
	__u64 context;
	__u64 seqno;
	__u32 position[3];
};

/**
 * struct i915_register - a register and what was in it
 */
struct i915_register {
	__u32 offset;
	__u32 value;
};

/**
 * struct i915 - a test's set-up
 * @hooks: GPU and streams
 * @device: struct drm_i915_private
 * @memory: of which structures are taken
 * @used: bytes of that
 */
struct i915 {
	struct hooks hooks;
	__u64 device;
	__u64 memory;
	__u64 used;
};

int i915_setup(struct i915 *i915);
void i915_teardown(struct i915 *i915);
int i915_make(struct i915 *i915, struct i915_state *state);
/* @next comes behind the GT of @state. */
int i915_chain(struct i915 *i915, const struct i915_state *state,
	       const struct i915_state *next);
/* What was captured by the firmware, in one of its lists. */
int i915_guc(struct i915 *i915, __u64 engine, unsigned int list,
	     const struct i915_register *registers, unsigned int count);
/* The driver notes a request, @tell: and the state has its position. */
int i915_note(struct i915 *i915, __u64 engine, const struct i915_request *request, bool tell);
int i915_store(struct i915 *i915, __u64 error);
/* One of the file that is open. */
struct i915_request i915_request_of(const struct i915 *i915);
/* Makes the state, notes the request for its first engine, and stores it. */
int i915_store_noted(struct i915 *i915, struct i915_state *state,
		     const struct i915_request *request);
/* The driver resets engines of a GT that has @names for its first two. */
int i915_reset(struct i915 *i915, __u32 has, __u32 mask, const char *const *names);
int i915_context_create(struct i915 *i915);

/* What a record says of an engine, besides whose it is. */
void i915_want(struct drm_fault_record *want, const struct i915_state *state,
	       const struct i915_engine *engine, __u32 class);
void i915_want_fault(struct drm_fault_record *want, __u64 address, __u32 level);
void i915_want_job(struct drm_fault_record *want, const struct i915_request *request);
/* How many members of the next record of a stream differ, or there is none. */
int i915_differs(int stream, const struct drm_fault_record *want);

/* Two engines, one of which hung. */
extern const struct i915_engine i915_rcs, i915_bcs;

#endif /* _HOOKS_I915_H_ */
