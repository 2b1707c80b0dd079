// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counters.h"
#include "metrics.h"
#include "report.h"

#define TEMPORARY_SIZE (PATH_MAX + 16)

/* Others read it. */
#define MODE 0644

/* Whole or not at all: an agent may come at any time. */
static int write_whole(const char *path, struct store *store)
{
	char temporary[TEMPORARY_SIZE];
	FILE *file;
	int fd, ret;

	snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "w");
	if (!file) {
		ret = -errno;
		close(fd);
	} else {
		ret = counters_print(store, file);
		if (!ret && (ferror(file) || fchmod(fd, MODE)))
			ret = -errno;
		if (fclose(file) && !ret)
			ret = -errno;
	}
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

void metrics_write(const struct config *config, struct store *store)
{
	char sentence[PATH_MAX + 128];
	int ret;

	if (!*config->metrics_file)
		return;
	ret = write_whole(config->metrics_file, store);
	if (!ret)
		return;
	snprintf(sentence, sizeof(sentence), "%s cannot be written: %s", config->metrics_file,
		 strerror(-ret));
	report_warning(sentence);
}
