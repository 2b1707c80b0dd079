// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Several readers, and what poll() tells them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define MANY	4000

FIXTURE(readers) {
	struct road_sim sim;
	int stream;
	struct drm_fault_record records[8];
};

FIXTURE_SETUP(readers)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, 4096);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(readers)
{
	close(self->stream);
	road_sim_close(&self->sim);
}

TEST_F(readers, each_stream_gets_all)
{
	int other = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd), i;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 3));
	ASSERT_EQ(0, road_read_all(other, self->records + 3, 3));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, memcmp(&self->records[i], &self->records[i + 3], ROAD_RECORD));
}

TEST_F(readers, streams_of_all_scopes_get_it)
{
	const int streams[] = {
		self->stream,
		road_stream(DRM_FAULT_SCOPE_SELF, 0),
		road_stream(DRM_FAULT_SCOPE_PIDFD, road_pidfd(getpid())),
		road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()),
		road_stream(DRM_FAULT_SCOPE_ALL, 0),
	};
	size_t i;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	for (i = 0; i < ARRAY_SIZE(streams); i++) {
		ASSERT_EQ(0, road_read_all(streams[i], self->records, 1))
			TH_LOG("stream %zu", i);
		EXPECT_EQ(self->sim.context, self->records[0].context_id);
		EXPECT_EQ(1, self->records[0].seqno);
	}
}

TEST_F(readers, scopes_of_one_file_or_process_get_no_other)
{
	int self_stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	pid_t child = fork();

	if (!child) {
		struct road_sim other;

		_exit(road_sim_open(&other) || road_raise(&other, 0x1000, 1));
	}
	ASSERT_EQ(0, road_wait(child));
	EXPECT_EQ(-EAGAIN, road_read(self_stream, self->records, ROAD_RECORD));
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(readers, catch_all_is_for_device_and_all_alone)
{
	int device = road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id());
	int all = road_stream(DRM_FAULT_SCOPE_ALL, 0);
	int self_stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);

	ASSERT_EQ(0, road_raise(NULL, road_now_ns() << 12, 1));
	ASSERT_EQ(0, road_read_all(device, self->records, 1));
	ASSERT_EQ(0, road_read_all(all, self->records, 1));
	EXPECT_EQ(DRM_FAULT_RECORD_F_OWNER_UNKNOWN,
		  self->records[0].flags & DRM_FAULT_RECORD_F_OWNER_UNKNOWN);
	EXPECT_EQ(0, self->records[0].pid);
	EXPECT_EQ(0, self->records[0].client_id);
	EXPECT_EQ(0, self->records[0].comm[0]);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
	EXPECT_EQ(-EAGAIN, road_read(self_stream, self->records, ROAD_RECORD));
}

struct reader {
	pthread_t thread;
	int stream;
	unsigned int count;
	unsigned char *seen;	/* by seqno, how often */
};

/* Until a timeout says that it is over. */
static void *read_until_the_end(void *arg)
{
	struct reader *reader = arg;
	struct drm_fault_record records[5];
	ssize_t length, i;

	for (;;) {
		length = read(reader->stream, records, sizeof(records)) / (ssize_t)ROAD_RECORD;
		if (length <= 0)
			return NULL;
		for (i = 0; i < length; i++) {
			if (records[i].type != DRM_FAULT_RECORD_FAULT)
				return NULL;
			__atomic_fetch_add(&reader->seen[records[i].seqno], 1,
					   __ATOMIC_RELAXED);
			reader->count++;
		}
	}
}

static int start_readers(struct reader *readers, int stream, unsigned char *seen)
{
	int i, ret = fcntl(stream, F_SETFL, 0);

	for (i = 0; i < 2 && !ret; i++) {
		readers[i].stream = stream;
		readers[i].seen = seen;
		ret = pthread_create(&readers[i].thread, NULL, read_until_the_end,
				     &readers[i]);
	}
	return ret;
}

