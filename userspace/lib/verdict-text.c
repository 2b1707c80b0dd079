// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

/* A line with the longest name in it. */
#define TEXT_BYTES (NAME_BYTES + 256)

#define LOOKUP(table, n) ((table)[(n) < sizeof(table) / sizeof((table)[0]) ? (n) : 0])

struct text {
	char start[TEXT_BYTES];
	size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
	size_t left = sizeof(text->start) - text->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->start + text->used, left, format, args);
	va_end(args);
	if (length > 0)
		text->used += (size_t)length < left ? (size_t)length : left - 1;
}

/* What was done, alone and with a word that an object may follow. */
static const struct {
	const char *alone;
	const char *to;
} accesses[] = {
	[DRMFAULT_ACCESS_UNKNOWN] = { "access", "access to" },
	[DRMFAULT_ACCESS_READ] = { "read", "read of" },
	[DRMFAULT_ACCESS_WRITE] = { "write", "write to" },
	[DRMFAULT_ACCESS_EXECUTE] = { "instruction fetch", "instruction fetch from" },
	[DRMFAULT_ACCESS_ATOMIC] = { "atomic access", "atomic access to" },
};

static const char *alone(const struct inquiry *inquiry)
{
	return inquiry->args.is_instruction ? "instruction pointer"
					    : LOOKUP(accesses, inquiry->args.access).alone;
}

static const char *to(const struct inquiry *inquiry)
{
	return inquiry->args.is_instruction ? "instruction pointer in"
					    : LOOKUP(accesses, inquiry->args.access).to;
}

/* A name is the application's, and this is one line. */
static void add_name(struct text *text, const char *name)
{
	char clean[NAME_BYTES];
	size_t i;

	for (i = 0; name[i] && i < sizeof(clean) - 1; i++)
		clean[i] = (unsigned char)name[i] < ' ' || name[i] == 0x7f ? '?' : name[i];
	clean[i] = '\0';
	add(text, " \"%s\"", clean);
}

static void add_object(struct text *text, const struct inquiry *inquiry,
		       const struct drmfault_dump_binding *binding)
{
	const struct drmfault_verdict_args *args = &inquiry->args;
	const char *type = NULL;
	size_t i;

	for (i = 0; !type && i < args->type_count; i++)
		if (args->types[i].type == binding->object_type)
			type = args->types[i].name;
	if (type)
		add(text, "%s", type);
	else
		add(text, "an object of type %" PRIu32 ",", binding->object_type);
	if (*binding->name)
		add_name(text, binding->name);
	else
		add(text, " 0x%" PRIx64, binding->object);
}

static void add_range(struct text *text, const struct drmfault_verdict_candidate *shown)
{
	add(text, "0x%" PRIx64, shown->offset);
	if (shown->offset_max != shown->offset)
		add(text, " to 0x%" PRIx64, shown->offset_max);
}

/* Three digits are enough for a person. */
static void add_duration(struct text *text, uint64_t ns)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	size_t i = 0;
	double value;

	while (units[i].ns > 1 && (double)ns < units[i].ns)
		i++;
	value = (double)ns / units[i].ns;
	add(text, "%.*f %s", value < 10 && units[i].ns > 1 ? 1 : 0, value, units[i].unit);
}

/* ", freed 3.2 ms earlier" */
static void add_end(struct text *text, const char *how,
		    const struct drmfault_verdict_candidate *shown)
{
	add(text, ", %s", how);
	if (shown->ago_ns) {
		add(text, " ");
		add_duration(text, shown->ago_ns);
		add(text, " earlier");
	} else {
		add(text, " before");
	}
}

static const char *how_it_ended(const struct drmfault_verdict_candidate *shown)
{
	return shown->binding.flags & DRMFAULT_BINDING_DESTROYED ? "freed" : "unbound";
}

/* Ended ones are those with a time at or before that of the fault. */
static bool had_ended(const struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown)
{
	uint64_t end = shown->binding.unbound_ns, time = inquiry->args.time_ns;

	return end && (!time || end <= time);
}

