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
	{ "past_bindings", parse_number, offsetof(struct settings, past_bindings), "a number" },
};

static bool environment_value(const char *name, char *room, size_t size)
{
	char variable[NAME_SIZE] = "DRMFAULT_LAYER_";
	size_t used = strlen(variable);
	const char *value;

	while (*name && used < sizeof(variable) - 1)
		variable[used++] = (char)toupper((unsigned char)*name++);
	value = secure_getenv(variable);
	if (!value || strlen(value) >= size)
		return false;
	strcpy(room, value);
	return true;
}

void settings_read(struct settings *settings, const void *pNext)
{
	char text[PATH_MAX];
	size_t i;

	*settings = (struct settings){
		.report = true,
		.output = "stderr",
		.bindings = true,
	};
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!environment_value(known[i].name, text, sizeof(text)) &&
		    !settings_file_value(known[i].name, text, sizeof(text)) &&
		    !settings_chain_value(pNext, known[i].name, text, sizeof(text)))
			continue;
		if (!known[i].parse(text, (char *)settings + known[i].offset))
			fprintf(stderr,
				"drm_fault layer: setting %s cannot be \"%s\": give %s; the "
				"default is used\n",
				known[i].name, text, known[i].form);
	}
}
