// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Objects and the address space: what is refused, the limits, who keeps what. */
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "sim.h"

SIM_FIXTURE(space);

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
	const struct { __u64 address, offset, size; __u32 flags; int error; } cases[] = {
		{ 0x1000, 0, PAGE, 0, -EINVAL },
		{ 0x1000, 0, PAGE, 8, -EINVAL },
		{ 0x1001, 0, PAGE, 1, -EINVAL },
		{ 0x1000, 1, PAGE, 1, -EINVAL },
		{ 0x1000, 0, 100, 1, -EINVAL },
		{ 0x1000, 0, 0, 1, -EINVAL },
		{ 0x1000, 0, 5 * PAGE, 1, -EINVAL },
		{ 0x1000, PAGE, 4 * PAGE, 1, -EINVAL },
		{ 0x1000, -PAGE, 2 * PAGE, 1, -EINVAL },
		{ 1ULL << 48, 0, PAGE, 1, -EINVAL },
		{ (1ULL << 48) - PAGE, 0, 2 * PAGE, 1, -EINVAL },
		{ -PAGE, 0, PAGE, 1, -EINVAL },
		{ DATA, 0, PAGE, 1, -EEXIST },
		{ DATA - PAGE, 0, 2 * PAGE, 1, -EEXIST },
		{ DATA + 3 * PAGE, 0, 2 * PAGE, 1, -EEXIST },
		{ (1ULL << 48) - PAGE, 0, PAGE, 1, 0 },
		{ 0, 3 * PAGE, PAGE, 7, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT_EQ(cases[i].error, sim_map(self->c.fd, self->c.data.handle, cases[i].address,
					      cases[i].offset, cases[i].size, cases[i].flags)) {
			TH_LOG("case %u", i);
		}
	EXPECT_EQ(-ENOENT, sim_map(self->c.fd, 4711, 0x1000, 0, PAGE, 1));
	EXPECT_EQ(7 * PAGE, sim_state(&self->c).mapped_size);
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, 1, PAGE));
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, 0, 0));
	EXPECT_EQ(-EINVAL, sim_unmap(self->c.fd, PAGE, 1ULL << 48));
	EXPECT_EQ(0, sim_unmap(self->c.fd, 0, 1ULL << 48));
	EXPECT_EQ(0, sim_state(&self->c).mapped_size);
}

TEST_F(space, map_limits)
{
	__u64 address = 0, spread = 1ULL << 21;
	struct buffer big;
	unsigned int i;
	int ret = 0;

	ASSERT_EQ(0, sim_create(self->c.fd, 256 << 20, &big));
	munmap(big.cpu, big.size);
	/* Many tables: single pages far apart, until there are too many. */
	for (i = 0; i < 5000 && !ret; i++, address += spread)
		ret = sim_map(self->c.fd, self->c.data.handle, address, 0, PAGE, 1);
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_LT(4000, i);
	ASSERT_EQ(0, sim_unmap(self->c.fd, 0, 1ULL << 48));
	EXPECT_EQ(0, sim_state(&self->c).mapped_size);
}

TEST_F(space, mapping_keeps_the_object)
{
	struct drm_gem_close close_args = { .handle = self->c.code.handle };
	__u64 *data = self->c.data.cpu;

	sim_load(&self->c, (const __u64[]){ DRM_FAULT_SIM_SET(0, DATA), DRM_FAULT_SIM_SET(1, 7),
				    DRM_FAULT_SIM_STORE(8, 1, 0, 0), DRM_FAULT_SIM_END }, 32);
	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_GEM_CLOSE, &close_args));
	close_args.handle = self->c.data.handle;
	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_GEM_CLOSE, &close_args));
	ASSERT_EQ(0, sim_run(&self->c, 0, 0));
	EXPECT_EQ(7, data[0]);
}

TEST_F(space, dma_buf)
{
	struct drm_prime_handle prime = { .handle = self->c.data.handle, .flags = DRM_CLOEXEC | DRM_RDWR };
	int other = sim_open();
	__u64 *cpu;

	ASSERT_EQ(0, sim_call(self->c.fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	cpu = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
	ASSERT_NE(MAP_FAILED, cpu);
	cpu[3] = 99;
	EXPECT_EQ(99, ((__u64 *)self->c.data.cpu)[3]);
	ASSERT_EQ(0, sim_call(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime));
	EXPECT_EQ(0, sim_map(other, prime.handle, DATA, 0, PAGE, 1));
	close(other);
	close(prime.fd);
	EXPECT_EQ(99, cpu[3]);
	munmap(cpu, 4 * PAGE);
}

TEST_HARNESS_MAIN
