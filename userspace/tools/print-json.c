// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields.h"
#include "tool.h"

/* Numbers beyond 2^53 do not survive most readers of JSON: addresses are strings. */
static json_t *address_json(uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return json_string(text);
}

static json_t *name_json(const char *name, uint32_t value)
{
	if (name)
		return json_string(name);
	return value ? json_integer(value) : json_null();
}

/* A process calls itself what it likes, which need not be UTF-8. */
static json_t *string_json(const char *text)
{
	json_t *string = json_string(text);

	return string ? string : json_string("?");
}

static json_t *field_json(const struct field *field, const struct drmfault_record *record)
{
	uint64_t value;

	switch (field->kind) {
	case FIELD_STRING:
		return string_json(field->string(record));
	case FIELD_NAME:
		value = field->get32(record);
		return name_json(field->value_name((uint32_t)value), (uint32_t)value);
	case FIELD_ADDRESS:
		return address_json(field->get64(record));
	default:
		value = field->get64 ? field->get64(record) : field->get32(record);
		return json_integer((json_int_t)value);
	}
}

static json_t *flags_json(uint32_t flags)
{
	json_t *array = json_array();
	unsigned int bit;

	for (bit = 0; bit < 32; bit++)
		if (flags >> bit & 1)
			json_array_append_new(
				array, name_json(drmfault_flag_name(bit), UINT32_C(1) << bit));
	return array;
}

static json_t *raw_json(const struct drmfault_record *record)
{
	json_t *array = json_array();
	uint32_t i;

	for (i = 0; i < drmfault_record_raw_count(record); i++)
		json_array_append_new(array, address_json(drmfault_record_raw(record, i)));
	return array;
}

int print_record_json(const struct drmfault_record *record)
{
	json_t *object = json_object();
	size_t i;
	int bad = 0;

	for (i = 0; i < field_count; i++)
		bad |= json_object_set_new(object, fields[i].name, field_json(&fields[i], record));
	bad |= json_object_set_new(object, "flags", flags_json(drmfault_record_flags(record)));
	bad |= json_object_set_new(object, "raw", raw_json(record));
	if (bad) {
		json_decref(object);
		return fail("print JSON", -ENOMEM);
	}
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
	return EXIT_SUCCESS;
}
