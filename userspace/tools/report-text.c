// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"
#include "duration.h"
#include "object-type.h"
#include "report.h"

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

/* Verdicts that text has, and what each may have been. */
#define VERDICTS_MAX   10
#define CANDIDATES_MAX 4

struct verdicts {
	size_t count;
	bool colour;
};

/* One line of the time line. */
struct moment {
	uint64_t time_ns;
	const char *what;
	const struct drmfault_dump_binding *binding;
	const struct drmfault_record *record;
};

/* Colour is for those who look at it, and did not say that they want none. */
static bool in_colour(void)
{
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no && *no) && terminal && strcmp(terminal, "dumb");
}

static void heading(const char *text, bool colour)
{
	printf("\n%s%s%s\n", colour ? BOLD : "", text, colour ? PLAIN : "");
}

static void print_object(const struct drmfault_dump_binding *binding)
{
	char text[OBJECT_TYPE_SIZE];

	fputs(object_type_text(binding->object_type, text), stdout);
	if (*binding->name) {
		fputs(" \"", stdout);
		dump_print_clean(binding->name);
		putchar('"');
	} else {
		printf(" 0x%" PRIx64, binding->object);
	}
}

static void print_state(const struct drmfault_dump_binding *binding, uint64_t time_ns)
{
	char text[DURATION_SIZE];

	if (binding->bound_ns > time_ns)
		printf("bound %s later", duration_text(binding->bound_ns - time_ns, text));
	else if (binding->unbound_ns && binding->unbound_ns <= time_ns)
		printf("gone %s before", duration_text(time_ns - binding->unbound_ns, text));
	else
		fputs("bound", stdout);
}

static void print_fault_line(struct span span, bool colour)
{
	printf("%s> 0x%012" PRIx64 "..0x%012" PRIx64 "  the fault%s\n", colour ? RED : "",
	       span.first, span.last, colour ? PLAIN : "");
}

static void print_near(const struct near_object *near, size_t count,
		       const struct drmfault_record *record, struct span span, bool colour)
{
	uint64_t time_ns = drmfault_record_timestamp_ns(record);
	bool told = false;
	size_t i;

	heading("Objects around the fault, at its time", colour);
	for (i = 0; i < count; i++) {
		bool past = near[i].binding.unbound_ns && near[i].binding.unbound_ns <= time_ns;

		if (!told && near[i].span.first > span.first) {
			print_fault_line(span, colour);
			told = true;
		}
		printf("%s  0x%012" PRIx64 "..0x%012" PRIx64 "  ", colour && past ? DIM : "",
		       near[i].span.first, near[i].span.last);
		print_object(&near[i].binding);
		fputs(", ", stdout);
		print_state(&near[i].binding, time_ns);
		if (near[i].distance)
			printf(", 0x%" PRIx64 " bytes away", near[i].distance);
		puts(colour && past ? PLAIN : "");
	}
	if (!told)
		print_fault_line(span, colour);
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void print_moment(const struct moment *moment, uint64_t time_ns, bool colour)
{
	uint64_t distance = moment->time_ns > time_ns ? moment->time_ns - time_ns
						      : time_ns - moment->time_ns;
	char text[DURATION_SIZE];

	printf("%s%14s %s  ", colour && moment->record ? RED : "",
	       distance ? duration_text(distance, text) : "",
	       !distance		   ? "       "
	       : moment->time_ns > time_ns ? "later  "
					   : "earlier");
	if (moment->binding)
		print_object(moment->binding);
	printf("%s%s\n", moment->what, colour && moment->record ? PLAIN : "");
}

/* When the objects around a fault came and went. */
static void print_time_line(const struct near_object *near, size_t count,
			    const struct drmfault_record *record, bool colour)
{
	struct moment moments[2 * NEAR_MAX + 1];
	size_t used = 0, i;

	for (i = 0; i < count; i++) {
		const struct drmfault_dump_binding *binding = &near[i].binding;

		moments[used++] = (struct moment){ binding->bound_ns, " was bound", binding, NULL };
		if (binding->unbound_ns)
			moments[used++] = (struct moment){ binding->unbound_ns, " was unbound",
							   binding, NULL };
	}
	moments[used++] =
		(struct moment){ drmfault_record_timestamp_ns(record), "the fault", NULL, record };
	qsort(moments, used, sizeof(*moments), by_time);
	heading("Time line", colour);
	for (i = 0; i < used; i++)
		print_moment(&moments[i], drmfault_record_timestamp_ns(record), colour);
}

/* Where no fault is known: one of these may still have been in use. */
static void print_ended(const struct drmfault_dump *dump, bool colour)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	struct near_object near[NEAR_MAX];
	size_t count = report_ended(dump, near), i;

	if (!count || drmfault_dump_meta(dump, 0, &meta))
		return;
	heading("Objects that ended last before the file was made", colour);
	for (i = 0; i < count; i++) {
		printf("  0x%012" PRIx64 "..0x%012" PRIx64 "  ", near[i].span.first,
		       near[i].span.last);
		print_object(&near[i].binding);
		fputs(", ", stdout);
		print_state(&near[i].binding, meta.monotonic_ns);
		putchar('\n');
	}
}

