// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "describe.h"
#include "internal.h"
#include "pack.h"

#define FILE_NAME ".counters.json"
#define NEW_NAME  ".counters.json.new"
#define FILE_MODE 0640

/* What is no number of dumps, whoever wrote it, counts as none. */
static json_int_t number_of(const json_t *count)
{
	json_int_t number = json_integer_value(count);

	return number > 0 ? number : 0;
}

static json_int_t sum(json_int_t now, uint64_t count)
{
	return count > (uint64_t)(INT64_MAX - now) ? INT64_MAX : now + (json_int_t)count;
}

/* One more, or as many as @count; counters["dumps"]["amdgpu"]["not present"] and the like. */
static int add(json_t *counters, const char *kind, const char *key, const char *sub, uint64_t count)
{
	json_t *object = json_object_get(counters, kind);
	json_int_t now;

	if (!json_is_object(object)) {
		object = json_object();
		if (json_object_set_new(counters, kind, object))
			return -ENOMEM;
	}
	if (sub) {
		json_t *inner = json_object_get(object, key);

		if (!json_is_object(inner)) {
			inner = json_object();
			if (json_object_set_new(object, key, inner))
				return -ENOMEM;
		}
		object = inner;
		key = sub;
	}
	now = number_of(json_object_get(object, key));
	return json_object_set_new(object, key, json_integer(sum(now, count))) ? -ENOMEM : 0;
}

static int add_dump(json_t *counters, const json_t *meta)
{
	const char *driver = json_string_value(json_object_get(meta, "driver"));

	return add(counters, "dumps", driver ? driver : "unknown", meta_kind(meta), 1);
}

/* Where there are no counters yet, those that are there are what there has been. */
static int count_all(struct store *store, json_t *counters)
{
	struct store_list list;
	int ret = store_list_read(store, &list);
	json_t *meta;
	size_t i;

	for (i = 0; !ret && i < list.count; i++) {
		if (store_load(store, list.ids[i], &meta))
			continue;
		ret = add_dump(counters, meta);
		json_decref(meta);
	}
	store_list_free(&list);
	return ret;
}

/* @counted: they were made up from what is there. */
static int load(struct store *store, json_t **counters, bool *counted)
{
	int ret, fd = open_regular(store->fd, FILE_NAME);

	if (fd < 0 && fd != -ENOENT && fd != -EBADMSG)
		return fd;
	*counters = fd < 0 ? NULL : json_loadfd(fd, 0, NULL);
	if (fd >= 0)
		close(fd);
	*counted = !json_is_object(*counters);
	if (!*counted)
		return 0;
	json_decref(*counters);
	*counters = json_object();
	ret = *counters ? count_all(store, *counters) : -ENOMEM;
	if (ret)
		json_decref(*counters);
	return ret;
}

static int save(struct store *store, const json_t *counters)
{
	char *text = json_dumps(counters, JSON_COMPACT);
	int ret = text ? 0 : -ENOMEM, fd = -1;

	if (!ret) {
		/* Whatever lies there is not written through. */
		unlinkat(store->fd, NEW_NAME, 0);
		fd = openat(store->fd, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			    FILE_MODE);
		ret = fd < 0 ? -errno : write_all(fd, text, strlen(text));
	}
	if (!ret && fdatasync(fd))
		ret = -errno;
	if (fd >= 0)
		close(fd);
	if (!ret && renameat(store->fd, NEW_NAME, store->fd, FILE_NAME))
		ret = -errno;
	if (ret && fd >= 0)
		unlinkat(store->fd, NEW_NAME, 0);
	free(text);
	return ret;
}

