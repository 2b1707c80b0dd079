/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the hooks for xe share. */
#ifndef _DRM_FAULT_HOOK_XE_H_
#define _DRM_FAULT_HOOK_XE_H_

#include <linux/types.h>

#include <drm/drm_fault.h>

struct drm_sched_job;

/* Places in xe's own structures; pointers where nothing else is said. */
enum xe_field {
	XE_DEVICE_DRM,		/* struct drm_device */
	XE_TILE_DEVICE,
	XE_GT_TILE,
	XE_GT_GUC,		/* struct xe_guc */
	XE_GUC_CT,		/* struct xe_guc_ct */
	XE_GUC_QUEUES,		/* struct xarray, by number */
	XE_FILE_DRM,
	XE_FILE_VMS,		/* struct xarray, by number */
	XE_VM_DEVICE,
	XE_VM_FILE,
	XE_VM_ASID,		/* u32 */
	XE_VM_TREE,		/* struct rb_root_cached of what is mapped */
	XE_MAPPING_NODE,	/* struct rb_node in it */
	XE_MAPPING_START,	/* u64 */
	XE_MAPPING_LENGTH,	/* u64 */
	XE_QUEUE_GT,
	XE_QUEUE_ENGINE,
	XE_QUEUE_VM,
	XE_QUEUE_CLASS,		/* u32 */
	XE_QUEUE_MASK,		/* u32 */
	XE_QUEUE_WIDTH,		/* u16 */
	XE_QUEUE_GUC,
	XE_GUC_QUEUE_ID,	/* u16 */
	XE_ENGINE_INSTANCE,	/* u16 */
	XE_JOB_DRM,		/* struct drm_sched_job */
	XE_JOB_QUEUE,
	XE_JOB_FENCE,
	XE_JOB_RINGS,		/* struct xe_job_ptrs[] */
	XE_RING_BATCH,		/* u64 */
	XE_PAGEFAULT_GT,
	XE_PAGEFAULT_MESSAGE,	/* u32[4] */
	XE_FIELDS
};

enum xe_hook {
	XE_HOOK_VM_CREATE_IOCTL,
	XE_HOOK_VM_CREATE,
	XE_HOOK_VM_CLOSE,
	XE_HOOK_VM_OF_ASID,
	XE_HOOK_VM_FAULTED,
	XE_HOOK_FAULT,
	XE_HOOK_FAULT_ANSWER,
	XE_HOOK_FAULT_ACK,
	XE_HOOK_CAT_ERROR,
	XE_HOOK_RESET,
	XE_HOOK_TIMEOUT,
	XE_HOOK_DEVCOREDUMP,
	XE_HOOK_RUN_JOB,
	XE_HOOKS
};

extern struct drm_fault_field drm_fault_xe_fields[XE_FIELDS];
extern struct drm_fault_hook drm_fault_xe_list[XE_HOOKS];

/**
 * xe_peek - copy a member of one of xe's structures
 * @to: a buffer of the member's size, zeroed if this fails
 * @base: the structure, can be NULL
 * @field: the member
 *
 * Context: Any but NMI.
 * Return: true if there was something
 */
static inline bool xe_peek(void *to, const void *base, enum xe_field field)
{
	return drm_fault_field_peek(to, base, &drm_fault_xe_fields[field]);
}

/**
 * xe_pointer - follow a pointer in one of xe's structures
 * @base: the structure, can be NULL
 * @field: the pointer
 *
 * Context: Any but NMI.
 * Return: where it leads, NULL if that is not known
 */
static inline const void *xe_pointer(const void *base, enum xe_field field)
{
	const void *to;

	xe_peek(&to, base, field);
	return to;
}

/**
 * xe_container - from an embedded structure to the one around it
 * @member: the embedded one, can be NULL
 * @field: its place
 *
 * Context: Any.
 * Return: the outer one, NULL if the place is not known
 */
static inline const void *xe_container(const void *member, enum xe_field field)
{
	int offset = READ_ONCE(drm_fault_xe_fields[field].offset);

	return member && offset >= 0 ? member - offset : NULL;
}

const void *drm_fault_xe_array_load(const void *base, enum xe_field field, unsigned long index);
const void *drm_fault_xe_array_find(const void *base, enum xe_field field, unsigned long *index);

const void *drm_fault_xe_device_of_gt(const void *gt);
const void *drm_fault_xe_device_of_guc(const void *guc);
struct drm_fault_reporter *drm_fault_xe_reporter(const void *device);
void drm_fault_xe_engine(struct drm_fault_event *event, char name[DRM_FAULT_ENGINE_LEN],
			 u32 engine_class, int instance);

u64 drm_fault_xe_asid_key(u32 asid);
void drm_fault_xe_vm_know(const void *vm, u32 asid);
void drm_fault_xe_opened(struct drm_fault_reporter *reporter, struct drm_fault_client *client,
			 const struct drm_file *file);
bool drm_fault_xe_vm_create_ioctl_enter(struct drm_fault_hook_hit *hit);
void drm_fault_xe_vm_create_ioctl_leave(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_vm_create_enter(struct drm_fault_hook_hit *hit);
void drm_fault_xe_vm_create_leave(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_vm_close(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_vm_of_asid_enter(struct drm_fault_hook_hit *hit);
void drm_fault_xe_vm_of_asid_leave(struct drm_fault_hook_hit *hit);

/**
 * struct xe_creation - a call of the ioctl that makes an address space
 * @drm: the GPU
 * @file: for whom
 * @vm: what came of it
 */
struct xe_creation {
	const struct drm_device *drm;
	const struct drm_file *file;
	const void *vm;
};

bool drm_fault_xe_vm_faulted(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_fault(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_fault_answer(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_fault_ack_enter(struct drm_fault_hook_hit *hit);
void drm_fault_xe_fault_ack_leave(struct drm_fault_hook_hit *hit);

/**
 * struct xe_timeout - a timeout that xe looks into
 * @job: whose
 * @noted: a record was made
 */
struct xe_timeout {
	const struct drm_sched_job *job;
	bool noted;
};

bool drm_fault_xe_cat_error(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_reset(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_timeout_enter(struct drm_fault_hook_hit *hit);
void drm_fault_xe_timeout_leave(struct drm_fault_hook_hit *hit);
bool drm_fault_xe_timeout_dump(struct drm_fault_hook_hit *hit);

bool drm_fault_xe_run_job(struct drm_fault_hook_hit *hit);
void drm_fault_xe_batch_of_queue(struct drm_fault_event *event, const void *queue);
void drm_fault_xe_batch_of_engine(struct drm_fault_event *event, const void *device, u32 asid,
				  u32 engine_class);

#endif /* _DRM_FAULT_HOOK_XE_H_ */