static void print_surroundings(const struct report *report, bool colour)
{
	const struct drmfault_record *record = report_main_record(report->dump);
	uint32_t bits = report_address_bits(report->dump);
	struct near_object near[NEAR_MAX];
	struct span span;
	size_t count;

	if (!record || !drmfault_record_address_precision(record)) {
		print_ended(report->dump, colour);
		return;
	}
	span = report_record_span(record, bits);
	count = report_near(report->dump, span, bits, near);
	if (!count) {
		puts("\nThe file has no objects of the application: what was at the address, it "
		     "cannot say.");
		return;
	}
	print_near(near, count, record, span, colour);
	print_time_line(near, count, record, colour);
}

static void print_verdict(void *data, const struct report_verdict *judged)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	struct verdicts *verdicts = data;
	size_t i;

	if (verdicts->count++ >= VERDICTS_MAX)
		return;
	for (i = 0; i < CANDIDATES_MAX; i++) {
		if (drmfault_verdict_candidate(judged->verdict, i, &candidate))
			break;
		fputs(i ? "    or: " : "  ", stdout);
		fputs(!i && verdicts->colour ? BOLD : "", stdout);
		dump_print_clean(drmfault_verdict_text(judged->verdict, i));
		printf("%s (%s confidence)\n", !i && verdicts->colour ? PLAIN : "",
		       drmfault_confidence_name(candidate.confidence));
	}
}

static int print_verdicts(const struct report *report, bool colour)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct verdicts verdicts = { .colour = colour };
	int ret;

	if (drmfault_dump_binding(report->dump, 0, &binding))
		return EXIT_SUCCESS;
	heading("Verdict", colour);
	ret = report_judge(report, print_verdict, &verdicts);
	if (ret)
		return complain("judge the faults", ret);
	if (!verdicts.count)
		puts("  none: no record has an address");
	if (verdicts.count > VERDICTS_MAX)
		printf("  %zu more are in the JSON\n", verdicts.count - VERDICTS_MAX);
	return EXIT_SUCCESS;
}

int report_print_text(const struct report *report)
{
	char *summary = report_summary(report->dump);
	bool colour = in_colour();

	if (!summary)
		return complain("print the report", -ENOMEM);
	fputs(colour ? RED : "", stdout);
	dump_print_clean(summary);
	puts(colour ? PLAIN : "");
	free(summary);
	if (print_verdicts(report, colour))
		return EXIT_FAILURE;
	print_surroundings(report, colour);
	heading("Records", colour);
	dump_print_records(report->dump, report->options);
	heading("The file", colour);
	dump_print_facts(report->dump);
	return EXIT_SUCCESS;
}
