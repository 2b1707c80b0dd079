// SPDX-License-Identifier: MIT
/* Runs cases, and what they have in common. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance.h"

void conformance_fail(struct conformance *c, const char *file, int line, const char *what)
{
	printf("# %s:%d: %s\n", file, line, what);
	longjmp(c->failed, 1);
}

void conformance_skip(struct conformance *c, const char *why)
{
	c->skipped = why;
	longjmp(c->failed, 1);
}

static bool run_case(const struct conformance_subject *subject, const struct conformance_case *of,
		     unsigned int number)
{
	struct conformance c = { .subject = subject };
	volatile bool good = false;

	if (!setjmp(c.failed)) {
		of->run(&c);
		good = true;
	}
	if (c.device)
		subject->destroy(c.device);
	if (c.skipped)
		printf("ok %u - %s # SKIP %s\n", number, of->sentence, c.skipped);
	else
		printf("%s %u - %s\n", good ? "ok" : "not ok", number, of->sentence);
	fflush(stdout);
	return good || c.skipped;
}

int conformance_run_sets(const struct conformance_subject *subject,
			 const struct conformance_case *const *sets, size_t count)
{
	const struct conformance_case *of;
	unsigned int number = 0, bad = 0;
	size_t i;

	for (i = 0; i < count; i++)
		for (of = sets[i]; of->sentence; of++)
			number++;
	printf("TAP version 13\n1..%u\n# %s\n", number, subject->name);
	number = 0;
	for (i = 0; i < count; i++)
		for (of = sets[i]; of->sentence; of++)
			bad += !run_case(subject, of, ++number);
	return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

int conformance_run(const struct conformance_subject *subject)
{
	const struct conformance_case *const sets[] = { conformance_ext, conformance_khr,
							conformance_waiting, conformance_debug };

	return conformance_run_sets(subject, sets, ARRAY_SIZE(sets));
}

void conformance_create(struct conformance *c, bool vendor_binary, bool report_masked)
{
	const struct conformance_features features = { vendor_binary, report_masked };

	c->device = c->subject->create(&features);
	CHECK(c, c->device);
}

void conformance_fault(struct conformance *c, enum conformance_kind kind, unsigned int count,
		       uint64_t *addresses)
{
	uint64_t address;
	unsigned int i;

	if (kind == CONFORMANCE_TIMEOUT && !c->subject->times_out)
		conformance_skip(c, "no job of this GPU takes too long");
	for (i = 0; i < count; i++)
		CHECK(c, c->subject->fault(c->device, kind, addresses ? &addresses[i] : &address));
}

void conformance_lose(struct conformance *c)
{
	CHECK(c, c->subject->lose(c->device));
}
