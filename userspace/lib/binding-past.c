// SPDX-License-Identifier: MIT
/*
 * Ended bindings are numbered through all shards, and the oldest number is the next
 * to go. In each shard they are in the order of their numbers.
 */
#include <errno.h>
#include <stdlib.h>

#include "bindings.h"

/* An ended binding in the ring and in the tree. */
#define COST (sizeof(struct past) + 48)

static uint64_t cost(const struct past *past)
{
	return COST + (past->name ? past->name->size : 0);
}

/* ---- The ring of a shard ---- */

static bool grow_ring(struct shard *shard)
{
	uint32_t room = shard->past_room ? 2 * shard->past_room : 16, i;
	struct past *past = malloc(room * sizeof(*past));

	if (!past)
		return false;
	for (i = shard->past_begin; i != shard->past_end; i++)
		past[i & (room - 1)] = *past_at(shard, i);
	free(shard->past);
	shard->past = past;
	shard->past_room = room;
	return true;
}

static uint32_t take_number(struct drmfault_bindings *bindings, const struct shard *shard,
			    const struct past *past)
{
	uint32_t number = __atomic_fetch_add(&bindings->next_number, 1, __ATOMIC_RELAXED);

	__atomic_store_n(&bindings->ring[number & bindings->ring_mask], (uint8_t)shard->index,
			 __ATOMIC_RELAXED);
	__atomic_add_fetch(&bindings->past_count, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&bindings->past_bytes, cost(past), __ATOMIC_RELAXED);
	return number;
}

void past_add(struct drmfault_bindings *bindings, struct shard *shard, const struct past *past)
{
	struct past *added;

	if (shard->past_end - shard->past_begin == shard->past_room && !grow_ring(shard)) {
		__atomic_add_fetch(&bindings->forgotten, 1, __ATOMIC_RELAXED);
		name_put(shard, past->name);
		return;
	}
	added = past_at(shard, shard->past_end++);
	*added = *past;
	added->number = take_number(bindings, shard, past);
}

static void forget_oldest(struct drmfault_bindings *bindings, struct shard *shard)
{
	struct past *past = past_at(shard, shard->past_begin);

	if (shard->past_begin == shard->past_indexed)
		shard->past_indexed++;
	else
		tree_remove(&shard->past_tree, past->first, shard->past_begin);
	__atomic_sub_fetch(&bindings->past_count, 1, __ATOMIC_RELAXED);
	__atomic_sub_fetch(&bindings->past_bytes, cost(past), __ATOMIC_RELAXED);
	__atomic_add_fetch(&bindings->forgotten, 1, __ATOMIC_RELAXED);
	name_put(shard, past->name);
	shard->past_begin++;
}

int past_index(struct shard *shard)
{
	struct tree_entry entry;
	const struct past *past;

	for (; shard->past_indexed != shard->past_end; shard->past_indexed++) {
		past = past_at(shard, shard->past_indexed);
		entry = (struct tree_entry){
			.first = past->first,
			.last = past->last,
			.time = past->unbound_ns,
			.id = shard->past_indexed,
		};
		if (tree_insert(&shard->past_tree, &entry))
			return -ENOMEM;
	}
	return 0;
}

/* Such a report comes soon after, or never. */
#define RECENT 64

bool past_was_destroyed(const struct shard *shard, const struct change *change)
{
	const struct past *past;
	uint32_t i;

	for (i = shard->past_end; i != shard->past_begin && shard->past_end - i < RECENT; i--) {
		past = past_at(shard, i - 1);
		if (past->flags & DRMFAULT_BINDING_DESTROYED && past->object == change->object &&
		    past->object_type == change->object_type && past->first <= change->last &&
		    past->last >= change->first)
			return true;
	}
	return false;
}

void past_free(struct shard *shard)
{
	for (; shard->past_begin != shard->past_end; shard->past_begin++)
		name_put(shard, past_at(shard, shard->past_begin)->name);
	free(shard->past);
	tree_free(&shard->past_tree);
}

/* ---- The limit of all shards ---- */

static bool is_too_much(const struct drmfault_bindings *bindings)
{
	uint64_t count = __atomic_load_n(&bindings->past_count, __ATOMIC_RELAXED);

	return count > bindings->past_limit ||
	       (count && __atomic_load_n(&bindings->past_bytes, __ATOMIC_RELAXED) >
				 bindings->past_bytes_limit);
}

/* The oldest number, which is the caller's from now on; false: there is none. */
static bool take_oldest(struct drmfault_bindings *bindings, uint32_t *number)
{
	*number = __atomic_load_n(&bindings->oldest_number, __ATOMIC_RELAXED);
	do {
		if (*number == __atomic_load_n(&bindings->next_number, __ATOMIC_RELAXED))
			return false;
	} while (!__atomic_compare_exchange_n(&bindings->oldest_number, number, *number + 1, true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

static void forget_up_to(struct drmfault_bindings *bindings, struct shard *shard, uint32_t number)
{
	while (shard->past_begin != shard->past_end &&
	       (int32_t)(past_at(shard, shard->past_begin)->number - number) <= 0)
		forget_oldest(bindings, shard);
}

/*
 * A thread may have a number and not yet have said whose it is. Then another shard is
 * looked at, and what was meant goes with the next of its shard.
 */
void past_trim(struct drmfault_bindings *bindings)
{
	struct shard *shard;
	uint32_t number;

	while (is_too_much(bindings) && take_oldest(bindings, &number)) {
		shard = &bindings->shards[__atomic_load_n(
			&bindings->ring[number & bindings->ring_mask], __ATOMIC_RELAXED)];
		pthread_mutex_lock(&shard->lock);
		forget_up_to(bindings, shard, number);
		pthread_mutex_unlock(&shard->lock);
	}
}
