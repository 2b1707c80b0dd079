/* SPDX-License-Identifier: MIT */
/* All that a dump holds, for people and as JSON. */
#ifndef DRMFAULT_TOOL_DUMP_H
#define DRMFAULT_TOOL_DUMP_H

#include <jansson.h>

#include "drmfault_dump.h"
#include "tool.h"

void dump_print(const struct drmfault_dump *dump, const char *file, const struct options *options);
/* NULL without memory. */
json_t *dump_json(const struct drmfault_dump *dump, const char *file,
		  const struct options *options);

#endif /* DRMFAULT_TOOL_DUMP_H */
