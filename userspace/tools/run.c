// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manifest.h"
#include "tool.h"

#define EXIT_NOT_STARTED 126
#define EXIT_NOT_FOUND	 127
#define EXIT_BY_SIGNAL	 128
#define CHUNK		 4096
#define OUTPUT		 "DRMFAULT_LAYER_OUTPUT"
#define NOT_FOUND                                                                         \
	"drmfault: the Vulkan layer is in no folder that Vulkan's loader looks into, "    \
	"so that the application runs without it: install it, or add the `share` folder " \
	"that has it to XDG_DATA_DIRS\n"

/* In the child. */
static int start(const struct options *options, const char *summary)
{
	char watchdog[16];
	int failed;

	setenv("DRMFAULT_LAYER", "1", 1);
	unsetenv("DRMFAULT_LAYER_DISABLE");
	if (summary)
		setenv(OUTPUT, summary, 1);
	if (options->watchdog_ms) {
		snprintf(watchdog, sizeof(watchdog), "%u", options->watchdog_ms);
		setenv("DRMFAULT_LAYER_WATCHDOG_MS", watchdog, 1);
	}
	execvp(options->args[0], options->args);
	failed = errno;
	fprintf(stderr, "drmfault: %s: %s%s\n", options->args[0], strerror(failed),
		failed != ENOENT || strchr(options->args[0], '/')
			? ""
			: "; a program of this folder is named with ./");
	return failed == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_STARTED;
}

static volatile sig_atomic_t application;

static void pass_on(int signal)
{
	if (application)
		kill(application, signal);
}

/*
 * What is typed to end the application is not for us, who have the last word; who wants to
 * end us wants to end the application.
 */
static const struct {
	int signal;
	void (*handler)(int signal);
} kept[] = {
	{ SIGINT, SIG_IGN },
	{ SIGQUIT, SIG_IGN },
	{ SIGTERM, pass_on },
	{ SIGHUP, pass_on },
};

#define KEPT_COUNT (sizeof(kept) / sizeof(kept[0]))

/* As they are for the application. */
struct signals {
	struct sigaction child;
	sigset_t mask;
};

/* Until there is one they wait. Where SIGCHLD is ignored nobody can be waited for. */
static void signals_hold(struct signals *before)
{
	const struct sigaction heard = { .sa_handler = SIG_DFL };
	sigset_t held;
	size_t i;

	sigemptyset(&held);
	for (i = 0; i < KEPT_COUNT; i++)
		sigaddset(&held, kept[i].signal);
	sigprocmask(SIG_BLOCK, &held, &before->mask);
	sigaction(SIGCHLD, &heard, &before->child);
}

static void signals_restore(const struct signals *before)
{
	sigaction(SIGCHLD, &before->child, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* One that whoever started us ignores stays so. */
static void signals_keep(const struct signals *before)
{
	struct sigaction action = { .sa_flags = SA_RESTART }, old;
	size_t i;

	for (i = 0; i < KEPT_COUNT; i++) {
		action.sa_handler = kept[i].handler;
		if (!sigaction(kept[i].signal, NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(kept[i].signal, &action, NULL);
	}
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static int wait_for(pid_t pid)
{
	int status;

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
	int fd = own ? mkostemp(summary, O_CLOEXEC) : -1, ret;
	struct signals before;
	pid_t pid;

	if (own && fd < 0)
		return complain("make a file in /tmp for the summary", -errno);
	if (!manifest_is_found())
		fputs(NOT_FOUND, stderr);
	signals_hold(&before);
	pid = fork();
	if (!pid) {
		signals_restore(&before);
		_exit(start(options, own ? summary : NULL));
	}
	ret = pid < 0 ? complain("start the application", -errno) : 0;
	application = ret ? 0 : pid;
	signals_keep(&before);
	if (!ret)
		ret = wait_for(pid);
	application = 0;
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
