// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Module parameters: what is out of bounds is brought within, and all work. */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(parameters) {
	struct road_sim sim;
};

FIXTURE_SETUP(parameters)
{
}

/* The tests that come next find the module as it always is. */
FIXTURE_TEARDOWN(parameters)
{
	road_forget();
	EXPECT_EQ(0, system("modprobe -r drm_fault_sim drm_fault"));
}

static int load(const char *settings)
{
	char command[512];

	road_forget();
	snprintf(command, sizeof(command),
		 "{ ! test -e /sys/module/drm_fault || modprobe -r drm_fault_sim drm_fault; } && modprobe drm_fault %s",
		 settings);
	return system(command) ? -ENODEV : road_setup();
}

static const struct {
	char name[20];
	unsigned int low, least, high, most;
} bounds[] = {
	{ "ring_records", 0, 4, 1000000, 4096 },
	{ "queue_records", 0, 16, 1000000, 4096 },
	{ "max_streams", 0, 1, 1000000, 1024 },
	{ "group_gap_ms", 0, 1, 1000000, 60000 },
	{ "retain_contexts", 0, 0, 1000000, 1024 },
	{ "retain_seconds", 0, 0, 1000000, 86400 },
};

/* Loads the module with all of them too low, or all of them too high. */
static int load_out_of_bounds(bool high)
{
	char settings[256];
	size_t i, length = 0;

	for (i = 0; i < ARRAY_SIZE(bounds); i++)
		length += snprintf(settings + length, sizeof(settings) - length, "%s=%u ",
				   bounds[i].name, high ? bounds[i].high : bounds[i].low);
	return load(settings);
}

TEST_F(parameters, too_little_becomes_the_least)
{
	size_t i;

	ASSERT_EQ(0, load_out_of_bounds(false));
	for (i = 0; i < ARRAY_SIZE(bounds); i++)
		EXPECT_EQ(bounds[i].least, road_parameter(bounds[i].name))
			TH_LOG("parameter %zu", i);
}

TEST_F(parameters, too_much_becomes_the_most)
{
	size_t i;

	ASSERT_EQ(0, load_out_of_bounds(true));
	for (i = 0; i < ARRAY_SIZE(bounds); i++)
		EXPECT_EQ(bounds[i].most, road_parameter(bounds[i].name))
			TH_LOG("parameter %zu", i);
}

TEST_F(parameters, lengths_become_powers_of_two)
{
	ASSERT_EQ(0, load("ring_records=5 queue_records=100"));
	EXPECT_EQ(8, road_parameter("ring_records"));
	EXPECT_EQ(128, road_parameter("queue_records"));
}

TEST_F(parameters, no_number_is_refused)
{
	EXPECT_NE(0, load("ring_records=many 2>/dev/null"));
}

/* Runs another test's program with the module as it is loaded now. */
static int run(const char *program)
{
	char path[PATH_MAX] = "", command[2 * PATH_MAX];

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return -errno;
	/* Its points are not ours: they are shown if one is bad. */
	snprintf(command, sizeof(command),
		 "out=$(%s/%s 2>&1) || { echo \"$out\" | sed 's/^/# /'; false; }",
		 dirname(path), program);
	return system(command);
}

TEST_F_TIMEOUT(parameters, shortest_ring_works, 120)
{
	ASSERT_EQ(0, load("ring_records=4"));
	EXPECT_EQ(0, run("history"));
}

TEST_F_TIMEOUT(parameters, longest_ring_works, 120)
{
	ASSERT_EQ(0, load("ring_records=4096"));
	EXPECT_EQ(0, run("history"));
}

TEST_F(parameters, short_pause_ends_an_incident)
{
	struct drm_fault_record records[2];
	struct drm_fault_snapshot snapshot;
	int stream;

	ASSERT_EQ(0, load("group_gap_ms=1"));
	ASSERT_EQ(0, road_sim_open(&self->sim));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	road_sleep_ms(10);
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_snapshot(stream, &snapshot, records, 2));
	EXPECT_EQ(2, snapshot.total);
	close(stream);
	road_sim_close(&self->sim);
}

static int end_a_context(struct road_sim *sim)
{
	int ret = road_sim_open(sim);

	if (!ret)
		ret = road_raise(sim, 0x1000, 1);
	road_sim_close(sim);
	return ret;
}

TEST_F(parameters, no_context_is_kept_if_none_may_be)
{
	ASSERT_EQ(0, load("retain_contexts=0"));
	ASSERT_EQ(0, end_a_context(&self->sim));
	EXPECT_EQ(0, road_kept_contexts());
}

TEST_F(parameters, contexts_are_kept_as_long_as_told)
{
	unsigned int tries;
	__u64 start;

	ASSERT_EQ(0, load("retain_seconds=3"));
	start = road_now_ns();
	ASSERT_EQ(0, end_a_context(&self->sim));
	EXPECT_EQ(1, road_kept_contexts());
	/* Nothing else happens that could be what takes it away. */
	for (tries = 0; road_kept_contexts() && tries < 100; tries++)
		road_sleep_ms(100);
	EXPECT_EQ(0, road_kept_contexts());
	EXPECT_LE(2900, (road_now_ns() - start) / 1000000);
}

TEST_F(parameters, one_stream_may_be_all_there_is)
{
	int stream;

	ASSERT_EQ(0, load("max_streams=1"));
	stream = road_stream(DRM_FAULT_SCOPE_ALL, 0);
	EXPECT_LE(0, stream);
	EXPECT_EQ(-EMFILE, road_stream(DRM_FAULT_SCOPE_ALL, 0));
	close(stream);
}

TEST_HARNESS_MAIN
