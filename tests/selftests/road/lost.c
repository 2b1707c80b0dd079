// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A stream whose queue was full: what was there first stays, the rest is counted. */
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

/* Length of the queue; the shortest there is will do. */
#define QUEUE	16

FIXTURE(lost) {
	struct road_sim sim;
	int stream;
	struct drm_fault_record records[QUEUE + 2];
};

FIXTURE_SETUP(lost)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, QUEUE);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(lost)
{
	close(self->stream);
	road_sim_close(&self->sim);
}

TEST_F(lost, full_queue_loses_nothing)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE));
	EXPECT_EQ(0, road_sum_lost(self->records, QUEUE));
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(lost, oldest_stay_and_a_record_of_the_loss_alone_ends_them)
{
	struct drm_fault_record *last = &self->records[QUEUE], zero = {};
	unsigned int i;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE + 9));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE + 1));
	for (i = 0; i < QUEUE; i++) {
		EXPECT_EQ(0x1000 * (i + 1), self->records[i].address);
		EXPECT_EQ(i + 1, self->records[i].seqno);
		EXPECT_EQ(0, self->records[i].lost);
		EXPECT_EQ(0, self->records[i].flags & DRM_FAULT_RECORD_F_LOST);
	}
	EXPECT_EQ(DRM_FAULT_RECORD_LOST, last->type);
	EXPECT_EQ(ROAD_RECORD, last->length);
	EXPECT_EQ(DRM_FAULT_RECORD_F_LOST, last->flags);
	EXPECT_EQ(9, last->lost);
	/* All behind the header is zero. */
	EXPECT_EQ(0, memcmp(&last->count, &zero.count,
			    ROAD_RECORD - offsetof(struct drm_fault_record, count)));
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(lost, record_after_the_loss_tells_of_it)
{
	struct drm_fault_record *next = self->records;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE + 9));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000000, 1));
	ASSERT_EQ(0, road_read_all(self->stream, next, 1));
	EXPECT_EQ(DRM_FAULT_RECORD_FAULT, next->type);
	EXPECT_EQ(DRM_FAULT_RECORD_F_LOST, next->flags);
	EXPECT_EQ(9, next->lost);
	EXPECT_EQ(QUEUE + 10, next->seqno);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(lost, only_the_first_record_after_a_loss_tells_of_it)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE + 9));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000000, 2));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 2));
	EXPECT_EQ(9, self->records[0].lost);
	EXPECT_EQ(0, self->records[1].lost);
	EXPECT_EQ(0, self->records[1].flags & DRM_FAULT_RECORD_F_LOST);
}

TEST_F(lost, events_coalesced_in_lost_records_count_singly)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000000, 1000));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE + 1));
	EXPECT_EQ(1000, self->records[QUEUE].lost);
}

TEST_F(lost, repeats_of_a_waiting_record_are_not_lost)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1000));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE));
	EXPECT_EQ(1001, self->records[0].count);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

/* The place of one that was read is free for the newest. */
TEST_F(lost, reading_makes_room)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000000, 2));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE + 1));
	EXPECT_EQ(0x1000000, self->records[QUEUE - 1].address);
	EXPECT_EQ(0, self->records[QUEUE - 1].lost);
	EXPECT_EQ(DRM_FAULT_RECORD_LOST, self->records[QUEUE].type);
	EXPECT_EQ(1, self->records[QUEUE].lost);
}

TEST_F(lost, every_event_is_in_one_count_or_one_lost)
{
	__u64 raised = 0, seen = 0;
	unsigned int i;
	ssize_t length;

	for (i = 1; i < 200; i++) {
		ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000 * (i % 7), i % 11));
		ASSERT_EQ(0, road_raise(&self->sim, 0x1000 * i, i % 3));
		raised += i % 11 + i % 3;
		if (i % 5)
			continue;
		length = road_read(self->stream, self->records, (1 + i % 4) * ROAD_RECORD);
		if (length == -EAGAIN)
			continue;
		ASSERT_LT(0, length);
		seen += road_sum_counts(self->records, length / ROAD_RECORD);
		seen += road_sum_lost(self->records, length / ROAD_RECORD);
	}
	while (road_read(self->stream, self->records, ROAD_RECORD) > 0)
		seen += self->records[0].count + self->records[0].lost;
	EXPECT_EQ(raised, seen);
}

TEST_F(lost, loss_that_could_not_be_copied_stays)
{
	struct drm_fault_record *last = self->records;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE + 9));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, QUEUE));
	EXPECT_EQ(-EFAULT, road_read(self->stream, NULL, ROAD_RECORD));
	ASSERT_EQ(0, road_read_all(self->stream, last, 1));
	EXPECT_EQ(DRM_FAULT_RECORD_LOST, last->type);
	EXPECT_EQ(9, last->lost);
}

TEST_F(lost, one_streams_loss_is_not_anothers)
{
	int other = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, 2 * QUEUE);
	struct drm_fault_record records[QUEUE + 9];

	ASSERT_LE(0, other);
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, QUEUE + 9));
	ASSERT_EQ(0, road_read_all(other, records, QUEUE + 9));
	EXPECT_EQ(0, road_sum_lost(records, QUEUE + 9));
	EXPECT_EQ(-EAGAIN, road_read(other, records, ROAD_RECORD));
}

TEST_HARNESS_MAIN
