// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The ring of a context. When it is full, the first half of an incident stays
 * and the rest rolls; every dropped event is counted where it is missing.
 */
#include <stdlib.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(history) {
	struct road_sim sim;
	int stream;
	unsigned int capacity, half;
	struct drm_fault_snapshot snapshot;
	struct drm_fault_record *records;
};

FIXTURE_SETUP(history)
{
	ASSERT_EQ(0, road_setup());
	self->capacity = road_parameter("ring_records");
	self->half = self->capacity / 2;
	self->records = calloc(2 * self->capacity, ROAD_RECORD);
	ASSERT_NE(NULL, self->records);
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(history)
{
	close(self->stream);
	road_sim_close(&self->sim);
	free(self->records);
}

static int look(struct _test_data_history *self)
{
	return road_snapshot(self->stream, &self->snapshot, self->records,
			     2 * self->capacity);
}

/* Ends an incident and waits until the next event begins another. */
static void pause_incident(void)
{
	road_sleep_ms(road_parameter("group_gap_ms") + ROAD_MOMENT_MS);
}

TEST_F(history, full_ring_has_lost_nothing)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->capacity));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(self->capacity, self->snapshot.total);
	EXPECT_EQ(self->capacity, self->snapshot.events);
	EXPECT_EQ(0, self->snapshot.lost);
	EXPECT_EQ(0, road_sum_lost(self->records, self->capacity));
}

TEST_F(history, first_half_stays_and_the_newest_half_rolls)
{
	const unsigned int extra = 1000;
	struct drm_fault_record *roll;
	unsigned int i;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->capacity + extra));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(self->capacity, self->snapshot.total);
	for (i = 0; i < self->half; i++) {
		EXPECT_EQ(i + 1, self->records[i].seqno);
		EXPECT_EQ(0x1000 * (i + 1), self->records[i].address);
		EXPECT_EQ(0, self->records[i].lost);
	}
	roll = &self->records[self->half];
	for (i = 0; i < self->half; i++)
		EXPECT_EQ(self->half + extra + i + 1, roll[i].seqno);
	EXPECT_EQ(self->capacity + extra, roll[self->half - 1].address / 0x1000);
}

TEST_F(history, loss_is_told_exactly_where_it_is)
{
	struct drm_fault_record *roll = &self->records[self->half];

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->capacity + 77));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(77, self->snapshot.lost);
	EXPECT_EQ(77, roll->lost);
	EXPECT_EQ(DRM_FAULT_RECORD_F_LOST, roll->flags & DRM_FAULT_RECORD_F_LOST);
	EXPECT_EQ(77, road_sum_lost(self->records, self->capacity));
	EXPECT_EQ(0, roll[1].flags & DRM_FAULT_RECORD_F_LOST);
}

TEST_F(history, dropped_repeats_count_singly)
{
	const unsigned int times = 100;
	unsigned int i;

	/* The record that rolls out first stands for so many events. */
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->half));
	ASSERT_EQ(0, road_raise(&self->sim, 0x10000000, times));
	for (i = 0; i < self->half; i++)
		ASSERT_EQ(0, road_raise(&self->sim, 0x20000000 + i * 0x1000, 1));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(times, self->snapshot.lost);
	EXPECT_EQ(times, self->records[self->half].lost);
}

TEST_F(history, sum_of_counts_and_losses_is_what_was_raised)
{
	__u64 raised = 0;
	unsigned int i;

	for (i = 0; i < 300; i++) {
		ASSERT_EQ(0, road_raise(&self->sim, 0x1000 * (i * 7 % 251), 1 + i % 4));
		raised += 1 + i % 4;
	}
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(raised, self->snapshot.events);
	EXPECT_EQ(raised, road_sum_counts(self->records, self->snapshot.total) +
			  road_sum_lost(self->records, self->snapshot.total));
	EXPECT_EQ(self->snapshot.lost, road_sum_lost(self->records, self->snapshot.total));
	EXPECT_EQ(1, self->records[0].seqno);
}

TEST_F(history, storm_keeps_its_first_fault)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0xdead000, 1));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x100000000, 20000));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(0xdead000, self->records[0].address);
	EXPECT_EQ(1, self->records[0].seqno);
	EXPECT_EQ(20001, self->snapshot.events);
	EXPECT_EQ(20001 - self->capacity, self->snapshot.lost);
}

TEST_F(history, one_incident_has_one_group)
{
	unsigned int i;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 4));
	ASSERT_EQ(0, look(self));
	EXPECT_NE(0, self->records[0].group_id);
	for (i = 1; i < 4; i++)
		EXPECT_EQ(self->records[0].group_id, self->records[i].group_id);
}

TEST_F(history, pause_starts_a_later_group)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	pause_incident();
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(2, self->snapshot.total);
	EXPECT_LT(self->records[0].group_id, self->records[1].group_id);
}

TEST_F(history, repeats_keep_an_incident_going)
{
	unsigned int gap_ms = road_parameter("group_gap_ms"), i;

	for (i = 0; i < 6; i++) {
		ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
		road_sleep_ms(gap_ms / 4);
	}
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(1, self->snapshot.total);
	EXPECT_EQ(6, self->records[0].count);
}

TEST_F(history, reset_belongs_to_the_incident_and_ends_it)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_inject(&self->sim, "kind=timeout"));
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset"));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(4, self->snapshot.total);
	EXPECT_EQ(self->records[0].group_id, self->records[1].group_id);
	EXPECT_EQ(self->records[0].group_id, self->records[2].group_id);
	EXPECT_LT(self->records[2].group_id, self->records[3].group_id);
}

TEST_F(history, reset_long_after_the_fault_belongs_to_it)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	pause_incident();
	ASSERT_EQ(0, road_inject(&self->sim, "kind=timeout"));
	pause_incident();
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset"));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(3, self->snapshot.total);
	EXPECT_EQ(self->records[0].group_id, self->records[2].group_id);
}

/* The old incident's records go first, the new one's first half is pinned. */
TEST_F(history, new_incident_takes_the_ring_over)
{
	unsigned int i;
	__u64 group;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->capacity));
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset"));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x10000000, 3 * self->capacity));
	ASSERT_EQ(0, look(self));
	group = self->records[0].group_id;
	for (i = 0; i < self->half; i++) {
		EXPECT_EQ(0x10000000 + i * 0x1000, self->records[i].address);
		EXPECT_EQ(group, self->records[i].group_id);
	}
	/* The old one, its reset, and what this one dropped in its middle. */
	EXPECT_EQ(self->capacity + 1, self->records[0].lost);
	EXPECT_EQ(2 * self->capacity, self->records[self->half].lost);
	EXPECT_EQ(3 * self->capacity + 1, self->snapshot.lost);
}

TEST_F(history, new_incident_leaves_what_it_does_not_need)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, self->capacity - 3));
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset"));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x10000000, 2));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(self->capacity, self->snapshot.total);
	EXPECT_EQ(0x1000, self->records[0].address);
	EXPECT_EQ(0, self->snapshot.lost);
}

TEST_HARNESS_MAIN
