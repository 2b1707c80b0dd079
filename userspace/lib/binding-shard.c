// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>

#include "bindings.h"

/* Of an object with no more bindings than this the list is gone through. */
#define FEW 8

/* ---- One more, one less ---- */

/* The object itself if it has no range now, else one more in its list; 0 without memory. */
static uint32_t take_binding(struct shard *shard, uint32_t object_id)
{
	struct binding *object = binding_at(shard, object_id), *binding;
	uint32_t id;

	if (!has_range(object))
		return object_id;
	id = slab_take(&shard->bindings);
	if (!id)
		return 0;
	binding = binding_at(shard, id);
	*binding = (struct binding){
		.object = object->object,
		.object_type = object->object_type,
		.next = object->next,
		.previous = object_id,
	};
	if (object->next)
		binding_at(shard, object->next)->previous = id;
	object->next = id;
	return id;
}

static void give_binding(struct shard *shard, uint32_t id)
{
	struct binding *binding = binding_at(shard, id);

	if (!binding->previous) {
		binding->first = 1;
		binding->last = 0;
		return;
	}
	binding_at(shard, binding->previous)->next = binding->next;
	if (binding->next)
		binding_at(shard, binding->next)->previous = binding->previous;
	slab_give(&shard->bindings, id);
}

/* Its number; 0 without memory. */
static uint32_t add_live(struct shard *shard, uint32_t object, const struct tree_entry *range,
			 uint32_t flags)
{
	uint32_t id = take_binding(shard, object);
	struct tree_entry entry = *range;
	struct binding *binding;

	if (!id)
		return 0;
	entry.id = id;
	if (tree_insert(&shard->live, &entry)) {
		give_binding(shard, id);
		return 0;
	}
	binding = binding_at(shard, id);
	binding->first = range->first;
	binding->last = range->last;
	binding->bound_ns = range->time;
	binding->flags = flags;
	binding_at(shard, object)->count++;
	shard->live_count++;
	return id;
}

static void remove_live(struct shard *shard, uint32_t object, uint32_t id)
{
	tree_remove(&shard->live, binding_at(shard, id)->first, id);
	give_binding(shard, id);
	binding_at(shard, object)->count--;
	shard->live_count--;
}

int shard_bind(struct shard *shard, const struct change *change)
{
	uint32_t object = object_get(shard, change->object_type, change->object);
	const struct tree_entry range = {
		.first = change->first,
		.last = change->last,
		.time = change->time_ns,
	};

	if (!object)
		return -ENOMEM;
	if (!add_live(shard, object, &range, change->flags)) {
		object_settle(shard, object);
		return -ENOMEM;
	}
	return 0;
}

/* ---- Looking for one of an object ---- */

/* The same range, or one that has some of it. */
struct search {
	struct tree_query query;
	const struct shard *shard;
	const struct change *change;
	bool exact;
	/* Not those with DRMFAULT_BINDING_SPARSE. */
	bool memory;
	uint32_t found;
};

static void visit(struct tree_query *query, const struct tree_entry *entry)
{
	struct search *search = (struct search *)query;
	const struct binding *binding;

	if (search->exact && (entry->first != query->first || entry->last != query->last))
		return;
	binding = binding_at(search->shard, entry->id);
	if (binding->object != search->change->object ||
	    binding->object_type != search->change->object_type)
		return;
	if (search->memory && binding->flags & DRMFAULT_BINDING_SPARSE)
		return;
	/* Goes on for one that was bound later. */
	search->found = entry->id;
	query->oldest = entry->time + 1;
}

static uint32_t search_tree(const struct shard *shard, const struct change *change, bool exact)
{
	struct search search = {
		.query = {
			.side = TREE_OVERLAP,
			.first = change->first,
			.last = change->last,
			.visit = visit,
		},
		.shard = shard,
		.change = change,
		.exact = exact,
		.memory = change->flags & DRMFAULT_BINDING_SPARSE,
	};

	tree_walk(&shard->live, &search.query);
	return search.found;
}

