// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What programs do wrong, and the record of it. */

#include "kselftest_harness.h"
#include "sim.h"

SIM_FIXTURE(faults);

TEST_F(faults, write_past_end)
{
	struct drm_fault_record r[2];

	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c,
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_STORE(4, 1, 0, 4 * PAGE + 0x40),
		DRM_FAULT_SIM_END));
	ASSERT_EQ(1, sim_faults(&self->c, r, 2));
	EXPECT_EQ(DRM_FAULT_RECORD_FAULT, r[0].type);
	EXPECT_EQ(DRM_FAULT_RECORD_F_FATAL, r[0].flags);
	EXPECT_EQ(DATA + 4 * PAGE + 0x40, r[0].address);
	EXPECT_EQ(4, r[0].address_precision);
	EXPECT_EQ(DRM_FAULT_ACCESS_WRITE, r[0].access);
	EXPECT_EQ(DRM_FAULT_TYPE_NOT_PRESENT, r[0].fault_type);
	EXPECT_EQ(1, r[0].level);
	EXPECT_EQ(CODE + 8, r[0].ip);
	EXPECT_EQ(8, r[0].ip_precision);
	EXPECT_EQ(DRM_FAULT_IP_FAULT, r[0].ip_type);
	EXPECT_EQ(DRM_FAULT_ENGINE_COMPUTE, r[0].engine_class);
	EXPECT_STREQ("ring0", r[0].engine);
	EXPECT_EQ(getpid(), (pid_t)r[0].pid);
	EXPECT_EQ(48, r[0].address_bits);
	EXPECT_EQ(DRM_FAULT_RAW_SIM, r[0].raw_format);
	EXPECT_EQ(2, r[0].raw_count);
	EXPECT_EQ(DRM_FAULT_SIM_STORE(4, 1, 0, 4 * PAGE + 0x40), r[0].raw[1]);
	EXPECT_EQ(DRM_FAULT_SIM_CAUSE_NOT_PRESENT, DRM_FAULT_SIM_STATUS_CAUSE(r[0].raw[0]));
	EXPECT_EQ(4, DRM_FAULT_SIM_STATUS_SIZE(r[0].raw[0]));
	EXPECT_EQ(self->c.last.fence_context, r[0].job_context);
	EXPECT_EQ(self->c.last.fence_seqno, r[0].job_seqno);
	EXPECT_EQ(1, r[0].count);
}

struct expected {
	__u64 address, precision, ip;
	__u32 access, type, ip_type, level, cause;
};

static int expect_fault(FIXTURE_DATA(sim) *self, const struct expected *e)
{
	struct drm_fault_record r = { };
	__u64 total = sim_faults(&self->c, &r, 1);

	if (total == 1 && r.address == e->address && r.address_precision == e->precision &&
	    r.ip == e->ip && r.access == e->access && r.fault_type == e->type &&
	    r.ip_type == e->ip_type && r.level == e->level &&
	    DRM_FAULT_SIM_STATUS_CAUSE(r.raw[0]) == e->cause)
		return 1;
	fprintf(stderr, "total %lld address %llx/%llx ip %llx access %u type %u ip_type %u level %u raw %llx\n",
		(long long)total, r.address, r.address_precision, r.ip, r.access, r.fault_type,
		r.ip_type, r.level, r.raw[0]);
	return 0;
}

#define EXPECT_FAULT(...) \
	EXPECT_TRUE(expect_fault(self, &(struct expected){ __VA_ARGS__ }))

TEST_F(faults, read_after_unmap)
{
	ASSERT_EQ(0, sim_unmap(self->c.fd, DATA + PAGE, PAGE));
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, DATA + PAGE + 8),
			       DRM_FAULT_SIM_LOAD(8, 1, 5, -8), DRM_FAULT_SIM_END));
	EXPECT_FAULT(DATA + PAGE, 8, CODE + 8, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_NOT_PRESENT,
		     DRM_FAULT_IP_FAULT, 1, DRM_FAULT_SIM_CAUSE_NOT_PRESENT);
}

TEST_F(faults, level_root)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, 0xffffffffff00), DRM_FAULT_SIM_LOAD(1, 1, 5, 1)));
	EXPECT_FAULT(0xffffffffff01, 1, CODE + 8, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_NOT_PRESENT,
		     DRM_FAULT_IP_FAULT, 4, DRM_FAULT_SIM_CAUSE_NOT_PRESENT);
}

