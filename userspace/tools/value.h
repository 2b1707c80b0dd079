/* SPDX-License-Identifier: MIT */
/* One value that is shown, and its two forms: for people and as JSON. */
#ifndef DRMFAULT_VALUE_H
#define DRMFAULT_VALUE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define VALUE_WORDS_MAX 4
/* Room for the longest text that a value has. */
#define VALUE_TEXT 128

enum value_kind {
	VALUE_NONE,    /* not known: "-" and null */
	VALUE_NUMBER,  /* 5 and 5 */
	VALUE_ADDRESS, /* 0x5 and "0x5" */
	VALUE_NAME,    /* @text, or @number where it has no name */
	VALUE_STRING,  /* @text, which somebody else chose */
	VALUE_FLAGS,   /* the names of the bits of @number */
	VALUE_WORDS,   /* @number of @words */
};

struct value {
	enum value_kind kind;
	uint64_t number;
	const char *text;
	uint64_t words[VALUE_WORDS_MAX];
};

/* Into @text of @size bytes; returns it. */
const char *value_text(const struct value *value, char *text, size_t size);
/* NULL without memory. */
json_t *value_json(const struct value *value);

/* Copies a name that a process or driver chose, without what a terminal would obey. */
const char *clean_text(const char *name, char *text, size_t size);

#endif /* DRMFAULT_VALUE_H */
