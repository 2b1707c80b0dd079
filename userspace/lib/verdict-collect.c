// SPDX-License-Identifier: MIT
/*
 * What a fault can have been, each with a score. Documentation/verdicts.rst has the
 * same numbers in words.
 */
#include "verdict.h"

#define NS_PER_S UINT64_C(1000000000)
#define KIB	 UINT64_C(1024)
#define MIB	 (UINT64_C(1024) * KIB)

/* From so much on, confidence is high or medium. */
#define SCORE_HIGH   75
#define SCORE_MEDIUM 45

/* For each reason, when everything else fits. */
static const int scores[] = {
	[DRMFAULT_REASON_READ_ONLY] = 95,    [DRMFAULT_REASON_NEAR_NULL] = 90,
	[DRMFAULT_REASON_MEMORY_ENDED] = 88, [DRMFAULT_REASON_GPU_SAID] = 85,
	[DRMFAULT_REASON_NO_MEMORY] = 85,    [DRMFAULT_REASON_DESTROYED] = 80,
	[DRMFAULT_REASON_UNBOUND] = 80,	     [DRMFAULT_REASON_NOT_CODE] = 80,
	[DRMFAULT_REASON_OF_DRIVER] = 60,    [DRMFAULT_REASON_BOUND_LATER] = 35,
	[DRMFAULT_REASON_BOUND] = 30,	     [DRMFAULT_REASON_UNKNOWN_ADDRESS] = 50,
};

/* An access so far from an object was meant for it, or not. */
static const struct {
	uint64_t distance;
	int score;
} nearness[] = {
	{ 4 * KIB, 78 }, { 64 * KIB, 70 }, { MIB, 55 }, { 64 * MIB, 30 }, { UINT64_MAX, 12 },
};

/* What takes from a score. */
enum {
	LESS_PARTLY = 8,   /* The object has not all of the range */
	LESS_COVERED = 25, /* Something else was there: ended objects */
	LESS_INSIDE = 40,  /* Something else was there: objects beside it */
	LESS_HOLDS = 10,   /* It is memory, and an object in it is near */
	LESS_PARTIAL = 25, /* It has memory somewhere, and nobody knows where */
	LESS_OLD = 8,	   /* It ended long ago */
	LESS_MEMORY = 3,   /* It is memory, or in some: objects are closer to a person */
	LESS_BEFORE = 6,   /* In front of an object is rarer than behind it */
	LESS_DRIVER = 10,  /* It is the driver's */
	LESS_UNTIMED = 10, /* Nobody knows when it was */
	LESS_NULL = 30,	   /* Objects were there, close to 0 as it is */
	MORE_ALONE = 26,   /* Nothing at all is near */
};

#define OLD_NS (5 * NS_PER_S)
/* Objects that an access past their memory was meant for. */
#define NEAR (64 * KIB)

enum drmfault_confidence verdict_confidence(int score)
{
	if (score >= SCORE_HIGH)
		return DRMFAULT_CONFIDENCE_HIGH;
	return score >= SCORE_MEDIUM ? DRMFAULT_CONFIDENCE_MEDIUM : DRMFAULT_CONFIDENCE_LOW;
}

/* ---- A binding and the fault ---- */

static uint64_t ago_of(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	uint64_t time = inquiry->args.time_ns;

	return time && binding->unbound_ns && binding->unbound_ns <= time
		       ? time - binding->unbound_ns
		       : 0;
}

/* A candidate whose fault is in the binding, which is told from the start of the object. */
static struct drmfault_verdict_candidate inside(const struct inquiry *inquiry,
						const struct drmfault_dump_binding *binding)
{
	uint64_t first = inquiry->first > binding->address ? inquiry->first : binding->address;
	uint64_t last = around_last(binding);
	const struct drmfault_dump_binding *object;
	uint32_t relation;

	object = around_reservation(inquiry, binding, &relation);
	if (!object)
		object = binding;
	if (inquiry->last < last)
		last = inquiry->last;
	return (struct drmfault_verdict_candidate){
		.binding = *binding,
		.offset = first - object->address,
		.offset_max = last - object->address,
		.ago_ns = ago_of(inquiry, binding),
	};
}

