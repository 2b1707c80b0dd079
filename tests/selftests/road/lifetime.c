// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What is left of a process that has died, and for how many of them. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define ADDRESS	0xabcdef000ULL

FIXTURE(lifetime) {
	int all;
	struct drm_fault_snapshot snapshot;
	struct drm_fault_record *records;
	unsigned int room;
};

FIXTURE_SETUP(lifetime)
{
	ASSERT_EQ(0, road_setup());
	self->all = road_stream_queue(DRM_FAULT_SCOPE_ALL, 0, 4096);
	ASSERT_LE(0, self->all);
	/* For all rings of all contexts that can be there. */
	self->room = (road_parameter("retain_contexts") + 64) *
		     road_parameter("ring_records");
	self->records = calloc(self->room, ROAD_RECORD);
	ASSERT_NE(NULL, self->records);
}

FIXTURE_TEARDOWN(lifetime)
{
	close(self->all);
	free(self->records);
}

/* A process that faults and dies; its end is awaited. */
static pid_t fault_and_die(int how)
{
	struct road_sim sim;
	pid_t child = fork();

	if (!child) {
		if (road_sim_open(&sim) || road_sim_fault(&sim, ADDRESS))
			_exit(1);
		if (how)
			kill(getpid(), how);
		_exit(0);
	}
	return road_wait(child) == (how ? -EINTR : 0) ? child : -1;
}

/* A record of a process in a snapshot. */
static struct drm_fault_record *record_of(struct _test_data_lifetime *self, int stream,
					  pid_t pid)
{
	unsigned int i;

	if (road_snapshot(stream, &self->snapshot, self->records, self->room))
		return NULL;
	for (i = 0; i < self->snapshot.record_count; i++)
		if (self->records[i].pid == pid)
			return &self->records[i];
	return NULL;
}

TEST_F(lifetime, faults_of_a_dead_process_can_be_read)
{
	pid_t child = fault_and_die(0);

	ASSERT_LT(0, child);
	ASSERT_EQ(0, road_read_all(self->all, self->records, 1));
	EXPECT_EQ(child, self->records[0].pid);
	EXPECT_EQ(ADDRESS, self->records[0].address);
}

TEST_F(lifetime, faults_of_a_dead_process_are_in_later_snapshots)
{
	pid_t child = fault_and_die(0);
	struct drm_fault_record *record;

	ASSERT_LT(0, child);
	record = record_of(self, road_stream(DRM_FAULT_SCOPE_ALL, 0), child);
	ASSERT_NE(NULL, record);
	EXPECT_EQ(ADDRESS, record->address);
	EXPECT_NE(NULL, record_of(self, road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id()),
				  child));
}

TEST_F(lifetime, faults_of_a_killed_process_can_be_read)
{
	pid_t child = fault_and_die(SIGKILL);

	ASSERT_LT(0, child);
	EXPECT_NE(NULL, record_of(self, self->all, child));
}

TEST_F(lifetime, name_of_a_dead_process_is_kept)
{
	struct drm_fault_record *record;
	pid_t child = fault_and_die(0);

	record = record_of(self, self->all, child);
	ASSERT_NE(NULL, record);
	EXPECT_EQ(0, strncmp(program_invocation_short_name, record->comm,
			     DRM_FAULT_COMM_LEN - 1));
}

/* A crash reporter holds the pidfd of who is about to die. */
TEST_F(lifetime, stream_of_a_process_outlives_it)
{
	struct road_sim sim;
	int go[2], stream;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(go));
	child = fork();
	if (!child)
		_exit(read(go[0], &byte, 1) != 1 || road_sim_open(&sim) ||
		      road_sim_fault(&sim, ADDRESS));
	stream = road_stream(DRM_FAULT_SCOPE_PIDFD, road_pidfd(child));
	ASSERT_LE(0, stream);
	ASSERT_EQ(1, write(go[1], "", 1));
	ASSERT_EQ(0, road_wait(child));
	ASSERT_EQ(0, road_read_all(stream, self->records, 1));
	EXPECT_EQ(child, self->records[0].pid);
	EXPECT_NE(NULL, record_of(self, stream, child));
	EXPECT_EQ(0, road_poll(stream, 0));
}