TEST_F(faults, level_middle_after_unmap)
{
	/* the table of the last level went with its last page */
	ASSERT_EQ(0, sim_unmap(self->c.fd, DATA, 4 * PAGE));
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, DATA), DRM_FAULT_SIM_STORE(2, 1, 5, 2)));
	EXPECT_FAULT(DATA + 2, 2, CODE + 8, DRM_FAULT_ACCESS_WRITE, DRM_FAULT_TYPE_NOT_PRESENT,
		     DRM_FAULT_IP_FAULT, 4, DRM_FAULT_SIM_CAUSE_NOT_PRESENT);
}

TEST_F(faults, write_to_read_only)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, CODE), DRM_FAULT_SIM_STORE(8, 1, 5, 0)));
	EXPECT_FAULT(CODE, 8, CODE + 8, DRM_FAULT_ACCESS_WRITE, DRM_FAULT_TYPE_PERMISSION,
		     DRM_FAULT_IP_FAULT, 1, DRM_FAULT_SIM_CAUSE_PERMISSION);
}

TEST_F(faults, atomic_to_read_only)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, CODE), DRM_FAULT_SIM_ATOMIC_ADD(4, 1, 5, 4)));
	EXPECT_FAULT(CODE + 4, 4, CODE + 8, DRM_FAULT_ACCESS_ATOMIC, DRM_FAULT_TYPE_PERMISSION,
		     DRM_FAULT_IP_FAULT, 1, DRM_FAULT_SIM_CAUSE_PERMISSION);
}

TEST_F(faults, execute_data)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_JUMP(DATA + 16)));
	EXPECT_FAULT(DATA + 16, 8, DATA + 16, DRM_FAULT_ACCESS_EXECUTE, DRM_FAULT_TYPE_PERMISSION,
		     DRM_FAULT_IP_INVALID, 1, DRM_FAULT_SIM_CAUSE_PERMISSION);
}

TEST_F(faults, execute_nothing)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_JUMP(CODE + PAGE)));
	EXPECT_FAULT(CODE + PAGE, 8, CODE + PAGE, DRM_FAULT_ACCESS_EXECUTE,
		     DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_IP_INVALID, 1,
		     DRM_FAULT_SIM_CAUSE_NOT_PRESENT);
}

TEST_F(faults, execute_misaligned)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_JUMP(CODE + 4)));
	EXPECT_FAULT(CODE + 4, 8, CODE + 4, DRM_FAULT_ACCESS_EXECUTE, DRM_FAULT_TYPE_OTHER,
		     DRM_FAULT_IP_INVALID, 0, DRM_FAULT_SIM_CAUSE_ALIGNMENT);
}

TEST_F(faults, load_misaligned)
{
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c, DRM_FAULT_SIM_SET(5, DATA), DRM_FAULT_SIM_LOAD(4, 1, 5, 2)));
	EXPECT_FAULT(DATA + 2, 4, CODE + 8, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_OTHER,
		     DRM_FAULT_IP_FAULT, 0, DRM_FAULT_SIM_CAUSE_ALIGNMENT);
}

TEST_F(faults, invalid_instructions)
{
	const __u64 words[] = {
		0, ~0ULL, DRM_FAULT_SIM_END | 1, DRM_FAULT_SIM_NOP | 1ULL << 52,
		DRM_FAULT_SIM_SET(0, 0) | 1ULL << 48, DRM_FAULT_SIM_SET_HIGH(0, 0) | 1ULL << 16,
		DRM_FAULT_SIM_ADD(0, 0, 0) | 1ULL << 46, DRM_FAULT_SIM_LOAD(8, 0, 0, 0) | 1ULL << 40,
		DRM_FAULT_SIM_ATOMIC_ADD(1, 0, 0, 0), DRM_FAULT_SIM_ATOMIC_ADD(2, 0, 0, 0),
		DRM_FAULT_SIM_COPY(0, 0, 0) | 1, DRM_FAULT_SIM_JUMP(0) | 1ULL << 52,
		DRM_FAULT_SIM_WAIT_US(0) | 1ULL << 32, 0x0eULL << 56, 0x80ULL << 56,
	};
	struct drm_fault_sim_recover recover = { };
	struct drm_fault_record r[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		sim_load(&self->c, &words[i], sizeof(words[i]));
		/* also where the job may go on after faults of data */
		EXPECT_EQ(-EFAULT, sim_run(&self->c, 0, DRM_FAULT_SIM_SUBMIT_NONFATAL));
		EXPECT_EQ(0, sim_recover(&self->c));
	}
	EXPECT_EQ(ARRAY_SIZE(words), sim_state(&self->c).faults);
	ASSERT_LE(1, sim_faults(&self->c, r, 32));
	EXPECT_EQ(DRM_FAULT_TYPE_INVALID_FORMAT, r[0].fault_type);
	EXPECT_EQ(DRM_FAULT_ACCESS_EXECUTE, r[0].access);
	EXPECT_EQ(DRM_FAULT_IP_FAULT, r[0].ip_type);
	EXPECT_EQ(CODE, r[0].ip);
}