static void add_inside(struct text *text, const struct inquiry *inquiry,
		       const struct drmfault_verdict_candidate *shown)
{
	add(text, "%s ", to(inquiry));
	add_object(text, inquiry, &shown->binding);
	add(text, " at ");
	add_range(text, shown);
}

static void add_beside(struct text *text, const struct inquiry *inquiry,
		       const struct drmfault_verdict_candidate *shown)
{
	bool is_behind = shown->reason == DRMFAULT_REASON_PAST_END;

	add(text, "%s ", alone(inquiry));
	if (shown->offset_max)
		add_range(text, shown);
	else
		add(text, "right");
	add(text, is_behind ? " past the end of " : " before the start of ");
	add_object(text, inquiry, &shown->binding);
}

static void add_address(struct text *text, const struct inquiry *inquiry)
{
	add(text, "%s at address 0x%" PRIx64, alone(inquiry), inquiry->first);
	if (inquiry->last != inquiry->first)
		add(text, " to 0x%" PRIx64, inquiry->last);
}

static void add_unknown(struct text *text, const struct inquiry *inquiry)
{
	add_address(text, inquiry);
	add(text, ", where nothing is known to have been");
	if (inquiry->verdict->forgotten)
		add(text, " (%" PRIu64 " older bindings are forgotten)",
		    inquiry->verdict->forgotten);
}

static void add_later(struct text *text, const struct drmfault_verdict_candidate *shown)
{
	add(text, ", bound ");
	add_duration(text, shown->ago_ns);
	add(text, " later");
}

/* What follows an object in which the fault was; NULL: when it ended does. */
static const char *const comments[] = {
	[DRMFAULT_REASON_READ_ONLY] = ", which is read-only",
	[DRMFAULT_REASON_NOT_CODE] = ", which is no code",
	[DRMFAULT_REASON_GPU_SAID] = ", which does not allow it",
	[DRMFAULT_REASON_NO_MEMORY] = ", which has no memory there",
	[DRMFAULT_REASON_BOUND] = ", which was bound",
	[DRMFAULT_REASON_OF_DRIVER] = ", which is the driver's own",
	[DRMFAULT_REASON_UNKNOWN_ADDRESS] = NULL,
};

static void add_comment(struct text *text, const struct inquiry *inquiry,
			const struct drmfault_verdict_candidate *shown)
{
	const char *comment = comments[shown->reason];

	if (shown->kind == DRMFAULT_VERDICT_SPARSE_HOLE && inquiry->is_partial)
		comment = ", which may have no memory there";

	if (shown->reason == DRMFAULT_REASON_BOUND_LATER)
		add_later(text, shown);
	else if (shown->reason == DRMFAULT_REASON_MEMORY_ENDED)
		add_end(text, "whose memory was freed", shown);
	else if (had_ended(inquiry, shown))
		add_end(text, how_it_ended(shown), shown);
	else if (comment && shown->kind != DRMFAULT_VERDICT_CODE)
		add(text, "%s", comment);
	if (shown->kind == DRMFAULT_VERDICT_INTERNAL && had_ended(inquiry, shown))
		add(text, "%s", comments[DRMFAULT_REASON_OF_DRIVER]);
}

char *verdict_text(const struct inquiry *inquiry, const struct drmfault_verdict_candidate *shown)
{
	struct text text = { .used = 0 };

	switch (shown->kind) {
	case DRMFAULT_VERDICT_NULL:
		add_address(&text, inquiry);
		add(&text, ", null or close to it");
		break;
	case DRMFAULT_VERDICT_NEVER_BOUND:
		add_unknown(&text, inquiry);
		break;
	case DRMFAULT_VERDICT_OUT_OF_BOUNDS:
		add_beside(&text, inquiry, shown);
		add_comment(&text, inquiry, shown);
		break;
	default:
		add_inside(&text, inquiry, shown);
		add_comment(&text, inquiry, shown);
		break;
	}
	return strdup(text.start);
}
