// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What ran where an address space of amdgpu faulted, and jobs that do not end.
 */
#include <unistd.h>

#include "amdgpu.h"
#include "kselftest_harness.h"

#define OTHER	0x8002

FIXTURE(job) {
	struct amdgpu amdgpu;
	struct hooks *hooks;
	__u64 address;
};

FIXTURE_SETUP(job)
{
	self->hooks = &self->amdgpu.hooks;
	self->address = 0x7f0000000000ULL;
	ASSERT_EQ(0, amdgpu_setup(&self->amdgpu));
}

FIXTURE_TEARDOWN(job)
{
	amdgpu_teardown(&self->amdgpu);
}

/* A fault in our address space has this instruction pointer, or 0 none. */
static int faults_at(struct _test_data_job *self, __u64 ip, __u64 precision)
{
	struct drm_fault_record want = hooks_want(self->hooks), record;
	int ret;

	self->address += 4096;
	ret = amdgpu_fault(&self->amdgpu, AMDGPU_PASID, self->address);
	if (!ret)
		ret = hooks_record(self->hooks->own, &record);
	amdgpu_want(&want, AMDGPU_PASID, self->address);
	want.gpu_timestamp = record.gpu_timestamp;
	want.ip = ip;
	want.ip_precision = precision;
	want.ip_type = ip ? DRM_FAULT_IP_UNKNOWN : 0;
	return ret ?: hooks_differ(&want, &record);
}

static int start(struct _test_data_job *self, __u64 ring, __u32 pasid, __u32 vmid,
		 __u64 address, __u32 words)
{
	__u64 job = amdgpu_job(&self->amdgpu, pasid, vmid, address, words);

	return job ? amdgpu_start(&self->amdgpu, ring, job) : -ENOMEM;
}

/* The first test waits for the driver to load. */
TEST_F_TIMEOUT(job, nothing_ran, 240)
{
	EXPECT_EQ(0, faults_at(self, 0, 0));
}

TEST_F(job, ran_last)
{
	__u64 ring = self->amdgpu.ring, second = amdgpu_ring(&self->amdgpu, false);

	ASSERT_NE(0, second);
	ASSERT_EQ(0, start(self, ring, AMDGPU_PASID, AMDGPU_VMID, 0x800000123400ULL, 64));
	EXPECT_EQ(0, faults_at(self, 0x800000123400ULL, 256));
	ASSERT_EQ(0, start(self, ring, AMDGPU_PASID, AMDGPU_VMID, 0x200000, 65));
	EXPECT_EQ(0, faults_at(self, 0x200000, 512));
	ASSERT_EQ(0, start(self, second, AMDGPU_PASID, AMDGPU_VMID, 0x300000, 1));
	EXPECT_EQ(0, faults_at(self, 0x300000, 4));
	ASSERT_EQ(0, start(self, ring, AMDGPU_PASID, AMDGPU_VMID, 0x400000, 1));
	EXPECT_EQ(0, faults_at(self, 0x400000, 4));
}

TEST_F(job, ran_elsewhere)
{
	__u64 ring = self->amdgpu.ring, video = amdgpu_ring(&self->amdgpu, true);

	ASSERT_NE(0, video);
	ASSERT_EQ(0, start(self, ring, OTHER, AMDGPU_VMID, 0x100000, 64));
	ASSERT_EQ(0, start(self, ring, AMDGPU_PASID, AMDGPU_VMID + 1, 0x200000, 64));
	ASSERT_EQ(0, start(self, video, AMDGPU_PASID, AMDGPU_VMID, 0x300000, 64));
	EXPECT_EQ(0, faults_at(self, 0, 0));
}

/* The kernel's own, such as what fills page tables. */
TEST_F(job, of_nobody)
{
	const char *schedule = "amdgpu:amdgpu_ib_schedule";

	ASSERT_EQ(0, start(self, self->amdgpu.ring, 0, 0, 0x100000, 64));
	ASSERT_EQ(0, hooks_call(self->hooks, schedule, 0, self->amdgpu.ring, 1,
				self->amdgpu.entry, 0, 0));
	EXPECT_EQ(0, faults_at(self, 0, 0));
	ASSERT_EQ(0, start(self, self->amdgpu.ring, AMDGPU_PASID, AMDGPU_VMID, 0x200000, 0));
	EXPECT_EQ(0, faults_at(self, 0, 0));
}

