// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads that use one file for whatever comes to their minds: random programs,
 * mappings under running jobs, handles and fences of each other. Afterwards the
 * GPU's own numbers must agree, and it must still compute.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "sim.h"

#define THREADS		4
#define TIME_NS		(4000 * MS)
#define SYNCOBJS	4
#define HANDLES		8
#define RECORDS		4096

static struct {
	struct sim_client c;
	__u32 syncobjs[SYNCOBJS];
	atomic_uint handles[HANDLES];
	atomic_bool stop;
} all;

static __u64 any(unsigned int *seed)
{
	return (__u64)rand_r(seed) << 33 ^ (__u64)rand_r(seed) << 16 ^ rand_r(seed);
}

/* Where tables of every level begin and end, what is mapped, and anywhere. */
static __u64 any_address(unsigned int *seed)
{
	static const __u64 places[] = {
		0, CODE, DATA, 1ULL << 21, 1ULL << 30, 1ULL << 39, ALL_ADDRESSES,
	};
	__u64 place = places[rand_r(seed) % ARRAY_SIZE(places)];

	switch (rand_r(seed) % 8) {
	case 0:
		return any(seed) % ALL_ADDRESSES;
	case 1:
		return place + any(seed) % (8 * PAGE);
	default:
		return place + ((__s64)(rand_r(seed) % 16) - 8) * (__s64)PAGE;
	}
}

static __u64 any_size(unsigned int *seed)
{
	return rand_r(seed) % 16 ? (1 + rand_r(seed) % 16) * PAGE : any(seed);
}

static __u64 any_instruction(unsigned int *seed)
{
	__u8 a = rand_r(seed) % 4, b = rand_r(seed) % 4, bytes = 1 << rand_r(seed) % 4;
	__s32 displacement = (rand_r(seed) % 64 - 32) * 8;

	switch (rand_r(seed) % 12) {
	case 0:
		return DRM_FAULT_SIM_LOAD(bytes, a, b, displacement);
	case 1:
		return DRM_FAULT_SIM_STORE(bytes, a, b, displacement);
	case 2:
		return DRM_FAULT_SIM_ATOMIC_ADD(8, a, b, displacement);
	case 3:
		return DRM_FAULT_SIM_COPY(a, b, rand_r(seed) % 16);
	case 4:
		return DRM_FAULT_SIM_JUMP(CODE + 8 * (rand_r(seed) % 512));
	case 5:
		return DRM_FAULT_SIM_JUMP_NONZERO(a, CODE + 8 * (rand_r(seed) % 512));
	case 6:
		return DRM_FAULT_SIM_WAIT_US(rand_r(seed) % 2000);
	case 7:
		return DRM_FAULT_SIM_WAIT_WHILE(bytes, a, b, displacement);
	case 8:
		return rand_r(seed) % 16 ? DRM_FAULT_SIM_END : any(seed);
	default:
		return DRM_FAULT_SIM_SET(a, any_address(seed));
	}
}

static void attack_program(unsigned int *seed)
{
	__u64 *code = all.c.code.cpu;
	unsigned int at = rand_r(seed) % 512, i;

	for (i = at; i < at + 16; i++)
		__atomic_store_n(&code[i % 512], any_instruction(seed), __ATOMIC_RELAXED);
}

static void attack_submit(unsigned int *seed)
{
	struct drm_fault_sim_submit args = {
		.start = rand_r(seed) % 8 ? CODE + 8 * (rand_r(seed) % 512) : any_address(seed),
		.ring = rand_r(seed) % 32 ? rand_r(seed) % 2 : rand_r(seed),
		.flags = rand_r(seed) % 4,
		.in_syncobj = rand_r(seed) % 2 ? all.syncobjs[rand_r(seed) % SYNCOBJS] : 0,
		.out_syncobj = all.syncobjs[rand_r(seed) % SYNCOBJS],
	};

	if (!ioctl(all.c.fd, DRM_IOCTL_FAULT_SIM_SUBMIT, &args) && args.fence_fd >= 0)
		close(args.fence_fd);
}

static void attack_wait(unsigned int *seed)
{
	struct drm_fault_sim_wait args = {
		.timeout_ns = rand_r(seed) % 2 ? sim_now() + MS : (__s64)any(seed) - sim_now(),
		.syncobj = all.syncobjs[rand_r(seed) % SYNCOBJS],
	};

	if (args.timeout_ns < sim_now() + 10 * MS)
		ioctl(all.c.fd, DRM_IOCTL_FAULT_SIM_WAIT, &args);
}

static void attack_recover(unsigned int *seed)
{
	sim_recover(&all.c);
}

static void attack_map(unsigned int *seed)
{
	sim_map(all.c.fd, atomic_load(&all.handles[rand_r(seed) % HANDLES]), any_address(seed),
		rand_r(seed) % 4 * PAGE, any_size(seed), rand_r(seed) % 8);
}

static void attack_unmap(unsigned int *seed)
{
	sim_unmap(all.c.fd, any_address(seed),
		  rand_r(seed) % 16 ? any_size(seed) : ALL_ADDRESSES / 2);
}

