// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "when.h"

#define US_PER_S INT64_C(1000000)
#define MINUTE	 INT64_C(60)
#define HOUR	 (60 * MINUTE)
#define DAY	 (24 * HOUR)
/* What no calendar reaches. */
#define MOST_S (INT64_C(1) << 40)

static const struct {
	const char *name;
	int64_t seconds;
} units[] = {
	{ "s", 1 },	      { "sec", 1 },	     { "second", 1 },
	{ "seconds", 1 },     { "m", MINUTE },	     { "min", MINUTE },
	{ "minute", MINUTE }, { "minutes", MINUTE }, { "h", HOUR },
	{ "hr", HOUR },	      { "hour", HOUR },	     { "hours", HOUR },
	{ "d", DAY },	      { "day", DAY },	     { "days", DAY },
	{ "w", 7 * DAY },     { "week", 7 * DAY },   { "weeks", 7 * DAY },
	{ "M", 30 * DAY },    { "month", 30 * DAY }, { "months", 30 * DAY },
	{ "y", 365 * DAY },   { "year", 365 * DAY }, { "years", 365 * DAY },
};

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static bool parse_unit(const char **text, int64_t *seconds)
{
	size_t i, length = 0;

	while (isalpha((unsigned char)(*text)[length]))
		length++;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) != length || strncmp(units[i].name, *text, length))
			continue;
		*text += length;
		*seconds = units[i].seconds;
		return true;
	}
	return false;
}

/* "1h 30min"; @text is left behind it. */
static bool parse_span(const char **text, int64_t *seconds)
{
	const char *at = skip_blanks(*text);
	int64_t unit;
	char *end;

	*seconds = 0;
	if (!isdigit((unsigned char)*at))
		return false;
	while (isdigit((unsigned char)*at)) {
		long long count = strtoll(at, &end, 10);

		at = skip_blanks(end);
		if (!parse_unit(&at, &unit) || count > MOST_S / unit)
			return false;
		*seconds += count * unit;
		if (*seconds > MOST_S)
			return false;
		at = skip_blanks(at);
	}
	*text = at;
	return true;
}

static bool parse_relative(const char *text, int64_t now_us, int64_t *when_us)
{
	bool back = *text == '-', forth = *text == '+';
	int64_t seconds;

	if (back || forth)
		text++;
	if (!parse_span(&text, &seconds))
		return false;
	if (!back && !forth) {
		if (strcmp(text, "ago"))
			return false;
		text += strlen(text);
		back = true;
	}
	*when_us = now_us + (back ? -seconds : seconds) * US_PER_S;
	return !*text;
}

/* The midnight that begins today, moved by some days. */
static bool parse_day_word(const char *text, int64_t now_us, int64_t *when_us)
{
	static const char *const words[] = { "yesterday", "today", "tomorrow" };
	time_t now = (time_t)(now_us / US_PER_S);
	struct tm tm;
	int i;

	for (i = 0; i < 3; i++) {
		if (strcmp(text, words[i]))
			continue;
		localtime_r(&now, &tm);
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
		tm.tm_mday += i - 1;
		tm.tm_isdst = -1;
		*when_us = (int64_t)mktime(&tm) * US_PER_S;
		return true;
	}
	return false;
}

static bool parse_calendar(const char *text, int64_t now_us, int64_t *when_us)
{
	static const char *const formats[] = { "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M",
					       "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d",
					       "%H:%M:%S",	    "%H:%M" };
	time_t now = (time_t)(now_us / US_PER_S), when;
	struct tm tm;
	const char *end;
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		/* What the format does not have is today, or midnight. */
		localtime_r(&now, &tm);
		tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
		end = strptime(text, formats[i], &tm);
		if (!end || (*end && strcmp(end, "Z")))
			continue;
		tm.tm_isdst = -1;
		when = *end ? timegm(&tm) : mktime(&tm);
		*when_us = (int64_t)when * US_PER_S;
		return true;
	}
	return false;
}

static bool parse_epoch(const char *text, int64_t *when_us)
{
	double seconds;
	char *end;

	if (*text != '@' || !isdigit((unsigned char)text[1]))
		return false;
	seconds = strtod(text + 1, &end);
	if (*end || !(seconds < (double)MOST_S))
		return false;
	*when_us = (int64_t)(seconds * (double)US_PER_S);
	return true;
}

bool parse_when(const char *text, int64_t now_us, int64_t *when_us)
{
	text = skip_blanks(text);
	if (!strcmp(text, "now")) {
		*when_us = now_us;
		return true;
	}
	return parse_epoch(text, when_us) || parse_day_word(text, now_us, when_us) ||
	       parse_calendar(text, now_us, when_us) || parse_relative(text, now_us, when_us);
}
