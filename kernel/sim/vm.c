// SPDX-License-Identifier: GPL-2.0-only
/*
 * The address space: a page table of four levels, as the hardware of others
 * has it, except that an entry of the last level points to a mapping.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <drm/drm_gem_shmem_helper.h>

#include "sim.h"

#define SIM_PAGE_SHIFT	12
#define SIM_INDEX_BITS	9
#define SIM_ENTRIES	BIT(SIM_INDEX_BITS)

static_assert(SIM_PAGE_SHIFT + SIM_INDEX_BITS * DRM_FAULT_SIM_LEVELS ==
	      DRM_FAULT_SIM_ADDRESS_BITS);

/**
 * struct drm_fault_sim_table - one page of the table
 * @entry:	a table of the next level, in level 1 a mapping, or NULL
 */
struct drm_fault_sim_table {
	void *entry[SIM_ENTRIES];
};

static_assert(sizeof(struct drm_fault_sim_table) <= PAGE_SIZE);

/**
 * struct drm_fault_sim_mapping - what one map call has mapped
 * @object:	a reference to the object, whose pages are pinned
 * @address:	of the first page
 * @first_page:	in the object
 * @permissions:	DRM_FAULT_SIM_MAP_*
 * @pages:	entries that point here; the last to go releases it
 * @link:	in a list of those to release
 */
struct drm_fault_sim_mapping {
	struct drm_gem_shmem_object *object;
	u64 address;
	pgoff_t first_page;
	u32 permissions;
	u32 pages;
	struct list_head link;
};

static unsigned int sim_shift(unsigned int level)
{
	return SIM_PAGE_SHIFT + SIM_INDEX_BITS * (level - 1);
}

/* First address behind what one entry of @level spans. */
static u64 sim_next(u64 address, unsigned int level)
{
	return ((address >> sim_shift(level)) + 1) << sim_shift(level);
}

static void **sim_entry(struct drm_fault_sim_table *table, unsigned int level, u64 address)
{
	return &table->entry[(address >> sim_shift(level)) % SIM_ENTRIES];
}

static struct drm_fault_sim_table *sim_table_alloc(struct drm_fault_sim_vm *vm)
{
	struct drm_fault_sim_table *table;

	if (vm->tables >= DRM_FAULT_SIM_MAX_TABLES)
		return ERR_PTR(-ENOSPC);

	table = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!table)
		return ERR_PTR(-ENOMEM);

	vm->tables++;
	return table;
}

static void sim_table_free(struct drm_fault_sim_vm *vm, struct drm_fault_sim_table *table)
{
	vm->tables--;
	free_page((unsigned long)table);
}

/* The table of the last level, or NULL and the level where there is no more. */
static struct drm_fault_sim_table *sim_leaf(struct drm_fault_sim_vm *vm, u64 address,
					    unsigned int *level)
{
	struct drm_fault_sim_table *table = vm->root;

	for (*level = DRM_FAULT_SIM_LEVELS; table && *level > 1; (*level)--) {
		struct drm_fault_sim_table *next = *sim_entry(table, *level, address);

		if (!next)
			return NULL;
		table = next;
	}
	return table;
}

static struct drm_fault_sim_table *sim_leaf_make(struct drm_fault_sim_vm *vm, u64 address)
{
	struct drm_fault_sim_table *table = vm->root;
	unsigned int level;

	lockdep_assert_held(&vm->map_lock);

	for (level = DRM_FAULT_SIM_LEVELS; level > 1; level--) {
		void **entry = sim_entry(table, level, address);

		if (!*entry) {
			struct drm_fault_sim_table *next = sim_table_alloc(vm);

			if (IS_ERR(next))
				return next;
			spin_lock(&vm->lock);
			*entry = next;
			spin_unlock(&vm->lock);
		}
		table = *entry;
	}
	return table;
}

