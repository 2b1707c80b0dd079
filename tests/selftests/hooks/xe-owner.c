// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whose fault it is: address spaces of xe come and go, each for an opener.
 */
#include <stdlib.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "xe.h"

#define OTHER	0x23456

FIXTURE(xe_owner) {
	struct xe xe;
	struct hooks *hooks;
	struct xe_fault fault;
};

FIXTURE_SETUP(xe_owner)
{
	self->hooks = &self->xe.hooks;
	self->fault = (struct xe_fault){ .address = 0x10000000, .engine_class = XE_COMPUTE };
	ASSERT_EQ(0, xe_setup(&self->xe));
}

FIXTURE_TEARDOWN(xe_owner)
{
	xe_teardown(&self->xe);
}

/* A fault in another page, and what arrives at a stream of the whole GPU. */
static int next_record(struct _test_data_xe_owner *self, __u32 asid, __u64 vm,
		       struct drm_fault_record *record)
{
	int ret;

	self->fault.asid = asid;
	self->fault.address += 4096;
	ret = xe_fail(&self->xe, &self->fault, vm);
	return ret ?: hooks_record(self->hooks->all, record);
}

/* How many members differ from what is expected of an owner, or an error. */
static int is_of(struct _test_data_xe_owner *self, __u32 asid, __u64 vm,
		 struct drm_fault_record want)
{
	struct drm_fault_record record;
	int ret = next_record(self, asid, vm, &record);

	xe_want(&want, &self->fault);
	return ret ?: hooks_differ(&want, &record);
}

static int is_ours(struct _test_data_xe_owner *self, __u32 asid, __u64 vm)
{
	return is_of(self, asid, vm, hooks_want(self->hooks));
}

static int is_nobodys(struct _test_data_xe_owner *self, __u32 asid, __u64 vm)
{
	return is_of(self, asid, vm, hooks_want_unowned(self->hooks));
}

TEST_F(xe_owner, nobody_knows_the_asid)
{
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
	EXPECT_EQ(0, is_nobodys(self, 0, 0));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(xe_owner, from_the_ioctl_to_the_end)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);

	ASSERT_NE(0, vm);
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, vm));
	EXPECT_EQ(0, is_ours(self, XE_ASID, vm));
	/* Also where the driver does not say which address space it found. */
	EXPECT_EQ(0, is_ours(self, XE_ASID, 0));
	EXPECT_EQ(0, is_nobodys(self, OTHER, 0));
	ASSERT_EQ(0, xe_vm_close(&self->xe, vm));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
}

TEST_F(xe_owner, what_the_driver_makes_for_itself)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);

	ASSERT_NE(0, vm);
	ASSERT_EQ(0, hooks_call(self->hooks, "xe:xe_vm_create", vm, self->xe.device, 0, 0));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, vm));
}

TEST_F(xe_owner, ioctl_that_fails)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP("xe:xe_vm_create_ioctl", -ENOMEM, self->hooks->gpu.drm, 0,
				    self->hooks->file),
		.inner = {
			HOOKS_STEP("xe:xe_vm_create", vm, self->xe.device, 0, self->xe.file),
			HOOKS_STEP("xe:xe_vm_close_and_put", 0, vm),
		},
		.inner_count = 2,
	};

	ASSERT_NE(0, vm);
	ASSERT_EQ(0, hooks_make(self->hooks, &make));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, vm));
	make.inner[0].result = -ENOMEM;
	make.inner_count = 1;
	ASSERT_EQ(0, hooks_make(self->hooks, &make));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
}

/* One opener more, with an address space of its own. */
struct other {
	int fd;
	int stream;
	__u64 vm;
	struct drm_fault_call_priv priv;
};

static int other_open(struct _test_data_xe_owner *self, struct other *other, __u32 asid)
{
	other->fd = hooks_gpu_node(self->hooks);
	other->priv = (struct drm_fault_call_priv){ .fd = other->fd };
	other->vm = xe_vm(&self->xe, 0, asid);
	if (other->fd < 0 || !other->vm ||
	    road_call(self->hooks->call, DRM_FAULT_CALL_GPU_PRIV, &other->priv))
		return -ENODEV;
	other->stream = road_stream(DRM_FAULT_SCOPE_FILE, other->fd);
	return other->stream < 0 ? other->stream :
	       xe_vm_make(&self->xe, other->priv.file, other->vm);
}

static void other_close(struct other *other)
{
	close(other->stream);
	close(other->fd);
}

TEST_F(xe_owner, two_openers)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);
	struct drm_fault_record first, second, record;
	struct other other;

	ASSERT_NE(0, vm);
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, vm));
	ASSERT_EQ(0, other_open(self, &other, OTHER));
	ASSERT_EQ(0, next_record(self, XE_ASID, vm, &record));
	ASSERT_EQ(0, next_record(self, OTHER, other.vm, &record));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &first));
	ASSERT_EQ(0, hooks_record(other.stream, &second));
	EXPECT_EQ(XE_ASID, first.raw[1] >> 12);
	EXPECT_EQ(OTHER, second.raw[1] >> 12);
	EXPECT_NE(first.context_id, second.context_id);
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(other.stream);
	other_close(&other);
	EXPECT_EQ(0, is_nobodys(self, OTHER, 0));
	EXPECT_EQ(0, is_ours(self, XE_ASID, vm));
}

