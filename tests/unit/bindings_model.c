// SPDX-License-Identifier: MIT
/*
 * The history of bindings beside one that is plain and slow: the same changes, chosen at
 * random but the same in every run, the same questions, the same answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drmfault_bindings.h"

#define MODEL_ROOM 20000
#define CHANGES	   4000
#define QUERIES	   200
#define OBJECTS	   60
#define TYPES	   3
#define PAGES	   512
#define PAGE	   UINT64_C(0x1000)
/* Not sign-extended, as the kernel has it. */
#define BASE UINT64_C(0x800000000000)

struct entry {
	uint64_t first, last, bound, unbound, object;
	uint32_t type, flags;
	char name[16];
	/* In the order in which they ended. */
	uint32_t number;
};

struct model {
	struct entry entries[MODEL_ROOM];
	uint32_t count;
	uint32_t ended;
	char names[TYPES][OBJECTS][16];
};

static struct model model;
static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % limit;
}

/* ---- The plain one ---- */

static void model_bind(const struct drmfault_binding_event *event)
{
	assert_true(model.count < MODEL_ROOM);
	model.entries[model.count++] = (struct entry){
		.first = drmfault_canonical(event->address, 48),
		.last = drmfault_canonical(event->address, 48) + event->length - 1,
		.bound = event->time_ns,
		.object = event->object,
		.type = event->object_type,
		.flags = event->flags,
	};
}

static void model_end(struct entry *entry, uint64_t time, uint32_t flags)
{
	entry->unbound = time;
	entry->flags |= flags;
	entry->number = model.ended++;
	strcpy(entry->name, model.names[entry->type][entry->object]);
}

/* The newest of an object that is live and equal to the range, or overlaps it. */
static struct entry *model_search(const struct entry *range, bool exact)
{
	struct entry *found = NULL, *entry;

	for (entry = model.entries; entry < model.entries + model.count; entry++) {
		if (entry->unbound || entry->object != range->object || entry->type != range->type)
			continue;
		if (exact ? entry->first != range->first || entry->last != range->last
			  : entry->first > range->last || entry->last < range->first)
			continue;
		if (!found || entry->bound > found->bound ||
		    (entry->bound == found->bound && entry->first > found->first))
			found = entry;
	}
	return found;
}

static void model_carve(struct entry *entry, const struct entry *range, uint64_t time)
{
	struct entry left = *entry, right = *entry;

	left.last = range->first - 1;
	right.first = range->last + 1;
	if (entry->first < range->first) {
		model.entries[model.count++] = left;
		entry->first = range->first;
	}
	if (entry->last > range->last) {
		model.entries[model.count++] = right;
		entry->last = range->last;
	}
	model_end(entry, time, 0);
}

static int model_unbind(const struct drmfault_binding_event *event)
{
	const struct entry range = {
		.first = drmfault_canonical(event->address, 48),
		.last = drmfault_canonical(event->address, 48) + event->length - 1,
		.object = event->object,
		.type = event->object_type,
	};
	struct entry *entry = model_search(&range, true);

	if (entry) {
		model_end(entry, event->time_ns, 0);
		return 0;
	}
	entry = model_search(&range, false);
	if (!entry)
		return -1;
	for (; entry; entry = model_search(&range, false))
		model_carve(entry, &range, event->time_ns);
	return 0;
}

static void model_destroy(uint32_t type, uint64_t object, uint64_t time)
{
	struct entry *entry;

	for (entry = model.entries; entry < model.entries + model.count; entry++)
		if (!entry->unbound && entry->object == object && entry->type == type)
			model_end(entry, time, DRMFAULT_BINDING_DESTROYED);
	model.names[type][object][0] = '\0';
}

/* ---- Both ---- */

static struct drmfault_binding_event random_event(uint64_t time)
{
	uint32_t page = random_below(PAGES);

	return (struct drmfault_binding_event){
		.size = sizeof(struct drmfault_binding_event),
		.address = BASE + page * PAGE,
		.length = (1 + random_below(1u << random_below(6))) * PAGE,
		.time_ns = time,
		.object = random_below(OBJECTS),
		.object_type = random_below(TYPES),
		.flags = random_below(2),
	};
}

/* One that exists, most of the time. */
static struct drmfault_binding_event likely_event(uint64_t time)
{
	struct drmfault_binding_event event = random_event(time);
	const struct entry *entry = &model.entries[random_below(model.count)];

	if (!random_below(8))
		return event;
	event.address = entry->first;
	event.length = entry->last - entry->first + 1;
	event.object = entry->object;
	event.object_type = entry->type;
	if (!random_below(4)) {
		event.address += PAGE;
		event.length = PAGE + random_below(3) * PAGE / 2;
	}
	return event;
}

