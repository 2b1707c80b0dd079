// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bindings.h"

#define PAST_COUNT     65536u
#define PAST_COUNT_MAX (1u << 26)
#define PAST_BYTES     (UINT64_C(16) << 20)
/* Threads that may be about to end a binding at one time, far more than there are. */
#define RING_MARGIN 4096u

uint64_t bindings_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

struct shard *bindings_shard(struct drmfault_bindings *bindings, uint32_t type, uint64_t handle)
{
	return &bindings->shards[object_hash(type, handle) >> (64 - SHARD_BITS)];
}

int bindings_range(const struct drmfault_bindings *bindings, uint64_t address, uint64_t length,
		   uint64_t *first, uint64_t *last)
{
	uint32_t bits = bindings->address_bits;

	*first = drmfault_canonical(address, bits);
	*last = *first + (length - 1);
	if (!length || *last < *first || drmfault_canonical(*last, bits) != *last)
		return -EINVAL;
	/* Addresses of the lower half and of the upper one have a hole between them. */
	if (bits && bits != 64 && (*first ^ *last) >> 63)
		return -EINVAL;
	return 0;
}

int args_take(const void *args, size_t size, void *known, size_t known_size)
{
	const uint8_t *bytes = args;
	size_t i;

	for (i = known_size; i < size; i++)
		if (bytes[i])
			return -E2BIG;
	memset(known, 0, known_size);
	memcpy(known, args, size < known_size ? size : known_size);
	return 0;
}

void args_give(void *args, size_t size, const void *known, size_t known_size)
{
	memset(args, 0, size);
	memcpy(args, known, size < known_size ? size : known_size);
}

/* ---- The object ---- */

static int make_ring(struct drmfault_bindings *bindings)
{
	uint32_t size = RING_MARGIN;

	while (size < bindings->past_limit + RING_MARGIN)
		size *= 2;
	bindings->ring = calloc(size, 1);
	bindings->ring_mask = size - 1;
	return bindings->ring ? 0 : -ENOMEM;
}

static void make_shards(struct drmfault_bindings *bindings)
{
	struct shard *shard;
	uint32_t i;

	for (i = 0; i < SHARDS; i++) {
		shard = &bindings->shards[i];
		pthread_mutex_init(&shard->lock, NULL);
		shard->index = i;
		shard->bindings.size = sizeof(struct binding);
	}
}

DRMFAULT_API int drmfault_bindings_new(const struct drmfault_bindings_args *args,
				       struct drmfault_bindings **bindings)
{
	struct drmfault_bindings_args known = { 0 };
	struct drmfault_bindings *made;

	if (args && args_take(args, args->size, &known, sizeof(known)))
		return -E2BIG;
	if (known.past_count > PAST_COUNT_MAX)
		return -EINVAL;
	made = aligned_alloc(_Alignof(struct drmfault_bindings), sizeof(*made));
	if (!made)
		return -ENOMEM;
	memset(made, 0, sizeof(*made));
	made->address_bits = known.address_bits;
	made->past_limit = known.past_count ? known.past_count : PAST_COUNT;
	made->past_bytes_limit = known.past_bytes ? known.past_bytes : PAST_BYTES;
	if (make_ring(made)) {
		free(made);
		return -ENOMEM;
	}
	make_shards(made);
	*bindings = made;
	return 0;
}

static void free_names(struct shard *shard)
{
	uint32_t i, id;

	for (i = 0; i < shard->bucket_count; i++)
		for (id = shard->buckets[i]; id; id = binding_at(shard, id)->next_object)
			name_put(shard, binding_at(shard, id)->name);
}

static void free_shard(struct shard *shard)
{
	free_names(shard);
	past_free(shard);
	tree_free(&shard->live);
	slab_free(&shard->bindings);
	free(shard->buckets);
	pthread_mutex_destroy(&shard->lock);
}

DRMFAULT_API void drmfault_bindings_free(struct drmfault_bindings *bindings)
{
	uint32_t i;

	if (!bindings)
		return;
	for (i = 0; i < SHARDS; i++)
		free_shard(&bindings->shards[i]);
	free(bindings->ring);
	free(bindings);
}

/* ---- Changes ---- */

