// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

#define NAME_SIZE 64
/* As much as the library remembers. */
#define PAST_MOST (1u << 26)
/* Of a value that cannot be, in the sentence that says so. */
#define SHOWN_MOST 64

static bool parse_bool(const char *text, void *value)
{
	static const char *const words[2][4] = {
		{ "0", "false", "off", "no" },
		{ "1", "true", "on", "yes" },
	};
	unsigned int i, j;

	for (i = 0; i < 2; i++)
		for (j = 0; j < 4; j++)
			if (!strcasecmp(text, words[i][j])) {
				*(bool *)value = i;
				return true;
			}
	return false;
}

static bool parse_number(const char *text, void *value)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || number > INT32_MAX)
		return false;
	*(uint32_t *)value = (uint32_t)number;
	return true;
}

static bool parse_past(const char *text, void *value)
{
	uint32_t number;

	if (!parse_number(text, &number) || number > PAST_MOST)
		return false;
	*(uint32_t *)value = number;
	return true;
}

static bool parse_text(const char *text, void *value)
{
	if (strlen(text) >= PATH_MAX)
		return false;
	strcpy(value, text);
	return true;
}

static bool parse_provide(const char *text, void *value)
{
	static const char *const words[] = { "always", "kernel", "never" };
	unsigned int i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(text, words[i])) {
			*(enum settings_provide *)value = (enum settings_provide)i;
			return true;
		}
	return false;
}

static const struct {
	const char *name;
	bool (*parse)(const char *text, void *value);
	size_t offset;
	const char *form;
} known[] = {
	{ "provide", parse_provide, offsetof(struct settings, provide), "always, kernel or never" },
	{ "report", parse_bool, offsetof(struct settings, report), "true or false" },
	{ "report_dir", parse_text, offsetof(struct settings, report_dir), "a folder" },
	{ "output", parse_text, offsetof(struct settings, output), "stderr, none or a file" },
	{ "watchdog_ms", parse_number, offsetof(struct settings, watchdog_ms), "milliseconds" },
	{ "bindings", parse_bool, offsetof(struct settings, bindings), "true or false" },
	{ "past_bindings", parse_past, offsetof(struct settings, past_bindings),
	  "a number up to 67108864" },
};

static bool environment_value(const char *name, char *room, size_t size)
{
	char variable[NAME_SIZE] = "DRMFAULT_LAYER_";
	size_t used = strlen(variable);
	const char *value;

	while (*name && used < sizeof(variable) - 1)
		variable[used++] = (char)toupper((unsigned char)*name++);
	value = secure_getenv(variable);
	if (!value)
		return false;
	snprintf(room, size, "%s", value);
	return true;
}

static void complain(const char *name, char *text, const char *form)
{
	size_t i;

	for (i = 0; text[i] && i < SHOWN_MOST; i++)
		if (iscntrl((unsigned char)text[i]))
			text[i] = '?';
	fprintf(stderr,
		"drm_fault layer: setting %s cannot be \"%.*s\"%s: give %s; the default is used\n",
		name, SHOWN_MOST, text, text[i] ? " and more" : "", form);
}

void settings_read(struct settings *settings, const void *pNext)
{
	char *file = settings_file_read();
	/* One more than a path may have: what is cut is not taken for a path. */
	char text[PATH_MAX + 1];
	size_t i;

	*settings = (struct settings){
		.report = true,
		.output = "stderr",
		.bindings = true,
	};
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!environment_value(known[i].name, text, sizeof(text)) &&
		    !settings_file_value(file, known[i].name, text, sizeof(text)) &&
		    !settings_chain_value(pNext, known[i].name, text, sizeof(text)))
			continue;
		if (!known[i].parse(text, (char *)settings + known[i].offset))
			complain(known[i].name, text, known[i].form);
	}
	free(file);
}
