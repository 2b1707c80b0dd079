// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whose the work is that i915's error states speak of.
 */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "i915.h"
#include "kselftest_harness.h"

#define EBADF_POINTER	((__u64)-EBADF)

FIXTURE(i915_owner) {
	struct i915 i915;
	struct hooks *hooks;
	struct i915_request request;
};

FIXTURE_SETUP(i915_owner)
{
	self->hooks = &self->i915.hooks;
	ASSERT_EQ(0, i915_setup(&self->i915));
	self->request = i915_request_of(&self->i915);
}

FIXTURE_TEARDOWN(i915_owner)
{
	i915_teardown(&self->i915);
}

static int store(struct _test_data_i915_owner *self, struct i915_state *state)
{
	return i915_store_noted(&self->i915, state, &self->request);
}

TEST_F(i915_owner, two_openers)
{
	struct drm_fault_call_priv other = { .fd = hooks_gpu_node(self->hooks) };
	struct i915_state state = { .version = 9, .engines = { i915_rcs, i915_bcs }, .count = 2 };
	struct i915_request request = self->request;
	struct drm_fault_record first, second;
	int stream;

	ASSERT_LE(0, other.fd);
	ASSERT_EQ(0, road_call(self->hooks->call, DRM_FAULT_CALL_GPU_PRIV, &other));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, other.fd);
	ASSERT_LE(0, stream);
	state.engines[1].hung = 1;
	ASSERT_EQ(0, i915_make(&self->i915, &state));
	ASSERT_EQ(0, i915_note(&self->i915, state.states[0], &self->request, true));
	request.file = other.file;
	request.seqno++;
	ASSERT_EQ(0, i915_note(&self->i915, state.states[1], &request, true));
	ASSERT_EQ(0, i915_store(&self->i915, state.error));
	ASSERT_EQ(0, hooks_record(self->hooks->own, &first));
	ASSERT_EQ(0, hooks_record(stream, &second));
	EXPECT_STREQ("rcs0", first.engine);
	EXPECT_STREQ("bcs0", second.engine);
	EXPECT_EQ(request.seqno, second.job_seqno);
	EXPECT_NE(first.context_id, second.context_id);
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(stream);

	/* Closed in between: it is not who is there next, and not us. */
	ASSERT_EQ(0, i915_make(&self->i915, &state));
	ASSERT_EQ(0, i915_note(&self->i915, state.states[1], &request, true));
	close(stream);
	close(other.fd);
	other.fd = hooks_gpu_node(self->hooks);
	stream = road_stream(DRM_FAULT_SCOPE_FILE, other.fd);
	ASSERT_EQ(0, i915_store(&self->i915, state.error));
	EXPECT_NO_RECORD(self->hooks->own);
	EXPECT_NO_RECORD(stream);
	close(stream);
	close(other.fd);
}

TEST_F(i915_owner, nobody_knows_the_context)
{
	struct i915_state state = { .version = 9, .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record want;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, i915_make(&self->i915, &state));
		want = hooks_want_unowned(self->hooks);
		i915_want(&want, &state, &state.engines[0], DRM_FAULT_ENGINE_RENDER);
		want.type = DRM_FAULT_RECORD_TIMEOUT;
		/* Nothing is noted; a context that is closed; another state there. */
		self->request.file = i == 1 ? EBADF_POINTER : self->hooks->file;
		if (i)
			ASSERT_EQ(0, i915_note(&self->i915, state.states[0], &self->request,
					       i == 1));
		if (i == 1)
			i915_want_job(&want, &self->request);
		ASSERT_EQ(0, i915_store(&self->i915, state.error));
		EXPECT_EQ(0, i915_differs(self->hooks->all, &want));
	}
	EXPECT_NO_RECORD(self->hooks->own);
}

/* A node that one process opens and another uses. */
TEST_F(i915_owner, process_that_made_the_context)
{
	struct i915_state state = { .version = 9, .engines = { i915_rcs }, .count = 1 };
	struct drm_fault_record record;
	int ready[2];
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	child = fork();
	if (!child) {
		byte = i915_context_create(&self->i915) ? 'n' : 'y';
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ('y', byte);
	EXPECT_EQ(0, store(self, &state));
	EXPECT_EQ(0, hooks_record(self->hooks->own, &record));
	EXPECT_EQ(child, record.pid);
	kill(child, SIGKILL);
	road_wait(child);
	close(ready[0]);
	close(ready[1]);
}

TEST_HARNESS_MAIN
