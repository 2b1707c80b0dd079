// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "content.h"
#include "device.h"
#include "facts.h"
#include "kernel-log.h"
#include "metrics.h"
#include "process.h"
#include "report.h"

#define NS_PER_US 1000u
#define NS_PER_S  1000000000u

#define SENTENCE_SIZE (PATH_MAX + 512)

/* One dump on its way. */
struct job {
	struct collector *collector;
	const char *name;
	int fd;
	json_t *meta;
	struct content content;
	char id[STORE_ID_SIZE];
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int open_data(const struct job *job, int flags)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/" DUMPS_FOLDER "/%s/data", job->collector->root,
		     job->name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* As journald writes it, without dashes. */
static void add_boot(const char *root, json_t *meta)
{
	char path[PATH_MAX], text[64], *from, *to;

	if (snprintf(path, sizeof(path), "%s/proc/sys/kernel/random/boot_id", root) >=
		    (int)sizeof(path) ||
	    !facts_line(path, text, sizeof(text)))
		return;
	for (from = to = text; *from; from++)
		if (*from != '-')
			*to++ = *from;
	*to = '\0';
	facts_set(meta, "boot_id", text);
}

static void add_machine(const char *root, json_t *meta)
{
	struct utsname names;

	add_boot(root, meta);
	facts_set(meta, "collector_version", DRMFAULT_VERSION);
	if (uname(&names))
		return;
	facts_set(meta, "kernel", names.release);
	facts_set(meta, "machine", names.machine);
	facts_set(meta, "hostname", names.nodename);
}

static bool is_wanted(const struct job *job, enum device_kind kind)
{
	switch (job->collector->config.collect) {
	case COLLECT_NONE:
		return false;
	case COLLECT_DRM_FAULT:
		return kind == DEVICE_OURS;
	case COLLECT_GPU:
		/* What has gone may have been a GPU. */
		return kind != DEVICE_OTHER;
	case COLLECT_ALL:
		break;
	}
	return true;
}

static const char *text_of(const json_t *meta, const char *key)
{
	return json_string_value(json_object_get(meta, key));
}

static bool is_same(const json_t *mine, const json_t *theirs, const char *key)
{
	const char *a = text_of(mine, key), *b = text_of(theirs, key);

	return a && b && !strcmp(a, b);
}

/* What lies before it is older still, but for one that a wrong clock put into the future. */
static bool ends_boot(const struct job *job, const json_t *meta)
{
	json_int_t now_us = (json_int_t)(clock_ns(CLOCK_REALTIME) / NS_PER_US);

	return text_of(meta, "boot_id") && !is_same(job->meta, meta, "boot_id") &&
	       json_integer_value(json_object_get(meta, "time_us")) <= now_us;
}

/*
 * A collector may have been killed after it stored the dump: then the entry's metadata.
 * The kernel gives no number twice before it is booted again, and of the entries of
 * earlier boots, which are most, none is read but the last.
 */
static json_t *find_stored(const struct job *job)
{
	struct store *store = job->collector->store;
	json_t *meta, *found = NULL;
	struct store_list list;
	bool ended = false;
	size_t i;

	if (!text_of(job->meta, "boot_id") || store_list_read(store, &list))
		return NULL;
	for (i = list.count; i && !found && !ended; i--) {
		if (store_load(store, list.ids[i - 1], &meta))
			continue;
		ended = ends_boot(job, meta);
		if (is_same(job->meta, meta, "boot_id") && is_same(job->meta, meta, "devcoredump"))
			found = json_incref(meta);
		json_decref(meta);
	}
	store_list_free(&list);
	return found;
}

static enum collect_status fail(const struct job *job, int error, const char *what,
				const char *advice)
{
	char sentence[SENTENCE_SIZE];

	snprintf(sentence, sizeof(sentence), "the dump %s %s: %s; %s", job->name, what,
		 strerror(-error), advice);
	report_failed(job->meta, error, sentence);
	return COLLECT_FAILED;
}

static enum collect_status not_stored(const struct job *job, int error)
{
	char what[PATH_MAX];

	snprintf(what, sizeof(what), "cannot be stored in %s", store_path(job->collector->store));
	return fail(
		job, error, what,
		error == -ENOSPC || error == -EDQUOT || error == -EFBIG
			? "make room there: the kernel keeps the dump for some minutes, in which "
			  "it is tried again"
			: "the kernel keeps the dump for some minutes, in which it is tried again");
}

static enum collect_status not_read(const struct job *job, int error)
{
	char sentence[SENTENCE_SIZE];

