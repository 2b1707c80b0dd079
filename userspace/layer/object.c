// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "object.h"

#define SHARDS	 64u
#define ROOM_MIN 16u

/*
 * Objects lie in a ring of slots, a power of two, each in the first free one from where
 * its hash says: among a million, finding one is a single wait for memory. The type of a
 * free slot is 0.
 */
struct shard {
	pthread_mutex_t lock;
	size_t count;
	size_t room;
	struct object *slots;
};

struct objects {
	struct shard shards[SHARDS];
};

static uint64_t hash_of(VkObjectType type, uint64_t handle)
{
	uint64_t hash = (handle ^ ((uint64_t)type << 56)) * 0x9e3779b97f4a7c15u;

	return hash ^ hash >> 32;
}

static size_t place_of(const struct shard *shard, uint64_t hash)
{
	return hash / SHARDS & (shard->room - 1);
}

struct objects *objects_new(void)
{
	struct objects *objects = calloc(1, sizeof(*objects));
	unsigned int i;

	for (i = 0; objects && i < SHARDS; i++)
		pthread_mutex_init(&objects->shards[i].lock, NULL);
	return objects;
}

void objects_free(struct objects *objects)
{
	struct shard *shard;
	unsigned int i;
	size_t slot;

	for (i = 0; objects && i < SHARDS; i++) {
		shard = &objects->shards[i];
		for (slot = 0; slot < shard->room; slot++)
			free(shard->slots[slot].waiting);
		free(shard->slots);
		pthread_mutex_destroy(&objects->shards[i].lock);
	}
	free(objects);
}

static struct shard *shard_lock(struct objects *objects, uint64_t hash)
{
	struct shard *shard = &objects->shards[hash % SHARDS];

	pthread_mutex_lock(&shard->lock);
	return shard;
}

/* Where it is, or where it would be put; NULL: there are no slots yet. */
static struct object *shard_slot(const struct shard *shard, uint64_t hash, VkObjectType type,
				 uint64_t handle)
{
	size_t at;

	if (!shard->room)
		return NULL;
	at = place_of(shard, hash);
	while (shard->slots[at].type &&
	       (shard->slots[at].handle != handle || shard->slots[at].type != type))
		at = (at + 1) & (shard->room - 1);
	return &shard->slots[at];
}

static bool shard_resize(struct shard *shard, size_t room)
{
	struct shard made = { .room = room, .slots = calloc(room, sizeof(*made.slots)) };
	const struct object *object;
	size_t i;

	if (!made.slots)
		return false;
	for (i = 0; i < shard->room; i++) {
		object = &shard->slots[i];
		if (object->type)
			*shard_slot(&made, hash_of(object->type, object->handle), object->type,
				    object->handle) = *object;
	}
	free(shard->slots);
	shard->slots = made.slots;
	shard->room = room;
	return true;
}

/* A search ends at a free slot: there is always one. */
static bool shard_grow(struct shard *shard)
{
	if (4 * (shard->count + 1) <= 3 * shard->room)
		return true;
	return shard_resize(shard, shard->room ? 2 * shard->room : ROOM_MIN) ||
	       shard->count + 1 < shard->room;
}

static void shard_shrink(struct shard *shard)
{
	if (shard->room > ROOM_MIN && 8 * shard->count < shard->room)
		shard_resize(shard, shard->room / 2);
}

/* The object, made if need be; NULL: no memory. */
static struct object *shard_make(struct shard *shard, uint64_t hash, VkObjectType type,
				 uint64_t handle)
{
	struct object *object = shard_slot(shard, hash, type, handle);

	if (object && object->type)
		return object;
	if (!shard_grow(shard))
		return NULL;
	object = shard_slot(shard, hash, type, handle);
	*object = (struct object){ .type = type, .handle = handle };
	shard->count++;
	return object;
}

/* Moves those up that would not be found past a free slot. */
static void shard_drop(struct shard *shard, struct object *object)
{
	size_t mask = shard->room - 1, hole = (size_t)(object - shard->slots), at = hole, home;
	const struct object *other;

	for (;;) {
		at = (at + 1) & mask;
		other = &shard->slots[at];
		if (!other->type)
			break;
		home = place_of(shard, hash_of(other->type, other->handle));
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		shard->slots[hole] = *other;
		hole = at;
	}
	shard->slots[hole] = (struct object){ 0 };
	shard->count--;
}

void objects_prefetch(struct objects *objects, VkObjectType type, uint64_t handle)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);

	if (shard->room)
		__builtin_prefetch(&shard->slots[place_of(shard, hash)]);
	pthread_mutex_unlock(&shard->lock);
}

