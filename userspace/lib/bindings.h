/* SPDX-License-Identifier: MIT */
/*
 * What the files of a history of bindings share.
 *
 * Objects, and with them their bindings, are spread over shards, each with a lock of
 * its own: what threads do with different objects seldom meets. A question goes through
 * all shards, one after the other.
 */
#ifndef DRMFAULT_LIB_BINDINGS_H
#define DRMFAULT_LIB_BINDINGS_H

#include <pthread.h>

#include "binding-slab.h"
#include "binding-tree.h"
#include "drmfault_bindings.h"
#include "internal.h"

#define SHARD_BITS 6
#define SHARDS	   (1u << SHARD_BITS)
#define NAME_BYTES 256

/* A name, of an object and of its ended bindings. */
struct name {
	uint32_t refs;
	uint32_t size;
	char text[];
};

/*
 * A binding, or an object, in one line of the cache. The first binding of an object is
 * also the object: found by its handle, it has the name, and the list of the others
 * begins there. It stays as long as there are others or a name, then with no range,
 * until it gets the next one.
 */
struct binding {
	uint64_t object;
	uint64_t first;
	uint64_t last;
	uint64_t bound_ns;
	struct name *name;
	uint32_t object_type;
	uint32_t flags;
	/* Of the object's; 0 before the first. */
	uint32_t next;
	uint32_t previous;
	/* Only of the first one: the next object, and how many bindings it has. */
	uint32_t next_object;
	uint32_t count;
};

/* A binding that ended. */
struct past {
	uint64_t object;
	uint64_t first;
	uint64_t last;
	uint64_t bound_ns;
	uint64_t unbound_ns;
	struct name *name;
	uint32_t object_type;
	uint32_t flags;
	/* Among all ended ones; may begin at 0 again, as positions do. */
	uint32_t number;
};

/*
 * @past is a ring, a power of two, of those at positions @past_begin to @past_end.
 * Those below @past_indexed are in @past_tree too: they come there when somebody asks,
 * so that ending costs no more than writing it down.
 */
struct shard {
	pthread_mutex_t lock;
	/* In its history. */
	uint32_t index;
	struct slab bindings;
	/* Lists of objects, a power of two. */
	uint32_t *buckets;
	uint32_t bucket_count;
	uint32_t object_count;
	struct tree live;
	struct past *past;
	uint32_t past_room;
	uint32_t past_begin;
	uint32_t past_end;
	uint32_t past_indexed;
	struct tree past_tree;
	uint64_t live_count;
	uint64_t unmatched;
	uint64_t name_bytes;
} __attribute__((aligned(64)));

struct drmfault_bindings {
	struct shard shards[SHARDS];
	uint32_t address_bits;
	uint32_t past_limit;
	uint64_t past_bytes_limit;
	/* Which shard has the ended binding of a number, modulo @ring_mask + 1. */
	uint8_t *ring;
	uint32_t ring_mask;
	/* From here on atomic. Numbers of the next one to end, and of the oldest kept. */
	uint32_t next_number;
	uint32_t oldest_number;
	uint64_t past_count;
	uint64_t past_bytes;
	uint64_t forgotten;
};

/* What a binding or unbinding is about, its addresses canonical. */
struct change {
	uint64_t first;
	uint64_t last;
	uint64_t time_ns;
	uint64_t object;
	uint32_t object_type;
	uint32_t flags;
};

static inline uint64_t object_hash(uint32_t type, uint64_t handle)
{
	uint64_t hash = (handle ^ (uint64_t)type << 48) * UINT64_C(0x9e3779b97f4a7c15);

	return hash ^ hash >> 29;
}

static inline struct binding *binding_at(const struct shard *shard, uint32_t id)
{
	return slab_at(&shard->bindings, id);
}

static inline struct past *past_at(const struct shard *shard, uint32_t position)
{
	return &shard->past[position & (shard->past_room - 1)];
}

static inline bool has_range(const struct binding *binding)
{
	return binding->first <= binding->last;
}

uint64_t bindings_now(void);
struct shard *bindings_shard(struct drmfault_bindings *bindings, uint32_t type, uint64_t handle);
/* 0, or -EINVAL for a range that cannot be. */
int bindings_range(const struct drmfault_bindings *bindings, uint64_t address, uint64_t length,
		   uint64_t *first, uint64_t *last);
/*
 * Structures of callers: what an older one lacks is 0; -E2BIG for what this library
 * does not know.
 */
int args_take(const void *args, size_t size, void *known, size_t known_size);
void args_give(void *args, size_t size, const void *known, size_t known_size);

/* ---- Objects of a shard; its lock is held ---- */

void object_prefetch(const struct shard *shard, uint32_t type, uint64_t handle);
/* Its first binding; 0 if it is not there. */
uint32_t object_find(const struct shard *shard, uint32_t type, uint64_t handle);
/* Found, or made without a range; 0 without memory. */
uint32_t object_get(struct shard *shard, uint32_t type, uint64_t handle);
int object_set_name(struct shard *shard, uint32_t id, const char *name);
/* Frees it if it has neither a binding nor a name. */
void object_settle(struct shard *shard, uint32_t id);

/* NULL, also without memory. */
struct name *name_new(struct shard *shard, const char *text);
void name_put(struct shard *shard, struct name *name);

/* ---- Live bindings of a shard; its lock is held ---- */

int shard_bind(struct shard *shard, const struct change *change);
int shard_unbind(struct drmfault_bindings *bindings, struct shard *shard,
		 const struct change *change);
/* Ends all bindings of an object and takes its name. */
void shard_destroy(struct drmfault_bindings *bindings, struct shard *shard, uint32_t object,
		   uint64_t time_ns);

/* ---- Ended bindings; the lock of @shard is held ---- */

/*
 * Adds one, with a reference to its name, which it gets a number for. Where there is no
 * memory to keep it, it is forgotten at once.
 */
void past_add(struct drmfault_bindings *bindings, struct shard *shard, const struct past *past);
/* Makes all of them be in the tree, whose ids are positions: 0 or -ENOMEM. */
int past_index(struct shard *shard);
/* Was this range the object's, until it was destroyed? */
bool past_was_destroyed(const struct shard *shard, const struct change *change);
void past_free(struct shard *shard);

/* Frees the oldest while there are too many; no lock is held. */
void past_trim(struct drmfault_bindings *bindings);

/* ---- Lists ---- */

struct drmfault_binding_list {
	struct drmfault_dump_binding *bindings;
	bool has_places;
	/* NULL in an exported one. */
	struct list_place {
		uint32_t relation;
		uint64_t distance;
	} * places;
	size_t count;
	size_t room;
	/* All names, one behind the other; until list_finish() names are offsets. */
	char *names;
	size_t names_size;
	size_t names_room;
	bool failed;
};

struct drmfault_binding_list *list_new(bool has_places);
/* Remembers in the list that memory ended. */
void list_add(struct drmfault_binding_list *list, const struct drmfault_dump_binding *binding,
	      const struct list_place *place);
/* Stores the list; or frees it, if its making failed. */
int list_finish(struct drmfault_binding_list *made, struct drmfault_binding_list **list);

/* As the public structure shows it; lives as long as the lock is held. */
struct drmfault_dump_binding binding_show(const struct shard *shard, const struct tree_entry *entry,
					  bool is_past);

#endif /* DRMFAULT_LIB_BINDINGS_H */