TEST_F(xe_owner, two_address_spaces_of_an_opener)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID), second = xe_vm(&self->xe, 0, OTHER);
	struct drm_fault_record records[2];

	ASSERT_NE(0, vm);
	ASSERT_NE(0, second);
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, vm));
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, second));
	ASSERT_EQ(0, next_record(self, XE_ASID, vm, &records[0]));
	ASSERT_EQ(0, next_record(self, OTHER, second, &records[1]));
	EXPECT_NE(records[0].context_id, records[1].context_id);
	ASSERT_EQ(0, xe_vm_close(&self->xe, vm));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
	EXPECT_EQ(0, is_ours(self, OTHER, second));
}

/* The end of the first was missed; its address and number are another's now. */
TEST_F(xe_owner, numbers_that_are_given_again)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);
	struct drm_fault_record record;
	struct other other;

	ASSERT_NE(0, vm);
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, vm));
	ASSERT_EQ(0, other_open(self, &other, XE_ASID));
	ASSERT_EQ(0, next_record(self, XE_ASID, other.vm, &record));
	EXPECT_EQ(0, hooks_record(other.stream, &record));
	EXPECT_NO_RECORD(self->hooks->own);

	ASSERT_EQ(0, xe_set(&self->xe, other.vm, XE_VM_ASID, OTHER));
	ASSERT_EQ(0, xe_vm_make(&self->xe, self->hooks->file, other.vm));
	EXPECT_EQ(0, is_ours(self, OTHER, other.vm));
	EXPECT_NO_RECORD(other.stream);
	other_close(&other);
}

/* Made by a child on its parent's file: the child's are the faults. */
TEST_F(xe_owner, who_makes_it)
{
	__u64 vm = xe_vm(&self->xe, 0, XE_ASID);
	struct drm_fault_record record;
	pid_t pid;

	ASSERT_NE(0, vm);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(xe_vm_make(&self->xe, self->hooks->file, vm) ||
		      next_record(self, XE_ASID, vm, &record) || record.pid != getpid());
	EXPECT_EQ(0, road_wait(pid));
	EXPECT_EQ(0, hooks_record(self->hooks->own, &record));
}

/* The driver's file, from which we can be told of an address space that was there before. */
TEST_F(xe_owner, told_with_the_first_fault)
{
	__u64 vm = xe_vm(&self->xe, self->xe.file, XE_ASID);

	ASSERT_NE(0, vm);
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
	EXPECT_EQ(0, is_ours(self, XE_ASID, vm));
	EXPECT_EQ(0, is_ours(self, XE_ASID, 0));
	ASSERT_EQ(0, xe_vm_close(&self->xe, vm));
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
}

TEST_F(xe_owner, file_that_is_none)
{
	__u64 vm = xe_vm(&self->xe, 0x1234, XE_ASID);
	__u64 stray = xe_vm(&self->xe, self->xe.file, OTHER);

	ASSERT_NE(0, vm);
	ASSERT_NE(0, stray);
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, vm));
	ASSERT_EQ(0, xe_set(&self->xe, self->xe.file, XE_FILE_DRM, 0x4321));
	EXPECT_EQ(0, is_nobodys(self, OTHER, stray));
}

/* Those of a file that was open before us: the next one opened has them already. */
static int give_next(struct _test_data_xe_owner *self, __u64 head)
{
	struct drm_fault_call_template template = {
		.id = self->hooks->gpu.id,
		.size = self->xe.field[XE_FILE].offset,
	};
	char *data = calloc(1, template.size);
	int ret;

	if (!data)
		return -ENOMEM;
	memcpy(data + self->xe.field[XE_FILE_VMS].offset, &head, sizeof(head));
	template.ptr = (uintptr_t)data;
	ret = road_call(self->hooks->call, DRM_FAULT_CALL_GPU_TEMPLATE, &template);
	free(data);
	return ret;
}

TEST_F(xe_owner, there_when_the_file_became_known)
{
	static const __u32 numbers[] = { 1, 2, 63, 64, 2000, 4095 };
	__u64 vms[ARRAY_SIZE(numbers)], head;
	struct drm_fault_record record;
	unsigned int i;
	int fd, stream;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		vms[i] = xe_vm(&self->xe, 0, XE_ASID + i);
		ASSERT_NE(0, vms[i]);
	}
	/* This one is of another GPU. */
	ASSERT_EQ(0, xe_set(&self->xe, vms[2], XE_VM_DEVICE, 0));
	head = xe_array(&self->xe, numbers, vms, ARRAY_SIZE(numbers));
	ASSERT_NE(0, head);
	ASSERT_EQ(0, give_next(self, head));
	fd = hooks_gpu_node(self->hooks);
	ASSERT_LE(0, fd);
	stream = road_stream(DRM_FAULT_SCOPE_FILE, fd);
	ASSERT_LE(0, stream);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		ASSERT_EQ(0, next_record(self, XE_ASID + i, 0, &record));
		EXPECT_EQ(i == 2 ? -EAGAIN : 0, hooks_record(stream, &record));
	}
	close(stream);
	close(fd);
}

/* Anything can be there: nothing is followed that is not looked at with care. */
TEST_F(xe_owner, array_that_is_none)
{
	static const __u64 heads[] = { 1, 2, 0xdead0002, 0xffffffffffffffff, 0xffff800000000002 };
	unsigned int i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(heads); i++) {
		ASSERT_EQ(0, give_next(self, heads[i]));
		fd = hooks_gpu_node(self->hooks);
		ASSERT_LE(0, fd);
		close(fd);
	}
	EXPECT_EQ(0, is_nobodys(self, XE_ASID, 0));
}

XE_NEEDED

TEST_HARNESS_MAIN
