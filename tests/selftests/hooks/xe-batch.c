// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Which batch buffer a queue of xe was at: the oldest one submitted whose fence has
 * not ended, as exact as its mapping is long.
 */
#include "kselftest_harness.h"
#include "xe.h"

#define BATCH		(XE_MAPPED + 0x1000)
/* BATCH ^ the last byte of the mapping is 0x5fff. */
#define PRECISION	0x8000
/* Jobs of a queue that are remembered. */
#define REMEMBERED	8

FIXTURE(xe_batch) {
	struct xe_queues queues;
	struct hooks *hooks;
};

FIXTURE_SETUP(xe_batch)
{
	self->hooks = &self->queues.xe.hooks;
	ASSERT_EQ(0, xe_queues_setup(&self->queues));
}

FIXTURE_TEARDOWN(xe_batch)
{
	xe_teardown(&self->queues.xe);
}

/* The instruction pointer of the next error, whether there is one, and how exact. */
static int ip_is(struct _test_data_xe_batch *self, __u64 ip, __u64 precision)
{
	struct drm_fault_record record;
	int ret;

	ret = xe_incident_end(&self->queues);
	ret = ret ?: xe_queue_tell(&self->queues, XE_CAT_ERROR, XE_QUEUE_NUMBER, 1);
	ret = ret ?: hooks_record(self->hooks->all, &record);
	if (ret)
		return ret;
	if (record.ip == ip && record.ip_precision == precision &&
	    record.ip_type == (precision ? DRM_FAULT_IP_UNKNOWN : 0))
		return 0;
	printf("# ip is %#llx, type %u, precision %#llx\n", record.ip, record.ip_type,
	       record.ip_precision);
	return 1;
}

TEST_F(xe_batch, batch)
{
	struct xe_job job;

	EXPECT_EQ(0, ip_is(self, 0, 0));
	ASSERT_EQ(0, xe_job_start(&self->queues, &job, self->queues.queue, BATCH));
	EXPECT_EQ(0, ip_is(self, BATCH, PRECISION));
	ASSERT_EQ(0, xe_job_end(&self->queues, &job));
	EXPECT_EQ(0, ip_is(self, 0, 0));
}

TEST_F(xe_batch, batch_of_the_oldest_job_that_runs)
{
	struct xe_job jobs[2];

	ASSERT_EQ(0, xe_job_start(&self->queues, &jobs[0], self->queues.queue, BATCH));
	ASSERT_EQ(0, xe_job_start(&self->queues, &jobs[1], self->queues.queue,
				  BATCH + 0x1000));
	EXPECT_EQ(0, ip_is(self, BATCH, PRECISION));
	ASSERT_EQ(0, xe_job_end(&self->queues, &jobs[0]));
	EXPECT_EQ(0, ip_is(self, BATCH + 0x1000, PRECISION));
	/* Its fence is another one's by now. */
	ASSERT_EQ(0, xe_set(&self->queues.xe, jobs[1].fence, XE_FENCE_SEQNO, 0x1000));
	EXPECT_EQ(0, ip_is(self, 0, 0));
}

TEST_F(xe_batch, batch_that_is_forgotten)
{
	struct xe_job jobs[REMEMBERED + 1];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(jobs); i++)
		ASSERT_EQ(0, xe_job_start(&self->queues, &jobs[i], self->queues.queue,
					  BATCH + i * 8));
	/* The first may run, of which nothing is known any more. */
	EXPECT_EQ(0, ip_is(self, 0, 0));
	ASSERT_EQ(0, xe_job_end(&self->queues, &jobs[0]));
	ASSERT_EQ(0, xe_job_end(&self->queues, &jobs[1]));
	EXPECT_EQ(0, ip_is(self, BATCH + 2 * 8, PRECISION));
}

TEST_F(xe_batch, batch_that_is_not_mapped)
{
	static const __u64 batches[] = {
		XE_MAPPED - 8, XE_MAPPED + XE_MAPPED_LENGTH, 0xfff8, 0x20000,
	};
	unsigned int i;
	struct xe_job job;

	for (i = 0; i < ARRAY_SIZE(batches); i++) {
		ASSERT_EQ(0, xe_job_start(&self->queues, &job, self->queues.queue, batches[i]));
		EXPECT_EQ(0, ip_is(self, 0, 0));
		ASSERT_EQ(0, xe_job_end(&self->queues, &job));
	}
	ASSERT_EQ(0, xe_job_start(&self->queues, &job, self->queues.queue, 0x10000));
	EXPECT_EQ(0, ip_is(self, 0x10000, 0x10000));
}

TEST_F(xe_batch, batches_of_several_rings)
{
	struct xe_job job;

	ASSERT_EQ(0, xe_set(&self->queues.xe, self->queues.queue, XE_QUEUE_WIDTH, 2));
	ASSERT_EQ(0, xe_job_start(&self->queues, &job, self->queues.queue, BATCH));
	EXPECT_EQ(0, ip_is(self, 0, 0));
}

static int differs(struct _test_data_xe_batch *self, const struct drm_fault_record *want)
{
	struct drm_fault_record record;
	int ret = hooks_record(self->hooks->all, &record);

	return ret ?: hooks_differ(want, &record);
}

/* A page fault tells the engine, not the queue. */
TEST_F(xe_batch, batch_at_a_page_fault)
{
	struct xe_fault fault = {
		.asid = XE_ASID, .address = 0x7000, .engine_class = XE_COMPUTE, .instance = 1,
	};
	struct drm_fault_record want = hooks_want(self->hooks);
	struct xe_job job, second;
	__u64 queue = xe_queue(&self->queues, XE_COMPUTE, 0x1);

	ASSERT_NE(0, queue);
	ASSERT_EQ(0, xe_job_start(&self->queues, &job, self->queues.queue, BATCH));
	ASSERT_EQ(0, xe_fail(&self->queues.xe, &fault, self->queues.vm));
	xe_want(&want, &fault);
	want.ip = BATCH;
	want.ip_precision = PRECISION;
	want.ip_type = DRM_FAULT_IP_UNKNOWN;
	EXPECT_EQ(0, differs(self, &want));

	/* Two that run there: it can be either. */
	ASSERT_EQ(0, xe_job_start(&self->queues, &second, queue, BATCH + 8));
	fault.address += 4096;
	ASSERT_EQ(0, xe_fail(&self->queues.xe, &fault, self->queues.vm));
	want = hooks_want(self->hooks);
	xe_want(&want, &fault);
	EXPECT_EQ(0, differs(self, &want));

	/* One that runs elsewhere. */
	ASSERT_EQ(0, xe_job_end(&self->queues, &job));
	ASSERT_EQ(0, xe_job_end(&self->queues, &second));
	ASSERT_EQ(0, xe_set(&self->queues.xe, queue, XE_QUEUE_CLASS, XE_COPY));
	ASSERT_EQ(0, xe_job_start(&self->queues, &second, queue, BATCH));
	fault.address += 4096;
	ASSERT_EQ(0, xe_fail(&self->queues.xe, &fault, self->queues.vm));
	want = hooks_want(self->hooks);
	xe_want(&want, &fault);
	EXPECT_EQ(0, differs(self, &want));
}

XE_NEEDED

TEST_HARNESS_MAIN
