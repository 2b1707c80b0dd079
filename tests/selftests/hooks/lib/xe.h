/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What tests of xe's hooks share: its structures, filled at the places that this
 * kernel's type information tells, and its ways to say no to a page fault.
 */
#ifndef _HOOKS_XE_H_
#define _HOOKS_XE_H_

#include "hooks.h"

#define XE_ASID		0x12345

/* Structures first, whose places are their sizes. */
enum xe_field {
	XE_DEVICE,
	XE_TILE,
	XE_GT,
	XE_FILE,
	XE_VM,
	XE_MAPPING,
	XE_QUEUE,
	XE_GUC_QUEUE,
	XE_ENGINE,
	XE_RINGS,
	XE_PAGEFAULT,
	XE_SCHED_FENCE,
	XE_FENCE,
	XE_NODE,
	XE_DEVICE_DEV,
	XE_TILE_DEVICE,
	XE_GT_TILE,
	XE_GT_GUC,
	XE_GUC_CT,
	XE_GUC_QUEUES,
	XE_FILE_DRM,
	XE_FILE_VMS,
	XE_VM_DEVICE,
	XE_VM_FILE,
	XE_VM_ASID,
	XE_VM_TREE,
	XE_MAPPING_NODE,
	XE_MAPPING_LEFT,
	XE_MAPPING_RIGHT,
	XE_MAPPING_START,
	XE_MAPPING_LENGTH,
	XE_QUEUE_GT,
	XE_QUEUE_ENGINE,
	XE_QUEUE_VM,
	XE_QUEUE_CLASS,
	XE_QUEUE_MASK,
	XE_QUEUE_WIDTH,
	XE_QUEUE_GUC,
	XE_GUC_QUEUE_ID,
	XE_ENGINE_INSTANCE,
	XE_JOB_DRM,
	XE_JOB_SCHED_FENCE,
	XE_JOB_QUEUE,
	XE_JOB_FENCE,
	XE_JOB_RINGS,
	XE_RING_BATCH,
	XE_PAGEFAULT_GT,
	XE_PAGEFAULT_MESSAGE,
	XE_SCHED_FENCE_CONTEXT,
	XE_SCHED_FENCE_SEQNO,
	XE_FENCE_CONTEXT,
	XE_FENCE_SEQNO,
	XE_FENCE_FLAGS,
	XE_NODE_SHIFT,
	XE_NODE_SLOTS,
	XE_FIELDS,
};

/* As the hardware counts them. */
enum xe_class {
	XE_RENDER,
	XE_VIDEO_DECODE,
	XE_VIDEO_ENHANCE,
	XE_COPY,
	XE_OTHER,
	XE_COMPUTE,
};

/**
 * struct xe_fault - a page fault, as the GuC tells of it
 * @asid: the address space
 * @address: where
 * @access: 0 read, 1 write, 2 atomic
 * @type: 0 not present, 1 write violation, 2 atomic violation
 * @level: 0 is the last one
 * @engine_class: enum xe_class
 * @instance: of the class
 * @data: what the GuC wants to have back
 * @sparse: it was in the table of sparse resources
 */
struct xe_fault {
	__u32 asid;
	__u64 address;
	__u32 access;
	__u32 type;
	__u32 level;
	__u32 engine_class;
	__u32 instance;
	__u32 data;
	bool sparse;
};

/**
 * struct xe - a test's set-up
 * @hooks: the GPU and its opener
 * @field: where members are
 * @device: struct xe_device
 * @gt: struct xe_gt
 * @guc: struct xe_guc in it
 * @ct: struct xe_guc_ct in that
 * @message: place for what the GuC says
 * @action: place for what it is told
 * @pagefault: struct xe_pagefault
 * @file: struct xe_file of the opener, not that of &drm_file.driver_priv
 * @acks: this kernel has guc_ack_fault()
 */
struct xe {
	struct hooks hooks;
	struct drm_fault_call_field field[XE_FIELDS];
	__u64 device;
	__u64 gt;
	__u64 guc;
	__u64 ct;
	__u64 message;
	__u64 action;
	__u64 pagefault;
	__u64 file;
	bool acks;
};

