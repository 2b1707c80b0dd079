/* SPDX-License-Identifier: MIT */
/* What the files of verdicts share. */
#ifndef DRMFAULT_LIB_VERDICT_H
#define DRMFAULT_LIB_VERDICT_H

#include "bindings.h"
#include "drmfault_verdict.h"

/* Of each relation so many bindings are looked at. */
#define VERDICT_LIMIT 8
/* Addresses this close to 0, from either side, are of no pointer. */
#define NULL_BYTES UINT64_C(0x10000)

struct candidate {
	struct drmfault_verdict_candidate shown;
	int score;
	char *text;
};

struct drmfault_verdict {
	struct candidate *candidates;
	size_t count;
	size_t room;
	/* Holds the bindings' names. */
	struct drmfault_binding_list *list;
	uint64_t forgotten;
};

/* A fault and what is around it. */
struct inquiry {
	struct drmfault_verdict_args args;
	/* Canonical. */
	uint64_t address;
	uint64_t first;
	uint64_t last;
	const struct drmfault_binding_list *list;
	/* Bindings that have some of the range, at the time and ended. */
	bool has_live;
	bool has_past;
	/* Nothing is known at all. */
	bool is_empty;
	/* Some of the live ones have memory, or are memory; of a sparse one some part has. */
	bool is_backed;
	bool has_live_memory;
	bool is_partial;
	/* An object other than memory has all of the range. */
	bool is_covered;
	/* Since when memory has all of it; 0: it does not. */
	uint64_t memory_ns;
	struct drmfault_verdict *verdict;
	bool failed;
};

uint32_t verdict_traits(const struct drmfault_verdict_args *args, uint32_t type);

/* ---- A binding and the fault ---- */

uint64_t around_last(const struct drmfault_dump_binding *binding);
bool around_has_all(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding);
uint32_t around_traits(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding);
bool around_is_memory(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding);
bool around_is_of_driver(const struct inquiry *inquiry,
			 const struct drmfault_dump_binding *binding);
/* When the memory below an object ended, which goes on as if it had some; 0: it did not. */
uint64_t around_memory_end(const struct inquiry *inquiry,
			   const struct drmfault_dump_binding *object);
/* Is it memory, and in it an object that is no farther from the fault than this? */
bool around_holds_object(const struct inquiry *inquiry, const struct drmfault_dump_binding *memory,
			 uint64_t distance);
/* Of a part of a sparse object the whole, and how that lies; NULL: it is no part. */
const struct drmfault_dump_binding *around_reservation(const struct inquiry *inquiry,
						       const struct drmfault_dump_binding *binding,
						       uint32_t *relation);
/* What all bindings at the time say together. */
void around_look(struct inquiry *inquiry);

/* Adds a candidate; it is weighed and gets its text later. */
void verdict_add(struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown,
		 int score);
/* All that it can have been. */
void verdict_collect(struct inquiry *inquiry);

enum drmfault_confidence verdict_confidence(int score);
/* NULL without memory. */
char *verdict_text(const struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown);

#endif /* DRMFAULT_LIB_VERDICT_H */
