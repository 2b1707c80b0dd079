// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"

/* A program that takes longer waits for something. */
#define LIMIT_MS 10000

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns the process, or -1. */
static pid_t start(const char *const *command, int output)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int ret;

	if (posix_spawn_file_actions_init(&actions))
		return -1;
	ret = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
						       O_RDONLY, 0);
	if (!ret)
		ret = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
						       O_WRONLY, 0);
	if (!ret)
		ret = posix_spawnp(&pid, command[0], &actions, NULL, (char **)command, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret ? -1 : pid;
}

/* To the end of it; false if that does not come in time. */
static bool read_answer(int fd, char answer[ASK_MAX])
{
	int64_t left, until = now_ms() + LIMIT_MS;
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char rest[ASK_MAX];
	size_t length = 0;
	ssize_t n;

	for (;;) {
		left = until - now_ms();
		if (left <= 0 || (poll(&ready, 1, (int)left) < 0 && errno != EINTR))
			return false;
		if (!ready.revents)
			continue;
		n = length < ASK_MAX - 1 ? read(fd, answer + length, ASK_MAX - 1 - length)
					 : read(fd, rest, sizeof(rest));
		if (n < 0)
			return false;
		if (length < ASK_MAX - 1)
			length += (size_t)n;
		answer[length] = '\0';
		if (!n)
			return length > 0;
	}
}

bool ask(const char *const *command, char answer[ASK_MAX])
{
	int status = -1, ends[2];
	bool answered;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = start(command, ends[1]);
	close(ends[1]);
	answered = pid > 0 && read_answer(ends[0], answer);
	close(ends[0]);
	if (pid <= 0)
		return false;
	if (!answered)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return answered && WIFEXITED(status) && !WEXITSTATUS(status);
}
