// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"

ssize_t facts_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n = 0;

	*text = '\0';
	if (fd < 0)
		return -errno;
	while (length < size - 1) {
		n = read(fd, text + length, size - 1 - length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		length += (size_t)n;
	}
	if (n < 0)
		n = -errno;
	close(fd);
	text[length] = '\0';
	return n < 0 ? n : (ssize_t)length;
}

bool facts_line(const char *path, char *text, size_t size)
{
	if (facts_read(path, text, size) <= 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	return *text;
}

bool facts_name(const char *path, char *name, size_t size)
{
	char *target = realpath(path, NULL);

	snprintf(name, size, "%s", target ? strrchr(target, '/') + 1 : "");
	free(target);
	return *name;
}

void facts_set(json_t *object, const char *key, const char *text)
{
	json_t *value;
	char *copy, *c;

	if (!*text)
		return;
	value = json_string(text);
	copy = value ? NULL : strdup(text);
	if (copy) {
		for (c = copy; *c; c++)
			if (*c & 0x80)
				*c = '?';
		value = json_string(copy);
		free(copy);
	}
	/* Without memory the fact is left out: the dump is worth more. */
	if (value)
		json_object_set_new(object, key, value);
}
