// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* SNAPSHOT: room, strides, idempotence. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define COUNT	5

FIXTURE(snapshot) {
	struct road_sim sim;
	int stream;
	struct drm_fault_snapshot args;
	struct drm_fault_record records[2 * COUNT];
};

/* With COUNT records of three events each. */
FIXTURE_SETUP(snapshot)
{
	int i;

	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, self->stream);
	for (i = 1; i <= COUNT; i++)
		ASSERT_EQ(0, road_raise(&self->sim, 0x1000 * i, 3));
	memset(self->records, 0x5a, sizeof(self->records));
	self->args = road_snapshot_args(self->records, COUNT);
}

FIXTURE_TEARDOWN(snapshot)
{
	close(self->stream);
	road_sim_close(&self->sim);
}

static int call(struct _test_data_snapshot *self)
{
	return road_call(self->stream, DRM_FAULT_IOCTL_SNAPSHOT, &self->args);
}

static bool untouched(const void *from, const void *end)
{
	const unsigned char *byte;

	for (byte = from; byte < (const unsigned char *)end; byte++)
		if (*byte != 0x5a)
			return false;
	return true;
}

/* Others that end now take the places of those which ended before. */
static int forget_old_contexts(void)
{
	int count = road_parameter("retain_contexts");
	pid_t child = fork();
	struct road_sim sim;

	if (child)
		return child < 0 ? -errno : road_wait(child);
	while (count--) {
		if (road_sim_open(&sim) || road_raise(&sim, 0x1000, 1))
			_exit(1);
		road_sim_close(&sim);
	}
	_exit(0);
}

TEST_F(snapshot, enough_room_gets_all)
{
	int i;

	self->args.record_count = 2 * COUNT;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(COUNT, self->args.record_count);
	EXPECT_EQ(COUNT, self->args.total);
	EXPECT_EQ(3 * COUNT, self->args.events);
	EXPECT_EQ(0, self->args.lost);
	EXPECT_EQ(ROAD_RECORD, self->args.record_size);
	for (i = 0; i < COUNT; i++) {
		EXPECT_EQ(0x1000 * (i + 1), self->records[i].address);
		EXPECT_EQ(i + 1, self->records[i].seqno);
		EXPECT_EQ(3, self->records[i].count);
		EXPECT_EQ(getpid(), self->records[i].pid);
	}
	EXPECT_TRUE(untouched(&self->records[COUNT], &self->records[2 * COUNT]));
}

TEST_F(snapshot, no_room_gets_the_numbers)
{
	self->args = (struct drm_fault_snapshot){ .size = sizeof(self->args) };
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(0, self->args.record_count);
	EXPECT_EQ(COUNT, self->args.total);
	EXPECT_EQ(3 * COUNT, self->args.events);
	EXPECT_TRUE(untouched(self->records, &self->records[2 * COUNT]));
}

TEST_F(snapshot, pointer_is_ignored_without_room)
{
	self->args.record_count = 0;
	self->args.records_ptr = 8;
	self->args.record_size = 3;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(COUNT, self->args.total);
}

TEST_F(snapshot, little_room_gets_the_oldest)
{
	self->args.record_count = 2;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(2, self->args.record_count);
	EXPECT_EQ(COUNT, self->args.total);
	EXPECT_EQ(0x1000, self->records[0].address);
	EXPECT_EQ(0x2000, self->records[1].address);
	EXPECT_TRUE(untouched(&self->records[2], &self->records[2 * COUNT]));
}

TEST_F(snapshot, smaller_stride_cuts_records)
{
	const size_t stride = offsetof(struct drm_fault_record, lost);
	char *at = (char *)self->records;
	__u64 seqno;
	int i;

	self->args.record_size = stride;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(COUNT, self->args.record_count);
	EXPECT_EQ(stride, self->args.record_size);
	for (i = 0; i < COUNT; i++) {
		memcpy(&seqno, at + i * stride + offsetof(struct drm_fault_record, seqno),
		       sizeof(seqno));
		EXPECT_EQ(i + 1, seqno);
	}
	EXPECT_TRUE(untouched(at + COUNT * stride, &self->records[2 * COUNT]));
}

