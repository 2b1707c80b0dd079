// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "foreign.h"
#include "value.h"

/* What tells whose a dump is comes first, and so do the lines that are wanted. */
#define HEAD  4096
#define LINES 65536

struct foreign {
	const char *driver;
	/* Of the first bytes, and what else is among those of the head; may be NULL. */
	const char *start;
	const char *contains;
	bool text;
};

static const struct foreign foreigns[] = {
	{ "amdgpu", "**** AMDGPU Device Coredump ****", NULL, true },
	{ "xe", "**** Xe Device Coredump ****", NULL, true },
	{ "msm display", "---\n", "\ndpu devcoredump", true },
	{ "msm", "---\n", "\nmodule: msm\n", true },
	{ "panfrost", "PANF", NULL, false },
	{ "etnaviv", "ETNA", NULL, false },
};

/* How lines begin, and what they are called here. The first of each counts. */
static const struct {
	const char *start;
	const char *name;
} lines[] = {
	{ "kernel:", "kernel" },
	{ "time:", "time" },
	{ "Snapshot time:", "time" },
	{ "process_name:", "process" },
	{ "Process:", "process" },
	{ "comm:", "process" },
	{ "cmdline:", "command" },
	{ "Reason:", "reason" },
	{ "pasid:", "pasid" },
	{ "vmid:", "vmid" },
	{ "Faulty page starting at address:", "address" },
	{ "- iova=", "address" },
	{ "Protection fault status register:", "status" },
	{ "- dir=", "access" },
	{ "- type=", "fault" },
	{ "- source=", "source" },
};

#define LINE_COUNT (sizeof(lines) / sizeof(lines[0]))

const struct foreign *foreign_recognise(const uint8_t *bytes, size_t size)
{
	size_t i, length, head = size < HEAD ? size : HEAD;

	for (i = 0; i < sizeof(foreigns) / sizeof(foreigns[0]); i++) {
		const struct foreign *foreign = &foreigns[i];

		length = strlen(foreign->start);
		if (size < length || memcmp(bytes, foreign->start, length))
			continue;
		if (!foreign->contains ||
		    memmem(bytes, head, foreign->contains, strlen(foreign->contains)))
			return foreign;
	}
	return NULL;
}

/* Copies what follows the start of a line, of @length bytes, without what surrounds it. */
static void copy_value(const char *line, size_t length, char *value, size_t size)
{
	char text[VALUE_TEXT];

	while (length && strchr(" \t", *line)) {
		line++;
		length--;
	}
	if (length > sizeof(text) - 1)
		length = sizeof(text) - 1;
	memcpy(text, line, length);
	text[length] = '\0';
	clean_text(text, value, size);
}

static bool is_known(const char *name, char values[][VALUE_TEXT])
{
	size_t i;

	for (i = 0; i < LINE_COUNT; i++)
		if (!strcmp(lines[i].name, name) && *values[i])
			return true;
	return false;
}

static void take_line(const char *line, size_t length, char values[][VALUE_TEXT])
{
	size_t i, start;

	while (length && *line == ' ') {
		line++;
		length--;
	}
	for (i = 0; i < LINE_COUNT; i++) {
		start = strlen(lines[i].start);
		if (length < start || memcmp(line, lines[i].start, start) ||
		    is_known(lines[i].name, values))
			continue;
		copy_value(line + start, length - start, values[i], VALUE_TEXT);
		return;
	}
}

static void take_lines(const struct foreign *foreign, const uint8_t *bytes, size_t size,
		       char values[][VALUE_TEXT])
{
	const char *line = (const char *)bytes, *end = line + (size < LINES ? size : LINES);
	const char *next;

	memset(values, 0, LINE_COUNT * sizeof(*values));
	for (; foreign->text && line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		take_line(line, (size_t)(next - line), values);
	}
}

void foreign_print(const struct foreign *foreign, const char *file, const uint8_t *bytes,
		   size_t size)
{
	char values[LINE_COUNT][VALUE_TEXT];
	size_t i;

	take_lines(foreign, bytes, size, values);
	printf("%s: a dump of the driver %s, which this program does not decode\n", file,
	       foreign->driver);
	for (i = 0; i < LINE_COUNT; i++)
		if (*values[i])
			printf("  %-9s %s\n", lines[i].name, values[i]);
}

json_t *foreign_json(const struct foreign *foreign, const char *file, const uint8_t *bytes,
		     size_t size)
{
	const struct value name = { .kind = VALUE_STRING, .text = file };
	char values[LINE_COUNT][VALUE_TEXT];
	json_t *object = json_pack("{s:o, s:s, s:s}", "file", value_json(&name), "form", "foreign",
				   "driver", foreign->driver);
	size_t i;

	take_lines(foreign, bytes, size, values);
	for (i = 0; object && i < LINE_COUNT; i++) {
		const struct value value = { .kind = VALUE_STRING, .text = values[i] };

		if (*values[i] && json_object_set_new(object, lines[i].name, value_json(&value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}
