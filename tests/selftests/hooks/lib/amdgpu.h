/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What tests of amdgpu's hooks share: its structures, filled at the places that
 * this kernel's type information tells.
 */
#ifndef _HOOKS_AMDGPU_H_
#define _HOOKS_AMDGPU_H_

#include "hooks.h"

#define AMDGPU_PASID	0x8001
#define AMDGPU_VMID	3

enum amdgpu_field {
	AMDGPU_DEVICE,
	AMDGPU_DEVICE_DEV,
	AMDGPU_ENTRY,
	AMDGPU_ENTRY_CLIENT,
	AMDGPU_ENTRY_SRC,
	AMDGPU_ENTRY_RING,
	AMDGPU_ENTRY_VMID,
	AMDGPU_ENTRY_VMID_SRC,
	AMDGPU_ENTRY_TIMESTAMP,
	AMDGPU_ENTRY_PASID,
	AMDGPU_ENTRY_DATA,
	AMDGPU_FPRIV,
	AMDGPU_FPRIV_PASID,
	AMDGPU_JOB,
	AMDGPU_JOB_SCHED,
	AMDGPU_JOB_FENCE,
	AMDGPU_JOB_VMID,
	AMDGPU_JOB_PASID,
	AMDGPU_JOB_IB_COUNT,
	AMDGPU_JOB_IBS,
	AMDGPU_RING,
	AMDGPU_RING_ADEV,
	AMDGPU_RING_FUNCS,
	AMDGPU_IB,
	AMDGPU_IB_ADDRESS,
	AMDGPU_IB_LENGTH,
	AMDGPU_SCHED,
	AMDGPU_SCHED_NAME,
	AMDGPU_SCHED_DEV,
	AMDGPU_FENCE,
	AMDGPU_FENCE_CONTEXT,
	AMDGPU_FENCE_SEQNO,
	AMDGPU_FIELDS,
};

/* Those of which a kernel has one or the other. */
enum amdgpu_choice {
	AMDGPU_CHOICE_NODE,
	AMDGPU_CHOICE_RING_HUB,
	AMDGPU_CHOICE_FUNCS_HUB,
	AMDGPU_CHOICES,
};

/**
 * struct amdgpu_entry - an interrupt, as the driver has decoded it
 */
struct amdgpu_entry {
	__u32 client;
	__u32 src;
	__u32 ring;
	__u32 vmid;
	__u32 vmid_src;
	__u32 node;
	__u32 pasid;
	__u64 timestamp;
	__u32 data[4];
};

/**
 * struct amdgpu_gmc - one memory controller
 * @name: what its functions have in their names
 * @number: as records tell it
 * @high: bits of the second word that are the address's from 44 on; 0: the address
 *	is not in the interrupt
 * @retry_bit: in the second word; @retry_src: or the source
 * @read: in the second word, and so on
 * @pasid: interrupts have one
 * @invalid: in the status, and so on
 * @status: how 6.1 tells the status: a function, or in the text of a message
 */
struct amdgpu_gmc {
	const char *name;
	__u64 number;
	__u32 high;
	__u32 retry_bit;
	__u32 retry_src;
	__u32 read, write, execute;
	bool pasid;
	__u32 invalid, permission, walker, mapping;
	__u32 was_write, atomic;
	unsigned int vmid_shift;
	const char *status;
};

#define AMDGPU_GMCS	8

extern const struct amdgpu_gmc amdgpu_gmcs[AMDGPU_GMCS];

/* What the status can say. */
enum amdgpu_cause {
	AMDGPU_INVALID,
	AMDGPU_PERMISSION,
	AMDGPU_WALKER,
	AMDGPU_MAPPING,
	AMDGPU_CAUSES,
};

/**
 * struct amdgpu_kind - what happens
 * @access: enum drm_fault_access
 * @retry: it is an access that the GPU tries again
 * @status: the driver tells the status
 * @cause: what it says
 * @flags: of the call
 */
struct amdgpu_kind {
	__u32 access;
	bool retry;
	bool status;
	enum amdgpu_cause cause;
	__u32 flags;
};

