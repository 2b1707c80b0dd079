// SPDX-License-Identifier: MIT
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "binding-slab.h"

static bool add_chunk(struct slab *slab)
{
	uint32_t room = slab->room ? 2 * slab->room : 4;
	char **chunks, *chunk;

	if (slab->chunk_count == slab->room) {
		chunks = realloc(slab->chunks, room * sizeof(*chunks));
		if (!chunks)
			return false;
		slab->chunks = chunks;
		slab->room = room;
	}
	chunk = aligned_alloc(SLAB_ALIGN, (size_t)SLAB_CHUNK * slab->size);
	if (!chunk)
		return false;
	slab->chunks[slab->chunk_count++] = chunk;
	return true;
}

uint32_t slab_take(struct slab *slab)
{
	uint32_t id = slab->free;

	if (id) {
		memcpy(&slab->free, slab_at(slab, id), sizeof(slab->free));
		return id;
	}
	if (slab->used == slab->chunk_count * SLAB_CHUNK && !add_chunk(slab))
		return 0;
	return ++slab->used;
}

void slab_give(struct slab *slab, uint32_t id)
{
	memcpy(slab_at(slab, id), &slab->free, sizeof(slab->free));
	slab->free = id;
}

void slab_free(struct slab *slab)
{
	uint32_t i;

	for (i = 0; i < slab->chunk_count; i++)
		free(slab->chunks[i]);
	free(slab->chunks);
	*slab = (struct slab){ .size = slab->size };
}

size_t slab_bytes(const struct slab *slab)
{
	return (size_t)slab->chunk_count * SLAB_CHUNK * slab->size +
	       slab->room * sizeof(*slab->chunks);
}