TEST_F(faults, copy_faults_at_the_byte)
{
	unsigned char *data = self->c.data.cpu;

	memset(data, 0xaa, 4 * PAGE);
	memset(data, 0x55, PAGE);
	ASSERT_EQ(-EFAULT, SIM_RUN(&self->c,
		DRM_FAULT_SIM_SET(0, DATA + 3 * PAGE + 13),
		DRM_FAULT_SIM_SET(1, DATA),
		DRM_FAULT_SIM_SET(2, PAGE),
		DRM_FAULT_SIM_COPY(0, 1, 2),
		DRM_FAULT_SIM_END));
	EXPECT_FAULT(DATA + 4 * PAGE, 1, CODE + 24, DRM_FAULT_ACCESS_WRITE,
		     DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_IP_FAULT, 1,
		     DRM_FAULT_SIM_CAUSE_NOT_PRESENT);
	EXPECT_EQ(0xaa, data[3 * PAGE + 12]);
	EXPECT_EQ(0x55, data[3 * PAGE + 13]);
	EXPECT_EQ(0x55, data[4 * PAGE - 1]);
}

TEST_F(faults, nonfatal_goes_on)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_SET(1, 77),
		DRM_FAULT_SIM_LOAD(8, 1, 0, 4 * PAGE),	/* 0 */
		DRM_FAULT_SIM_STORE(8, 1, 0, 0),
		DRM_FAULT_SIM_STORE(8, 1, 0, 5 * PAGE),	/* dropped */
		DRM_FAULT_SIM_SET(1, 1000),
		DRM_FAULT_SIM_ATOMIC_ADD(8, 2, 0, 6 * PAGE),
		DRM_FAULT_SIM_ADD(1, 1, -1),
		DRM_FAULT_SIM_JUMP_NONZERO(1, CODE + 6 * 8),
		DRM_FAULT_SIM_SET(3, DATA - PAGE),
		DRM_FAULT_SIM_SET(4, DATA + PAGE),
		DRM_FAULT_SIM_SET(5, 2 * PAGE),
		DRM_FAULT_SIM_COPY(4, 3, 5),	/* one page missing, one copied */
		DRM_FAULT_SIM_STORE(8, 5, 0, 16),
		DRM_FAULT_SIM_END,
	};
	struct drm_fault_record r[64];
	__u64 *data = self->c.data.cpu, total, events = 0, i;

	data[0] = 1;
	data[1] = 0x1234;
	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_run(&self->c, 1, DRM_FAULT_SIM_SUBMIT_NONFATAL));
	EXPECT_EQ(0, data[0]);
	EXPECT_EQ(2 * PAGE, data[2]);
	EXPECT_EQ(0x1234, data[2 * PAGE / 8 + 1]);
	EXPECT_EQ(0, sim_state(&self->c).state);
	EXPECT_EQ(1003, sim_state(&self->c).faults);
	total = sim_faults(&self->c, r, 64);
	ASSERT_EQ(4, total);
	for (i = 0; i < total; i++)
		events += r[i].count;
	EXPECT_EQ(1003, events);
	EXPECT_EQ(0, r[0].flags);
	EXPECT_EQ(DRM_FAULT_ENGINE_COPY, r[0].engine_class);
	EXPECT_STREQ("ring1", r[0].engine);
	EXPECT_EQ(1, DRM_FAULT_SIM_STATUS_NONFATAL(r[0].raw[0]));
	EXPECT_EQ(1, DRM_FAULT_SIM_STATUS_RING(r[0].raw[0]));
}

TEST_HARNESS_MAIN
