// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ask.h"
#include "facts.h"
#include "library.h"

#define DRIVER_PREFIX "libvulkan_"
#define NAME_SIZE     256

/* The Vulkan driver among the files that a process has mapped, and its inode. */
static bool find_driver(const char *folder, char path[PATH_MAX], uint64_t *inode)
{
	char file[PATH_MAX], *line = NULL;
	bool found = false;
	size_t room = 0;
	FILE *maps;
	int at;

	snprintf(file, sizeof(file), "%s/maps", folder);
	maps = fopen(file, "re");
	while (maps && !found && getline(&line, &room, maps) > 0) {
		at = 0;
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%*x-%*x %*s %*x %*x:%*x %" SCNu64 " %n", inode, &at) != 1 ||
		    !at || line[at] != '/' || strlen(line + at) >= PATH_MAX)
			continue;
		found = !strncmp(strrchr(line + at, '/') + 1, DRIVER_PREFIX, strlen(DRIVER_PREFIX));
		if (found)
			strcpy(path, line + at);
	}
	if (maps)
		fclose(maps);
	free(line);
	return found;
}

/* A process in a container has another file under that name, and so has an old process. */
static bool is_the_same(const char *root, const char *path, uint64_t inode)
{
	char file[PATH_MAX];
	struct stat status;

	return snprintf(file, sizeof(file), "%s%s", root, path) < (int)sizeof(file) &&
	       !stat(file, &status) && status.st_ino == inode;
}

/* "libc6:amd64: /lib/..." or, of a file in several, "a:amd64, b:amd64: /lib/...". */
static bool ask_dpkg(const char *path, char *package, char *version)
{
	const char *owner[] = { "dpkg-query", "--search", path, NULL };
	const char *show[] = { "dpkg-query", "--show", "--showformat=${Package} ${Version}",
			       package, NULL };
	char answer[ASK_MAX];

	if (!ask(owner, answer) || !strstr(answer, ": "))
		return false;
	*strstr(answer, ": ") = '\0';
	answer[strcspn(answer, ",")] = '\0';
	snprintf(package, NAME_SIZE, "%.255s", answer);
	return ask(show, answer) && sscanf(answer, "%255s %255s", package, version) == 2;
}

static bool ask_rpm(const char *path, char *package, char *version)
{
	const char *show[] = { "rpm", "-q", "--queryformat=%{NAME} %{VERSION}-%{RELEASE}\n",
			       "-f",  path, NULL };
	char answer[ASK_MAX];

	return ask(show, answer) && sscanf(answer, "%255s %255s", package, version) == 2;
}

void library_describe(const char *root, const char *folder, json_t *meta)
{
	char path[PATH_MAX], package[NAME_SIZE], version[NAME_SIZE];
	json_t *driver;
	uint64_t inode;

	if (!find_driver(folder, path, &inode))
		return;
	driver = json_object();
	facts_set(driver, "library", path);
	if (is_the_same(root, path, inode) &&
	    (ask_dpkg(path, package, version) || ask_rpm(path, package, version))) {
		facts_set(driver, "package", package);
		facts_set(driver, "version", version);
	}
	json_object_set_new(meta, "vulkan_driver", driver);
}
