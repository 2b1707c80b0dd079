// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "relation.h"

#define HASH_START 2166136261u
#define HASH_PRIME 16777619u

/* Lines of a text that say what went wrong come early; more of them differ each time. */
#define TEXT_HEAD  4096
#define TEXT_LINES 8

/* FNV-1a: no secret hangs on it. */
static uint32_t hash(uint32_t value, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;

	for (; size--; byte++)
		value = (value ^ *byte) * HASH_PRIME;
	return value;
}

/* Words with blanks get a dash: a fingerprint is one word and its hash. */
static void add_word(char *text, const char *word)
{
	size_t used = strlen(text);

	if (used && used + 1 < FINGERPRINT_SIZE)
		text[used++] = '/';
	for (; *word && used + 1 < FINGERPRINT_SIZE - 10; word++)
		text[used++] = isgraph((unsigned char)*word) && *word != '/' ? *word : '-';
	text[used] = '\0';
}

static void add_hash(char *text, uint32_t value)
{
	snprintf(text + strlen(text), FINGERPRINT_SIZE - strlen(text), " %08" PRIx32, value);
}

/* What begins an incident; a fault tells more than the reset that follows from it. */
const struct drmfault_record *first_record(const struct drmfault_dump *dump, uint32_t type)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	const struct drmfault_record *first = NULL, *record;
	size_t i;

	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++)
		if ((!type || drmfault_record_type(record) == type) &&
		    (!first ||
		     drmfault_record_timestamp_ns(record) < drmfault_record_timestamp_ns(first)))
			first = record;
	return first;
}

static const char *or_dash(const char *name)
{
	return name ? name : "-";
}

static const char *driver_of(const struct drmfault_dump *dump, struct drmfault_dump_device *device)
{
	*device = (struct drmfault_dump_device){ .size = sizeof(*device) };
	return drmfault_dump_device(dump, 0, device) || !*device->driver ? "unknown"
									 : device->driver;
}

void fingerprint_of_dump(const struct drmfault_dump *dump, char text[FINGERPRINT_SIZE])
{
	const struct drmfault_record *fault = first_record(dump, DRMFAULT_RECORD_FAULT);
	const struct drmfault_record *any = fault ? fault : first_record(dump, 0);
	struct drmfault_dump_device device;

	*text = '\0';
	add_word(text, driver_of(dump, &device));
	if (fault) {
		add_word(text, or_dash(drmfault_access_name(drmfault_record_access(fault))));
		add_word(text, or_dash(drmfault_type_name(drmfault_record_fault_type(fault))));
	} else if (any) {
		add_word(text, or_dash(drmfault_record_type_name(drmfault_record_type(any))));
	} else {
		add_word(text, "empty");
	}
	if (any)
		add_word(text,
			 or_dash(drmfault_engine_class_name(drmfault_record_engine_class(any))));
	if (fault)
		add_word(text, address_relation(dump, fault));
	add_hash(text, hash(HASH_START, text, strlen(text)));
}

/* A number, also one with a prefix or of hexadecimal digits only, is one '#'. */
static size_t skip_number(const char *text, size_t size)
{
	size_t i = 0;
	bool digit = false;

	while (i < size && (isxdigit((unsigned char)text[i]) || text[i] == 'x' || text[i] == '.')) {
		digit |= isdigit((unsigned char)text[i]) != 0;
		i++;
	}
	return digit ? i : 0;
}

/* What differs each time goes: numbers, addresses, and blanks around them. */
static uint32_t hash_line(uint32_t value, const char *line, size_t size)
{
	bool in_word = false;
	size_t i = 0, n;

	while (i < size) {
		n = in_word ? 0 : skip_number(line + i, size - i);
		if (n) {
			value = hash(value, "#", 1);
			i += n;
			continue;
		}
		in_word = isalnum((unsigned char)line[i]) || line[i] == '_';
		if (!isdigit((unsigned char)line[i]) && !isspace((unsigned char)line[i]))
			value = hash(value, line + i, 1);
		i++;
	}
	return hash(value, "\n", 1);
}

/* When it was and who it was is not what went wrong. */
static bool is_of_this_time(const char *line, size_t size)
{
	static const char *const starts[] = { "kernel:",	"time:",    "process_name:",
					      "Snapshot time:", "Process:", "comm:",
					      "cmdline:",	"Uptime:" };
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (size >= strlen(starts[i]) && !memcmp(line, starts[i], strlen(starts[i])))
			return true;
	return false;
}

void fingerprint_of_text(const char *driver, const void *bytes, size_t size,
			 char text[FINGERPRINT_SIZE])
{
	const char *line = bytes, *end = line + (size < TEXT_HEAD ? size : TEXT_HEAD), *next;
	bool is_text = !memchr(bytes, '\0', (size_t)(end - line));
	uint32_t value = HASH_START;
	int lines = 0;

	*text = '\0';
	add_word(text, driver && *driver ? driver : "unknown");
	add_word(text, is_text ? "text" : "binary");
	/* Of a binary, nothing is known to be the same each time but that it is one. */
	for (; is_text && line < end && lines < TEXT_LINES; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		if (is_of_this_time(line, (size_t)(next - line)))
			continue;
		value = hash_line(value, line, (size_t)(next - line));
		lines++;
	}
	add_hash(text, hash(value, text, strlen(text)));
}
