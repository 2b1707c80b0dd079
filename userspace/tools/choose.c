// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "stored.h"

#define BOOT_ROOM 64

/* A boot's ID has dashes in some places and none in others. */
static void without_dashes(const char *text, char *plain, size_t size)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++)
		if (*text != '-')
			plain[used++] = *text;
	plain[used] = '\0';
}

/* "0" is this boot, as with journalctl. */
static bool boot_matches(const json_t *meta, const char *wanted)
{
	char plain[BOOT_ROOM] = "", own[BOOT_ROOM];
	FILE *file;

	if (!strcmp(wanted, "0")) {
		file = fopen("/proc/sys/kernel/random/boot_id", "re");
		if (file && fgets(own, sizeof(own), file)) {
			own[strcspn(own, "\n")] = '\0';
			without_dashes(own, plain, sizeof(plain));
		}
		if (file)
			fclose(file);
	} else {
		without_dashes(wanted, plain, sizeof(plain));
	}
	without_dashes(meta_text(meta, "boot_id", NULL), own, sizeof(own));
	return *plain && !strncmp(own, plain, strlen(plain));
}

/* Whose job hung counts as well as whose memory it was. */
static bool process_matches(const json_t *meta, const struct options *options)
{
	if (options->pid && meta_number(meta, "process", "pid") != options->pid &&
	    meta_number(meta, "hang", "pid") != options->pid)
		return false;
	return !options->comm || !fnmatch(options->comm, meta_text(meta, "process", "comm"), 0) ||
	       (json_object_get(meta, "hang") &&
		!fnmatch(options->comm, meta_text(meta, "hang", "comm"), 0));
}

static bool is_chosen(const json_t *meta, const struct options *options)
{
	int64_t time_us = meta_number(meta, "time_us", NULL);

	if (time_us < options->since_us || time_us > options->until_us)
		return false;
	if (options->driver && fnmatch(options->driver, meta_text(meta, "driver", NULL), 0))
		return false;
	if (options->boot && !boot_matches(meta, options->boot))
		return false;
	return process_matches(meta, options);
}

/* The metadata, if it is one of those; else NULL. */
static json_t *load_chosen(struct store *store, const char *id, const struct options *options,
			   bool say)
{
	json_t *meta = stored_load(store, id, say);

	if (meta && is_chosen(meta, options))
		return meta;
	json_decref(meta);
	return NULL;
}

/* From the newest back, and only as many as are wanted: the first of them. */
static size_t find_first(struct store *store, const struct store_list *list,
			 const struct options *options)
{
	uint64_t found = 0;
	size_t i = list->count;
	json_t *meta;

	if (!options->count)
		return 0;
	while (i && found < options->count) {
		meta = load_chosen(store, list->ids[--i], options, false);
		found += meta != NULL;
		json_decref(meta);
	}
	return i;
}

int choose_each(struct store *store, const struct options *options, choose_visit visit, void *data)
{
	struct store_list list;
	json_t *meta;
	size_t i;
	int ret;

	if (!store)
		return 0;
	ret = store_list_read(store, &list);
	if (ret)
		return stored_complain(store_path(store), ret);
	for (i = find_first(store, &list, options); !ret && i < list.count; i++) {
		meta = load_chosen(store, list.ids[i], options, true);
		if (meta)
			ret = visit(data, meta);
		json_decref(meta);
	}
	store_list_free(&list);
	return ret;
}
