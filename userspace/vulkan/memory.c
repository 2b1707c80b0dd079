// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "device.h"

/* As malloc() aligns. */
#define ALIGNMENT (2 * sizeof(void *))

static void *allocate(void *user, size_t size)
{
	return memory_allocate(user, size);
}

static void release(void *user, void *memory)
{
	memory_free(user, memory);
}

struct drmfault_memory memory_of(VkAllocationCallbacks *allocator)
{
	return (struct drmfault_memory){ allocate, release, allocator };
}

void *memory_allocate(const VkAllocationCallbacks *allocator, size_t size)
{
	if (!allocator || !allocator->pfnAllocation)
		return malloc(size);
	return allocator->pfnAllocation(allocator->pUserData, size, ALIGNMENT,
					VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
}

void memory_free(const VkAllocationCallbacks *allocator, void *memory)
{
	if (!memory)
		return;
	if (!allocator || !allocator->pfnFree)
		free(memory);
	else
		allocator->pfnFree(allocator->pUserData, memory);
}