/* The newest of exactly this range. */
static uint32_t find_exact(const struct shard *shard, uint32_t object, const struct change *change)
{
	const struct binding *binding;
	uint32_t id, found = 0;

	if (binding_at(shard, object)->count > FEW)
		return search_tree(shard, change, true);
	for (id = object; id; id = binding->next) {
		binding = binding_at(shard, id);
		if (binding->first == change->first && binding->last == change->last &&
		    (!found || binding->bound_ns > binding_at(shard, found)->bound_ns))
			found = id;
	}
	return found;
}

/* ---- Ending ---- */

static void end(struct drmfault_bindings *bindings, struct shard *shard, uint32_t object,
		uint32_t id, const struct change *change)
{
	const struct binding *binding = binding_at(shard, id);
	const struct past past = {
		.object = binding->object,
		.object_type = binding->object_type,
		.first = change->first > binding->first ? change->first : binding->first,
		.last = change->last < binding->last ? change->last : binding->last,
		.bound_ns = binding->bound_ns,
		.unbound_ns = change->time_ns > binding->bound_ns ? change->time_ns
								  : binding->bound_ns,
		.name = binding_at(shard, object)->name,
		.flags = binding->flags | (change->flags & DRMFAULT_BINDING_DESTROYED),
	};

	remove_live(shard, object, id);
	if (past.name)
		past.name->refs++;
	past_add(bindings, shard, &past);
}

/* Ends what @change has of a binding; the rest goes on. */
static int carve(struct drmfault_bindings *bindings, struct shard *shard, uint32_t object,
		 uint32_t id, const struct change *change)
{
	const struct binding *binding = binding_at(shard, id);
	const struct tree_entry left = { binding->first, change->first - 1, binding->bound_ns, 0 };
	const struct tree_entry right = { change->last + 1, binding->last, binding->bound_ns, 0 };
	uint32_t left_id = 0;

	if (binding->first < change->first) {
		left_id = add_live(shard, object, &left, binding->flags);
		if (!left_id)
			return -ENOMEM;
	}
	if (binding->last > change->last && !add_live(shard, object, &right, binding->flags)) {
		if (left_id)
			remove_live(shard, object, left_id);
		return -ENOMEM;
	}
	end(bindings, shard, object, id, change);
	return 0;
}

static int carve_all(struct drmfault_bindings *bindings, struct shard *shard, uint32_t object,
		     const struct change *change)
{
	uint32_t id;

	while ((id = search_tree(shard, change, false)))
		if (carve(bindings, shard, object, id, change))
			return -ENOMEM;
	return 0;
}

int shard_unbind(struct drmfault_bindings *bindings, struct shard *shard,
		 const struct change *change)
{
	uint32_t object = object_find(shard, change->object_type, change->object);
	bool memory = change->flags & DRMFAULT_BINDING_SPARSE;
	uint32_t id = object && !memory ? find_exact(shard, object, change) : 0;
	int ret = 0;

	if (id) {
		end(bindings, shard, object, id, change);
	} else if (object && search_tree(shard, change, false)) {
		ret = carve_all(bindings, shard, object, change);
	} else if (!memory && !past_was_destroyed(shard, change)) {
		shard->unmatched++;
		return -ENOENT;
	}
	if (object)
		object_settle(shard, object);
	return ret;
}

void shard_destroy(struct drmfault_bindings *bindings, struct shard *shard, uint32_t object,
		   uint64_t time_ns)
{
	const struct change change = {
		.first = 0,
		.last = UINT64_MAX,
		.time_ns = time_ns,
		.flags = DRMFAULT_BINDING_DESTROYED,
	};
	struct binding *first = binding_at(shard, object);

	if (has_range(first))
		tree_prefetch(&shard->live, first->first);
	while (first->next)
		end(bindings, shard, object, first->next, &change);
	if (has_range(first))
		end(bindings, shard, object, object, &change);
	name_put(shard, first->name);
	first->name = NULL;
	object_settle(shard, object);
}
