// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "crash.h"
#include "program.h"

#define DIR_MODE    0700
#define FILE_MODE   0600
#define SAME_SECOND 100
#define DATE_SIZE   32

/* As the kernel prints it, but without dashes. */
static void read_boot_id(char *to, size_t size)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	size_t used = 0;
	int c;

	while (file && (c = getc(file)) != EOF && used + 1 < size)
		if (c != '-' && c != '\n')
			to[used++] = (char)c;
	to[used] = 0;
	if (file)
		fclose(file);
}

static void tell_meta(struct drmfault_dump_meta *meta)
{
	struct utsname names;

	*meta = (struct drmfault_dump_meta){
		.size = sizeof(*meta),
		.monotonic_ns = clock_ns(CLOCK_MONOTONIC),
		.realtime_ns = clock_ns(CLOCK_REALTIME),
	};
	read_boot_id(meta->boot_id, sizeof(meta->boot_id));
	if (uname(&names))
		return;
	snprintf(meta->release, sizeof(meta->release), "%.*s", (int)sizeof(meta->release) - 1,
		 names.release);
	snprintf(meta->machine, sizeof(meta->machine), "%.*s", (int)sizeof(meta->machine) - 1,
		 names.machine);
}

static void tell_application(const struct device *device,
			     struct drmfault_dump_application *application)
{
	const VkApplicationInfo *from = &device->instance->application;
	const VkPhysicalDeviceProperties *properties = &device->properties;

	*application = (struct drmfault_dump_application){
		.size = sizeof(*application),
		.application_name = from->pApplicationName,
		.engine_name = from->pEngineName,
		.device_name = properties->deviceName,
		.application_version = from->applicationVersion,
		.engine_version = from->engineVersion,
		.api_version = from->apiVersion,
		.driver_version = properties->driverVersion,
		.vendor_id = properties->vendorID,
		.device_id = properties->deviceID,
	};
	memcpy(application->pipeline_cache_uuid, properties->pipelineCacheUUID, VK_UUID_SIZE);
}

/* 0, or a negative errno. */
static int write_content(const struct crash *crash, const char *host, size_t host_size, int fd)
{
	const struct drmfault_dump_part part = {
		.type = DRMFAULT_DUMP_HOST,
		.length = host_size,
		.bytes = host,
	};
	struct drmfault_dump_device gpu = { .size = sizeof(gpu) };
	struct drmfault_dump_application application;
	struct drmfault_binding_list *list = NULL;
	struct drmfault_dump_meta meta;
	struct drmfault_dump_content content = {
		.size = sizeof(content),
		.meta = &meta,
		.snapshot = crash->snapshot,
		.application = &application,
		.parts = &part,
		.part_count = 1,
	};
	int ret;

	tell_meta(&meta);
	tell_application(crash->device, &application);
	if (crash->dump && !drmfault_dump_device(crash->dump, 0, &gpu))
		content.device = &gpu;
	if (crash->device->bindings && !drmfault_bindings_export(crash->device->bindings, &list)) {
		content.bindings = drmfault_binding_list_bindings(list);
		content.binding_count = drmfault_binding_list_count(list);
	}
	ret = drmfault_dump_write_fd(&content, fd);
	drmfault_binding_list_free(list);
	return ret;
}

/* Makes it with all that is above it, of which much is there that may not be made. */
static int make_dirs(char *path)
{
	char *at;

	for (at = path + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(path, DIR_MODE);
		*at = '/';
	}
	return mkdir(path, DIR_MODE) && errno != EEXIST ? -errno : 0;
}

/* The folder of the settings, else that of the user's state; false: there is none. */
static bool find_dir(const struct settings *settings, char *dir, size_t size)
{
	const char *state = secure_getenv("XDG_STATE_HOME"), *home = secure_getenv("HOME");
	int length;

	if (settings->report_dir[0])
		length = snprintf(dir, size, "%s", settings->report_dir);
	else if (state && *state == '/')
		length = snprintf(dir, size, "%s/drmfault", state);
	else if (home && *home == '/')
		length = snprintf(dir, size, "%s/.local/state/drmfault", home);
	else
		return false;
	return length > 0 && (size_t)length < size;
}

/* The program's name in letters that no shell and no file system minds. */
static void file_name(char name[PROGRAM_NAME_SIZE])
{
	size_t i;

	program_name(name, PROGRAM_NAME_SIZE);
	for (i = 0; name[i]; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-",
			    name[i]))
			name[i] = '_';
}

/* Never one that is there: a descriptor, or a negative errno. */
static int create_file(const char *dir, char *path, size_t size)
{
	char name[PROGRAM_NAME_SIZE], date[DATE_SIZE], more[DATE_SIZE] = "";
	time_t now = time(NULL);
	int i, fd, length;
	struct tm tm;

	file_name(name);
	gmtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	for (i = 1; i <= SAME_SECOND; i++) {
		length = snprintf(path, size, "%s/%s-%s-%d%s.drmfault", dir, date, name,
				  (int)getpid(), more);
		if (length < 0 || (size_t)length >= size)
			return -ENAMETOOLONG;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
		if (fd >= 0 || errno != EEXIST)
			return fd >= 0 ? fd : -errno;
		snprintf(more, sizeof(more), "-%d", i);
	}
	return -EEXIST;
}

static int write_file(const struct crash *crash, int fd)
{
	char *host = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&host, &size);
	int ret = -ENOMEM;

	if (to) {
		crash_print_host(crash, to);
		ret = fclose(to) ? -ENOMEM : write_content(crash, host, size, fd);
	}
	free(host);
	return close(fd) && !ret ? -errno : ret;
}

void crash_write(struct crash *crash)
{
	char dir[PATH_MAX];
	int fd, ret;

	if (!find_dir(&crash->device->instance->settings, dir, sizeof(dir))) {
		fputs("drm_fault layer: no crash report: neither XDG_STATE_HOME nor HOME says "
		      "where to; set DRMFAULT_LAYER_REPORT_DIR\n",
		      stderr);
		return;
	}
	ret = make_dirs(dir);
	fd = ret ? ret : create_file(dir, crash->path, sizeof(crash->path));
	if (fd >= 0) {
		ret = write_file(crash, fd);
		if (!ret)
			return;
		/* What is not whole is not left. */
		unlink(crash->path);
	} else {
		ret = fd;
	}
	fprintf(stderr,
		"drm_fault layer: no crash report in %s: %s; set DRMFAULT_LAYER_REPORT_DIR to "
		"another folder\n",
		dir, strerror(-ret));
	crash->path[0] = 0;
}
