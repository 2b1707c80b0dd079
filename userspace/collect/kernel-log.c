// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel-log.h"

/* The kernel gives a record at a time and none that is longer. */
#define RECORD_MAX 8192
/* No kernel's log is longer; of one that is, the rest is left out. */
#define LOG_MAX (64 << 20)

#define US_PER_S 1000000

/* All of the log as /dev/kmsg has it, "6,339,5140900,-;text", lines that add to it behind. */
static int read_records(int fd, FILE *to)
{
	static char record[RECORD_MAX];
	size_t length = 0;
	ssize_t n;

	while (length < LOG_MAX) {
		n = read(fd, record, sizeof(record));
		/* EPIPE: what was next has been overwritten meanwhile, and the next is read. */
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			break;
		length += (size_t)n;
		if (fwrite(record, 1, (size_t)n, to) != (size_t)n)
			return -ENOMEM;
	}
	return 0;
}

static int read_all(const char *root, char **records)
{
	char path[PATH_MAX];
	size_t length = 0;
	FILE *to;
	int fd, ret;

	*records = NULL;
	if (snprintf(path, sizeof(path), "%s/dev/kmsg", root) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	to = open_memstream(records, &length);
	ret = to ? read_records(fd, to) : -ENOMEM;
	if (to && fclose(to) && !ret)
		ret = -ENOMEM;
	close(fd);
	return ret;
}

/* Is it the beginning of a record? Then its time and text. */
static bool parse_record(const char *line, uint64_t *time_us, const char **text)
{
	unsigned int priority;
	uint64_t number;

	if (sscanf(line, "%u,%" SCNu64 ",%" SCNu64, &priority, &number, time_us) != 3)
		return false;
	*text = strchr(line, ';');
	return *text;
}

/* Where the records begin that are wanted: so many from the end on. */
static char *skip_old(char *records, uint64_t lines)
{
	char *at = records + strlen(records);

	while (at > records && lines) {
		at--;
		while (at > records && at[-1] != '\n')
			at--;
		/* Others than these add to the record before. */
		if (*at != ' ')
			lines--;
	}
	return at;
}

static int print_records(char *records, uint64_t since_us, FILE *to)
{
	const char *text;
	uint64_t time_us;
	char *line;

	while ((line = strsep(&records, "\n")))
		if (parse_record(line, &time_us, &text) && time_us >= since_us)
			fprintf(to, "[%5" PRIu64 ".%06" PRIu64 "] %s\n", time_us / US_PER_S,
				time_us % US_PER_S, text + 1);
	return ferror(to) ? -ENOMEM : 0;
}

int kernel_log_read(const char *root, uint64_t since_us, uint64_t lines, char **text,
		    size_t *length)
{
	char *records;
	int ret = read_all(root, &records);
	FILE *to;

	*text = NULL;
	*length = 0;
	to = ret ? NULL : open_memstream(text, length);
	if (!ret)
		ret = to ? print_records(skip_old(records, lines), since_us, to) : -ENOMEM;
	if (to && fclose(to) && !ret)
		ret = -ENOMEM;
	free(records);
	if (ret) {
		free(*text);
		*text = NULL;
	}
	return ret;
}
