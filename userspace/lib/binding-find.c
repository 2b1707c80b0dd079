// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"

#define LIMIT	  16u
#define LIMIT_MAX 4096u
#define RELATIONS (DRMFAULT_RELATION_ABOVE_BEFORE + 1)

struct found {
	struct drmfault_dump_binding binding;
	char name[NAME_BYTES];
	/* Less is nearer. */
	uint64_t rank;
};

/* The nearest of one relation, in their order. */
struct nearest {
	struct found **found;
	uint32_t count;
};

/* What is asked, and what was found so far. */
struct hunt {
	uint64_t first;
	uint64_t last;
	uint64_t time_ns;
	uint32_t relations;
	uint32_t limit;
	struct nearest nearest[RELATIONS];
	bool failed;
};

/* One walk through one tree of one shard, for one relation. */
struct walk {
	struct tree_query query;
	struct hunt *hunt;
	const struct shard *shard;
	uint32_t relation;
	bool is_past;
};

static struct drmfault_dump_binding show_past(const struct past *past)
{
	return (struct drmfault_dump_binding){
		.size = sizeof(struct drmfault_dump_binding),
		.name = past->name ? past->name->text : "",
		.address = past->first,
		.length = past->last - past->first + 1,
		.bound_ns = past->bound_ns,
		.unbound_ns = past->unbound_ns,
		.object = past->object,
		.object_type = past->object_type,
		.flags = past->flags,
	};
}

/* The object has the name of all its bindings. */
static const struct name *name_of(const struct shard *shard, const struct binding *binding)
{
	const struct binding *object = binding;

	if (binding->previous)
		object = binding_at(shard,
				    object_find(shard, binding->object_type, binding->object));
	return object->name;
}

static struct drmfault_dump_binding show_live(const struct shard *shard,
					      const struct binding *binding)
{
	const struct name *name = name_of(shard, binding);

	return (struct drmfault_dump_binding){
		.size = sizeof(struct drmfault_dump_binding),
		.name = name ? name->text : "",
		.address = binding->first,
		.length = binding->last - binding->first + 1,
		.bound_ns = binding->bound_ns,
		.object = binding->object,
		.object_type = binding->object_type,
		.flags = binding->flags,
	};
}

struct drmfault_dump_binding binding_show(const struct shard *shard, const struct tree_entry *entry,
					  bool is_past)
{
	return is_past ? show_past(past_at(shard, entry->id))
		       : show_live(shard, binding_at(shard, entry->id));
}

/* ---- The nearest ---- */

/* Of two that are as near, the smaller one, then the newer one. */
static bool comes_before(const struct drmfault_dump_binding *a, uint64_t rank,
			 const struct found *b)
{
	if (rank != b->rank)
		return rank < b->rank;
	if (a->length != b->binding.length)
		return a->length - 1 < b->binding.length - 1;
	return a->bound_ns > b->binding.bound_ns;
}

/* A place for another one: new, or that of the farthest. */
static struct found *take_place(struct hunt *hunt, struct nearest *nearest)
{
	struct found *found;

	if (nearest->count == hunt->limit)
		return nearest->found[--nearest->count];
	if (!nearest->found)
		nearest->found = calloc(hunt->limit, sizeof(*nearest->found));
	found = nearest->found ? malloc(sizeof(*found)) : NULL;
	hunt->failed |= !found;
	return found;
}

static void keep(struct hunt *hunt, struct nearest *nearest,
		 const struct drmfault_dump_binding *binding, uint64_t rank)
{
	struct found *found;
	uint32_t at;

	if (nearest->count == hunt->limit &&
	    !comes_before(binding, rank, nearest->found[nearest->count - 1]))
		return;
	found = take_place(hunt, nearest);
	if (!found)
		return;
	found->binding = *binding;
	found->rank = rank;
	strcpy(found->name, binding->name);
	found->binding.name = found->name;
	for (at = nearest->count++; at && comes_before(binding, rank, nearest->found[at - 1]); at--)
		nearest->found[at] = nearest->found[at - 1];
	nearest->found[at] = found;
}