/* More rings and address spaces than are remembered: what is told is right. */
TEST_F(job, of_many)
{
	__u64 job = amdgpu_job(&self->amdgpu, AMDGPU_PASID, AMDGPU_VMID, 0x100000, 64);
	unsigned int i;

	ASSERT_NE(0, job);
	for (i = 0; i < 4096; i++) {
		ASSERT_EQ(0, amdgpu_set(&self->amdgpu, job, AMDGPU_JOB_PASID, 1 + i));
		ASSERT_EQ(0, amdgpu_start(&self->amdgpu, self->amdgpu.ring, job));
	}
	EXPECT_EQ(0, faults_at(self, 0, 0));
	ASSERT_EQ(0, amdgpu_set(&self->amdgpu, job, AMDGPU_JOB_PASID, AMDGPU_PASID));
	ASSERT_EQ(0, amdgpu_start(&self->amdgpu, self->amdgpu.ring, job));
	EXPECT_EQ(0, faults_at(self, 0x100000, 256));
}

/* What ran before the pasid was given to somebody else is none of his. */
TEST_F(job, of_who_had_the_pasid_before)
{
	struct drm_fault_record record;
	int fd;

	ASSERT_EQ(0, start(self, self->amdgpu.ring, OTHER, AMDGPU_VMID, 0x100000, 64));
	ASSERT_EQ(0, amdgpu_next_pasid(&self->amdgpu, OTHER));
	fd = amdgpu_open(&self->amdgpu);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, amdgpu_fault(&self->amdgpu, OTHER, self->address));
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_EQ(OTHER, record.pasid);
	EXPECT_EQ(0, record.ip_type);
	EXPECT_EQ(0, record.ip);
	close(fd);
}

/* The scheduler's side of @job: its ring is called @name. */
static int schedule(struct _test_data_job *self, __u64 job, const char *name)
{
	struct amdgpu *amdgpu = &self->amdgpu;
	__u64 sched = hooks_buffer(self->hooks, amdgpu->field[AMDGPU_SCHED].offset);
	__u64 fence = hooks_buffer(self->hooks, amdgpu->field[AMDGPU_FENCE].offset);
	__u64 text = hooks_buffer(self->hooks, 64);
	int ret;

	if (!sched || !fence || !text)
		return -ENOMEM;
	ret = hooks_write(self->hooks, text, name, strlen(name) + 1);
	if (!ret)
		ret = amdgpu_set(amdgpu, sched, AMDGPU_SCHED_NAME, text);
	if (!ret)
		ret = amdgpu_set(amdgpu, sched, AMDGPU_SCHED_DEV, self->hooks->gpu.device);
	if (!ret)
		ret = amdgpu_set(amdgpu, fence, AMDGPU_FENCE_CONTEXT, 77);
	if (!ret)
		ret = amdgpu_set(amdgpu, fence, AMDGPU_FENCE_SEQNO, 0x123456789aULL);
	if (!ret)
		ret = amdgpu_set(amdgpu, job, AMDGPU_JOB_SCHED, sched);
	return ret ?: amdgpu_set(amdgpu, job, AMDGPU_JOB_FENCE, fence);
}

static struct drm_fault_record want_job(struct _test_data_job *self, __u32 type)
{
	struct drm_fault_record want = hooks_want(self->hooks);

	want.type = type;
	want.pasid = AMDGPU_PASID;
	want.vmid = AMDGPU_VMID;
	want.ip = 0x100000;
	want.ip_precision = 256;
	want.ip_type = DRM_FAULT_IP_UNKNOWN;
	want.job_context = 77;
	want.job_seqno = 0x123456789aULL;
	return want;
}

