// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "internal.h"
#include "pack.h"

#define META_VERSION 1
#define FOLDER_MODE  0750
#define FILE_MODE    0640
#define US_PER_S     1000000
/* How often a name may be taken. */
#define TRIES 16

struct store_writer {
	struct store *store;
	/* Locked as long as its writer lives, which store_sweep() looks at. */
	int fd;
	char name[NAME_ROOM];
	struct packer *dump;
	struct packer *log;
};

static uint32_t some_number(void)
{
	struct timespec now;
	uint32_t number;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == (ssize_t)sizeof(number))
		return number;
	/* Early in the boot; a name that is taken is tried again. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)getpid();
}

/* Makes the folder and locks it; the caller holds the lock of the store. */
static int make_folder(struct store_writer *writer)
{
	int i, dir = writer->store->fd;

	for (i = 0; i < TRIES; i++) {
		snprintf(writer->name, sizeof(writer->name), NEW_PREFIX "%08x", some_number());
		if (!mkdirat(dir, writer->name, 0700))
			break;
		if (errno != EEXIST)
			return -errno;
	}
	if (i == TRIES)
		return -EEXIST;
	writer->fd = openat(dir, writer->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (writer->fd < 0)
		return -errno;
	return flock(writer->fd, LOCK_EX | LOCK_NB) ? -errno : 0;
}

int store_begin(struct store *store, struct store_writer **writer)
{
	struct store_writer *w = calloc(1, sizeof(*w));
	int ret, lock;

	if (!w)
		return -ENOMEM;
	w->store = store;
	w->fd = -1;
	/* Without it, what has no lock yet could be swept away. */
	lock = store_lock(store);
	ret = lock < 0 ? lock : make_folder(w);
	/* Where that fails they are made up later: a dump is worth more. */
	if (!ret)
		counters_start(store);
	if (lock >= 0)
		close(lock);
	if (!ret)
		ret = pack_begin(w->fd, STORE_DUMP, &w->dump);
	if (ret) {
		store_abort(w);
		return ret;
	}
	*writer = w;
	return 0;
}

int store_write(struct store_writer *writer, const void *bytes, size_t size)
{
	return pack_write(writer->dump, bytes, size);
}

int store_write_log(struct store_writer *writer, const char *text, size_t size)
{
	int ret = 0;

	if (!writer->log)
		ret = pack_begin(writer->fd, STORE_LOG, &writer->log);
	return ret ? ret : pack_write(writer->log, text, size);
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * US_PER_S + now.tv_nsec / 1000;
}

static void make_id(int64_t time_us, char *id)
{
	time_t seconds = (time_t)(time_us / US_PER_S);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(id, STORE_ID_SIZE, "%Y%m%d-%H%M%S-", &tm);
	snprintf(id + strlen(id), STORE_ID_SIZE - strlen(id), "%06x", some_number() & 0xffffff);
}

static int set_time(json_t *meta, int64_t time_us)
{
	time_t seconds = (time_t)(time_us / US_PER_S);
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	return json_object_set_new(meta, "time_us", json_integer(time_us)) ||
			       json_object_set_new(
				       meta, "time",
				       json_sprintf("%s.%06dZ", text, (int)(time_us % US_PER_S)))
		       ? -ENOMEM
		       : 0;
}

static int set_sizes(json_t *meta, uint64_t size, uint64_t stored_size)
{
	return json_object_set_new(meta, "version", json_integer(META_VERSION)) ||
			       json_object_set_new(meta, "size", json_integer((json_int_t)size)) ||
			       json_object_set_new(meta, "stored_size",
						   json_integer((json_int_t)stored_size))
		       ? -ENOMEM
		       : 0;
}

static int write_meta(int dir, const json_t *meta)
{
	int ret, fd = openat(dir, STORE_META, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
	char *text;

	if (fd < 0)
		return -errno;
	text = json_dumps(meta, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	ret = text ? write_all(fd, text, strlen(text)) : -ENOMEM;
	if (!ret)
		ret = write_all(fd, "\n", 1);
	if (!ret && fsync(fd))
		ret = -errno;
	free(text);
	close(fd);
	return ret;
}

/* The folder has the whole time, by which store_list_read() orders those of one second. */
static int finish_folder(int fd, int64_t time_us)
{
	const struct timespec time = { .tv_sec = (time_t)(time_us / US_PER_S),
				       .tv_nsec = (long)(time_us % US_PER_S) * 1000 };
	const struct timespec times[] = { time, time };

	return fchmod(fd, FOLDER_MODE) || futimens(fd, times) || fsync(fd) ? -errno : 0;
}

/* A folder cannot be renamed to one that has something in it. */
static int appear(struct store_writer *writer, json_t *meta, int64_t time_us, char *id)
{
	int i, ret = -EEXIST, dir = writer->store->fd;

	for (i = 0; i < TRIES && (ret == -EEXIST || ret == -ENOTEMPTY); i++) {
		make_id(time_us, id);
		if (json_object_set_new(meta, "id", json_string(id)))
			return -ENOMEM;
		ret = write_meta(writer->fd, meta);
		if (!ret)
			ret = finish_folder(writer->fd, time_us);
		if (!ret && renameat(dir, writer->name, dir, id))
			ret = -errno;
	}
	if (ret)
		return ret;
	snprintf(writer->name, sizeof(writer->name), "%s", id);
	return fsync(dir) ? -errno : 0;
}

static int end_files(struct store_writer *writer, json_t *meta)
{
	struct packer *dump = writer->dump, *log = writer->log;
	uint64_t size = 0, stored_size = 0;
	int ret;

	writer->dump = NULL;
	writer->log = NULL;
	ret = pack_end(dump, &size, &stored_size);
	if (log) {
		int log_ret = pack_end(log, NULL, NULL);

		ret = ret ? ret : log_ret;
	}
	return ret ? ret : set_sizes(meta, size, stored_size);
}

int store_commit(struct store_writer *writer, json_t *meta, char id[STORE_ID_SIZE])
{
	int ret = json_is_object(meta) ? 0 : -EINVAL;
	char own[STORE_ID_SIZE];
	int64_t time_us;

	if (!ret)
		ret = end_files(writer, meta);
	if (!ret) {
		time_us = json_integer_value(json_object_get(meta, "time_us"));
		if (time_us <= 0)
			time_us = now_us();
		ret = set_time(meta, time_us);
	}
	if (!ret)
		ret = appear(writer, meta, time_us, own);
	if (ret) {
		store_abort(writer);
		return ret;
	}
	memcpy(writer->store->written, own, STORE_ID_SIZE);
	if (id)
		memcpy(id, own, STORE_ID_SIZE);
	/* The entry is what matters: one that is not counted is there for all that. */
	counters_add_dump(writer->store, meta);
	close(writer->fd);
	free(writer);
	return 0;
}

void store_abort(struct store_writer *writer)
{
	if (!writer)
		return;
	pack_abort(writer->dump);
	pack_abort(writer->log);
	if (writer->fd >= 0)
		remove_folder(writer->store, writer->name);
	if (writer->fd >= 0)
		close(writer->fd);
	free(writer);
}
