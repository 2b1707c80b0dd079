// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* What programs do wrong, each mistake alone, and the record of it. */
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(mistake) {
	struct sim_client c;
};

FIXTURE_VARIANT(mistake) {
	__u64 program[4];
	__u64 address, precision, ip;
	__u32 access, type, ip_type, level, cause;
};

/* The last instruction is the mistake, at CODE + 8 where a register is set first. */
#define AT(where, bytes)	.address = (where), .precision = (bytes), .ip = CODE + 8, \
				.ip_type = DRM_FAULT_IP_FAULT
#define FETCH			.precision = 8, .ip_type = DRM_FAULT_IP_INVALID, \
				.access = DRM_FAULT_ACCESS_EXECUTE
#define NOT_PRESENT(where)	.type = DRM_FAULT_TYPE_NOT_PRESENT, .level = (where), \
				.cause = DRM_FAULT_SIM_CAUSE_NOT_PRESENT
#define PERMISSION		.type = DRM_FAULT_TYPE_PERMISSION, .level = 1, \
				.cause = DRM_FAULT_SIM_CAUSE_PERMISSION
#define ALIGNMENT		.type = DRM_FAULT_TYPE_OTHER, .level = 0, \
				.cause = DRM_FAULT_SIM_CAUSE_ALIGNMENT

FIXTURE_VARIANT_ADD(mistake, write_past_end) {
	.program = { DRM_FAULT_SIM_SET(0, DATA),
		     DRM_FAULT_SIM_STORE(4, 1, 0, DATA_PAGES * PAGE + 0x40) },
	AT(DATA + DATA_PAGES * PAGE + 0x40, 4),
	.access = DRM_FAULT_ACCESS_WRITE, NOT_PRESENT(1),
};

FIXTURE_VARIANT_ADD(mistake, read_below) {
	.program = { DRM_FAULT_SIM_SET(5, DATA + (2 << 20)), DRM_FAULT_SIM_LOAD(8, 1, 5, -8) },
	AT(DATA + (2 << 20) - 8, 8), .access = DRM_FAULT_ACCESS_READ, NOT_PRESENT(1),
};

FIXTURE_VARIANT_ADD(mistake, read_in_another_table) {
	.program = { DRM_FAULT_SIM_SET(5, DATA + (2 << 20)), DRM_FAULT_SIM_LOAD(2, 1, 5, 2) },
	AT(DATA + (2 << 20) + 2, 2), .access = DRM_FAULT_ACCESS_READ, NOT_PRESENT(2),
};

FIXTURE_VARIANT_ADD(mistake, read_far_away) {
	.program = { DRM_FAULT_SIM_SET(5, DATA + (1 << 30)), DRM_FAULT_SIM_LOAD(8, 1, 5, 0) },
	AT(DATA + (1 << 30), 8), .access = DRM_FAULT_ACCESS_READ, NOT_PRESENT(3),
};

FIXTURE_VARIANT_ADD(mistake, read_last_byte_there_is) {
	.program = { DRM_FAULT_SIM_SET(5, 0), DRM_FAULT_SIM_LOAD(1, 1, 5, -1) },
	AT(ALL_ADDRESSES - 1, 1), .access = DRM_FAULT_ACCESS_READ, NOT_PRESENT(4),
};

FIXTURE_VARIANT_ADD(mistake, atomic_to_nothing) {
	.program = { DRM_FAULT_SIM_SET(5, DATA), DRM_FAULT_SIM_ATOMIC_ADD(8, 1, 5, -8) },
	AT(DATA - 8, 8), .access = DRM_FAULT_ACCESS_ATOMIC, NOT_PRESENT(2),
};

FIXTURE_VARIANT_ADD(mistake, wait_for_nothing) {
	.program = { DRM_FAULT_SIM_SET(5, 0), DRM_FAULT_SIM_WAIT_WHILE(4, 1, 5, 0) },
	AT(0, 4), .access = DRM_FAULT_ACCESS_READ, NOT_PRESENT(1),
};

FIXTURE_VARIANT_ADD(mistake, write_to_read_only) {
	.program = { DRM_FAULT_SIM_SET(5, CODE), DRM_FAULT_SIM_STORE(8, 1, 5, 0) },
	AT(CODE, 8), .access = DRM_FAULT_ACCESS_WRITE, PERMISSION,
};

FIXTURE_VARIANT_ADD(mistake, atomic_to_read_only) {
	.program = { DRM_FAULT_SIM_SET(5, CODE), DRM_FAULT_SIM_ATOMIC_ADD(4, 1, 5, 4) },
	AT(CODE + 4, 4), .access = DRM_FAULT_ACCESS_ATOMIC, PERMISSION,
};

