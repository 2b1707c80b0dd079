// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "setting.h"

#define US_PER_S 1000000ULL
/* Beyond this a double is no exact number any more, and no setting means it. */
#define VALUE_MAX 9e18

struct unit {
	const char *name;
	double factor;
};

static const struct unit sizes[] = {
	{ "", 1 },	     { "B", 1 },	  { "K", 1ULL << 10 }, { "M", 1ULL << 20 },
	{ "G", 1ULL << 30 }, { "T", 1ULL << 40 }, { "P", 1ULL << 50 }, { NULL, 0 },
};

#define MINUTE (60 * US_PER_S)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
/* The twelfth part of a year, and that of a calendar with leap years. */
#define YEAR  (365.25 * DAY)
#define MONTH (YEAR / 12)

/* As systemd.time(7) has them. */
static const struct unit spans[] = {
	{ "", US_PER_S },	 { "s", US_PER_S },   { "sec", US_PER_S },  { "second", US_PER_S },
	{ "seconds", US_PER_S }, { "us", 1 },	      { "usec", 1 },	    { "ms", 1000 },
	{ "msec", 1000 },	 { "m", MINUTE },     { "min", MINUTE },    { "minute", MINUTE },
	{ "minutes", MINUTE },	 { "h", HOUR },	      { "hr", HOUR },	    { "hour", HOUR },
	{ "hours", HOUR },	 { "d", DAY },	      { "day", DAY },	    { "days", DAY },
	{ "w", 7 * DAY },	 { "week", 7 * DAY }, { "weeks", 7 * DAY }, { "M", MONTH },
	{ "month", MONTH },	 { "months", MONTH }, { "y", YEAR },	    { "year", YEAR },
	{ "years", YEAR },	 { NULL, 0 },
};

/* Takes a number and its unit from the text; returns what is behind them, or NULL. */
static const char *take(const char *text, const struct unit *unit, double *sum)
{
	size_t length;
	double value;
	char *end;

	/* strtod() would take more: signs, infinities, hexadecimal digits. */
	if (!isdigit((unsigned char)*text) || !strncasecmp(text, "0x", 2))
		return NULL;
	value = strtod(text, &end);
	while (*end == ' ')
		end++;
	length = strcspn(end, " 0123456789.");
	for (; unit->name; unit++)
		if (strlen(unit->name) == length && !strncmp(unit->name, end, length))
			break;
	if (!unit->name)
		return NULL;
	*sum += value * unit->factor;
	end += length;
	return end + strspn(end, " ");
}

static bool take_all(const char *text, const struct unit *units, bool once, uint64_t *value)
{
	double sum = 0;

	if (!strcmp(text, "infinity")) {
		*value = SETTING_INFINITY;
		return true;
	}
	do {
		text = take(text, units, &sum);
	} while (text && *text && !once);
	if (!text || *text || sum > VALUE_MAX)
		return false;
	*value = (uint64_t)sum;
	return true;
}

bool setting_boolean(const char *text, bool *value)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on",
					     "0",  "1",	  "n",	   "y",	   "f",	  "t" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]))
			continue;
		*value = i % 2;
		return true;
	}
	return false;
}

bool setting_count(const char *text, uint64_t *value)
{
	char *end;

	if (!strcmp(text, "infinity")) {
		*value = SETTING_INFINITY;
		return true;
	}
	errno = 0;
	*value = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

bool setting_size(const char *text, uint64_t *bytes)
{
	return take_all(text, sizes, true, bytes);
}

bool setting_percent(const char *text, uint64_t *percent)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	*percent = strtoull(text, &end, 10);
	return !strcmp(end, "%") && *percent <= 100;
}

bool setting_span(const char *text, uint64_t *us)
{
	return take_all(text, spans, false, us);
}
