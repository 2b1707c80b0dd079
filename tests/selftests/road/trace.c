// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The tracepoint drm_fault:record. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

/* A buffer of our own: nobody else's tracing is disturbed. */
#define INSTANCE	"/sys/kernel/tracing/instances/drm_fault_test"
#define EVENT		INSTANCE "/events/drm_fault/record"

FIXTURE(trace) {
	struct road_sim sim;
	char text[16384];
};

static int set(const char *file, const char *value)
{
	int fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

FIXTURE_SETUP(trace)
{
	ASSERT_EQ(0, road_setup());
	rmdir(INSTANCE);
	ASSERT_EQ(0, mkdir(INSTANCE, 0700));
	ASSERT_EQ(0, road_sim_open(&self->sim));
	ASSERT_EQ(0, set(EVENT "/enable", "1"));
}

FIXTURE_TEARDOWN(trace)
{
	road_sim_close(&self->sim);
	set(EVENT "/enable", "0");
	rmdir(INSTANCE);
}

/* The lines of the events, without the comments above them. */
static const char *read_trace(struct _test_data_trace *self)
{
	int fd = open(INSTANCE "/trace", O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	char *start;
	ssize_t ret;

	while (fd >= 0 && length < sizeof(self->text) - 1) {
		ret = read(fd, self->text + length, sizeof(self->text) - 1 - length);
		if (ret <= 0)
			break;
		length += ret;
	}
	close(fd);
	self->text[length] = '\0';
	start = strstr(self->text, "record: ");
	return start ?: "";
}

static unsigned int count(const char *text, const char *what)
{
	unsigned int n = 0;

	for (text = strstr(text, what); text; text = strstr(text + 1, what))
		n++;
	return n;
}

TEST_F(trace, each_event_is_traced)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0xabc000, 3));
	EXPECT_EQ(3, count(read_trace(self), "address=0xabc000 "));
}

TEST_F(trace, event_says_what_the_record_says)
{
	const char *words =
		"address=0x1000 precision=64 access=2 type=1 ip=64 ip_type=3 engine=ring7 flags=4";
	char wanted[64];
	const char *line;

	ASSERT_EQ(0, road_inject(&self->sim, words));
	line = read_trace(self);
	EXPECT_EQ(1, count(line, "type=1 address=0x1000 precision=0x40 access=2 fault=1 ip=0x40 "));
	EXPECT_EQ(1, count(line, "engine=ring7 "));
	EXPECT_EQ(1, count(line, "flags=0x4"));
	EXPECT_EQ(1, count(line, road_gpu()));
	EXPECT_EQ(1, count(line, "comm=trace "));
	snprintf(wanted, sizeof(wanted), "context=%llu ",
		 (unsigned long long)self->sim.context);
	EXPECT_EQ(1, count(line, wanted));
	snprintf(wanted, sizeof(wanted), "pid=%d ", getpid());
	EXPECT_EQ(1, count(line, wanted));
}

/* Number of the record in a line, 0 if there is none. */
static unsigned long long record_in(const char *line)
{
	const char *number = strstr(line, "record=");

	return number ? strtoull(number + strlen("record="), NULL, 10) : 0;
}

TEST_F(trace, repeat_is_marked_with_the_same_record)
{
	const char *first, *second;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 2));
	first = read_trace(self);
	second = strstr(first, "\n");
	ASSERT_NE(NULL, second);
	EXPECT_NE(0, record_in(first));
	EXPECT_EQ(record_in(first), record_in(second));
	EXPECT_EQ(1, count(first, "+ group"));
	EXPECT_EQ(1, count(second, "+ group"));
}

TEST_F(trace, other_kinds_are_traced)
{
	ASSERT_EQ(0, road_inject(&self->sim, "kind=timeout"));
	ASSERT_EQ(0, road_inject(&self->sim, "kind=reset"));
	EXPECT_EQ(1, count(read_trace(self), " type=2 "));
	EXPECT_EQ(1, count(read_trace(self), " type=3 "));
}

TEST_F(trace, event_in_a_hard_interrupt_is_traced)
{
	ASSERT_EQ(0, road_inject(&self->sim, "address=0x1000 precision=8 type=1 irq=1"));
	EXPECT_EQ(1, count(read_trace(self), "address=0x1000 "));
}

TEST_HARNESS_MAIN
