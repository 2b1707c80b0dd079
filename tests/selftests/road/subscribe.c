// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* SUBSCRIBE: what may be asked for, and what the stream is like. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(subscribe) {
	struct road_sim sim;
	struct drm_fault_subscribe args;
};

FIXTURE_SETUP(subscribe)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->args = road_args(DRM_FAULT_SCOPE_SELF, 0);
}

FIXTURE_TEARDOWN(subscribe)
{
	road_sim_close(&self->sim);
}

static struct drm_fault_subscribe file_args(int fd)
{
	return road_args(DRM_FAULT_SCOPE_FILE, fd);
}

static int stream_of_fd(__u32 scope, int fd)
{
	struct drm_fault_subscribe args = road_args(scope, fd);

	return road_subscribe(&args);
}

TEST_F(subscribe, each_scope_works)
{
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_SELF, 0));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_PIDFD, road_pidfd(getpid())));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_ALL, 0));
}

TEST_F(subscribe, unknown_scope_is_EINVAL)
{
	const __u32 scopes[] = { 0, DRM_FAULT_SCOPE_ALL + 1, 0x80000000, ~0U };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scopes); i++) {
		self->args.scope = scopes[i];
		EXPECT_EQ(-EINVAL, road_subscribe(&self->args))
			TH_LOG("scope %u", scopes[i]);
	}
}

TEST_F(subscribe, a_file_where_none_is_asked_for_is_EINVAL)
{
	self->args.fd = self->sim.fd;
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
	self->args.scope = DRM_FAULT_SCOPE_ALL;
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
	self->args.scope = DRM_FAULT_SCOPE_DEVICE;
	self->args.device_id = road_gpu_id();
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
}

TEST_F(subscribe, a_device_where_none_is_asked_for_is_EINVAL)
{
	self->args.device_id = road_gpu_id();
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
	self->args.scope = DRM_FAULT_SCOPE_ALL;
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
	self->args = file_args(self->sim.fd);
	self->args.device_id = road_gpu_id();
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
	self->args = road_args(DRM_FAULT_SCOPE_PIDFD, road_pidfd(getpid()));
	self->args.device_id = road_gpu_id();
	EXPECT_EQ(-EINVAL, road_subscribe(&self->args));
}

TEST_F(subscribe, unknown_device_is_ENODEV)
{
	EXPECT_EQ(-ENODEV, road_stream(DRM_FAULT_SCOPE_DEVICE, 0));
	EXPECT_EQ(-ENODEV, road_stream(DRM_FAULT_SCOPE_DEVICE, -1));
}

TEST_F(subscribe, closed_file_is_EBADF)
{
	EXPECT_EQ(-EBADF, stream_of_fd(DRM_FAULT_SCOPE_FILE, -1));
	EXPECT_EQ(-EBADF, stream_of_fd(DRM_FAULT_SCOPE_FILE, 1000));
	EXPECT_EQ(-EBADF, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, -1));
	EXPECT_EQ(-EBADF, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, 1000));
}

/* A file that is open by path alone is no file of the driver's. */
TEST_F(subscribe, a_path_of_a_drm_node_is_EBADF)
{
	int fd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
	char name[16];

	snprintf(name, sizeof(name), "%d", self->sim.fd);
	fd = openat(fd, name, O_PATH);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBADF, stream_of_fd(DRM_FAULT_SCOPE_FILE, fd));
}

TEST_F(subscribe, file_that_is_no_drm_node_is_EINVAL)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);

	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_FILE, open("/dev/null", O_RDWR)));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_FILE, road_open()));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_FILE, road_pidfd(getpid())));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_FILE, stream));
}

TEST_F(subscribe, node_of_another_driver_is_EOPNOTSUPP)
{
	int vgem;

	ASSERT_EQ(0, system("modprobe vgem && udevadm settle"));
	vgem = road_node("vgem");
	ASSERT_LE(0, vgem);
	EXPECT_EQ(-EOPNOTSUPP, stream_of_fd(DRM_FAULT_SCOPE_FILE, vgem));
}

TEST_F(subscribe, file_that_is_no_pidfd_is_EINVAL)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);

	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, open("/dev/null", O_RDWR)));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, self->sim.fd));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, stream));
	EXPECT_EQ(-EINVAL, stream_of_fd(DRM_FAULT_SCOPE_PIDFD, open("/proc/self", O_RDONLY)));
}

TEST_F(subscribe, process_that_was_reaped_is_ESRCH)
{
	pid_t child = fork();
	int pidfd;

	if (!child)
		_exit(0);
	pidfd = road_pidfd(child);
	ASSERT_LE(0, pidfd);
	ASSERT_EQ(0, road_wait(child));
	EXPECT_EQ(-ESRCH, road_stream(DRM_FAULT_SCOPE_PIDFD, pidfd));
}

TEST_F(subscribe, stream_is_closed_on_exec)
{
	int stream = road_subscribe(&self->args);

	ASSERT_LE(0, stream);
	EXPECT_EQ(FD_CLOEXEC, fcntl(stream, F_GETFD));
}

TEST_F(subscribe, stream_blocks_unless_told_not_to)
{
	EXPECT_EQ(O_NONBLOCK, fcntl(road_subscribe(&self->args), F_GETFL) & O_NONBLOCK);
	self->args.flags = 0;
	EXPECT_EQ(0, fcntl(road_subscribe(&self->args), F_GETFL) & O_NONBLOCK);
}

