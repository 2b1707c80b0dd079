// SPDX-License-Identifier: MIT
/* Lines "drmfault_device_fault.NAME = VALUE" of the file that all layers share. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "settings.h"

#define FILE_NAME "vk_layer_settings.txt"
#define PREFIX	  "drmfault_device_fault."

static FILE *file_open(void)
{
	const char *path = secure_getenv("VK_LAYER_SETTINGS_PATH");
	char inside[PATH_MAX];
	struct stat status;

	if (!path)
		return fopen(FILE_NAME, "re");
	if (!stat(path, &status) && S_ISDIR(status.st_mode)) {
		if (snprintf(inside, sizeof(inside), "%s/" FILE_NAME, path) >= (int)sizeof(inside))
			return NULL;
		return fopen(inside, "re");
	}
	return fopen(path, "re");
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

/* The value, or NULL: the line is about something else. */
static char *line_value(char *line, const char *name)
{
	char *at = strchr(line, '='), *key;

	line[strcspn(line, "#")] = 0;
	if (!at || at >= line + strlen(line))
		return NULL;
	*at = 0;
	key = trim(line);
	if (strncasecmp(key, PREFIX, strlen(PREFIX)) || strcasecmp(key + strlen(PREFIX), name))
		return NULL;
	return trim(at + 1);
}

bool settings_file_value(const char *name, char *room, size_t size)
{
	FILE *file = file_open();
	char *line = NULL, *value;
	bool found = false;
	size_t length = 0;

	if (!file)
		return false;
	while (getline(&line, &length, file) >= 0) {
		value = line_value(line, name);
		if (!value || strlen(value) >= size)
			continue;
		strcpy(room, value);
		found = true;
	}
	free(line);
	fclose(file);
	return found;
}
