/* SPDX-License-Identifier: MIT */
/* All that a dump holds, for people and as JSON. */
#ifndef DRMFAULT_TOOL_DUMP_H
#define DRMFAULT_TOOL_DUMP_H

#include <jansson.h>

#include "drmfault_dump.h"
#include "tool.h"

struct bytes;

/* Prints any kind of dump, as text or JSON; EXIT_FAILURE after saying why. */
int decode_bytes(const struct bytes *bytes, const char *file, const struct options *options);
/* Could it print more than a complaint? */
bool decode_knows(const struct bytes *bytes);
/* The JSON of any kind of dump; null for one that nobody knows, NULL without memory. */
json_t *decode_json(const struct bytes *bytes, const char *file, const struct options *options);
void dump_print(const struct drmfault_dump *dump, const char *file, const struct options *options);
/* Parts of that: when, where and whose; the records and their sums. */
void dump_print_facts(const struct drmfault_dump *dump);
void dump_print_records(const struct drmfault_dump *dump, const struct options *options);
/* Text that anybody may have written, without what a terminal would obey. */
void dump_print_clean(const char *text);
/* NULL without memory. */
json_t *dump_json(const struct drmfault_dump *dump, const char *file,
		  const struct options *options);
/* There may be a million bindings: the rest, and one. */
json_t *dump_json_without_bindings(const struct drmfault_dump *dump, const char *file,
				   const struct options *options);
json_t *dump_binding_json(const struct drmfault_dump_binding *binding);
/* A text that somebody chose, which need not be UTF-8, as JSON is. */
json_t *dump_text_json(const char *text);
json_t *dump_number_json(uint64_t number);
json_t *dump_address_json(uint64_t address);

#endif /* DRMFAULT_TOOL_DUMP_H */
