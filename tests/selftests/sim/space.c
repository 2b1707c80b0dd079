// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Objects and the address space: what is refused, the limits, who keeps what. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(space) {
	struct sim_client c;
};

FIXTURE_SETUP(space)
{
	ASSERT_EQ(0, sim_open(&self->c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_LONG_MS));
}

FIXTURE_TEARDOWN(space)
{
	sim_close(&self->c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

TEST_F(space, create_refuses)
{
	struct drm_fault_sim_create args = { .size = 0 };

	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_CREATE, &args));
	args = (struct drm_fault_sim_create){ .size = 1, .flags = 1 };
	EXPECT_EQ(-EINVAL, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_CREATE, &args));
	args = (struct drm_fault_sim_create){ .size = ~0ULL };
	EXPECT_EQ(-E2BIG, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_CREATE, &args));
	args = (struct drm_fault_sim_create){ .size = 1 };
	EXPECT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_CREATE, &args));
	EXPECT_EQ(PAGE, args.size);
}

TEST_F(space, map_refuses)
{
	const struct {
		__u64 address, offset, size;
		__u32 flags;
		int error;
	} cases[] = {
		{ 0x1000, 0, PAGE, 0, -EINVAL },
		{ 0x1000, 0, PAGE, 8, -EINVAL },
		{ 0x1001, 0, PAGE, 1, -EINVAL },
		{ 0x1000, 1, PAGE, 1, -EINVAL },
		{ 0x1000, 0, 100, 1, -EINVAL },
		{ 0x1000, 0, 0, 1, -EINVAL },
		{ 0x1000, 0, 5 * PAGE, 1, -EINVAL },
		{ 0x1000, PAGE, 4 * PAGE, 1, -EINVAL },
		{ 0x1000, -PAGE, 2 * PAGE, 1, -EINVAL },
		{ ALL_ADDRESSES, 0, PAGE, 1, -EINVAL },
		{ ALL_ADDRESSES - PAGE, 0, 2 * PAGE, 1, -EINVAL },
		{ -PAGE, 0, PAGE, 1, -EINVAL },
		{ DATA, 0, PAGE, 1, -EEXIST },
		{ DATA - PAGE, 0, 2 * PAGE, 1, -EEXIST },
		{ DATA + 3 * PAGE, 0, 2 * PAGE, 1, -EEXIST },
		{ ALL_ADDRESSES - PAGE, 0, PAGE, 1, 0 },
		{ 0, 3 * PAGE, PAGE, 7, 0 },
	};
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ret = sim_map(self->c.fd, self->c.data.handle, cases[i].address,
			      cases[i].offset, cases[i].size, cases[i].flags);
		EXPECT_EQ(cases[i].error, ret)
			TH_LOG("case %u", i);
	}
	EXPECT_EQ(-ENOENT, sim_map(self->c.fd, 4711, 0x1000, 0, PAGE, 1));
	EXPECT_EQ(7 * PAGE, sim_state(&self->c).mapped_size);
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, 1, PAGE));
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, 0, 0));
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, PAGE, ALL_ADDRESSES));
	EXPECT_EQ(0, sim_unmap(self->c.fd, 0, ALL_ADDRESSES));
	EXPECT_EQ(0, sim_state(&self->c).mapped_size);
}

/* Single pages far apart, each with a table of its own. */
TEST_F(space, tables_are_limited)
{
	__u64 address = 0, spread = 2 << 20;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 5000 && !ret; i++, address += spread)
		ret = sim_map(self->c.fd, self->c.data.handle, address, 0, PAGE, 1);
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_LT(4000, i);
	ASSERT_EQ(0, sim_unmap(self->c.fd, 0, ALL_ADDRESSES));
	EXPECT_EQ(0, sim_state(&self->c).mapped_size);
	/* The tables are free again. */
	EXPECT_EQ(0, sim_map(self->c.fd, self->c.data.handle, DATA, 0, PAGE, 1));
}

TEST_F(space, size_is_limited)
{
	struct drm_fault_sim_info info = {};
	struct sim_buffer big;
	__u64 address;
	int ret = 0;

	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_FAULT_SIM_INFO, &info));
	ASSERT_EQ(0, sim_unmap(self->c.fd, 0, ALL_ADDRESSES));
	ASSERT_EQ(0, sim_create(self->c.fd, 128 << 20, &big));
	munmap(big.cpu, big.size);
	for (address = 0; address < info.max_mapped_size && !ret; address += big.size)
		ret = sim_map(self->c.fd, big.handle, address, 0, big.size, 1);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(info.max_mapped_size, sim_state(&self->c).mapped_size);
	EXPECT_EQ(-ENOSPC, sim_map(self->c.fd, big.handle, address, 0, PAGE, 1));
	EXPECT_EQ(0, sim_unmap(self->c.fd, 0x5000, PAGE));
	EXPECT_EQ(0, sim_map(self->c.fd, big.handle, address, 0, PAGE, 1));
}

/* A part goes, the rest stays; the object stays until its last page goes. */
TEST_F(space, mapping_keeps_the_object)
{
	const __u64 program[4] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 7),
		DRM_FAULT_SIM_STORE(8, 1, 0, 2 * PAGE),
		DRM_FAULT_SIM_LOAD(8, 1, 0, PAGE),
	};
	struct drm_gem_close code = { .handle = self->c.code.handle };
	struct drm_gem_close data = { .handle = self->c.data.handle };
	struct drm_fault_record r = {};

	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_GEM_CLOSE, &code));
	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_GEM_CLOSE, &data));
	ASSERT_EQ(0, sim_unmap(self->c.fd, DATA + PAGE, PAGE));
	EXPECT_EQ(4 * PAGE, sim_state(&self->c).mapped_size);
	EXPECT_EQ(-EFAULT, sim_run_words(&self->c, program));
	EXPECT_EQ(7, sim_peek(&self->c.data, 2 * PAGE / 4));
	ASSERT_EQ(1, sim_faults(&self->c, &r, 1));
	EXPECT_EQ(DATA + PAGE, r.address);
}

TEST_F(space, dma_buf)
{
	struct drm_prime_handle prime = {
		.handle = self->c.data.handle,
		.flags = DRM_CLOEXEC | DRM_RDWR,
	};
	int other = sim_node();
	__u64 *cpu;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	cpu = mmap(NULL, DATA_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
	ASSERT_NE(MAP_FAILED, cpu);
	cpu[3] = 99;
	EXPECT_EQ(99, sim_peek(&self->c.data, 6));
	ASSERT_EQ(0, sim_call(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime));
	EXPECT_EQ(0, sim_map(other, prime.handle, DATA, 0, PAGE, DRM_FAULT_SIM_MAP_READ));
	close(other);
	close(prime.fd);
	EXPECT_EQ(99, cpu[3]);
	munmap(cpu, DATA_PAGES * PAGE);
}

TEST_HARNESS_MAIN
