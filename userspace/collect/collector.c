// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "device.h"
#include "report.h"

#define SENTENCE_SIZE (PATH_MAX + 128)

static void removed(void *data, const char *id, enum store_reason reason)
{
	char sentence[SENTENCE_SIZE];

	(void)data;
	snprintf(sentence, sizeof(sentence), "removed the stored dump %s: %s=", id,
		 store_reason_name(reason));
	report_note(sentence);
}

void collector_tidy(struct collector *collector)
{
	char sentence[SENTENCE_SIZE];
	int ret = store_vacuum(collector->store, &collector->limits, removed, collector);

	if (ret < 0) {
		snprintf(sentence, sizeof(sentence), "the limits of %s cannot be kept: %s",
			 store_path(collector->store), strerror(-ret));
		report_warning(sentence);
	}
}

static int is_dump(const struct dirent *entry)
{
	return device_is_dump(entry->d_name);
}

enum collect_status collect_all(struct collector *collector)
{
	enum collect_status status, worst = COLLECT_DONE;
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int i, count = -1;

	/* Where nothing was ever dumped there may be no such folder. */
	if (snprintf(path, sizeof(path), "%s/" DUMPS_FOLDER, collector->root) < (int)sizeof(path))
		count = scandir(path, &entries, is_dump, versionsort);
	for (i = 0; i < count; i++) {
		status = collect_dump(collector, entries[i]->d_name);
		if (status == COLLECT_FAILED || !worst)
			worst = status;
		free(entries[i]);
	}
	free(entries);
	return worst;
}

int collector_open(struct collector *collector, const char *path, config_warn settings)
{
	char below[PATH_MAX];
	int ret;

	config_load(collector->root, &collector->config, settings);
	if (!path && *collector->root) {
		snprintf(below, sizeof(below), "%s" STORE_FOLDER, collector->root);
		path = below;
	}
	ret = store_open(path, true, &collector->store);
	if (ret)
		return ret;
	ret = config_limits(&collector->config, collector->store, &collector->limits);
	if (ret) {
		store_close(collector->store);
		return ret;
	}
	store_sweep(collector->store);
	collector_tidy(collector);
	return 0;
}

void collector_close(struct collector *collector)
{
	store_close(collector->store);
}