FIXTURE_VARIANT_ADD(mistake, load_misaligned) {
	.program = { DRM_FAULT_SIM_SET(5, DATA), DRM_FAULT_SIM_LOAD(4, 1, 5, 2) },
	AT(DATA + 2, 4), .access = DRM_FAULT_ACCESS_READ, ALIGNMENT,
};

FIXTURE_VARIANT_ADD(mistake, execute_data) {
	.program = { DRM_FAULT_SIM_JUMP(DATA + 16) },
	.address = DATA + 16, .ip = DATA + 16, FETCH, PERMISSION,
};

FIXTURE_VARIANT_ADD(mistake, execute_nothing) {
	.program = { DRM_FAULT_SIM_JUMP(CODE + PAGE) },
	.address = CODE + PAGE, .ip = CODE + PAGE, FETCH, NOT_PRESENT(1),
};

FIXTURE_VARIANT_ADD(mistake, execute_misaligned) {
	.program = { DRM_FAULT_SIM_JUMP(CODE + 4) },
	.address = CODE + 4, .ip = CODE + 4, FETCH, ALIGNMENT,
};

FIXTURE_VARIANT_ADD(mistake, no_instruction) {
	.program = { DRM_FAULT_SIM_NOP, 0 },
	AT(CODE + 8, 8), .access = DRM_FAULT_ACCESS_EXECUTE,
	.type = DRM_FAULT_TYPE_INVALID_FORMAT, .cause = DRM_FAULT_SIM_CAUSE_INSTRUCTION,
};

FIXTURE_SETUP(mistake)
{
	ASSERT_EQ(0, sim_open(&self->c));
}

FIXTURE_TEARDOWN(mistake)
{
	sim_close(&self->c);
}

TEST_F(mistake, is_recorded)
{
	struct drm_fault_record r[2] = {};

	sim_load(&self->c, variant->program, sizeof(variant->program));
	ASSERT_EQ(-EFAULT, sim_run(&self->c, 0, 0));
	ASSERT_EQ(1, sim_faults(&self->c, r, 2));
	EXPECT_EQ(DRM_FAULT_RECORD_FAULT, r->type);
	EXPECT_EQ(DRM_FAULT_RECORD_F_FATAL, r->flags);
	EXPECT_EQ(1, r->count);
	EXPECT_EQ(variant->address, r->address);
	EXPECT_EQ(variant->precision, r->address_precision);
	EXPECT_EQ(variant->access, r->access);
	EXPECT_EQ(variant->type, r->fault_type);
	EXPECT_EQ(variant->level, r->level);
	EXPECT_EQ(variant->ip, r->ip);
	EXPECT_EQ(8, r->ip_precision);
	EXPECT_EQ(variant->ip_type, r->ip_type);
	EXPECT_EQ(variant->cause, DRM_FAULT_SIM_STATUS_CAUSE(r->raw[0]));
	EXPECT_EQ(variant->precision, DRM_FAULT_SIM_STATUS_SIZE(r->raw[0]));
	EXPECT_EQ(0, DRM_FAULT_SIM_STATUS_NONFATAL(r->raw[0]));
}

FIXTURE(faults) {
	struct sim_client c;
};

FIXTURE_SETUP(faults)
{
	ASSERT_EQ(0, sim_open(&self->c));
	ASSERT_EQ(0, sim_timeout(TIMEOUT_LONG_MS));
}

FIXTURE_TEARDOWN(faults)
{
	sim_close(&self->c);
	sim_timeout(TIMEOUT_DEFAULT_MS);
}

TEST_F(faults, record_names_the_job)
{
	struct drm_fault_record r = {};
	const __u64 word = DRM_FAULT_SIM_STORE(1, 2, 3, 0);

	sim_load(&self->c, &word, sizeof(word));
	ASSERT_EQ(-EFAULT, sim_run(&self->c, 1, 0));
	ASSERT_EQ(1, sim_faults(&self->c, &r, 1));
	EXPECT_EQ(DRM_FAULT_ENGINE_COPY, r.engine_class);
	EXPECT_EQ(0, r.engine_instance);
	EXPECT_STREQ("ring1", r.engine);
	EXPECT_EQ(1, DRM_FAULT_SIM_STATUS_RING(r.raw[0]));
	EXPECT_EQ(getpid(), (pid_t)r.pid);
	EXPECT_EQ(DRM_FAULT_SIM_ADDRESS_BITS, r.address_bits);
	EXPECT_EQ(DRM_FAULT_RAW_SIM, r.raw_format);
	EXPECT_EQ(2, r.raw_count);
	EXPECT_EQ(word, r.raw[1]);
	EXPECT_EQ(self->c.last.fence_context, r.job_context);
	EXPECT_EQ(self->c.last.fence_seqno, r.job_seqno);
}

