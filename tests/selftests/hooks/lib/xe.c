// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdio.h>
#include <unistd.h>

#include "xe.h"

#define ANSWER		0x6003
#define ARRAY_SLOTS	64
#define ARRAY_BITS	6

static const struct hooks_driver driver = {
	.module = "xe",
	.name = "xe",
	.address_bits = 48,
	.symbols = {
		"xe:xe_vm_create_ioctl",
		"xe:xe_vm_create",
		"xe:xe_vm_close_and_put",
		"?xe:asid_to_vm",
		"?xe:xe_vm_add_fault_entry_pf",
		"xe:xe_guc_pagefault_handler",
		"xe:xe_guc_ct_send",
		"?xe:guc_ack_fault",
		"xe:xe_guc_exec_queue_memory_cat_error_handler",
		"xe:xe_guc_exec_queue_reset_handler",
		"xe:guc_exec_queue_timedout_job",
		"xe:xe_devcoredump",
		"xe:guc_exec_queue_run_job",
		NULL,
	},
};

bool xe_is_there(void)
{
	return !hooks_load("-n -q xe");
}

/* Should it fail, the tests will say why. */
void xe_load(void)
{
	struct hooks hooks;

	hooks_setup(&hooks, &driver);
	hooks_teardown(&hooks);
}

int xe_set(struct xe *xe, __u64 base, enum xe_field field, __u64 value)
{
	return hooks_set(&xe->hooks, base, &xe->field[field], value);
}

__u64 xe_new(struct xe *xe, enum xe_field structure)
{
	return hooks_buffer(&xe->hooks, xe->field[structure].offset);
}

static int allocate(struct xe *xe)
{
	__u64 tile = xe_new(xe, XE_TILE);
	int ret = 0;

	xe->device = xe_new(xe, XE_DEVICE);
	xe->gt = xe_new(xe, XE_GT);
	xe->guc = xe->gt + xe->field[XE_GT_GUC].offset;
	xe->ct = xe->guc + xe->field[XE_GUC_CT].offset;
	xe->message = hooks_buffer(&xe->hooks, 16);
	xe->action = hooks_buffer(&xe->hooks, 16);
	xe->pagefault = xe_new(xe, XE_PAGEFAULT);
	xe->file = xe_new(xe, XE_FILE);
	if (!tile || !xe->device || !xe->gt || !xe->message || !xe->action ||
	    !xe->pagefault || !xe->file)
		return -ENOMEM;
	ret |= xe_set(xe, xe->device, XE_DEVICE_DEV, xe->hooks.gpu.device);
	ret |= xe_set(xe, tile, XE_TILE_DEVICE, xe->device);
	ret |= xe_set(xe, xe->gt, XE_GT_TILE, tile);
	ret |= xe_set(xe, xe->pagefault, XE_PAGEFAULT_GT, xe->gt);
	ret |= xe_set(xe, xe->file, XE_FILE_DRM, xe->hooks.file);
	return ret;
}

int xe_setup(struct xe *xe)
{
	struct hooks *hooks = &xe->hooks;
	int ret = hooks_setup(hooks, &driver);

	if (ret)
		return ret;
	memcpy(xe->field, xe_layout, sizeof(xe->field));
	ret = hooks_fields(hooks, "xe", xe->field, XE_FIELDS);
	if (ret)
		return ret;
	xe->acks = hooks_symbol(hooks, "xe:guc_ack_fault");
	/* One way or the other a kernel finds the address space of a fault. */
	if (!hooks_symbol(hooks, xe->acks ? "xe:xe_vm_add_fault_entry_pf" : "xe:asid_to_vm"))
		return -ENOENT;
	return allocate(xe);
}

void xe_teardown(struct xe *xe)
{
	hooks_teardown(&xe->hooks);
}

__u64 xe_vm(struct xe *xe, __u64 file, __u32 asid)
{
	__u64 vm = xe_new(xe, XE_VM);

	if (!vm || xe_set(xe, vm, XE_VM_DEVICE, xe->device) ||
	    xe_set(xe, vm, XE_VM_FILE, file) || xe_set(xe, vm, XE_VM_ASID, asid))
		return 0;
	return vm;
}

int xe_vm_make(struct xe *xe, __u64 drm_file, __u64 vm)
{
	return hooks_make(&xe->hooks, &(struct drm_fault_call_make){
		.outer = HOOKS_STEP("xe:xe_vm_create_ioctl", 0, xe->hooks.gpu.drm, 0, drm_file),
		.inner = { HOOKS_STEP("xe:xe_vm_create", vm, xe->device, 0, xe->file) },
		.inner_count = 1,
	});
}

int xe_vm_close(struct xe *xe, __u64 vm)
{
	return hooks_call(&xe->hooks, "xe:xe_vm_close_and_put", 0, vm);
}

static __u64 array_node(struct xe *xe, unsigned int shift)
{
	__u64 node = xe_new(xe, XE_NODE);

	return node && !xe_set(xe, node, XE_NODE_SHIFT, shift) ? node : 0;
}

static int array_store(struct xe *xe, __u64 node, unsigned int slot, __u64 entry)
{
	__u64 at = node + xe->field[XE_NODE_SLOTS].offset + slot * sizeof(entry);

	return hooks_write(&xe->hooks, at, &entry, sizeof(entry));
}

/* What the kernel has for a pointer to a node. */
static __u64 array_entry(__u64 node)
{
	return node | 2;
}

