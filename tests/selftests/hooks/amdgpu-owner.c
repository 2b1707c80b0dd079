// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whose fault it is: address spaces of amdgpu are known by their pasid.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "amdgpu.h"
#include "kselftest_harness.h"

#define OTHER	0x8002
#define GONE	0x8003

FIXTURE(owner) {
	struct amdgpu amdgpu;
	struct hooks *hooks;
	__u64 address;
};

FIXTURE_SETUP(owner)
{
	self->hooks = &self->amdgpu.hooks;
	self->address = 0x7f0000000000ULL;
	ASSERT_EQ(0, amdgpu_setup(&self->amdgpu));
}

FIXTURE_TEARDOWN(owner)
{
	amdgpu_teardown(&self->amdgpu);
}

/* A fault of @pasid, and what arrives at a stream of the whole GPU. */
static int next_record(struct _test_data_owner *self, __u32 pasid,
		       struct drm_fault_record *record)
{
	int ret;

	self->address += 4096;
	ret = amdgpu_fault(&self->amdgpu, pasid, self->address);
	return ret ?: hooks_record(self->hooks->all, record);
}

static int is_nobodys(struct _test_data_owner *self, __u32 pasid)
{
	struct drm_fault_record want = hooks_want_unowned(self->hooks), record;
	int ret = next_record(self, pasid, &record);

	amdgpu_want(&want, pasid, self->address);
	want.gpu_timestamp = record.gpu_timestamp;
	return ret ?: hooks_differ(&want, &record);
}

static int is_ours(struct _test_data_owner *self, __u32 pasid)
{
	struct drm_fault_record want = hooks_want(self->hooks), record;
	int ret = next_record(self, pasid, &record);

	amdgpu_want(&want, pasid, self->address);
	want.gpu_timestamp = record.gpu_timestamp;
	want.client_id = record.client_id;
	return ret ?: hooks_differ(&want, &record);
}

/* The first test waits for the driver to load. */
TEST_F_TIMEOUT(owner, opener, 240)
{
	EXPECT_EQ(0, is_ours(self, AMDGPU_PASID));
}

TEST_F(owner, nobody_knows_the_pasid)
{
	EXPECT_EQ(0, is_nobodys(self, OTHER));
	EXPECT_EQ(0, is_nobodys(self, 0));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(owner, two_openers)
{
	struct drm_fault_record first, second;
	int fd, stream;

	ASSERT_EQ(0, amdgpu_next_pasid(&self->amdgpu, OTHER));
	fd = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, fd);
	stream = road_stream(DRM_FAULT_SCOPE_FILE, fd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, is_ours(self, AMDGPU_PASID));
	ASSERT_EQ(0, is_ours(self, OTHER));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &first));
	ASSERT_EQ(0, hooks_record(stream, &second));
	EXPECT_EQ(AMDGPU_PASID, first.pasid);
	EXPECT_EQ(OTHER, second.pasid);
	EXPECT_NE(first.context_id, second.context_id);
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(stream);
	close(stream);
	close(fd);
}

TEST_F(owner, pasid_of_a_closed_file_is_nobodys_and_then_anothers)
{
	struct drm_fault_record first, second;
	int fd;

	ASSERT_EQ(0, amdgpu_next_pasid(&self->amdgpu, OTHER));
	fd = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, next_record(self, OTHER, &first));
	close(fd);
	EXPECT_EQ(0, is_nobodys(self, OTHER));
	fd = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, next_record(self, OTHER, &second));
	EXPECT_EQ(getpid(), second.pid);
	EXPECT_NE(first.context_id, second.context_id);
	close(fd);
}

/* The kernel tells of so many releases at a time and no more: one can go by untold. */
TEST_F(owner, pasid_that_is_anothers_while_its_file_is_known)
{
	struct drm_fault_record record;
	int first, second, old, new;

	ASSERT_EQ(0, amdgpu_next_pasid(&self->amdgpu, OTHER));
	first = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, first);
	old = road_stream(DRM_FAULT_SCOPE_FILE, first);
	ASSERT_LE(0, old);
	second = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, second);
	new = road_stream(DRM_FAULT_SCOPE_FILE, second);
	ASSERT_LE(0, new);

	ASSERT_EQ(0, is_ours(self, OTHER));
	EXPECT_EQ(0, hooks_record(new, &record));
	EXPECT_NO_RECORD(old);
	close(first);
	ASSERT_EQ(0, is_ours(self, OTHER));
	EXPECT_EQ(0, hooks_record(new, &record));
	EXPECT_NO_RECORD(old);
	close(old);
	close(new);
	close(second);
}

