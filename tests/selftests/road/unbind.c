// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The GPU's driver goes away while streams are open. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define DRIVER	"/sys/bus/platform/drivers/" DRM_FAULT_SIM_NAME

FIXTURE(unbind) {
	struct road_sim sim;
	char bus[DRM_FAULT_NAME_LEN];
	__u32 gpu;
	bool unbound;
	struct drm_fault_record records[4];
};

static int tell_driver(const char *file, const char *device)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), DRIVER "/%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, device, strlen(device)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static int unbind(struct _test_data_unbind *self)
{
	int ret = tell_driver("unbind", self->bus);

	road_forget();
	self->unbound = !ret;
	return ret;
}

FIXTURE_SETUP(unbind)
{
	struct drm_fault_device device = { .size = sizeof(device) };
	int dev;

	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	dev = road_open();
	ASSERT_LE(0, dev);
	self->gpu = road_gpu_id();
	device.id = self->gpu;
	ASSERT_EQ(0, road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, &device));
	close(dev);
	strcpy(self->bus, device.bus);
}

FIXTURE_TEARDOWN(unbind)
{
	road_sim_close(&self->sim);
	if (self->unbound)
		EXPECT_EQ(0, tell_driver("bind", self->bus));
	EXPECT_EQ(0, system("udevadm settle"));
}

TEST_F(unbind, stream_of_the_file_drains_and_ends)
{
	int stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 3));
	ASSERT_EQ(0, unbind(self));
	EXPECT_EQ(POLLIN | POLLHUP | POLLERR, road_poll(stream, 0));
	EXPECT_EQ(2 * ROAD_RECORD, road_read(stream, self->records, 2 * ROAD_RECORD));
	EXPECT_EQ(ROAD_RECORD, road_read(stream, self->records, 2 * ROAD_RECORD));
	EXPECT_EQ(0x3000, self->records[0].address);
	EXPECT_EQ(-ENODEV, road_read(stream, self->records, ROAD_RECORD));
	EXPECT_EQ(-ENODEV, road_read(stream, self->records, ROAD_RECORD));
	EXPECT_EQ(POLLHUP | POLLERR, road_poll(stream, 0));
}

TEST_F(unbind, stream_of_the_device_drains_and_ends)
{
	int stream = road_stream(DRM_FAULT_SCOPE_DEVICE, self->gpu);

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, unbind(self));
	ASSERT_EQ(0, road_read_all(stream, self->records, 1));
	EXPECT_EQ(-ENODEV, road_read(stream, self->records, ROAD_RECORD));
	EXPECT_EQ(POLLHUP | POLLERR, road_poll(stream, 0));
}

TEST_F(unbind, loss_is_read_before_the_end)
{
	int stream = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, 16);
	struct drm_fault_record records[18];

	ASSERT_EQ(0, road_raise_pages(&self->sim, 0x1000, 20));
	ASSERT_EQ(0, unbind(self));
	EXPECT_EQ(17 * ROAD_RECORD, road_read(stream, records, sizeof(records)));
	EXPECT_EQ(DRM_FAULT_RECORD_LOST, records[16].type);
	EXPECT_EQ(4, records[16].lost);
	EXPECT_EQ(-ENODEV, road_read(stream, records, ROAD_RECORD));
}

TEST_F(unbind, blocking_stream_ends_too)
{
	int stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);

	ASSERT_EQ(0, fcntl(stream, F_SETFL, 0));
	ASSERT_EQ(0, unbind(self));
	EXPECT_EQ(-ENODEV, road_read(stream, self->records, ROAD_RECORD));
}

TEST_F(unbind, streams_of_processes_and_all_go_on)
{
	int streams[] = {
		road_stream(DRM_FAULT_SCOPE_SELF, 0),
		road_stream(DRM_FAULT_SCOPE_PIDFD, road_pidfd(getpid())),
		road_stream(DRM_FAULT_SCOPE_ALL, 0),
	};
	struct road_sim again;
	size_t i;

	ASSERT_EQ(0, unbind(self));
	for (i = 0; i < ARRAY_SIZE(streams); i++) {
		EXPECT_EQ(0, road_poll(streams[i], 0));
		EXPECT_EQ(-EAGAIN, road_read(streams[i], self->records, ROAD_RECORD));
	}
	ASSERT_EQ(0, tell_driver("bind", self->bus));
	self->unbound = false;
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&again));
	ASSERT_EQ(0, road_raise(&again, 0x1000, 1));
	for (i = 0; i < ARRAY_SIZE(streams); i++)
		EXPECT_EQ(0, road_read_all(streams[i], self->records, 1));
}

struct sleeper {
	pthread_t thread;
	int stream;
	int answer;
};

