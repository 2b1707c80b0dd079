// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Who may see whose faults. A victim is a child with a client of its own; it
 * faults when it is told to. The spy is the test, as a user without rights.
 */
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(privacy) {
	pid_t victim;
	int pidfd;
	int talk;	/* a byte makes it fault, a byte says that it has */
	struct drm_fault_snapshot snapshot;
	struct drm_fault_record records[8];
};

FIXTURE_SETUP(privacy)
{
	ASSERT_EQ(0, road_setup());
}

FIXTURE_TEARDOWN(privacy)
{
	if (self->victim)
		kill(self->victim, SIGKILL);
}

/* What a victim does when it is told to. */
enum victim {
	OPEN,		/* one that others may look into */
	CLOSED,		/* one that nobody may */
	CLOSED_LATER,	/* the first, until it opens the GPU */
};

static void be_the_victim(int talk, enum victim kind)
{
	struct road_sim sim;
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (prctl(PR_SET_DUMPABLE, kind != CLOSED))
		_exit(1);
	if (kind == CLOSED_LATER && (write(talk, "", 1) != 1 || read(talk, &byte, 1) != 1 ||
				     prctl(PR_SET_DUMPABLE, 0)))
		_exit(2);
	if (road_sim_open(&sim))
		_exit(3);
	while (write(talk, "", 1) == 1 && read(talk, &byte, 1) == 1)
		if (road_raise(&sim, 0x1000, 1))
			_exit(4);
	_exit(0);
}

/* Waits for the victim to say that it has done what it was told to. */
static int hear(struct _test_data_privacy *self)
{
	char byte;

	if (read(self->talk, &byte, 1) == 1)
		return 0;
	return 1000 + road_wait(self->victim);
}

static int start_victim(struct _test_data_privacy *self, uid_t uid, enum victim kind)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	self->victim = fork();
	if (!self->victim) {
		close(ends[0]);
		if (uid && road_become(uid))
			_exit(5);
		be_the_victim(ends[1], kind);
	}
	close(ends[1]);
	self->talk = ends[0];
	self->pidfd = road_pidfd(self->victim);
	return self->pidfd < 0 ? self->pidfd : hear(self);
}

static int make_it_fault(struct _test_data_privacy *self)
{
	return write(self->talk, "", 1) == 1 ? hear(self) : -EPIPE;
}

/* How many of the victim's records a stream has to read, and in its snapshot. */
static int seen(struct _test_data_privacy *self, int stream)
{
	unsigned int i, count = 0;

	while (road_read(stream, self->records, ROAD_RECORD) > 0)
		count += self->records[0].pid == self->victim;
	if (road_snapshot(stream, &self->snapshot, self->records, ARRAY_SIZE(self->records)))
		return -1;
	for (i = 0; i < self->snapshot.record_count; i++)
		count += self->records[i].pid == self->victim;
	return count;
}

TEST_F(privacy, everything_is_EACCES_for_users)
{
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()));
}

/* Whether there is such a device is nothing to find out that way. */
TEST_F(privacy, unknown_device_is_EACCES_for_users)
{
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_DEVICE, 12345));
}