/* The library may know of a destruction what the model calls unmatched. */
static void unbind(struct drmfault_bindings *bindings, const struct drmfault_binding_event *event)
{
	int ret = drmfault_bindings_unbind(bindings, event);

	if (!model_unbind(event))
		assert_int_equal(ret, 0);
}

static void rename_one(struct drmfault_bindings *bindings, uint32_t change)
{
	uint32_t type = random_below(TYPES), object = random_below(OBJECTS);
	char *name = model.names[type][object];

	snprintf(name, sizeof(model.names[0][0]), "%u", change);
	if (!random_below(4))
		*name = '\0';
	assert_int_equal(drmfault_bindings_name(bindings, type, object, name), 0);
}

static void change(struct drmfault_bindings *bindings, uint64_t time)
{
	uint32_t what = random_below(100);
	struct drmfault_binding_event event;

	if (what < 50 || !model.count) {
		event = random_event(time);
		model_bind(&event);
		assert_int_equal(drmfault_bindings_bind(bindings, &event), 0);
	} else if (what < 90) {
		event = likely_event(time);
		unbind(bindings, &event);
	} else if (what < 95) {
		event = random_event(time);
		model_destroy(event.object_type, event.object, time);
		drmfault_bindings_destroy(bindings, event.object_type, event.object, time);
	} else {
		rename_one(bindings, (uint32_t)time);
	}
}

/* ---- Questions ---- */

struct question {
	uint64_t first, last, time;
};

static bool was_there(const struct entry *e, const struct question *q)
{
	return e->bound <= q->time && (!e->unbound || e->unbound > q->time);
}

static bool had_ended(const struct entry *e, const struct question *q)
{
	return e->unbound && e->unbound <= q->time;
}

static bool holds(const struct entry *e, const struct question *q, uint32_t relation)
{
	bool overlaps = e->first <= q->last && e->last >= q->first;

	switch (relation) {
	case DRMFAULT_RELATION_AT:
		return overlaps && was_there(e, q);
	case DRMFAULT_RELATION_BEFORE:
		return overlaps && had_ended(e, q);
	case DRMFAULT_RELATION_LATER:
		return overlaps && e->bound > q->time;
	case DRMFAULT_RELATION_BELOW:
		return e->last < q->first && was_there(e, q);
	case DRMFAULT_RELATION_ABOVE:
		return e->first > q->last && was_there(e, q);
	case DRMFAULT_RELATION_BELOW_BEFORE:
		return e->last < q->first && had_ended(e, q);
	default:
		return e->first > q->last && had_ended(e, q);
	}
}

static uint64_t rank_of(const struct entry *e, const struct question *q, uint32_t relation)
{
	switch (relation) {
	case DRMFAULT_RELATION_AT:
		return e->last - e->first;
	case DRMFAULT_RELATION_BEFORE:
		return q->time - e->unbound;
	case DRMFAULT_RELATION_LATER:
		return e->bound - q->time;
	default:
		return e->last < q->first ? q->first - e->last - 1 : e->first - q->last - 1;
	}
}

static struct entry entry_of(const struct drmfault_dump_binding *binding)
{
	struct entry entry = {
		.first = binding->address,
		.last = binding->address + binding->length - 1,
		.bound = binding->bound_ns,
		.unbound = binding->unbound_ns,
		.object = binding->object,
		.type = binding->object_type,
		.flags = binding->flags,
	};

	strncpy(entry.name, binding->name, sizeof(entry.name) - 1);
	return entry;
}