TEST_F(snapshot, larger_stride_is_filled_with_zeros)
{
	const size_t stride = ROAD_RECORD + 64, zeros[64 / sizeof(size_t)] = {};
	const struct drm_fault_record *record;
	char *at = (char *)self->records;
	int i;

	self->args.record_size = stride;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(ROAD_RECORD, self->args.record_size);
	for (i = 0; i < COUNT; i++) {
		record = (void *)(at + i * stride);
		EXPECT_EQ(0x1000 * (i + 1), record->address);
		EXPECT_EQ(ROAD_RECORD, record->length);
		EXPECT_EQ(0, memcmp(record + 1, zeros, sizeof(zeros)));
	}
	EXPECT_TRUE(untouched(at + COUNT * stride, &self->records[2 * COUNT]));
}

TEST_F(snapshot, stride_of_no_multiple_of_eight_is_EINVAL)
{
	const __u32 strides[] = { 0, 1, 4, 7, 9, 255, 257, 4097, ~0U };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strides); i++) {
		self->args.record_size = strides[i];
		EXPECT_EQ(-EINVAL, call(self))
			TH_LOG("stride %u", strides[i]);
	}
}

/* What is beyond a record is zeroed: that must not take for ever. */
TEST_F(snapshot, stride_of_more_than_a_page_is_EINVAL)
{
	self->args.record_count = 1;
	self->args.record_size = 4096 + 8;
	EXPECT_EQ(-EINVAL, call(self));
	self->args.record_size = ~7U;
	EXPECT_EQ(-EINVAL, call(self));
}

TEST_F(snapshot, array_in_no_memory_is_EFAULT)
{
	self->args.records_ptr = 8;
	EXPECT_EQ(-EFAULT, call(self));
	self->args.records_ptr = 0;
	EXPECT_EQ(-EFAULT, call(self));
	self->args.records_ptr = ~0ULL & ~7ULL;
	EXPECT_EQ(-EFAULT, call(self));
}

TEST_F(snapshot, array_that_ends_in_no_memory_is_EFAULT)
{
	char *area = mmap(NULL, 2 * ROAD_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *array = area + ROAD_PAGE - COUNT * ROAD_RECORD;

	ASSERT_TRUE(area != MAP_FAILED);
	ASSERT_EQ(0, munmap(area + ROAD_PAGE, ROAD_PAGE));
	self->args.records_ptr = (uintptr_t)array;
	ASSERT_EQ(0, call(self));
	self->args = road_snapshot_args(array + 8, COUNT);
	EXPECT_EQ(-EFAULT, call(self));
}

/* Nobody has as much room, but who asks for it gets what there is. */
TEST_F(snapshot, room_without_end_is_no_overflow)
{
	self->args.record_count = ~0U;
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(COUNT, self->args.record_count);
}

TEST_F(snapshot, same_question_same_answer)
{
	struct drm_fault_record *again = self->records + COUNT;
	struct drm_fault_snapshot first;

	ASSERT_EQ(0, call(self));
	first = self->args;
	self->args = road_snapshot_args(again, COUNT);
	ASSERT_EQ(0, call(self));
	first.records_ptr = self->args.records_ptr;
	EXPECT_EQ(0, memcmp(&first, &self->args, sizeof(first)));
	EXPECT_EQ(0, memcmp(self->records, again, COUNT * ROAD_RECORD));
	EXPECT_EQ(0, self->args.result);
}

TEST_F(snapshot, generation_does_not_depend_on_room)
{
	__u64 generation;

	ASSERT_EQ(0, call(self));
	generation = self->args.generation;
	self->args = road_snapshot_args(NULL, 0);
	ASSERT_EQ(0, call(self));
	EXPECT_EQ(generation, self->args.generation);
}

TEST_F(snapshot, generation_changes_with_each_event)
{
	__u64 generation;

	ASSERT_EQ(0, call(self));
	generation = self->args.generation;
	/* One that is counted in a record. */
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_snapshot(self->stream, &self->args, NULL, 0));
	EXPECT_NE(generation, self->args.generation);
	generation = self->args.generation;
	/* And one that is a record. */
	ASSERT_EQ(0, road_raise(&self->sim, 0x100000, 1));
	ASSERT_EQ(0, road_snapshot(self->stream, &self->args, NULL, 0));
	EXPECT_NE(generation, self->args.generation);
}

TEST_F(snapshot, generation_stays_while_others_fault)
{
	struct road_sim other;
	__u64 generation;

	ASSERT_EQ(0, call(self));
	generation = self->args.generation;
	ASSERT_EQ(0, road_sim_open(&other));
	ASSERT_EQ(0, road_raise(&other, 0x1000, 1));
	ASSERT_EQ(0, road_snapshot(self->stream, &self->args, NULL, 0));
	EXPECT_EQ(generation, self->args.generation);
}

