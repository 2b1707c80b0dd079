// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "object-type.h"
#include "page.h"
#include "report.h"

/* More than a browser draws with ease; those that are nearest to faults stay. */
#define OBJECTS_MAX 200000
/* Faults that objects are measured by where there are too many. */
#define SPANS_MAX 64

struct objects {
	struct near_object *all;
	size_t count;
	size_t left_out;
};

/* Text between tags. */
static void print_escaped(const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		case '&':
			fputs("&amp;", stdout);
			break;
		default:
			/* What is not ASCII is told by the script, which knows how. */
			putchar(*text >= ' ' && *text < 0x7f ? *text : '?');
		}
}

/* JSON in which nothing looks like a tag; these characters are in its strings only. */
static int print_inert(const char *bytes, size_t size, void *data)
{
	size_t i;

	(void)data;
	for (i = 0; i < size; i++)
		if (strchr("<>&", bytes[i]) && bytes[i])
			printf("\\u%04x", (unsigned int)bytes[i]);
		else
			putchar(bytes[i]);
	return ferror(stdout) ? -1 : 0;
}

static void print_value(json_t *json, size_t flags)
{
	json_dump_callback(json, print_inert, NULL,
			   flags | JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
	json_decref(json);
}

static size_t find_spans(const struct drmfault_dump *dump, uint32_t bits,
			 struct span spans[SPANS_MAX])
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	size_t count = 0, i;

	for (i = 0; i < drmfault_snapshot_count(snapshot) && count < SPANS_MAX; i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (drmfault_record_address_precision(record))
			spans[count++] = report_record_span(record, bits);
	}
	return count;
}

static int by_distance(const void *a, const void *b)
{
	const struct near_object *x = a, *y = b;

	return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static void measure(struct near_object *object, const struct span *spans, size_t count)
{
	size_t i;

	object->distance = UINT64_MAX;
	for (i = 0; i < count; i++) {
		uint64_t distance = report_distance(object->span, spans[i]);

		if (distance < object->distance)
			object->distance = distance;
	}
}

static int read_objects(const struct drmfault_dump *dump, uint32_t bits, struct objects *objects)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct span spans[SPANS_MAX];
	size_t span_count = find_spans(dump, bits, spans), i;

	memset(objects, 0, sizeof(*objects));
	while (!drmfault_dump_binding(dump, objects->count, &binding))
		objects->count++;
	objects->all = calloc(objects->count + 1, sizeof(*objects->all));
	if (!objects->all)
		return -ENOMEM;
	for (i = 0; i < objects->count; i++) {
		struct near_object *object = &objects->all[i];

		object->binding.size = sizeof(object->binding);
		drmfault_dump_binding(dump, i, &object->binding);
		object->span = report_binding_span(&object->binding, bits);
		measure(object, spans, span_count);
	}
	if (objects->count > OBJECTS_MAX) {
		qsort(objects->all, objects->count, sizeof(*objects->all), by_distance);
		objects->left_out = objects->count - OBJECTS_MAX;
		objects->count = OBJECTS_MAX;
	}
	qsort(objects->all, objects->count, sizeof(*objects->all), report_by_address);
	return 0;
}

/* One column of all objects: what a number or text costs, an object does not. */
static void print_column(const struct objects *objects, const char *name,
			 void (*print)(const struct near_object *object, uint64_t base),
			 uint64_t base)
{
	size_t i;

	printf(",\"%s\":[", name);
	for (i = 0; i < objects->count; i++) {
		if (i)
			putchar(',');
		print(&objects->all[i], base);
	}
	putchar(']');
}

static void print_name(const struct near_object *object, uint64_t base)
{
	(void)base;
	print_value(dump_text_json(object->binding.name), 0);
}

static void print_first(const struct near_object *object, uint64_t base)
{
	(void)base;
	printf("\"%" PRIx64 "\"", object->span.first);
}

static void print_last(const struct near_object *object, uint64_t base)
{
	(void)base;
	printf("\"%" PRIx64 "\"", object->span.last);
}

