// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"

/* ---- Names ---- */

struct name *name_new(struct shard *shard, const char *text)
{
	size_t size = strnlen(text, NAME_BYTES - 1);
	struct name *name = malloc(sizeof(*name) + size + 1);

	if (!name)
		return NULL;
	memcpy(name->text, text, size);
	name->text[size] = '\0';
	name->size = (uint32_t)size + 1;
	name->refs = 1;
	shard->name_bytes += sizeof(*name) + name->size;
	return name;
}

void name_put(struct shard *shard, struct name *name)
{
	if (!name || --name->refs)
		return;
	shard->name_bytes -= sizeof(*name) + name->size;
	free(name);
}

/* ---- Objects ---- */

/* The highest bits of the hash choose the shard. */
static uint32_t *bucket_of(const struct shard *shard, uint32_t type, uint64_t handle)
{
	return &shard->buckets[object_hash(type, handle) & (shard->bucket_count - 1)];
}

void object_prefetch(const struct shard *shard, uint32_t type, uint64_t handle)
{
	if (shard->buckets)
		__builtin_prefetch(bucket_of(shard, type, handle));
}

static bool grow_buckets(struct shard *shard)
{
	uint32_t count = shard->bucket_count ? 2 * shard->bucket_count : 16, i, id, next;
	uint32_t *old = shard->buckets, old_count = shard->bucket_count, *bucket;
	uint32_t *buckets = calloc(count, sizeof(*buckets));
	struct binding *object;

	if (!buckets)
		return false;
	shard->buckets = buckets;
	shard->bucket_count = count;
	for (i = 0; i < old_count; i++) {
		for (id = old[i]; id; id = next) {
			object = binding_at(shard, id);
			next = object->next_object;
			bucket = bucket_of(shard, object->object_type, object->object);
			object->next_object = *bucket;
			*bucket = id;
		}
	}
	free(old);
	return true;
}

uint32_t object_find(const struct shard *shard, uint32_t type, uint64_t handle)
{
	const struct binding *object;
	uint32_t id;

	if (!shard->buckets)
		return 0;
	for (id = *bucket_of(shard, type, handle); id; id = object->next_object) {
		object = binding_at(shard, id);
		if (object->object == handle && object->object_type == type)
			return id;
	}
	return 0;
}

uint32_t object_get(struct shard *shard, uint32_t type, uint64_t handle)
{
	uint32_t id = object_find(shard, type, handle), *bucket;

	if (id)
		return id;
	/* Where it cannot grow, lists get longer, once there is one. */
	if (2 * shard->object_count >= shard->bucket_count && !grow_buckets(shard) &&
	    !shard->buckets)
		return 0;
	id = slab_take(&shard->bindings);
	if (!id)
		return 0;
	bucket = bucket_of(shard, type, handle);
	*binding_at(shard, id) = (struct binding){
		.object = handle,
		.object_type = type,
		.first = 1,
		.last = 0,
		.next_object = *bucket,
	};
	*bucket = id;
	shard->object_count++;
	return id;
}

int object_set_name(struct shard *shard, uint32_t id, const char *text)
{
	struct binding *object = binding_at(shard, id);
	struct name *name = NULL;

	if (text && *text) {
		name = name_new(shard, text);
		if (!name)
			return -ENOMEM;
	}
	name_put(shard, object->name);
	object->name = name;
	return 0;
}

void object_settle(struct shard *shard, uint32_t id)
{
	const struct binding *object = binding_at(shard, id);
	uint32_t *link;

	if (object->count || object->name)
		return;
	link = bucket_of(shard, object->object_type, object->object);
	while (*link != id)
		link = &binding_at(shard, *link)->next_object;
	*link = object->next_object;
	slab_give(&shard->bindings, id);
	shard->object_count--;
}
