/* SPDX-License-Identifier: MIT */
/* A report: what a dump means, as text, as JSON and as a page. */
#ifndef DRMFAULT_REPORT_H
#define DRMFAULT_REPORT_H

#include "drmfault_verdict.h"
#include "tool.h"

/* Of the members in the JSON, see Documentation/report.rst. */
#define REPORT_VERSION 1
/* Objects that text and time lines show at most. */
#define NEAR_MAX 12

struct report {
	const struct drmfault_dump *dump;
	/* As the command line has it. */
	const char *file;
	const struct options *options;
};

/* These print it to the standard output. EXIT_FAILURE after saying why. */
int report_print_text(const struct report *report);
int report_print_json(const struct report *report);
int report_print_html(const struct report *report);

/* All but the objects; NULL without memory. */
json_t *report_json(const struct report *report);
/* A binding and what its type is called; NULL without memory. */
json_t *report_binding_json(const struct drmfault_dump_binding *binding);
/* One line on what happened, to be freed; NULL without memory. It is not clean. */
char *report_summary(const struct drmfault_dump *dump);

/* What was judged; lives as long as report_visit() runs. */
struct report_verdict {
	struct drmfault_verdict *verdict;
	const struct drmfault_record *record;
	/* Of the record among those that the filters let through. */
	size_t index;
	/* Not the address, but the instruction pointer. */
	bool is_ip;
};

typedef void (*report_visit)(void *data, const struct report_verdict *judged);

/* Each record that can be judged by the objects of the dump. 0, or a negative errno. */
int report_judge(const struct report *report, report_visit visit, void *data);
/* NULL without memory. */
json_t *report_verdicts_json(const struct report *report);

/* The first record of a fault with an address, else the first, else NULL. */
const struct drmfault_record *report_main_record(const struct drmfault_dump *dump);
/* Width of the GPU's addresses, 0: not known. */
uint32_t report_address_bits(const struct drmfault_dump *dump);
/* An address as it is compared here: without a sign that goes on to the left. */
uint64_t report_flat(uint64_t address, uint32_t bits);

/* A range of addresses, both ends of which are in it. */
struct span {
	uint64_t first;
	uint64_t last;
};

struct span report_record_span(const struct drmfault_record *record, uint32_t bits);
struct span report_binding_span(const struct drmfault_dump_binding *binding, uint32_t bits);
/* Bytes between the two, 0 where they touch or overlap. */
uint64_t report_distance(struct span a, struct span b);

struct near_object {
	struct drmfault_dump_binding binding;
	struct span span;
	uint64_t distance;
};

/* For qsort(): by address, and what lies in another behind it. */
int report_by_address(const void *a, const void *b);
/* Those that are nearest to a span, by their address; how many. */
size_t report_near(const struct drmfault_dump *dump, struct span span, uint32_t bits,
		   struct near_object near[NEAR_MAX]);
/* Those that ended last, the last one first; how many. */
size_t report_ended(const struct drmfault_dump *dump, struct near_object near[NEAR_MAX]);

#endif /* DRMFAULT_REPORT_H */
