/* SPDX-License-Identifier: MIT */
/* The settings, from /etc/drmfault.conf and the files beside it. */
#ifndef DRMFAULT_CONFIG_H
#define DRMFAULT_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "store.h"

/** enum config_collect - whose dumps are stored; each has those of the ones above it */
enum config_collect {
	COLLECT_NONE,
	COLLECT_DRM_FAULT,
	COLLECT_GPU,
	COLLECT_ALL,
};

/** struct config_limit - a limit of the store */
struct config_limit {
	enum {
		LIMIT_DEFAULT, /* the store's own */
		LIMIT_VALUE,
		LIMIT_PERCENT, /* of the file system */
	} kind;
	uint64_t value;
};

struct config {
	enum config_collect collect;
	bool remove_kernel_copy;
	/* Lines of the kernel log, 0: none; how long before the event they begin. */
	uint64_t log_lines;
	uint64_t log_before_us;
	/* Empty: none is written. */
	char metrics_file[PATH_MAX];
	struct config_limit max_use;
	struct config_limit keep_free;
	struct config_limit max_age;
	struct config_limit max_count;
};

/** Hears what is wrong, "/etc/drmfault.conf:5: ..."; the setting stays as it was. */
typedef void (*config_warn)(const char *complaint);

/**
 * config_load - read the settings
 * @root: of the file system, "" for /
 * @config: what is set, and else the defaults
 * @warn: hears of what is wrong, also of a file that cannot be read
 *
 * First comes the first that there is of etc/drmfault.conf, run/... and usr/lib/...,
 * then the files drmfault.conf.d/NAME.conf of all three folders in the order of their
 * names; of those with the same name only the first. Each overrides what came before.
 */
void config_load(const char *root, struct config *config, config_warn warn);

/**
 * config_limits - the limits of a store
 *
 * Return: 0, or a negative errno of asking its file system
 */
int config_limits(const struct config *config, struct store *store, struct store_limits *limits);

#endif /* DRMFAULT_CONFIG_H */