static void print_handle(const struct near_object *object, uint64_t base)
{
	(void)base;
	printf("\"%" PRIx64 "\"", object->binding.object);
}

static void print_type(const struct near_object *object, uint64_t base)
{
	(void)base;
	printf("%" PRIu32, object->binding.object_type);
}

static void print_flags(const struct near_object *object, uint64_t base)
{
	(void)base;
	printf("%" PRIu32, object->binding.flags);
}

/* Counted from the fault on, nanoseconds stay exact in a script. */
static void print_time(uint64_t time_ns, uint64_t base)
{
	printf("%" PRId64, (int64_t)(time_ns - base));
}

static void print_bound(const struct near_object *object, uint64_t base)
{
	print_time(object->binding.bound_ns, base);
}

static void print_unbound(const struct near_object *object, uint64_t base)
{
	if (object->binding.unbound_ns)
		print_time(object->binding.unbound_ns, base);
	else
		fputs("null", stdout);
}

/* What the types that occur are called; a type need not have a name. */
static json_t *types_json(const struct objects *objects)
{
	json_t *json = json_object();
	char key[16];
	size_t i;

	for (i = 0; json && i < objects->count; i++) {
		uint32_t type = objects->all[i].binding.object_type;
		const char *name = object_type_name(type);

		if (!name || (i && objects->all[i - 1].binding.object_type == type))
			continue;
		snprintf(key, sizeof(key), "%" PRIu32, type);
		json_object_set_new(json, key, json_string(name));
	}
	return json;
}

static void print_objects(const struct objects *objects, uint64_t base)
{
	printf(",\"objects\":{\"left_out\":%zu,\"types\":", objects->left_out);
	print_value(types_json(objects), 0);
	print_column(objects, "name", print_name, base);
	print_column(objects, "first", print_first, base);
	print_column(objects, "last", print_last, base);
	print_column(objects, "bound", print_bound, base);
	print_column(objects, "unbound", print_unbound, base);
	print_column(objects, "handle", print_handle, base);
	print_column(objects, "type", print_type, base);
	print_column(objects, "flags", print_flags, base);
	putchar('}');
}

/* Where and when the records are, in the numbers that the objects have. */
static void print_places(const struct report *report, uint32_t bits, uint64_t base)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(report->dump);
	const char *comma = "";
	size_t i;

	printf(",\"base_ns\":\"%" PRIu64 "\",\"places\":[", base);
	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);
		struct span span = report_record_span(record, bits);

		if (!filters_pass(&report->options->filters, record))
			continue;
		printf("%s{\"ns\":", comma);
		print_time(drmfault_record_timestamp_ns(record), base);
		if (drmfault_record_type(record) == DRMFAULT_RECORD_FAULT &&
		    drmfault_record_address_precision(record))
			printf(",\"first\":\"%" PRIx64 "\",\"last\":\"%" PRIx64 "\"", span.first,
			       span.last);
		putchar('}');
		comma = ",";
	}
	putchar(']');
}

static void print_part(const unsigned char *part, size_t size)
{
	fwrite(part, 1, size, stdout);
}

int report_print_html(const struct report *report)
{
	const struct drmfault_record *record = report_main_record(report->dump);
	uint64_t base = record ? drmfault_record_timestamp_ns(record) : 0;
	uint32_t bits = report_address_bits(report->dump);
	char *summary = report_summary(report->dump);
	json_t *json = report_json(report);
	struct objects objects;

	if (!json || !summary || read_objects(report->dump, bits, &objects)) {
		json_decref(json);
		free(summary);
		return complain("make the page", -ENOMEM);
	}
	print_part(page_before_summary, page_before_summary_size);
	print_escaped(summary);
	print_part(page_before_data, page_before_data_size);
	putchar('{');
	print_value(json, JSON_EMBED);
	print_places(report, bits, base);
	print_objects(&objects, base);
	putchar('}');
	print_part(page_after_data, page_after_data_size);
	free(objects.all);
	free(summary);
	return EXIT_SUCCESS;
}
