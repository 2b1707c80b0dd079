// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "object-type.h"
#include "report.h"

/* The line of the layer on which call it was. */
#define REASON "reason="

/* What the main record says, in the order of its importance. */
static char *record_summary(const struct drmfault_record *record)
{
	const char *access = drmfault_access_name(drmfault_record_access(record));
	const char *type = drmfault_type_name(drmfault_record_fault_type(record));
	char where[40] = "", *text;
	int ret;

	switch (drmfault_record_type(record)) {
	case DRMFAULT_RECORD_FAULT:
		if (drmfault_record_address_precision(record))
			snprintf(where, sizeof(where), " at 0x%012" PRIx64,
				 drmfault_record_address(record));
		ret = asprintf(&text, "GPU page fault: %s%s%s%s", access ? access : "access", where,
			       type ? ", " : "", type ? type : "");
		break;
	case DRMFAULT_RECORD_TIMEOUT:
		ret = asprintf(&text, "GPU hang: job %" PRIu64 " did not end in time",
			       drmfault_record_job_seqno(record));
		break;
	case DRMFAULT_RECORD_RESET:
		ret = asprintf(&text, "GPU reset");
		break;
	case DRMFAULT_RECORD_WEDGED:
		ret = asprintf(&text, "the GPU is wedged");
		break;
	default:
		ret = asprintf(&text, "GPU event");
	}
	return ret < 0 ? NULL : text;
}

/* Of a hang the layer knows no more than which call it was. */
static char *summary_without_records(const struct drmfault_dump *dump)
{
	struct drmfault_dump_application application = { .size = sizeof(application) };
	const char *line, *name = "a Vulkan application";
	char *text;
	size_t i;

	if (!drmfault_dump_application(dump, 0, &application) && application.application_name &&
	    *application.application_name)
		name = application.application_name;
	for (i = 0; (line = drmfault_dump_host(dump, i)); i++)
		if (!strncmp(line, REASON, sizeof(REASON) - 1))
			return asprintf(&text, "%s: %s", name, line + sizeof(REASON) - 1) < 0
				       ? NULL
				       : text;
	return asprintf(&text, "a dump without records") < 0 ? NULL : text;
}

char *report_summary(const struct drmfault_dump *dump)
{
	const struct drmfault_record *record = report_main_record(dump);
	char *what, *text;

	if (!record)
		return summary_without_records(dump);
	what = record_summary(record);
	if (!what || !*drmfault_record_comm(record))
		return what;
	if (asprintf(&text, "%s[%" PRIu32 "]: %s", drmfault_record_comm(record),
		     drmfault_record_pid(record), what) < 0)
		text = NULL;
	free(what);
	return text;
}

json_t *report_json(const struct report *report)
{
	json_t *json = dump_json_without_bindings(report->dump, report->file, report->options);
	char *summary = report_summary(report->dump);
	json_t *text = summary ? dump_text_json(summary) : NULL;
	bool failed;

	free(summary);
	failed =
		!json ||
		json_object_set_new(json, "report_version", json_integer(REPORT_VERSION)) ||
		json_object_set_new(json, "generator", json_string("drmfault " DRMFAULT_VERSION)) ||
		json_object_set_new(json, "summary", text) ||
		json_object_set_new(json, "verdicts", report_verdicts_json(report));
	if (!failed)
		return json;
	json_decref(json);
	return NULL;
}

json_t *report_binding_json(const struct drmfault_dump_binding *binding)
{
	const char *type = object_type_name(binding->object_type);
	json_t *json = dump_binding_json(binding);

	if (json)
		json_object_set_new(json, "type", type ? json_string(type) : json_null());
	return json;
}

/* There may be a million objects: they are not made all at once. */
static void print_bindings(const struct drmfault_dump *dump)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	json_t *json;
	size_t i;

	fputs(",\"bindings\":[", stdout);
	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++) {
		json = report_binding_json(&binding);
		if (i)
			putchar(',');
		write_json(json, 0);
		json_decref(json);
	}
	fputs("]", stdout);
}

int report_print_json(const struct report *report)
{
	json_t *json = report_json(report);

	if (!json)
		return complain("print JSON", -ENOMEM);
	putchar('{');
	write_json(json, JSON_EMBED);
	json_decref(json);
	print_bindings(report->dump);
	puts("}");
	return EXIT_SUCCESS;
}
