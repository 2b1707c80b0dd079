// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What the fault handlers of amdgpu see becomes a record, for each generation's
 * layout of interrupts and of the status.
 */
#include <stdio.h>

#include "amdgpu.h"
#include "kselftest_harness.h"

/* The table of what a kernel must have is another test's. */
#define ABSENT	"this kernel does not have this generation"

FIXTURE(handler) {
	struct amdgpu gpu;
	bool here;
};

FIXTURE_VARIANT(handler) {
	unsigned int generation;
};

FIXTURE_VARIANT_ADD(handler, gmc_v6_0) { .generation = 0 };
FIXTURE_VARIANT_ADD(handler, gmc_v7_0) { .generation = 1 };
FIXTURE_VARIANT_ADD(handler, gmc_v8_0) { .generation = 2 };
FIXTURE_VARIANT_ADD(handler, gmc_v9_0) { .generation = 3 };
FIXTURE_VARIANT_ADD(handler, gmc_v10_0) { .generation = 4 };
FIXTURE_VARIANT_ADD(handler, gmc_v11_0) { .generation = 5 };
FIXTURE_VARIANT_ADD(handler, gmc_v12_0) { .generation = 6 };
FIXTURE_VARIANT_ADD(handler, gmc_v12_1) { .generation = 7 };

FIXTURE_SETUP(handler)
{
	ASSERT_EQ(0, amdgpu_setup(&self->gpu));
	self->here = amdgpu_choose(&self->gpu, variant->generation);
}

FIXTURE_TEARDOWN(handler)
{
	amdgpu_teardown(&self->gpu);
}

/* Every case in a page of its own: nothing is a repetition. */
static int try_fault(struct amdgpu *gpu, const struct amdgpu_kind *fault)
{
	struct drm_fault_record want, record;
	int ret;

	amdgpu_advance(gpu);
	want = amdgpu_want_fault(gpu, fault);
	ret = amdgpu_raise(gpu, fault);
	if (!ret)
		ret = hooks_record(gpu->hooks.all, &record);
	if (!ret)
		ret = hooks_differ(&want, &record);
	if (!ret && hooks_record(gpu->hooks.all, &record) != -EAGAIN)
		ret = -EEXIST;
	if (ret)
		printf("# access %u retry %d status %d cause %d flags %u: %d\n", fault->access,
		       fault->retry, fault->status, fault->cause, fault->flags, ret);
	return ret;
}

/* The first test waits for the driver to load. */
TEST_F_TIMEOUT(handler, every_access, 240)
{
	const struct amdgpu_gmc *generation = self->gpu.generation;
	unsigned int i;

	if (!self->here)
		SKIP(return, ABSENT);
	for (i = 0; i < 4 * 2 * 2 * 2; i++) {
		const struct amdgpu_kind fault = {
			.access = DRM_FAULT_ACCESS_READ + i % 4,
			.status = i / 4 % 2,
			.retry = i / 8 % 2,
			.flags = i / 16 ? DRM_FAULT_CALL_IN_IRQ : 0,
		};

		if (fault.retry && !generation->retry_bit && !generation->retry_src)
			continue;
		/* Faults without an address are all the same. */
		if (!generation->high && !fault.status && i)
			continue;
		EXPECT_EQ(0, try_fault(&self->gpu, &fault));
	}
}

TEST_F(handler, every_cause)
{
	struct amdgpu_kind fault = { .access = DRM_FAULT_ACCESS_READ, .status = true };

	if (!self->here)
		SKIP(return, ABSENT);
	for (fault.cause = AMDGPU_INVALID; fault.cause < AMDGPU_CAUSES; fault.cause++) {
		/* Old ones do not tell these two. */
		if (fault.cause >= AMDGPU_WALKER && !self->gpu.generation->walker)
			continue;
		EXPECT_EQ(0, try_fault(&self->gpu, &fault));
	}
}

/* Raises a fault with these in its interrupt; expects it with @type at @hub. */
static int try_entry(struct amdgpu *gpu, struct amdgpu_entry with, __u32 type,
		     unsigned int hub)
{
	static const char *const names[] = { "gfxhub0", "mmhub0", "mmhub1" };
	const struct amdgpu_kind fault = { .access = DRM_FAULT_ACCESS_WRITE };
	struct drm_fault_call_make make = {};
	struct drm_fault_record want, record;
	struct amdgpu_entry entry;
	int ret;

	amdgpu_advance(gpu);
	entry = amdgpu_entry_of(gpu, &fault);
	entry.client = with.client;
	entry.ring = with.ring;
	entry.vmid_src = with.vmid_src;
	entry.node = with.node;
	want = amdgpu_want_fault(gpu, &fault);
	amdgpu_want_raw(gpu, &want, &entry);
	want.fault_type = type;
	strcpy(want.engine, names[hub]);
	want.engine_instance = hub;
	ret = amdgpu_deliver(gpu, &entry, &make, 0);
	if (!ret)
		ret = hooks_record(gpu->hooks.all, &record);
	return ret ?: hooks_differ(&want, &record);
}

TEST_F(handler, every_hub)
{
	static const struct amdgpu_entry multimedia = { .client = 0x12 };
	static const struct amdgpu_entry second = { .client = 0x06 };
	static const struct amdgpu_entry by_vmid = { .vmid_src = 1, .node = 5 };
	/* What old interrupts do not have is not what happens to be there. */
	static const struct amdgpu_entry old = { .client = 0x12, .vmid_src = 1, .node = 5 };
	bool two = self->gpu.generation->number == 0x90;

	if (!self->here)
		SKIP(return, ABSENT);
	if (!self->gpu.generation->high) {
		EXPECT_EQ(0, try_entry(&self->gpu, old, DRM_FAULT_TYPE_OTHER, 0));
		return;
	}
	EXPECT_EQ(0, try_entry(&self->gpu, multimedia, DRM_FAULT_TYPE_OTHER, 1));
	EXPECT_EQ(0, try_entry(&self->gpu, second, DRM_FAULT_TYPE_OTHER, two ? 2 : 0));
	EXPECT_EQ(0, try_entry(&self->gpu, by_vmid, DRM_FAULT_TYPE_OTHER, 1));
}

/* What the interrupt says of the page table, as long as there is no status. */
TEST_F(handler, cause_from_the_interrupt)
{
	static const struct {
		struct amdgpu_entry entry;
		__u32 type;
	} rings[] = {
		{ { .ring = 0x18 }, DRM_FAULT_TYPE_NOT_PRESENT },
		{ { .ring = 0x28 }, DRM_FAULT_TYPE_NOT_PRESENT },
		{ { .ring = 0x20 }, DRM_FAULT_TYPE_PERMISSION },
		{ { .ring = 0x87 }, DRM_FAULT_TYPE_OTHER },
	};
	bool tells = self->gpu.generation->retry_bit;
	unsigned int i;

	if (!self->here)
		SKIP(return, ABSENT);
	for (i = 0; i < (self->gpu.generation->high ? ARRAY_SIZE(rings) : 1); i++)
		EXPECT_EQ(0, try_entry(&self->gpu, rings[i].entry,
				       tells ? rings[i].type : DRM_FAULT_TYPE_OTHER, 0));
}

TEST_HARNESS_MAIN
