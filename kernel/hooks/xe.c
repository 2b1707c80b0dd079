// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for Intel's xe: what is listened to and what is known of its structures.
 *
 * Page faults come from the GuC, which reports them to the driver, which maps what
 * is missing and answers. Only an answer that says no is a fault of the program. An
 * address space without faults, as graphics APIs use them, gets a catastrophic
 * error instead, which names the queue and no address.
 */
#include <linux/kernel.h>
#include <linux/rbtree.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/gpu_scheduler.h>

#include "sets.h"
#include "xe.h"

#define XE_PLACE(_type, _path, _size) \
	{ .type = #_type, .path = _path, .size = _size }
#define XE_POINTER(_type, _path)	XE_PLACE(_type, _path, sizeof(void *))

struct drm_fault_field drm_fault_xe_fields[XE_FIELDS] = {
	[XE_DEVICE_DRM] = XE_PLACE(xe_device, "drm", sizeof(struct drm_device)),
	[XE_TILE_DEVICE] = XE_POINTER(xe_tile, "xe"),
	[XE_GT_TILE] = XE_POINTER(xe_gt, "tile"),
	[XE_GT_GUC] = XE_PLACE(xe_gt, "uc.guc", 0),
	[XE_GUC_CT] = XE_PLACE(xe_guc, "ct", 0),
	[XE_GUC_QUEUES] = XE_PLACE(xe_guc, "submission_state.exec_queue_lookup",
				   sizeof(struct xarray)),
	[XE_FILE_DRM] = XE_POINTER(xe_file, "drm"),
	[XE_FILE_VMS] = XE_PLACE(xe_file, "vm.xa", sizeof(struct xarray)),
	[XE_VM_DEVICE] = XE_POINTER(xe_vm, "xe"),
	[XE_VM_FILE] = XE_POINTER(xe_vm, "xef"),
	[XE_VM_ASID] = XE_PLACE(xe_vm, "usm.asid", sizeof(u32)),
	[XE_VM_TREE] = XE_PLACE(xe_vm, "gpuvm.rb.tree", sizeof(struct rb_root_cached)),
	[XE_MAPPING_NODE] = XE_PLACE(drm_gpuva, "rb.node", sizeof(struct rb_node)),
	[XE_MAPPING_START] = XE_PLACE(drm_gpuva, "va.addr", sizeof(u64)),
	[XE_MAPPING_LENGTH] = XE_PLACE(drm_gpuva, "va.range", sizeof(u64)),
	[XE_QUEUE_GT] = XE_POINTER(xe_exec_queue, "gt"),
	[XE_QUEUE_ENGINE] = XE_POINTER(xe_exec_queue, "hwe"),
	[XE_QUEUE_VM] = XE_POINTER(xe_exec_queue, "vm"),
	[XE_QUEUE_CLASS] = XE_PLACE(xe_exec_queue, "class", sizeof(u32)),
	[XE_QUEUE_MASK] = XE_PLACE(xe_exec_queue, "logical_mask", sizeof(u32)),
	[XE_QUEUE_WIDTH] = XE_PLACE(xe_exec_queue, "width", sizeof(u16)),
	[XE_QUEUE_GUC] = XE_POINTER(xe_exec_queue, "guc"),
	[XE_GUC_QUEUE_ID] = XE_PLACE(xe_guc_exec_queue, "id", sizeof(u16)),
	[XE_ENGINE_INSTANCE] = XE_PLACE(xe_hw_engine, "instance", sizeof(u16)),
	[XE_JOB_DRM] = XE_PLACE(xe_sched_job, "drm", sizeof(struct drm_sched_job)),
	[XE_JOB_QUEUE] = XE_POINTER(xe_sched_job, "q"),
	[XE_JOB_FENCE] = XE_POINTER(xe_sched_job, "fence"),
	[XE_JOB_RINGS] = XE_PLACE(xe_sched_job, "ptrs", 0),
	[XE_RING_BATCH] = XE_PLACE(xe_job_ptrs, "batch_addr", sizeof(u64)),
	[XE_PAGEFAULT_GT] = XE_POINTER(xe_pagefault, "gt"),
	[XE_PAGEFAULT_MESSAGE] = XE_PLACE(xe_pagefault, "producer.msg", 4 * sizeof(u32)),
};

#define XE_VM_CREATE_FLAGS	"struct xe_vm * (struct xe_device *, u32)"
#define XE_VM_CREATE_FILE	"struct xe_vm * (struct xe_device *, u32, struct xe_file *)"
#define XE_DUMP_JOB		"void (struct xe_sched_job *)"
#define XE_DUMP_QUEUE \
	"void (struct xe_exec_queue *, struct xe_sched_job *, const char *, ...)"

struct drm_fault_hook drm_fault_xe_list[XE_HOOKS] = {
	[XE_HOOK_VM_CREATE_IOCTL] = {
		.symbol = "xe_vm_create_ioctl",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct drm_device *, void *, struct drm_file *)",
		.enter = drm_fault_xe_vm_create_ioctl_enter,
		.leave = drm_fault_xe_vm_create_ioctl_leave,
		.data_size = sizeof(struct xe_creation),
	},
	[XE_HOOK_VM_CREATE] = {
		.symbol = "xe_vm_create",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = XE_VM_CREATE_FLAGS " | " XE_VM_CREATE_FILE,
		.enter = drm_fault_xe_vm_create_enter,
		.leave = drm_fault_xe_vm_create_leave,
	},
	[XE_HOOK_VM_CLOSE] = {
		.symbol = "xe_vm_close_and_put",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "void (struct xe_vm *)",
		.enter = drm_fault_xe_vm_close,
	},
	[XE_HOOK_VM_OF_ASID] = {
		.symbol = "asid_to_vm",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "struct xe_vm * (struct xe_device *, u32)",
		.enter = drm_fault_xe_vm_of_asid_enter,
		.leave = drm_fault_xe_vm_of_asid_leave,
		.data_size = sizeof(u32),
	},
	[XE_HOOK_VM_FAULTED] = {
		.symbol = "xe_vm_add_fault_entry_pf",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "void (struct xe_vm *, struct xe_pagefault *)",
		.enter = drm_fault_xe_vm_faulted,
	},
	[XE_HOOK_FAULT] = {
		.symbol = "xe_guc_pagefault_handler",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_STATUS,
		.prototype = "int (struct xe_guc *, u32 *, u32)",
		.enter = drm_fault_xe_fault,
	},
	[XE_HOOK_FAULT_ANSWER] = {
		.symbol = "xe_guc_ct_send",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT,
		.prototype = "int (struct xe_guc_ct *, const u32 *, u32, u32, u32)",
		.enter = drm_fault_xe_fault_answer,
	},
	[XE_HOOK_FAULT_ACK] = {
		.symbol = "guc_ack_fault",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_FAULT,
		.prototype = "void (struct xe_pagefault *, int)",
		.enter = drm_fault_xe_fault_ack_enter,
		.leave = drm_fault_xe_fault_ack_leave,
	},
	[XE_HOOK_CAT_ERROR] = {
		.symbol = "xe_guc_exec_queue_memory_cat_error_handler",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT,
		.prototype = "int (struct xe_guc *, u32 *, u32)",
		.enter = drm_fault_xe_cat_error,
	},
	[XE_HOOK_RESET] = {
		.symbol = "xe_guc_exec_queue_reset_handler",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "int (struct xe_guc *, u32 *, u32)",
		.enter = drm_fault_xe_reset,
	},
	[XE_HOOK_TIMEOUT] = {
		.symbol = "guc_exec_queue_timedout_job",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "enum drm_gpu_sched_stat (struct drm_sched_job *)",
		.enter = drm_fault_xe_timeout_enter,
		.leave = drm_fault_xe_timeout_leave,
		.data_size = sizeof(struct xe_timeout),
	},
	[XE_HOOK_DEVCOREDUMP] = {
		.symbol = "xe_devcoredump",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = XE_DUMP_JOB " | " XE_DUMP_QUEUE,
		.enter = drm_fault_xe_timeout_dump,
	},
	[XE_HOOK_RUN_JOB] = {
		.symbol = "guc_exec_queue_run_job",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_IP,
		.prototype = "struct dma_fence * (struct drm_sched_job *)",
		.enter = drm_fault_xe_run_job,
	},
};

struct drm_fault_hooks drm_fault_xe_hooks = {
	.name = "xe",
	.driver = "xe",
	.module = "xe",
	/* 57 on Ponte Vecchio, which is no GPU for graphics. */
	.address_bits = 48,
	.hooks = drm_fault_xe_list,
	.hook_count = ARRAY_SIZE(drm_fault_xe_list),
	.fields = drm_fault_xe_fields,
	.field_count = ARRAY_SIZE(drm_fault_xe_fields),
	.opened = drm_fault_xe_opened,
};