/* Debian's kernels have it from 6.12 on. */
bool xe_is_there(void);
/* As xe_setup() would: on a slow machine that takes longer than a test may. */
void xe_load(void);
/* Once in a test: where there is none nothing can be tried. */
#define XE_NEEDED \
	static void __attribute__((constructor)) xe_needed(void) \
	{ \
		if (!xe_is_there()) \
			ksft_exit_skip("this kernel has no xe\n"); \
		xe_load(); \
	}

int xe_setup(struct xe *xe);
void xe_teardown(struct xe *xe);

extern const struct drm_fault_call_field xe_layout[XE_FIELDS];

int xe_set(struct xe *xe, __u64 base, enum xe_field field, __u64 value);
/* A structure, zeroed. */
__u64 xe_new(struct xe *xe, enum xe_field structure);

/* struct xe_vm of a struct xe_file, which can be 0; the driver has told nothing of it. */
__u64 xe_vm(struct xe *xe, __u64 file, __u32 asid);
/* The ioctl that makes it, for a struct drm_file; and its end. */
int xe_vm_make(struct xe *xe, __u64 drm_file, __u64 vm);
int xe_vm_close(struct xe *xe, __u64 vm);
/* An array with one pointer for each number; they must be below 64 or 4096. */
__u64 xe_array(struct xe *xe, const __u32 *numbers, const __u64 *pointers, unsigned int count);

/* The GuC tells of a fault; flags of the call. */
int xe_tell(struct xe *xe, const struct xe_fault *fault, __u32 flags);
/* The driver finds @vm, if it is not 0, then fails with @error or does not. */
int xe_answer(struct xe *xe, const struct xe_fault *fault, __u64 vm, int error);
/* Only what is sent to the GuC. */
int xe_send(struct xe *xe, const struct xe_fault *fault, int error);
/* All of it. */
int xe_fail(struct xe *xe, const struct xe_fault *fault, __u64 vm);
/* What a record says of that. */
void xe_want(struct drm_fault_record *want, const struct xe_fault *fault);

#define XE_CAT_ERROR		"xe:xe_guc_exec_queue_memory_cat_error_handler"
#define XE_RESET		"xe:xe_guc_exec_queue_reset_handler"
#define XE_QUEUE_NUMBER		70
#define XE_ERROR_KIND		0x1234
#define XE_JOB_CONTEXT		0x77
#define XE_MAPPED		0x200000000ULL
#define XE_MAPPED_LENGTH	0x5000ULL

/**
 * struct xe_queues - a set-up with queues
 * @xe: the GPU and its opener
 * @vm: an address space of it, XE_ASID, with what is mapped at XE_MAPPED
 * @engine: struct xe_hw_engine, number 2 of its class
 * @queue: a queue of @vm for that, of compute, which the GuC calls XE_QUEUE_NUMBER
 * @seqno: of the newest job
 */
struct xe_queues {
	struct xe xe;
	__u64 vm;
	__u64 engine;
	__u64 queue;
	__u64 seqno;
};

int xe_queues_setup(struct xe_queues *queues);
/* One more, for the engines in @mask. */
__u64 xe_queue(struct xe_queues *queues, __u32 engine_class, __u32 mask);
/* The GuC says something: a number, and XE_ERROR_KIND if it is two words. */
int xe_queue_tell(struct xe_queues *queues, const char *function, __u32 number, __u32 words);
/* Ends an incident, so that nothing is a repeat. */
int xe_incident_end(struct xe_queues *queues);

/**
 * struct xe_job - a job of a queue
 * @job: struct xe_sched_job
 * @fence: struct dma_fence that tells its end
 * @seqno: of the fence that the scheduler has, in XE_JOB_CONTEXT
 */
struct xe_job {
	__u64 job;
	__u64 fence;
	__u64 seqno;
};

int xe_job(struct xe_queues *queues, struct xe_job *job, __u64 queue, __u64 batch);
/* The same, and it is submitted. */
int xe_job_start(struct xe_queues *queues, struct xe_job *job, __u64 queue, __u64 batch);
int xe_job_end(struct xe_queues *queues, const struct xe_job *job);

#endif /* _HOOKS_XE_H_ */
