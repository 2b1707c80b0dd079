// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "library.h"
#include "process.h"

#define NS_PER_S 1000000000ULL
/* Longer command lines are cut off. */
#define CMDLINE_MAX 4096
/* What a text tells of the process stands before this. */
#define HEAD_MAX	65536
#define NAME_MAX_LENGTH 64
/* The field of /proc/PID/stat that tells when it was started; the first behind the name is 3. */
#define STAT_START_TIME 22

/* The lines by which drivers name the process: what is before the name, and the number. */
static const struct {
	const char *before_name, *before_pid;
} name_lines[] = {
	{ "process_name: ", " TGID: " }, /* amdgpu */
	{ "process_name: ", " PID: " },	 /* amdgpu before 6.11 */
	{ "Process: ", " [" },		 /* xe */
};

/* A name may have spaces. Returns the number, 0 if the line is another one. */
static long name_of_line(const char *line, size_t i, char name[NAME_MAX_LENGTH])
{
	size_t before = strlen(name_lines[i].before_name);
	const char *end;

	if (strncmp(line, name_lines[i].before_name, before))
		return 0;
	line += before;
	end = strstr(line, name_lines[i].before_pid);
	if (!end || end == line || end - line >= NAME_MAX_LENGTH)
		return 0;
	memcpy(name, line, (size_t)(end - line));
	name[end - line] = '\0';
	return strtol(end + strlen(name_lines[i].before_pid), NULL, 10);
}

void process_of_text(json_t *meta, const char *text, size_t size)
{
	char *copy = strndup(text, size < HEAD_MAX ? size : HEAD_MAX), *rest = copy, *line;
	char name[NAME_MAX_LENGTH];
	json_t *process;
	long pid = 0;
	size_t i;

	while (copy && (line = strsep(&rest, "\n"))) {
		for (i = 0; i < sizeof(name_lines) / sizeof(name_lines[0]) && pid <= 0; i++)
			pid = name_of_line(line, i, name);
		if (pid <= 0)
			continue;
		process = json_object();
		json_object_set_new(process, "pid", json_integer(pid));
		facts_set(process, "comm", name);
		json_object_set_new(meta, "process", process);
		break;
	}
	free(copy);
}

/* When it was started, CLOCK_BOOTTIME; 0 if there is no such process. */
static uint64_t started_ns(const char *folder)
{
	long ticks = sysconf(_SC_CLK_TCK);
	char path[PATH_MAX], text[1024];
	char *at;
	int field;

	snprintf(path, sizeof(path), "%s/stat", folder);
	/* A name may hold anything, also what ends it: the last bracket does. */
	if (facts_read(path, text, sizeof(text)) <= 0 || !(at = strrchr(text, ')')))
		return 0;
	for (field = 2; at && field < STAT_START_TIME; field++)
		at = strchr(at + 1, ' ');
	return at && ticks > 0 ? strtoull(at, NULL, 10) * (NS_PER_S / (uint64_t)ticks) : 0;
}

static bool is_the_same(const char *folder, const json_t *process, uint64_t event_ns)
{
	const char *expected = json_string_value(json_object_get(process, "comm"));
	char path[PATH_MAX], comm[NAME_MAX_LENGTH];
	uint64_t start_ns = started_ns(folder);

	if (event_ns)
		return start_ns && start_ns <= event_ns;
	snprintf(path, sizeof(path), "%s/comm", folder);
	return expected && facts_line(path, comm, sizeof(comm)) && !strcmp(comm, expected);
}

static void add_uid(const char *folder, json_t *process)
{
	char path[PATH_MAX], text[2048];
	const char *line;

	if (json_object_get(process, "uid"))
		return;
	snprintf(path, sizeof(path), "%s/status", folder);
	if (facts_read(path, text, sizeof(text)) > 0 && (line = strstr(text, "\nUid:")))
		json_object_set_new(process, "uid", json_integer(strtoll(line + 5, NULL, 10)));
}

static void add_exe(const char *folder, json_t *process)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), "%s/exe", folder);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return;
	target[length] = '\0';
	facts_set(process, "exe", target);
}

/* The arguments, each ended by a NUL, with spaces between them. */
static void add_cmdline(const char *folder, json_t *process)
{
	char path[PATH_MAX], text[CMDLINE_MAX];
	ssize_t i, length;

	snprintf(path, sizeof(path), "%s/cmdline", folder);
	length = facts_read(path, text, sizeof(text));
	while (length > 0 && !text[length - 1])
		length--;
	for (i = 0; i < length; i++)
		if (!text[i])
			text[i] = ' ';
	facts_set(process, "cmdline", text);
}

/* The innermost unit on the path of its control group. */
static void add_unit(const char *folder, json_t *process)
{
	static const char *const kinds[] = { ".service", ".scope" };
	char path[PATH_MAX], text[PATH_MAX];
	const char *unit = NULL;
	char *part, *rest;
	size_t i;

	snprintf(path, sizeof(path), "%s/cgroup", folder);
	if (facts_read(path, text, sizeof(text)) <= 0)
		return;
	rest = strstr(text, "0::/");
	if (!rest)
		return;
	rest[strcspn(rest, "\n")] = '\0';
	while ((part = strsep(&rest, "/")))
		for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (strlen(part) > strlen(kinds[i]) &&
			    !strcmp(part + strlen(part) - strlen(kinds[i]), kinds[i]))
				unit = part;
	if (unit)
		facts_set(process, "unit", unit);
}

void process_describe(const char *root, json_t *meta, uint64_t event_ns)
{
	json_t *process = json_object_get(meta, "process");
	json_int_t pid = json_integer_value(json_object_get(process, "pid"));
	char folder[PATH_MAX - NAME_MAX_LENGTH];

	if (pid <= 0 ||
	    snprintf(folder, sizeof(folder), "%s/proc/%" JSON_INTEGER_FORMAT, root, pid) >=
		    (int)sizeof(folder) ||
	    !is_the_same(folder, process, event_ns))
		return;
	add_uid(folder, process);
	add_exe(folder, process);
	add_cmdline(folder, process);
	add_unit(folder, process);
	library_describe(root, folder, meta);
}
