// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What programs do: every instruction. */
#include <string.h>

#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(execute) {
	struct sim_client c;
};

FIXTURE_SETUP(execute)
{
	ASSERT_EQ(0, sim_open(&self->c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_LONG_MS));
}

FIXTURE_TEARDOWN(execute)
{
	sim_close(&self->c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

TEST_F(execute, info)
{
	struct drm_fault_sim_info info = {};

	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_INFO, &info));
	EXPECT_EQ(2, info.rings);
	EXPECT_EQ(48, info.address_bits);
	EXPECT_EQ(PAGE, info.page_size);
	EXPECT_EQ(1, info.reporting);
	EXPECT_LT(0, info.timeout_ms);
	info.flags = 1;
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_INFO, &info));
	info = (struct drm_fault_sim_info){ .pad = 1 };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_INFO, &info));
}

TEST_F(execute, values)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 0x123456789abc),
		DRM_FAULT_SIM_SET_HIGH(1, 0xdef0),
		DRM_FAULT_SIM_STORE(8, 1, 0, 0),
		DRM_FAULT_SIM_STORE(1, 1, 0, 8),
		DRM_FAULT_SIM_STORE(2, 1, 0, 10),
		DRM_FAULT_SIM_STORE(4, 1, 0, 12),
		DRM_FAULT_SIM_LOAD(4, 2, 0, 32),
		DRM_FAULT_SIM_STORE(8, 2, 0, 16),
		DRM_FAULT_SIM_SET(3, 2),
		DRM_FAULT_SIM_ATOMIC_ADD(8, 3, 0, 40),
		DRM_FAULT_SIM_STORE(8, 3, 0, 24),
		DRM_FAULT_SIM_ADD(4, 0, -8),
		DRM_FAULT_SIM_STORE(8, 4, 0, 48),
		DRM_FAULT_SIM_NOP,
		DRM_FAULT_SIM_WAIT_US(1000),
		DRM_FAULT_SIM_END,
	};
	__u64 *data = self->c.data.cpu;

	data[4] = 0x1122334455667788;
	data[5] = 40;
	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_run(&self->c, 0, 0));
	EXPECT_EQ(0xdef0123456789abc, data[0]);
	EXPECT_EQ(0x56789abc9abc00bc, data[1]);
	EXPECT_EQ(0x55667788, data[2]);
	EXPECT_EQ(40, data[3]);
	EXPECT_EQ(42, data[5]);
	EXPECT_EQ(DATA - 8, data[6]);
	EXPECT_EQ(0, sim_faults(&self->c, NULL, 0));
}

TEST_F(execute, loop_and_jump)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 1000),
		DRM_FAULT_SIM_SET(2, 3),
		DRM_FAULT_SIM_ATOMIC_ADD(4, 2, 0, 0),
		DRM_FAULT_SIM_SET(2, 3),
		DRM_FAULT_SIM_ADD(1, 1, -1),
		DRM_FAULT_SIM_JUMP_NONZERO(1, CODE + 3 * 8),
		DRM_FAULT_SIM_JUMP(CODE + 9 * 8),
		0,
		DRM_FAULT_SIM_END,
	};

	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_run(&self->c, 0, 0));
	EXPECT_EQ(3000, *(__u64 *)self->c.data.cpu);
}

TEST_F(execute, copy)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA + 8001),
		DRM_FAULT_SIM_SET(1, DATA),
		DRM_FAULT_SIM_SET(2, 6000),
		DRM_FAULT_SIM_COPY(0, 1, 2),
		DRM_FAULT_SIM_END,
	};
	const __u64 overlapping[] = {
		DRM_FAULT_SIM_SET(0, DATA + 1),
		DRM_FAULT_SIM_SET(1, DATA),
		DRM_FAULT_SIM_SET(2, 100),
		DRM_FAULT_SIM_COPY(0, 1, 2),
		DRM_FAULT_SIM_END,
	};
	unsigned char *data = self->c.data.cpu;
	unsigned int i;

	for (i = 0; i < 6000; i++)
		data[i] = i * 7;
	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_run(&self->c, 0, 0));
	EXPECT_EQ(0, memcmp(data, data + 8001, 6000));

	/* One byte is repeated. */
	sim_load(&self->c, overlapping, sizeof(overlapping));
	ASSERT_EQ(0, sim_run(&self->c, 0, 0));
	for (i = 0; i <= 100; i++)
		EXPECT_EQ(data[0], data[i]);
}

TEST_F(execute, wait_for_value)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_WAIT_WHILE(4, 1, 0, 0),
		DRM_FAULT_SIM_SET(1, 5),
		DRM_FAULT_SIM_STORE(4, 1, 0, 4),
		DRM_FAULT_SIM_END,
	};
	int result;

	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_submit(&self->c, 0, 0));
	EXPECT_EQ(-ETIME, sim_wait(self->c.fd, self->c.done, 50 * MS, &result));
	EXPECT_EQ(-ETIME, sim_wait(self->c.fd, self->c.done, -MS, &result));
	EXPECT_EQ(1, sim_state(&self->c).jobs);
	sim_poke(&self->c.data, 0, 1);
	ASSERT_EQ(0, sim_wait(self->c.fd, self->c.done, SOON, &result));
	EXPECT_EQ(0, result);
	EXPECT_EQ(5, sim_peek(&self->c.data, 1));
	EXPECT_EQ(0, sim_state(&self->c).jobs);
}

TEST_HARNESS_MAIN
