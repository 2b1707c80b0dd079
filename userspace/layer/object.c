// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "object.h"

#define SHARDS	  64u
#define SHARD_MIN 16u

struct node {
	struct node *next;
	struct object object;
};

struct shard {
	pthread_mutex_t lock;
	size_t count;
	size_t bucket_count;
	struct node **buckets;
};

struct objects {
	struct shard shards[SHARDS];
};

static uint64_t hash_of(VkObjectType type, uint64_t handle)
{
	uint64_t hash = (handle ^ ((uint64_t)type << 56)) * 0x9e3779b97f4a7c15u;

	return hash ^ hash >> 32;
}

struct objects *objects_new(void)
{
	struct objects *objects = calloc(1, sizeof(*objects));
	unsigned int i;

	for (i = 0; objects && i < SHARDS; i++)
		pthread_mutex_init(&objects->shards[i].lock, NULL);
	return objects;
}

static void shard_free(struct shard *shard)
{
	struct node *node, *next;
	size_t i;

	for (i = 0; i < shard->bucket_count; i++)
		for (node = shard->buckets[i]; node; node = next) {
			next = node->next;
			free(node);
		}
	free(shard->buckets);
	pthread_mutex_destroy(&shard->lock);
}

void objects_free(struct objects *objects)
{
	unsigned int i;

	for (i = 0; objects && i < SHARDS; i++)
		shard_free(&objects->shards[i]);
	free(objects);
}

static struct shard *shard_lock(struct objects *objects, uint64_t hash)
{
	struct shard *shard = &objects->shards[hash % SHARDS];

	pthread_mutex_lock(&shard->lock);
	return shard;
}

/* The link to it, or to the end of its bucket; NULL: there are no buckets yet. */
static struct node **shard_link(struct shard *shard, uint64_t hash, VkObjectType type,
				uint64_t handle)
{
	struct node **link;

	if (!shard->bucket_count)
		return NULL;
	link = &shard->buckets[hash / SHARDS % shard->bucket_count];
	while (*link && ((*link)->object.handle != handle || (*link)->object.type != type))
		link = &(*link)->next;
	return link;
}

static bool shard_grow(struct shard *shard)
{
	size_t count = shard->bucket_count ? shard->bucket_count * 2 : SHARD_MIN, i;
	struct node **buckets, **to, *node, *next;

	if (shard->count < shard->bucket_count)
		return true;
	buckets = calloc(count, sizeof(*buckets));
	if (!buckets)
		return shard->bucket_count;
	for (i = 0; i < shard->bucket_count; i++)
		for (node = shard->buckets[i]; node; node = next) {
			next = node->next;
			to = &buckets[hash_of(node->object.type, node->object.handle) / SHARDS %
				      count];
			node->next = *to;
			*to = node;
		}
	free(shard->buckets);
	shard->buckets = buckets;
	shard->bucket_count = count;
	return true;
}

/* The object, made if need be; NULL: no memory. */
static struct object *shard_make(struct shard *shard, uint64_t hash, VkObjectType type,
				 uint64_t handle)
{
	struct node **link;

	if (!shard_grow(shard))
		return NULL;
	link = shard_link(shard, hash, type, handle);
	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link)
			return NULL;
		(*link)->object.type = type;
		(*link)->object.handle = handle;
		shard->count++;
	}
	return &(*link)->object;
}

bool objects_get(struct objects *objects, VkObjectType type, uint64_t handle, struct object *object)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct node **link = shard_link(shard, hash, type, handle);
	bool found = link && *link;

	if (found)
		*object = (*link)->object;
	pthread_mutex_unlock(&shard->lock);
	return found;
}

void objects_set(struct objects *objects, const struct object *object)
{
	uint64_t hash = hash_of(object->type, object->handle);
	struct shard *shard = shard_lock(objects, hash);
	struct object *known = shard_make(shard, hash, object->type, object->handle);

	if (known)
		*known = *object;
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
	struct node **link = shard_link(shard, hash, type, handle);
	bool news = link && *link && !(*link)->object.address &&
		    !((*link)->object.flags & OBJECT_REPORTED);

	if (news)
		(*link)->object.address = address;
	pthread_mutex_unlock(&shard->lock);
	return news;
}

void objects_remove(struct objects *objects, VkObjectType type, uint64_t handle)
{
	uint64_t hash = hash_of(type, handle);
	struct shard *shard = shard_lock(objects, hash);
	struct node **link = shard_link(shard, hash, type, handle), *node;

	node = link ? *link : NULL;
	if (node) {
		*link = node->next;
		shard->count--;
	}
	pthread_mutex_unlock(&shard->lock);
	free(node);
}
