// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

#define EXIT_NOT_STARTED 126
#define EXIT_NOT_FOUND	 127
#define EXIT_BY_SIGNAL	 128
#define CHUNK		 4096
#define OUTPUT		 "DRMFAULT_LAYER_OUTPUT"

/* In the child. */
static int start(const struct options *options, const char *summary)
{
	char watchdog[16];

	setenv("DRMFAULT_LAYER", "1", 1);
	unsetenv("DRMFAULT_LAYER_DISABLE");
	if (summary)
		setenv(OUTPUT, summary, 1);
	if (options->watchdog_ms) {
		snprintf(watchdog, sizeof(watchdog), "%u", options->watchdog_ms);
		setenv("DRMFAULT_LAYER_WATCHDOG_MS", watchdog, 1);
	}
	execvp(options->args[0], options->args);
	fprintf(stderr, "drmfault: %s: %s\n", options->args[0], strerror(errno));
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED;
}

/* What is typed to end the application is not for us, who have the last word. */
static int wait_for(pid_t pid)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int status;

	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain("wait for the application", -errno);
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	fprintf(stderr, "drmfault: the application was ended by signal %d (%s)\n", WTERMSIG(status),
		strsignal(WTERMSIG(status)));
	return EXIT_BY_SIGNAL + WTERMSIG(status);
}

static void print_summary(int fd)
{
	char chunk[CHUNK];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		fwrite(chunk, 1, (size_t)n, stderr);
}

static int run(const struct options *options)
{
	char summary[] = "/tmp/drmfault-run.XXXXXX";
	/* Who has said where to wants it there. */
	bool own = !getenv(OUTPUT);
	int fd = own ? mkstemp(summary) : -1, ret;
	pid_t pid;

	if (own && fd < 0)
		return complain("make a file in /tmp for the summary", -errno);
	pid = fork();
	if (!pid)
		_exit(start(options, own ? summary : NULL));
	ret = pid < 0 ? complain("start the application", -errno) : wait_for(pid);
	if (own) {
		print_summary(fd);
		close(fd);
		unlink(summary);
	}
	return ret;
}

const struct command command_run = {
	.name = "run",
	.summary = "Start an application with the Vulkan layer, and tell its GPU faults",
	.options = "w",
	.arguments = "[--] APPLICATION [ARGUMENT...]",
	.missing = "name the application to start",
	.most = INT_MAX,
	.flags = ARGP_IN_ORDER,
	.run = run,
};
