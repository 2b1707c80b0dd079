// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Faults that nouveau itself handles: everything that struct nvkm_fault_data has
 * arrives in the record.
 */
#include "kselftest_harness.h"
#include "nouveau.h"

#define PHYSICAL	0x08

FIXTURE(nouveau_fault) {
	struct nouveau nouveau;
	struct hooks *hooks;
	struct nouveau_fault fault;
};

FIXTURE_SETUP(nouveau_fault)
{
	__u64 channel;

	self->hooks = &self->nouveau.hooks;
	ASSERT_EQ(0, nouveau_setup(&self->nouveau));
	channel = nouveau_channel(&self->nouveau, NOUVEAU_INST);
	ASSERT_EQ(0, nouveau_channel_new(&self->nouveau, self->hooks->file, channel, 0));
	self->fault = (struct nouveau_fault){
		.addr = 0x7f0012345000, .inst = NOUVEAU_INST, .time = 0x16a3bb4c8d001234,
		.engine = 0x40, .valid = 1, .gpc = 5, .hub = 1, .access = 1, .client = 0x2c,
		.reason = 2,
	};
}

FIXTURE_TEARDOWN(nouveau_fault)
{
	nouveau_teardown(&self->nouveau);
}

/* What is the same in all: what was read, and a write where no page is. */
static struct drm_fault_record want_of(struct _test_data_nouveau_fault *self)
{
	const struct nouveau_fault *fault = &self->fault;
	struct drm_fault_record want = hooks_want(self->hooks);

	want.gpu_timestamp = fault->time;
	want.address = fault->addr;
	want.address_precision = 4096;
	want.access = DRM_FAULT_ACCESS_WRITE;
	want.fault_type = DRM_FAULT_TYPE_NOT_PRESENT;
	want.level = 1;
	want.raw_format = DRM_FAULT_RAW_NOUVEAU;
	want.raw_count = 2;
	want.raw[0] = (__u64)fault->valid << 48 | (__u64)fault->reason << 40 |
		      (__u64)fault->access << 32 | (__u64)fault->hub << 24 |
		      fault->gpc << 16 | fault->client << 8 | fault->engine;
	want.raw[1] = fault->addr;
	return want;
}

static int fault_differs(struct _test_data_nouveau_fault *self,
			 const struct drm_fault_record *want)
{
	struct drm_fault_record record;
	int ret = nouveau_fault(&self->nouveau, &self->fault);

	ret = ret ?: hooks_record(self->hooks->all, &record);
	self->fault.addr += 4096;
	return ret ?: hooks_differ(want, &record);
}

TEST_F(nouveau_fault, each_access)
{
	static const __u32 wanted[] = {
		DRM_FAULT_ACCESS_READ, DRM_FAULT_ACCESS_WRITE, DRM_FAULT_ACCESS_ATOMIC,
		DRM_FAULT_ACCESS_READ, DRM_FAULT_ACCESS_ATOMIC, 0, 0, 0,
	};
	bool seen[DRM_FAULT_ACCESS_ATOMIC + 1] = {};
	struct drm_fault_record want;
	__u8 access;

	for (access = 0; access < 16; access++) {
		self->fault.access = access;
		want = want_of(self);
		want.access = wanted[access & 7];
		/* Not an address that the client ever saw, so that they repeat each other. */
		if (access & PHYSICAL) {
			want.address = 0;
			want.address_precision = 0;
			want.flags = seen[want.access] ? DRM_FAULT_RECORD_F_REPEAT : 0;
			seen[want.access] = true;
		}
		EXPECT_EQ(0, fault_differs(self, &want));
	}
}

TEST_F(nouveau_fault, each_reason)
{
	static const __u32 wanted[] = {
		DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_TYPE_NOT_PRESENT,
		DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_TYPE_NOT_PRESENT,
		DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_PERMISSION,
		DRM_FAULT_TYPE_PERMISSION, DRM_FAULT_TYPE_PERMISSION,
		DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_OTHER,
		DRM_FAULT_TYPE_INVALID_FORMAT, DRM_FAULT_TYPE_INVALID_FORMAT,
		DRM_FAULT_TYPE_INVALID_FORMAT, DRM_FAULT_TYPE_PERMISSION,
		DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_PERMISSION,
		DRM_FAULT_TYPE_OTHER,
	};
	struct drm_fault_record want;
	__u8 reason;

	for (reason = 0; reason < ARRAY_SIZE(wanted); reason++) {
		self->fault.reason = reason;
		want = want_of(self);
		want.fault_type = wanted[reason];
		want.level = reason == 2;
		EXPECT_EQ(0, fault_differs(self, &want));
	}
}

