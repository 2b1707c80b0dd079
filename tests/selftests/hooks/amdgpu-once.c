// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Which calls of amdgpu's fault handlers are faults, and what belongs to which.
 */
#include "amdgpu.h"
#include "kselftest_harness.h"

#define CACHE	"amdgpu:amdgpu_vm_update_fault_cache"

FIXTURE(once) {
	struct amdgpu gpu;
	struct hooks *hooks;
};

FIXTURE_SETUP(once)
{
	self->hooks = &self->gpu.hooks;
	ASSERT_EQ(0, amdgpu_setup(&self->gpu));
}

FIXTURE_TEARDOWN(once)
{
	amdgpu_teardown(&self->gpu);
}

/* To the next generation that this kernel has, chosen; false: there is none. */
static bool generation(struct amdgpu *gpu, unsigned int *number)
{
	for (; *number < AMDGPU_GMCS; (*number)++)
		if (amdgpu_choose(gpu, *number))
			return true;
	return false;
}

static const struct amdgpu_kind retried = {
	.access = DRM_FAULT_ACCESS_READ,
	.retry = true,
	.status = true,
};

static const struct amdgpu_kind bare = { .access = DRM_FAULT_ACCESS_WRITE };
static const struct amdgpu_kind told = { .access = DRM_FAULT_ACCESS_WRITE, .status = true };

/*
 * First to the interrupt, which passes it on, then to a thread. The first test waits
 * for the driver to load.
 */
TEST_F_TIMEOUT(once, passed_on, 240)
{
	struct drm_fault_call_make first = { .flags = DRM_FAULT_CALL_IN_IRQ };
	struct drm_fault_record want, record;
	struct amdgpu_entry entry;
	unsigned int i;

	for (i = 0; generation(&self->gpu, &i); i++) {
		want = amdgpu_want_fault(&self->gpu, &retried);
		entry = amdgpu_entry_of(&self->gpu, &retried);
		ASSERT_EQ(0, amdgpu_deliver(&self->gpu, &entry, &first, 1));
		EXPECT_NO_RECORD(self->hooks->all);
		ASSERT_EQ(0, amdgpu_raise(&self->gpu, &retried));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_RECORD(&want, &record);
		EXPECT_NO_RECORD(self->hooks->all);
	}
}

/* Were the driver to let both pass. Old interrupts do not tell when they were. */
TEST_F(once, delivered_twice)
{
	struct drm_fault_record record;
	unsigned int i;

	for (i = 0; generation(&self->gpu, &i); i++) {
		ASSERT_EQ(0, amdgpu_raise(&self->gpu, &retried));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_EQ(0, record.flags & DRM_FAULT_RECORD_F_REPEAT);
		ASSERT_EQ(0, amdgpu_raise(&self->gpu, &retried));
		if (self->gpu.generation->high)
			EXPECT_NO_RECORD(self->hooks->all);
		else
			EXPECT_EQ(0, hooks_record(self->hooks->all, &record));
		self->gpu.timestamp++;
		ASSERT_EQ(0, amdgpu_raise(&self->gpu, &retried));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_NE(0, record.flags & DRM_FAULT_RECORD_F_REPEAT);
		EXPECT_EQ(1, record.count);
	}
}

/*
 * A compute process was told of its first fault: the next are faults all the same.
 * What old generations consume they have passed on.
 */
TEST_F(once, consumed_without_retry)
{
	struct drm_fault_record want, record;
	struct amdgpu_entry entry;
	unsigned int i;

	for (i = 0; generation(&self->gpu, &i); i++) {
		struct drm_fault_call_make make = {};

		want = amdgpu_want_fault(&self->gpu, &bare);
		entry = amdgpu_entry_of(&self->gpu, &bare);
		ASSERT_EQ(0, amdgpu_deliver(&self->gpu, &entry, &make, 1));
		if (!self->gpu.generation->high) {
			EXPECT_NO_RECORD(self->hooks->all);
			continue;
		}
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_RECORD(&want, &record);
	}
}

/* The hub keeps the status of one fault only. */
TEST_F(once, status_of_another_is_kept_and_not_believed)
{
	struct drm_fault_record want, record;
	struct amdgpu_entry entry;
	unsigned int i;
	__u32 status;

	for (i = 0; generation(&self->gpu, &i); i++) {
		struct drm_fault_call_make make = {};

		status = amdgpu_status(self->gpu.generation, &told) ^
			 4 << self->gpu.generation->vmid_shift;
		want = amdgpu_want_fault(&self->gpu, &told);
		entry = amdgpu_entry_of(&self->gpu, &told);
		amdgpu_add_status(&self->gpu, &make, status);
		ASSERT_EQ(0, amdgpu_deliver(&self->gpu, &entry, &make, 0));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		want.raw[0] = (want.raw[0] & ~0xffffffffULL) | status;
		want.fault_type = DRM_FAULT_TYPE_OTHER;
		want.access = amdgpu_want_access(self->gpu.generation, &bare);
		EXPECT_RECORD(&want, &record);
	}
}

TEST_F(once, in_the_owners_stream)
{
	struct drm_fault_record want, record;
	unsigned int i;

	for (i = 0; generation(&self->gpu, &i); i++) {
		want = amdgpu_want_fault(&self->gpu, &told);
		ASSERT_EQ(0, amdgpu_raise(&self->gpu, &told));
		if (!self->gpu.generation->pasid) {
			EXPECT_NO_RECORD(self->hooks->own);
			continue;
		}
		ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
		EXPECT_RECORD(&want, &record);
		EXPECT_NO_RECORD(self->hooks->own);
	}
}

/* A handler that is not known, or was missed: what the status means is not known. */
TEST_F(once, without_a_handler)
{
	static const struct {
		__u64 number;
		__u32 instance;
		const char *name;
	} hubs[] = {
		{ 0, 0, "gfxhub0" }, { 7, 0, "gfxhub0" }, { 8, 1, "mmhub0" }, { 12, 2, "mmhub1" },
	};
	struct drm_fault_record want = hooks_want(self->hooks), record;
	unsigned int i;

	if (!self->gpu.cache)
		SKIP(return, "no other function tells of faults in this kernel");
	want.pasid = AMDGPU_PASID;
	want.fault_type = DRM_FAULT_TYPE_OTHER;
	want.engine_class = DRM_FAULT_ENGINE_OTHER;
	want.address_precision = 4096;
	want.raw_format = DRM_FAULT_RAW_AMDGPU;
	want.raw_count = 4;
	want.raw[3] = (__u64)AMDGPU_PASID << 48;
	for (i = 0; i < ARRAY_SIZE(hubs); i++) {
		want.address = 0x7f0000000000ULL + i * 4096;
		want.engine_instance = hubs[i].instance;
		strcpy(want.engine, hubs[i].name);
		want.raw[0] = 0x301031 | DRM_FAULT_AMDGPU_HAS_STATUS | DRM_FAULT_AMDGPU_HAS_HUB |
			      hubs[i].number << 40;
		ASSERT_EQ(0, hooks_call_in_irq(self->hooks, CACHE, 0, self->gpu.adev, AMDGPU_PASID,
					       want.address, 0x301031, hubs[i].number));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		memset(want.engine + strlen(want.engine), 0,
		       sizeof(want.engine) - strlen(want.engine));
		EXPECT_RECORD(&want, &record);
	}
}

TEST_HARNESS_MAIN
