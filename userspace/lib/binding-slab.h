/* SPDX-License-Identifier: MIT */
/* Things of one size, each with a number from 1 on, that stay where they are. */
#ifndef DRMFAULT_LIB_BINDING_SLAB_H
#define DRMFAULT_LIB_BINDING_SLAB_H

#include <stddef.h>
#include <stdint.h>

/* Things in one piece of memory, which begins at a line of the cache. */
#define SLAB_CHUNK 64
#define SLAB_ALIGN 64

struct slab {
	char **chunks;
	uint32_t chunk_count;
	uint32_t room;
	/* Numbers that were ever given. */
	uint32_t used;
	/* One that was given back, whose first bytes are the next such. */
	uint32_t free;
	/* Of one thing, at least 4. */
	uint32_t size;
};

/* The number of a thing that holds anything; 0 without memory. */
uint32_t slab_take(struct slab *slab);
void slab_give(struct slab *slab, uint32_t id);
void slab_free(struct slab *slab);
size_t slab_bytes(const struct slab *slab);

static inline void *slab_at(const struct slab *slab, uint32_t id)
{
	id--;
	return slab->chunks[id / SLAB_CHUNK] + (size_t)(id % SLAB_CHUNK) * slab->size;
}

#endif /* DRMFAULT_LIB_BINDING_SLAB_H */
