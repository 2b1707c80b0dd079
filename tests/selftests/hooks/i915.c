// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * What i915's error states say of faults and hangs.
 */

#include "i915.h"
#include "kselftest_harness.h"

#define EBADF_POINTER	((__u64)-EBADF)

FIXTURE(i915_error) {
	struct i915 i915;
	struct hooks *hooks;
	struct i915_request request;
};

FIXTURE_SETUP(i915_error)
{
	self->hooks = &self->i915.hooks;
	ASSERT_EQ(0, i915_setup(&self->i915));
	self->request = i915_request_of(&self->i915);
}

FIXTURE_TEARDOWN(i915_error)
{
	i915_teardown(&self->i915);
}

static int store(struct _test_data_i915_error *self, struct i915_state *state)
{
	return i915_store_noted(&self->i915, state, &self->request);
}

TEST_F(i915_error, each_engine_of_a_shared_register)
{
	static const struct {
		const char *name;
		__u8 class;
		__u8 instance;
		__u32 want;
	} engines[] = {
		{ "rcs0", I915_RENDER, 0, DRM_FAULT_ENGINE_RENDER },
		{ "vcs0", I915_DECODE, 0, DRM_FAULT_ENGINE_VIDEO_DECODE },
		{ "vcs1", I915_DECODE, 1, DRM_FAULT_ENGINE_VIDEO_DECODE },
		{ "vecs0", I915_ENHANCE, 0, DRM_FAULT_ENGINE_VIDEO_ENHANCE },
		{ "bcs0", I915_COPY, 0, DRM_FAULT_ENGINE_COPY },
	};
	struct i915_state state = { .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record want;
	unsigned int i;

	for (i = 0; i < 3 * ARRAY_SIZE(engines); i++) {
		unsigned int at = i % ARRAY_SIZE(engines);

		state.version = 8 + i / ARRAY_SIZE(engines);
		state.data0 = 0x12340 + i;
		state.data1 = 0x3;
		state.engines[0].name = engines[at].name;
		state.engines[0].class = engines[at].class;
		state.engines[0].instance = engines[at].instance;
		state.engines[0].fault = I915_VALID | at << 12 | 0x55 << 3;
		ASSERT_EQ(0, store(self, &state));
		want = hooks_want(self->hooks);
		i915_want(&want, &state, &state.engines[0], engines[at].want);
		i915_want_fault(&want, 0x300000000000 | (__u64)state.data0 << 12, 1);
		i915_want_job(&want, &self->request);
		ASSERT_EQ(0, i915_differs(self->hooks->own, &want));
	}
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(i915_error, each_level_and_width)
{
	static const struct {
		__u32 data0;
		__u32 data1;
		__u64 address;
	} data[] = {
		{ 0x00000001, 0x00, 0x000000001000 },
		{ 0xffffffff, 0x00, 0x0ffffffff000 },
		{ 0x00000000, 0x0f, 0xf00000000000 },
		/* in the global GTT: that is in the raw words */
		{ 0x00045678, 0x10, 0x000045678000 },
	};
	struct i915_state state = { .version = 9, .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record want;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(data); i++) {
		state.data0 = data[i].data0;
		state.data1 = data[i].data1;
		state.engines[0].fault = I915_VALID | i << 1;
		ASSERT_EQ(0, store(self, &state));
		want = hooks_want(self->hooks);
		i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
		i915_want_fault(&want, data[i].address, i + 1);
		i915_want_job(&want, &self->request);
		EXPECT_EQ(0, i915_differs(self->hooks->own, &want));
	}
}

/* Each engine has a register, with the address, up to gen7. */
TEST_F(i915_error, registers_of_their_own)
{
	struct i915_state state = { .engines = { i915_rcs, i915_bcs }, .count = 2 };
	__u32 first = 0x12345000, second = 0x00abc000;
	struct drm_fault_record want;

	for (state.version = 6; state.version <= 7; state.version++) {
		first += 4096;
		second += 4096;
		state.engines[0].fault = first | I915_VALID;
		state.engines[1].fault = second | 1 << 11 | 1 << 1 | I915_VALID;
		ASSERT_EQ(0, store(self, &state));
		want = hooks_want(self->hooks);
		i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
		i915_want_fault(&want, first, state.version == 6 ? 0 : 1);
		i915_want_job(&want, &self->request);
		EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
		/* It goes on: whose work it has now says nothing. */
		want = hooks_want_unowned(self->hooks);
		i915_want(&want, &state, &state.engines[1], DRM_FAULT_ENGINE_COPY);
		i915_want_fault(&want, second, state.version == 6 ? 0 : 2);
		EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	}
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_F(i915_error, the_only_engine_of_later_ones)
{
	struct i915_state state = {
		.version = 12, .data0 = 0x7777, .engines = { i915_rcs }, .count = 1,
	};
	struct drm_fault_record want = hooks_want(self->hooks);

	state.engines[0].class = I915_COMPUTE;
	state.engines[0].name = "ccs3";
	state.engines[0].instance = 3;
	state.engines[0].fault = I915_VALID | 0x13 << 12;
	ASSERT_EQ(0, store(self, &state));
	i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_COMPUTE);
	i915_want_fault(&want, 0x7777000, 1);
	i915_want_job(&want, &self->request);
	EXPECT_EQ(0, i915_differs(self->hooks->own, &want));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(i915_error, nobody_can_say_which_engine)
{
	struct i915_state state = {
		.version = 12, .data0 = 0x7777, .engines = { i915_rcs, i915_bcs }, .count = 2,
	};
	struct drm_fault_record want = hooks_want(self->hooks);

	state.engines[0].fault = I915_VALID | 0x13 << 12;
	state.engines[1].fault = state.engines[0].fault;
	ASSERT_EQ(0, store(self, &state));
	i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
	i915_want_job(&want, &self->request);
	want.type = DRM_FAULT_RECORD_TIMEOUT;
	EXPECT_EQ(0, i915_differs(self->hooks->all, &want));

	want = hooks_want_unowned(self->hooks);
	i915_want_fault(&want, 0x7777000, 1);
	want.raw_format = DRM_FAULT_RAW_I915;
	want.raw_count = 4;
	want.raw[0] = state.engines[0].fault;
	want.raw[2] = state.data0;
	EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	EXPECT_NO_RECORD(self->hooks->all);
}

TEST_F(i915_error, who_hung_is_not_who_faulted)
{
	struct i915_state state = {
		.version = 9, .data0 = 0x1000, .engines = { i915_rcs, i915_bcs }, .count = 2,
	};
	struct drm_fault_record want = hooks_want(self->hooks);

	state.engines[0].fault = I915_VALID | 4 << 12;
	state.engines[1].fault = state.engines[0].fault;
	ASSERT_EQ(0, store(self, &state));
	i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
	i915_want_job(&want, &self->request);
	want.type = DRM_FAULT_RECORD_TIMEOUT;
	EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	want = hooks_want_unowned(self->hooks);
	i915_want(&want, &state, &state.engines[1], DRM_FAULT_ENGINE_COPY);
	i915_want_fault(&want, 0x1000000, 1);
	EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	EXPECT_NO_RECORD(self->hooks->all);
}

/* The engine that faulted had nothing to do when the state was captured. */
TEST_F(i915_error, engine_that_is_not_in_the_state)
{
	struct i915_state state = {
		.version = 9, .data0 = 0x1000, .engines = { i915_rcs }, .count = 1,
	};
	struct drm_fault_record want = hooks_want_unowned(self->hooks), record;

	state.engines[0].fault = I915_VALID | 2 << 12;
	ASSERT_EQ(0, store(self, &state));
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, record.type);
	i915_want_fault(&want, 0x1000000, 1);
	want.engine_class = DRM_FAULT_ENGINE_VIDEO_DECODE;
	want.engine_instance = 1;
	want.raw_format = DRM_FAULT_RAW_I915;
	want.raw_count = 4;
	want.raw[0] = state.engines[0].fault;
	want.raw[2] = state.data0;
	EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
}

TEST_F(i915_error, hang_without_a_fault)
{
	/* The address of an older fault stays in the registers. */
	struct i915_state state = {
		.version = 9, .data0 = 0x1000, .data1 = 0x2, .engines = { i915_rcs }, .count = 1,
	};
	struct drm_fault_record want = hooks_want(self->hooks);

	ASSERT_EQ(0, store(self, &state));
	i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
	i915_want_job(&want, &self->request);
	want.type = DRM_FAULT_RECORD_TIMEOUT;
	EXPECT_EQ(0, i915_differs(self->hooks->own, &want));
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_F(i915_error, no_instruction_pointer_where_none_is_told)
{
	struct i915_state state = { .version = 9, .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record record;

	state.engines[0].acthd = 0;
	ASSERT_EQ(0, store(self, &state));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &record));
	EXPECT_EQ(0, record.ip_type);
	EXPECT_EQ(0, record.ip_precision);
}

TEST_F(i915_error, what_is_no_error)
{
	struct i915_state state = { .version = 9, .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record record;

	state.simulated = 1;
	state.engines[0].fault = I915_VALID;
	ASSERT_EQ(0, store(self, &state));
	ASSERT_EQ(0, i915_store(&self->i915, 0));
	ASSERT_EQ(0, i915_store(&self->i915, EBADF_POINTER));
	EXPECT_NO_RECORD(self->hooks->all);
	/* A list without end. */
	state.simulated = 0;
	ASSERT_EQ(0, i915_make(&self->i915, &state));
	ASSERT_EQ(0, i915_chain(&self->i915, &state, &state));
	ASSERT_EQ(0, i915_store(&self->i915, state.error));
	EXPECT_EQ(0, hooks_record(self->hooks->all, &record));
}

TEST_F(i915_error, two_gts)
{
	struct i915_state states[] = {
		{ .version = 12, .data0 = 0x1000, .engines = { i915_rcs }, .count = 1 },
		{ .version = 12, .data0 = 0x2000, .engines = { i915_bcs }, .count = 1 },
	};
	struct drm_fault_record record;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		states[i].engines[0].fault = I915_VALID;
		states[i].engines[0].hung = 1;
		ASSERT_EQ(0, i915_make(&self->i915, &states[i]));
	}
	ASSERT_EQ(0, i915_chain(&self->i915, &states[0], &states[1]));
	ASSERT_EQ(0, i915_store(&self->i915, states[0].error));
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_EQ(0x1000000, record.address);
	EXPECT_STREQ("rcs0", record.engine);
	ASSERT_EQ(0, hooks_record(self->hooks->all, &record));
	EXPECT_EQ(0x2000000, record.address);
	EXPECT_STREQ("bcs0", record.engine);
}

TEST_F(i915_error, what_the_firmware_captured)
{
	static const struct i915_register global[] = {
		{ 0xcec4, I915_VALID | 2 << 1 }, { 0xceb8, 0xabcde }, { 0xcebc, 0x1 },
	};
	static const struct i915_register engine[] = {
		{ 0x68, 0x18800101 }, { 0x74, 0x89abc }, { 0x5c, 0x7 }, { 0x140, 0x88001 },
		{ 0x168, 0x7 },
	};
	struct i915_state state = {
		.version = 12,
		.engines = { { .name = "rcs0", .class = I915_RENDER, .hung = 1 } },
		.count = 1,
	}, told = state;
	struct drm_fault_record want = hooks_want_unowned(self->hooks);
	unsigned int list;

	for (list = 0; list <= 2; list += 2) {
		ASSERT_EQ(0, i915_make(&self->i915, &state));
		ASSERT_EQ(0, i915_guc(&self->i915, state.states[0], list,
				      list ? engine : global,
				      list ? ARRAY_SIZE(engine) : ARRAY_SIZE(global)));
		ASSERT_EQ(0, i915_store(&self->i915, state.error));
		told = state;
		told.data0 = list ? 0 : 0xabcde;
		told.data1 = list ? 0 : 1;
		told.engines[0].fault = list ? 0 : I915_VALID | 2 << 1;
		told.engines[0].ipehr = list ? 0x18800101 : 0;
		told.engines[0].acthd = list ? 0x700089abc : 0;
		told.engines[0].bbaddr = list ? 0x700088001 : 0;
		want = hooks_want_unowned(self->hooks);
		i915_want(&want, &told, &told.engines[0], DRM_FAULT_ENGINE_RENDER);
		if (list)
			want.type = DRM_FAULT_RECORD_TIMEOUT;
		else
			i915_want_fault(&want, 0x1000abcde000, 3);
		EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	}
}

TEST_F(i915_error, resets)
{
	static const char *const names[] = { "rcs0", "bcs1" };
	struct drm_fault_record want;
	unsigned int i;
	static const struct {
		__u32 mask;
		__u32 want;
		const char *engine;
		__u32 class;
		__u32 instance;
	} resets[] = {
		{ 0x1, 0x1, "rcs0", DRM_FAULT_ENGINE_RENDER, 0 },
		{ 0x2, 0x2, "bcs1", DRM_FAULT_ENGINE_COPY, 1 },
		{ 0x6, 0x2, "bcs1", DRM_FAULT_ENGINE_COPY, 1 },
		{ 0x3, 0x3, "", 0, 0 },
		{ 0xffffffff, 0x3, "", 0, 0 },
	};

	for (i = 0; i < ARRAY_SIZE(resets); i++) {
		ASSERT_EQ(0, i915_reset(&self->i915, 0x3, resets[i].mask, names));
		want = hooks_want_unowned(self->hooks);
		want.type = DRM_FAULT_RECORD_RESET;
		want.engine_class = resets[i].class;
		want.engine_instance = resets[i].instance;
		strncpy(want.engine, resets[i].engine, sizeof(want.engine) - 1);
		want.raw_format = DRM_FAULT_RAW_I915;
		want.raw_count = 1;
		want.raw[0] = resets[i].want;
		EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	}
	EXPECT_NO_RECORD(self->hooks->own);
}

TEST_HARNESS_MAIN
