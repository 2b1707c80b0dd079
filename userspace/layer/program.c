// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "program.h"

/* Wine writes another name over the arguments, in which that of libc then is a piece or none. */
static bool is_as_started(const char *name)
{
	const char *path = (const char *)getauxval(AT_EXECFN);
	const char *slash = path ? strrchr(path, '/') : NULL;

	return path && !strcmp(slash ? slash + 1 : path, name);
}

/* That of the first thread, as the kernel's records have it. */
static void read_comm(char *name, size_t size)
{
	FILE *file = fopen("/proc/self/comm", "re");

	name[0] = 0;
	if (!file)
		return;
	if (fgets(name, (int)size, file))
		name[strcspn(name, "\n")] = 0;
	fclose(file);
}

void program_name(char *name, size_t size)
{
	if (!is_as_started(program_invocation_short_name))
		read_comm(name, size);
	else
		snprintf(name, size, "%s", program_invocation_short_name);
}