/* The status of a fault in AMDGPU_VMID. */
__u32 amdgpu_status(const struct amdgpu_gmc *generation, const struct amdgpu_kind *fault);

/* What the record says of it. */
__u32 amdgpu_want_access(const struct amdgpu_gmc *generation, const struct amdgpu_kind *fault);
__u32 amdgpu_want_type(const struct amdgpu_kind *fault);

/**
 * struct amdgpu - a test's set-up
 * @hooks: the GPU and its opener, whose address space is AMDGPU_PASID
 * @field: where members are
 * @choice: the same, negative where this kernel has none
 * @adev: struct amdgpu_device
 * @entry: struct amdgpu_iv_entry
 * @ring: struct amdgpu_ring, of graphics
 * @funcs: struct amdgpu_ring_funcs of it
 * @cache: this kernel has amdgpu_vm_update_fault_cache()
 * @format: of messages
 * @generation: the chosen one
 * @symbol: its handler
 * @address: where its next fault is
 * @timestamp: when
 */
struct amdgpu {
	struct hooks hooks;
	struct drm_fault_call_field field[AMDGPU_FIELDS];
	struct drm_fault_call_field choice[AMDGPU_CHOICES];
	__u64 adev;
	__u64 entry;
	__u64 ring;
	__u64 funcs;
	bool cache;
	__u64 format;
	const struct amdgpu_gmc *generation;
	char symbol[96];
	__u64 address;
	__u64 timestamp;
};

int amdgpu_setup(struct amdgpu *amdgpu);
void amdgpu_teardown(struct amdgpu *amdgpu);
/* What the next opener's address space is called. */
int amdgpu_next_pasid(struct amdgpu *amdgpu, __u32 pasid);
/* Opens the GPU's node once more. */
int amdgpu_open(struct amdgpu *amdgpu);
int amdgpu_set(struct amdgpu *amdgpu, __u64 base, enum amdgpu_field field, __u64 value);
int amdgpu_set_entry(struct amdgpu *amdgpu, const struct amdgpu_entry *entry);
/* Takes a generation for what follows; false: this kernel does not have it. */
bool amdgpu_choose(struct amdgpu *amdgpu, unsigned int number);
/* The next fault is in another page, and later. */
void amdgpu_advance(struct amdgpu *amdgpu);
/* The interrupt of a fault; delivers one to the handler; both, with the status. */
struct amdgpu_entry amdgpu_entry_of(const struct amdgpu *amdgpu, const struct amdgpu_kind *fault);
int amdgpu_deliver(struct amdgpu *amdgpu, const struct amdgpu_entry *entry,
		   struct drm_fault_call_make *make, __u64 result);
int amdgpu_raise(struct amdgpu *amdgpu, const struct amdgpu_kind *fault);
/* Adds what the handler would call to tell the status, and the address if need be. */
void amdgpu_add_status(struct amdgpu *amdgpu, struct drm_fault_call_make *make, __u32 status);
void amdgpu_want_raw(const struct amdgpu *amdgpu, struct drm_fault_record *want,
		     const struct amdgpu_entry *entry);
struct drm_fault_record amdgpu_want_fault(const struct amdgpu *amdgpu,
					  const struct amdgpu_kind *fault);
/* A fault in an address space, and nothing else told but by this interrupt of gmc_v11_0. */
int amdgpu_fault(struct amdgpu *amdgpu, __u32 pasid, __u64 address);
/* What a record says of that. */
void amdgpu_want(struct drm_fault_record *want, __u32 pasid, __u64 address);
/* A ring like @ring, of the hub for multimedia or the other. */
__u64 amdgpu_ring(struct amdgpu *amdgpu, bool multimedia);
/* A job with buffers; and it is put on a ring. */
__u64 amdgpu_job(struct amdgpu *amdgpu, __u32 pasid, __u32 vmid, __u64 address, __u32 words);
int amdgpu_start(struct amdgpu *amdgpu, __u64 ring, __u64 job);

#endif /* _HOOKS_AMDGPU_H_ */