static int take_event(const struct drmfault_bindings *bindings,
		      const struct drmfault_binding_event *event, struct change *change)
{
	struct drmfault_binding_event known;
	int ret = args_take(event, event->size, &known, sizeof(known));

	if (ret)
		return ret;
	*change = (struct change){
		.time_ns = known.time_ns ? known.time_ns : bindings_now(),
		.object = known.object,
		.object_type = known.object_type,
		.flags = known.flags & ~DRMFAULT_BINDING_DESTROYED,
	};
	return bindings_range(bindings, known.address, known.length, &change->first, &change->last);
}

/* Among a million bindings the time goes into waiting for memory: do that at once. */
static void fetch(const struct shard *shard, const struct change *change)
{
	object_prefetch(shard, change->object_type, change->object);
	tree_prefetch(&shard->live, change->first);
}

DRMFAULT_API int drmfault_bindings_bind(struct drmfault_bindings *bindings,
					const struct drmfault_binding_event *event)
{
	struct change change;
	struct shard *shard;
	int ret = take_event(bindings, event, &change);

	if (ret)
		return ret;
	shard = bindings_shard(bindings, change.object_type, change.object);
	pthread_mutex_lock(&shard->lock);
	fetch(shard, &change);
	ret = shard_bind(shard, &change);
	pthread_mutex_unlock(&shard->lock);
	return ret;
}

DRMFAULT_API int drmfault_bindings_unbind(struct drmfault_bindings *bindings,
					  const struct drmfault_binding_event *event)
{
	struct change change;
	struct shard *shard;
	int ret = take_event(bindings, event, &change);

	if (ret)
		return ret;
	/* Those of the binding stay. */
	change.flags &= DRMFAULT_BINDING_SPARSE;
	shard = bindings_shard(bindings, change.object_type, change.object);
	pthread_mutex_lock(&shard->lock);
	fetch(shard, &change);
	ret = shard_unbind(bindings, shard, &change);
	pthread_mutex_unlock(&shard->lock);
	past_trim(bindings);
	return ret;
}

DRMFAULT_API int drmfault_bindings_destroy(struct drmfault_bindings *bindings, uint32_t object_type,
					   uint64_t object, uint64_t time_ns)
{
	struct shard *shard = bindings_shard(bindings, object_type, object);
	uint32_t id;

	pthread_mutex_lock(&shard->lock);
	id = object_find(shard, object_type, object);
	if (id)
		shard_destroy(bindings, shard, id, time_ns ? time_ns : bindings_now());
	pthread_mutex_unlock(&shard->lock);
	past_trim(bindings);
	return id ? 0 : -ENOENT;
}

DRMFAULT_API int drmfault_bindings_name(struct drmfault_bindings *bindings, uint32_t object_type,
					uint64_t object, const char *name)
{
	struct shard *shard = bindings_shard(bindings, object_type, object);
	int ret = -ENOMEM;
	uint32_t id;

	pthread_mutex_lock(&shard->lock);
	id = object_get(shard, object_type, object);
	if (id) {
		ret = object_set_name(shard, id, name);
		object_settle(shard, id);
	}
	pthread_mutex_unlock(&shard->lock);
	return ret;
}

/* ---- Counts ---- */

static void add_counts(struct shard *shard, struct drmfault_bindings_counts *counts)
{
	pthread_mutex_lock(&shard->lock);
	counts->live += shard->live_count;
	counts->past += shard->past_end - shard->past_begin;
	counts->unmatched += shard->unmatched;
	counts->objects += shard->object_count;
	counts->bytes += shard->name_bytes + slab_bytes(&shard->bindings) +
			 tree_bytes(&shard->live) + tree_bytes(&shard->past_tree) +
			 shard->past_room * sizeof(*shard->past) +
			 shard->bucket_count * sizeof(*shard->buckets);
	pthread_mutex_unlock(&shard->lock);
}

DRMFAULT_API void drmfault_bindings_counts(struct drmfault_bindings *bindings,
					   struct drmfault_bindings_counts *counts)
{
	struct drmfault_bindings_counts known = {
		.size = counts->size,
		.bytes = sizeof(*bindings) + bindings->ring_mask + 1,
		.forgotten = __atomic_load_n(&bindings->forgotten, __ATOMIC_RELAXED),
		.past_bytes = __atomic_load_n(&bindings->past_bytes, __ATOMIC_RELAXED),
	};
	uint32_t i;

	for (i = 0; i < SHARDS; i++)
		add_counts(&bindings->shards[i], &known);
	args_give(counts, counts->size, &known, sizeof(known));
}
