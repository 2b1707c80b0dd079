// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whose a fault, a hang or a killed channel of nouveau is: channels come and go, each
 * for an opener.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "nouveau.h"

#define OTHER_INST	0x7fff0000ULL

FIXTURE(nouveau_channel) {
	struct nouveau nouveau;
	struct hooks *hooks;
	struct nouveau_fault fault;
	__u64 channel;
};

FIXTURE_SETUP(nouveau_channel)
{
	self->hooks = &self->nouveau.hooks;
	self->fault = (struct nouveau_fault){ .addr = 0x10000000, .hub = 1, .reason = 2 };
	ASSERT_EQ(0, nouveau_setup(&self->nouveau));
	self->channel = nouveau_channel(&self->nouveau, NOUVEAU_INST);
	ASSERT_NE(0, self->channel);
}

FIXTURE_TEARDOWN(nouveau_channel)
{
	nouveau_teardown(&self->nouveau);
}

/* A fault of a channel in another page, and what arrives at a stream. */
static int fault_at(struct _test_data_nouveau_channel *self, __u64 inst, int stream,
		    struct drm_fault_record *record)
{
	int ret;

	self->fault.inst = inst;
	self->fault.addr += 4096;
	ret = nouveau_fault(&self->nouveau, &self->fault);
	return ret ?: hooks_record(stream, record);
}

static bool is_ours(struct _test_data_nouveau_channel *self, __u64 inst)
{
	struct drm_fault_record record;

	return !fault_at(self, inst, self->hooks->own, &record) && record.pid == getpid() &&
	       record.client_id == self->hooks->client && !record.flags;
}

static bool is_nobodys(struct _test_data_nouveau_channel *self, __u64 inst)
{
	struct drm_fault_record record;
	bool ours;

	/* A stream of the whole GPU may have more to be read. */
	while (!hooks_record(self->hooks->all, &record))
		;
	ours = !fault_at(self, inst, self->hooks->own, &record);
	return !ours && !hooks_record(self->hooks->all, &record) &&
	       record.flags == DRM_FAULT_RECORD_F_OWNER_UNKNOWN && !record.pid &&
	       !record.client_id;
}

TEST_F(nouveau_channel, nobody_knows_the_channel)
{
	EXPECT_TRUE(is_nobodys(self, NOUVEAU_INST));
	EXPECT_TRUE(is_nobodys(self, 0));
}

TEST_F(nouveau_channel, from_the_ioctl_to_the_end)
{
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0));
	EXPECT_TRUE(is_ours(self, NOUVEAU_INST));
	EXPECT_TRUE(is_nobodys(self, OTHER_INST));
	ASSERT_EQ(0, nouveau_channel_del(&self->nouveau, self->channel));
	EXPECT_TRUE(is_nobodys(self, NOUVEAU_INST));
	/* Twice, and one that never was. */
	ASSERT_EQ(0, nouveau_channel_del(&self->nouveau, self->channel));
	ASSERT_EQ(0, nouveau_channel_del(&self->nouveau, 0));
}

TEST_F(nouveau_channel, ioctl_that_fails)
{
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel,
					 -ENOMEM));
	EXPECT_TRUE(is_nobodys(self, NOUVEAU_INST));
}

TEST_F(nouveau_channel, what_the_driver_makes_for_itself)
{
	ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:nouveau_channel_new", 0, 0, 0, 0, 0, 0,
				nouveau_pointer(&self->nouveau, self->channel)));
	EXPECT_TRUE(is_nobodys(self, NOUVEAU_INST));
}

