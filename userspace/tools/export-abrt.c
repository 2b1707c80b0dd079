// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "export.h"
#include "pack.h"

#define FOLDER_MODE 0750
#define FILE_MODE   0640

/* One file of a problem directory; the first error of all is kept. */
struct problem {
	int fd;
	int error;
};

static void put_bytes(struct problem *problem, const char *name, const void *bytes, size_t size)
{
	int fd = openat(problem->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE), ret;

	ret = fd < 0 ? -errno : write_all(fd, bytes, size);
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (!problem->error)
		problem->error = ret;
}

/* What is not known has no file. */
static void put(struct problem *problem, const char *name, const char *text)
{
	if (*text)
		put_bytes(problem, name, text, strlen(text));
}

static void put_number(struct problem *problem, const char *name, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	put(problem, name, text);
}

/* "amdgpu/write/not-present/compute/low 1a2b3c4d": the hash at its end */
static const char *hash_of(const json_t *meta)
{
	const char *fingerprint = meta_text(meta, "fingerprint", NULL);
	const char *blank = strrchr(fingerprint, ' ');

	return blank ? blank + 1 : fingerprint;
}

static void put_meta(struct problem *problem, const json_t *meta)
{
	char title[SUMMARY_SIZE];
	int64_t seconds = meta_number(meta, "time_us", NULL) / 1000000;

	/* Not an oops of the kernel: ABRT would look for its call trace, and drop it. */
	put(problem, "type", "drm_fault");
	put(problem, "analyzer", "drm_fault");
	put_number(problem, "time", seconds);
	put_number(problem, "last_occurrence", seconds);
	put_number(problem, "count", 1);
	put(problem, "reason", stored_title(meta, title));
	put(problem, "component", "kernel");
	put(problem, "kernel", meta_text(meta, "kernel", NULL));
	put(problem, "architecture", meta_text(meta, "machine", NULL));
	put(problem, "hostname", meta_text(meta, "hostname", NULL));
	put(problem, "uuid", hash_of(meta));
	put(problem, "duphash", hash_of(meta));
	put(problem, "executable", meta_text(meta, "process", "exe"));
	put(problem, "cmdline", meta_text(meta, "process", "cmdline"));
	if (json_object_get(meta, "process")) {
		put_number(problem, "uid", meta_number(meta, "process", "uid"));
		put_number(problem, "pid", meta_number(meta, "process", "pid"));
	}
}

static void remove_folder(const char *path, int fd)
{
	static const char *const names[] = {
		"type",	  "analyzer",  "time",	     "last_occurrence", "count",
		"reason", "component", "kernel",     "architecture",	"hostname",
		"uuid",	  "duphash",   "executable", "cmdline",		"uid",
		"pid",	  "backtrace", "dmesg",	     "gpu_dump",	"gpu_meta.json",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlinkat(fd, names[i], 0);
	rmdir(path);
}

static void put_all(struct problem *problem, const struct exported *exported)
{
	char *meta = json_dumps(exported->meta, JSON_INDENT(1));

	put_meta(problem, exported->meta);
	put(problem, "backtrace", exported->text);
	put(problem, "gpu_meta.json", meta ? meta : "");
	put_bytes(problem, "gpu_dump", exported->dump.data, exported->dump.size);
	if (exported->log.size)
		put_bytes(problem, "dmesg", exported->log.data, exported->log.size);
	free(meta);
}

int export_abrt(const struct exported *exported, const char *path)
{
	struct problem problem = { 0 };
	char new[PATH_MAX];

	if (!faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW))
		return -EEXIST;
	/* ABRT itself leaves alone what is called so. */
	if (snprintf(new, sizeof(new), "%s.new", path) >= (int)sizeof(new))
		return -ENAMETOOLONG;
	if (mkdir(new, FOLDER_MODE))
		return -errno;
	problem.fd = open(new, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (problem.fd < 0)
		return -errno;
	put_all(&problem, exported);
	if (!problem.error && rename(new, path))
		problem.error = -errno;
	if (problem.error)
		remove_folder(new, problem.fd);
	close(problem.fd);
	return problem.error;
}
