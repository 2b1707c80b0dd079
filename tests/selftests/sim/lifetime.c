// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The end of files, processes and the device, with jobs under way. */
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "kselftest_harness.h"
#include "sim.h"

SIM_FIXTURE(lifetime);

TEST_F(lifetime, close_ends_a_hang_at_once)
{
	const __u64 program[] = { DRM_FAULT_SIM_JUMP(CODE) };
	int64_t start;
	int i, other;

	sim_load(&self->c, program, sizeof(program));
	for (i = 0; i < 20; i++)
		ASSERT_EQ(0, sim_submit(&self->c, i & 1, 0));
	other = sim_open();
	ASSERT_LE(0, other);
	start = sim_now();
	ASSERT_EQ(0, close(self->c.fd));
	/* the mappings hold the file */
	munmap(self->c.code.cpu, PAGE);
	munmap(self->c.data.cpu, 4 * PAGE);
	EXPECT_GT(1000 * MS, sim_now() - start);
	self->c.fd = other;
}

TEST_F(lifetime, death_of_the_process)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < 5; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid) {
			const __u64 program[] = { DRM_FAULT_SIM_JUMP(CODE) };

			sim_load(&self->c, program, sizeof(program));
			sim_submit(&self->c, 0, 0);
			sim_submit(&self->c, 1, 0);
			pause();
		}
		usleep(20000);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
	}
}

TEST_F_TIMEOUT(lifetime, stress, 120)
{
	int64_t end = sim_now() + SOON;
	int i, status;

	for (i = 0; i < 6; i++) {
		if (fork())
			continue;
		srand(i);
		while (sim_now() < end) {
			FIXTURE_DATA(sim) s = { .fd = sim_open() };
			const __u64 program[] = {
				DRM_FAULT_SIM_SET(0, DATA), DRM_FAULT_SIM_SET(1, 1 + rand() % 200),
				DRM_FAULT_SIM_STORE(8, 1, 0, (rand() % 5) * PAGE),
				DRM_FAULT_SIM_ADD(1, 1, -1), DRM_FAULT_SIM_JUMP_NONZERO(1, CODE + 16),
				rand() % 2 ? DRM_FAULT_SIM_END : DRM_FAULT_SIM_JUMP(CODE),
			};
			int n = rand() % 40;

			if (s.fd < 0 || sim_create(s.fd, PAGE, &s.code) ||
			    sim_create(s.fd, 4 * PAGE, &s.data))
				_exit(1);
			sim_map(s.fd, s.code.handle, CODE, 0, PAGE, 7);
			sim_map(s.fd, s.data.handle, DATA, 0, 4 * PAGE, 3);
			load(&s, program, sizeof(program));
			while (n--) {
				submit(&s, rand() & 1, rand() & 1, 0);
				sim_unmap(s.fd, DATA + PAGE * (rand() % 4), PAGE);
				sim_map(s.fd, s.data.handle, DATA + PAGE * (rand() % 4), 0, PAGE, 3);
			}
			munmap(s.code.cpu, PAGE);
			munmap(s.data.cpu, 4 * PAGE);
			close(s.fd);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		EXPECT_EQ(0, status);
}

TEST_F(lifetime, unbind_while_running)
{
	const __u64 program[] = { DRM_FAULT_SIM_JUMP(CODE) };
	struct drm_fault_sim_submit args = { .start = CODE, .flags = DRM_FAULT_SIM_SUBMIT_FENCE_FD };
	struct sync_file_info info = { };
	int other, i, status;
	pid_t pid;

	sim_load(&self->c, program, sizeof(program));
	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, sim_submit(&self->c, i & 1, 0));
	ASSERT_EQ(0, sim_submit_args(&self->c, &args));
	pid = fork();
	if (!pid) {
		int result = 1;

		/* waits through the removal */
		sim_wait(self->c.fd, self->c.done, SOON, &result);
		_exit(result == -ECANCELED ? 0 : 1);
	}
	usleep(100000);
	ASSERT_EQ(0, sim_write_file(DRIVER "unbind", "drm_fault_sim"));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-ENODEV, sim_submit(&self->c, 0, 0));
	EXPECT_EQ(0, ioctl(args.fence_fd, SYNC_IOC_FILE_INFO, &info));
	EXPECT_EQ(-ECANCELED, info.status);
	EXPECT_GT(0, sim_open());
	ASSERT_EQ(0, sim_write_file(DRIVER "bind", "drm_fault_sim"));
	other = sim_open();
	ASSERT_LE(0, other);
	close(other);
	/* the old file is closed by the teardown, after the new device came */
}

TEST_HARNESS_MAIN
