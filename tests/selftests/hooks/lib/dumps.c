// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dumps.h"

bool is_dump_of(const char *name, const char *device)
{
	char path[128], target[256];
	const char *last;
	ssize_t length;

	snprintf(path, sizeof(path), DUMPS "/%.32s/failing_device", name);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return false;
	target[length] = '\0';
	last = strrchr(target, '/');
	return last && !strncmp(last + 1, device, strlen(device));
}

int end_dump(const char *name)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), DUMPS "/%.32s/data", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, "1", 1) == 1 ? 0 : -errno;
	close(fd);
	return ret;
}