static int score_inside(const struct inquiry *inquiry,
			const struct drmfault_verdict_candidate *shown)
{
	int score = scores[shown->reason];

	if (!around_has_all(inquiry, &shown->binding))
		score -= LESS_PARTLY;
	if (around_is_memory(inquiry, &shown->binding))
		score -= LESS_MEMORY;
	if (!inquiry->args.time_ns)
		score -= LESS_UNTIMED;
	if (shown->kind == DRMFAULT_VERDICT_SPARSE_HOLE && inquiry->is_partial)
		score -= LESS_PARTIAL;
	return score;
}

/* ---- Objects that were there ---- */

static bool writes(const struct inquiry *inquiry)
{
	return inquiry->args.access == DRMFAULT_ACCESS_WRITE ||
	       inquiry->args.access == DRMFAULT_ACCESS_ATOMIC;
}

/* Why an access to an object that was there is forbidden; 0: it is not. */
static enum drmfault_verdict_reason why_forbidden(const struct inquiry *inquiry,
						  const struct drmfault_dump_binding *binding)
{
	const uint32_t code = DRMFAULT_TRAIT_CODE | DRMFAULT_TRAIT_COMMANDS;

	if (binding->flags & DRMFAULT_BINDING_READ_ONLY && writes(inquiry))
		return DRMFAULT_REASON_READ_ONLY;
	if (inquiry->args.access == DRMFAULT_ACCESS_EXECUTE &&
	    !(around_traits(inquiry, binding) & code))
		return DRMFAULT_REASON_NOT_CODE;
	if (inquiry->args.fault_type == DRMFAULT_TYPE_PERMISSION)
		return DRMFAULT_REASON_GPU_SAID;
	return 0;
}

static void judge_live(struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	struct drmfault_verdict_candidate shown = inside(inquiry, binding);
	uint64_t memory_end = around_memory_end(inquiry, binding);

	shown.reason = why_forbidden(inquiry, binding);
	if (around_is_of_driver(inquiry, binding)) {
		shown.kind = DRMFAULT_VERDICT_INTERNAL;
		shown.reason = DRMFAULT_REASON_OF_DRIVER;
	} else if (memory_end) {
		shown.kind = DRMFAULT_VERDICT_USE_AFTER_FREE;
		shown.reason = DRMFAULT_REASON_MEMORY_ENDED;
		shown.ago_ns = inquiry->args.time_ns ? inquiry->args.time_ns - memory_end : 0;
	} else if (binding->flags & DRMFAULT_BINDING_SPARSE && !inquiry->is_backed) {
		shown.kind = DRMFAULT_VERDICT_SPARSE_HOLE;
		shown.reason = DRMFAULT_REASON_NO_MEMORY;
	} else if (shown.reason) {
		shown.kind = DRMFAULT_VERDICT_PERMISSION;
	} else {
		shown.kind = DRMFAULT_VERDICT_STILL_BOUND;
		shown.reason = DRMFAULT_REASON_BOUND;
	}
	verdict_add(inquiry, &shown, score_inside(inquiry, &shown));
}

/* Where an instruction is. That memory or a buffer holds it says little. */
static void judge_instruction(struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	struct drmfault_verdict_candidate shown = inside(inquiry, binding);
	uint32_t traits = around_traits(inquiry, binding);
	int score;

	shown.reason = DRMFAULT_REASON_BOUND;
	if (traits & (DRMFAULT_TRAIT_CODE | DRMFAULT_TRAIT_COMMANDS)) {
		shown.kind = DRMFAULT_VERDICT_CODE;
		score = traits & DRMFAULT_TRAIT_CODE ? SCORE_HIGH + 20 : SCORE_HIGH + 15;
	} else if (around_is_of_driver(inquiry, binding)) {
		shown.kind = DRMFAULT_VERDICT_INTERNAL;
		shown.reason = DRMFAULT_REASON_OF_DRIVER;
		score = SCORE_MEDIUM + 10;
	} else {
		shown.kind = DRMFAULT_VERDICT_STILL_BOUND;
		score = SCORE_MEDIUM;
	}
	verdict_add(inquiry, &shown,
		    score - (around_is_memory(inquiry, binding) ? LESS_MEMORY : 0));
}

