// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "unpack.h"

/* What is longer is no description: one takes some kilobytes. */
#define META_MAX (16 << 20)
/* Folders in folders of an entry, of which it should have none. */
#define DEPTH_MAX 32

static int open_file(struct store *store, const char *id, const char *name)
{
	char path[NAME_ROOM];

	if (!is_id(id))
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%s", id, name);
	return open_regular(store->fd, path);
}

static bool is_there(struct store *store, const char *id)
{
	return !faccessat(store->fd, id, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* What others rely on is there, whoever wrote the file. */
static int complete_meta(json_t *meta, const char *id)
{
	if (!json_is_object(meta))
		return -EBADMSG;
	if (json_object_set_new(meta, "id", json_string(id)))
		return -ENOMEM;
	if (!json_is_integer(json_object_get(meta, "time_us")) &&
	    json_object_set_new(meta, "time_us", json_integer((json_int_t)id_time_us(id))))
		return -ENOMEM;
	return 0;
}

/* By way of a buffer: json_loadfd() reads one byte at a time. */
static json_t *load_json(int fd)
{
	FILE *file = fdopen(fd, "r");
	struct stat stat;
	json_t *json = NULL;

	if (file && !fstat(fd, &stat) && stat.st_size <= META_MAX)
		json = json_loadf(file, 0, NULL);

	if (file)
		fclose(file);
	else
		close(fd);
	return json;
}

int store_load(struct store *store, const char *id, json_t **meta)
{
	int ret, fd = open_file(store, id, STORE_META);
	json_t *json;

	if (fd == -ENOENT && is_id(id) && is_there(store, id))
		return -EBADMSG;
	if (fd < 0)
		return fd;
	json = load_json(fd);
	ret = complete_meta(json, id);
	if (ret) {
		json_decref(json);
		return ret;
	}
	*meta = json;
	return 0;
}

int store_read(struct store *store, const char *id, const char *name, store_sink sink, void *data)
{
	int ret, fd = open_file(store, id, name);

	if (fd < 0)
		return fd;
	ret = unpack_fd(fd, true, sink, data);
	close(fd);
	return ret;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Also what others put there: else it would be in the way for ever. */
static int remove_all(int dir, const char *name, unsigned int depth)
{
	DIR *folder = open_folder(dir, name);
	struct dirent *entry;
	int ret = 0, one;

	if (!folder && (errno == ENOTDIR || errno == ELOOP))
		return unlinkat(dir, name, 0) ? -errno : 0;
	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		if (is_dots(entry->d_name) || !unlinkat(dirfd(folder), entry->d_name, 0))
			continue;
		one = -errno;
		if (one == -EISDIR && depth < DEPTH_MAX)
			one = remove_all(dirfd(folder), entry->d_name, depth + 1);
		if (one && one != -ENOENT)
			ret = one;
	}
	closedir(folder);
	if (unlinkat(dir, name, AT_REMOVEDIR) && errno != ENOENT && !ret)
		ret = -errno;
	return ret;
}

int remove_folder(struct store *store, const char *name)
{
	return remove_all(store->fd, name, 0);
}

int store_remove(struct store *store, const char *id)
{
	char name[NAME_ROOM];
	int ret;

	if (!is_id(id))
		return -ENOENT;
	/* It goes at once, however long its files take. */
	snprintf(name, sizeof(name), OLD_PREFIX "%s", id);
	if (renameat(store->fd, id, store->fd, name))
		return -errno;
	ret = remove_folder(store, name);
	/* Somebody who sweeps may have been faster. */
	return ret == -ENOENT ? 0 : ret;
}

/* Does a writer that lives hold it? Removers hold nothing, and need not. */
static bool is_held(struct store *store, const char *name)
{
	int fd = openat(store->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	bool held;

	if (fd < 0)
		return false;
	held = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return held;
}

static int sweep_one(struct store *store, const char *name)
{
	bool is_new = !strncmp(name, NEW_PREFIX, strlen(NEW_PREFIX));
	int ret;

	if (!is_new && strncmp(name, OLD_PREFIX, strlen(OLD_PREFIX)))
		return 0;
	if (is_new && is_held(store, name))
		return 0;
	ret = remove_folder(store, name);
	return ret == -ENOENT ? 0 : ret ? ret : 1;
}

int store_sweep(struct store *store)
{
	int count = 0, ret = 0, lock = store_lock(store);
	struct dirent *entry;
	DIR *folder;

	if (lock < 0)
		return lock;
	folder = open_folder(store->fd, ".");
	if (!folder) {
		ret = -errno;
		close(lock);
		return ret;
	}
	while ((entry = readdir(folder))) {
		int one = sweep_one(store, entry->d_name);

		if (one < 0)
			ret = one;
		else
			count += one;
	}
	closedir(folder);
	close(lock);
	return ret ? ret : count;
}
