// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Real faults of the simulated GPU while it does not report itself (report=0):
 * the hook must give what the helper API gives.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"
#include "sim.h"

#define UNMAPPED	0x5000000000ULL

/* Every way in which a program can go wrong. */
static const struct {
	const char *name;
	__u64 program[4];
	__u32 ring;
	__u32 flags;
} mistakes[] = {
	{ "write", { DRM_FAULT_SIM_SET(0, UNMAPPED), DRM_FAULT_SIM_STORE(4, 1, 0, 0x40) } },
	{ "read", { DRM_FAULT_SIM_SET(0, UNMAPPED), DRM_FAULT_SIM_LOAD(8, 1, 0, 8) } },
	{ "atomic", { DRM_FAULT_SIM_SET(0, UNMAPPED), DRM_FAULT_SIM_ATOMIC_ADD(8, 1, 0, 0) } },
	{ "jump to nothing", { DRM_FAULT_SIM_JUMP(UNMAPPED) } },
	{ "jump to data", { DRM_FAULT_SIM_JUMP(DATA + 16) } },
	{ "write to code", { DRM_FAULT_SIM_SET(0, CODE), DRM_FAULT_SIM_STORE(8, 1, 0, 0) } },
	{ "misaligned", { DRM_FAULT_SIM_SET(0, DATA), DRM_FAULT_SIM_LOAD(4, 1, 0, 2) } },
	{ "no instruction", { DRM_FAULT_SIM_NOP, 0 } },
	{ "on the other ring", { DRM_FAULT_SIM_SET(0, UNMAPPED),
				 DRM_FAULT_SIM_LOAD(8, 1, 0, 0) }, 1 },
	{ "goes on", { DRM_FAULT_SIM_SET(0, UNMAPPED), DRM_FAULT_SIM_STORE(1, 1, 0, 1),
		       DRM_FAULT_SIM_END }, 0, DRM_FAULT_SIM_SUBMIT_NONFATAL },
};

static const __u64 endless = DRM_FAULT_SIM_JUMP(CODE);

static int load(const char *parameters)
{
	char words[64];
	int ret = hooks_unload(DRM_FAULT_SIM_NAME);

	snprintf(words, sizeof(words), DRM_FAULT_SIM_NAME " %s", parameters);
	ret = ret ?: hooks_load(words);
	return ret ?: system("udevadm settle") ? -EIO : 0;
}

/**
 * struct fault - a file with a fault
 * @client: the file
 * @own: its stream
 * @record: what was read there first
 */
struct fault {
	struct sim_client client;
	int own;
	struct drm_fault_record record;
};

static int open_client(struct fault *fault)
{
	int ret = sim_open(&fault->client);

	if (ret)
		return ret;
	fault->own = road_stream(DRM_FAULT_SCOPE_FILE, fault->client.fd);
	return fault->own < 0 ? fault->own : 0;
}

static void close_client(struct fault *fault)
{
	close(fault->own);
	sim_close(&fault->client);
}

/* The only record, which stream and snapshot agree on. */
static int only_record(struct fault *fault)
{
	struct drm_fault_record again[2];
	struct drm_fault_snapshot args;
	int ret = hooks_record(fault->own, &fault->record);

	if (ret)
		return ret;
	if (road_read(fault->own, again, ROAD_RECORD) != -EAGAIN)
		return -EEXIST;
	ret = road_snapshot(fault->own, &args, again, 2);
	if (ret)
		return ret;
	return args.total != 1 || hooks_differ(&fault->record, again) ? -EIO : 0;
}

static int make_mistake(struct fault *fault, unsigned int i)
{
	int ret = open_client(fault);

	if (ret)
		return ret;
	sim_load(&fault->client, mistakes[i].program, sizeof(mistakes[i].program));
	ret = sim_run(&fault->client, mistakes[i].ring, mistakes[i].flags);
	if (ret != (mistakes[i].flags ? 0 : -EFAULT))
		return -EPROTO;
	return only_record(fault);
}

/* What is another in each run, and known here, is made the same. */
static int settle(struct fault *fault)
{
	struct drm_fault_record *record = &fault->record;

	if (record->job_context != fault->client.last.fence_context || !record->context_id)
		return -EIO;
	record->job_context = 0;
	record->client_id = 0;
	return 0;
}

FIXTURE(sim) {
	struct fault fault;
	struct drm_fault_record reported[ARRAY_SIZE(mistakes)];
	struct drm_fault_record record;
};

FIXTURE_SETUP(sim)
{
	ASSERT_EQ(0, hooks_load("drm_fault"));
}

FIXTURE_TEARDOWN(sim)
{
	hooks_unload(DRM_FAULT_SIM_NAME);
}

TEST_F_TIMEOUT(sim, hook_records_what_the_driver_would_report, 120)
{
	unsigned int i;

	ASSERT_EQ(0, load("report=1"));
	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		ASSERT_EQ(0, make_mistake(&self->fault, i)) TH_LOG("%s", mistakes[i].name);
		ASSERT_EQ(0, settle(&self->fault));
		self->reported[i] = self->fault.record;
		close_client(&self->fault);
	}
	ASSERT_EQ(0, load("report=0"));
	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		ASSERT_EQ(0, make_mistake(&self->fault, i)) TH_LOG("%s", mistakes[i].name);
		ASSERT_EQ(0, settle(&self->fault));
		EXPECT_RECORD(&self->reported[i], &self->fault.record)
			TH_LOG("%s", mistakes[i].name);
		EXPECT_EQ(getpid(), self->fault.record.pid);
		close_client(&self->fault);
	}
}