/* ---- Objects that had been there, or were later ---- */

/* What is there now came after it, or is the memory that it was in. */
static int less_by_live(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	if (inquiry->is_covered || inquiry->memory_ns > binding->unbound_ns)
		return LESS_COVERED;
	return inquiry->memory_ns ? LESS_MEMORY : 0;
}

/* @i of them ended after it did. */
static void judge_past(struct inquiry *inquiry, const struct drmfault_dump_binding *binding, int i)
{
	struct drmfault_verdict_candidate shown = inside(inquiry, binding);
	int score;

	shown.kind = DRMFAULT_VERDICT_USE_AFTER_FREE;
	shown.reason = binding->flags & DRMFAULT_BINDING_DESTROYED ? DRMFAULT_REASON_DESTROYED
								   : DRMFAULT_REASON_UNBOUND;
	score = score_inside(inquiry, &shown) - (i < LESS_MEMORY ? i : LESS_MEMORY - 1);
	if (around_is_of_driver(inquiry, binding)) {
		shown.kind = DRMFAULT_VERDICT_INTERNAL;
		score -= LESS_DRIVER;
	}
	score -= less_by_live(inquiry, binding);
	if (shown.ago_ns > OLD_NS)
		score -= LESS_OLD;
	verdict_add(inquiry, &shown, score);
}

static void judge_later(struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	struct drmfault_verdict_candidate shown = inside(inquiry, binding);

	shown.kind = DRMFAULT_VERDICT_NOT_YET_BOUND;
	shown.reason = DRMFAULT_REASON_BOUND_LATER;
	shown.ago_ns = binding->bound_ns - inquiry->args.time_ns;
	verdict_add(inquiry, &shown, score_inside(inquiry, &shown));
}

/* ---- Objects beside it ---- */

/* An object may be larger than what counts as near. */
static int score_distance(uint64_t distance, uint64_t length)
{
	size_t i = 0;

	while (distance > nearness[i].distance)
		i++;
	if (nearness[i].score < SCORE_MEDIUM && distance <= length)
		return SCORE_MEDIUM;
	return nearness[i].score;
}

static void judge_beside(struct inquiry *inquiry, const struct drmfault_dump_binding *binding,
			 bool is_behind, int i)
{
	struct drmfault_verdict_candidate shown = {
		.kind = DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		.reason = is_behind ? DRMFAULT_REASON_PAST_END : DRMFAULT_REASON_BEFORE_START,
		.binding = *binding,
		.ago_ns = ago_of(inquiry, binding),
	};
	uint64_t end = around_last(binding);
	int score;

	/* Between the two halves of the addresses there is nothing to be out of bounds of. */
	if ((binding->address ^ inquiry->first) >> 63)
		return;
	if (is_behind) {
		shown.offset = inquiry->first > end ? inquiry->first - end - 1 : 0;
		shown.offset_max = inquiry->last - end - 1;
	} else {
		shown.offset = inquiry->last < binding->address ? binding->address - inquiry->last
								: 1;
		shown.offset_max = binding->address - inquiry->first;
	}
	score = score_distance(shown.offset, binding->length) - i;
	score -= is_behind ? 0 : LESS_BEFORE;
	score -= around_is_memory(inquiry, binding) ? LESS_MEMORY : 0;
	score -= around_is_of_driver(inquiry, binding) ? LESS_DRIVER : 0;
	score -= inquiry->is_covered ? LESS_INSIDE : inquiry->memory_ns ? LESS_MEMORY : 0;
	score -= around_holds_object(inquiry, binding, NEAR) ? LESS_HOLDS : 0;
	score -= inquiry->args.time_ns ? 0 : LESS_UNTIMED;
	score -= binding->unbound_ns && shown.ago_ns ? LESS_MEMORY : 0;
	score -= shown.ago_ns > OLD_NS ? LESS_OLD : 0;
	verdict_add(inquiry, &shown, score);
}