TEST_F(privacy, process_of_another_user_is_EACCES)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, process_of_root_is_EACCES)
{
	ASSERT_EQ(0, start_victim(self, 0, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, process_of_the_same_user_is_visible)
{
	int stream;

	ASSERT_EQ(0, start_victim(self, ROAD_ALICE, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	stream = road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_EQ(2, seen(self, stream));
}

TEST_F(privacy, process_that_is_not_dumpable_is_EACCES)
{
	ASSERT_EQ(0, start_victim(self, ROAD_ALICE, CLOSED));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, process_of_mixed_ids_is_EACCES)
{
	pid_t child = fork();

	if (!child) {
		/* As a program that may become root again. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (setresuid(ROAD_ALICE, ROAD_ALICE, 0) || prctl(PR_SET_DUMPABLE, 1))
			_exit(1);
		pause();
	}
	self->victim = child;
	road_sleep_ms(ROAD_MOMENT_MS);
	self->pidfd = road_pidfd(child);
	ASSERT_LE(0, self->pidfd);
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

/*
 * The stream is made while the process is one of the user's, its client when it
 * is one that nobody may look into.
 */
TEST_F(privacy, stream_does_not_follow_a_process_to_other_rights)
{
	int stream;

	ASSERT_EQ(0, start_victim(self, ROAD_ALICE, CLOSED_LATER));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	stream = road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd);
	ASSERT_LE(0, stream);
	/* It opens the GPU first. */
	ASSERT_EQ(0, make_it_fault(self));
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_EQ(0, seen(self, stream));
}

TEST_F(privacy, self_shows_only_the_callers_process)
{
	struct road_sim own;
	int stream;

	ASSERT_EQ(0, start_victim(self, ROAD_ALICE, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	ASSERT_EQ(0, road_sim_open(&own));
	stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_EQ(0, seen(self, stream));
	ASSERT_EQ(0, road_raise(&own, 0x1000, 1));
	EXPECT_EQ(POLLIN, road_poll(stream, 0));
	ASSERT_EQ(0, road_read_all(stream, self->records, 1));
	EXPECT_EQ(getpid(), self->records[0].pid);
}

/* Not the children's either: they are processes of their own. */
TEST_F(privacy, self_of_a_parent_does_not_show_its_child)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);

	ASSERT_LE(0, stream);
	ASSERT_EQ(0, start_victim(self, 0, OPEN));
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_EQ(0, seen(self, stream));
}

TEST_F(privacy, stream_stays_with_the_process_that_asked)
{
	struct road_sim own;
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	pid_t child;

	ASSERT_LE(0, stream);
	child = fork();
	if (!child) {
		/* "Self" is the parent on this stream. */
		_exit(road_sim_open(&own) || road_raise(&own, 0x1000, 1) ||
		      road_read(stream, self->records, ROAD_RECORD) != -EAGAIN);
	}
	EXPECT_EQ(0, road_wait(child));
}

TEST_F(privacy, who_holds_the_file_may_see_its_faults)
{
	struct road_sim passed;
	int stream;

	ASSERT_EQ(0, road_sim_open(&passed));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, passed.fd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, road_raise(&passed, 0x1000, 1));
	ASSERT_EQ(0, road_read_all(stream, self->records, 1));
	EXPECT_EQ(passed.context, self->records[0].context_id);
}

TEST_F(privacy, file_shows_no_other_file_of_the_same_process)
{
	struct road_sim one, two;
	int stream;

	ASSERT_EQ(0, road_sim_open(&one));
	ASSERT_EQ(0, road_sim_open(&two));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, one.fd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, road_raise(&two, 0x1000, 1));
	EXPECT_EQ(-EAGAIN, road_read(stream, self->records, ROAD_RECORD));
	ASSERT_EQ(0, road_snapshot(stream, &self->snapshot, self->records, 8));
	EXPECT_EQ(0, self->snapshot.total);
}

TEST_F(privacy, root_sees_any_process_by_pidfd)
{
	int stream;

	ASSERT_EQ(0, start_victim(self, ROAD_BOB, CLOSED));
	stream = road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_EQ(2, seen(self, stream));
}

TEST_F(privacy, pidfd_shows_only_its_process)
{
	struct road_sim own;
	int stream;

	ASSERT_EQ(0, start_victim(self, ROAD_BOB, OPEN));
	ASSERT_EQ(0, road_sim_open(&own));
	stream = road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, road_raise(&own, 0x1000, 1));
	EXPECT_EQ(-EAGAIN, road_read(stream, self->records, ROAD_RECORD));
}

/* Leaves an effective capability or none, as a user. */
static int become_with(int capability)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = {};

	if (prctl(PR_SET_KEEPCAPS, 1) || setresuid(ROAD_ALICE, ROAD_ALICE, ROAD_ALICE))
		return -errno;
	data[capability / 32].permitted = 1U << capability % 32;
	data[capability / 32].effective = 1U << capability % 32;
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/* Of the calling thread. */
static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = {};

	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

TEST_F(privacy, CAP_PERFMON_is_enough_for_all)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, CLOSED));
	ASSERT_EQ(0, become_with(CAP_PERFMON));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, CAP_SYS_ADMIN_is_enough_for_all_but_processes)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, CLOSED));
	ASSERT_EQ(0, become_with(CAP_SYS_ADMIN));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, CAP_SYS_PTRACE_is_enough_for_processes)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, CLOSED));
	ASSERT_EQ(0, become_with(CAP_SYS_PTRACE));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_ALL, 0));
}