int counters_start(struct store *store)
{
	json_t *counters;
	bool counted;
	int ret;

	if (!faccessat(store->fd, FILE_NAME, F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	ret = load(store, &counters, &counted);
	if (ret)
		return ret;
	ret = save(store, counters);
	json_decref(counters);
	return ret;
}

int counters_add_dump(struct store *store, const json_t *meta)
{
	int ret, lock = store_lock(store);
	json_t *counters;
	bool counted;

	if (lock < 0)
		return lock;
	ret = load(store, &counters, &counted);
	if (!ret) {
		/* Counting all has counted it. */
		ret = counted ? 0 : add_dump(counters, meta);
		if (!ret)
			ret = save(store, counters);
		json_decref(counters);
	}
	close(lock);
	return ret;
}

int counters_add_removed(struct store *store, enum store_reason reason, uint64_t count)
{
	int ret, lock = store_lock(store);
	json_t *counters;
	bool counted;

	if (lock < 0)
		return lock;
	ret = load(store, &counters, &counted);
	if (!ret) {
		ret = add(counters, "removed", store_reason_name(reason), NULL, count);
		if (!ret)
			ret = save(store, counters);
		json_decref(counters);
	}
	close(lock);
	return ret;
}

static void print_label(FILE *file, const char *name, const char *value)
{
	fprintf(file, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\n') {
			fputs("\\n", file);
			continue;
		}
		if (*value == '"' || *value == '\\')
			fputc('\\', file);
		fputc(*value, file);
	}
	fputc('"', file);
}

static void print_head(FILE *file, const char *name, const char *type, const char *help)
{
	fprintf(file, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void print_dumps(FILE *file, json_t *counters)
{
	json_t *drivers = json_object_get(counters, "dumps"), *kinds, *count;
	const char *driver, *kind;

	print_head(file, "drmfault_dumps_total", "counter",
		   "GPU dumps collected, by driver and fault type.");
	json_object_foreach(drivers, driver, kinds)
	{
		json_object_foreach(kinds, kind, count)
		{
			fputs("drmfault_dumps_total{", file);
			print_label(file, "driver", driver);
			fputc(',', file);
			print_label(file, "fault", kind);
			fprintf(file, "} %" JSON_INTEGER_FORMAT "\n", number_of(count));
		}
	}
}

static void print_removed(FILE *file, json_t *counters)
{
	json_t *removed = json_object_get(counters, "removed");
	enum store_reason reason;

	print_head(file, "drmfault_dumps_removed_total", "counter",
		   "Stored GPU dumps removed to keep a limit.");
	for (reason = 0; reason < STORE_REASONS; reason++)
		fprintf(file,
			"drmfault_dumps_removed_total{limit=\"%s\"} %" JSON_INTEGER_FORMAT "\n",
			store_reason_name(reason),
			number_of(json_object_get(removed, store_reason_name(reason))));
}

static int print_gauges(struct store *store, FILE *file)
{
	struct store_list list;
	uint64_t bytes = 0;
	int ret = store_list_read(store, &list);

	if (!ret)
		ret = store_usage(store, &bytes);
	if (!ret) {
		print_head(file, "drmfault_dumps_stored", "gauge", "GPU dumps in the store.");
		fprintf(file, "drmfault_dumps_stored %zu\n", list.count);
		print_head(file, "drmfault_store_bytes", "gauge",
			   "Bytes of disk that stored GPU dumps take.");
		fprintf(file, "drmfault_store_bytes %" PRIu64 "\n", bytes);
	}
	if (!ret && list.count) {
		print_head(file, "drmfault_last_dump_timestamp_seconds", "gauge",
			   "When the newest stored GPU dump was collected.");
		fprintf(file, "drmfault_last_dump_timestamp_seconds %" PRIu64 "\n",
			id_time_us(list.ids[list.count - 1]) / 1000000);
	}
	store_list_free(&list);
	return ret;
}

int counters_print(struct store *store, FILE *file)
{
	json_t *counters;
	bool counted;
	int ret = load(store, &counters, &counted);

	if (ret)
		return ret;
	print_dumps(file, counters);
	print_removed(file, counters);
	json_decref(counters);
	return print_gauges(store, file);
}
