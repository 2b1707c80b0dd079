// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define NS_PER_S 1000000000u

static int sys_open(const char *path, int flags)
{
	return open(path, flags);
}

static int sys_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static int sys_poll(int fd, short events, uint64_t timeout_ns, short *revents)
{
	struct pollfd pollfd = { .fd = fd, .events = events };
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	int ret = ppoll(&pollfd, 1, timeout_ns == DRMFAULT_FOREVER ? NULL : &timeout, NULL);

	*revents = pollfd.revents;
	return ret;
}

const struct drmfault_sys drmfault_sys_kernel = {
	.open = sys_open,
	.close = close,
	.ioctl = sys_ioctl,
	.read = read,
	.poll = sys_poll,
};

int drmfault_ioctl(const struct drmfault_sys *sys, int fd, unsigned long request, void *arg)
{
	int ret;

	do
		ret = sys->ioctl(fd, request, arg);
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}