/* The code comes back where it was, that there is something to run. */
static void attack_remap(unsigned int *seed)
{
	sim_map(all.c.fd, all.c.code.handle, CODE, 0, PAGE, 7);
	sim_map(all.c.fd, all.c.data.handle, DATA, 0, DATA_PAGES * PAGE, 7);
}

static void attack_objects(unsigned int *seed)
{
	struct drm_fault_sim_create create = { .size = any_size(seed) % (64 * PAGE) };
	struct drm_gem_close gem = {};

	sim_call(all.c.fd, DRM_IOCTL_FAULT_SIM_CREATE, &create);
	gem.handle = atomic_exchange(&all.handles[rand_r(seed) % HANDLES], create.handle);
	ioctl(all.c.fd, DRM_IOCTL_GEM_CLOSE, &gem);
}

/* A file that takes one of our objects, runs for ever and is closed. */
static void attack_file(unsigned int *seed)
{
	static const __u64 endless[] = { DRM_FAULT_SIM_JUMP(CODE) };
	struct drm_prime_handle prime = {
		.handle = atomic_load(&all.handles[rand_r(seed) % HANDLES]),
	};
	struct drm_fault_sim_submit args = { .start = CODE, .ring = rand_r(seed) % 2 };
	struct sim_buffer code;
	int fd = sim_node();

	if (fd < 0)
		return;
	if (!sim_create(fd, PAGE, &code)) {
		memcpy(code.cpu, endless, sizeof(endless));
		sim_map(fd, code.handle, CODE, 0, PAGE, 7);
		munmap(code.cpu, PAGE);
	}
	if (!ioctl(all.c.fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime)) {
		if (!ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime))
			sim_map(fd, prime.handle, DATA, 0, PAGE, 7);
		close(prime.fd);
	}
	ioctl(fd, DRM_IOCTL_FAULT_SIM_SUBMIT, &args);
	close(fd);
}

static void (*const attacks[])(unsigned int *seed) = {
	attack_program, attack_program, attack_submit, attack_submit, attack_submit,
	attack_wait, attack_recover, attack_map, attack_map, attack_unmap, attack_remap,
	attack_objects, attack_file,
};

static void *attack(void *data)
{
	unsigned int seed = (uintptr_t)data + sim_now();

	while (!atomic_load(&all.stop))
		attacks[rand_r(&seed) % ARRAY_SIZE(attacks)](&seed);
	return NULL;
}

FIXTURE(hostile) {
	pthread_t threads[THREADS];
	struct drm_fault_record *records;
};

FIXTURE_SETUP(hostile)
{
	unsigned int i;

	ASSERT_EQ(0, sim_open(&all.c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_SHORT_MS));
	for (i = 0; i < SYNCOBJS; i++)
		all.syncobjs[i] = sim_syncobj(all.c.fd);
	self->records = calloc(RECORDS, sizeof(*self->records));
	ASSERT_NE(NULL, self->records);
}

FIXTURE_TEARDOWN(hostile)
{
	free(self->records);
	sim_close(&all.c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

TEST_F_TIMEOUT(hostile, gpu_survives_its_users, 60)
{
	static const __u64 good[4] = { DRM_FAULT_SIM_END };
	struct drm_fault_snapshot snapshot = {
		.size = sizeof(snapshot),
		.record_size = sizeof(*self->records),
		.record_count = RECORDS,
		.records_ptr = (uintptr_t)self->records,
	};
	__u64 counts = 0, losses = 0;
	struct drm_fault_sim_state state;
	struct sim_client other;
	__s64 end;
	uintptr_t i;

	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_create(&self->threads[i], NULL, attack, (void *)i));
	usleep(TIME_NS / 1000);
	atomic_store(&all.stop, true);
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_join(self->threads[i], NULL));

	for (end = sim_now() + SOON; (state = sim_state(&all.c)).jobs && sim_now() < end; )
		usleep(1000);
	ASSERT_EQ(0, state.jobs);
	ASSERT_EQ(0, sim_call(all.c.fd, DRM_IOCTL_FAULT_SIM_FAULTS, &snapshot));
	for (i = 0; i < snapshot.record_count; i++) {
		counts += self->records[i].count;
		losses += self->records[i].lost;
	}
	TH_LOG("%llu faults, %llu resets", (unsigned long long)state.faults,
	       (unsigned long long)state.resets);
	EXPECT_LT(0, state.faults);
	/* A reset is two events, with the timeout before it. */
	EXPECT_EQ(state.faults + 2 * state.resets, snapshot.events);
	EXPECT_EQ(snapshot.events, counts + snapshot.lost);
	EXPECT_EQ(snapshot.lost, losses);

	EXPECT_EQ(0, sim_unmap(all.c.fd, 0, ALL_ADDRESSES));
	EXPECT_EQ(0, sim_state(&all.c).mapped_size);
	ASSERT_EQ(0, sim_open(&other));
	EXPECT_EQ(0, sim_run_words(&other, good));
	sim_close(&other);
}

TEST_HARNESS_MAIN