/* One may take the timeout that was meant for the other: there are more. */
static void end_readers(struct reader *readers, const struct road_sim *sim)
{
	int i;

	for (i = 0; i < 2; i++)
		while (pthread_tryjoin_np(readers[i].thread, NULL) == EBUSY) {
			road_inject(sim, "kind=timeout");
			road_sleep_ms(ROAD_MOMENT_MS);
		}
}

TEST_F(readers, two_readers_of_one_stream_share_the_records)
{
	unsigned char *seen = calloc(1, 2 * MANY);
	struct reader readers[2] = {};
	unsigned int i;

	ASSERT_EQ(0, start_readers(readers, self->stream, seen));
	for (i = 0; i < MANY / 100; i++)
		ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000 + i * 0x100000, 100));
	end_readers(readers, &self->sim);

	EXPECT_EQ(MANY, readers[0].count + readers[1].count);
	for (i = 1; i <= MANY; i++)
		ASSERT_EQ(1, seen[i])
			TH_LOG("record %u", i);
}

TEST_F(readers, all_who_wait_are_woken)
{
	struct reader readers[2] = {};
	unsigned char seen[64] = {};

	ASSERT_EQ(0, start_readers(readers, self->stream, seen));
	road_sleep_ms(ROAD_MOMENT_MS);
	end_readers(readers, &self->sim);
}

TEST_F(readers, poll_of_an_empty_stream_times_out)
{
	EXPECT_EQ(0, road_poll(self->stream, 0));
	EXPECT_EQ(0, road_poll(self->stream, ROAD_MOMENT_MS));
}

TEST_F(readers, poll_says_POLLIN_as_long_as_there_is_a_record)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 2));
	EXPECT_EQ(POLLIN, road_poll(self->stream, 0));
	EXPECT_EQ(POLLIN, road_poll(self->stream, 0));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(POLLIN, road_poll(self->stream, 0));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(0, road_poll(self->stream, 0));
}

TEST_F(readers, poll_says_POLLIN_for_a_loss_alone)
{
	int small = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, 16);
	struct drm_fault_record records[16];

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 17));
	ASSERT_EQ(0, road_read_all(small, records, 16));
	EXPECT_EQ(POLLIN, road_poll(small, 0));
	ASSERT_EQ(0, road_read_all(small, records, 1));
	EXPECT_EQ(DRM_FAULT_RECORD_LOST, records[0].type);
	EXPECT_EQ(0, road_poll(small, 0));
}

TEST_F(readers, poll_sleeps_until_a_record_comes)
{
	pid_t child = fork();
	__u64 start;

	if (!child) {
		road_sleep_ms(ROAD_MOMENT_MS);
		_exit(road_raise(&self->sim, 0x1000, 1) ? 1 : 0);
	}
	start = road_now_ns();
	EXPECT_EQ(POLLIN, road_poll(self->stream, ROAD_SOON_MS));
	EXPECT_LE(ROAD_MOMENT_MS / 2 * 1000000ULL, road_now_ns() - start);
	EXPECT_EQ(0, road_wait(child));
}

TEST_F(readers, snapshot_takes_nothing_from_the_stream)
{
	struct drm_fault_snapshot snapshot;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 3));
	ASSERT_EQ(0, road_snapshot(self->stream, &snapshot, self->records, 8));
	EXPECT_EQ(POLLIN, road_poll(self->stream, 0));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(3, self->records[0].count);
}

/* The reports come in an interrupt, where nobody can be woken at once. */
TEST_F(readers, reports_in_hard_interrupts_wake_readers)
{
	ASSERT_EQ(0, road_inject(&self->sim, "address=0x1000 precision=8 type=1 irq=1 count=9"));
	EXPECT_EQ(POLLIN, road_poll(self->stream, ROAD_SOON_MS));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(9, self->records[0].count);
}

TEST_HARNESS_MAIN
