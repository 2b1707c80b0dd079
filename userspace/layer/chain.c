// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "chain.h"

#define COPY_ALIGN 16u

static const struct {
	VkStructureType type;
	size_t size;
} sizes[] = {
#define CHAIN(type, structure) { type, sizeof(structure) },
#include "chain-sizes.h"
#undef CHAIN
	/* Where the loader says who is next: of this call alone. */
	{ VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, sizeof(VkLayerDeviceCreateInfo) },
};

/* Structures of the application are changed by one thread at a time. */
static pthread_mutex_t patch_lock = PTHREAD_MUTEX_INITIALIZER;

void *layer_allocate(const VkAllocationCallbacks *pAllocator, size_t size,
		     VkSystemAllocationScope scope)
{
	void *memory;

	if (!pAllocator)
		return calloc(1, size);
	memory = pAllocator->pfnAllocation(pAllocator->pUserData, size, COPY_ALIGN, scope);
	return memory ? memset(memory, 0, size) : NULL;
}

void layer_free(const VkAllocationCallbacks *pAllocator, void *memory)
{
	if (!pAllocator)
		free(memory);
	else if (memory)
		pAllocator->pfnFree(pAllocator->pUserData, memory);
}

void *chain_find(const void *pNext, VkStructureType type)
{
	VkBaseOutStructure *at = (VkBaseOutStructure *)pNext;

	while (at && at->sType != type)
		at = at->pNext;
	return at;
}

bool names_have(const char *const *names, uint32_t count, const char *name)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* 0: it is not known. */
static size_t size_of(VkStructureType type)
{
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (sizes[i].type == type)
			return sizes[i].size;
	return 0;
}

static size_t room_of(VkStructureType type)
{
	return (size_of(type) + COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
}

static bool removed(const VkBaseOutStructure *at, const VkStructureType *types, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (at->sType == types[i])
			return true;
	return false;
}

/* The first structure behind the last removed one; what follows stays as it is. */
static const VkBaseOutStructure *tail_of(const void *pNext, const VkStructureType *types,
					 unsigned int count, size_t *size)
{
	const VkBaseOutStructure *at, *tail = pNext;
	size_t until = 0;

	*size = 0;
	for (at = pNext; at; at = at->pNext) {
		if (!removed(at, types, count)) {
			until += room_of(at->sType);
			continue;
		}
		tail = at->pNext;
		*size = until;
	}
	return tail;
}

/* What stands for @at in the new chain; NULL: too many structures are not known. */
static VkBaseOutStructure *chain_take(struct chain *chain, char **room, VkBaseOutStructure *at)
{
	size_t size = size_of(at->sType);
	VkBaseOutStructure *copy = (VkBaseOutStructure *)*room;

	if (size) {
		memcpy(copy, at, size);
		*room += room_of(at->sType);
		return copy;
	}
	if (chain->patch_count == CHAIN_PATCH_MAX)
		return NULL;
	chain->patches[chain->patch_count].at = at;
	chain->patches[chain->patch_count++].next = at->pNext;
	return at;
}

/* What is only read may lie in memory that cannot be written. */
static void chain_link(struct chain *chain, VkBaseOutStructure *last, const void *next)
{
	if (!last)
		chain->first = next;
	else if (last->pNext != next)
		last->pNext = (VkBaseOutStructure *)next;
}

static bool chain_fill(struct chain *chain, const void *pNext, const VkBaseOutStructure *tail,
		       const VkStructureType *types, unsigned int count)
{
	VkBaseOutStructure *at, *next, *taken, *last = NULL;
	char *room = chain->copies;

	for (at = (VkBaseOutStructure *)pNext; at != tail; at = next) {
		next = at->pNext;
		if (removed(at, types, count))
			continue;
		taken = chain_take(chain, &room, at);
		if (!taken)
			return false;
		chain_link(chain, last, taken);
		last = taken;
	}
	chain_link(chain, last, tail);
	return true;
}

bool chain_without(struct chain *chain, const void *pNext, const VkStructureType *types,
		   unsigned int count, const VkAllocationCallbacks *pAllocator)
{
	const VkBaseOutStructure *tail;
	size_t size;

	memset(chain, 0, sizeof(*chain));
	tail = tail_of(pNext, types, count, &size);
	if (size) {
		chain->copies =
			layer_allocate(pAllocator, size, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
		if (!chain->copies)
			return false;
	}

	pthread_mutex_lock(&patch_lock);
	chain->locked = true;
	if (!chain_fill(chain, pNext, tail, types, count)) {
		chain_restore(chain, pAllocator);
		return false;
	}
	if (!chain->patch_count) {
		chain->locked = false;
		pthread_mutex_unlock(&patch_lock);
	}
	return true;
}

void chain_restore(struct chain *chain, const VkAllocationCallbacks *pAllocator)
{
	unsigned int i;

	for (i = 0; i < chain->patch_count; i++)
		if (chain->patches[i].at->pNext != chain->patches[i].next)
			chain->patches[i].at->pNext = chain->patches[i].next;
	if (chain->locked)
		pthread_mutex_unlock(&patch_lock);
	layer_free(pAllocator, chain->copies);
}