static void *sleep_in_read(void *arg)
{
	struct sleeper *sleeper = arg;
	struct drm_fault_record record;

	sleeper->answer = road_read(sleeper->stream, &record, ROAD_RECORD);
	return NULL;
}

static void *sleep_in_poll(void *arg)
{
	struct sleeper *sleeper = arg;

	sleeper->answer = road_poll(sleeper->stream, ROAD_SOON_MS);
	return NULL;
}

TEST_F(unbind, sleeping_readers_are_woken)
{
	struct sleeper readers[2] = {
		{ .stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd) },
		{ .stream = road_stream(DRM_FAULT_SCOPE_DEVICE, self->gpu) },
	};
	int i;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, fcntl(readers[i].stream, F_SETFL, 0));
		ASSERT_EQ(0, pthread_create(&readers[i].thread, NULL, sleep_in_read,
					    &readers[i]));
	}
	road_sleep_ms(ROAD_MOMENT_MS);
	ASSERT_EQ(0, unbind(self));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_join(readers[i].thread, NULL));
		EXPECT_EQ(-ENODEV, readers[i].answer);
	}
}

TEST_F(unbind, sleeping_pollers_are_woken)
{
	struct sleeper poller = {
		.stream = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd),
	};

	ASSERT_EQ(0, pthread_create(&poller.thread, NULL, sleep_in_poll, &poller));
	road_sleep_ms(ROAD_MOMENT_MS);
	ASSERT_EQ(0, unbind(self));
	ASSERT_EQ(0, pthread_join(poller.thread, NULL));
	EXPECT_EQ(POLLHUP | POLLERR, poller.answer);
}

TEST_F(unbind, snapshot_is_ENODEV)
{
	int file = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	int device = road_stream(DRM_FAULT_SCOPE_DEVICE, self->gpu);
	struct drm_fault_snapshot args;

	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, unbind(self));
	EXPECT_EQ(-ENODEV, road_snapshot(file, &args, self->records, 4));
	EXPECT_EQ(-ENODEV, road_snapshot(device, &args, self->records, 4));
}

TEST_F(unbind, new_subscription_is_ENODEV)
{
	int fd;

	ASSERT_EQ(0, unbind(self));
	fd = road_stream(DRM_FAULT_SCOPE_FILE, self->sim.fd);
	EXPECT_TRUE(fd == -ENODEV || fd == -EOPNOTSUPP)
		TH_LOG("answer %d", fd);
	EXPECT_EQ(-ENODEV, road_stream(DRM_FAULT_SCOPE_DEVICE, self->gpu));
}

TEST_F(unbind, device_is_gone_from_the_list_and_from_sysfs)
{
	struct drm_fault_device args = { .size = sizeof(args), .id = self->gpu };
	char path[64];
	int dev;

	snprintf(path, sizeof(path), "/sys/class/drm_fault/%s", road_gpu());
	EXPECT_EQ(0, access(path, F_OK));
	ASSERT_EQ(0, unbind(self));
	dev = road_open();
	EXPECT_EQ(-ENODEV, road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, &args));
	EXPECT_EQ(-1, access(path, F_OK));
	close(dev);
}

static void *fault_on(void *arg)
{
	struct road_sim sim = *(struct road_sim *)arg;
	unsigned int i;

	for (i = 0; !road_raise_pages(&sim, 0x1000 + i * 0x100000, 100); i++)
		;
	return NULL;
}

/* While events come in and a reader takes them. */
TEST_F(unbind, in_the_middle_of_a_storm_every_event_is_accounted_for)
{
	int stream = road_stream_queue(DRM_FAULT_SCOPE_FILE, self->sim.fd, 4096);
	__u64 seen = 0, seqno = 0;
	pthread_t storm;
	ssize_t length;

	ASSERT_EQ(0, fcntl(stream, F_SETFL, 0));
	ASSERT_EQ(0, pthread_create(&storm, NULL, fault_on, &self->sim));
	road_sleep_ms(ROAD_MOMENT_MS);
	/* What is written to is about to go: the writer is let go first. */
	ASSERT_EQ(0, tell_driver("unbind", self->bus));
	self->unbound = true;
	ASSERT_EQ(0, pthread_join(storm, NULL));
	road_forget();

	for (;;) {
		length = road_read(stream, self->records, sizeof(self->records));
		if (length < 0)
			break;
		seqno = self->records[length / ROAD_RECORD - 1].seqno;
		seen += road_sum_counts(self->records, length / ROAD_RECORD);
		seen += road_sum_lost(self->records, length / ROAD_RECORD);
	}
	EXPECT_EQ(-ENODEV, length);
	EXPECT_LT(0, seen);
	EXPECT_EQ(seqno, seen);
}

TEST_HARNESS_MAIN