/* Where the precision lets the fault lie on either side of an object's edge. */
static void judge_edges(struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	if (around_last(binding) < inquiry->last)
		judge_beside(inquiry, binding, true, 0);
	if (binding->address > inquiry->first)
		judge_beside(inquiry, binding, false, 0);
}

/* ---- All together ---- */

/* Of a sparse object only what it lost, while it is there itself, is news. */
static bool is_told_by_whole(const struct inquiry *inquiry, uint32_t relation,
			     const struct drmfault_dump_binding *binding)
{
	uint32_t whole;

	return around_reservation(inquiry, binding, &whole) &&
	       !(relation == DRMFAULT_RELATION_BEFORE && whole == DRMFAULT_RELATION_AT);
}

static void judge_binding(struct inquiry *inquiry, uint32_t relation,
			  const struct drmfault_dump_binding *binding, int i)
{
	if (is_told_by_whole(inquiry, relation, binding))
		return;
	switch (relation) {
	case DRMFAULT_RELATION_AT:
		if (inquiry->args.is_instruction) {
			judge_instruction(inquiry, binding);
			break;
		}
		judge_live(inquiry, binding);
		judge_edges(inquiry, binding);
		break;
	case DRMFAULT_RELATION_BEFORE:
		judge_past(inquiry, binding, i);
		break;
	case DRMFAULT_RELATION_LATER:
		judge_later(inquiry, binding);
		break;
	default:
		/* What an instruction pointer is close to says nothing. */
		if (!inquiry->args.is_instruction)
			judge_beside(inquiry, binding,
				     relation == DRMFAULT_RELATION_BELOW ||
					     relation == DRMFAULT_RELATION_BELOW_BEFORE,
				     i);
		break;
	}
}

static bool is_near_null(const struct inquiry *inquiry)
{
	return inquiry->first < NULL_BYTES || inquiry->last >= -NULL_BYTES;
}

static int best_score(const struct drmfault_verdict *verdict)
{
	int best = 0;
	size_t i;

	for (i = 0; i < verdict->count; i++)
		if (verdict->candidates[i].score > best)
			best = verdict->candidates[i].score;
	return best;
}

/* That nothing is known of an address says much only where much is known. */
static int score_unknown(const struct inquiry *inquiry)
{
	int score = scores[DRMFAULT_REASON_UNKNOWN_ADDRESS];

	if (inquiry->is_empty || inquiry->args.is_instruction || inquiry->verdict->forgotten)
		return score - LESS_PARTLY;
	return best_score(inquiry->verdict) < SCORE_MEDIUM ? score + MORE_ALONE : score;
}

static void judge_address(struct inquiry *inquiry)
{
	struct drmfault_verdict_candidate shown = {
		.binding = { .size = sizeof(shown.binding), .name = "" },
	};
	bool is_free = !inquiry->has_live && !inquiry->has_past;

	if (is_near_null(inquiry)) {
		shown.kind = DRMFAULT_VERDICT_NULL;
		shown.reason = DRMFAULT_REASON_NEAR_NULL;
		verdict_add(inquiry, &shown, scores[shown.reason] - (is_free ? 0 : LESS_NULL));
	}
	if (!is_free)
		return;
	shown.kind = DRMFAULT_VERDICT_NEVER_BOUND;
	shown.reason = DRMFAULT_REASON_UNKNOWN_ADDRESS;
	verdict_add(inquiry, &shown, score_unknown(inquiry));
}

void verdict_collect(struct inquiry *inquiry)
{
	const struct drmfault_dump_binding *bindings =
		drmfault_binding_list_bindings(inquiry->list);
	uint32_t relation, previous = 0;
	size_t i;
	int n = 0;

	around_look(inquiry);
	for (i = 0; i < drmfault_binding_list_count(inquiry->list); i++) {
		relation = drmfault_binding_list_relation(inquiry->list, i);
		n = relation == previous ? n + 1 : 0;
		previous = relation;
		judge_binding(inquiry, relation, &bindings[i], n);
	}
	judge_address(inquiry);
}
