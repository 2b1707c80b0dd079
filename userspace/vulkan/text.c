// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

void text_begin(struct text *text, char *room, size_t size)
{
	text->start = room;
	text->size = size;
	text->used = 0;
	room[0] = '\0';
}

/* Only for what is ASCII: it is cut at any byte. */
void text_add(struct text *text, const char *format, ...)
{
	size_t left = text->size - text->used;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text->start + text->used, left, format, args);
	va_end(args);
	if (length > 0)
		text->used += (size_t)length < left ? (size_t)length : left - 1;
}

/* First bytes of UTF-8, and the range of the byte that follows them. */
static const struct {
	unsigned char first, last;
	unsigned char length;
	unsigned char second_first, second_last;
} utf8[] = {
	{ 0x20, 0x7e, 1, 0, 0 },       { 0xc2, 0xdf, 2, 0x80, 0xbf }, { 0xe0, 0xe0, 3, 0xa0, 0xbf },
	{ 0xe1, 0xec, 3, 0x80, 0xbf }, { 0xed, 0xed, 3, 0x80, 0x9f }, { 0xee, 0xef, 3, 0x80, 0xbf },
	{ 0xf0, 0xf0, 4, 0x90, 0xbf }, { 0xf1, 0xf3, 4, 0x80, 0xbf }, { 0xf4, 0xf4, 4, 0x80, 0x8f },
};

/* Bytes of the printable character at @s, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	size_t i, n;

	for (i = 0; i < sizeof(utf8) / sizeof(utf8[0]); i++)
		if (s[0] >= utf8[i].first && s[0] <= utf8[i].last)
			break;
	if (i == sizeof(utf8) / sizeof(utf8[0]))
		return 0;
	if (utf8[i].length > 1 && (s[1] < utf8[i].second_first || s[1] > utf8[i].second_last))
		return 0;
	/* U+0080 to U+009F are control characters. */
	if (s[0] == 0xc2 && s[1] < 0xa0)
		return 0;
	for (n = 2; n < utf8[i].length; n++)
		if ((s[n] & 0xc0) != 0x80)
			return 0;
	return utf8[i].length;
}

/* A process may call itself anything, and the kernel cuts at any byte. */
void text_add_name(struct text *text, const char *name)
{
	const unsigned char *s = (const unsigned char *)name;

	while (*s) {
		size_t length = utf8_length(s), bytes = length ? length : 1;

		if (bytes >= text->size - text->used)
			break;
		if (length)
			memcpy(text->start + text->used, s, length);
		else
			text->start[text->used] = '?';
		text->used += bytes;
		s += bytes;
	}
	text->start[text->used] = '\0';
}
