// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What drivers share when a GPU hangs: the scheduler's timeout, the notice that a
 * GPU is wedged, and dumps, of which one is real.
 */
#include <stdlib.h>

#include "dumps.h"
#include "hooks.h"
#include "kselftest_harness.h"

#define TIMEDOUT	"gpu_sched:drm_sched_job_timedout"
#define WEDGED		"drm:drm_dev_wedged_event"
#define DEVICE_ADD	"device_add"

/* GFP_KERNEL is spelled alike in all kernels: direct reclaim, kswapd, io, fs. */
#define GFP_KERNEL	0xcc0

static const struct hooks_driver driver = {
	.module = "gpu_sched",
	.name = DRM_FAULT_SIM_NAME,
	.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
	.symbols = { TIMEDOUT, "?" WEDGED, "?dev_coredumpm", "?dev_coredumpm_timeout",
		     DEVICE_ADD, NULL },
};

enum {
	SCHED,
	SCHED_NAME,
	SCHED_DEV,
	SCHED_WORK,
	SCHED_LIST,
	JOB,
	JOB_LIST,
	JOB_FENCE,
	FENCE,
	FENCE_CONTEXT,
	FENCE_SEQNO,
	SCHED_FIELDS,
};

static struct drm_fault_call_field sched_fields[SCHED_FIELDS] = {
	[SCHED] = { .type = "drm_gpu_scheduler" },
	[SCHED_NAME] = { .type = "drm_gpu_scheduler", .path = "name", .size = 8 },
	[SCHED_DEV] = { .type = "drm_gpu_scheduler", .path = "dev", .size = 8 },
	[SCHED_WORK] = { .type = "drm_gpu_scheduler", .path = "work_tdr.work" },
	[SCHED_LIST] = { .type = "drm_gpu_scheduler", .path = "pending_list.next", .size = 8 },
	[JOB] = { .type = "drm_sched_job" },
	[JOB_LIST] = { .type = "drm_sched_job", .path = "list.next", .size = 8 },
	[JOB_FENCE] = { .type = "drm_sched_job", .path = "s_fence", .size = 8 },
	[FENCE] = { .type = "drm_sched_fence" },
	[FENCE_CONTEXT] = { .type = "drm_sched_fence", .path = "finished.context", .size = 8 },
	[FENCE_SEQNO] = { .type = "drm_sched_fence", .path = "finished.seqno", .size = 8 },
};

enum {
	DEVICE,
	DEVICE_NAME,
	DEVICE_FIELDS,
};

static struct drm_fault_call_field device_fields[DEVICE_FIELDS] = {
	[DEVICE] = { .type = "device" },
	[DEVICE_NAME] = { .type = "device", .path = "kobj.name", .size = 8 },
};

static struct drm_fault_call_field info_field = {
	.type = "drm_wedge_task_info", .path = "pid", .size = 4,
};

FIXTURE(hang)
{
	struct hooks hooks;
	__u64 sched;
	__u64 job;
	__u64 fence;
	__u64 name;
	struct drm_fault_record want;
	struct drm_fault_record record;
};

FIXTURE_SETUP(hang)
{
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, hooks_setup(&self->hooks, &driver));
	ASSERT_EQ(0, hooks_fields(&self->hooks, "gpu_sched", sched_fields, SCHED_FIELDS));
	ASSERT_EQ(0, hooks_fields(&self->hooks, "vmlinux", device_fields, DEVICE_FIELDS));
	self->sched = hooks_buffer(&self->hooks, sched_fields[SCHED].offset);
	self->job = hooks_buffer(&self->hooks, sched_fields[JOB].offset);
	self->fence = hooks_buffer(&self->hooks, sched_fields[FENCE].offset);
	self->name = hooks_buffer(&self->hooks, 64);
	ASSERT_NE(0, self->name);
	self->want = hooks_want_unowned(&self->hooks);
}

FIXTURE_TEARDOWN(hang)
{
	hooks_teardown(&self->hooks);
	hooks_unload(DRM_FAULT_SIM_NAME);
}