TEST_F(nouveau_fault, whole_width_of_an_address)
{
	static const __u64 addresses[] = { 0, 0xffffff000, 0x1fffffffff000, 0x123456789abcd };
	struct drm_fault_record want;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++) {
		self->fault.addr = addresses[i];
		want = want_of(self);
		EXPECT_EQ(0, fault_differs(self, &want));
	}
}

TEST_F(nouveau_fault, each_engine)
{
	struct nouveau_engine engines[] = {
		{ 0x40, "gr", 0 }, { 0x0f, "ce2", 2 }, { 0x1a, "nvdec1", 1 }, { 0x19, "nvenc0", 0 },
		{ 0x14, "mspdec", 0 }, { 0x10, "msvld", 0 }, { 0x17, "sec2", 0 },
	};
	static const __u32 classes[] = {
		DRM_FAULT_ENGINE_RENDER, DRM_FAULT_ENGINE_COPY, DRM_FAULT_ENGINE_VIDEO_DECODE,
		DRM_FAULT_ENGINE_VIDEO_ENCODE, DRM_FAULT_ENGINE_VIDEO_DECODE,
		DRM_FAULT_ENGINE_VIDEO_DECODE, DRM_FAULT_ENGINE_OTHER,
	};
	struct drm_fault_record want;
	unsigned int i;

	ASSERT_EQ(0, nouveau_engines(&self->nouveau, engines, ARRAY_SIZE(engines)));
	for (i = 0; i < ARRAY_SIZE(engines); i++) {
		self->fault.engine = engines[i].fault;
		want = want_of(self);
		/* Before there were runlists nothing says what the number means. */
		if (self->nouveau.modern) {
			want.engine_class = classes[i];
			want.engine_instance = engines[i].instance;
			strncpy(want.engine, engines[i].name, sizeof(want.engine) - 1);
		}
		EXPECT_EQ(0, fault_differs(self, &want));
	}
}

TEST_F(nouveau_fault, engine_that_is_not_known)
{
	struct drm_fault_record want = want_of(self);

	EXPECT_EQ(0, fault_differs(self, &want));
	/* Only the graphics engine is in the GPCs. */
	self->fault.hub = 0;
	want = want_of(self);
	want.engine_class = DRM_FAULT_ENGINE_RENDER;
	strcpy(want.engine, "gr");
	EXPECT_EQ(0, fault_differs(self, &want));
}

/* To recover an engine that hangs, the driver has it fault. */
TEST_F(nouveau_fault, what_the_driver_made_is_a_hang)
{
	struct nouveau_engine engines[] = { { 0x40, "gr", 0 } };
	struct drm_fault_record want = want_of(self), record;

	ASSERT_EQ(0, nouveau_engines(&self->nouveau, engines, 1));
	if (self->nouveau.modern) {
		ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:gf100_engn_mmu_fault_trigger", 0,
					engines[0].engn));
		ASSERT_EQ(0, nouveau_fault(&self->nouveau, &self->fault));
		ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
		EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, record.type);
		EXPECT_EQ(DRM_FAULT_RECORD_F_OWNER_UNKNOWN, record.flags);
		EXPECT_STREQ("gr", record.engine);
		EXPECT_EQ(0, record.address_precision);
		strcpy(want.engine, "gr");
		want.engine_class = DRM_FAULT_ENGINE_RENDER;
	}
	/* Where it makes none, and the next one everywhere, is a fault. */
	EXPECT_EQ(0, fault_differs(self, &want));
}

TEST_F(nouveau_fault, from_an_interrupt)
{
	struct drm_fault_record want = want_of(self), record;

	ASSERT_EQ(0, hooks_call_in_irq(self->hooks, "nouveau:nvkm_fifo_fault", 0,
				       self->nouveau.fifo,
				       nouveau_fault_data(&self->nouveau, &self->fault)));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	EXPECT_EQ(0, hooks_differ(&want, &record));
}

TEST_F(nouveau_fault, pointers_that_lead_nowhere)
{
	__u64 data = nouveau_fault_data(&self->nouveau, &self->fault);

	ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:nvkm_fifo_fault", 0, 0, data));
	ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:nvkm_fifo_fault", 0,
				self->nouveau.gsp + 64, data));
	ASSERT_EQ(0, hooks_call(self->hooks, "nouveau:nvkm_fifo_fault", 0,
				self->nouveau.fifo, 0xdead000000000000));
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_HARNESS_MAIN
