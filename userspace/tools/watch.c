// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool.h"

#define NS_PER_S 1000000000u

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static void catch_signals(void)
{
	struct sigaction action = { .sa_handler = interrupt };

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

/* A signal between the look at the flag and the wait must not be slept over. */
#define WAIT_SLICE_NS (NS_PER_S / 4)

static uint64_t slice(uint64_t deadline)
{
	uint64_t now = now_ns(), left = now < deadline ? deadline - now : 0;

	return left < WAIT_SLICE_NS ? left : WAIT_SLICE_NS;
}

static int print_waiting(struct drmfault_stream *stream, const struct options *options,
			 uint64_t *printed)
{
	const struct drmfault_record *record;
	int ret = 0;

	while (!interrupted && (!options->count || *printed < options->count) &&
	       (ret = drmfault_stream_next(stream, &record)) == 1) {
		ret = options->json ? print_record_json(record) : print_record_text(record);
		if (!ret)
			ret = finish_output();
		if (ret)
			return ret;
		(*printed)++;
	}
	return ret < 0 ? ret : 0;
}

static int follow(struct drmfault_stream *stream, const struct options *options)
{
	uint64_t printed = 0;
	uint64_t deadline = options->timeout_ns == DRMFAULT_FOREVER
				    ? DRMFAULT_FOREVER
				    : now_ns() + options->timeout_ns;
	int ret;

	while (!interrupted) {
		ret = print_waiting(stream, options, &printed);
		if (ret || (options->count && printed >= options->count))
			return ret;
		if (now_ns() >= deadline)
			return 0;
		ret = drmfault_stream_wait(stream, slice(deadline));
		if (ret < 0 && ret != -EINTR)
			return ret;
	}
	return 0;
}

static int run(const struct options *options)
{
	struct drmfault_stream *stream;
	int ret = open_stream(options, &stream);

	if (ret)
		return ret;
	catch_signals();
	if (!options->json)
		fputs("Watching for GPU faults; Ctrl-C ends.\n", stderr);
	ret = follow(stream, options);
	drmfault_stream_free(stream);
	if (ret == -ENODEV) {
		fputs("drmfault: the GPU has gone: its driver was unloaded or unbound\n", stderr);
		return EXIT_FAILURE;
	}
	return ret < 0 ? fail("go on watching", ret) : ret;
}

const struct command command_watch = {
	.name = "watch",
	.summary = "Print faults as they happen, until interrupted",
	.options = "japdnt",
	.run = run,
};
