// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void *drmfault_allocate(const struct drmfault_memory *memory, size_t count, size_t size)
{
	void *bytes;

	if (!memory || !memory->allocate)
		return calloc(count, size);
	if (count && size > SIZE_MAX / count)
		return NULL;
	bytes = memory->allocate(memory->user, count * size);
	if (bytes)
		memset(bytes, 0, count * size);
	return bytes;
}

void drmfault_release(const struct drmfault_memory *memory, void *bytes)
{
	if (!bytes)
		return;
	if (memory && memory->allocate)
		memory->release(memory->user, bytes);
	else
		free(bytes);
}