static int hang(struct fault *fault, struct drm_fault_record records[2])
{
	int ret = open_client(fault);
	unsigned int i;

	if (ret)
		return ret;
	sim_load(&fault->client, &endless, sizeof(endless));
	if (sim_timeout(TIMEOUT_SHORT_MS) ||
	    sim_run(&fault->client, 0, 0) != -ETIMEDOUT)
		ret = -EPROTO;
	for (i = 0; !ret && i < 2; i++) {
		ret = hooks_record(fault->own, &fault->record);
		ret = ret ?: settle(fault);
		records[i] = fault->record;
	}
	close_client(fault);
	return ret;
}

TEST_F_TIMEOUT(sim, hook_records_timeout_and_reset, 60)
{
	struct drm_fault_record records[2];

	ASSERT_EQ(0, load("report=1"));
	ASSERT_EQ(0, hang(&self->fault, self->reported));
	ASSERT_EQ(0, load("report=0"));
	ASSERT_EQ(0, hang(&self->fault, records));
	EXPECT_EQ(DRM_FAULT_RECORD_TIMEOUT, records[0].type);
	EXPECT_EQ(DRM_FAULT_RECORD_RESET, records[1].type);
	EXPECT_RECORD(&self->reported[0], &records[0]);
	EXPECT_RECORD(&self->reported[1], &records[1]);
}

/* Opens the GPU, listens to itself, and hears nothing but its own fault. */
static int other_process(int talk)
{
	struct drm_fault_record record;
	struct fault fault;
	int self = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (self < 0 || open_client(&fault))
		return 1;
	if (write(talk, "", 1) != 1 || read(talk, &byte, 1) != 1)
		return 2;
	if (hooks_record(self, &record) != -EAGAIN ||
	    hooks_record(fault.own, &record) != -EAGAIN)
		return 3;
	sim_load(&fault.client, mistakes[1].program, sizeof(mistakes[1].program));
	if (sim_run(&fault.client, 0, 0) != -EFAULT)
		return 4;
	return hooks_record(self, &record) || record.pid != getpid() ? 5 : 0;
}

TEST_F_TIMEOUT(sim, faults_are_private, 60)
{
	int ends[2], self_stream;
	char byte;
	pid_t child;

	ASSERT_EQ(0, load("report=0"));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	child = fork();
	if (!child)
		_exit(other_process(ends[1]));
	ASSERT_EQ(1, read(ends[0], &byte, 1));
	self_stream = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	ASSERT_EQ(0, make_mistake(&self->fault, 0));
	ASSERT_EQ(0, hooks_record(self_stream, &self->record));
	EXPECT_RECORD(&self->fault.record, &self->record);
	ASSERT_EQ(1, write(ends[0], "", 1));
	EXPECT_EQ(0, road_wait(child));
	EXPECT_NO_RECORD(self_stream);
	EXPECT_NO_RECORD(self->fault.own);
	close_client(&self->fault);
}

TEST_F_TIMEOUT(sim, file_has_its_own_faults_alone, 60)
{
	struct fault other;

	ASSERT_EQ(0, load("report=0"));
	ASSERT_EQ(0, open_client(&other));
	ASSERT_EQ(0, make_mistake(&self->fault, 0));
	EXPECT_NO_RECORD(other.own);
	close_client(&other);
	close_client(&self->fault);
}

/* It reports itself as well as can be: the hook must not add a second reporter. */
TEST_F_TIMEOUT(sim, driver_that_reports_has_one_reporter, 60)
{
	struct drm_fault_info info;

	ASSERT_EQ(0, load("report=1"));
	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(1, info.device_count);
	ASSERT_EQ(0, load("report=0"));
	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(1, info.device_count);
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(0, info.device_count);
}

TEST_F_TIMEOUT(sim, stream_drains_and_ends_when_the_gpu_is_unbound, 60)
{
	const char *driver = "/sys/bus/platform/drivers/" DRM_FAULT_SIM_NAME;
	char path[128];

	ASSERT_EQ(0, load("report=0"));
	ASSERT_EQ(0, open_client(&self->fault));
	sim_load(&self->fault.client, mistakes[0].program, sizeof(mistakes[0].program));
	ASSERT_EQ(-EFAULT, sim_run(&self->fault.client, 0, 0));
	snprintf(path, sizeof(path), "%s/unbind", driver);
	ASSERT_EQ(0, sim_write_file(path, DRM_FAULT_SIM_NAME));
	EXPECT_EQ(0, hooks_record(self->fault.own, &self->record));
	EXPECT_EQ(-ENODEV, hooks_record(self->fault.own, &self->record));
	close_client(&self->fault);

	snprintf(path, sizeof(path), "%s/bind", driver);
	ASSERT_EQ(0, sim_write_file(path, DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, system("udevadm settle"));
	EXPECT_EQ(0, make_mistake(&self->fault, 0));
	close_client(&self->fault);
}

TEST_HARNESS_MAIN
