/* SPDX-License-Identifier: MIT */
/*
 * Ranges of addresses, in the order of their first: a B+-tree, each of whose entries
 * knows the greatest last address and the newest time below it, so that what overlaps a
 * range and what is next to it are found without looking at the rest.
 */
#ifndef DRMFAULT_LIB_BINDING_TREE_H
#define DRMFAULT_LIB_BINDING_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_node;

struct tree {
	struct tree_node *root;
	/* Above the leaves. */
	uint32_t height;
	uint32_t nodes;
};

/* A range of @first up to and with @last; @id is its user's. */
struct tree_entry {
	uint64_t first;
	uint64_t last;
	uint64_t time;
	uint32_t id;
};

enum tree_side {
	TREE_OVERLAP,
	TREE_BELOW,
	TREE_ABOVE,
};

/*
 * What tree_walk() is to visit. The visitor may move the bounds, which leaves out what
 * could not be wanted any more.
 */
struct tree_query {
	enum tree_side side;
	uint64_t first;
	uint64_t last;
	/* Only those of this time and newer. */
	uint64_t oldest;
	/* For BELOW, only those that end here or above; for ABOVE, that begin here or below. */
	uint64_t bound;
	void (*visit)(struct tree_query *query, const struct tree_entry *entry);
};

/* Behind those that begin at the same address: 0, or -ENOMEM and it is not there. */
int tree_insert(struct tree *tree, const struct tree_entry *entry);
/* Takes out the one that begins at @first with this id; false if it is not there. */
bool tree_remove(struct tree *tree, uint64_t first, uint32_t id);
/* BELOW and OVERLAP from the end, ABOVE from the beginning. */
void tree_walk(const struct tree *tree, struct tree_query *query);
/* Brings in what an insertion or removal of @first will need, while something else is done. */
void tree_prefetch(const struct tree *tree, uint64_t first);
/* From the beginning, all. */
void tree_each(const struct tree *tree, void (*visit)(void *arg, const struct tree_entry *entry),
	       void *arg);
void tree_free(struct tree *tree);
size_t tree_bytes(const struct tree *tree);

#endif /* DRMFAULT_LIB_BINDING_TREE_H */
