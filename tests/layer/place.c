// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <setjmp.h>

#include <cmocka.h>

#include "place.h"

struct place place;

int place_make(void **state)
{
	(void)state;
	strcpy(place.folder, "/tmp/drmfault-layer.XXXXXX");
	if (!mkdtemp(place.folder))
		return -1;
	snprintf(place.reports, sizeof(place.reports), "%s/new/folder", place.folder);
	snprintf(place.output, sizeof(place.output), "%s/summary", place.folder);
	setenv("DRMFAULT_LAYER_REPORT_DIR", place.reports, 1);
	setenv("DRMFAULT_LAYER_OUTPUT", place.output, 1);
	return 0;
}

static int remove_it(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

int place_remove(void **state)
{
	(void)state;
	return nftw(place.folder, remove_it, 8, FTW_DEPTH | FTW_PHYS);
}

unsigned int find_reports(char path[PATH_MAX])
{
	const struct dirent *entry;
	unsigned int count = 0;
	DIR *dir = opendir(place.reports);

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, PATH_MAX, "%s/%s", place.reports, entry->d_name);
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

struct drmfault_dump *open_report(void)
{
	struct drmfault_dump *dump;
	char path[PATH_MAX];
	struct stat status;

	assert_int_equal(find_reports(path), 1);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(drmfault_dump_open(path, &dump), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	return dump;
}

const char *host_value(const struct drmfault_dump *dump, const char *name)
{
	size_t i, length = strlen(name);
	const char *line;

	for (i = 0; (line = drmfault_dump_host(dump, i)); i++)
		if (!strncmp(line, name, length) && line[length] == '=')
			return line + length + 1;
	fail_msg("no line of %s", name);
	return NULL;
}

void read_summary(char text[TEXT_MAX])
{
	FILE *file = fopen(place.output, "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, TEXT_MAX - 1, file);
	text[size] = 0;
	fclose(file);
}