/* ---- Walks ---- */

static bool was_there(const struct walk *walk, const struct drmfault_dump_binding *binding)
{
	uint64_t time = walk->hunt->time_ns;

	return binding->bound_ns <= time && (!walk->is_past || binding->unbound_ns > time);
}

static bool had_ended(const struct walk *walk, const struct drmfault_dump_binding *binding)
{
	return walk->is_past && binding->unbound_ns <= walk->hunt->time_ns;
}

static bool came_later(const struct walk *walk, const struct drmfault_dump_binding *binding)
{
	return binding->bound_ns > walk->hunt->time_ns;
}

static uint64_t rank_by_length(const struct walk *walk, const struct tree_entry *entry,
			       const struct drmfault_dump_binding *binding)
{
	(void)walk;
	(void)binding;
	return entry->last - entry->first;
}

static uint64_t rank_by_end(const struct walk *walk, const struct tree_entry *entry,
			    const struct drmfault_dump_binding *binding)
{
	(void)entry;
	return walk->hunt->time_ns - binding->unbound_ns;
}

static uint64_t rank_by_beginning(const struct walk *walk, const struct tree_entry *entry,
				  const struct drmfault_dump_binding *binding)
{
	(void)entry;
	return binding->bound_ns - walk->hunt->time_ns;
}

static uint64_t rank_by_distance(const struct walk *walk, const struct tree_entry *entry,
				 const struct drmfault_dump_binding *binding)
{
	(void)binding;
	if (entry->last < walk->hunt->first)
		return walk->hunt->first - entry->last - 1;
	return entry->first - walk->hunt->last - 1;
}

/* What a relation means, and whether what is live can have it. */
static const struct relation {
	enum tree_side side;
	bool of_live;
	bool (*holds)(const struct walk *walk, const struct drmfault_dump_binding *binding);
	uint64_t (*rank)(const struct walk *walk, const struct tree_entry *entry,
			 const struct drmfault_dump_binding *binding);
} relations[RELATIONS] = {
	[DRMFAULT_RELATION_AT] = { TREE_OVERLAP, true, was_there, rank_by_length },
	[DRMFAULT_RELATION_BEFORE] = { TREE_OVERLAP, false, had_ended, rank_by_end },
	[DRMFAULT_RELATION_LATER] = { TREE_OVERLAP, true, came_later, rank_by_beginning },
	[DRMFAULT_RELATION_BELOW] = { TREE_BELOW, true, was_there, rank_by_distance },
	[DRMFAULT_RELATION_ABOVE] = { TREE_ABOVE, true, was_there, rank_by_distance },
	[DRMFAULT_RELATION_BELOW_BEFORE] = { TREE_BELOW, false, had_ended, rank_by_distance },
	[DRMFAULT_RELATION_ABOVE_BEFORE] = { TREE_ABOVE, false, had_ended, rank_by_distance },
};

/* Once there are enough, only what is as near as the farthest of them matters. */
static void narrow(struct walk *walk, const struct nearest *nearest)
{
	const struct found *farthest;

	if (nearest->count < walk->hunt->limit)
		return;
	farthest = nearest->found[nearest->count - 1];
	if (walk->relation == DRMFAULT_RELATION_BEFORE)
		walk->query.oldest = farthest->binding.unbound_ns;
	else if (walk->query.side == TREE_BELOW)
		walk->query.bound = walk->hunt->first - farthest->rank - 1;
	else if (walk->query.side == TREE_ABOVE)
		walk->query.bound = walk->hunt->last + farthest->rank + 1;
}

static void visit(struct tree_query *query, const struct tree_entry *entry)
{
	struct walk *walk = (struct walk *)query;
	const struct relation *relation = &relations[walk->relation];
	struct nearest *nearest = &walk->hunt->nearest[walk->relation];
	struct drmfault_dump_binding binding = binding_show(walk->shard, entry, walk->is_past);

	if (!relation->holds(walk, &binding))
		return;
	keep(walk->hunt, nearest, &binding, relation->rank(walk, entry, &binding));
	narrow(walk, nearest);
}

