/* SPDX-License-Identifier: MIT */
/* A small history, a fault in it, and what must come out. */
#ifndef DRMFAULT_TEST_VERDICT_CASE_H
#define DRMFAULT_TEST_VERDICT_CASE_H

#include "drmfault_verdict.h"

#define MS    UINT64_C(1000000)
#define K     UINT64_C(1024)
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
	uint32_t type;
	uint64_t object;
	uint64_t address;
	uint64_t length;
	uint64_t ms;
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

#define READ	DRMFAULT_ACCESS_READ
#define WRITE	DRMFAULT_ACCESS_WRITE
#define EXECUTE DRMFAULT_ACCESS_EXECUTE
#define ATOMIC	DRMFAULT_ACCESS_ATOMIC
#define LOW	DRMFAULT_CONFIDENCE_LOW
#define MEDIUM	DRMFAULT_CONFIDENCE_MEDIUM
#define HIGH	DRMFAULT_CONFIDENCE_HIGH

#define AT(where, exact, how, when) \
	.address = (where), .precision = (exact), .access = (how), .time_ns = (when)*MS

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
