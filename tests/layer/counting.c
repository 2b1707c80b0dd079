// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "counting.h"

static size_t allocated;

static VKAPI_ATTR void *VKAPI_CALL allocate(void *user, size_t size, size_t alignment,
					    VkSystemAllocationScope scope)
{
	void *memory = NULL;

	(void)user;
	(void)scope;
	if (alignment < sizeof(void *))
		alignment = sizeof(void *);
	if (posix_memalign(&memory, alignment, size))
		return NULL;
	allocated++;
	return memory;
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *user, void *original, size_t size,
					      size_t alignment, VkSystemAllocationScope scope)
{
	(void)user;
	(void)alignment;
	(void)scope;
	allocated += !original;
	return realloc(original, size);
}

static VKAPI_ATTR void VKAPI_CALL release(void *user, void *memory)
{
	(void)user;
	allocated -= memory != NULL;
	free(memory);
}

const VkAllocationCallbacks counting = {
	.pfnAllocation = allocate,
	.pfnReallocation = reallocate,
	.pfnFree = release,
};

size_t counting_allocated(void)
{
	return allocated;
}
