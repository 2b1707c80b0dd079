// SPDX-License-Identifier: MIT
/* The linker's --wrap puts these in front of the C library's, for libraries as well. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "store_wrap.h"

struct wrap wrap;

static bool hit(void)
{
	wrap.count++;
	if (!wrap.at || wrap.count < wrap.at || (wrap.count > wrap.at && !wrap.lasts))
		return false;
	if (!wrap.error)
		raise(SIGKILL);
	errno = wrap.error;
	return true;
}

/* clang-format off */
#define WRAP(type, name, parameters, arguments) \
	type __real_##name parameters; \
	__attribute__((visibility("default"))) type __wrap_##name parameters; \
	type __wrap_##name parameters { return hit() ? -1 : __real_##name arguments; }
/* clang-format on */

WRAP(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode))
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
WRAP(int, flock, (int fd, int operation), (fd, operation))
