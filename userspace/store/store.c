// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define FOLDER_MODE 0750
#define LOCK_MODE   0600
#define US_PER_S    1000000u

int store_open(const char *path, bool create, struct store **store)
{
	struct store *s = calloc(1, sizeof(*s));
	int ret = 0;

	if (!s)
		return -ENOMEM;
	if (!path)
		path = secure_getenv(STORE_ENVIRONMENT);
	if (!path || !*path)
		path = STORE_FOLDER;
	s->path = strdup(path);
	if (!s->path)
		ret = -ENOMEM;
	else if (create && mkdir(path, FOLDER_MODE) && errno != EEXIST)
		ret = -errno;
	s->fd = ret ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!ret && s->fd < 0)
		ret = -errno;
	if (ret) {
		store_close(s);
		return ret;
	}
	*store = s;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->fd >= 0)
		close(store->fd);
	free(store->path);
	free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

int store_fd(const struct store *store)
{
	return store->fd;
}

DIR *open_folder(int dir, const char *name)
{
	int error, fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !folder) {
		error = errno;
		close(fd);
		errno = error;
	}
	return folder;
}

int open_regular(int dir, const char *name)
{
	int ret = 0, fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	struct stat stat;

	/* A link, and a socket. */
	if (fd < 0)
		return errno == ELOOP || errno == ENXIO ? -EBADMSG : -errno;
	if (fstat(fd, &stat))
		ret = -errno;
	else if (!S_ISREG(stat.st_mode))
		ret = -EBADMSG;
	if (ret)
		close(fd);
	return ret ? ret : fd;
}

int store_lock(struct store *store)
{
	int ret, fd = openat(store->fd, LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			     LOCK_MODE);

	if (fd < 0)
		return -errno;
	do
		ret = flock(fd, LOCK_EX);
	while (ret && errno == EINTR);
	if (ret) {
		ret = -errno;
		close(fd);
		return ret;
	}
	return fd;
}

/* What stands at each place: a digit, a hexadecimal digit, or itself. */
static const char shape[] = "dddddddd-dddddd-xxxxxx";

static bool fits_shape(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (shape[i] == 'd' ? !isdigit((unsigned char)text[i])
		    : shape[i] == 'x'
			    ? !isxdigit((unsigned char)text[i]) || isupper((unsigned char)text[i])
			    : text[i] != shape[i])
			return false;
	}
	return true;
}

bool is_id(const char *name)
{
	return strlen(name) == STORE_ID_LENGTH && fits_shape(name, STORE_ID_LENGTH);
}

uint64_t id_time_us(const char *id)
{
	struct tm tm = { 0 };

	if (!strptime(id, "%Y%m%d-%H%M%S", &tm))
		return 0;
	return (uint64_t)timegm(&tm) * US_PER_S;
}

static int find_by_prefix(const struct store_list *list, const char *prefix, char *id)
{
	size_t i, found = list->count, length = strlen(prefix);

	for (i = 0; i < list->count; i++) {
		if (strncmp(list->ids[i], prefix, length))
			continue;
		if (found < list->count)
			return -ENOTUNIQ;
		found = i;
	}
	if (found == list->count)
		return -ENOENT;
	memcpy(id, list->ids[found], STORE_ID_SIZE);
	return 0;
}

static bool is_latest(const char *word)
{
	return !strcmp(word, "latest");
}

bool store_is_word(const char *word)
{
	size_t length = strlen(word);

	return is_latest(word) || (length && length <= STORE_ID_LENGTH && fits_shape(word, length));
}

int store_find(struct store *store, const char *word, char id[STORE_ID_SIZE])
{
	struct store_list list;
	int ret;

	if (!store_is_word(word))
		return -EINVAL;
	ret = store_list_read(store, &list);
	if (ret)
		return ret;
	if (!is_latest(word))
		ret = find_by_prefix(&list, word, id);
	else if (list.count)
		memcpy(id, list.ids[list.count - 1], STORE_ID_SIZE);
	else
		ret = -ENOENT;
	store_list_free(&list);
	return ret;
}
