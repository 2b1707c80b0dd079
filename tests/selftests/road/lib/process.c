// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "road.h"

#ifndef __NR_pidfd_open
#define __NR_pidfd_open	434
#endif

int road_pidfd(pid_t pid)
{
	int fd = syscall(__NR_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

/* As `login` leaves a user; such a process can be looked into by its user. */
int road_become(uid_t uid)
{
	const struct passwd *user = getpwuid(uid);

	if (!user)
		return -ENOENT;
	if (initgroups(user->pw_name, user->pw_gid) ||
	    setresgid(user->pw_gid, user->pw_gid, user->pw_gid) ||
	    setresuid(uid, uid, uid))
		return -errno;
	return prctl(PR_SET_DUMPABLE, 1) ? -errno : 0;
}

int road_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

__u64 road_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

void road_sleep_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}
