/* SPDX-License-Identifier: MIT */
/* All values of a record: what is printed of them, in either form, is this table. */
#ifndef DRMFAULT_FIELDS_H
#define DRMFAULT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drmfault.h"
#include "value.h"

/*
 * Exactly one of get64, get32 and string is set. Names have both directions,
 * addresses the getter of their precision.
 */
struct field {
	const char *name;
	const char *unit;
	enum value_kind kind;
	uint64_t (*get64)(const struct drmfault_record *record);
	uint32_t (*get32)(const struct drmfault_record *record);
	const char *(*string)(const struct drmfault_record *record);
	const char *(*value_name)(uint32_t value);
	int (*from_name)(const char *name);
	uint64_t (*precision)(const struct drmfault_record *record);
};

extern const struct field fields[];
extern const size_t field_count;

struct value field_value(const struct field *field, const struct drmfault_record *record);

#endif /* DRMFAULT_FIELDS_H */
