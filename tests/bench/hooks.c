// SPDX-License-Identifier: MIT
/*
 * What hooks cost the driver they listen to: functions of the real amdgpu, called
 * with prepared arguments and without their bodies, and opening a node, each with
 * hooks and without. Beside it the shortest submission to the GPU in software, from
 * the call until its fence is seen: the function that is hooked lies on that way,
 * where the scheduler gives a job to its ring. Prints "NAME NANOSECONDS" lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "amdgpu.h"
#include "sim.h"

#define ROUNDS	15
#define CALLS	2000
#define OPENS	40
#define SUBMITS 100

static void die(const char *what, int error)
{
	fprintf(stderr, "hooks: cannot %s: error %d\n", what, error);
	exit(EXIT_FAILURE);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

/* What is timed: one round of @times, all in the kernel where that can be. */
struct bench {
	const char *name;
	void (*run)(struct amdgpu *gpu, unsigned int times);
	unsigned int times;
};

static struct drm_fault_call_make fault_call, submit_call;

static void run_fault(struct amdgpu *gpu, unsigned int times)
{
	int ret;

	fault_call.count = times;
	ret = hooks_make(&gpu->hooks, &fault_call);
	if (ret)
		die("call the fault handler", ret);
}

static void run_submit(struct amdgpu *gpu, unsigned int times)
{
	int ret;

	submit_call.count = times;
	ret = hooks_make(&gpu->hooks, &submit_call);
	if (ret)
		die("call the submission", ret);
}

static void run_open(struct amdgpu *gpu, unsigned int times)
{
	int fd;

	while (times--) {
		fd = hooks_gpu_node(&gpu->hooks);
		if (fd < 0)
			die("open the node", fd);
		close(fd);
	}
}

static const struct bench benches[] = {
	{ "hook-fault", run_fault, CALLS },
	{ "hook-submit", run_submit, CALLS },
	{ "hook-open", run_open, OPENS },
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median_of(struct amdgpu *gpu, const struct bench *bench)
{
	double took[ROUNDS];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		double start = now_ns();

		bench->run(gpu, bench->times);
		took[i] = (now_ns() - start) / bench->times;
	}
	qsort(took, ROUNDS, sizeof(took[0]), compare);
	return took[ROUNDS / 2];
}

static void measure(struct amdgpu *gpu, const char *how)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(benches); i++)
		printf("%s-%s %.0f\n", benches[i].name, how, median_of(gpu, &benches[i]));
}

static void prepare(struct amdgpu *gpu)
{
	static const struct amdgpu_kind fault = { .access = DRM_FAULT_ACCESS_WRITE };
	struct amdgpu_entry entry;
	__u64 job;
	int ret;

	ret = amdgpu_setup(gpu);
	if (ret)
		die("set amdgpu up", ret);
	if (!amdgpu_choose(gpu, 5))
		die("find the fault handler", -ENOENT);
	amdgpu_advance(gpu);
	entry = amdgpu_entry_of(gpu, &fault);
	ret = amdgpu_set_entry(gpu, &entry);
	if (ret)
		die("write an interrupt", ret);
	fault_call.outer = HOOKS_STEP(gpu->symbol, 0, gpu->adev, 0, gpu->entry);

	job = amdgpu_job(gpu, AMDGPU_PASID, AMDGPU_VMID, 0x100000, 64);
	if (!job)
		die("make a job", -ENOMEM);
	submit_call.outer = HOOKS_STEP("amdgpu:amdgpu_ib_schedule", 0, gpu->ring, 1,
				       job + gpu->field[AMDGPU_JOB_IBS].offset, job);
}

static double submission_ns(void)
{
	static const __u64 program[4] = { DRM_FAULT_SIM_END };
	struct sim_client client;
	double took[ROUNDS];
	unsigned int i, j;
	int ret, result;

	ret = hooks_load(DRM_FAULT_SIM_NAME);
	if (!ret)
		ret = sim_open(&client);
	if (ret)
		die("open the GPU in software", ret);
	sim_load(&client, program, sizeof(program));
	for (i = 0; i < ROUNDS; i++) {
		took[i] = 0;
		for (j = 0; j < SUBMITS; j++) {
			double start = now_ns();

			ret = sim_submit(&client, 0, 0);
			if (!ret)
				ret = sim_wait(client.fd, client.done, SOON, &result);
			if (ret)
				die("submit", ret);
			took[i] += now_ns() - start;
		}
		took[i] /= SUBMITS;
	}
	sim_close(&client);
	qsort(took, ROUNDS, sizeof(took[0]), compare);
	return took[ROUNDS / 2];
}

int main(void)
{
	struct amdgpu gpu;
	int ret;

	printf("sim-submit %.0f\n", submission_ns());
	prepare(&gpu);
	measure(&gpu, "on");
	close(gpu.hooks.own);
	close(gpu.hooks.all);
	ret = hooks_unload(DRM_FAULT_SIM_NAME);
	if (!ret)
		ret = hooks_unload("drm_fault");
	if (ret)
		die("unload the hooks", ret);
	measure(&gpu, "off");
	return 0;
}
