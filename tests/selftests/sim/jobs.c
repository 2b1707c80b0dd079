// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Submission: fences, guilt, time limits. */
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(jobs) {
	struct sim_client c;
};

FIXTURE_SETUP(jobs)
{
	ASSERT_EQ(0, sim_open(&self->c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_LONG_MS));
}

FIXTURE_TEARDOWN(jobs)
{
	sim_close(&self->c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

static const __u64 good[4] = { DRM_FAULT_SIM_END };
static const __u64 bad[4] = { DRM_FAULT_SIM_LOAD(8, 0, 0, 0) };

TEST_F(jobs, guilty_until_recovered)
{
	struct drm_fault_sim_recover recover = { .pad = 1 };

	ASSERT_EQ(-EFAULT, sim_run_words(&self->c, bad));
	EXPECT_EQ(DRM_FAULT_SIM_STATE_GUILTY, sim_state(&self->c).state);
	EXPECT_EQ(1, sim_state(&self->c).faults);
	EXPECT_EQ(-ECANCELED, sim_submit(&self->c, 0, 0));
	EXPECT_EQ(-ECANCELED, sim_submit(&self->c, 1, 0));
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_RECOVER, &recover));
	recover = (struct drm_fault_sim_recover){ .flags = 1 };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_RECOVER, &recover));
	EXPECT_EQ(DRM_FAULT_SIM_STATE_GUILTY, sim_state(&self->c).state);
	EXPECT_EQ(0, sim_recover(&self->c));
	EXPECT_EQ(0, sim_state(&self->c).state);
	EXPECT_EQ(0, sim_run_words(&self->c, good));
}

TEST_F(jobs, others_stay_innocent)
{
	struct sim_client other;

	ASSERT_EQ(0, sim_open(&other));
	EXPECT_EQ(-EFAULT, sim_run_words(&self->c, bad));
	EXPECT_EQ(0, sim_run_words(&other, good));
	EXPECT_EQ(0, sim_faults(&other, NULL, 0));
	sim_close(&other);
}

TEST_F(jobs, state_refuses)
{
	struct drm_fault_sim_state args = { .flags = 1 };

	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_STATE, &args));
	args = (struct drm_fault_sim_state){ .pad = 1 };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_STATE, &args));
}

TEST_F(jobs, wait_refuses)
{
	struct drm_fault_sim_wait args = { .syncobj = self->c.done, .flags = 1 };

	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_WAIT, &args));
	args = (struct drm_fault_sim_wait){ .syncobj = self->c.done, .pad = 1 };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_WAIT, &args));
	/* No fence in it. */
	args = (struct drm_fault_sim_wait){ .syncobj = self->c.done };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_WAIT, &args));
	args = (struct drm_fault_sim_wait){ .syncobj = 4711 };
	EXPECT_EQ(-ENOENT, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_WAIT, &args));
}

TEST_F(jobs, hang)
{
	const __u64 endless[4] = { DRM_FAULT_SIM_NOP, DRM_FAULT_SIM_JUMP(CODE) };
	struct drm_fault_record r[4];

	ASSERT_EQ(0, sim_timeout(TIMEOUT_SHORT_MS));
	ASSERT_EQ(-ETIMEDOUT, sim_run_words(&self->c, endless));
	ASSERT_EQ(2, sim_faults(&self->c, r, 4));
	EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, r[0].type);
	EXPECT_EQ(DRM_FAULT_RECORD_RESET, r[1].type);
	EXPECT_EQ(DRM_FAULT_RECORD_F_GUILTY, r[0].flags & DRM_FAULT_RECORD_F_GUILTY);
	EXPECT_EQ(CODE, r[0].ip & ~15ULL);
	EXPECT_EQ(self->c.last.fence_seqno, r[0].job_seqno);
	EXPECT_EQ(1, sim_state(&self->c).resets);
	EXPECT_LE(1, sim_state(&self->c).device_resets);
	EXPECT_EQ(DRM_FAULT_SIM_STATE_GUILTY, sim_state(&self->c).state);
}

TEST_F(jobs, fault_cancels_the_others)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 0),
		DRM_FAULT_SIM_STORE(1, 1, 1, 0),
		DRM_FAULT_SIM_END,
		[8] = DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 4),
		DRM_FAULT_SIM_END,
	};
	__u32 queued = sim_syncobj(self->c.fd), other = sim_syncobj(self->c.fd);
	struct drm_fault_sim_submit args = { .start = CODE + 64, .out_syncobj = queued };
	int result;

	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_submit(&self->c, 0, 0));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	args.out_syncobj = other;
	args.ring = 1;
	args.fence_fd = 0;
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	sim_poke(&self->c.data, 0, 1);
	ASSERT_EQ(0, sim_wait(self->c.fd, self->c.done, SOON, &result));
	EXPECT_EQ(-EFAULT, result);
	ASSERT_EQ(0, sim_wait(self->c.fd, queued, SOON, &result));
	EXPECT_EQ(-ECANCELED, result);
	ASSERT_EQ(0, sim_wait(self->c.fd, other, SOON, &result));
	EXPECT_EQ(-ECANCELED, result);
	EXPECT_EQ(1, sim_faults(&self->c, NULL, 0));
}