TEST_F(subscribe, queue_is_a_power_of_two_within_limits)
{
	const __u32 wishes[] = { 1, 2, 15, 16, 17, 100, 1000, 4096, 4097, ~0U };
	struct drm_fault_info info;
	int dev = road_open();
	__u32 length;
	size_t i;

	ASSERT_EQ(0, road_info(&info));
	for (i = 0; i < ARRAY_SIZE(wishes); i++) {
		self->args = road_args(DRM_FAULT_SCOPE_SELF, 0);
		self->args.queue_records = wishes[i];
		ASSERT_EQ(0, road_call(dev, DRM_FAULT_IOCTL_SUBSCRIBE, &self->args));
		length = self->args.queue_records;
		EXPECT_EQ(0, length & (length - 1));
		EXPECT_LE(length, info.max_queue_records);
		if (wishes[i] <= info.max_queue_records)
			EXPECT_LE(wishes[i], length);
	}
}

TEST_F(subscribe, queue_of_no_wish_has_the_default_length)
{
	int dev = road_open();

	ASSERT_EQ(0, road_call(dev, DRM_FAULT_IOCTL_SUBSCRIBE, &self->args));
	EXPECT_EQ(road_parameter("queue_records"), self->args.queue_records);
}

/* As a user who has no streams but these. */
TEST_F(subscribe, one_stream_more_than_a_user_may_have_is_EMFILE)
{
	int limit = road_parameter("max_streams"), first = -1, i, stream;

	ASSERT_EQ(0, road_become(ROAD_BOB));
	for (i = 0; i < limit; i++) {
		stream = road_subscribe(&self->args);
		ASSERT_LE(0, stream)
			TH_LOG("stream %d", i);
		if (first < 0)
			first = stream;
	}
	EXPECT_EQ(-EMFILE, road_subscribe(&self->args));
	close(first);
	EXPECT_EQ(first, road_subscribe(&self->args));
	EXPECT_EQ(-EMFILE, road_subscribe(&self->args));
}

TEST_F(subscribe, streams_of_one_user_do_not_count_for_another)
{
	int limit = road_parameter("max_streams"), full[2], i;
	char done;
	pid_t child;

	ASSERT_EQ(0, pipe(full));
	child = fork();
	if (!child) {
		if (road_become(ROAD_BOB))
			_exit(1);
		for (i = 0; i < limit; i++)
			if (road_subscribe(&self->args) < 0)
				_exit(2);
		if (write(full[1], "", 1) == 1)
			pause();
		_exit(3);
	}
	close(full[1]);
	ASSERT_EQ(1, read(full[0], &done, 1));
	EXPECT_LE(0, road_subscribe(&self->args));
	kill(child, SIGKILL);
	EXPECT_EQ(-EINTR, road_wait(child));
}

/* Takes all streams that a user may have, in a child, which then waits. */
static pid_t take_all(const struct drm_fault_subscribe *args, uid_t uid, int taken)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setresuid(uid, uid, uid))
		_exit(1);
	while (road_subscribe(args) >= 0)
		;
	if (write(taken, "", 1) != 1)
		_exit(2);
	pause();
	_exit(3);
}

#define MACHINE_STREAMS	1024

/* What watches the machine still works when users have done their worst. */
TEST_F(subscribe, users_cannot_take_all_streams_of_the_machine)
{
	int users = MACHINE_STREAMS / road_parameter("max_streams") + 1, taken[2], i;
	pid_t children[MACHINE_STREAMS + 1];
	char done;

	ASSERT_EQ(0, pipe(taken));
	self->args.queue_records = 1;
	for (i = 0; i < users; i++)
		children[i] = take_all(&self->args, 10000 + i, taken[1]);
	for (i = 0; i < users; i++)
		ASSERT_EQ(1, read(taken[0], &done, 1));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_LE(0, road_subscribe(&self->args));
	for (i = 0; i < users; i++) {
		kill(children[i], SIGKILL);
		EXPECT_EQ(-EINTR, road_wait(children[i]));
	}
}

/* Closed streams count until their memory is free, and make nobody fail for that. */
TEST_F(subscribe, streams_can_be_opened_and_closed_for_ever)
{
	int limit = road_parameter("max_streams"), i, stream;

	ASSERT_EQ(0, road_become(ROAD_BOB));
	for (i = 0; i < 20 * limit; i++) {
		stream = road_subscribe(&self->args);
		ASSERT_LE(0, stream)
			TH_LOG("stream %d", i);
		close(stream);
	}
}

TEST_F(subscribe, no_free_file_is_EMFILE)
{
	int dev = road_open(), fd;

	do
		fd = dup(dev);
	while (fd >= 0);
	EXPECT_EQ(-EMFILE, road_call(dev, DRM_FAULT_IOCTL_SUBSCRIBE, &self->args));
	EXPECT_EQ(-EMFILE, road_call(dev, DRM_FAULT_IOCTL_SUBSCRIBE, &self->args));
	close(dev - 1);
}

/* What was before a subscription is for snapshots, not for read(). */
TEST_F(subscribe, stream_starts_empty)
{
	struct drm_fault_record record;
	struct drm_fault_snapshot snapshot;
	int stream;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, stream);
	EXPECT_EQ(0, road_poll(stream, 0));
	EXPECT_EQ(-EAGAIN, road_read(stream, &record, ROAD_RECORD));
	ASSERT_EQ(0, road_snapshot(stream, &snapshot, &record, 1));
	EXPECT_EQ(1, snapshot.record_count);
}

TEST_HARNESS_MAIN
