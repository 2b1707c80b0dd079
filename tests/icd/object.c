// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "icd.h"

static void *VKAPI_CALL default_allocate(void *user, size_t size, size_t alignment,
					 VkSystemAllocationScope scope)
{
	(void)user;
	(void)alignment; /* never above what malloc() gives */
	(void)scope;
	return malloc(size);
}

static void *VKAPI_CALL default_reallocate(void *user, void *memory, size_t size, size_t alignment,
					   VkSystemAllocationScope scope)
{
	(void)user;
	(void)alignment;
	(void)scope;
	return realloc(memory, size);
}

static void VKAPI_CALL default_free(void *user, void *memory)
{
	(void)user;
	free(memory);
}

const VkAllocationCallbacks icd_default_alloc = {
	.pfnAllocation = default_allocate,
	.pfnReallocation = default_reallocate,
	.pfnFree = default_free,
};

/* All zeros. */
void *icd_alloc(const VkAllocationCallbacks *alloc, size_t size, VkSystemAllocationScope scope)
{
	void *memory = alloc->pfnAllocation(alloc->pUserData, size, _Alignof(max_align_t), scope);

	return memory ? memset(memory, 0, size) : NULL;
}

void icd_free(const VkAllocationCallbacks *alloc, void *memory)
{
	if (memory)
		alloc->pfnFree(alloc->pUserData, memory);
}

/* @size is that of a struct that begins with a struct icd_object. */
void *icd_object_create(const VkAllocationCallbacks *alloc, size_t size, VkObjectType type)
{
	VkSystemAllocationScope scope = VK_SYSTEM_ALLOCATION_SCOPE_OBJECT;
	struct icd_object *object;

	if (type == VK_OBJECT_TYPE_INSTANCE)
		scope = VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE;
	else if (type == VK_OBJECT_TYPE_DEVICE)
		scope = VK_SYSTEM_ALLOCATION_SCOPE_DEVICE;
	object = icd_alloc(alloc, size, scope);
	if (!object)
		return NULL;
	set_loader_magic_value(object);
	object->type = type;
	return object;
}

void icd_object_destroy(const VkAllocationCallbacks *alloc, void *object)
{
	if (object)
		free(((struct icd_object *)object)->name);
	icd_free(alloc, object);
}
