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
/* NULL without memory. */
json_t *dump_json(const struct drmfault_dump *dump, const char *file,
		  const struct options *options);

#endif /* DRMFAULT_TOOL_DUMP_H */
