// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config-file.h"

#define BLANKS	     " \t\r\n"
#define SECTION_SIZE 64
#define FILES_MAX    256

/* Where a file of one name hides those of the folders behind. */
static const char *const folders[] = { "etc", "run", "usr/local/lib", "usr/lib" };

#define FOLDERS (sizeof(folders) / sizeof(folders[0]))

struct file {
	const char *folder;
	char *name;
};

static char *trim(char *text)
{
	size_t length;

	text += strspn(text, BLANKS);
	for (length = strlen(text); length && strchr(BLANKS, text[length - 1]); length--)
		continue;
	text[length] = '\0';
	return text;
}

static void take_line(char *line, const struct config_place *place, char section[SECTION_SIZE],
		      config_sink sink, void *data)
{
	char *equals, *end;

	line = trim(line);
	if (!*line || strchr("#;", *line))
		return;
	if (*line == '[' && (end = strchr(line, ']')) && !end[1]) {
		*end = '\0';
		snprintf(section, SECTION_SIZE, "%s", line + 1);
		return;
	}
	equals = strchr(line, '=');
	if (equals)
		*equals = '\0';
	sink(data, place, section, equals ? trim(line) : NULL, trim(equals ? equals + 1 : line));
}

/* Puts the next line behind this one, which ends by a backslash: it becomes a blank. */
static bool goes_on(char *line)
{
	size_t length = strcspn(line, "\n");

	if (!length || line[length - 1] != '\\' || strchr("#;", line[strspn(line, BLANKS)]))
		return false;
	line[length - 1] = ' ';
	line[length] = '\0';
	return true;
}

static void take_file(FILE *file, const char *path, config_sink sink, void *data)
{
	struct config_place place = { .path = path };
	char section[SECTION_SIZE] = "", *line = NULL, *whole = NULL, *longer;
	unsigned int number = 0;
	size_t room = 0;
	bool more;

	while (getline(&line, &room, file) > 0) {
		number++;
		place.line = whole ? place.line : number;
		more = goes_on(line);
		if (asprintf(&longer, "%s%s", whole ? whole : "", line) < 0)
			break;
		free(whole);
		whole = longer;
		if (more)
			continue;
		take_line(whole, &place, section, sink, data);
		free(whole);
		whole = NULL;
	}
	if (whole)
		take_line(whole, &place, section, sink, data);
	free(whole);
	free(line);
}

/* False if there is no such file. */
static bool read_file(const char *path, config_sink sink, void *data)
{
	const struct config_place place = { .path = path };
	FILE *file = fopen(path, "re");

	if (!file && errno == ENOENT)
		return false;
	if (file)
		take_file(file, path, sink, data);
	if (!file || ferror(file))
		sink(data, &place, "", NULL, strerror(errno));
	if (file)
		fclose(file);
	return true;
}

static int is_config(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return *entry->d_name != '.' && dot && !strcmp(dot, ".conf");
}

static bool is_known(const struct file *files, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(files[i].name, name))
			return true;
	return false;
}

/* Adds those of a folder that no folder before had. */
static size_t add_files(const char *root, const char *folder, const char *name, struct file *files,
			size_t count)
{
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int i, n = -1;

	if (snprintf(path, sizeof(path), "%s/%s/%s.d", root, folder, name) < (int)sizeof(path))
		n = scandir(path, &entries, is_config, alphasort);
	for (i = 0; i < n; i++) {
		if (count < FILES_MAX && !is_known(files, count, entries[i]->d_name)) {
			files[count].folder = folder;
			files[count].name = strdup(entries[i]->d_name);
			count += files[count].name != NULL;
		}
		free(entries[i]);
	}
	free(entries);
	return count;
}

static int compare_names(const void *a, const void *b)
{
	const struct file *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void read_extra(const char *root, const char *name, config_sink sink, void *data)
{
	struct file files[FILES_MAX];
	char path[PATH_MAX];
	size_t i, count = 0;

	for (i = 0; i < FOLDERS; i++)
		count = add_files(root, folders[i], name, files, count);
	qsort(files, count, sizeof(files[0]), compare_names);
	for (i = 0; i < count; i++) {
		if (snprintf(path, sizeof(path), "%s/%s/%s.d/%s", root, files[i].folder, name,
			     files[i].name) < (int)sizeof(path))
			read_file(path, sink, data);
		free(files[i].name);
	}
}

void config_files_read(const char *root, const char *name, config_sink sink, void *data)
{
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < FOLDERS; i++)
		if (snprintf(path, sizeof(path), "%s/%s/%s", root, folders[i], name) <
			    (int)sizeof(path) &&
		    read_file(path, sink, data))
			break;
	read_extra(root, name, sink, data);
}
