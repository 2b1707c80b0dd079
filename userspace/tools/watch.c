// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tool.h"

#define NS_PER_S 1000000000u

/* What follow() says besides errors. */
enum {
	GO_ON = 0,
	END = 1,
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/*
 * The signals that end it are let in during the wait only: one that comes
 * between the look at the flag and the wait would be slept over.
 */
static void catch_signals(sigset_t *waiting)
{
	struct sigaction action = { .sa_handler = interrupt };
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, waiting);
	sigdelset(waiting, SIGINT);
	sigdelset(waiting, SIGTERM);
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int wait_for_more(struct drmfault_stream *stream, uint64_t deadline, const sigset_t *waiting)
{
	struct pollfd fds[] = {
		{ .fd = drmfault_stream_fd(stream), .events = POLLIN },
		/* Says when nobody reads the other end of a pipe any more. */
		{ .fd = STDOUT_FILENO },
	};
	uint64_t now = now_ns(), left = now < deadline ? deadline - now : 0;
	struct timespec timeout = {
		.tv_sec = (time_t)(left / NS_PER_S),
		.tv_nsec = (long)(left % NS_PER_S),
	};
	int ret = ppoll(fds, 2, deadline == DRMFAULT_FOREVER ? NULL : &timeout, waiting);

	if (ret < 0)
		return errno == EINTR ? GO_ON : -errno;
	return ret == 0 || fds[1].revents & POLLERR ? END : GO_ON;
}

static int print_record(const struct drmfault_record *record, const struct options *options)
{
	int ret = 0;

	if (options->json) {
		ret = print_json(record_json(record));
	} else {
		print_record_text(record);
		if (options->full)
			print_record_long(record);
	}
	return ret ? ret : finish_output();
}

static int follow(struct drmfault_stream *stream, const struct options *options,
		  const sigset_t *waiting, int *status)
{
	const struct drmfault_record *record;
	uint64_t printed = 0;
	uint64_t deadline = options->timeout_ns == DRMFAULT_FOREVER
				    ? DRMFAULT_FOREVER
				    : now_ns() + options->timeout_ns;
	int ret = GO_ON;

	while (ret == GO_ON && !interrupted) {
		ret = drmfault_stream_next(stream, &record);
		if (ret == 0) {
			ret = wait_for_more(stream, deadline, waiting);
			continue;
		}
		if (ret < 0)
			break;
		ret = GO_ON;
		if (!filters_pass(&options->filters, record))
			continue;
		*status = print_record(record, options);
		if (*status || (options->count && ++printed >= options->count))
			ret = END;
	}
	return ret < 0 ? ret : 0;
}

static int run(const struct options *options)
{
	struct drmfault_stream *stream;
	sigset_t waiting;
	int ret, status = open_stream(options, &stream);

	if (status)
		return status;
	catch_signals(&waiting);
	if (!options->json)
		fputs("Watching for GPU faults; Ctrl-C ends.\n", stderr);
	ret = follow(stream, options, &waiting, &status);
	drmfault_stream_free(stream);
	if (ret == -ENODEV) {
		fputs("drmfault: the GPU has gone: its driver was unloaded or unbound\n", stderr);
		return EXIT_FAILURE;
	}
	return ret ? complain("go on watching", ret) : status;
}

const struct command command_watch = {
	.name = "watch",
	.summary = "Print faults as they happen, until interrupted",
	.options = "jlapdfnt",
	.run = run,
};
