// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Page faults of xe: what the GuC tells of them and the driver answers, and the
 * record that comes of it.
 */
#include "kselftest_harness.h"
#include "xe.h"

/* More than are remembered until they are answered. */
#define WAITING		2000
#define REMEMBERED	512

FIXTURE(xe_page) {
	struct xe xe;
	struct hooks *hooks;
	__u64 vm;
};

FIXTURE_SETUP(xe_page)
{
	self->hooks = &self->xe.hooks;
	ASSERT_EQ(0, xe_setup(&self->xe));
	self->vm = xe_vm(&self->xe, 0, XE_ASID);
	ASSERT_NE(0, self->vm);
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, self->vm));
}

FIXTURE_TEARDOWN(xe_page)
{
	xe_teardown(&self->xe);
}

static const struct xe_fault simple = {
	.asid = XE_ASID,
	.address = 0x7fff12345000,
	.access = 1,
	.engine_class = XE_RENDER,
	.data = 0xabcd,
};

static struct drm_fault_record want_of(struct _test_data_xe_page *self,
				       const struct xe_fault *fault)
{
	struct drm_fault_record want = hooks_want(self->hooks);

	xe_want(&want, fault);
	return want;
}

/* How many members of the next record differ, or there is none. */
static int differs(struct _test_data_xe_page *self, const struct xe_fault *fault)
{
	struct drm_fault_record want = want_of(self, fault), record;
	int ret = hooks_record(self->hooks->own, &record);

	return ret ?: hooks_differ(&want, &record);
}

static int fails_as_told(struct _test_data_xe_page *self, const struct xe_fault *fault)
{
	int ret = xe_fail(&self->xe, fault, self->vm);

	return ret ?: differs(self, fault);
}

