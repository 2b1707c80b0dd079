// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"

#define FLAG_BITS 32

static const struct field *find_field(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < field_count; i++)
		if (strlen(fields[i].name) == length && !strncmp(fields[i].name, name, length))
			return &fields[i];
	return NULL;
}

static bool parse_flag(const char *text, uint64_t *number)
{
	unsigned int bit;

	for (bit = 0; bit < FLAG_BITS && drmfault_flag_name(bit); bit++) {
		if (!strcmp(drmfault_flag_name(bit), text)) {
			*number = UINT64_C(1) << bit;
			return true;
		}
	}
	return false;
}

static bool parse_value(struct filter *filter, const char *text)
{
	const struct field *field = filter->field;
	char *end;

	if (field->kind == VALUE_STRING) {
		filter->pattern = text;
		return true;
	}
	if (field->from_name && field->from_name(text) >= 0) {
		filter->number = (uint64_t)field->from_name(text);
		return true;
	}
	if (field->kind == VALUE_FLAGS && parse_flag(text, &filter->number))
		return true;
	errno = 0;
	filter->number = strtoull(text, &end, 0);
	return !errno && end != text && !*end && *text != '-';
}

const char *filters_add(struct filters *filters, const char *text, char *message, size_t size)
{
	const char *equals = strchr(text, '=');
	struct filter filter = { 0 };

	if (filters->count == FILTERS_MAX) {
		snprintf(message, size, "more than %d filters", FILTERS_MAX);
		return message;
	}
	if (!equals) {
		snprintf(message, size, "a filter is FIELD=VALUE, which \"%s\" is not", text);
		return message;
	}
	filter.field = find_field(text, (size_t)(equals - text));
	if (!filter.field) {
		snprintf(message, size,
			 "records have no field \"%.*s\"; `drmfault show --long` lists them",
			 (int)(equals - text), text);
		return message;
	}
	if (!parse_value(&filter, equals + 1)) {
		snprintf(message, size, "\"%s\" is no value of the field \"%s\"", equals + 1,
			 filter.field->name);
		return message;
	}
	filters->list[filters->count++] = filter;
	return NULL;
}

/* An address means all bytes of its precision, and is written in either way. */
static bool address_matches(const struct filter *filter, const struct drmfault_record *record)
{
	uint32_t bits = drmfault_record_address_bits(record);
	uint64_t precision = filter->field->precision(record), wanted, first, last;

	if (!precision)
		return false;
	wanted = drmfault_canonical(filter->number, bits);
	drmfault_range(drmfault_canonical(filter->field->get64(record), bits), precision, &first,
		       &last);
	return first <= wanted && wanted <= last;
}

static bool filter_matches(const struct filter *filter, const struct drmfault_record *record)
{
	struct value value = field_value(filter->field, record);
	size_t i;

	switch (filter->field->kind) {
	case VALUE_STRING:
		return fnmatch(filter->pattern, value.text, 0) == 0;
	case VALUE_ADDRESS:
		return address_matches(filter, record);
	case VALUE_FLAGS:
		return filter->number && (value.number & filter->number) == filter->number;
	case VALUE_WORDS:
		for (i = 0; i < value.number; i++)
			if (value.words[i] == filter->number)
				return true;
		return false;
	default:
		return value.number == filter->number;
	}
}

bool filters_pass(const struct filters *filters, const struct drmfault_record *record)
{
	size_t i;

	if (drmfault_record_type(record) == DRMFAULT_RECORD_LOST)
		return true;
	for (i = 0; i < filters->count; i++)
		if (!filter_matches(&filters->list[i], record))
			return false;
	return true;
}
