/* SPDX-License-Identifier: MIT */
/* A small history, a fault in it, and what must come out. */
#ifndef DRMFAULT_TEST_VERDICT_CASE_H
#define DRMFAULT_TEST_VERDICT_CASE_H

#include "drmfault_verdict.h"

#define MS    UINT64_C(1000000)
#define PAGE  UINT64_C(4096)
#define STEPS 8

enum {
	COMMAND_BUFFER = 6,
	DEVICE = 3,
	MEMORY = 8,
	BUFFER = 9,
	IMAGE = 10,
	PIPELINE = 19,
};

enum what { END, BIND, UNBIND, DESTROY, NAME };

struct step {
	enum what what;
	uint64_t ms;
	uint32_t type;
	uint64_t object;
	uint64_t address;
	uint64_t length;
	uint32_t flags;
	const char *name;
};

struct verdict_case {
	const char *title;
	struct step steps[STEPS];
	/* Types are the same for all. The width is the history's, 0: 48; a dump may lack it. */
	struct drmfault_verdict_args fault;
	enum drmfault_verdict_kind kind;
	enum drmfault_verdict_reason reason;
	enum drmfault_confidence confidence;
	const char *text;
	/* Another candidate that must be there, if any. */
	enum drmfault_verdict_kind other;
	const char *other_text;
};

/* Steps: after how many milliseconds what became of an object. Names have no time. */
#define STEP(...)           \
	{                   \
		__VA_ARGS__ \
	}
#define BOUND(ms, type, object, address, length) \
	STEP(BIND, ms, type, object, address, length, 0, NULL)
#define BOUND_AS(flag, ms, type, object, address, length) \
	STEP(BIND, ms, type, object, address, length, DRMFAULT_BINDING_##flag, NULL)
#define UNBOUND(ms, type, object, address, length) \
	STEP(UNBIND, ms, type, object, address, length, 0, NULL)
#define UNBOUND_AS(flag, ms, type, object, address, length) \
	STEP(UNBIND, ms, type, object, address, length, DRMFAULT_BINDING_##flag, NULL)
#define DESTROYED(ms, type, object) STEP(DESTROY, ms, type, object, 0, 0, 0, NULL)
#define NAMED(type, object, text)   STEP(NAME, 0, type, object, 0, 0, 0, text)

/* In the braces of the fault, where more of it may follow. */
#define AT(ms, how, where, exact)                                                \
	.time_ns = (ms)*MS, .access = DRMFAULT_ACCESS_##how, .address = (where), \
	.precision = (exact)

/* What the first candidate must be, and another one. */
#define ANY NULL
#define BEST(verdict, why, how_sure, words)                                  \
	.kind = DRMFAULT_VERDICT_##verdict, .reason = DRMFAULT_REASON_##why, \
	.confidence = DRMFAULT_CONFIDENCE_##how_sure, .text = (words)
#define OTHER(verdict, words) .other = DRMFAULT_VERDICT_##verdict, .other_text = (words)

struct verdict_cases {
	const struct verdict_case *cases;
	size_t count;
};

/* Those of one file. */
#define VERDICT_CASES(name) \
	const struct verdict_cases verdict_##name = { cases, sizeof(cases) / sizeof(cases[0]) }

extern const struct verdict_cases verdict_ended, verdict_beside, verdict_inside, verdict_address,
	verdict_instruction;

#endif /* DRMFAULT_TEST_VERDICT_CASE_H */