/* A scheduler of the GPU with a job in its list. */
static int set_scheduler(struct hooks *hooks, __u64 sched, __u64 job, __u64 fence, __u64 name)
{
	int ret = hooks_write(hooks, name, "ring of a longer name", 22);

	ret = ret ?: hooks_set(hooks, sched, &sched_fields[SCHED_NAME], name);
	ret = ret ?: hooks_set(hooks, sched, &sched_fields[SCHED_DEV], hooks->gpu.device);
	ret = ret ?: hooks_set(hooks, sched, &sched_fields[SCHED_LIST],
			       job + sched_fields[JOB_LIST].offset);
	ret = ret ?: hooks_set(hooks, job, &sched_fields[JOB_FENCE], fence);
	ret = ret ?: hooks_set(hooks, fence, &sched_fields[FENCE_CONTEXT], 0x123456789abcULL);
	return ret ?: hooks_set(hooks, fence, &sched_fields[FENCE_SEQNO], 0x77);
}

static int timeout(struct hooks *hooks, __u64 sched)
{
	return hooks_call(hooks, TIMEDOUT, 0, sched + sched_fields[SCHED_WORK].offset);
}

TEST_F(hang, timeout)
{
	ASSERT_EQ(0, set_scheduler(&self->hooks, self->sched, self->job, self->fence,
				   self->name));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	self->want.type = DRM_FAULT_RECORD_TIMEOUT;
	strcpy(self->want.engine, "ring of a longe");
	self->want.job_context = 0x123456789abcULL;
	self->want.job_seqno = 0x77;
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	EXPECT_NO_RECORD(self->hooks.own);
}

/* Which it may have got done meanwhile. */
TEST_F(hang, timeout_without_a_job)
{
	ASSERT_EQ(0, set_scheduler(&self->hooks, self->sched, self->job, self->fence,
				   self->name));
	ASSERT_EQ(0, hooks_set(&self->hooks, self->sched, &sched_fields[SCHED_LIST],
			       self->sched + sched_fields[SCHED_LIST].offset));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	self->want.type = DRM_FAULT_RECORD_TIMEOUT;
	strcpy(self->want.engine, "ring of a longe");
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
}

/* Pointers that lead nowhere. */
TEST_F(hang, timeout_of_garbage)
{
	ASSERT_EQ(0, set_scheduler(&self->hooks, self->sched, self->job, self->fence,
				   self->name));
	ASSERT_EQ(0, hooks_set(&self->hooks, self->sched, &sched_fields[SCHED_NAME], 0x10));
	ASSERT_EQ(0, hooks_set(&self->hooks, self->job, &sched_fields[JOB_FENCE],
			       0xdead000000000000ULL));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	self->want.type = DRM_FAULT_RECORD_TIMEOUT;
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	ASSERT_EQ(0, hooks_set(&self->hooks, self->sched, &sched_fields[SCHED_DEV], 0));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	EXPECT_NO_RECORD(self->hooks.all);
}

/* A driver with a hook of its own says it there, and not twice. */
TEST_F(hang, timeout_told_by_the_driver)
{
	ASSERT_EQ(0, set_scheduler(&self->hooks, self->sched, self->job, self->fence,
				   self->name));
	ASSERT_EQ(0, hooks_load(DRM_FAULT_SIM_NAME " report=0"));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	EXPECT_NO_RECORD(self->hooks.all);
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, timeout(&self->hooks, self->sched));
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
}

static const struct {
	__u64 methods;
	__u32 type;
	__u32 flags;
} wedged_cases[] = {
	{ 0x1, DRM_FAULT_RECORD_RESET, 0 },
	{ 0x2, DRM_FAULT_RECORD_WEDGED, DRM_FAULT_RECORD_F_FATAL },
	{ 0x6, DRM_FAULT_RECORD_WEDGED, DRM_FAULT_RECORD_F_FATAL },
	{ 0x8, DRM_FAULT_RECORD_WEDGED, DRM_FAULT_RECORD_F_FATAL },
	{ 0x0, DRM_FAULT_RECORD_WEDGED, DRM_FAULT_RECORD_F_FATAL },
};

