// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "internal.h"

#define US_PER_S     1000000u
#define BLOCK	     512
#define MAX_USE_MOST ((uint64_t)1 << 30)
#define MAX_AGE_US   ((uint64_t)90 * 24 * 3600 * US_PER_S)
#define MAX_COUNT    1000

static const char *const reasons[] = {
	[STORE_MAX_AGE] = "MaxAge",
	[STORE_MAX_COUNT] = "MaxCount",
	[STORE_MAX_USE] = "MaxUse",
	[STORE_KEEP_FREE] = "KeepFree",
};

const char *store_reason_name(enum store_reason reason)
{
	return reason < STORE_REASONS ? reasons[reason] : NULL;
}

static int read_space(struct store *store, uint64_t *size, uint64_t *available)
{
	struct statvfs fs;

	if (fstatvfs(store->fd, &fs))
		return -errno;
	*size = (uint64_t)fs.f_blocks * fs.f_frsize;
	*available = (uint64_t)fs.f_bavail * fs.f_frsize;
	return 0;
}

int store_limits_default(struct store *store, struct store_limits *limits)
{
	uint64_t size = 0, available = 0;
	int ret = read_space(store, &size, &available);

	if (ret)
		return ret;
	*limits = (struct store_limits){
		.max_use = size / 10 < MAX_USE_MOST ? size / 10 : MAX_USE_MOST,
		.keep_free = size / 100 * 15,
		.max_age_us = MAX_AGE_US,
		.max_count = MAX_COUNT,
	};
	return 0;
}

/* What the folder and its files take; one that has gone takes nothing. */
static uint64_t entry_use(struct store *store, const char *id)
{
	static const char *const files[] = { ".", STORE_DUMP, STORE_LOG, STORE_META };
	int fd = openat(store->fd, id, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t blocks = 0;
	struct stat stat;
	size_t i;

	for (i = 0; fd >= 0 && i < sizeof(files) / sizeof(files[0]); i++)
		if (!fstatat(fd, files[i], &stat, AT_SYMLINK_NOFOLLOW))
			blocks += (uint64_t)stat.st_blocks;
	if (fd >= 0)
		close(fd);
	return blocks * BLOCK;
}

int store_usage(struct store *store, uint64_t *bytes)
{
	struct store_list list;
	int ret = store_list_read(store, &list);
	size_t i;

	*bytes = 0;
	for (i = 0; !ret && i < list.count; i++)
		*bytes += entry_use(store, list.ids[i]);
	store_list_free(&list);
	return ret;
}

/* What decides while entries go, oldest first. */
struct vacuum {
	struct store *store;
	const struct store_limits *limits;
	struct store_list list;
	uint64_t *uses;
	uint64_t use;
	uint64_t available;
	uint64_t now_us;
	uint64_t counts[STORE_REASONS];
};

static bool is_too_old(const struct vacuum *vacuum, const char *id)
{
	uint64_t max = vacuum->limits->max_age_us, time_us = id_time_us(id);

	return max && max != STORE_NO_LIMIT && time_us < vacuum->now_us &&
	       vacuum->now_us - time_us > max;
}

/* Why entry @i has to go, or STORE_REASONS: it may stay. */
static enum store_reason why_remove(const struct vacuum *vacuum, size_t i)
{
	const struct store_limits *limits = vacuum->limits;

	if (is_too_old(vacuum, vacuum->list.ids[i]))
		return STORE_MAX_AGE;
	if (vacuum->list.count - i > limits->max_count)
		return STORE_MAX_COUNT;
	if (vacuum->use > limits->max_use)
		return STORE_MAX_USE;
	if (limits->keep_free != STORE_NO_LIMIT && vacuum->available < limits->keep_free)
		return STORE_KEEP_FREE;
	return STORE_REASONS;
}

static int begin_vacuum(struct vacuum *vacuum)
{
	struct timespec now;
	uint64_t size;
	size_t i;
	int ret;

	clock_gettime(CLOCK_REALTIME, &now);
	vacuum->now_us = (uint64_t)now.tv_sec * US_PER_S + (uint64_t)now.tv_nsec / 1000;
	ret = store_list_read(vacuum->store, &vacuum->list);
	if (!ret)
		ret = read_space(vacuum->store, &size, &vacuum->available);
	if (ret)
		return ret;
	vacuum->uses = calloc(vacuum->list.count + 1, sizeof(*vacuum->uses));
	if (!vacuum->uses)
		return -ENOMEM;
	for (i = 0; i < vacuum->list.count; i++) {
		vacuum->uses[i] = entry_use(vacuum->store, vacuum->list.ids[i]);
		vacuum->use += vacuum->uses[i];
	}
	return 0;
}

static int remove_oldest(struct vacuum *vacuum, store_removed removed, void *data)
{
	int ret, error = 0, count = 0;
	size_t i;

	for (i = 0; i + 1 < vacuum->list.count; i++) {
		enum store_reason reason = why_remove(vacuum, i);

		if (reason == STORE_REASONS)
			break;
		/* A clock that was put back makes it older than others. */
		if (!strcmp(vacuum->list.ids[i], vacuum->store->written))
			continue;
		ret = store_remove(vacuum->store, vacuum->list.ids[i]);
		/* One that cannot go does not keep the others. */
		if (ret && ret != -ENOENT) {
			error = ret;
			continue;
		}
		vacuum->use -= vacuum->uses[i];
		vacuum->available += vacuum->uses[i];
		/* Else somebody else removed it. */
		if (ret)
			continue;
		count++;
		vacuum->counts[reason]++;
		if (removed)
			removed(data, vacuum->list.ids[i], reason);
	}
	return error ? error : count;
}

int store_vacuum(struct store *store, const struct store_limits *limits, store_removed removed,
		 void *data)
{
	struct vacuum vacuum = { .store = store, .limits = limits };
	enum store_reason reason;
	int ret = begin_vacuum(&vacuum);

	if (!ret)
		ret = remove_oldest(&vacuum, removed, data);
	for (reason = 0; reason < STORE_REASONS; reason++)
		if (vacuum.counts[reason])
			counters_add_removed(store, reason, vacuum.counts[reason]);
	store_list_free(&vacuum.list);
	free(vacuum.uses);
	return ret;
}
