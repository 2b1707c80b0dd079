// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A driver's own dump of a GPU and that of drm_fault.ko: neither takes the place of
 * the other, whichever comes first.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dumps.h"
#include "hooks.h"
#include "kselftest_harness.h"

/* How the devices are called that dumps are of. */
#define OURS	"drm_fault_dump."
#define THEIRS	"drm_fault_fake"

/* GFP_KERNEL is spelled alike in all kernels: direct reclaim, kswapd, io, fs. */
#define GFP_KERNEL	0xcc0
#define DATA_SIZE	4096

#define TRIES	50
#define PAUSE_US	100000

static const struct hooks_driver driver = {
	.module = "gpu_sched",
	.name = DRM_FAULT_SIM_NAME,
	.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
	.symbols = { NULL },
};

FIXTURE(own)
{
	struct hooks hooks;
};

/* How many dumps there are of such devices; ends them if that is wanted. */
static int count_dumps(const char *device, bool end)
{
	DIR *dir = opendir(DUMPS);
	struct dirent *entry;
	int count = 0;

	while (dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "devcd", 5) || !is_dump_of(entry->d_name, device))
			continue;
		count++;
		if (end)
			end_dump(entry->d_name);
	}
	if (dir)
		closedir(dir);
	return count;
}

static bool comes(const char *device)
{
	int i;

	for (i = 0; i < TRIES; i++) {
		if (count_dumps(device, false) == 1)
			return true;
		usleep(PAUSE_US);
	}
	return false;
}

static int fault(const struct hooks *hooks)
{
	static const char words[] = "access=1 type=1 address=0x1000 precision=8\n";
	char path[96];
	int fd, ret;

	snprintf(path, sizeof(path), "/sys/kernel/debug/drm_fault/gpu%u/inject", hooks->reporter);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, words, strlen(words)) == strlen(words) ? 0 : -errno;
	close(fd);
	return ret;
}

/* As a driver does, which then has nothing more to do with the memory. */
static int drivers_dump(struct hooks *hooks)
{
	static const char *const names[] = { "vzalloc", "vzalloc_noprof" };
	__u64 data = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names) && !data; i++)
		if (hooks_symbol(hooks, names[i]))
			hooks_run(hooks, names[i], &data, HOOKS_ARGS(DATA_SIZE));
	if (!data)
		return -ENOMEM;
	return hooks_run(hooks, "dev_coredumpv", NULL,
			 HOOKS_ARGS(hooks->gpu.device, data, DATA_SIZE, GFP_KERNEL));
}

FIXTURE_SETUP(own)
{
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, hooks_setup(&self->hooks, &driver));
	count_dumps(OURS, true);
	count_dumps(THEIRS, true);
}

FIXTURE_TEARDOWN(own)
{
	count_dumps(OURS, true);
	count_dumps(THEIRS, true);
	hooks_teardown(&self->hooks);
}

TEST_F(own, ours_first)
{
	ASSERT_EQ(0, fault(&self->hooks));
	ASSERT_TRUE(comes(OURS));
	ASSERT_EQ(0, drivers_dump(&self->hooks));
	EXPECT_TRUE(comes(THEIRS));
	EXPECT_EQ(1, count_dumps(OURS, false));
}

TEST_F(own, theirs_first)
{
	ASSERT_EQ(0, drivers_dump(&self->hooks));
	ASSERT_TRUE(comes(THEIRS));
	ASSERT_EQ(0, fault(&self->hooks));
	EXPECT_TRUE(comes(OURS));
	EXPECT_EQ(1, count_dumps(THEIRS, false));
}

TEST_HARNESS_MAIN
