// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "config-file.h"
#include "config.h"
#include "setting.h"

#define COMPLAINT_SIZE (PATH_MAX + 512)

static const struct config defaults = {
	.collect = COLLECT_GPU,
	.remove_kernel_copy = true,
	.log_lines = 1000,
	.log_before_us = 60000000,
};

static bool set_collect(const char *text, void *value)
{
	static const char *const words[] = {
		[COLLECT_NONE] = "none",
		[COLLECT_DRM_FAULT] = "drm_fault",
		[COLLECT_GPU] = "gpu",
		[COLLECT_ALL] = "all",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i]))
			continue;
		*(enum config_collect *)value = (enum config_collect)i;
		return true;
	}
	return false;
}

static bool set_boolean(const char *text, void *value)
{
	return setting_boolean(text, value);
}

static bool set_count(const char *text, void *value)
{
	return setting_count(text, value);
}

static bool set_span(const char *text, void *value)
{
	return setting_span(text, value);
}

static bool set_path(const char *text, void *value)
{
	if (*text != '/' || strlen(text) >= PATH_MAX)
		return false;
	strcpy(value, text);
	return true;
}

/* A limit that is a number of whatever kind. */
static bool set_limit(const char *text, bool (*parse)(const char *, uint64_t *),
		      struct config_limit *limit)
{
	uint64_t value;

	if (!parse(text, &value))
		return false;
	*limit = (struct config_limit){ LIMIT_VALUE, value };
	return true;
}

static bool set_size_limit(const char *text, void *limit)
{
	uint64_t percent;

	if (!setting_percent(text, &percent))
		return set_limit(text, setting_size, limit);
	*(struct config_limit *)limit = (struct config_limit){ LIMIT_PERCENT, percent };
	return true;
}

static bool set_age_limit(const char *text, void *limit)
{
	return set_limit(text, setting_span, limit);
}

static bool set_count_limit(const char *text, void *limit)
{
	return set_limit(text, setting_count, limit);
}

static const struct key {
	const char *section;
	const char *name;
	bool (*set)(const char *text, void *value);
	const char *form;
	size_t offset;
	size_t size;
} keys[] = {
#define KEY(section, name, set, form, member)                              \
	{                                                                  \
		section, name, set, form, offsetof(struct config, member), \
			sizeof(((struct config *)NULL)->member)            \
	}
	KEY("Collect", "Collect", set_collect, "one of all, gpu, drm_fault and none", collect),
	KEY("Collect", "RemoveKernelCopy", set_boolean, "yes or no", remove_kernel_copy),
	KEY("Collect", "KernelLogLines", set_count, "a number", log_lines),
	KEY("Collect", "KernelLogBefore", set_span, "a time span such as 1min", log_before_us),
	KEY("Collect", "MetricsFile", set_path, "an absolute path", metrics_file),
	KEY("Store", "MaxUse", set_size_limit, "a size such as 500M or 10%", max_use),
	KEY("Store", "KeepFree", set_size_limit, "a size such as 500M or 15%", keep_free),
	KEY("Store", "MaxAge", set_age_limit, "a time span such as 3month", max_age),
	KEY("Store", "MaxCount", set_count_limit, "a number or infinity", max_count),
#undef KEY
};

struct reader {
	struct config *config;
	config_warn warn;
};

static const struct key *find_key(const char *section, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i].section, section) && !strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

/* False: the value is none of the key's. As in systemd's files, an empty one means the default. */
static bool set(const struct key *key, const char *value, struct config *config)
{
	char *field = (char *)config + key->offset;

	if (*value)
		return key->set(value, field);
	memcpy(field, (const char *)&defaults + key->offset, key->size);
	return true;
}

static void take(void *data, const struct config_place *place, const char *section,
		 const char *name, const char *value)
{
	const struct reader *reader = data;
	const struct key *key = name ? find_key(section, name) : NULL;
	char complaint[COMPLAINT_SIZE];

	if (key && set(key, value, reader->config))
		return;
	if (key)
		snprintf(complaint, sizeof(complaint), "%s:%u: %s=%.100s: must be %s; ignored",
			 place->path, place->line, name, value, key->form);
	else if (!place->line)
		snprintf(complaint, sizeof(complaint), "%s: cannot be read: %s; ignored",
			 place->path, value);
	else
		snprintf(complaint, sizeof(complaint),
			 "%s:%u: [%s] %.100s: no such setting; ignored", place->path, place->line,
			 section, name ? name : value);
	reader->warn(complaint);
}

void config_load(const char *root, struct config *config, config_warn warn)
{
	struct reader reader = { config, warn };

	*config = defaults;
	config_files_read(root, "drmfault.conf", take, &reader);
}

static void resolve(const struct config_limit *limit, uint64_t total, uint64_t *value)
{
	if (limit->kind == LIMIT_VALUE)
		*value = limit->value;
	else if (limit->kind == LIMIT_PERCENT)
		*value = total / 100 * limit->value;
}

int config_limits(const struct config *config, struct store *store, struct store_limits *limits)
{
	struct statvfs space;
	int ret = store_limits_default(store, limits);
	uint64_t total;

	if (ret)
		return ret;
	if (fstatvfs(store_fd(store), &space))
		return -errno;
	total = (uint64_t)space.f_blocks * space.f_frsize;
	resolve(&config->max_use, total, &limits->max_use);
	resolve(&config->keep_free, total, &limits->keep_free);
	resolve(&config->max_age, total, &limits->max_age_us);
	resolve(&config->max_count, total, &limits->max_count);
	return 0;
}
