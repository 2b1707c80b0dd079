// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "describe.h"
#include "stored.h"
#include "value.h"

#define US_PER_S 1000000

static const char *store_name(const struct options *options)
{
	const char *name = options->store ? options->store : getenv(STORE_ENVIRONMENT);

	return name && *name ? name : STORE_FOLDER;
}

int stored_open(const struct options *options, struct store **store)
{
	const char *name = store_name(options);
	int ret = store_open(name, false, store);

	if (!ret)
		return EXIT_SUCCESS;
	*store = NULL;
	if (ret == -ENOENT && !strcmp(name, STORE_FOLDER))
		return EXIT_SUCCESS;
	if (ret == -EACCES)
		fprintf(stderr,
			"drmfault: this user may not read %s: run it as root, or be in the "
			"group of that folder\n",
			name);
	else if (ret == -ENOENT || ret == -ENOTDIR)
		fprintf(stderr, "drmfault: %s is no folder of stored dumps\n", name);
	else
		fprintf(stderr, "drmfault: cannot open %s: %s\n", name, strerror(-ret));
	return EXIT_FAILURE;
}

int stored_find(struct store *store, const char *word, char id[STORE_ID_SIZE])
{
	int ret = store ? store_find(store, word, id) : -ENOENT;
	char clean[VALUE_TEXT];

	if (!ret)
		return EXIT_SUCCESS;
	clean_text(word, clean, sizeof(clean));
	if (ret == -EINVAL)
		fprintf(stderr, "drmfault: \"%s\" is no ID of a dump: `drmfault list` shows them\n",
			clean);
	else if (ret == -ENOTUNIQ)
		fprintf(stderr, "drmfault: several stored dumps begin with %s: give more of it\n",
			clean);
	else if (ret == -ENOENT && !strcmp(word, "latest"))
		fputs("drmfault: no dumps are stored: `drmfault-collect --all` as root stores "
		      "those that the kernel has\n",
		      stderr);
	else if (ret == -ENOENT)
		fprintf(stderr,
			"drmfault: no stored dump is called %s: `drmfault list` shows them\n",
			clean);
	else
		stored_complain(clean, ret);
	return EXIT_FAILURE;
}

static const struct {
	int error;
	const char *text;
} reasons[] = {
	{ ENOENT, "it has been removed meanwhile" },
	{ EACCES, "this user may not do that: run it as root" },
	{ EPERM, "this user may not do that: run it as root" },
	{ EROFS, "the file system is read-only: mount it writable first" },
	{ EBADMSG, "it is damaged, or cut off" },
	{ ENOSPC, "there is no space left" },
	{ EDQUOT, "there is no space left in the user's quota" },
	{ EFBIG, "it is longer than any dump that this program reads" },
	{ ENOMEM, "there is not enough memory" },
};

int stored_complain(const char *id, int error)
{
	const char *text = strerror(-error);
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].error == -error)
			text = reasons[i].text;
	fflush(stdout);
	return complain_of(id, text);
}

/* What the ID tells, so that a damaged entry can be seen, and removed. */
static json_t *meta_of_id(const char *id)
{
	struct tm tm = { 0 };

	strptime(id, "%Y%m%d-%H%M%S", &tm);
	return json_pack("{s:i, s:s, s:I, s:[s]}", "version", 1, "id", id, "time_us",
			 (json_int_t)timegm(&tm) * US_PER_S, "damage", STORE_META);
}

json_t *stored_load(struct store *store, const char *id, bool say)
{
	json_t *meta = NULL;
	int ret = store_load(store, id, &meta);

	if (!ret)
		return meta;
	if (say && ret == -EBADMSG)
		fprintf(stderr,
			"drmfault: %s: its " STORE_META
			" is damaged: `drmfault decode %s` shows the dump itself\n",
			id, id);
	else if (say)
		stored_complain(id, ret);
	return ret == -ENOENT || ret == -ENOMEM ? NULL : meta_of_id(id);
}

int stored_bytes(struct store *store, const char *id, const char *name, struct bytes *bytes)
{
	int ret;

	memset(bytes, 0, sizeof(*bytes));
	ret = bytes_append(bytes, "", 0);
	if (!ret)
		ret = store_read(store, id, name, bytes_append, bytes);
	bytes->damaged = ret == -EBADMSG;
	if (ret && !bytes->damaged) {
		free(bytes->data);
		memset(bytes, 0, sizeof(*bytes));
	}
	return ret;
}

static json_t *value_of(const json_t *meta, const char *key, const char *sub)
{
	json_t *value = json_object_get(meta, key);

	return sub ? json_object_get(value, sub) : value;
}

const char *meta_text(const json_t *meta, const char *key, const char *sub)
{
	const char *text = json_string_value(value_of(meta, key, sub));

	return text ? text : "";
}

int64_t meta_number(const json_t *meta, const char *key, const char *sub)
{
	return json_integer_value(value_of(meta, key, sub));
}

const char *stored_summary(const json_t *meta, char text[SUMMARY_SIZE])
{
	const char *address = meta_text(meta, "fault", "address");
	const char *access = meta_text(meta, "fault", "access");
	char raw[SUMMARY_SIZE];

	if (json_object_get(meta, "fault"))
		snprintf(raw, sizeof(raw), "%s access at %s: %s", *access ? access : "unknown",
			 *address ? address : "an unknown address", meta_kind(meta));
	else if (json_object_get(meta, "hang"))
		snprintf(raw, sizeof(raw), "a job did not end in time%s%s",
			 *meta_text(meta, "hang", "ring") ? ", on " : "",
			 meta_text(meta, "hang", "ring"));
	else if (!*meta_text(meta, "format", NULL))
		snprintf(raw, sizeof(raw), "not known");
	else if (!strcmp(meta_text(meta, "format", NULL), "drm_fault"))
		snprintf(raw, sizeof(raw), "no fault in the dump");
	else
		snprintf(raw, sizeof(raw), "a %s dump of the driver's",
			 meta_text(meta, "format", NULL));
	return clean_text(raw, text, SUMMARY_SIZE);
}

const char *stored_title(const json_t *meta, char text[SUMMARY_SIZE])
{
	const char *driver = meta_text(meta, "driver", NULL);
	char summary[SUMMARY_SIZE], raw[SUMMARY_SIZE];

	snprintf(raw, sizeof(raw), "%.64s: %.200s", *driver ? driver : "GPU",
		 stored_summary(meta, summary));
	return clean_text(raw, text, SUMMARY_SIZE);
}

const char *stored_time(const json_t *meta, const char *key, char *text, size_t size)
{
	time_t seconds = (time_t)(meta_number(meta, key, NULL) / US_PER_S);
	struct tm local;

	localtime_r(&seconds, &local);
	strftime(text, size, "%Y-%m-%d %H:%M:%S", &local);
	return text;
}