/* Says over the pipe that it has opened the node, and waits to be killed. */
static void open_and_wait(struct _test_data_owner *self, int to_parent)
{
	int fd = amdgpu_open(&self->amdgpu);
	char byte = 0;

	prctl(PR_SET_NAME, "late-name");
	if (fd < 0 || write(to_parent, &byte, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

TEST_F(owner, process_that_ends)
{
	struct drm_fault_record record;
	int pipes[2], status;
	pid_t pid;
	char byte;

	ASSERT_EQ(0, amdgpu_next_pasid(&self->amdgpu, GONE));
	ASSERT_EQ(0, pipe(pipes));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		open_and_wait(self, pipes[1]);
	ASSERT_EQ(1, read(pipes[0], &byte, 1));
	ASSERT_EQ(0, next_record(self, GONE, &record));
	EXPECT_EQ(pid, record.pid);
	EXPECT_EQ(GONE, record.pasid);
	EXPECT_EQ(0, record.flags);
	EXPECT_STRNE("late-name", record.comm);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, is_nobodys(self, GONE));
	close(pipes[0]);
	close(pipes[1]);
}

static int submit(struct _test_data_owner *self, const char *function)
{
	return hooks_call(self->hooks, function, 0, self->hooks->gpu.drm, 0, self->hooks->file);
}

/* A child that has the file submits to it: the faults are its own from then on. */
static int submit_as_child(struct _test_data_owner *self, const char *function, pid_t *pid)
{
	*pid = fork();
	if (*pid < 0)
		return -errno;
	if (!*pid)
		_exit(prctl(PR_SET_NAME, "submitter") || submit(self, function));
	return road_wait(*pid);
}

/* From the opener to the one who submits, and back when that one has ended. */
static int follows(struct _test_data_owner *self, const char *function)
{
	struct drm_fault_record record;
	pid_t pid;
	int ret = submit_as_child(self, function, &pid);

	if (!ret)
		ret = next_record(self, AMDGPU_PASID, &record);
	if (!ret && (record.flags || strcmp(record.comm, "submitter")))
		ret = -ESRCH;
	if (!ret)
		ret = submit(self, function);
	return ret ?: is_ours(self, AMDGPU_PASID);
}

TEST_F(owner, who_submits)
{
	EXPECT_EQ(0, follows(self, "amdgpu:amdgpu_cs_ioctl"));
}

TEST_F(owner, who_makes_a_queue)
{
	if (!hooks_symbol(self->hooks, "amdgpu:amdgpu_userq_ioctl"))
		SKIP(return, "this kernel has no queues of users");
	EXPECT_EQ(0, follows(self, "amdgpu:amdgpu_userq_ioctl"));
}

TEST_F(owner, address_space_that_gets_another_pasid)
{
	static const char function[] = "amdgpu:amdgpu_vm_set_pasid";
	__u64 adev = self->amdgpu.adev, vm = self->hooks->priv;
	struct drm_fault_record record;
	int fd;

	if (!hooks_symbol(self->hooks, function))
		SKIP(return, "nothing in this kernel does that");
	ASSERT_EQ(0, hooks_call(self->hooks, function, 0, adev, vm, AMDGPU_PASID));
	EXPECT_EQ(0, is_ours(self, AMDGPU_PASID));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	ASSERT_EQ(0, hooks_call(self->hooks, function, 0, adev, vm, 0));
	EXPECT_EQ(0, is_nobodys(self, AMDGPU_PASID));
	fd = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, hooks_call(self->hooks, function, 0, adev, vm, OTHER));
	EXPECT_EQ(0, is_ours(self, AMDGPU_PASID));
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_EQ(0, is_ours(self, OTHER));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	EXPECT_EQ(OTHER, record.pasid);
	close(fd);
}

TEST_HARNESS_MAIN