/*
 * Of four clients in a row the outer two have a record each, then, when these are
 * forgotten, the inner two: no number that is only added up can tell.
 */
TEST_F(snapshot, generation_tells_contexts_from_others)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0), i;
	struct road_sim sims[4];
	__u64 generation;

	ASSERT_LE(0, stream);
	road_sim_close(&self->sim);
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, road_sim_open(&sims[i]));
	ASSERT_EQ(0, road_raise(&sims[0], 0x1000, 1));
	ASSERT_EQ(0, road_raise(&sims[3], 0x1000, 1));
	ASSERT_EQ(0, forget_old_contexts());
	ASSERT_EQ(0, road_snapshot(stream, &self->args, self->records, COUNT));
	ASSERT_EQ(2, self->args.total);
	generation = self->args.generation;
	road_sim_close(&sims[0]);
	road_sim_close(&sims[3]);
	ASSERT_EQ(0, road_raise(&sims[1], 0x1000, 1));
	ASSERT_EQ(0, road_raise(&sims[2], 0x1000, 1));
	ASSERT_EQ(0, forget_old_contexts());
	ASSERT_EQ(0, road_snapshot(stream, &self->args, self->records, COUNT));
	ASSERT_EQ(2, self->args.total);
	EXPECT_EQ(sims[1].context, self->records[0].context_id);
	EXPECT_NE(generation, self->args.generation);
	ASSERT_EQ(0, road_sim_open(&self->sim));
}

/* Two clients of this process; their records are one list in the order of time. */
TEST_F(snapshot, contexts_are_merged_by_time)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	struct road_sim other;
	__u64 last = 0;
	int i;

	ASSERT_LE(0, stream);
	ASSERT_EQ(0, road_sim_open(&other));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, road_raise(&other, 0x1000 * i, 1));
		ASSERT_EQ(0, road_raise(&self->sim, 0x100000 + 0x1000 * i, 1));
	}
	ASSERT_EQ(0, road_snapshot(stream, &self->args, self->records, 2 * COUNT));
	ASSERT_EQ(COUNT + 4, self->args.total);
	for (i = 0; i < COUNT + 4; i++) {
		EXPECT_LE(last, self->records[i].timestamp_ns);
		last = self->records[i].timestamp_ns;
	}
	EXPECT_EQ(other.context, self->records[COUNT].context_id);
	EXPECT_EQ(self->sim.context, self->records[COUNT + 3].context_id);
}

TEST_F(snapshot, nothing_yet_is_no_error)
{
	struct road_sim other;
	int stream;

	ASSERT_EQ(0, road_sim_open(&other));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, other.fd);
	ASSERT_EQ(0, road_snapshot(stream, &self->args, self->records, COUNT));
	EXPECT_EQ(0, self->args.total);
	EXPECT_EQ(0, self->args.events);
	EXPECT_EQ(0, self->args.record_count);
}

TEST_F(snapshot, drivers_own_call_gives_the_same)
{
	struct drm_fault_record *again = self->records + COUNT;
	struct drm_fault_snapshot first;

	ASSERT_EQ(0, call(self));
	first = self->args;
	self->args = road_snapshot_args(again, COUNT);
	ASSERT_EQ(0, road_call(self->sim.fd, DRM_IOCTL_FAULT_SIM_FAULTS, &self->args));
	first.records_ptr = self->args.records_ptr;
	EXPECT_EQ(0, memcmp(&first, &self->args, sizeof(first)));
	EXPECT_EQ(0, memcmp(self->records, again, COUNT * ROAD_RECORD));
}

TEST_F(snapshot, drivers_own_call_has_the_same_rules)
{
	const unsigned long cmd = DRM_IOCTL_FAULT_SIM_FAULTS;

	self->args.size = sizeof(self->args) - 8;
	EXPECT_EQ(-EINVAL, road_call(self->sim.fd, cmd, &self->args));
	self->args = road_snapshot_args(self->records, COUNT);
	self->args.flags = 1;
	EXPECT_EQ(-EINVAL, road_call(self->sim.fd, cmd, &self->args));
	self->args = road_snapshot_args(self->records, COUNT);
	self->args.pad = 1;
	EXPECT_EQ(-EINVAL, road_call(self->sim.fd, cmd, &self->args));
	self->args = road_snapshot_args((void *)8, COUNT);
	EXPECT_EQ(-EFAULT, road_call(self->sim.fd, cmd, &self->args));
}

TEST_HARNESS_MAIN
