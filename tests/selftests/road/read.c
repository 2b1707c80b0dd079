// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* read() on a stream: whole records, each once, whatever the buffer is like. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(read) {
	struct road_sim sim;
	int stream;
	struct drm_fault_record records[8];
};

FIXTURE_SETUP(read)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(read)
{
	close(self->stream);
	road_sim_close(&self->sim);
}

/* One that looks like a loss would be read again and again. */
TEST_F(read, no_event_has_a_kind_that_is_none)
{
	EXPECT_EQ(-EINVAL, road_inject(&self->sim, "kind="));
	EXPECT_EQ(-EINVAL, road_inject(&self->sim, "kind=none"));
	EXPECT_EQ(-EINVAL, road_inject(&self->sim, "kind=lost"));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(DRM_FAULT_RECORD_FAULT, self->records[0].type);
}

/* All that an event can say. */
static const char *const words[] = {
	"address=0x123456789abc", "precision=0x1000", "access=2", "type=2", "level=3",
	"ip=0x7fff00000040", "ip_precision=4", "ip_type=3", "class=2", "instance=5",
	"engine=compute5", "vmid=9", "flags=0xc", "gpu_timestamp=77", "raw_format=1",
	"raw_count=2", "raw0=0x1122334455667788", "raw1=0x99", "raw2=0xbad",
	"job_context=11", "job_seqno=12",
};

TEST_F(read, record_says_what_was_reported)
{
	const struct drm_fault_record *r = self->records;
	char line[512] = "";
	__u64 before, after;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		strcat(line, words[i]);
		strcat(line, " ");
	}
	before = road_now_ns();
	ASSERT_EQ(0, road_inject(&self->sim, line));
	after = road_now_ns();
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));

	EXPECT_EQ(DRM_FAULT_RECORD_FAULT, r->type);
	EXPECT_EQ(ROAD_RECORD, r->length);
	EXPECT_EQ(DRM_FAULT_RECORD_F_FATAL | DRM_FAULT_RECORD_F_GUILTY, r->flags);
	EXPECT_EQ(road_gpu_id(), r->reporter_id);
	EXPECT_EQ(1, r->seqno);
	EXPECT_EQ(0, r->lost);
	EXPECT_EQ(1, r->count);
	EXPECT_LE(before, r->timestamp_ns);
	EXPECT_GE(after, r->timestamp_ns);
	EXPECT_EQ(r->timestamp_ns, r->last_timestamp_ns);
	EXPECT_EQ(77, r->gpu_timestamp);
	EXPECT_EQ(0x123456789abc, r->address);
	EXPECT_EQ(0x1000, r->address_precision);
	EXPECT_EQ(0x7fff00000040, r->ip);
	EXPECT_EQ(4, r->ip_precision);
	EXPECT_EQ(DRM_FAULT_IP_FAULT, r->ip_type);
	EXPECT_EQ(DRM_FAULT_ACCESS_WRITE, r->access);
	EXPECT_EQ(DRM_FAULT_TYPE_PERMISSION, r->fault_type);
	EXPECT_EQ(3, r->level);
	EXPECT_EQ(DRM_FAULT_ENGINE_COMPUTE, r->engine_class);
	EXPECT_EQ(5, r->engine_instance);
	EXPECT_STREQ("compute5", r->engine);
	EXPECT_EQ(9, r->vmid);
	EXPECT_EQ(DRM_FAULT_RAW_SIM, r->raw_format);
	EXPECT_EQ(2, r->raw_count);
	EXPECT_EQ(0x1122334455667788, r->raw[0]);
	EXPECT_EQ(0x99, r->raw[1]);
	EXPECT_EQ(0, r->raw[2]);
	EXPECT_EQ(11, r->job_context);
	EXPECT_EQ(12, r->job_seqno);
	EXPECT_EQ(DRM_FAULT_SIM_ADDRESS_BITS, r->address_bits);
}

TEST_F(read, record_says_whose_it_is)
{
	const struct drm_fault_record *r = self->records;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(self->sim.context, r->context_id);
	EXPECT_EQ(getpid(), r->pid);
	EXPECT_EQ(0, strncmp(program_invocation_short_name, r->comm,
			     DRM_FAULT_COMM_LEN - 1));
}

TEST_F(read, nothing_is_EAGAIN)
{
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(read, each_record_comes_once_and_in_order)
{
	unsigned int i;

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(ROAD_RECORD, road_read(self->stream, self->records, ROAD_RECORD));
		EXPECT_EQ(0x1000 * (i + 1), self->records[0].address);
		EXPECT_EQ(i + 1, self->records[0].seqno);
	}
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(read, several_records_come_at_once)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	EXPECT_EQ(3 * ROAD_RECORD,
		  road_read(self->stream, self->records, sizeof(self->records)));
	EXPECT_EQ(0x3000, self->records[2].address);
}