/* A program with a capability of its own is none to look into for its user. */
TEST_F(privacy, process_with_a_capability_is_EACCES)
{
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (become_with(CAP_SYS_NICE) || prctl(PR_SET_DUMPABLE, 1))
			_exit(1);
		pause();
	}
	self->victim = child;
	road_sleep_ms(ROAD_MOMENT_MS);
	self->pidfd = road_pidfd(child);
	ASSERT_LE(0, self->pidfd);
	/* The same ids, with and without. */
	ASSERT_EQ(0, become_with(CAP_SYS_NICE));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
	ASSERT_EQ(0, drop_capabilities());
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

static void *subscribe_without_rights(void *data)
{
	int *stream = data;

	*stream = drop_capabilities() ?: road_stream(DRM_FAULT_SCOPE_SELF, 0);
	return NULL;
}

/* As if the process had executed a program with capabilities since. */
TEST_F(privacy, self_does_not_show_what_has_more_rights)
{
	int with = road_stream(DRM_FAULT_SCOPE_SELF, 0), without;
	struct road_sim own;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, subscribe_without_rights, &without));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_LE(0, with);
	ASSERT_LE(0, without);
	ASSERT_EQ(0, road_sim_open(&own));
	ASSERT_EQ(0, road_raise(&own, 0x1000, 1));
	self->victim = getpid();
	EXPECT_EQ(2, seen(self, with));
	EXPECT_EQ(0, seen(self, without));
	self->victim = 0;
}

/* Who makes a user namespace has every right in it. */
TEST_F(privacy, process_in_a_user_namespace_of_the_user_is_visible)
{
	pid_t child;

	ASSERT_EQ(0, road_become(ROAD_ALICE));
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWUSER) || prctl(PR_SET_DUMPABLE, 1))
			_exit(1);
		pause();
	}
	self->victim = child;
	road_sleep_ms(ROAD_MOMENT_MS);
	self->pidfd = road_pidfd(child);
	ASSERT_LE(0, self->pidfd);
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, other_capabilities_are_not)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, CLOSED));
	ASSERT_EQ(0, become_with(CAP_DAC_OVERRIDE));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

TEST_F(privacy, root_of_a_user_namespace_has_no_privilege)
{
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	if (unshare(CLONE_NEWUSER))
		SKIP(return, "users may not have namespaces here");
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()));
	EXPECT_EQ(-EACCES, road_stream(DRM_FAULT_SCOPE_PIDFD, self->pidfd));
}

/* Once given, a stream stays what it is: that is what it can be passed on for. */
TEST_F(privacy, rights_count_when_the_stream_is_made)
{
	int stream = road_stream(DRM_FAULT_SCOPE_ALL, 0);

	ASSERT_LE(0, stream);
	ASSERT_EQ(0, start_victim(self, ROAD_BOB, OPEN));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	ASSERT_EQ(0, make_it_fault(self));
	EXPECT_LE(1, seen(self, stream));
}

TEST_HARNESS_MAIN