/* The table of the last level goes with its last page. */
TEST_F(faults, level_rises_with_unmap)
{
	const __u64 program[4] = { DRM_FAULT_SIM_SET(5, DATA), DRM_FAULT_SIM_LOAD(8, 1, 5, 0) };
	struct drm_fault_record r = {};

	ASSERT_EQ(0, sim_unmap(self->c.fd, DATA, DATA_PAGES * PAGE));
	ASSERT_EQ(-EFAULT, sim_run_words(&self->c, program));
	ASSERT_EQ(1, sim_faults(&self->c, &r, 1));
	EXPECT_EQ(DRM_FAULT_TYPE_NOT_PRESENT, r.fault_type);
	EXPECT_EQ(4, r.level);
}

TEST_F(faults, no_instructions)
{
	const __u64 words[] = {
		0, ~0ULL, DRM_FAULT_SIM_END | 1, DRM_FAULT_SIM_NOP | 1ULL << 52,
		DRM_FAULT_SIM_SET(0, 0) | 1ULL << 48, DRM_FAULT_SIM_SET_HIGH(0, 0) | 1ULL << 16,
		DRM_FAULT_SIM_ADD(0, 0, 0) | 1ULL << 46,
		DRM_FAULT_SIM_LOAD(8, 0, 0, 0) | 1ULL << 40,
		DRM_FAULT_SIM_ATOMIC_ADD(1, 0, 0, 0), DRM_FAULT_SIM_ATOMIC_ADD(2, 0, 0, 0),
		DRM_FAULT_SIM_COPY(0, 0, 0) | 1, DRM_FAULT_SIM_JUMP(0) | 1ULL << 52,
		DRM_FAULT_SIM_WAIT_US(0) | 1ULL << 32, 0x0eULL << 56, 0x80ULL << 56,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		sim_load(&self->c, &words[i], sizeof(words[i]));
		/* Fatal, also where faults of data are not. */
		EXPECT_EQ(-EFAULT, sim_run(&self->c, 0, DRM_FAULT_SIM_SUBMIT_NONFATAL))
			TH_LOG("word %u", i);
		EXPECT_EQ(0, sim_recover(&self->c));
	}
	EXPECT_EQ(ARRAY_SIZE(words), sim_state(&self->c).faults);
}

TEST_F(faults, copy_stops_at_the_byte)
{
	const __u64 program[4] = {
		DRM_FAULT_SIM_SET(0, DATA + 3 * PAGE + 13),
		DRM_FAULT_SIM_SET(1, DATA),
		DRM_FAULT_SIM_SET(2, PAGE),
		DRM_FAULT_SIM_COPY(0, 1, 2),
	};
	unsigned char *data = self->c.data.cpu;
	struct drm_fault_record r = {};

	memset(data, 0xaa, DATA_PAGES * PAGE);
	memset(data, 0x55, PAGE);
	ASSERT_EQ(-EFAULT, sim_run_words(&self->c, program));
	ASSERT_EQ(1, sim_faults(&self->c, &r, 1));
	EXPECT_EQ(DATA + 4 * PAGE, r.address);
	EXPECT_EQ(1, r.address_precision);
	EXPECT_EQ(DRM_FAULT_ACCESS_WRITE, r.access);
	EXPECT_EQ(CODE + 24, r.ip);
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
		DRM_FAULT_SIM_COPY(4, 3, 5),		/* one page of two */
		DRM_FAULT_SIM_STORE(8, 5, 0, 16),
		DRM_FAULT_SIM_END,
	};
	struct drm_fault_record r[8];
	__u64 *data = self->c.data.cpu, events = 0;
	int total, i;

	data[0] = 1;
	data[1] = 0x1234;
	sim_load(&self->c, program, sizeof(program));
	ASSERT_EQ(0, sim_run(&self->c, 0, DRM_FAULT_SIM_SUBMIT_NONFATAL));
	EXPECT_EQ(0, data[0]);
	EXPECT_EQ(2 * PAGE, data[2]);
	EXPECT_EQ(0, data[PAGE / 8 + 1]);
	EXPECT_EQ(0x1234, data[2 * PAGE / 8 + 1]);
	EXPECT_EQ(0, sim_state(&self->c).state);
	EXPECT_EQ(1003, sim_state(&self->c).faults);

	total = sim_faults(&self->c, r, 8);
	ASSERT_EQ(4, total);
	for (i = 0; i < total; i++) {
		events += r[i].count;
		EXPECT_EQ(0, r[i].flags);
		EXPECT_EQ(1, DRM_FAULT_SIM_STATUS_NONFATAL(r[i].raw[0]));
	}
	EXPECT_EQ(1003, events);
}

TEST_HARNESS_MAIN
