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
	/* Some of the live ones have memory, or are memory. */
	bool is_backed;
	bool has_live_memory;
	/* All of the range has one. */
	bool is_covered;
	struct drmfault_verdict *verdict;
	bool failed;
};

uint32_t verdict_traits(const struct drmfault_verdict_args *args, uint32_t type);

/* Adds a candidate; it is weighed and gets its text later. */
void verdict_add(struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown,
		 int score);
/* All that it can have been. */
void verdict_collect(struct inquiry *inquiry);

enum drmfault_confidence verdict_confidence(int score);
/* NULL without memory. */
char *verdict_text(const struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown);

#endif /* DRMFAULT_LIB_VERDICT_H */