TEST_F(jobs, in_fence)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 0),
		DRM_FAULT_SIM_END,
		[8] = DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 9),
		DRM_FAULT_SIM_STORE(4, 1, 0, 4),
		DRM_FAULT_SIM_END,
	};
	__u32 second = sim_syncobj(self->c.fd);
	struct drm_fault_sim_submit args = {
		.start = CODE + 64, .ring = 1, .in_syncobj = self->c.done, .out_syncobj = second,
	};
	int result;

	/* no fence yet */
	EXPECT_EQ(-EINVAL, sim_submit_args(&self->c, &args));
	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_submit(&self->c, 0, 0));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	EXPECT_EQ(-ETIME, sim_wait(self->c.fd, second, 100 * MS, &result));
	EXPECT_EQ(0, sim_peek(&self->c.data, 1));
	sim_poke(&self->c.data, 0, 1);
	ASSERT_EQ(0, sim_wait(self->c.fd, second, SOON, &result));
	EXPECT_EQ(0, result);
	EXPECT_EQ(9, sim_peek(&self->c.data, 1));
}

TEST_F(jobs, in_fence_that_failed)
{
	__u32 second = sim_syncobj(self->c.fd);
	struct drm_fault_sim_submit args = {
		.start = CODE, .ring = 1, .in_syncobj = self->c.done, .out_syncobj = second,
	};
	int result;

	ASSERT_EQ(-EFAULT, sim_run_words(&self->c, bad));
	ASSERT_EQ(0, sim_recover(&self->c));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	ASSERT_EQ(0, sim_wait(self->c.fd, second, SOON, &result));
	EXPECT_EQ(-ECANCELED, result);
	EXPECT_EQ(0, sim_state(&self->c).state);
}

TEST_F(jobs, sync_file)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 0),
		0,
	};
	struct drm_fault_sim_submit args = {
		.start = CODE,
		.flags = DRM_FAULT_SIM_SUBMIT_FENCE_FD,
	};
	struct sync_fence_info fence = {};
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };
	struct pollfd p = { .events = POLLIN };

	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	p.fd = args.fence_fd;
	ASSERT_LE(0, p.fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(p.fd, F_GETFD));
	ASSERT_EQ(0, ioctl(p.fd, SYNC_IOC_FILE_INFO, &info));
	EXPECT_EQ(0, info.status);
	EXPECT_STREQ(DRM_FAULT_SIM_NAME, fence.driver_name);
	EXPECT_STREQ("ring0", fence.obj_name);
	EXPECT_EQ(0, poll(&p, 1, 0));

	sim_poke(&self->c.data, 0, 1);
	ASSERT_EQ(1, poll(&p, 1, SOON / MS));
	ASSERT_EQ(0, ioctl(p.fd, SYNC_IOC_FILE_INFO, &info));
	EXPECT_EQ(-EFAULT, info.status);
	close(p.fd);
}

TEST_F(jobs, submit_refuses)
{
	const struct { struct drm_fault_sim_submit args; int error; } cases[] = {
		{ { .start = CODE, .ring = 2 }, -EINVAL },
		{ { .start = CODE, .flags = 4 }, -EINVAL },
		{ { .start = CODE, .pad = 1 }, -EINVAL },
		{ { .start = CODE, .fence_fd = 1 }, -EINVAL },
		{ { .start = 1ULL << 48 }, -EINVAL },
		{ { .start = CODE, .in_syncobj = 4711 }, -ENOENT },
		{ { .start = CODE, .out_syncobj = 4711 }, -ENOENT },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct drm_fault_sim_submit args = cases[i].args;

		EXPECT_EQ(cases[i].error, sim_submit_args(&self->c, &args))
			TH_LOG("case %u", i);
	}
	EXPECT_EQ(0, sim_state(&self->c).jobs);
}

TEST_F(jobs, too_many_jobs)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA), DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 0), DRM_FAULT_SIM_END,
	};
	int result, i, ret = 0;

	sim_load(&self->c, program, sizeof(program));
	for (i = 0; i < 100 && !ret; i++)
		ret = sim_submit(&self->c, i & 1, 0);
	EXPECT_EQ(-EAGAIN, ret);
	EXPECT_EQ(65, i);
	sim_poke(&self->c.data, 0, 1);
	ASSERT_EQ(0, sim_wait(self->c.fd, self->c.done, SOON, &result));
	EXPECT_EQ(0, result);
}

TEST_HARNESS_MAIN
