/* SPDX-License-Identifier: MIT */
/* pNext chains and lists of extension names: what is in them, and copies with changes. */
#ifndef DRMFAULT_LAYER_CHAIN_H
#define DRMFAULT_LAYER_CHAIN_H

#include <stdbool.h>

#include <vulkan/vulkan_core.h>

/* The first structure of a type, or NULL. */
void *chain_find(const void *pNext, VkStructureType type);

#define CHAIN_PATCH_MAX 32

/*
 * A chain without some of its structures. What stands before one of these is copied; a
 * structure that is newer than our headers, whose size nobody here knows, is changed in
 * place until chain_restore().
 */
struct chain {
	const void *first;
	void *copies;
	struct {
		VkBaseOutStructure *at;
		VkBaseOutStructure *next;
	} patches[CHAIN_PATCH_MAX];
	unsigned int patch_count;
	bool locked;
};

/* Returns false: there is no memory, or too much that is not known; nothing is to be restored. */
bool chain_without(struct chain *chain, const void *pNext, const VkStructureType *types,
		   unsigned int count, const VkAllocationCallbacks *pAllocator);
void chain_restore(struct chain *chain, const VkAllocationCallbacks *pAllocator);

bool names_have(const char *const *names, uint32_t count, const char *name);

/* Memory for the length of a call, as the application wants it. */
void *layer_allocate(const VkAllocationCallbacks *pAllocator, size_t size,
		     VkSystemAllocationScope scope);
void layer_free(const VkAllocationCallbacks *pAllocator, void *memory);

#endif /* DRMFAULT_LAYER_CHAIN_H */
