// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "export.h"
#include "pack.h"
#include "value.h"

/* Bytes of one line of base64; a multiple of 3, so that only the last is filled up. */
#define LINE_BYTES 49152

extern char **environ;

/*
 * A report is paragraphs "KEY: value" as in Debian's control files, whose values go on
 * in lines that begin with a blank. A binary value is "base64", and in the lines below
 * it a gzip file, which may be divided anywhere.
 */
static void put(FILE *file, const char *key, const char *value)
{
	char clean[1024];

	if (*value)
		fprintf(file, "%s: %s\n", key, clean_text(value, clean, sizeof(clean)));
}

static void put_text(FILE *file, const char *key, const char *text, size_t size)
{
	const char *end = text + size, *next;

	if (!size)
		return;
	fprintf(file, "%s:\n", key);
	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', (size_t)(end - text));
		if (!next)
			next = end;
		fputc(' ', file);
		fwrite(text, 1, (size_t)(next - text), file);
		fputc('\n', file);
	}
}

static void put_base64(FILE *file, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	uint32_t three;
	size_t i, j;

	fputc(' ', file);
	for (i = 0; i < size; i += 3) {
		three = (uint32_t)bytes[i] << 16;
		three |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
		three |= i + 2 < size ? bytes[i + 2] : 0;
		for (j = 0; j < 4; j++)
			fputc(i + j > size ? '=' : digits[three >> (18 - 6 * j) & 63], file);
	}
	fputc('\n', file);
}

/* What gzip(1) gives, in lines. */
static int put_lines(FILE *file, int fd)
{
	uint8_t line[LINE_BYTES];
	size_t used = 0;
	ssize_t n;

	do {
		n = read(fd, line + used, sizeof(line) - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		used += (size_t)n;
		if (used && (!n || used == sizeof(line))) {
			put_base64(file, line, used);
			used = 0;
		}
	} while (n);
	return 0;
}

static int start_gzip(int from, int to, pid_t *pid)
{
	char *const args[] = { (char *)"gzip", (char *)"-nc", NULL };
	posix_spawn_file_actions_t actions;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return -ret;
	posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
	ret = posix_spawnp(pid, args[0], &actions, NULL, args, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret == ENOENT ? -ENOPKG : -ret;
}

static int pack_with_gzip(FILE *file, int from)
{
	int pipe_fds[2], ret, status = 0;
	pid_t pid;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	ret = start_gzip(from, pipe_fds[1], &pid);
	close(pipe_fds[1]);
	if (!ret) {
		ret = put_lines(file, pipe_fds[0]);
		close(pipe_fds[0]);
		if (waitpid(pid, &status, 0) < 0 && !ret)
			ret = -errno;
		return ret ? ret : status ? -EIO : 0;
	}
	close(pipe_fds[0]);
	return ret;
}

/* A file in memory, so that nobody has to feed gzip while its output is read. */
static int put_bytes(FILE *file, const char *key, const struct bytes *bytes)
{
	int ret, fd = memfd_create("drmfault", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	fprintf(file, "%s: base64\n", key);
	ret = write_all(fd, bytes->data, bytes->size);
	if (!ret && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	if (!ret)
		ret = pack_with_gzip(file, fd);
	close(fd);
	return ret;
}

/* As Debian calls what the kernel calls otherwise. */
static const char *architecture(const char *machine)
{
	static const char *const names[][2] = { { "x86_64", "amd64" },
						{ "aarch64", "arm64" },
						{ "ppc64le", "ppc64el" },
						{ "armv7l", "armhf" },
						{ "i686", "i386" } };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i][0], machine))
			return names[i][1];
	return machine;
}

static void put_meta(FILE *file, const json_t *meta)
{
	time_t seconds = (time_t)(meta_number(meta, "time_us", NULL) / 1000000);
	char text[SUMMARY_SIZE], number[32];
	struct tm tm;

	put(file, "ProblemType", "KernelOops");
	/* In the words of asctime(), which no locale changes. */
	localtime_r(&seconds, &tm);
	asctime_r(&tm, text);
	text[strcspn(text, "\n")] = '\0';
	put(file, "Date", text);
	put(file, "Title", stored_title(meta, text));
	/* As Debian and Ubuntu call the package of that kernel. */
	if (*meta_text(meta, "kernel", NULL)) {
		snprintf(text, sizeof(text), "linux-image-%s", meta_text(meta, "kernel", NULL));
		put(file, "Package", text);
	}
	put(file, "SourcePackage", "linux");
	put(file, "Tags", "drm-fault gpu");
	put(file, "Failure", "oops");
	put(file, "DuplicateSignature", meta_text(meta, "fingerprint", NULL));
	put(file, "Architecture", architecture(meta_text(meta, "machine", NULL)));
	if (*meta_text(meta, "kernel", NULL)) {
		snprintf(text, sizeof(text), "Linux %s %s", meta_text(meta, "kernel", NULL),
			 meta_text(meta, "machine", NULL));
		put(file, "Uname", text);
	}
	put(file, "GpuDriver", meta_text(meta, "driver", NULL));
	put(file, "GpuPciId", meta_text(meta, "pci_id", NULL));
	put(file, "GpuFaultId", meta_text(meta, "id", NULL));
	put(file, "ExecutablePath", meta_text(meta, "process", "exe"));
	put(file, "ProcCmdline", meta_text(meta, "process", "cmdline"));
	put(file, "VulkanDriver", meta_text(meta, "vulkan_driver", "package"));
	put(file, "VulkanDriverVersion", meta_text(meta, "vulkan_driver", "version"));
	if (json_object_get(meta, "process")) {
		snprintf(number, sizeof(number), "%lld",
			 (long long)meta_number(meta, "process", "pid"));
		put(file, "ProcPid", number);
	}
}

int export_apport(const struct exported *exported, FILE *file)
{
	int ret;

	put_meta(file, exported->meta);
	put_text(file, "OopsText", exported->text, strlen(exported->text));
	put_text(file, "CurrentDmesg", (const char *)exported->log.data, exported->log.size);
	ret = put_bytes(file, "GpuDump", &exported->dump);
	if (!ret && (fflush(file) || ferror(file)))
		ret = errno ? -errno : -EIO;
	return ret;
}
