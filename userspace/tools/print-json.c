// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

#include "fields.h"
#include "tool.h"

json_t *record_json(const struct drmfault_record *record)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < field_count; i++) {
		struct value value = field_value(&fields[i], record);

		if (json_object_set_new(object, fields[i].name, value_json(&value))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* JSON has to escape some control characters, and a terminal obeys others as well. */
int write_json(const json_t *json, size_t flags)
{
	if (isatty(STDOUT_FILENO))
		flags |= JSON_ENSURE_ASCII;
	return json_dumpf(json, stdout, JSON_COMPACT | flags);
}

int print_json(json_t *json)
{
	int ret;

	if (!json)
		return complain("print JSON", -ENOMEM);
	/* Jansson writes each comma by itself, and no other thread writes. */
	__fsetlocking(stdout, FSETLOCKING_BYCALLER);
	ret = write_json(json, 0);
	putchar('\n');
	json_decref(json);
	/* Unless it could not be written, which finish_output() finds. */
	return ret && !ferror(stdout) ? complain("print JSON", -ENOMEM) : EXIT_SUCCESS;
}
