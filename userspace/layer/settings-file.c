// SPDX-License-Identifier: MIT
/* Lines "drmfault_device_fault.NAME = VALUE" of the file that all layers share. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "settings.h"

#define FILE_NAME "vk_layer_settings.txt"
#define PREFIX	  "drmfault_device_fault."
/* No file with settings is as long. */
#define SIZE_MOST (1u << 20)

static const char *find_file(char *inside, size_t size)
{
	const char *path = secure_getenv("VK_LAYER_SETTINGS_PATH");
	struct stat status;

	if (!path)
		return FILE_NAME;
	if (stat(path, &status) || !S_ISDIR(status.st_mode))
		return path;
	return snprintf(inside, size, "%s/" FILE_NAME, path) < (int)size ? inside : NULL;
}

/* Not one whose reading may have no end, or wait for somebody. Negative errno, or 0. */
static int read_file(int fd, char *to)
{
	struct stat status;
	size_t used = 0;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))
		return -EINVAL;
	while (n > 0 && used < SIZE_MOST) {
		n = read(fd, to + used, SIZE_MOST - used);
		if (n > 0)
			used += (size_t)n;
	}
	if (n)
		return n < 0 ? -errno : -EFBIG;
	to[used] = 0;
	return 0;
}

char *settings_file_read(void)
{
	char inside[PATH_MAX], *content = malloc(SIZE_MOST + 1);
	const char *path = find_file(inside, sizeof(inside));
	int fd, ret;

	if (!path || !content) {
		free(content);
		return NULL;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ret = read_file(fd, content);
	if (fd >= 0)
		close(fd);
	if (!ret)
		return content;
	free(content);
	if (ret != -ENOENT)
		fprintf(stderr,
			"drm_fault layer: settings cannot be read from %s: %s; it should be a "
			"text file\n",
			path, strerror(-ret));
	return NULL;
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

bool settings_file_value(const char *content, const char *name, char *room, size_t size)
{
	const char *line, *next;
	char *value, *copy;
	bool found = false;

	for (line = content; line; line = next) {
		next = strchr(line, '\n');
		copy = next ? strndup(line, (size_t)(next - line)) : strdup(line);
		next = next ? next + 1 : NULL;
		value = copy ? line_value(copy, name) : NULL;
		if (value) {
			snprintf(room, size, "%s", value);
			found = true;
		}
		free(copy);
	}
	return found;
}
