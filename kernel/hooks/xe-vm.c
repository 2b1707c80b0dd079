// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces of xe: one context each, known by the address of its struct xe_vm
 * and, once it has one, by its ASID.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>

#include <drm/drm_file.h>

#include "xe.h"

/* No address of the kernel looks like this. */
#define XE_ASID_KEY	BIT_ULL(62)

/* More of one client are found when they fault. */
#define XE_VMS_MAX	1024

/**
 * drm_fault_xe_asid_key - the key of an address space
 * @asid: its ASID, 0: it has none
 *
 * Context: Any.
 * Return: &drm_fault_event.key
 */
u64 drm_fault_xe_asid_key(u32 asid)
{
	return asid ? XE_ASID_KEY | asid : 0;
}

/* A new owner of a key says that we were not told of the last one's end. */
static void xe_vm_take_key(struct drm_fault_reporter *reporter, u64 key)
{
	drm_fault_context_destroy(drm_fault_context_of_key(reporter, key));
}

static struct drm_fault_context *xe_vm_add(struct drm_fault_reporter *reporter,
					   struct drm_fault_client *client, const void *vm)
{
	const struct drm_fault_context_args args = {
		.client = client,
		.key = (uintptr_t)vm,
		.atomic = true,
	};
	struct drm_fault_context *context = drm_fault_context_create(reporter, &args);

	return IS_ERR(context) ? NULL : context;
}

static void xe_vm_add_asid(struct drm_fault_reporter *reporter,
			   struct drm_fault_context *context, u32 asid)
{
	u64 key = drm_fault_xe_asid_key(asid);

	if (!key || drm_fault_context_of_key(reporter, key) == context)
		return;
	xe_vm_take_key(reporter, key);
	drm_fault_context_add_key(context, key);
}

static void xe_vm_adopt(struct drm_fault_reporter *reporter, struct drm_fault_client *client,
			const void *vm, u32 asid)
{
	struct drm_fault_context *context = drm_fault_context_of_key(reporter, (uintptr_t)vm);

	if (!context)
		context = xe_vm_add(reporter, client, vm);
	if (context)
		xe_vm_add_asid(reporter, context, asid);
}

/**
 * drm_fault_xe_vm_know - the driver has told which address space an ASID is
 * @vm: struct xe_vm
 * @asid: its ASID
 *
 * The first time for one that was there before us.
 *
 * Context: In a handler.
 */
void drm_fault_xe_vm_know(const void *vm, u32 asid)
{
	struct drm_fault_reporter *reporter = drm_fault_xe_reporter(xe_pointer(vm, XE_VM_DEVICE));
	struct drm_fault_client *client;

	if (!reporter)
		return;
	client = drm_fault_client_of_file(xe_pointer(xe_pointer(vm, XE_VM_FILE), XE_FILE_DRM));
	if (client)
		xe_vm_adopt(reporter, client, vm, asid);
}

/**
 * drm_fault_xe_opened - create contexts for the address spaces that an opener has
 * @reporter: the GPU
 * @client: the opener
 * @file: the same as DRM has it
 *
 * Context: Atomic, under RCU.
 */
void drm_fault_xe_opened(struct drm_fault_reporter *reporter, struct drm_fault_client *client,
			 const struct drm_file *file)
{
	unsigned long index = 0;
	unsigned int count;
	const void *vm;
	u32 asid;

	for (count = 0; count < XE_VMS_MAX; count++, index++) {
		vm = drm_fault_xe_array_find(file->driver_priv, XE_FILE_VMS, &index);
		if (!vm)
			return;
		if (drm_fault_xe_reporter(xe_pointer(vm, XE_VM_DEVICE)) != reporter)
			continue;
		xe_peek(&asid, vm, XE_VM_ASID);
		xe_vm_adopt(reporter, client, vm, asid);
	}
}

bool drm_fault_xe_vm_create_ioctl_enter(struct drm_fault_hook_hit *hit)
{
	struct xe_creation *creation = hit->data;

	creation->drm = (void *)drm_fault_hook_arg(hit, 0);
	creation->file = (void *)drm_fault_hook_arg(hit, 2);
	return true;
}

/* Some kernels give the ASID only after xe_vm_create(). */
void drm_fault_xe_vm_create_ioctl_leave(struct drm_fault_hook_hit *hit)
{
	const struct xe_creation *creation = hit->data;
	struct drm_fault_reporter *reporter;
	struct drm_fault_context *context;
	u32 asid;

	if ((int)hit->result || !xe_peek(&asid, creation->vm, XE_VM_ASID))
		return;
	reporter = drm_fault_reporter_of_drm(creation->drm);
	if (!reporter)
		return;
	context = drm_fault_context_of_key(reporter, (uintptr_t)creation->vm);
	if (context)
		xe_vm_add_asid(reporter, context, asid);
}

/* The driver makes some for itself; those are nobody's. */
bool drm_fault_xe_vm_create_enter(struct drm_fault_hook_hit *hit)
{
	return drm_fault_hook_enclosing(&drm_fault_xe_list[XE_HOOK_VM_CREATE_IOCTL]);
}

void drm_fault_xe_vm_create_leave(struct drm_fault_hook_hit *hit)
{
	struct xe_creation *creation =
		drm_fault_hook_enclosing(&drm_fault_xe_list[XE_HOOK_VM_CREATE_IOCTL]);
	const void *vm = (void *)hit->result;
	struct drm_fault_reporter *reporter;
	struct drm_fault_context *context;
	struct drm_fault_client *client;

	if (!creation || IS_ERR_OR_NULL(vm))
		return;
	reporter = drm_fault_reporter_of_drm(creation->drm);
	client = drm_fault_client_of_file(creation->file);
	if (!reporter || !client)
		return;
	creation->vm = vm;
	xe_vm_take_key(reporter, (uintptr_t)vm);
	context = xe_vm_add(reporter, client, vm);
	if (context)
		drm_fault_context_claim(context);
	else
		drm_fault_hook_drop(hit->hook);
}

bool drm_fault_xe_vm_close(struct drm_fault_hook_hit *hit)
{
	const void *vm = (void *)drm_fault_hook_arg(hit, 0);
	struct drm_fault_reporter *reporter = drm_fault_xe_reporter(xe_pointer(vm, XE_VM_DEVICE));

	if (reporter)
		xe_vm_take_key(reporter, (uintptr_t)vm);
	return true;
}

bool drm_fault_xe_vm_of_asid_enter(struct drm_fault_hook_hit *hit)
{
	*(u32 *)hit->data = drm_fault_hook_arg(hit, 1);
	return true;
}

void drm_fault_xe_vm_of_asid_leave(struct drm_fault_hook_hit *hit)
{
	const void *vm = (void *)hit->result;

	if (!IS_ERR_OR_NULL(vm))
		drm_fault_xe_vm_know(vm, *(u32 *)hit->data);
}