TEST_F(xe_page, each_access_type_and_level)
{
	struct xe_fault fault = simple;

	for (fault.access = 0; fault.access < 3; fault.access++)
		for (fault.type = 0; fault.type < 3; fault.type++)
			for (fault.level = 0; fault.level < 5; fault.level++) {
				fault.address += 4096;
				ASSERT_EQ(0, fails_as_told(self, &fault));
			}
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(xe_page, each_engine)
{
	static const __u32 instances[] = { 0, 1, 8, 63 };
	struct xe_fault fault = simple;
	unsigned int i;

	for (fault.engine_class = XE_RENDER; fault.engine_class <= XE_COMPUTE;
	     fault.engine_class++)
		for (i = 0; i < ARRAY_SIZE(instances); i++) {
			fault.instance = instances[i];
			fault.data = fault.data * 7 & 0xffff;
			ASSERT_EQ(0, fails_as_told(self, &fault));
		}
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(xe_page, whole_width_of_an_address)
{
	static const __u64 addresses[] = { 0, 0x1000, 0xfffff000, 0x100000000, 0xfffffffff000 };
	struct xe_fault fault = simple;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++) {
		fault.address = addresses[i];
		EXPECT_EQ(0, fails_as_told(self, &fault));
	}
}

TEST_F(xe_page, table_of_sparse_resources)
{
	struct xe_fault fault = simple;

	fault.sparse = true;
	fault.type = 1;
	fault.level = 2;
	EXPECT_EQ(0, fails_as_told(self, &fault));
}

TEST_F(xe_page, what_is_resolved_is_no_fault)
{
	ASSERT_EQ(0, xe_tell(&self->xe, &simple, 0));
	ASSERT_EQ(0, xe_answer(&self->xe, &simple, self->vm, 0));
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(self->hooks->all);
	/* The next one like it was not told of by that. */
	ASSERT_EQ(0, xe_tell(&self->xe, &simple, 0));
	EXPECT_NO_RECORD(self->hooks->all);
	ASSERT_EQ(0, xe_answer(&self->xe, &simple, self->vm, -ENOENT));
	EXPECT_EQ(0, differs(self, &simple));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(xe_page, told_in_an_interrupt)
{
	ASSERT_EQ(0, xe_tell(&self->xe, &simple, DRM_FAULT_CALL_IN_IRQ));
	ASSERT_EQ(0, xe_answer(&self->xe, &simple, self->vm, -EINVAL));
	EXPECT_EQ(0, differs(self, &simple));
}

TEST_F(xe_page, other_messages)
{
	const __u32 other[] = { 0x6002, 2, 0 };

	/* Not four words, another action, another length. */
	ASSERT_EQ(0, hooks_call(self->hooks, "xe:xe_guc_pagefault_handler", 0, self->xe.guc,
				self->xe.message, 3));
	ASSERT_EQ(0, hooks_write(self->hooks, self->xe.action, other, sizeof(other)));
	ASSERT_EQ(0, hooks_call(self->hooks, "xe:xe_guc_ct_send", 0, self->xe.ct,
				self->xe.action, 3));
	ASSERT_EQ(0, xe_send(&self->xe, &simple, 0));
	ASSERT_EQ(0, hooks_call(self->hooks, "xe:xe_guc_ct_send", 0, self->xe.ct, 0, 3));
	EXPECT_NO_RECORD(self->hooks->all);
}

/* Nothing but the answer: as where the kernel missed a probe. */
static void want_answer_only(struct drm_fault_record *want, const struct xe_fault *fault)
{
	xe_want(want, fault);
	want->address = 0;
	want->address_precision = 0;
	want->access = DRM_FAULT_ACCESS_UNKNOWN;
	want->fault_type = DRM_FAULT_TYPE_OTHER;
	want->level = 0;
	want->raw_count = 1;
	want->raw[0] = 0x403 | fault->asid << 12 |
		       (__u64)(fault->instance << 7 | fault->engine_class << 13 |
			       fault->data << 16) << 32;
	memset(&want->raw[1], 0, sizeof(want->raw) - sizeof(want->raw[0]));
}

TEST_F(xe_page, answer_to_nothing)
{
	struct drm_fault_record want = hooks_want(self->hooks), record;

	ASSERT_EQ(0, xe_send(&self->xe, &simple, -EINVAL));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	want_answer_only(&want, &simple);
	EXPECT_RECORD(&want, &record);
}

/* Everything that an answer can be told apart by. */
TEST_F(xe_page, answers_in_another_order)
{
	struct xe_fault faults[] = { simple, simple, simple, simple };
	struct drm_fault_record want, record;
	unsigned int i;

	faults[1].data ^= 0x8000;
	faults[2].data ^= 0x1;
	faults[3].engine_class = XE_COPY;
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		faults[i].address += i << 12;
		ASSERT_EQ(0, xe_tell(&self->xe, &faults[i], 0));
	}
	for (i = ARRAY_SIZE(faults); i-- > 0;) {
		ASSERT_EQ(0, xe_send(&self->xe, &faults[i], -EINVAL));
		ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
		want = want_of(self, &faults[i]);
		EXPECT_RECORD(&want, &record);
	}
}

/* However many wait: none is lost, and no address is another one's. */
TEST_F(xe_page, more_than_are_remembered)
{
	struct drm_fault_record record;
	struct xe_fault fault = simple;
	unsigned int i, with_address = 0;
	__u64 count = 0;

	for (i = 0; i < WAITING; i++) {
		fault.data = i;
		fault.address = (__u64)i << 12;
		ASSERT_EQ(0, xe_tell(&self->xe, &fault, 0));
	}
	for (i = 0; i < WAITING; i++) {
		fault.data = i;
		ASSERT_EQ(0, xe_send(&self->xe, &fault, -EINVAL));
		ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
		count += record.count;
		if (!record.address_precision)
			continue;
		with_address++;
		ASSERT_EQ((__u64)i << 12, record.address);
	}
	EXPECT_EQ(WAITING, count);
	EXPECT_GE(REMEMBERED, with_address);
	EXPECT_LE(REMEMBERED / 2, with_address);
}

XE_NEEDED

TEST_HARNESS_MAIN
