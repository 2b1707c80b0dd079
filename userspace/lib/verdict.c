// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

#define LENGTH(table)	  (sizeof(table) / sizeof((table)[0]))
#define NAME_OF(table, n) ((n) < LENGTH(table) ? (table)[n] : NULL)

static const char *const kinds[] = {
	[DRMFAULT_VERDICT_NULL] = "null",
	[DRMFAULT_VERDICT_USE_AFTER_FREE] = "use after free",
	[DRMFAULT_VERDICT_OUT_OF_BOUNDS] = "out of bounds",
	[DRMFAULT_VERDICT_PERMISSION] = "permission",
	[DRMFAULT_VERDICT_SPARSE_HOLE] = "sparse hole",
	[DRMFAULT_VERDICT_NOT_YET_BOUND] = "not yet bound",
	[DRMFAULT_VERDICT_STILL_BOUND] = "still bound",
	[DRMFAULT_VERDICT_INTERNAL] = "internal",
	[DRMFAULT_VERDICT_NEVER_BOUND] = "never bound",
	[DRMFAULT_VERDICT_CODE] = "code",
};

static const char *const reasons[] = {
	[DRMFAULT_REASON_NEAR_NULL] = "near null",
	[DRMFAULT_REASON_DESTROYED] = "destroyed",
	[DRMFAULT_REASON_UNBOUND] = "unbound",
	[DRMFAULT_REASON_MEMORY_ENDED] = "memory ended",
	[DRMFAULT_REASON_PAST_END] = "past the end",
	[DRMFAULT_REASON_BEFORE_START] = "before the start",
	[DRMFAULT_REASON_READ_ONLY] = "read-only",
	[DRMFAULT_REASON_NOT_CODE] = "not code",
	[DRMFAULT_REASON_GPU_SAID] = "the GPU said so",
	[DRMFAULT_REASON_NO_MEMORY] = "no memory",
	[DRMFAULT_REASON_BOUND] = "bound",
	[DRMFAULT_REASON_BOUND_LATER] = "bound later",
	[DRMFAULT_REASON_OF_DRIVER] = "the driver's own",
	[DRMFAULT_REASON_UNKNOWN_ADDRESS] = "unknown address",
};

static const char *const confidences[] = {
	[DRMFAULT_CONFIDENCE_LOW] = "low",
	[DRMFAULT_CONFIDENCE_MEDIUM] = "medium",
	[DRMFAULT_CONFIDENCE_HIGH] = "high",
};

uint32_t verdict_traits(const struct drmfault_verdict_args *args, uint32_t type)
{
	size_t i;

	for (i = 0; i < args->type_count; i++)
		if (args->types[i].type == type)
			return args->types[i].traits;
	return 0;
}

/* ---- Records ---- */

static void args_fill(const struct drmfault_record *record, struct drmfault_verdict_args *args,
		      const struct drmfault_verdict_args *from)
{
	struct drmfault_verdict_args filled = *from;
	size_t size = args->size;

	filled.types = args->types;
	filled.type_count = args->type_count;
	filled.time_ns = drmfault_record_timestamp_ns(record);
	filled.address_bits = drmfault_record_address_bits(record);
	filled.access = drmfault_record_access(record);
	filled.fault_type = drmfault_record_fault_type(record);
	args_give(args, size, &filled, sizeof(filled));
	args->size = size;
}

DRMFAULT_API int drmfault_verdict_args_of_record(const struct drmfault_record *record,
						 struct drmfault_verdict_args *args)
{
	const struct drmfault_verdict_args from = {
		.address = drmfault_record_address(record),
		.precision = drmfault_record_address_precision(record),
	};

	if (drmfault_record_type(record) != DRMFAULT_RECORD_FAULT || !from.precision)
		return -ENODATA;
	args_fill(record, args, &from);
	return 0;
}

DRMFAULT_API int drmfault_verdict_args_of_ip(const struct drmfault_record *record,
					     struct drmfault_verdict_args *args)
{
	const struct drmfault_verdict_args from = {
		.address = drmfault_record_ip(record),
		.precision = drmfault_record_ip_precision(record),
		.is_instruction = true,
	};

	if (!drmfault_record_ip_type(record))
		return -ENODATA;
	args_fill(record, args, &from);
	return 0;
}

/* ---- Making ---- */

void verdict_add(struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown, int score)
{
	struct drmfault_verdict *verdict = inquiry->verdict;
	size_t room = verdict->room ? 2 * verdict->room : 16;
	struct candidate *candidates;

	if (verdict->count == verdict->room) {
		candidates = realloc(verdict->candidates, room * sizeof(*candidates));
		if (!candidates) {
			inquiry->failed = true;
			return;
		}
		verdict->candidates = candidates;
		verdict->room = room;
	}
	verdict->candidates[verdict->count++] = (struct candidate){
		.shown = *shown,
		.score = score,
	};
}