static void walk_tree(struct hunt *hunt, const struct shard *shard, uint32_t relation, bool is_past)
{
	struct walk walk = {
		.query = {
			.side = relations[relation].side,
			.first = hunt->first,
			.last = hunt->last,
			.bound = relations[relation].side == TREE_ABOVE ? UINT64_MAX : 0,
			.visit = visit,
		},
		.hunt = hunt,
		.shard = shard,
		.relation = relation,
		.is_past = is_past,
	};

	/* Of the ended ones, what was there at the time or came later ended after it. */
	if (is_past && relations[relation].of_live) {
		if (hunt->time_ns == UINT64_MAX)
			return;
		walk.query.oldest = hunt->time_ns + 1;
	}
	narrow(&walk, &hunt->nearest[relation]);
	tree_walk(is_past ? &shard->past_tree : &shard->live, &walk.query);
}

static void walk_shard(struct hunt *hunt, struct shard *shard)
{
	uint32_t relation;

	pthread_mutex_lock(&shard->lock);
	hunt->failed |= past_index(shard) != 0;
	for (relation = 1; relation < RELATIONS; relation++) {
		if (!(hunt->relations & DRMFAULT_RELATION_BIT(relation)))
			continue;
		if (relations[relation].of_live)
			walk_tree(hunt, shard, relation, false);
		walk_tree(hunt, shard, relation, true);
	}
	pthread_mutex_unlock(&shard->lock);
}

/* ---- The call ---- */

static int take_query(const struct drmfault_bindings *bindings,
		      const struct drmfault_binding_query *query, struct hunt *hunt)
{
	struct drmfault_binding_query known;
	int ret = args_take(query, query->size, &known, sizeof(known));

	if (ret)
		return ret;
	*hunt = (struct hunt){
		.time_ns = known.time_ns ? known.time_ns : UINT64_MAX,
		.relations = known.relations ? known.relations : UINT32_MAX,
		.limit = known.limit ? known.limit : LIMIT,
	};
	if (hunt->limit > LIMIT_MAX)
		hunt->limit = LIMIT_MAX;
	return bindings_range(bindings, known.address, known.length, &hunt->first, &hunt->last);
}

static bool is_neighbour(uint32_t relation)
{
	return relations[relation].side != TREE_OVERLAP;
}

static struct drmfault_binding_list *list_of(struct hunt *hunt)
{
	struct drmfault_binding_list *list = list_new(true);
	struct list_place place;
	const struct found *found;
	uint32_t i;

	if (!list)
		return NULL;
	list->failed = hunt->failed;
	for (place.relation = 1; place.relation < RELATIONS; place.relation++) {
		for (i = 0; i < hunt->nearest[place.relation].count; i++) {
			found = hunt->nearest[place.relation].found[i];
			place.distance = is_neighbour(place.relation) ? found->rank : 0;
			list_add(list, &found->binding, &place);
		}
	}
	return list;
}

static void free_nearest(struct nearest *nearest)
{
	uint32_t i;

	for (i = 0; i < nearest->count; i++)
		free(nearest->found[i]);
	free(nearest->found);
}

DRMFAULT_API int drmfault_bindings_find(struct drmfault_bindings *bindings,
					const struct drmfault_binding_query *query,
					struct drmfault_binding_list **list)
{
	struct drmfault_binding_list *made;
	struct hunt hunt;
	int ret = take_query(bindings, query, &hunt);
	uint32_t i;

	if (ret)
		return ret;
	for (i = 0; i < SHARDS; i++)
		walk_shard(&hunt, &bindings->shards[i]);
	made = list_of(&hunt);
	for (i = 1; i < RELATIONS; i++)
		free_nearest(&hunt.nearest[i]);
	return made ? list_finish(made, list) : -ENOMEM;
}
