// SPDX-License-Identifier: MIT
/* A GPU of which hooks tell may be known while none of them sees its faults. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define TEXT_SIZE 64

struct state {
	/* There are hooks for the driver, and they are in use. */
	bool used;
	/* One that sees faults is attached. */
	bool sees_faults;
};

/* Without the newline at its end; empty if it cannot be read. */
static void read_text(int folder, const char *name, char text[TEXT_SIZE])
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = -1;

	if (fd >= 0) {
		length = read(fd, text, TEXT_SIZE - 1);
		close(fd);
	}
	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

/* Calls @each with every folder in @folder, which is closed then. */
static void each_folder(int folder, void (*each)(int inner, const char *driver, struct state *),
			const char *driver, struct state *state)
{
	DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
	struct dirent *entry;
	int inner;

	if (!dir) {
		if (folder >= 0)
			close(folder);
		return;
	}
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		inner = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (inner < 0)
			continue;
		each(inner, driver, state);
		close(inner);
	}
	closedir(dir);
}

static void look_at_hook(int folder, const char *driver, struct state *state)
{
	char provides[TEXT_SIZE], is[TEXT_SIZE];

	(void)driver;
	read_text(folder, "state", is);
	read_text(folder, "provides", provides);
	if (*is && strcmp(is, "off"))
		state->used = true;
	/* The words are fault, status, owner... in this order. */
	if (!strcmp(is, "attached") && !strncmp(provides, "fault", strlen("fault")))
		state->sees_faults = true;
}

static void look_at_set(int folder, const char *driver, struct state *state)
{
	char of[TEXT_SIZE];

	read_text(folder, "driver", of);
	if (!strcmp(of, driver))
		each_folder(dup(folder), look_at_hook, driver, state);
}

int hooks_support(const char *folder, const char *driver)
{
	struct state state = { 0 };

	each_folder(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), look_at_set, driver, &state);
	return state.used && !state.sees_faults ? -EOPNOTSUPP : 0;
}