bool objects_get(struct objects *objects, VkObjectType type, uint64_t handle, struct object *object)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	const struct object *slot = shard_slot(shard, hash, type, handle);
	bool found = slot && slot->type;

	if (found)
		*object = *slot;
	pthread_mutex_unlock(&shard->lock);
	return found;
}

void objects_set(struct objects *objects, const struct object *object)
{
	uint64_t hash = hash_of(object->type, object->handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *known = shard_make(shard, hash, object->type, object->handle);

	if (known) {
		struct object was = *known;

		*known = *object;
		known->waiting = was.waiting;
		known->waiting_count = was.waiting_count;
	}
	pthread_mutex_unlock(&shard->lock);
}

void objects_report(struct objects *objects, VkObjectType type, uint64_t handle,
		    VkDeviceAddress address, VkDeviceSize size)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *known = shard_make(shard, hash, type, handle);

	if (known) {
		known->flags |= OBJECT_REPORTED;
		if (!known->address)
			known->address = address;
		if (!known->size)
			known->size = size;
	}
	pthread_mutex_unlock(&shard->lock);
}

bool objects_locate(struct objects *objects, VkObjectType type, uint64_t handle,
		    VkDeviceAddress address)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *slot = shard_slot(shard, hash, type, handle);
	bool news = slot && slot->type && !slot->address && !(slot->flags & OBJECT_REPORTED);

	if (news)
		slot->address = address;
	pthread_mutex_unlock(&shard->lock);
	return news;
}

/* ---- Those that wait ---- */

/* There is room for a power of two. */
static bool add_waiting(struct object *parent, const struct object *object)
{
	uint32_t count = parent->waiting_count;
	struct waiting *waiting = parent->waiting;

	if (count == WAITING_MAX)
		return false;
	if (!(count & (count - 1))) {
		waiting = realloc(waiting, (count ? 2 * (size_t)count : 1) * sizeof(*waiting));
		if (!waiting)
			return false;
		parent->waiting = waiting;
	}
	waiting[parent->waiting_count++] = (struct waiting){ object->type, object->handle };
	return true;
}

bool objects_wait(struct objects *objects, struct object *object, struct object *parent)
{
	uint64_t hash = hash_of(object->parent_type, object->parent);
	struct shard *shard;
	struct object *slot;
	bool waits = false;

	/* Before anybody can find it in the list. */
	object->flags |= OBJECT_WAITING;
	objects_set(objects, object);
	shard = shard_lock(objects, hash);
	slot = shard_slot(shard, hash, object->parent_type, object->parent);
	*parent = (struct object){ 0 };
	if (slot && slot->type) {
		*parent = *slot;
		waits = !slot->address && add_waiting(slot, object);
	}
	pthread_mutex_unlock(&shard->lock);
	return waits;
}

struct waiting *objects_take_waiting(struct objects *objects, VkObjectType type, uint64_t handle,
				     uint32_t *count)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *slot = shard_slot(shard, hash, type, handle);
	struct waiting *waiting = NULL;

	*count = 0;
	if (slot && slot->type) {
		waiting = slot->waiting;
		*count = slot->waiting_count;
		slot->waiting = NULL;
		slot->waiting_count = 0;
	}
	pthread_mutex_unlock(&shard->lock);
	return waiting;
}

/* Those that came last end first, mostly. */
static void stop_waiting(struct objects *objects, const struct object *object)
{
	uint64_t hash = hash_of(object->parent_type, object->parent);
	struct shard *shard = shard_lock(objects, hash);
	struct object *parent = shard_slot(shard, hash, object->parent_type, object->parent);
	uint32_t i = parent ? parent->waiting_count : 0;

	while (i--)
		if (parent->waiting[i].handle == object->handle &&
		    parent->waiting[i].type == object->type) {
			parent->waiting[i] = parent->waiting[--parent->waiting_count];
			break;
		}
	pthread_mutex_unlock(&shard->lock);
}

void objects_remove(struct objects *objects, VkObjectType type, uint64_t handle)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *slot = shard_slot(shard, hash, type, handle), gone = { 0 };

	if (slot && slot->type) {
		gone = *slot;
		shard_drop(shard, slot);
		shard_shrink(shard);
	}
	pthread_mutex_unlock(&shard->lock);
	free(gone.waiting);
	if (gone.flags & OBJECT_WAITING)
		stop_waiting(objects, &gone);
}