	if (error != -ENODEV && error != -ESRCH && error != -ENOENT)
		return fail(job, error, "cannot be read",
			    error == -EACCES || error == -EPERM ? "run this as root"
								: "it is tried again");
	snprintf(sentence, sizeof(sentence),
		 "the dump %s is not there any more: somebody else freed it, or the kernel did "
		 "when its "
		 "time was over; it is not stored",
		 job->name);
	report_failed(job->meta, error, sentence);
	return COLLECT_GONE;
}

/* The log is an addition: a dump without it is still worth to be stored. */
static int write_log(struct job *job, struct store_writer *writer)
{
	const struct config *config = &job->collector->config;
	uint64_t event_us = job->content.event_ns / NS_PER_US, since_us = 0;
	char *text, sentence[SENTENCE_SIZE];
	size_t length;
	int ret;

	if (!config->log_lines)
		return 0;
	if (event_us > config->log_before_us)
		since_us = event_us - config->log_before_us;
	ret = kernel_log_read(job->collector->root, since_us, config->log_lines, &text, &length);
	if (ret) {
		snprintf(sentence, sizeof(sentence),
			 "the dump %s is stored without the kernel log: %s", job->name,
			 strerror(-ret));
		report_warning(sentence);
		return 0;
	}
	if (length)
		ret = store_write_log(writer, text, length);
	free(text);
	return ret;
}

static void describe(struct job *job)
{
	uint64_t event_ns;

	content_describe(&job->content, job->meta);
	event_ns = job->content.event_ns;
	/* Processes are started by the clock that goes on while the machine sleeps. */
	if (event_ns)
		event_ns += clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	process_describe(job->collector->root, job->meta, event_ns);
}

static enum collect_status store_it(struct job *job)
{
	struct store_writer *writer;
	bool writing = true;
	int ret = store_begin(job->collector->store, &writer);

	if (ret)
		return not_stored(job, ret);
	ret = content_copy(&job->content, job->fd, writer, &writing);
	if (!ret) {
		describe(job);
		writing = true;
		ret = write_log(job, writer);
	}
	if (ret) {
		store_abort(writer);
		return writing ? not_stored(job, ret) : not_read(job, ret);
	}
	ret = store_commit(writer, job->meta, job->id);
	return ret ? not_stored(job, ret) : COLLECT_DONE;
}

/* Any write does it. Gone already is as well. */
static void free_copy(const struct job *job)
{
	int fd = open_data(job, O_WRONLY), ret = fd < 0 ? fd : 0;
	char sentence[SENTENCE_SIZE];

	if (fd >= 0 && write(fd, "1", 1) < 0)
		ret = -errno;
	if (fd >= 0)
		close(fd);
	if (!ret || ret == -ENOENT || ret == -ENODEV)
		return;
	snprintf(sentence, sizeof(sentence),
		 "the dump %s is stored, but the kernel's copy of it cannot be freed: %s",
		 job->name, strerror(-ret));
	report_warning(sentence);
}

static bool frees(const struct job *job)
{
	return job->collector->config.remove_kernel_copy && !job->collector->keep;
}

/* After what was stored once, and after what was stored now. */
static void finish(struct job *job, const json_t *meta)
{
	report_stored(meta, store_path(job->collector->store));
	if (frees(job))
		free_copy(job);
	collector_tidy(job->collector);
	metrics_write(&job->collector->config, job->collector->store);
}

static enum collect_status collect_open(struct job *job)
{
	enum device_kind kind;
	enum collect_status status;
	json_t *stored;

	/* Another collector has this dump: when it ends, it is stored or is not. */
	if (flock(job->fd, LOCK_EX))
		return fail(job, -errno, "cannot be locked", "it is tried again");
	kind = device_describe(job->collector->root, job->name, job->meta);
	if (!is_wanted(job, kind))
		return COLLECT_DONE;
	stored = find_stored(job);
	if (stored) {
		if (frees(job))
			finish(job, stored);
		json_decref(stored);
		return COLLECT_DONE;
	}
	status = store_it(job);
	if (status == COLLECT_DONE)
		finish(job, job->meta);
	return status;
}

/* Whoever stored it was faster; if nobody did, that is to be known. */
static enum collect_status collect_absent(struct job *job, int error)
{
	json_t *stored = find_stored(job);

	json_decref(stored);
	return stored ? COLLECT_DONE : not_read(job, error);
}

enum collect_status collect_dump(struct collector *collector, const char *name)
{
	struct job job = { .collector = collector, .name = name, .meta = json_object() };
	enum collect_status status;

	add_machine(collector->root, job.meta);
	facts_set(job.meta, "devcoredump", name);
	job.fd = open_data(&job, O_RDONLY);
	status = job.fd < 0 ? collect_absent(&job, job.fd) : collect_open(&job);
	if (job.fd >= 0)
		close(job.fd);
	content_free(&job.content);
	json_decref(job.meta);
	return status;
}