/* Free the tables above @address that are empty; the root stays. */
static void sim_prune(struct drm_fault_sim_vm *vm, u64 address)
{
	struct drm_fault_sim_table *path[DRM_FAULT_SIM_LEVELS + 1] = { };
	unsigned int level;

	lockdep_assert_held(&vm->map_lock);

	path[DRM_FAULT_SIM_LEVELS] = vm->root;
	for (level = DRM_FAULT_SIM_LEVELS; level > 1 && path[level]; level--)
		path[level - 1] = *sim_entry(path[level], level, address);

	for (level = 1; level < DRM_FAULT_SIM_LEVELS; level++) {
		if (!path[level])
			continue;
		if (memchr_inv(path[level], 0, sizeof(*path[level])))
			return;
		spin_lock(&vm->lock);
		*sim_entry(path[level + 1], level + 1, address) = NULL;
		spin_unlock(&vm->lock);
		sim_table_free(vm, path[level]);
	}
}

static bool sim_range_is_free(struct drm_fault_sim_vm *vm, u64 address, u64 end)
{
	lockdep_assert_held(&vm->map_lock);

	while (address < end) {
		struct drm_fault_sim_table *leaf;
		unsigned int level;

		leaf = sim_leaf(vm, address, &level);
		if (leaf && *sim_entry(leaf, 1, address))
			return false;
		address = sim_next(address, level);
		cond_resched();
	}
	return true;
}

static int sim_range_fill(struct drm_fault_sim_vm *vm, u64 address, u64 end,
			  struct drm_fault_sim_mapping *mapping)
{
	lockdep_assert_held(&vm->map_lock);

	while (address < end) {
		u64 stop = min(end, sim_next(address, 2));
		struct drm_fault_sim_table *leaf = sim_leaf_make(vm, address);

		if (IS_ERR(leaf))
			return PTR_ERR(leaf);

		spin_lock(&vm->lock);
		for (; address < stop; address += PAGE_SIZE) {
			*sim_entry(leaf, 1, address) = mapping;
			mapping->pages++;
			vm->mapped += PAGE_SIZE;
		}
		spin_unlock(&vm->lock);
		cond_resched();
	}
	return 0;
}

static void sim_leaf_clear(struct drm_fault_sim_vm *vm, struct drm_fault_sim_table *leaf,
			   u64 address, u64 stop, struct list_head *unused)
{
	spin_lock(&vm->lock);
	for (; address < stop; address += PAGE_SIZE) {
		struct drm_fault_sim_mapping **entry = (void *)sim_entry(leaf, 1, address);

		if (!*entry)
			continue;
		if (!--(*entry)->pages)
			list_add(&(*entry)->link, unused);
		*entry = NULL;
		vm->mapped -= PAGE_SIZE;
	}
	spin_unlock(&vm->lock);
}

static void sim_range_clear(struct drm_fault_sim_vm *vm, u64 address, u64 end,
			    struct list_head *unused)
{
	lockdep_assert_held(&vm->map_lock);

	while (address < end) {
		struct drm_fault_sim_table *leaf;
		unsigned int level;
		u64 stop;

		leaf = sim_leaf(vm, address, &level);
		level = max(level, 2U);
		stop = min(end, sim_next(address, level));
		if (leaf)
			sim_leaf_clear(vm, leaf, address, stop, unused);
		sim_prune(vm, address);
		address = stop;
		cond_resched();
	}
}

static void sim_mapping_free(struct drm_fault_sim_mapping *mapping)
{
	drm_gem_shmem_unpin(mapping->object);
	drm_gem_object_put(&mapping->object->base);
	kfree(mapping);
}

static void sim_mappings_free(struct list_head *unused)
{
	struct drm_fault_sim_mapping *mapping, *next;

	list_for_each_entry_safe(mapping, next, unused, link)
		sim_mapping_free(mapping);
}

static struct drm_fault_sim_mapping *
sim_mapping_create(struct drm_gem_object *object, const struct drm_fault_sim_map *args)
{
	struct drm_fault_sim_mapping *mapping;
	int ret;

	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping)
		return ERR_PTR(-ENOMEM);

	mapping->object = to_drm_gem_shmem_obj(object);
	mapping->address = args->address;
	mapping->first_page = args->offset >> PAGE_SHIFT;
	mapping->permissions = args->flags;

	ret = drm_gem_shmem_pin(mapping->object);
	if (ret) {
		kfree(mapping);
		return ERR_PTR(ret);
	}
	drm_gem_object_get(object);
	return mapping;
}

