// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "drmfault.h"
#include "value.h"

#define BITS 32

/* Characters that are not seen, but turn around or hide what is beside them. */
static bool is_hidden(wchar_t c)
{
	static const struct {
		wchar_t first;
		wchar_t last;
	} ranges[] = {
		{ 0xad, 0xad },	    { 0x61c, 0x61c },	{ 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb },
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

const char *clean_text(const char *name, char *text, size_t size)
{
	mbstate_t state = { 0 };
	size_t left = strlen(name), used = 0, n;
	wchar_t c;

	while (left && used + MB_CUR_MAX < size) {
		n = mbrtowc(&c, name, left, &state);
		if (n == 0 || n > left || !iswprint((wint_t)c) || is_hidden(c)) {
			text[used++] = '?';
			if (n == 0 || n > left) {
				memset(&state, 0, sizeof(state));
				n = 1;
			}
		} else {
			memcpy(text + used, name, n);
			used += n;
		}
		name += n;
		left -= n;
	}
	text[used] = '\0';
	return text;
}

static void flags_text(uint32_t flags, char *text, size_t size)
{
	size_t used = 0;
	unsigned int bit;
	int n;

	for (bit = 0; bit < BITS && used < size; bit++) {
		if (!(flags >> bit & 1))
			continue;
		if (drmfault_flag_name(bit))
			n = snprintf(text + used, size - used, "%s%s", used ? " " : "",
				     drmfault_flag_name(bit));
		else
			n = snprintf(text + used, size - used, "%s0x%" PRIx32, used ? " " : "",
				     UINT32_C(1) << bit);
		used += (size_t)n;
	}
}

static void words_text(const struct value *value, char *text, size_t size)
{
	size_t used = 0, i;

	for (i = 0; i < value->number && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s0x%" PRIx64, i ? " " : "",
					 value->words[i]);
}

const char *value_text(const struct value *value, char *text, size_t size)
{
	text[0] = '\0';
	switch (value->kind) {
	case VALUE_NUMBER:
		snprintf(text, size, "%" PRIu64, value->number);
		break;
	case VALUE_ADDRESS:
		snprintf(text, size, "0x%" PRIx64, value->number);
		break;
	case VALUE_NAME:
		if (value->text)
			snprintf(text, size, "%s", value->text);
		else if (value->number)
			snprintf(text, size, "number %" PRIu64, value->number);
		break;
	case VALUE_STRING:
		clean_text(value->text, text, size);
		break;
	case VALUE_FLAGS:
		flags_text((uint32_t)value->number, text, size);
		break;
	case VALUE_WORDS:
		words_text(value, text, size);
		break;
	case VALUE_NONE:
		break;
	}
	if (!*text)
		snprintf(text, size, "-");
	return text;
}

/* Numbers beyond 2^53 do not survive most readers of JSON: addresses are strings. */
static json_t *address_json(uint64_t address)
{
	return json_sprintf("0x%" PRIx64, address);
}

static json_t *number_json(uint64_t number)
{
	return number > INT64_MAX ? json_sprintf("%" PRIu64, number)
				  : json_integer((json_int_t)number);
}

/* It need not be UTF-8, which JSON is. */
static json_t *string_json(const char *text)
{
	json_t *string = json_string(text);
	char ascii[VALUE_TEXT];
	size_t i;

	if (string)
		return string;
	for (i = 0; text[i] && i + 1 < sizeof(ascii); i++)
		ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	ascii[i] = '\0';
	return json_string(ascii);
}

static json_t *flags_json(uint32_t flags)
{
	json_t *array = json_array();
	unsigned int bit;

	for (bit = 0; array && bit < BITS; bit++) {
		if (!(flags >> bit & 1))
			continue;
		if (json_array_append_new(array, drmfault_flag_name(bit)
							 ? json_string(drmfault_flag_name(bit))
							 : address_json(UINT32_C(1) << bit))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *words_json(const struct value *value)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < value->number; i++) {
		if (json_array_append_new(array, address_json(value->words[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *value_json(const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		return number_json(value->number);
	case VALUE_ADDRESS:
		return address_json(value->number);
	case VALUE_NAME:
		if (value->text)
			return json_string(value->text);
		return value->number ? number_json(value->number) : json_null();
	case VALUE_STRING:
		return string_json(value->text);
	case VALUE_FLAGS:
		return flags_json((uint32_t)value->number);
	case VALUE_WORDS:
		return words_json(value);
	case VALUE_NONE:
		break;
	}
	return json_null();
}
