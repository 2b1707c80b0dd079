// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "doctor.h"
#include "tool_machine.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

char fake_sys[64];

const struct fake_hook fake_hooks[] = {
	{ "amdgpu", "gmc_v9", "amdgpu", "fault", "attached", NULL },
	{ "amdgpu", "gmc_v12", "amdgpu", "fault", "absent", NULL },
	{ "amdgpu", "update_fault_cache", "amdgpu", "status", "differs", NULL },
	{ "xe", "pagefault", "xe", "fault status", "failed", "-95" },
	{ "xe", "cat_error", "xe", "fault", "absent", NULL },
	{ "i915", "error_state", "i915", "fault", "waiting", NULL },
	{ "i915", "_dev_err", "vmlinux", "status", "attached", NULL },
	{ "iommu", "io_page_fault", "vmlinux", "fault", "absent", NULL },
	{ "iommu", "dmar_fault", "vmlinux", "fault", "attached", NULL },
	{ "wedged", "drm_dev_wedged_event", "drm", "hang", "attached", NULL },
};

const size_t fake_hook_count = ARRAY_SIZE(fake_hooks);

void fake_file(const char *text, const char *format, ...)
{
	char path[512], *slash;
	va_list args;
	FILE *out;
	int length = snprintf(path, sizeof(path), "%s/", fake_sys);

	va_start(args, format);
	vsnprintf(path + length, sizeof(path) - (size_t)length, format, args);
	va_end(args);
	for (slash = strchr(path + length, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0700) || errno == EEXIST);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void add_hook(const struct fake_hook *hook)
{
	const struct {
		const char *name, *text;
	} files[] = {
		{ "symbol", hook->symbol },
		{ "module", hook->module },
		{ "kind", strcmp(hook->symbol, "io_page_fault") ? "entry" : "tracepoint" },
		{ "provides", hook->gives },
		{ "state", hook->state },
		{ "error", hook->error ? hook->error : "0" },
		{ "checked", strcmp(hook->state, "attached") ? "0" : "1" },
		{ "prototype", "void (void)" },
		{ "found", strcmp(hook->state, "differs") ? "" : "int (long int)" },
		{ "hits", "7" },
		{ "drops", "2" },
		{ "missed", "0" },
	};
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(text, sizeof(text), "%s\n", files[i].text);
		fake_file(text, "%s/%s/%s/%s", HOOKS_FOLDER, hook->set, hook->symbol,
			  files[i].name);
	}
}

static void add_set(const char *name, const char *driver, const char *layout)
{
	char text[128];

	snprintf(text, sizeof(text), "%s\n", driver);
	fake_file(text, "%s/%s/driver", HOOKS_FOLDER, name);
	fake_file(layout, "%s/%s/layout", HOOKS_FOLDER, name);
}

void fake_card(unsigned int minor, const char *bus, const char *driver, bool renders)
{
	char path[256], target[256];

	fake_file("", "devices/%s/drm/card%u/dev", bus, minor);
	if (renders)
		fake_file("", "devices/%s/drm/renderD%u/dev", bus, 128 + minor);
	fake_file("", "drivers/%s/bind", driver);
	snprintf(path, sizeof(path), "%s/devices/%s/driver", fake_sys, bus);
	snprintf(target, sizeof(target), "%s/drivers/%s", fake_sys, driver);
	assert_int_equal(symlink(target, path), 0);
	fake_file("", "%s/card%u/dev", CARDS_FOLDER, minor);
	fake_file("", "%s/card%u-HDMI-A-1/status", CARDS_FOLDER, minor);
	snprintf(path, sizeof(path), "%s/%s/card%u/device", fake_sys, CARDS_FOLDER, minor);
	snprintf(target, sizeof(target), "%s/devices/%s", fake_sys, bus);
	assert_int_equal(symlink(target, path), 0);
}

int fake_machine_begin(void **state)
{
	size_t i;

	(void)state;
	strcpy(fake_sys, "/tmp/drmfault-doctor.XXXXXX");
	if (!mkdtemp(fake_sys))
		return -1;
	for (i = 0; i < fake_hook_count; i++)
		add_hook(&fake_hooks[i]);
	add_set("amdgpu", "amdgpu", "amdgpu_vm.pasid 728\namdgpu_job.vm -2\namdgpu_iv_entry 80\n");
	add_set("xe", "xe", "xe_vm.usm -2\n");
	add_set("i915", "i915", "i915_gpu_coredump.gt -2\n");
	add_set("iommu", "", "intel_iommu.cap -34\n");
	add_set("wedged", "", "drm_wedge_task_info.pid 0\n");
	return 0;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

int fake_machine_end(void **state)
{
	(void)state;
	return nftw(fake_sys, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