static int sim_map_locked(struct drm_fault_sim_vm *vm, struct drm_fault_sim_mapping *mapping,
			  u64 size, struct list_head *unused)
{
	u64 end = mapping->address + size;
	int ret;

	lockdep_assert_held(&vm->map_lock);

	if (!sim_range_is_free(vm, mapping->address, end))
		ret = -EEXIST;
	else if (size > DRM_FAULT_SIM_MAX_MAPPED - vm->mapped)
		ret = -ENOSPC;
	else
		ret = sim_range_fill(vm, mapping->address, end, mapping);

	if (ret == 0)
		return 0;

	/* The mapping itself hangs on the list by the last of its pages, if any. */
	if (!mapping->pages)
		list_add(&mapping->link, unused);
	if (ret != -EEXIST)
		sim_range_clear(vm, mapping->address, end, unused);
	return ret;
}

/**
 * drm_fault_sim_vm_map - map a range of an object
 * @vm:		the address space
 * @object:	the object, of which a reference is taken
 * @args:	where and how; the ranges have been checked
 *
 * Context: Process context, may sleep.
 * Return: 0, -EEXIST if a part of the range is mapped, -ENOSPC over the limits,
 * -ENOMEM, -EINTR.
 */
int drm_fault_sim_vm_map(struct drm_fault_sim_vm *vm, struct drm_gem_object *object,
			 const struct drm_fault_sim_map *args)
{
	struct drm_fault_sim_mapping *mapping;
	LIST_HEAD(unused);
	int ret;

	mapping = sim_mapping_create(object, args);
	if (IS_ERR(mapping))
		return PTR_ERR(mapping);

	mutex_lock(&vm->map_lock);
	ret = sim_map_locked(vm, mapping, args->size, &unused);
	mutex_unlock(&vm->map_lock);

	sim_mappings_free(&unused);
	return ret;
}

/**
 * drm_fault_sim_vm_unmap - unmap what is mapped in a range
 * @vm:		the address space
 * @address:	first address
 * @size:	bytes, whole pages
 *
 * When it returns no access to the pages is under way.
 *
 * Context: Process context, may sleep.
 */
void drm_fault_sim_vm_unmap(struct drm_fault_sim_vm *vm, u64 address, u64 size)
{
	LIST_HEAD(unused);

	mutex_lock(&vm->map_lock);
	sim_range_clear(vm, address, address + size, &unused);
	mutex_unlock(&vm->map_lock);

	sim_mappings_free(&unused);
}

/**
 * drm_fault_sim_vm_walk - look an address up
 * @vm:		the address space, with its lock held
 * @address:	below DRM_FAULT_SIM_ADDRESS_END
 * @permissions:	out: DRM_FAULT_SIM_MAP_*
 * @level:	out: level where the walk ended
 *
 * Context: Any but interrupts; the page may be used while the lock is held.
 * Return: the page, or NULL if nothing is mapped.
 */
struct page *drm_fault_sim_vm_walk(struct drm_fault_sim_vm *vm, u64 address,
				   u32 *permissions, u32 *level)
{
	struct drm_fault_sim_mapping *mapping;
	struct drm_fault_sim_table *leaf;

	lockdep_assert_held(&vm->lock);

	leaf = sim_leaf(vm, address, level);
	if (!leaf)
		return NULL;
	mapping = *sim_entry(leaf, 1, address);
	if (!mapping)
		return NULL;

	*permissions = mapping->permissions;
	return mapping->object->pages[mapping->first_page +
				      ((address - mapping->address) >> PAGE_SHIFT)];
}

/**
 * drm_fault_sim_vm_init - make an empty address space
 * @vm:		the address space
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int drm_fault_sim_vm_init(struct drm_fault_sim_vm *vm)
{
	mutex_init(&vm->map_lock);
	spin_lock_init(&vm->lock);
	vm->root = sim_table_alloc(vm);
	return PTR_ERR_OR_ZERO(vm->root);
}

/**
 * drm_fault_sim_vm_fini - unmap everything
 * @vm:		the address space, which nothing uses any more
 *
 * Context: Process context, may sleep.
 */
void drm_fault_sim_vm_fini(struct drm_fault_sim_vm *vm)
{
	drm_fault_sim_vm_unmap(vm, 0, DRM_FAULT_SIM_ADDRESS_END);
	sim_table_free(vm, vm->root);
	WARN_ON(vm->tables || vm->mapped);
	mutex_destroy(&vm->map_lock);
}
