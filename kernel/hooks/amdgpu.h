/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of amdgpu's hooks share. */
#ifndef _DRM_FAULT_HOOKS_AMDGPU_H_
#define _DRM_FAULT_HOOKS_AMDGPU_H_

#include <drm/drm_fault.h>

/* Memory controllers, each with a fault handler of its own. */
enum drm_fault_amdgpu_generation {
	DRM_FAULT_AMDGPU_GMC6,
	DRM_FAULT_AMDGPU_GMC7,
	DRM_FAULT_AMDGPU_GMC8,
	DRM_FAULT_AMDGPU_GMC9,
	DRM_FAULT_AMDGPU_GMC10,
	DRM_FAULT_AMDGPU_GMC11,
	DRM_FAULT_AMDGPU_GMC12,
	DRM_FAULT_AMDGPU_GMC12_1,
	DRM_FAULT_AMDGPU_GENERATIONS,
};

/* Members of the driver's structures, in drm_fault_amdgpu_fields. */
enum drm_fault_amdgpu_field {
	DRM_FAULT_AMDGPU_DEVICE_DEV,
	DRM_FAULT_AMDGPU_ENTRY_CLIENT,
	DRM_FAULT_AMDGPU_ENTRY_SRC,
	DRM_FAULT_AMDGPU_ENTRY_RING,
	DRM_FAULT_AMDGPU_ENTRY_VMID,
	DRM_FAULT_AMDGPU_ENTRY_VMID_SRC,
	DRM_FAULT_AMDGPU_ENTRY_TIMESTAMP,
	DRM_FAULT_AMDGPU_ENTRY_PASID,
	DRM_FAULT_AMDGPU_ENTRY_NODE,
	DRM_FAULT_AMDGPU_ENTRY_DATA,
	DRM_FAULT_AMDGPU_FPRIV_VM,
	DRM_FAULT_AMDGPU_VM_PASID,
	DRM_FAULT_AMDGPU_JOB_BASE,
	DRM_FAULT_AMDGPU_JOB_VMID,
	DRM_FAULT_AMDGPU_JOB_PASID,
	DRM_FAULT_AMDGPU_JOB_IB_COUNT,
	DRM_FAULT_AMDGPU_JOB_IBS,
	DRM_FAULT_AMDGPU_RING_ADEV,
	DRM_FAULT_AMDGPU_RING_HUB,
	DRM_FAULT_AMDGPU_RING_FUNCS,
	DRM_FAULT_AMDGPU_RING_FUNCS_HUB,
	DRM_FAULT_AMDGPU_IB,
	DRM_FAULT_AMDGPU_IB_ADDRESS,
	DRM_FAULT_AMDGPU_IB_LENGTH,
	DRM_FAULT_AMDGPU_FIELDS,
};

extern struct drm_fault_field drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_FIELDS];

static inline bool drm_fault_amdgpu_peek(void *to, const void *base,
					 enum drm_fault_amdgpu_field field)
{
	return drm_fault_field_peek(to, base, &drm_fault_amdgpu_fields[field]);
}

struct drm_fault_reporter *drm_fault_amdgpu_reporter(const void *adev);

/**
 * struct drm_fault_amdgpu_fault - a fault handler of the driver in progress
 * @adev: struct amdgpu_device
 * @generation: enum drm_fault_amdgpu_generation
 * @decoded: the members up to @data are known
 * @client: block that raised the interrupt
 * @src: number of the interrupt there
 * @ring: from gmc_v9 on what the page table lacked, see there
 * @vmid: hardware slot
 * @vmid_src: 1: of the hub for multimedia
 * @node: which of several dies
 * @pasid: address space, 0: of the kernel
 * @timestamp: the GPU's clock
 * @data: words of the interrupt
 * @has_status: @status is known
 * @has_hub: @hub is known
 * @has_address: @address is known
 * @status: of the hub, as read by the driver
 * @hub: as the driver counts them
 * @address: where it happened
 */
struct drm_fault_amdgpu_fault {
	const void *adev;
	u32 generation;
	bool decoded;
	u32 client;
	u32 src;
	u32 ring;
	u32 vmid;
	u32 vmid_src;
	u32 node;
	u32 pasid;
	u64 timestamp;
	u32 data[4];
	bool has_status;
	bool has_hub;
	bool has_address;
	u32 status;
	u32 hub;
	u64 address;
};

bool drm_fault_amdgpu_decode(struct drm_fault_amdgpu_fault *fault, const void *entry);
bool drm_fault_amdgpu_counts(const struct drm_fault_amdgpu_fault *fault, bool consumed);
bool drm_fault_amdgpu_multimedia(const struct drm_fault_amdgpu_fault *fault);
void drm_fault_amdgpu_event(const struct drm_fault_amdgpu_fault *fault,
			    struct drm_fault_event *event);

void drm_fault_amdgpu_ib_forget(const struct drm_fault_reporter *reporter, u32 pasid);
void drm_fault_amdgpu_ib_last(const struct drm_fault_reporter *reporter,
			      const struct drm_fault_amdgpu_fault *fault,
			      struct drm_fault_event *event);
bool drm_fault_amdgpu_ib_schedule(struct drm_fault_hook_hit *hit);
bool drm_fault_amdgpu_timedout(struct drm_fault_hook_hit *hit);
bool drm_fault_amdgpu_recover(struct drm_fault_hook_hit *hit);

#endif /* _DRM_FAULT_HOOKS_AMDGPU_H_ */