static int take_args(const struct drmfault_bindings *bindings,
		     const struct drmfault_verdict_args *args, struct inquiry *inquiry)
{
	struct drmfault_verdict_args *known = &inquiry->args;
	uint32_t bits;

	if (args_take(args, args->size, known, sizeof(*known)))
		return -E2BIG;
	bits = known->address_bits ? known->address_bits : bindings->address_bits;
	/* Then by the rule that the bindings went through. */
	inquiry->address = drmfault_canonical(drmfault_canonical(known->address, bits),
					      bindings->address_bits);
	drmfault_range(inquiry->address, known->precision, &inquiry->first, &inquiry->last);
	return 0;
}

static int find(struct drmfault_bindings *bindings, struct inquiry *inquiry)
{
	struct drmfault_binding_query query = {
		.size = sizeof(query),
		.address = inquiry->first,
		.length = inquiry->last - inquiry->first + 1,
		.time_ns = inquiry->args.time_ns,
		.limit = VERDICT_LIMIT,
	};
	int ret = drmfault_bindings_find(bindings, &query, &inquiry->verdict->list);

	/* A precision that no GPU has: only the address is to be trusted. */
	if (ret == -EINVAL) {
		inquiry->first = inquiry->last = inquiry->address;
		query.address = drmfault_canonical(inquiry->address, bindings->address_bits);
		query.length = 1;
		ret = drmfault_bindings_find(bindings, &query, &inquiry->verdict->list);
	}
	inquiry->list = inquiry->verdict->list;
	return ret;
}

/* Stable, so that what was found first, the nearest, comes first. */
static void sort(struct drmfault_verdict *verdict)
{
	struct candidate candidate;
	size_t i, at;

	for (i = 1; i < verdict->count; i++) {
		candidate = verdict->candidates[i];
		for (at = i; at && verdict->candidates[at - 1].score < candidate.score; at--)
			verdict->candidates[at] = verdict->candidates[at - 1];
		verdict->candidates[at] = candidate;
	}
}

static void finish(struct inquiry *inquiry)
{
	struct candidate *candidate;
	size_t i;

	sort(inquiry->verdict);
	for (i = 0; i < inquiry->verdict->count; i++) {
		candidate = &inquiry->verdict->candidates[i];
		candidate->shown.size = sizeof(candidate->shown);
		candidate->shown.confidence = verdict_confidence(candidate->score);
		candidate->text = verdict_text(inquiry, &candidate->shown);
		inquiry->failed |= !candidate->text;
	}
}

static int make(struct drmfault_bindings *bindings, struct inquiry *inquiry)
{
	struct drmfault_bindings_counts counts = { .size = sizeof(counts) };
	int ret = find(bindings, inquiry);

	if (ret)
		return ret;
	drmfault_bindings_counts(bindings, &counts);
	inquiry->verdict->forgotten = counts.forgotten;
	inquiry->is_empty = !counts.live && !counts.past;
	verdict_collect(inquiry);
	finish(inquiry);
	return inquiry->failed ? -ENOMEM : 0;
}

DRMFAULT_API int drmfault_verdict_make(struct drmfault_bindings *bindings,
				       const struct drmfault_verdict_args *args,
				       struct drmfault_verdict **verdict)
{
	struct inquiry inquiry = { 0 };
	int ret = take_args(bindings, args, &inquiry);

	if (ret)
		return ret;
	inquiry.verdict = calloc(1, sizeof(*inquiry.verdict));
	if (!inquiry.verdict)
		return -ENOMEM;
	ret = make(bindings, &inquiry);
	if (ret)
		drmfault_verdict_free(inquiry.verdict);
	else
		*verdict = inquiry.verdict;
	return ret;
}

DRMFAULT_API void drmfault_verdict_free(struct drmfault_verdict *verdict)
{
	size_t i;

	if (!verdict)
		return;
	for (i = 0; i < verdict->count; i++)
		free(verdict->candidates[i].text);
	free(verdict->candidates);
	drmfault_binding_list_free(verdict->list);
	free(verdict);
}

/* ---- Reading ---- */

DRMFAULT_API size_t drmfault_verdict_count(const struct drmfault_verdict *verdict)
{
	return verdict->count;
}

DRMFAULT_API int drmfault_verdict_candidate(const struct drmfault_verdict *verdict, size_t i,
					    struct drmfault_verdict_candidate *candidate)
{
	size_t size = candidate->size;

	if (i >= verdict->count)
		return -ENOENT;
	args_give(candidate, size, &verdict->candidates[i].shown,
		  sizeof(verdict->candidates[i].shown));
	candidate->size = size;
	return 0;
}

DRMFAULT_API const char *drmfault_verdict_text(const struct drmfault_verdict *verdict, size_t i)
{
	return i < verdict->count ? verdict->candidates[i].text : NULL;
}

DRMFAULT_API uint64_t drmfault_verdict_incomplete(const struct drmfault_verdict *verdict)
{
	return verdict->forgotten;
}

DRMFAULT_API const char *drmfault_verdict_kind_name(uint32_t kind)
{
	return NAME_OF(kinds, kind);
}

DRMFAULT_API const char *drmfault_verdict_reason_name(uint32_t reason)
{
	return NAME_OF(reasons, reason);
}

DRMFAULT_API const char *drmfault_confidence_name(uint32_t confidence)
{
	return NAME_OF(confidences, confidence);
}