TEST_F(nouveau_channel, two_openers)
{
	struct drm_fault_call_priv other = { .fd = hooks_gpu_node(self->hooks) };
	__u64 channel = nouveau_channel(&self->nouveau, OTHER_INST);
	struct drm_fault_record first, second;
	int stream;

	ASSERT_LE(0, other.fd);
	ASSERT_EQ(0, road_call(self->hooks->call, DRM_FAULT_CALL_GPU_PRIV, &other));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, other.fd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0));
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, other.file, channel, 0));
	EXPECT_EQ(0, fault_at(self, NOUVEAU_INST, self->hooks->own, &first));
	EXPECT_EQ(0, fault_at(self, OTHER_INST, stream, &second));
	EXPECT_NE(first.context_id, second.context_id);
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(stream);

	/* The end of our channel was missed, and its instance block is the other's now. */
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, other.file, self->channel, 0));
	EXPECT_EQ(0, fault_at(self, NOUVEAU_INST, stream, &second));
	EXPECT_NO_RECORD(self->hooks->own);
	close(stream);
	close(other.fd);
	EXPECT_TRUE(is_nobodys(self, NOUVEAU_INST));
	EXPECT_TRUE(is_nobodys(self, OTHER_INST));
}

TEST_F(nouveau_channel, channels_from_before)
{
	const __u64 channels[] = {
		self->channel, nouveau_channel(&self->nouveau, OTHER_INST),
	};
	struct drm_fault_record record;
	int fd, stream;

	fd = nouveau_open_with(&self->nouveau, channels, ARRAY_SIZE(channels));
	ASSERT_LE(0, fd);
	stream = road_stream(DRM_FAULT_SCOPE_FILE, fd);
	ASSERT_LE(0, stream);
	EXPECT_EQ(0, fault_at(self, NOUVEAU_INST, stream, &record));
	EXPECT_EQ(0, fault_at(self, OTHER_INST, stream, &record));
	EXPECT_NO_RECORD(self->hooks->own);
	close(stream);
	close(fd);
}

/* A node that one process opens and another uses. */
TEST_F(nouveau_channel, process_that_made_the_channel)
{
	struct drm_fault_record record;
	int ready[2];
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	child = fork();
	if (!child) {
		byte = nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0) ?
		       'n' : 'y';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ('y', byte);
	EXPECT_EQ(0, fault_at(self, NOUVEAU_INST, self->hooks->own, &record));
	EXPECT_EQ(child, record.pid);
	kill(child, SIGKILL);
	road_wait(child);
}

TEST_F(nouveau_channel, killed)
{
	struct drm_fault_record want = hooks_want(self->hooks), record;

	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0));
	ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:nouveau_channel_killed", 0,
				nouveau_kill(self->channel), 0, 0));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	want.type = DRM_FAULT_RECORD_RESET;
	want.flags = DRM_FAULT_RECORD_F_FATAL;
	EXPECT_EQ(0, hooks_differ(&want, &record));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(nouveau_channel, job_that_timed_out)
{
	struct drm_fault_record want = hooks_want(self->hooks), record;
	struct drm_fault_call_make make = {
		.inner_count = 1,
	};
	__u64 job;

	if (!self->nouveau.modern)
		SKIP(return, "jobs have no time limit in this kernel's nouveau");
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, self->channel, 0));
	job = nouveau_job(&self->nouveau, self->channel, 0x1234, 0x56);
	ASSERT_NE(0, job);
	make.outer = HOOKS_STEP("nouveau:nouveau_sched_timedout_job", 1, job);
	make.inner[0] = HOOKS_STEP("nouveau:nouveau_exec_job_timeout", 1, job);
	ASSERT_EQ(0, hooks_make(self->hooks, &make));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	want.type = DRM_FAULT_RECORD_TIMEOUT;
	want.flags = DRM_FAULT_RECORD_F_GUILTY;
	want.job_context = 0x1234;
	want.job_seqno = 0x56;
	EXPECT_EQ(0, hooks_differ(&want, &record));
	EXPECT_NO_RECORD(self->hooks->own);

	/* A job that binds memory has no channel. */
	make.inner_count = 0;
	ASSERT_EQ(0, hooks_make(self->hooks, &make));
	EXPECT_NO_RECORD(self->hooks->own);
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, record.type);
	EXPECT_EQ(DRM_FAULT_RECORD_F_GUILTY | DRM_FAULT_RECORD_F_OWNER_UNKNOWN, record.flags);
}

TEST_HARNESS_MAIN
