// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The bench itself: what is called with prepared arguments arrives at kprobes and
 * kretprobes that are placed later, as hooks are, and nothing else happens. The
 * functions are the simulated GPU's, the probes are tracefs's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"

#define TRACEFS	"/sys/kernel/tracing/"

/* Any two functions of the GPU's, neither inlined nor called by the other. */
#define OUTER	"drm_fault_sim:drm_fault_sim_timeout_ms"
#define INNER	"drm_fault_sim:drm_fault_sim_reporting"
#define INNER2	"drm_fault_sim:drm_fault_sim_hang"
#define GONE	"drm_fault_sim:there_is_no_such_function"

static const struct hooks_driver driver = {
	.module = DRM_FAULT_SIM_NAME,
	.symbols = { OUTER, INNER, INNER2, "?" GONE, NULL },
};

FIXTURE(call) {
	struct hooks hooks;
	char trace[16384];
};

static int write_file(const char *path, const char *text, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

/* Probes that are newer than those that skip the bodies. */
static int probe(const char *definition)
{
	return write_file(TRACEFS "kprobe_events", definition, O_APPEND);
}

static int start_trace(void)
{
	int ret = write_file(TRACEFS "trace", "", O_TRUNC);

	return ret ?: write_file(TRACEFS "events/drm_fault_test/enable", "1", 0);
}

static void forget_probes(void)
{
	write_file(TRACEFS "events/drm_fault_test/enable", "0", 0);
	write_file(TRACEFS "kprobe_events", "", O_TRUNC);
}

/* Lines of events only; the text is kept for the test to look at. */
static const char *read_trace(struct _test_data_call *self)
{
	int fd = open(TRACEFS "trace", O_RDONLY | O_CLOEXEC);
	size_t done = 0;
	ssize_t ret = 1;
	char *line;

	while (fd >= 0 && ret > 0 && done < sizeof(self->trace) - 1) {
		ret = read(fd, self->trace + done, sizeof(self->trace) - 1 - done);
		done += ret > 0 ? ret : 0;
	}
	close(fd);
	self->trace[done] = '\0';
	for (line = self->trace; *line == '#'; line = strchr(line, '\n') + 1)
		;
	return line;
}

static unsigned int count_of(const char *text, const char *word)
{
	unsigned int count = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		count++;
	}
	return count;
}

FIXTURE_SETUP(call)
{
	forget_probes();
	ASSERT_EQ(0, hooks_setup(&self->hooks, &driver));
}

FIXTURE_TEARDOWN(call)
{
	forget_probes();
	hooks_teardown(&self->hooks);
}

TEST_F(call, returns_what_it_is_told_to)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(OUTER, 0x123456789abcdefULL),
	};

	ASSERT_EQ(0, hooks_make(&self->hooks, &make));
	EXPECT_EQ(0x123456789abcdefULL, make.returned);
}

TEST_F(call, does_what_the_function_does_with_BODY)
{
	__u64 returned;

	ASSERT_EQ(0, hooks_run(&self->hooks, OUTER, &returned, HOOKS_ARGS(0)));
	EXPECT_EQ(2000, (__u32)returned);
}

TEST_F(call, kprobe_sees_all_arguments)
{
	const char *trace;

	ASSERT_EQ(0, probe("p:drm_fault_test/enter " OUTER
			   " a=%di:x64 b=%si:x64 c=%dx:x64 d=%cx:x64 e=%r8:x64 f=%r9:x64"));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_call(&self->hooks, OUTER, 0, 0x1111111111111111, 0x2222222222222222,
				0x3333333333333333, 0x4444444444444444, 0x5555555555555555,
				0x6666666666666666));
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "enter: "));
	EXPECT_NE(NULL, strstr(trace, "a=0x1111111111111111 b=0x2222222222222222 c="));
	EXPECT_NE(NULL, strstr(trace, "c=0x3333333333333333 d=0x4444444444444444 e="));
	EXPECT_NE(NULL, strstr(trace, "e=0x5555555555555555 f=0x6666666666666666"));
}

TEST_F(call, kretprobe_sees_the_result)
{
	const char *trace;

	ASSERT_EQ(0, probe("r:drm_fault_test/leave " OUTER " result=$retval:x64"));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_call(&self->hooks, OUTER, 0xabcdef));
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "leave: "));
	EXPECT_EQ(1, count_of(trace, "result=0xabcdef"));
}

TEST_F(call, kprobe_and_kretprobe_of_one_function)
{
	const char *trace;

	ASSERT_EQ(0, probe("r:drm_fault_test/leave " OUTER " result=$retval:x64"));
	ASSERT_EQ(0, probe("p:drm_fault_test/enter " OUTER));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_call(&self->hooks, OUTER, 0xabcdef));
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "enter: "));
	EXPECT_EQ(1, count_of(trace, "result=0xabcdef"));
}

/* Where the trace has 'h' for a hard interrupt: CPU, then "d.h1.". */
static bool in_hard_irq(const char *line)
{
	const char *flags = strstr(line, "] ");

	return flags && (flags[4] == 'h' || flags[4] == 'H');
}

TEST_F(call, comes_from_a_hard_interrupt)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(OUTER, 0xabcdef),
		.flags = DRM_FAULT_CALL_IN_IRQ,
	};
	const char *trace;

	ASSERT_EQ(0, probe("r:drm_fault_test/leave " OUTER " result=$retval:x64"));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_make(&self->hooks, &make));
	EXPECT_EQ(0xabcdef, make.returned);
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "result=0xabcdef"));
	EXPECT_TRUE(in_hard_irq(trace));
	make.flags = 0;
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_make(&self->hooks, &make));
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "result=0xabcdef"));
	EXPECT_FALSE(in_hard_irq(trace));
}

