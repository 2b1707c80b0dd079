// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What happens to execution queues of xe: catastrophic errors, resets, timeouts.
 */
#include "kselftest_harness.h"
#include "xe.h"

FIXTURE(xe_queue) {
	struct xe_queues queues;
	struct hooks *hooks;
};

FIXTURE_SETUP(xe_queue)
{
	self->hooks = &self->queues.xe.hooks;
	ASSERT_EQ(0, xe_queues_setup(&self->queues));
}

FIXTURE_TEARDOWN(xe_queue)
{
	xe_teardown(&self->queues.xe);
}

static struct drm_fault_record want_of_queue(struct _test_data_xe_queue *self)
{
	struct drm_fault_record want = hooks_want(self->hooks);

	want.flags = DRM_FAULT_RECORD_F_FATAL;
	want.fault_type = DRM_FAULT_TYPE_OTHER;
	want.engine_class = DRM_FAULT_ENGINE_COMPUTE;
	want.engine_instance = 2;
	strcpy(want.engine, "ccs2");
	want.raw_format = DRM_FAULT_RAW_XE;
	want.raw_count = 2;
	want.raw[0] = XE_QUEUE_NUMBER;
	want.raw[1] = 0x4;
	return want;
}

static int differs(struct _test_data_xe_queue *self, const struct drm_fault_record *want)
{
	struct drm_fault_record record;
	int ret = hooks_record(self->hooks->all, &record);

	return ret ?: hooks_differ(want, &record);
}

TEST_F(xe_queue, catastrophic_error)
{
	struct drm_fault_record want = want_of_queue(self);

	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 1));
	EXPECT_EQ(0, differs(self, &want));
	want.raw_count = 3;
	want.raw[2] = XE_ERROR_KIND;
	/* Another incident for the ring, as the kind is no part of what is repeated. */
	ASSERT_EQ(0, xe_incident_end(&self->queues));
	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 2));
	EXPECT_EQ(0, differs(self, &want));
}

TEST_F(xe_queue, messages_of_another_length)
{
	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 0));
	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 3));
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_F(xe_queue, queue_that_is_not_known)
{
	static const __u32 numbers[] = {
		0, XE_QUEUE_NUMBER - 1, XE_QUEUE_NUMBER + 1, 0xffff, 0xffffffff,
	};
	struct drm_fault_record want = hooks_want_unowned(self->hooks);
	unsigned int i;

	want.flags |= DRM_FAULT_RECORD_F_FATAL;
	want.fault_type = DRM_FAULT_TYPE_OTHER;
	want.raw_format = DRM_FAULT_RAW_XE;
	want.raw_count = 2;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		/* The first of an incident keeps its words. */
		ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_RESET, numbers[i], 1));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &(struct drm_fault_record){}));
		ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, numbers[i], 1));
		want.raw[0] = numbers[i];
		EXPECT_EQ(0, differs(self, &want));
	}
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(xe_queue, several_engines)
{
	static const struct {
		__u32 engine_class, told;
		const char *name;
	} classes[] = {
		{ XE_RENDER, DRM_FAULT_ENGINE_RENDER, "rcs" },
		{ XE_VIDEO_DECODE, DRM_FAULT_ENGINE_VIDEO_DECODE, "vcs" },
		{ XE_VIDEO_ENHANCE, DRM_FAULT_ENGINE_VIDEO_ENHANCE, "vecs" },
		{ XE_COPY, DRM_FAULT_ENGINE_COPY, "bcs" },
		{ XE_COMPUTE, DRM_FAULT_ENGINE_COMPUTE, "ccs" },
	};
	struct drm_fault_record want = want_of_queue(self);
	unsigned int i;

	want.raw[1] = 0x6;
	want.engine_instance = 0;
	ASSERT_EQ(0, xe_set(&self->queues.xe, self->queues.queue, XE_QUEUE_MASK, 0x6));
	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		ASSERT_EQ(0, xe_set(&self->queues.xe, self->queues.queue, XE_QUEUE_CLASS,
				    classes[i].engine_class));
		ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 1));
		want.engine_class = classes[i].told;
		memset(want.engine, 0, sizeof(want.engine));
		strcpy(want.engine, classes[i].name);
		EXPECT_EQ(0, differs(self, &want));
	}
}

TEST_F(xe_queue, reset)
{
	struct drm_fault_record want = want_of_queue(self);

	want.type = DRM_FAULT_RECORD_RESET;
	want.flags = DRM_FAULT_RECORD_F_GUILTY;
	want.fault_type = 0;
	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_RESET, XE_QUEUE_NUMBER, 1));
	EXPECT_EQ(0, differs(self, &want));
	ASSERT_EQ(0, xe_queue_tell(&self->queues, XE_RESET, XE_QUEUE_NUMBER, 0));
	EXPECT_NO_RECORD(self->hooks->all);
}

/* The driver looks at a timeout, and makes so many dumps. */
static int time_out(struct _test_data_xe_queue *self, const struct xe_job *job, unsigned int dumps)
{
	__u64 drm_job = job->job + self->queues.xe.field[XE_JOB_DRM].offset;
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP("xe:guc_exec_queue_timedout_job", 1, drm_job),
		.inner = {
			HOOKS_STEP("xe:xe_devcoredump", 0, job->job, job->job),
			HOOKS_STEP("xe:xe_devcoredump", 0, job->job, job->job),
		},
		.inner_count = dumps,
	};

	return hooks_make(self->hooks, &make);
}

TEST_F(xe_queue, timeout)
{
	struct drm_fault_record want = want_of_queue(self);
	unsigned int dumps;
	struct xe_job job;

	want.type = DRM_FAULT_RECORD_TIMEOUT;
	want.flags = DRM_FAULT_RECORD_F_GUILTY | DRM_FAULT_RECORD_F_FATAL;
	want.fault_type = 0;
	want.job_context = XE_JOB_CONTEXT;
	for (dumps = 1; dumps <= 2; dumps++) {
		ASSERT_EQ(0, xe_job(&self->queues, &job, self->queues.queue, XE_MAPPED));
		want.job_seqno = job.seqno;
		ASSERT_EQ(0, time_out(self, &job, dumps));
		EXPECT_EQ(0, differs(self, &want));
		EXPECT_NO_RECORD(self->hooks->all);
		/* Until then they are one incident, and count as the same. */
		ASSERT_EQ(0, xe_incident_end(&self->queues));
	}
}

TEST_F(xe_queue, timeout_that_is_none)
{
	struct xe_job job;

	ASSERT_EQ(0, xe_job(&self->queues, &job, self->queues.queue, XE_MAPPED));
	ASSERT_EQ(0, time_out(self, &job, 0));
	/* Nor is a dump for another reason. */
	ASSERT_EQ(0, hooks_call(self->hooks, "xe:xe_devcoredump", 0, job.job, job.job));
	EXPECT_NO_RECORD(self->hooks->all);
}

XE_NEEDED

TEST_HARNESS_MAIN