__u64 xe_array(struct xe *xe, const __u32 *numbers, const __u64 *pointers, unsigned int count)
{
	__u64 leaves[ARRAY_SLOTS] = {}, top = array_node(xe, ARRAY_BITS);
	unsigned int i, high;

	for (i = 0; top && i < count; i++) {
		high = numbers[i] / ARRAY_SLOTS;
		if (!leaves[high]) {
			leaves[high] = array_node(xe, 0);
			if (!leaves[high] ||
			    array_store(xe, top, high, array_entry(leaves[high])))
				return 0;
		}
		if (array_store(xe, leaves[high], numbers[i] % ARRAY_SLOTS, pointers[i]))
			return 0;
	}
	return top ? array_entry(top) : 0;
}

static void message_of(const struct xe_fault *fault, __u32 words[4])
{
	words[0] = fault->level | fault->sparse << 18 | fault->instance << 19 |
		   fault->engine_class << 25 | fault->data << 28;
	words[1] = fault->data >> 4 | fault->asid << 12;
	words[2] = fault->access | fault->type << 2 | (fault->address & 0xfffff000);
	words[3] = fault->address >> 32;
}

int xe_tell(struct xe *xe, const struct xe_fault *fault, __u32 flags)
{
	__u32 words[4];
	int ret;

	message_of(fault, words);
	ret = hooks_write(&xe->hooks, xe->message, words, sizeof(words));
	return ret ?: hooks_make(&xe->hooks, &(struct drm_fault_call_make){
		.outer = HOOKS_STEP("xe:xe_guc_pagefault_handler", 0, xe->guc, xe->message, 4),
		.flags = flags,
	});
}

static struct drm_fault_call_step sending(struct xe *xe, const struct xe_fault *fault,
					  int error)
{
	const __u32 action[] = {
		ANSWER,
		1 | (error ? 2 : 0) | 1 << 10 | fault->asid << 12,
		fault->instance << 7 | fault->engine_class << 13 | fault->data << 16,
	};

	hooks_write(&xe->hooks, xe->action, action, sizeof(action));
	return HOOKS_STEP("xe:xe_guc_ct_send", 0, xe->ct, xe->action, ARRAY_SIZE(action));
}

int xe_send(struct xe *xe, const struct xe_fault *fault, int error)
{
	return hooks_make(&xe->hooks, &(struct drm_fault_call_make){
		.outer = sending(xe, fault, error),
	});
}

/* As 6.12 does it. */
static int answer_in_worker(struct xe *xe, const struct xe_fault *fault, __u64 vm, int error)
{
	int ret = hooks_call(&xe->hooks, "xe:asid_to_vm", vm ?: -EINVAL, xe->device, fault->asid);

	return ret ?: xe_send(xe, fault, error);
}

/* As 7.x does it. */
static int answer_by_ack(struct xe *xe, const struct xe_fault *fault, __u64 vm, int error)
{
	__u32 words[4];
	int ret;

	message_of(fault, words);
	ret = hooks_write(&xe->hooks, xe->pagefault + xe->field[XE_PAGEFAULT_MESSAGE].offset,
			  words, sizeof(words));
	if (!ret && vm && error)
		ret = hooks_call(&xe->hooks, "xe:xe_vm_add_fault_entry_pf", 0, vm, xe->pagefault);
	return ret ?: hooks_make(&xe->hooks, &(struct drm_fault_call_make){
		.outer = HOOKS_STEP("xe:guc_ack_fault", 0, xe->pagefault, error),
		.inner = { sending(xe, fault, error) },
		.inner_count = 1,
	});
}

int xe_answer(struct xe *xe, const struct xe_fault *fault, __u64 vm, int error)
{
	return xe->acks ? answer_by_ack(xe, fault, vm, error) :
			  answer_in_worker(xe, fault, vm, error);
}

int xe_fail(struct xe *xe, const struct xe_fault *fault, __u64 vm)
{
	int ret = xe_tell(xe, fault, 0);

	return ret ?: xe_answer(xe, fault, vm, -EINVAL);
}

void xe_want(struct drm_fault_record *want, const struct xe_fault *fault)
{
	static const struct {
		__u32 engine_class;
		const char *name;
	} engines[] = {
		[XE_RENDER] = { DRM_FAULT_ENGINE_RENDER, "rcs" },
		[XE_VIDEO_DECODE] = { DRM_FAULT_ENGINE_VIDEO_DECODE, "vcs" },
		[XE_VIDEO_ENHANCE] = { DRM_FAULT_ENGINE_VIDEO_ENHANCE, "vecs" },
		[XE_COPY] = { DRM_FAULT_ENGINE_COPY, "bcs" },
		[XE_OTHER] = { DRM_FAULT_ENGINE_OTHER, "gsccs" },
		[XE_COMPUTE] = { DRM_FAULT_ENGINE_COMPUTE, "ccs" },
	};
	static const __u32 accesses[] = {
		DRM_FAULT_ACCESS_READ, DRM_FAULT_ACCESS_WRITE, DRM_FAULT_ACCESS_ATOMIC,
	};
	__u32 words[4];
	unsigned int i;

	message_of(fault, words);
	want->address = fault->address & ~0xfffULL;
	want->address_precision = 4096;
	want->access = accesses[fault->access];
	want->fault_type = fault->sparse ? DRM_FAULT_TYPE_OTHER :
			   fault->type ? DRM_FAULT_TYPE_PERMISSION :
			   DRM_FAULT_TYPE_NOT_PRESENT;
	want->level = fault->sparse ? 0 : fault->level + 1;
	want->engine_class = engines[fault->engine_class].engine_class;
	want->engine_instance = fault->instance;
	snprintf(want->engine, sizeof(want->engine), "%s%u",
		 engines[fault->engine_class].name, fault->instance);
	want->raw_format = DRM_FAULT_RAW_XE;
	want->raw_count = ARRAY_SIZE(words);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		want->raw[i] = words[i];
}
