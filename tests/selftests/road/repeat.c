// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Events that say the same are one record with a count, in rings and streams. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(repeat) {
	struct road_sim sim;
	int stream;
	struct drm_fault_snapshot snapshot;
	struct drm_fault_record records[16];
};

FIXTURE_SETUP(repeat)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(repeat)
{
	close(self->stream);
	road_sim_close(&self->sim);
}

static int look(struct _test_data_repeat *self)
{
	return road_snapshot(self->stream, &self->snapshot, self->records,
			     ARRAY_SIZE(self->records));
}

TEST_F(repeat, ring_has_one_record_with_the_exact_count)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 12345));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(12345, self->snapshot.events);
	EXPECT_EQ(0, self->snapshot.lost);
	EXPECT_EQ(12345, self->records[0].count);
	EXPECT_EQ(1, self->records[0].seqno);
}

static void ignore(int signal)
{
}

/* A shell's writer gets signals of children that end while it raises. */
TEST_F(repeat, signals_cut_no_count_short)
{
	struct itimerval every = { .it_interval.tv_usec = 500, .it_value.tv_usec = 500 };
	const struct sigaction restart = { .sa_handler = ignore, .sa_flags = SA_RESTART };

	ASSERT_EQ(0, sigaction(SIGALRM, &restart, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &every, NULL));
	EXPECT_EQ(0, road_raise(&self->sim, 0x1000, 200000));
	every = (struct itimerval){};
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &every, NULL));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(200000, self->snapshot.events);
	EXPECT_EQ(0, self->snapshot.lost);
}

TEST_F(repeat, stream_has_one_record_with_the_exact_count)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 12345));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(12345, self->records[0].count);
	EXPECT_EQ(0, self->records[0].flags & DRM_FAULT_RECORD_F_REPEAT);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(repeat, first_and_last_time_are_kept)
{
	__u64 first, between;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, look(self));
	first = self->records[0].timestamp_ns;
	between = road_now_ns();
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(first, self->records[0].timestamp_ns);
	EXPECT_GT(between, self->records[0].timestamp_ns);
	EXPECT_LE(between, self->records[0].last_timestamp_ns);
	ASSERT_EQ(0, road_read_all(self->stream, &self->records[1], 1));
	EXPECT_EQ(first, self->records[1].timestamp_ns);
	EXPECT_EQ(self->records[0].last_timestamp_ns, self->records[1].last_timestamp_ns);
}

TEST_F(repeat, what_comes_after_a_read_is_a_repeat_of_the_same_record)
{
	const struct drm_fault_record *r = self->records;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 5));
	ASSERT_EQ(0, road_read_all(self->stream, &self->records[0], 1));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 7));
	ASSERT_EQ(0, road_read_all(self->stream, &self->records[1], 1));
	EXPECT_EQ(r[0].record_id, r[1].record_id);
	EXPECT_EQ(5, r[0].count);
	EXPECT_EQ(7, r[1].count);
	EXPECT_EQ(DRM_FAULT_RECORD_F_REPEAT, r[1].flags);
	EXPECT_EQ(2, r[1].seqno);
	EXPECT_EQ(r[0].group_id, r[1].group_id);
	EXPECT_EQ(0x1000, r[1].address);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(repeat, ring_counts_on_after_a_read)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 5));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 7));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(12, self->records[0].count);
	EXPECT_EQ(0, self->records[0].flags & DRM_FAULT_RECORD_F_REPEAT);
}

TEST_F(repeat, new_stream_sees_a_repeat_of_what_was_before_it)
{
	int late;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 5));
	late = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, late);
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 7));
	ASSERT_EQ(0, road_read_all(late, self->records, 1));
	EXPECT_EQ(7, self->records[0].count);
	EXPECT_EQ(DRM_FAULT_RECORD_F_REPEAT, self->records[0].flags);
	EXPECT_EQ(1, self->records[0].seqno);
}

TEST_F(repeat, others_in_between_do_not_matter)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 2));
	ASSERT_EQ(0, road_raise(&self->sim, 0x5000, 3));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 4));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(2, self->snapshot.total);
	EXPECT_EQ(6, self->records[0].count);
	EXPECT_EQ(3, self->records[1].count);
}

TEST_F(repeat, places_in_one_page_are_one)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1ff8, 1));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(2, self->records[0].count);
	EXPECT_EQ(0x1000, self->records[0].address);
}

TEST_F(repeat, flags_of_all_are_gathered)
{
	const char *words = "address=0x1000 precision=8 access=1 type=1 flags=4";

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_inject(&self->sim, words));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(DRM_FAULT_RECORD_F_FATAL, self->records[0].flags);
}

/* Each differs from the first in one thing that makes it another record. */
TEST_F(repeat, what_differs_is_another_record)
{
	static const char *const events[] = {
		"address=0x1000 precision=8 access=1 type=1 class=1 instance=0",
		"address=0x2000 precision=8 access=1 type=1 class=1 instance=0",
		"address=0x1000 precision=8 access=2 type=1 class=1 instance=0",
		"address=0x1000 precision=8 access=1 type=2 class=1 instance=0",
		"address=0x1000 precision=8 access=1 type=1 class=2 instance=0",
		"address=0x1000 precision=8 access=1 type=1 class=1 instance=1",
	};
	size_t i;

	for (i = 0; i < 2 * ARRAY_SIZE(events); i++)
		ASSERT_EQ(0, road_inject(&self->sim, events[i % ARRAY_SIZE(events)]));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(ARRAY_SIZE(events), self->snapshot.total);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		EXPECT_EQ(2, self->records[i].count)
			TH_LOG("event %zu", i);
}

TEST_F(repeat, contexts_do_not_share_records)
{
	struct road_sim other;

	ASSERT_EQ(0, road_sim_open(&other));
	ASSERT_NE(self->sim.context, other.context);
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 2));
	ASSERT_EQ(0, road_raise(&other, 0x1000, 3));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(2, self->records[0].count);
}

TEST_F(repeat, timeouts_and_resets_are_never_one)
{
	ASSERT_EQ(0, road_inject(&self->sim, "kind=timeout count=2"));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(2, self->snapshot.total);
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset count=2"));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(4, self->snapshot.total);
	EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, self->records[0].type);
	EXPECT_EQ(DRM_FAULT_RECORD_RESET, self->records[3].type);
}

TEST_HARNESS_MAIN
