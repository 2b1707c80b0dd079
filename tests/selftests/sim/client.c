// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* For scripts: does one thing and prints the result of the job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "sim.h"

static const __u64 endless[4] = { DRM_FAULT_SIM_JUMP(CODE) };

static int fault(struct sim_client *c)
{
	const __u64 program[4] = {
		DRM_FAULT_SIM_SET(0, DATA),
		DRM_FAULT_SIM_STORE(4, 1, 0, DATA_PAGES * PAGE + 0x40),
	};

	return sim_run_words(c, program);
}

static int hang(struct sim_client *c)
{
	return sim_run_words(c, endless);
}

static int faults(struct sim_client *c)
{
	return sim_faults(c, NULL, 0);
}

/* Closes the file, keeps the fence until a line is read. */
static int hold(struct sim_client *c)
{
	struct drm_fault_sim_submit args = {
		.start = CODE,
		.flags = DRM_FAULT_SIM_SUBMIT_FENCE_FD,
	};
	struct sync_file_info info = {};

	sim_load(c, endless, sizeof(endless));
	if (sim_submit_args(c, &args))
		return 1;
	sim_close(c);
	puts("held");
	fflush(stdout);
	getchar();
	return ioctl(args.fence_fd, SYNC_IOC_FILE_INFO, &info) ? 1 : info.status;
}

static const struct {
	const char *name;
	int (*run)(struct sim_client *c);
} commands[] = {
	{ "fault", fault },
	{ "faults", faults },
	{ "hang", hang },
	{ "hold", hold },
};

int main(int argc, char **argv)
{
	struct sim_client c;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (argc != 2 || strcmp(argv[1], commands[i].name))
			continue;
		if (sim_open(&c))
			return 1;
		printf("%d\n", commands[i].run(&c));
		return 0;
	}
	return 2;
}