TEST_F(read, room_for_less_than_a_record_is_EINVAL_and_loses_nothing)
{
	size_t size;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	for (size = 0; size < ROAD_RECORD; size++)
		EXPECT_EQ(-EINVAL, road_read(self->stream, self->records, size))
			TH_LOG("size %zu", size);
	EXPECT_EQ(ROAD_RECORD, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(read, room_for_less_than_a_record_is_EINVAL_when_empty_too)
{
	EXPECT_EQ(-EINVAL, road_read(self->stream, self->records, ROAD_RECORD - 1));
}

TEST_F(read, room_for_two_and_a_half_records_gets_two)
{
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	EXPECT_EQ(2 * ROAD_RECORD,
		  road_read(self->stream, self->records, 2 * ROAD_RECORD + ROAD_RECORD / 2));
	EXPECT_EQ(0, self->records[2].type);
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(0x3000, self->records[0].address);
}

TEST_F(read, bad_memory_is_EFAULT_and_loses_nothing)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 7));
	EXPECT_EQ(-EFAULT, road_read(self->stream, NULL, ROAD_RECORD));
	EXPECT_EQ(-EFAULT, road_read(self->stream, (void *)8, 4 * ROAD_RECORD));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(7, self->records[0].count);
	EXPECT_EQ(1, self->records[0].seqno);
	EXPECT_EQ(0, self->records[0].lost);
}

/* Three records, room for one and a half before memory ends: it ends in the second. */
TEST_F(read, memory_that_ends_midway_loses_nothing)
{
	char *area = mmap(NULL, 2 * ROAD_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *buffer = area + ROAD_PAGE - ROAD_RECORD * 3 / 2;

	ASSERT_TRUE(area != MAP_FAILED);
	ASSERT_EQ(0, munmap(area + ROAD_PAGE, ROAD_PAGE));
	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	EXPECT_EQ(ROAD_RECORD, road_read(self->stream, buffer, 3 * ROAD_RECORD));
	EXPECT_EQ(0x1000, ((struct drm_fault_record *)buffer)->address);
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 2));
	EXPECT_EQ(0x2000, self->records[0].address);
	EXPECT_EQ(1, self->records[0].count);
	EXPECT_EQ(0x3000, self->records[1].address);
	EXPECT_EQ(0, road_sum_lost(self->records, 2));
}

TEST_F(read, events_that_come_after_a_failed_read_are_counted)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 2));
	EXPECT_EQ(-EFAULT, road_read(self->stream, NULL, ROAD_RECORD));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 3));
	ASSERT_EQ(0, road_read_all(self->stream, self->records, 1));
	EXPECT_EQ(5, self->records[0].count);
	EXPECT_EQ(-EAGAIN, road_read(self->stream, self->records, ROAD_RECORD));
}

TEST_F(read, pieces_of_a_vector_hold_whole_records_too)
{
	struct iovec pieces[2] = {
		{ self->records, ROAD_RECORD },
		{ self->records + 1, ROAD_RECORD },
	};

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 2));
	EXPECT_EQ(2 * ROAD_RECORD, readv(self->stream, pieces, 2));
	EXPECT_EQ(0x2000, self->records[1].address);
}

TEST_F(read, stream_cannot_be_written)
{
	EXPECT_EQ(-1, write(self->stream, self->records, ROAD_RECORD));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(read, stream_cannot_be_mapped)
{
	EXPECT_TRUE(mmap(NULL, ROAD_PAGE, PROT_READ, MAP_SHARED, self->stream, 0) ==
		    MAP_FAILED);
	EXPECT_EQ(ENODEV, errno);
}

static void on_alarm(int signal)
{
}

static void alarm_in_a_moment(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval timer = { .it_value = { 0, ROAD_MOMENT_MS * 1000 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

TEST_F(read, signal_ends_a_blocked_read_with_EINTR)
{
	ASSERT_EQ(0, fcntl(self->stream, F_SETFL, 0));
	alarm_in_a_moment(0);
	EXPECT_EQ(-EINTR, road_read(self->stream, self->records, ROAD_RECORD));
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	EXPECT_EQ(ROAD_RECORD, road_read(self->stream, self->records, ROAD_RECORD));
}

/* The handler of SA_RESTART returns into the same read, which the child ends. */
TEST_F(read, blocked_read_is_restarted_after_a_signal)
{
	pid_t child = fork();

	if (!child) {
		road_sleep_ms(3 * ROAD_MOMENT_MS);
		_exit(road_raise(&self->sim, 0x1000, 1) ? 1 : 0);
	}
	ASSERT_EQ(0, fcntl(self->stream, F_SETFL, 0));
	alarm_in_a_moment(SA_RESTART);
	EXPECT_EQ(ROAD_RECORD, road_read(self->stream, self->records, ROAD_RECORD));
	EXPECT_EQ(0, road_wait(child));
}

TEST_F(read, blocked_read_ends_with_the_first_record)
{
	pid_t child = fork();
	__u64 start;

	if (!child) {
		road_sleep_ms(ROAD_MOMENT_MS);
		_exit(road_raise(&self->sim, 0x1000, 1) ? 1 : 0);
	}
	ASSERT_EQ(0, fcntl(self->stream, F_SETFL, 0));
	start = road_now_ns();
	EXPECT_EQ(ROAD_RECORD,
		  road_read(self->stream, self->records, sizeof(self->records)));
	EXPECT_LE(ROAD_MOMENT_MS / 2 * 1000000ULL, road_now_ns() - start);
	EXPECT_EQ(0, road_wait(child));
}

TEST_HARNESS_MAIN
