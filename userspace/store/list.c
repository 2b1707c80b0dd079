// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* As far as an ID tells the time. */
#define TIME_LENGTH 15

struct name {
	char id[STORE_ID_SIZE];
	struct timespec time;
};

struct names {
	struct name *list;
	size_t count;
	size_t room;
};

/* An ID tells the second, and its folder the rest, unless somebody copied it. */
static int compare(const void *left, const void *right)
{
	const struct name *a = left, *b = right;
	int order = memcmp(a->id, b->id, TIME_LENGTH);

	if (order)
		return order;
	if (a->time.tv_sec != b->time.tv_sec)
		return a->time.tv_sec < b->time.tv_sec ? -1 : 1;
	if (a->time.tv_nsec != b->time.tv_nsec)
		return a->time.tv_nsec < b->time.tv_nsec ? -1 : 1;
	return memcmp(a->id, b->id, STORE_ID_LENGTH);
}

static int add_name(struct names *names, const char *id)
{
	struct name *longer;

	if (names->count == names->room) {
		names->room = names->room ? 2 * names->room : 64;
		longer = realloc(names->list, names->room * sizeof(*longer));
		if (!longer)
			return -ENOMEM;
		names->list = longer;
	}
	memcpy(names->list[names->count].id, id, STORE_ID_SIZE);
	names->list[names->count++].time = (struct timespec){ 0 };
	return 0;
}

static int read_names(struct store *store, struct names *names)
{
	DIR *folder = open_folder(store->fd, ".");
	struct dirent *entry;
	int ret = 0;

	if (!folder)
		return -errno;
	while (!ret) {
		errno = 0;
		entry = readdir(folder);
		if (!entry)
			break;
		if (is_id(entry->d_name))
			ret = add_name(names, entry->d_name);
	}
	if (!ret && errno)
		ret = -errno;
	closedir(folder);
	return ret;
}

/* What is called like an entry and is no folder is none. */
static void stat_names(struct store *store, struct names *names)
{
	size_t i, kept = 0;
	struct stat stat;

	for (i = 0; i < names->count; i++) {
		struct name name = names->list[i];

		if (!fstatat(store->fd, name.id, &stat, AT_SYMLINK_NOFOLLOW)) {
			if (!S_ISDIR(stat.st_mode))
				continue;
			name.time = stat.st_mtim;
		}
		names->list[kept++] = name;
	}
	names->count = kept;
}

int store_list_read(struct store *store, struct store_list *list)
{
	struct names names = { 0 };
	int ret = read_names(store, &names);
	size_t i;

	memset(list, 0, sizeof(*list));
	if (!ret) {
		list->ids = malloc((names.count ? names.count : 1) * sizeof(*list->ids));
		if (!list->ids)
			ret = -ENOMEM;
	}
	if (!ret) {
		stat_names(store, &names);
		if (names.count)
			qsort(names.list, names.count, sizeof(*names.list), compare);
		for (i = 0; i < names.count; i++)
			memcpy(list->ids[i], names.list[i].id, STORE_ID_SIZE);
		list->count = names.count;
	}
	free(names.list);
	return ret;
}

void store_list_free(struct store_list *list)
{
	free(list->ids);
	memset(list, 0, sizeof(*list));
}