static const char *const inside[] = {
	"outer: ", "inner: ", "inner_leaves: ", "inner2: ", "outer_leaves: ",
};

TEST_F_TIMEOUT(call, inner_calls_come_inside_the_outer, 60)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(OUTER, 0xaaa),
		.inner = { HOOKS_STEP(INNER, 0xbbb), HOOKS_STEP(INNER2, 0xccc, 0x77) },
		.inner_count = 2,
	};
	const char *at;
	unsigned int i, flags;

	ASSERT_EQ(0, probe("p:drm_fault_test/outer " OUTER));
	ASSERT_EQ(0, probe("r:drm_fault_test/outer_leaves " OUTER " result=$retval:x64"));
	ASSERT_EQ(0, probe("p:drm_fault_test/inner " INNER));
	ASSERT_EQ(0, probe("r:drm_fault_test/inner_leaves " INNER " result=$retval:x64"));
	ASSERT_EQ(0, probe("p:drm_fault_test/inner2 " INNER2 " a=%di:x64"));
	for (flags = 0; flags <= DRM_FAULT_CALL_IN_IRQ; flags++) {
		make.flags = flags;
		ASSERT_EQ(0, start_trace());
		ASSERT_EQ(0, hooks_make(&self->hooks, &make));
		EXPECT_EQ(0xaaa, make.returned);
		at = read_trace(self);
		EXPECT_EQ(5, count_of(at, "\n"));
		EXPECT_EQ(1, count_of(at, "result=0xaaa"));
		EXPECT_EQ(1, count_of(at, "result=0xbbb"));
		EXPECT_EQ(1, count_of(at, "a=0x77"));
		for (i = 0; at && i < ARRAY_SIZE(inside); i++)
			at = strstr(at, inside[i]);
		EXPECT_NE(NULL, at);
	}
}

TEST_F(call, is_made_as_often_as_it_is_told_to)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(OUTER, 0xaaa),
		.count = 100,
	};

	ASSERT_EQ(0, probe("p:drm_fault_test/enter " OUTER));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_make(&self->hooks, &make));
	EXPECT_EQ(100, count_of(read_trace(self), "enter: "));
}

/* Once, with the file in place of its stand-in. */
TEST_F(call, is_made_when_a_gpu_is_opened)
{
	static const struct hooks_driver nobody = { .name = "nobody" };
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(OUTER, 0, DRM_FAULT_CALL_FILE),
	};
	struct drm_fault_call_priv priv = {};
	char argument[64];
	const char *trace;

	ASSERT_EQ(0, hooks_gpu_add(&self->hooks, &nobody));
	make.gpu = self->hooks.gpu.id;
	ASSERT_EQ(0, probe("p:drm_fault_test/enter " OUTER " a=%di:x64"));
	ASSERT_EQ(0, start_trace());
	ASSERT_EQ(0, hooks_make(&self->hooks, &make));
	EXPECT_EQ(0, count_of(read_trace(self), "enter: "));
	priv.fd = hooks_gpu_node(&self->hooks);
	ASSERT_EQ(0, road_call(self->hooks.call, DRM_FAULT_CALL_GPU_PRIV, &priv));
	close(hooks_gpu_node(&self->hooks));
	trace = read_trace(self);
	EXPECT_EQ(1, count_of(trace, "enter: "));
	snprintf(argument, sizeof(argument), "a=0x%llx\n", (unsigned long long)priv.file);
	EXPECT_EQ(1, count_of(trace, argument));
	close(priv.fd);
}

/* The ioctl calls the prepared function by itself. */
TEST_F(call, of_others_does_what_it_always_did)
{
	int gpu = road_node(DRM_FAULT_SIM_NAME);
	struct drm_fault_sim_info info = {};

	ASSERT_LE(0, gpu);
	ASSERT_EQ(0, road_call(gpu, DRM_IOCTL_FAULT_SIM_INFO, &info));
	EXPECT_EQ(2000, info.timeout_ms);
	close(gpu);
}

TEST_F(call, of_what_is_not_prepared_is_EINVAL)
{
	EXPECT_EQ(-EINVAL, hooks_call(&self->hooks, "drm_fault_sim:drm_fault_sim_open", 0, 0));
}

TEST_F(call, of_what_is_not_there_is_ENOENT)
{
	EXPECT_EQ(-ENOENT, hooks_call(&self->hooks, GONE, 0, 0));
	EXPECT_EQ(-ENOENT, hooks_run(&self->hooks, GONE, NULL, HOOKS_ARGS(0)));
	EXPECT_EQ(0, hooks_symbol(&self->hooks, GONE));
	EXPECT_NE(0, hooks_symbol(&self->hooks, OUTER));
	EXPECT_NE(0, hooks_symbol(&self->hooks, "report_iommu_fault"));
}

TEST_F(call, prepared_functions_go_and_come_with_their_module)
{
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	EXPECT_EQ(-ENOENT, hooks_call(&self->hooks, OUTER, 0, 0));
	ASSERT_EQ(0, hooks_load(DRM_FAULT_SIM_NAME));
	EXPECT_EQ(0, hooks_call(&self->hooks, OUTER, 0, 0));
}

TEST_F(call, module_stays_while_it_is_used)
{
	EXPECT_EQ(-EAGAIN, hooks_unload("drm_fault_call"));
}

TEST_F(call, device_is_roots_alone)
{
	hooks_teardown(&self->hooks);
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	EXPECT_EQ(-1, open(DRM_FAULT_CALL_PATH, O_RDWR | O_CLOEXEC));
	EXPECT_EQ(EACCES, errno);
}

TEST_HARNESS_MAIN
