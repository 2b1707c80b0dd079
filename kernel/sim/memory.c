// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses of the engine to memory, each through the page table. A CPU may
 * have the same pages mapped, so values are moved as a whole.
 */
#include <linux/atomic.h>
#include <linux/highmem.h>

#include "sim.h"

static const u32 sim_needs[] = {
	[DRM_FAULT_ACCESS_READ] = DRM_FAULT_SIM_MAP_READ,
	[DRM_FAULT_ACCESS_WRITE] = DRM_FAULT_SIM_MAP_WRITE,
	[DRM_FAULT_ACCESS_EXECUTE] = DRM_FAULT_SIM_MAP_EXEC,
	[DRM_FAULT_ACCESS_ATOMIC] = DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE,
};

static struct page *sim_page(struct drm_fault_sim_vm *vm, struct drm_fault_sim_access *access)
{
	u32 needed = sim_needs[access->access];
	struct page *page;
	u32 permissions;

	lockdep_assert_held(&vm->lock);

	access->level = 0;
	if (access->address & (access->size - 1)) {
		access->cause = DRM_FAULT_SIM_CAUSE_ALIGNMENT;
		return NULL;
	}

	page = drm_fault_sim_vm_walk(vm, access->address, &permissions, &access->level);
	if (!page) {
		access->cause = DRM_FAULT_SIM_CAUSE_NOT_PRESENT;
		return NULL;
	}
	if ((permissions & needed) != needed) {
		access->cause = DRM_FAULT_SIM_CAUSE_PERMISSION;
		return NULL;
	}
	return page;
}

static void *sim_memory(struct drm_fault_sim_vm *vm, struct drm_fault_sim_access *access)
{
	struct page *page = sim_page(vm, access);

	return page ? kmap_local_page(page) + offset_in_page(access->address) : NULL;
}

static u64 sim_read(const void *memory, u32 size)
{
	switch (size) {
	case 1:
		return READ_ONCE(*(u8 *)memory);
	case 2:
		return READ_ONCE(*(u16 *)memory);
	case 4:
		return READ_ONCE(*(u32 *)memory);
	default:
		return READ_ONCE(*(u64 *)memory);
	}
}

static void sim_write(void *memory, u32 size, u64 value)
{
	switch (size) {
	case 1:
		WRITE_ONCE(*(u8 *)memory, value);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)memory, value);
		break;
	case 4:
		WRITE_ONCE(*(u32 *)memory, value);
		break;
	default:
		WRITE_ONCE(*(u64 *)memory, value);
		break;
	}
}

static u64 sim_fetch_add(void *memory, u32 size, u64 value)
{
	if (size == sizeof(u32))
		return (u32)atomic_fetch_add((int)value, memory);
	return atomic64_fetch_add(value, memory);
}

/**
 * drm_fault_sim_load - read a value
 * @vm:		the address space
 * @access:	what to read, in reply why it failed
 * @value:	the value, zero-extended
 *
 * Context: Process context.
 * Return: 0 or -EFAULT.
 */
int drm_fault_sim_load(struct drm_fault_sim_vm *vm,
		       struct drm_fault_sim_access *access, u64 *value)
{
	void *memory;

	spin_lock(&vm->lock);
	memory = sim_memory(vm, access);
	if (memory) {
		*value = sim_read(memory, access->size);
		kunmap_local(memory);
	}
	spin_unlock(&vm->lock);
	return memory ? 0 : -EFAULT;
}

/**
 * drm_fault_sim_store - write a value
 * @vm:		the address space
 * @access:	where to write, in reply why it failed
 * @value:	the value, of which the low bytes are written
 *
 * Context: Process context.
 * Return: 0 or -EFAULT.
 */
int drm_fault_sim_store(struct drm_fault_sim_vm *vm,
			struct drm_fault_sim_access *access, u64 value)
{
	void *memory;

	spin_lock(&vm->lock);
	memory = sim_memory(vm, access);
	if (memory) {
		sim_write(memory, access->size, value);
		kunmap_local(memory);
	}
	spin_unlock(&vm->lock);
	return memory ? 0 : -EFAULT;
}

/**
 * drm_fault_sim_atomic_add - add to a value, also towards the CPU at once
 * @vm:		the address space
 * @access:	what to add to, 4 or 8 bytes, in reply why it failed
 * @value:	in: what to add, out: what was there
 *
 * Context: Process context.
 * Return: 0 or -EFAULT.
 */
int drm_fault_sim_atomic_add(struct drm_fault_sim_vm *vm,
			     struct drm_fault_sim_access *access, u64 *value)
{
	void *memory;

	spin_lock(&vm->lock);
	memory = sim_memory(vm, access);
	if (memory) {
		*value = sim_fetch_add(memory, access->size, *value);
		kunmap_local(memory);
	}
	spin_unlock(&vm->lock);
	return memory ? 0 : -EFAULT;
}

static void sim_copy_in_page(struct page *to, size_t to_offset,
			     struct page *from, size_t from_offset, size_t size)
{
	u8 *source = kmap_local_page(from) + from_offset;
	u8 *target = kmap_local_page(to) + to_offset;

	/* Byte by byte is what the program sees where the ranges overlap. */
	if (to == from) {
		size_t i;

		for (i = 0; i < size; i++)
			target[i] = source[i];
	} else {
		memcpy(target, source, size);
	}
	kunmap_local(target);
	kunmap_local(source);
}

/**
 * drm_fault_sim_copy - copy up to the next end of a page
 * @vm:		the address space
 * @to:		address to copy to
 * @from:	address to copy from
 * @size:	bytes wanted
 * @access:	on failure which access failed and why
 *
 * Context: Process context.
 * Return: bytes copied, at least 1 and at most a page, or -EFAULT.
 */
int drm_fault_sim_copy(struct drm_fault_sim_vm *vm, u64 to, u64 from, u64 size,
		       struct drm_fault_sim_access *access)
{
	size_t to_offset = offset_in_page(to);
	size_t from_offset = offset_in_page(from);
	size_t bytes = min_t(u64, size, PAGE_SIZE - max(to_offset, from_offset));
	struct page *source, *target = NULL;

	spin_lock(&vm->lock);
	*access = (struct drm_fault_sim_access) {
		.address = from, .size = 1, .access = DRM_FAULT_ACCESS_READ,
	};
	source = sim_page(vm, access);
	if (source) {
		*access = (struct drm_fault_sim_access) {
			.address = to, .size = 1, .access = DRM_FAULT_ACCESS_WRITE,
		};
		target = sim_page(vm, access);
	}
	if (target)
		sim_copy_in_page(target, to_offset, source, from_offset, bytes);
	spin_unlock(&vm->lock);

	return target ? bytes : -EFAULT;
}