static int compare_ranks(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint32_t model_ranks(const struct question *q, uint32_t relation, uint64_t *ranks)
{
	const struct entry *entry;
	uint32_t count = 0;

	for (entry = model.entries; entry < model.entries + model.count; entry++)
		if (holds(entry, q, relation))
			ranks[count++] = rank_of(entry, q, relation);
	qsort(ranks, count, sizeof(*ranks), compare_ranks);
	return count;
}

/* Each is one of the model's, with its name; and their ranks are the model's least. */
static void check_one(const struct drmfault_dump_binding *binding, const struct question *q,
		      uint32_t relation, uint64_t rank)
{
	const struct entry *entry, found = entry_of(binding);

	assert_true(holds(&found, q, relation));
	assert_int_equal(rank_of(&found, q, relation), rank);
	for (entry = model.entries; entry < model.entries + model.count; entry++)
		if (entry->first == found.first && entry->last == found.last &&
		    entry->bound == found.bound && entry->unbound == found.unbound &&
		    entry->object == found.object && entry->type == found.type &&
		    entry->flags == found.flags)
			break;
	assert_true(entry < model.entries + model.count);
	assert_string_equal(found.name,
			    entry->unbound ? entry->name : model.names[found.type][found.object]);
}

static void check_relation(const struct drmfault_binding_list *list, size_t *at,
			   const struct question *q, uint32_t relation, uint32_t limit)
{
	static uint64_t ranks[MODEL_ROOM];
	uint32_t count = model_ranks(q, relation, ranks), i;
	const struct drmfault_dump_binding *bindings = drmfault_binding_list_bindings(list);

	if (count > limit)
		count = limit;
	for (i = 0; i < count; i++, (*at)++) {
		assert_int_equal(drmfault_binding_list_relation(list, *at), relation);
		check_one(&bindings[*at], q, relation, ranks[i]);
		if (relation >= DRMFAULT_RELATION_BELOW)
			assert_int_equal(drmfault_binding_list_distance(list, *at), ranks[i]);
	}
	assert_int_not_equal(drmfault_binding_list_relation(list, *at), relation);
}

static void ask(struct drmfault_bindings *bindings, uint64_t now, uint32_t limit)
{
	struct drmfault_binding_query query = {
		.size = sizeof(query),
		.address = BASE + random_below(PAGES * 4096),
		.length = 1 + random_below(random_below(2) ? 8 : 20000),
		.time_ns = 1 + random_below((uint32_t)now),
		.limit = limit,
	};
	struct question q = { .first = drmfault_canonical(query.address, 48) };
	struct drmfault_binding_list *list;
	size_t at = 0;
	uint32_t relation;

	if (!random_below(3))
		query.time_ns = now;
	q.last = q.first + query.length - 1;
	q.time = query.time_ns;
	assert_int_equal(drmfault_bindings_find(bindings, &query, &list), 0);
	for (relation = 1; relation <= DRMFAULT_RELATION_ABOVE_BEFORE; relation++)
		check_relation(list, &at, &q, relation, limit);
	assert_int_equal(at, drmfault_binding_list_count(list));
	drmfault_binding_list_free(list);
}

static struct drmfault_bindings *new_bindings(void)
{
	const struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = 48,
		.past_count = MODEL_ROOM,
		.past_bytes = UINT64_MAX,
	};
	struct drmfault_bindings *bindings;

	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	return bindings;
}

static struct drmfault_bindings *begin(uint32_t seed)
{
	memset(&model, 0, sizeof(model));
	random_state = seed;
	return new_bindings();
}

static void check_counts(struct drmfault_bindings *bindings)
{
	struct drmfault_bindings_counts counts = { .size = sizeof(counts) };
	uint32_t i, live = 0;

	for (i = 0; i < model.count; i++)
		live += !model.entries[i].unbound;
	drmfault_bindings_counts(bindings, &counts);
	assert_int_equal(counts.live, live);
	assert_int_equal(counts.past, model.count - live);
	assert_int_equal(counts.forgotten, 0);
}

static void answers_are_those_of_the_model(void **state)
{
	static const uint32_t seeds[] = { 1, 20261202, 0xdeadbeef };
	struct drmfault_bindings *bindings;
	uint64_t time;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		bindings = begin(seeds[i]);
		for (time = 1; time <= CHANGES; time++) {
			change(bindings, time);
			if (time % (CHANGES / QUERIES) == 0)
				ask(bindings, time, random_below(2) ? 3 : 4096);
		}
		check_counts(bindings);
		drmfault_bindings_free(bindings);
	}
}

/* What goes into a dump and comes back gives the same answers. */
static void exported_and_imported(void **state)
{
	struct drmfault_bindings *bindings = begin(7), *again;
	struct drmfault_binding_list *list;
	uint64_t time;
	uint32_t i;

	(void)state;
	for (time = 1; time <= CHANGES; time++)
		change(bindings, time);
	assert_int_equal(drmfault_bindings_export(bindings, &list), 0);
	drmfault_bindings_free(bindings);
	assert_int_equal(drmfault_binding_list_count(list), model.count);
	assert_int_equal(drmfault_binding_list_relation(list, 0), 0);

	again = new_bindings();
	assert_int_equal(drmfault_bindings_import(again, drmfault_binding_list_bindings(list),
						  drmfault_binding_list_count(list)),
			 0);
	drmfault_binding_list_free(list);
	check_counts(again);
	for (i = 0; i < QUERIES; i++)
		ask(again, CHANGES, 4096);
	drmfault_bindings_free(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_those_of_the_model),
		cmocka_unit_test(exported_and_imported),
	};

	return cmocka_run_group_tests_name("bindings_model", tests, NULL, NULL);
}
