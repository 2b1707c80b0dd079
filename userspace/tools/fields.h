/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_FIELDS_H
#define DRMFAULT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "drmfault.h"

enum field_kind {
	FIELD_NUMBER,
	FIELD_ADDRESS,
	FIELD_NAME,
	FIELD_STRING,
};

/*
 * One value of a record as a program reads it. Exactly one of get64, get32 and
 * string is set, value_name with get32 where numbers have names.
 */
struct field {
	const char *name;
	enum field_kind kind;
	uint64_t (*get64)(const struct drmfault_record *record);
	uint32_t (*get32)(const struct drmfault_record *record);
	const char *(*string)(const struct drmfault_record *record);
	const char *(*value_name)(uint32_t value);
};

extern const struct field fields[];
extern const size_t field_count;

#endif /* DRMFAULT_FIELDS_H */