TEST_F(job, timed_out)
{
	static const struct {
		const char *name;
		__u32 engine_class;
	} rings[] = {
		{ "gfx_0.0.0", DRM_FAULT_ENGINE_RENDER },
		{ "comp_1.0.0", DRM_FAULT_ENGINE_COMPUTE },
		{ "sdma0", DRM_FAULT_ENGINE_COPY },
		{ "uvd", DRM_FAULT_ENGINE_VIDEO_DECODE },
		{ "uvd_enc_0", DRM_FAULT_ENGINE_VIDEO_ENCODE },
		{ "vce1", DRM_FAULT_ENGINE_VIDEO_ENCODE },
		{ "vcn_dec_0", DRM_FAULT_ENGINE_VIDEO_DECODE },
		{ "vcn_unified_0", DRM_FAULT_ENGINE_VIDEO_ENCODE },
		{ "jpeg_dec_0", DRM_FAULT_ENGINE_VIDEO_DECODE },
		{ "vpe", DRM_FAULT_ENGINE_VIDEO_ENHANCE },
		{ "kiq_0.2.1.0", DRM_FAULT_ENGINE_OTHER },
	};
	struct drm_fault_record want = want_job(self, DRM_FAULT_RECORD_TIMEOUT), record;
	__u64 job = amdgpu_job(&self->amdgpu, AMDGPU_PASID, AMDGPU_VMID, 0x100000, 64);
	unsigned int i;

	ASSERT_NE(0, job);
	/* The job tells what it ran, whatever was started since. */
	ASSERT_EQ(0, start(self, self->amdgpu.ring, AMDGPU_PASID, AMDGPU_VMID, 0x200000, 64));
	for (i = 0; i < ARRAY_SIZE(rings); i++) {
		ASSERT_EQ(0, schedule(self, job, rings[i].name));
		ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:amdgpu_job_timedout", 0, job));
		ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
		memset(want.engine, 0, sizeof(want.engine));
		strcpy(want.engine, rings[i].name);
		want.engine_class = rings[i].engine_class;
		EXPECT_RECORD(&want, &record);
	}
}

TEST_F(job, reset_because_of_it)
{
	struct drm_fault_record want = want_job(self, DRM_FAULT_RECORD_RESET), record;
	__u64 job = amdgpu_job(&self->amdgpu, AMDGPU_PASID, AMDGPU_VMID, 0x100000, 64);

	ASSERT_NE(0, job);
	ASSERT_EQ(0, schedule(self, job, "gfx_0.0.0"));
	ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:amdgpu_device_gpu_recover", 0,
				self->amdgpu.adev, job, 0));
	want.flags = DRM_FAULT_RECORD_F_GUILTY;
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	EXPECT_RECORD(&want, &record);
}

TEST_F(job, reset_because_of_nobody)
{
	struct drm_fault_record want = hooks_want_unowned(self->hooks), record;

	ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:amdgpu_device_gpu_recover", 0,
				self->amdgpu.adev, 0, 0));
	want.type = DRM_FAULT_RECORD_RESET;
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_RECORD(&want, &record);
	EXPECT_NO_RECORD(self->hooks->own);
}

/* Nobody knows whose device it is: the hook counts it, and that is all. */
TEST_F(job, of_a_device_that_is_not_there)
{
	struct amdgpu *amdgpu = &self->amdgpu;

	ASSERT_EQ(0, start(self, self->amdgpu.ring, AMDGPU_PASID, AMDGPU_VMID, 0x100000, 64));
	ASSERT_EQ(0, amdgpu_set(amdgpu, amdgpu->adev, AMDGPU_DEVICE_DEV, 0xdead000000000000ULL));
	ASSERT_EQ(0, amdgpu_fault(amdgpu, AMDGPU_PASID, self->address));
	ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:amdgpu_device_gpu_recover", 0,
				0xdead000000000000ULL, 0xdead000000000000ULL, 0));
	ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:amdgpu_job_timedout", 0,
				0xdead000000000000ULL));
	ASSERT_EQ(0, hooks_call(self->hooks, "amdgpu:gmc_v9_0_process_interrupt", 0,
				0xdead000000000000ULL, 0, 0xdead000000000000ULL));
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_HARNESS_MAIN
