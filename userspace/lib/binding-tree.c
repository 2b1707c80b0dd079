// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "binding-tree.h"

#define SLOTS 32
/* A node with fewer is put together with one beside it, if both make at most MERGED. */
#define SCARCE (SLOTS / 4)
#define MERGED (SLOTS / 4 * 3)

/*
 * Column by column, since a search looks at one of them only. In a leaf a slot is an
 * entry; above, it sums up a node: its least first, its greatest last, its newest time.
 */
struct tree_node {
	uint64_t first[SLOTS];
	uint64_t last[SLOTS];
	uint64_t time[SLOTS];
	union {
		struct tree_node *child;
		uint64_t id;
	} ref[SLOTS];
	uint32_t count;
};

static void move_slots(struct tree_node *to, uint32_t to_at, const struct tree_node *from,
		       uint32_t from_at, uint32_t count)
{
	memmove(&to->first[to_at], &from->first[from_at], count * sizeof(to->first[0]));
	memmove(&to->last[to_at], &from->last[from_at], count * sizeof(to->last[0]));
	memmove(&to->time[to_at], &from->time[from_at], count * sizeof(to->time[0]));
	memmove(&to->ref[to_at], &from->ref[from_at], count * sizeof(to->ref[0]));
}

/* The first slot that begins at @first or above, or only above. */
static uint32_t search(const struct tree_node *node, uint64_t first, bool above)
{
	uint32_t low = 0, high = node->count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (node->first[middle] < first || (above && node->first[middle] == first))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sum_up(struct tree_node *parent, uint32_t at)
{
	const struct tree_node *node = parent->ref[at].child;
	uint64_t last = 0, time = 0;
	uint32_t i;

	for (i = 0; i < node->count; i++) {
		last = node->last[i] > last ? node->last[i] : last;
		time = node->time[i] > time ? node->time[i] : time;
	}
	parent->first[at] = node->first[0];
	parent->last[at] = last;
	parent->time[at] = time;
}

static struct tree_entry entry_at(const struct tree_node *node, uint32_t at)
{
	return (struct tree_entry){
		.first = node->first[at],
		.last = node->last[at],
		.time = node->time[at],
		.id = (uint32_t)node->ref[at].id,
	};
}

/* ---- Insertion ---- */

static struct tree_node *new_node(struct tree *tree)
{
	struct tree_node *node = malloc(sizeof(*node));

	if (!node)
		return NULL;
	node->count = 0;
	tree->nodes++;
	return node;
}

static void free_node(struct tree *tree, struct tree_node *node)
{
	tree->nodes--;
	free(node);
}

static void put_slot(struct tree_node *node, uint32_t at, const struct tree_entry *entry)
{
	move_slots(node, at + 1, node, at, node->count - at);
	node->first[at] = entry->first;
	node->last[at] = entry->last;
	node->time[at] = entry->time;
	node->ref[at].id = entry->id;
	node->count++;
}

/*
 * Halves the full child at @at; the parent has room. Where the new entry comes behind
 * all others the child stays full, since who allocates upwards fills nodes in turn.
 */
static int split_child(struct tree *tree, struct tree_node *node, uint32_t at, uint64_t first)
{
	struct tree_node *left = node->ref[at].child, *right = new_node(tree);
	uint32_t kept = search(left, first, true) == SLOTS ? SLOTS - 1 : SLOTS / 2;
	const struct tree_entry none = { 0 };

	if (!right)
		return -ENOMEM;
	move_slots(right, 0, left, kept, SLOTS - kept);
	right->count = SLOTS - kept;
	left->count = kept;
	put_slot(node, at + 1, &none);
	node->ref[at + 1].child = right;
	sum_up(node, at);
	sum_up(node, at + 1);
	return 0;
}

static int grow_root(struct tree *tree)
{
	struct tree_node *root = new_node(tree);

	if (!root)
		return -ENOMEM;
	if (tree->root) {
		root->ref[0].child = tree->root;
		root->count = 1;
		tree->height++;
		sum_up(root, 0);
	}
	tree->root = root;
	return 0;
}

static void widen(struct tree_node *node, uint32_t at, const struct tree_entry *entry)
{
	if (entry->first < node->first[at])
		node->first[at] = entry->first;
	if (entry->last > node->last[at])
		node->last[at] = entry->last;
	if (entry->time > node->time[at])
		node->time[at] = entry->time;
}

/*
 * Full nodes are split on the way down, so that there is room where one below is. If
 * memory ends half way, sums are wider than need be, and nothing is wrong.
 */
int tree_insert(struct tree *tree, const struct tree_entry *entry)
{
	struct tree_node *node;
	uint32_t height, at;

	if ((!tree->root || tree->root->count == SLOTS) && grow_root(tree))
		return -ENOMEM;
	node = tree->root;
	for (height = tree->height; height; height--) {
		at = search(node, entry->first, true);
		at -= at > 0;
		if (node->ref[at].child->count == SLOTS) {
			if (split_child(tree, node, at, entry->first))
				return -ENOMEM;
			at += node->first[at + 1] <= entry->first;
		}
		widen(node, at, entry);
		node = node->ref[at].child;
	}
	put_slot(node, search(node, entry->first, true), entry);
	return 0;
}

/* ---- Removal ---- */

static void drop_slot(struct tree_node *node, uint32_t at)
{
	node->count--;
	move_slots(node, at, node, at + 1, node->count - at);
}

static void merge(struct tree *tree, struct tree_node *node, uint32_t at)
{
	struct tree_node *left = node->ref[at].child, *right = node->ref[at + 1].child;

	move_slots(left, left->count, right, 0, right->count);
	left->count += right->count;
	free_node(tree, right);
	drop_slot(node, at + 1);
	sum_up(node, at);
}

static uint32_t count_of(const struct tree_node *node, uint32_t at)
{
	return at < node->count ? node->ref[at].child->count : SLOTS;
}

/* After @gone was removed below @at. */
static void tidy(struct tree *tree, struct tree_node *node, uint32_t at,
		 const struct tree_entry *gone)
{
	uint32_t count = count_of(node, at);

	if (!count) {
		free_node(tree, node->ref[at].child);
		drop_slot(node, at);
		return;
	}
	/* Most removals make no difference, and the node need not be looked at. */
	if (gone->first == node->first[at] || gone->last == node->last[at] ||
	    gone->time == node->time[at])
		sum_up(node, at);
	if (count >= SCARCE)
		return;
	if (count + count_of(node, at + 1) <= MERGED)
		merge(tree, node, at);
	else if (at && count + count_of(node, at - 1) <= MERGED)
		merge(tree, node, at - 1);
}

/* Finds @gone by where it begins and its id, and tells the rest. */
static bool remove_below(struct tree *tree, struct tree_node *node, uint32_t height,
			 struct tree_entry *gone)
{
	uint64_t first = gone->first;
	uint32_t at = search(node, first, false);

	/* Ranges that begin at one address may be in several nodes. */
	if (height && at)
		at--;
	for (; at < node->count && node->first[at] <= first; at++) {
		if (!height && node->ref[at].id == gone->id) {
			*gone = entry_at(node, at);
			drop_slot(node, at);
			return true;
		}
		if (height && remove_below(tree, node->ref[at].child, height - 1, gone)) {
			tidy(tree, node, at, gone);
			return true;
		}
	}
	return false;
}

bool tree_remove(struct tree *tree, uint64_t first, uint32_t id)
{
	struct tree_entry gone = { .first = first, .id = id };
	struct tree_node *root = tree->root;

	if (!root || !remove_below(tree, root, tree->height, &gone))
		return false;
	while (tree->height && root->count == 1) {
		tree->root = root->ref[0].child;
		tree->height--;
		free_node(tree, root);
		root = tree->root;
	}
	if (!root->count) {
		free_node(tree, root);
		tree->root = NULL;
		tree->height = 0;
	}
	return true;
}

/* ---- Looking ---- */

void tree_prefetch(const struct tree *tree, uint64_t first)
{
	const struct tree_node *node = tree->root;
	uint32_t height, at;

	if (!node)
		return;
	for (height = tree->height; height; height--) {
		at = search(node, first, true);
		node = node->ref[at - (at > 0)].child;
	}
	for (at = 0; at < SLOTS; at += SLOTS / 4)
		__builtin_prefetch(&node->first[at]);
	__builtin_prefetch(&node->last[SLOTS / 2]);
	__builtin_prefetch(&node->time[SLOTS / 2]);
	__builtin_prefetch(&node->ref[SLOTS / 2]);
	__builtin_prefetch(&node->count);
}

/* Of a slot above a leaf: may there be something below it? */
static bool is_possible(const struct tree_query *query, const struct tree_node *node, uint32_t at)
{
	if (node->time[at] < query->oldest)
		return false;
	switch (query->side) {
	case TREE_BELOW:
		return node->first[at] < query->first && node->last[at] >= query->bound;
	case TREE_ABOVE:
		return node->last[at] > query->last && node->first[at] <= query->bound;
	default:
		return node->first[at] <= query->last && node->last[at] >= query->first;
	}
}

static bool is_wanted(const struct tree_query *query, const struct tree_node *node, uint32_t at)
{
	if (!is_possible(query, node, at))
		return false;
	switch (query->side) {
	case TREE_BELOW:
		return node->last[at] < query->first;
	case TREE_ABOVE:
		return node->first[at] > query->last;
	default:
		return true;
	}
}

static void walk(const struct tree_node *node, uint32_t height, struct tree_query *query)
{
	struct tree_entry entry;
	uint32_t i, at;

	for (i = 0; i < node->count; i++) {
		at = query->side == TREE_ABOVE ? i : node->count - 1 - i;
		if (height) {
			if (is_possible(query, node, at))
				walk(node->ref[at].child, height - 1, query);
		} else if (is_wanted(query, node, at)) {
			entry = entry_at(node, at);
			query->visit(query, &entry);
		}
	}
}

void tree_walk(const struct tree *tree, struct tree_query *query)
{
	if (tree->root)
		walk(tree->root, tree->height, query);
}

static void each(const struct tree_node *node, uint32_t height,
		 void (*visit)(void *arg, const struct tree_entry *entry), void *arg)
{
	struct tree_entry entry;
	uint32_t i;

	for (i = 0; i < node->count; i++) {
		if (height) {
			each(node->ref[i].child, height - 1, visit, arg);
		} else {
			entry = entry_at(node, i);
			visit(arg, &entry);
		}
	}
}

void tree_each(const struct tree *tree, void (*visit)(void *arg, const struct tree_entry *entry),
	       void *arg)
{
	if (tree->root)
		each(tree->root, tree->height, visit, arg);
}

static void free_below(struct tree_node *node, uint32_t height)
{
	uint32_t i;

	for (i = 0; height && i < node->count; i++)
		free_below(node->ref[i].child, height - 1);
	free(node);
}

void tree_free(struct tree *tree)
{
	if (tree->root)
		free_below(tree->root, tree->height);
	*tree = (struct tree){ 0 };
}

size_t tree_bytes(const struct tree *tree)
{
	return tree->nodes * sizeof(struct tree_node);
}
