// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

#include "counters.h"
#include "store_test.h"

int make_store(void **state)
{
	char path[] = "/tmp/drmfault-store-XXXXXX";
	struct store *store;

	assert_non_null(mkdtemp(path));
	assert_int_equal(store_open(path, false, &store), 0);
	*state = store;
	return 0;
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

int unmake_store(void **state)
{
	struct store *store = *state;

	nftw(store_path(store), remove_one, 8, FTW_DEPTH | FTW_PHYS);
	store_close(store);
	return 0;
}

void add_entry(struct store *store, const char *text, int64_t time_us, char id[STORE_ID_SIZE])
{
	json_t *meta = json_pack("{s:s, s:I}", "driver", "amdgpu", "time_us", (json_int_t)time_us);
	struct store_writer *writer;

	assert_int_equal(store_begin(store, &writer), 0);
	assert_int_equal(store_write(writer, text, strlen(text)), 0);
	assert_int_equal(store_commit(writer, meta, id), 0);
	json_decref(meta);
}

size_t count_entries(struct store *store)
{
	struct store_list list;
	size_t count;

	assert_int_equal(store_list_read(store, &list), 0);
	count = list.count;
	store_list_free(&list);
	return count;
}

size_t count_names(struct store *store, const char *prefix)
{
	DIR *folder = opendir(store_path(store));
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder)))
		count += !strncmp(entry->d_name, prefix, strlen(prefix));
	closedir(folder);
	return count;
}

struct text {
	char *bytes;
	size_t used;
	size_t size;
};

static int append(void *data, const void *bytes, size_t size)
{
	struct text *text = data;

	assert_true(text->used + size < text->size);
	memcpy(text->bytes + text->used, bytes, size);
	text->used += size;
	text->bytes[text->used] = '\0';
	return 0;
}

int read_text(struct store *store, const char *id, const char *name, char *text, size_t size)
{
	struct text to = { .bytes = text, .size = size };

	*text = '\0';
	return store_read(store, id, name, append, &to);
}

void put_file(struct store *store, const char *path, const char *text)
{
	int fd = openat(store_fd(store), path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

void expect_metric(struct store *store, const char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	assert_int_equal(counters_print(store, file), 0);
	fclose(file);
	if (!strstr(text, line))
		fail_msg("no \"%s\" in:\n%s", line, text);
	free(text);
}
