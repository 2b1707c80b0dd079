// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The end of files, processes and the device, with jobs under way. */
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "kselftest_harness.h"
#include "sim.h"

#define DRIVER		"/sys/bus/platform/drivers/drm_fault_sim/"
#define STRESS_NS	(8000 * MS)

FIXTURE(lifetime) {
	struct sim_client c;
};

FIXTURE_SETUP(lifetime)
{
	ASSERT_EQ(0, sim_open(&self->c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_LONG_MS));
}

FIXTURE_TEARDOWN(lifetime)
{
	sim_close(&self->c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

static const __u64 good[4] = { DRM_FAULT_SIM_END };
static const __u64 endless[] = { DRM_FAULT_SIM_JUMP(CODE) };

TEST_F(lifetime, close_ends_a_hang_at_once)
{
	__s64 start;
	int i;

	sim_load(&self->c, endless, sizeof(endless));
	for (i = 0; i < 20; i++)
		ASSERT_EQ(0, sim_submit(&self->c, i & 1, 0));
	sim_unmap_cpu(&self->c);
	start = sim_now();
	ASSERT_EQ(0, close(self->c.fd));
	self->c.fd = -1;
	/* Each of them would run for a minute. */
	EXPECT_GT(5000 * MS, sim_now() - start);
}

TEST_F(lifetime, death_of_the_process)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < 5; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			struct sim_client c;

			if (sim_open(&c))
				_exit(1);
			sim_load(&c, endless, sizeof(endless));
			if (sim_submit(&c, 0, 0) || sim_submit(&c, 1, 0))
				_exit(1);
			raise(SIGKILL);
		}
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	/* The rings are free again. */
	EXPECT_EQ(0, sim_run_words(&self->c, good));
}

/* One of many who fault, hang, map and unmap while their jobs run, and leave. */
static int stress_once(void)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 1 + rand() % 200),
		DRM_FAULT_SIM_STORE(8, 1, 0, (rand() % 5) * PAGE),
		DRM_FAULT_SIM_ADD(1, 1, -1),
		DRM_FAULT_SIM_JUMP_NONZERO(1, CODE + 16),
		rand() % 2 ? DRM_FAULT_SIM_END : DRM_FAULT_SIM_JUMP(CODE),
	};
	int jobs = rand() % 40, ret;
	struct sim_client c;

	ret = sim_open(&c);
	if (ret)
		return ret;
	sim_load(&c, program, sizeof(program));
	while (jobs--) {
		ret = sim_submit(&c, rand() & 1, rand() & 1);
		if (ret && ret != -ECANCELED)
			return ret;
		sim_unmap(c.fd, DATA + PAGE * (rand() % 4), PAGE);
		sim_map(c.fd, c.data.handle, DATA + PAGE * (rand() % 4), 0, PAGE,
			DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE);
	}
	sim_close(&c);
	return 0;
}

TEST_F_TIMEOUT(lifetime, stress, 120)
{
	__s64 end = sim_now() + STRESS_NS;
	int i, status;

	ASSERT_EQ(0, sim_timeout(TIMEOUT_SHORT_MS / 10));
	for (i = 0; i < 6; i++) {
		if (fork())
			continue;
		srand(i);
		while (sim_now() < end)
			if (stress_once())
				_exit(1);
		_exit(0);
	}
	for (i = 0; i < 6; i++) {
		ASSERT_LT(0, wait(&status));
		EXPECT_EQ(0, status);
	}
}

TEST_F_TIMEOUT(lifetime, unbind_while_running, 120)
{
	struct drm_fault_sim_submit args = {
		.start = CODE,
		.flags = DRM_FAULT_SIM_SUBMIT_FENCE_FD,
	};
	struct sync_file_info info = {};
	struct sim_client other;
	int i, status;
	pid_t pid;

	sim_load(&self->c, endless, sizeof(endless));
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, sim_submit(&self->c, i & 1, 0));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	pid = fork();
	if (!pid) {
		int result = 1;

		/* Waits while the device goes. */
		sim_wait(self->c.fd, self->c.done, SOON, &result);
		_exit(result == -ECANCELED ? 0 : 1);
	}
	usleep(100000);
	ASSERT_EQ(0, sim_write_file(DRIVER "unbind", "drm_fault_sim"));
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-ENODEV, sim_submit(&self->c, 0, 0));
	EXPECT_EQ(-ENODEV, sim_node());
	EXPECT_EQ(0, ioctl(args.fence_fd, SYNC_IOC_FILE_INFO, &info));
	EXPECT_EQ(-ECANCELED, info.status);

	/* A new device, while the file of the old one is still open. */
	ASSERT_EQ(0, sim_write_file(DRIVER "bind", "drm_fault_sim"));
	ASSERT_EQ(0, sim_open(&other));
	EXPECT_EQ(0, sim_run_words(&other, good));
	sim_close(&other);
}

TEST_HARNESS_MAIN
