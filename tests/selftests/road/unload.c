// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The modules go: not while somebody uses them, and at any other moment. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define CORE	"drm_fault"
#define SIM	"drm_fault_sim"

FIXTURE(unload) {
	struct drm_fault_record record;
};

FIXTURE_SETUP(unload)
{
	ASSERT_EQ(0, road_setup());
}

FIXTURE_TEARDOWN(unload)
{
}

/* As rmmod does: -EAGAIN if it is in use. */
static int unload(const char *module)
{
	return syscall(SYS_delete_module, module, O_NONBLOCK) ? -errno : 0;
}

static bool is_loaded(void)
{
	return !access("/sys/module/" CORE, F_OK);
}

static bool has_left_nothing(void)
{
	return access(DRM_FAULT_DEVICE_PATH, F_OK) && access("/sys/class/drm_fault", F_OK) &&
	       access("/sys/kernel/debug/drm_fault", F_OK) &&
	       access("/sys/bus/platform/drivers/" DRM_FAULT_SIM_NAME, F_OK);
}

static int unload_both(void)
{
	int ret;

	road_forget();
	ret = unload(SIM);
	return ret ?: unload(CORE);
}

TEST_F(unload, modules_go_and_leave_nothing)
{
	ASSERT_EQ(0, unload_both());
	EXPECT_FALSE(is_loaded());
	/* udev removes the node. */
	EXPECT_EQ(0, system("udevadm settle"));
	EXPECT_TRUE(has_left_nothing());
	EXPECT_EQ(-ENOENT, road_open());
}

TEST_F(unload, modules_come_again)
{
	struct road_sim sim;

	ASSERT_EQ(0, unload_both());
	ASSERT_EQ(0, road_setup());
	EXPECT_EQ(0, road_kept_contexts());
	ASSERT_EQ(0, road_sim_open(&sim));
	EXPECT_EQ(0, road_raise(&sim, 0x1000, 1));
}

TEST_F(unload, core_stays_while_a_driver_uses_it)
{
	road_forget();
	EXPECT_EQ(-EAGAIN, unload(CORE));
}

TEST_F(unload, driver_stays_while_a_file_is_open)
{
	struct road_sim sim;

	ASSERT_EQ(0, road_sim_open(&sim));
	road_forget();
	EXPECT_EQ(-EAGAIN, unload(SIM));
	road_sim_close(&sim);
	EXPECT_EQ(0, unload(SIM));
}

TEST_F(unload, core_stays_while_its_device_is_open)
{
	int dev = road_open();

	road_forget();
	ASSERT_EQ(0, unload(SIM));
	EXPECT_EQ(-EAGAIN, unload(CORE));
	close(dev);
	EXPECT_EQ(0, unload(CORE));
}

TEST_F(unload, core_stays_while_a_stream_is_open)
{
	int stream = road_stream(DRM_FAULT_SCOPE_ALL, 0);

	ASSERT_LE(0, stream);
	road_forget();
	ASSERT_EQ(0, unload(SIM));
	EXPECT_EQ(-EAGAIN, unload(CORE));
	EXPECT_EQ(-EAGAIN, road_read(stream, &self->record, ROAD_RECORD));
	close(stream);
	EXPECT_EQ(0, unload(CORE));
}

TEST_F(unload, stream_of_a_gpu_whose_driver_was_unloaded_drains_and_ends)
{
	int stream = road_stream(DRM_FAULT_SCOPE_DEVICE, road_gpu_id());

	ASSERT_EQ(0, road_raise(NULL, 0x1000, 1));
	road_forget();
	ASSERT_EQ(0, unload(SIM));
	EXPECT_EQ(-EAGAIN, unload(CORE));
	EXPECT_EQ(ROAD_RECORD, road_read(stream, &self->record, ROAD_RECORD));
	EXPECT_EQ(-ENODEV, road_read(stream, &self->record, ROAD_RECORD));
	close(stream);
	EXPECT_EQ(0, unload(CORE));
}

/* Dies in read(), with events coming in. */
TEST_F(unload, reader_that_is_killed_holds_nothing)
{
	int ready[2], stream;
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	child = fork();
	if (!child) {
		stream = road_stream(DRM_FAULT_SCOPE_ALL, 0);
		if (stream < 0 || fcntl(stream, F_SETFL, 0) || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			road_read(stream, &self->record, ROAD_RECORD);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_EQ(0, road_raise_pages(NULL, 0x1000, 1000));
	kill(child, SIGKILL);
	ASSERT_EQ(-EINTR, road_wait(child));
	EXPECT_EQ(0, unload_both());
}

/* What is freed later must not be in the way, nor come too late. */
TEST_F(unload, right_after_use_again_and_again)
{
	struct road_sim sims[4];
	int streams[4], i, round;

	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, road_setup());
		for (i = 0; i < 4; i++) {
			ASSERT_EQ(0, road_sim_open(&sims[i]));
			streams[i] = road_stream(DRM_FAULT_SCOPE_FILE, sims[i].fd);
			ASSERT_LE(0, streams[i]);
			ASSERT_EQ(0, road_raise_pages(&sims[i], 0x1000, 300));
		}
		for (i = 0; i < 4; i++) {
			/* Some streams go before their file, some after. */
			if (i % 2)
				close(streams[i]);
			road_sim_close(&sims[i]);
			if (!(i % 2))
				close(streams[i]);
		}
		ASSERT_EQ(0, unload_both());
	}
}

TEST_HARNESS_MAIN