TEST_F(hang, wedged)
{
	__u64 info = hooks_buffer(&self->hooks, 64);
	unsigned int i;

	/* expected/ says on which kernels it is. */
	if (!hooks_symbol(&self->hooks, WEDGED))
		SKIP(return, "this kernel has no wedged event");
	ASSERT_EQ(0, hooks_fields(&self->hooks, "drm", &info_field, 1));
	ASSERT_EQ(0, hooks_set(&self->hooks, info, &info_field, 4321));
	self->want.raw_format = DRM_FAULT_RAW_WEDGED;
	for (i = 0; i < 2 * ARRAY_SIZE(wedged_cases); i++) {
		bool blamed = i % 2;

		ASSERT_EQ(0, hooks_call(&self->hooks, WEDGED, 0, self->hooks.gpu.drm,
					wedged_cases[i / 2].methods, blamed ? info : 0));
		self->want.type = wedged_cases[i / 2].type;
		self->want.flags = DRM_FAULT_RECORD_F_OWNER_UNKNOWN | wedged_cases[i / 2].flags;
		self->want.raw[0] = wedged_cases[i / 2].methods;
		self->want.raw[1] = blamed ? 4321 : 0;
		self->want.raw_count = 1 + blamed;
		ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
		self->record.flags &= ~DRM_FAULT_RECORD_F_REPEAT;
		EXPECT_RECORD(&self->want, &self->record) {
			TH_LOG("case %u", i);
		}
	}
	ASSERT_EQ(0, hooks_call(&self->hooks, WEDGED, 0, self->sched, 0x2, info));
	EXPECT_NO_RECORD(self->hooks.all);
}

static const char *dump_function(struct hooks *hooks)
{
	return hooks_symbol(hooks, "dev_coredumpm") ? "dev_coredumpm" : "dev_coredumpm_timeout";
}

/* The dump's device comes inside the dump of @device. */
static int dump(struct hooks *hooks, __u64 device, __u64 added)
{
	return hooks_make(hooks, &(struct drm_fault_call_make){
		.outer = HOOKS_STEP(dump_function(hooks), 0, device),
		.inner = { HOOKS_STEP(DEVICE_ADD, 0, added) },
		.inner_count = 1,
	});
}

TEST_F(hang, dump)
{
	__u64 added = hooks_buffer(&self->hooks, device_fields[DEVICE].offset);

	ASSERT_EQ(0, hooks_write(&self->hooks, self->name, "devcd4711", 10));
	ASSERT_EQ(0, hooks_set(&self->hooks, added, &device_fields[DEVICE_NAME], self->name));
	ASSERT_EQ(0, dump(&self->hooks, self->hooks.gpu.device, added));
	self->want.type = DRM_FAULT_RECORD_DUMP;
	strcpy(self->want.engine, "devcd4711");
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	EXPECT_NO_RECORD(self->hooks.own);
	/* Of a device that is no GPU. */
	ASSERT_EQ(0, dump(&self->hooks, added, added));
	/* And a device that is no dump's. */
	ASSERT_EQ(0, hooks_call(&self->hooks, DEVICE_ADD, 0, added));
	EXPECT_NO_RECORD(self->hooks.all);
}

/* Memory that the dump frees. */
static __u64 dump_data(struct hooks *hooks)
{
	static const char *const names[] = { "vzalloc", "vzalloc_noprof" };
	__u64 address = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names) && !address; i++)
		if (hooks_symbol(hooks, names[i]))
			hooks_run(hooks, names[i], &address, HOOKS_ARGS(4096));
	return address;
}

TEST_F(hang, real_dump)
{
	__u64 data = dump_data(&self->hooks);

	ASSERT_NE(0, data);
	ASSERT_EQ(0, hooks_run(&self->hooks, "dev_coredumpv", NULL,
			       HOOKS_ARGS(self->hooks.gpu.device, data, 4096, GFP_KERNEL)));
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_EQ(DRM_FAULT_RECORD_DUMP, self->record.type);
	EXPECT_EQ(0, strncmp(self->record.engine, "devcd", 5));
	EXPECT_TRUE(is_dump_of(self->record.engine, "drm_fault_fake"));

	/* There is one already: no other is made, the data is freed. */
	data = dump_data(&self->hooks);
	ASSERT_NE(0, data);
	ASSERT_EQ(0, hooks_run(&self->hooks, "dev_coredumpv", NULL,
			       HOOKS_ARGS(self->hooks.gpu.device, data, 4096, GFP_KERNEL)));
	EXPECT_NO_RECORD(self->hooks.all);
	EXPECT_EQ(0, end_dump(self->record.engine));
}

TEST_HARNESS_MAIN