TEST_F(lifetime, stream_of_a_file_outlives_it)
{
	struct road_sim sim;
	int stream;

	ASSERT_EQ(0, road_sim_open(&sim));
	stream = road_stream(DRM_FAULT_SCOPE_FILE, sim.fd);
	ASSERT_LE(0, stream);
	ASSERT_EQ(0, road_sim_fault(&sim, ADDRESS));
	road_sim_close(&sim);
	ASSERT_EQ(0, road_read_all(stream, self->records, 1));
	EXPECT_EQ(sim.context, self->records[0].context_id);
	EXPECT_NE(NULL, record_of(self, stream, getpid()));
	EXPECT_EQ(1, self->snapshot.total);
}

TEST_F(lifetime, file_of_two_processes_lives_as_long_as_one_of_them)
{
	struct road_sim sim;
	pid_t child;

	ASSERT_EQ(0, road_sim_open(&sim));
	child = fork();
	if (!child)
		_exit(road_sim_fault(&sim, ADDRESS) ? 1 : 0);
	ASSERT_EQ(0, road_wait(child));
	ASSERT_EQ(0, road_sim_fault(&sim, ADDRESS + ROAD_PAGE));
	/* Its owner is who opened it. */
	ASSERT_EQ(0, road_read_all(self->all, self->records, 2));
	EXPECT_EQ(getpid(), self->records[0].pid);
	EXPECT_EQ(getpid(), self->records[1].pid);
}

TEST_F(lifetime, faults_of_this_process_outlive_the_file)
{
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	struct road_sim sim;

	ASSERT_EQ(0, road_sim_open(&sim));
	ASSERT_EQ(0, road_sim_fault(&sim, ADDRESS));
	road_sim_close(&sim);
	EXPECT_NE(NULL, record_of(self, stream, getpid()));
}

TEST_F(lifetime, kept_contexts_have_a_limit)
{
	int limit = road_parameter("retain_contexts"), i;
	struct road_sim sim;

	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, road_sim_open(&sim));
		ASSERT_EQ(0, road_raise(&sim, ADDRESS + i * ROAD_PAGE, 1));
		road_sim_close(&sim);
		ASSERT_LE(road_kept_contexts(), limit);
	}
	EXPECT_EQ(limit, road_kept_contexts());
}

TEST_F(lifetime, the_newest_contexts_are_kept)
{
	int limit = road_parameter("retain_contexts"), i, mine = 0;
	int stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	struct road_sim sim;

	for (i = 0; i < limit + 5; i++) {
		ASSERT_EQ(0, road_sim_open(&sim));
		ASSERT_EQ(0, road_raise(&sim, ADDRESS + i * ROAD_PAGE, 1));
		road_sim_close(&sim);
	}
	ASSERT_EQ(0, road_snapshot(stream, &self->snapshot, self->records, self->room));
	ASSERT_EQ(limit, self->snapshot.total);
	for (i = 0; i < limit; i++)
		mine += self->records[i].address == ADDRESS + (i + 5) * ROAD_PAGE;
	EXPECT_EQ(limit, mine);
}

TEST_F(lifetime, contexts_without_faults_are_not_kept)
{
	int before = road_kept_contexts(), i;
	struct road_sim sim;

	ASSERT_EQ(0, road_raise(NULL, ADDRESS, 1));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, road_sim_open(&sim));
		road_sim_close(&sim);
	}
	EXPECT_GE(before, road_kept_contexts());
}

TEST_F(lifetime, ids_of_contexts_are_not_used_twice)
{
	struct road_sim sim;
	__u64 last = 0;
	int i;

	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, road_sim_open(&sim));
		EXPECT_LT(last, sim.context);
		last = sim.context;
		road_sim_close(&sim);
	}
}

TEST_HARNESS_MAIN
