// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "group.h"
#include "stored.h"
#include "table.h"
#include "value.h"

#define TIME_SIZE 32

/*
 * groups[fingerprint] has what is printed as JSON, and what is not: the times in
 * microseconds.
 */
static int add_to_group(void *data, const json_t *meta)
{
	const char *fingerprint = meta_text(meta, "fingerprint", NULL);
	json_t *groups = data, *group, *time;

	if (!*fingerprint)
		fingerprint = "unknown";
	group = json_object_get(groups, fingerprint);
	time = json_object_get(meta, "time");
	if (!time)
		time = json_object_get(meta, "id");
	if (!group) {
		group = json_pack("{s:s, s:s, s:i, s:O, s:O}", "fingerprint", fingerprint, "driver",
				  meta_text(meta, "driver", NULL), "count", 0, "first", time,
				  "first_us", json_object_get(meta, "time_us"));
		if (json_object_set_new(groups, fingerprint, group))
			return complain("group the dumps", -ENOMEM);
	}
	if (json_object_set_new(group, "count",
				json_integer(1 + meta_number(group, "count", NULL))) ||
	    json_object_set(group, "last", time) ||
	    json_object_set(group, "latest", json_object_get(meta, "id")) ||
	    json_object_set(group, "last_us", json_object_get(meta, "time_us")))
		return complain("group the dumps", -ENOMEM);
	return 0;
}

/* The one with most first; of as many, the one that came last. */
static int compare(const void *left, const void *right)
{
	const json_t *a = *(json_t *const *)left, *b = *(json_t *const *)right;
	int64_t a_count = meta_number(a, "count", NULL), b_count = meta_number(b, "count", NULL);
	int64_t a_time = meta_number(a, "last_us", NULL), b_time = meta_number(b, "last_us", NULL);

	if (a_count != b_count)
		return a_count > b_count ? -1 : 1;
	return a_time > b_time ? -1 : a_time < b_time;
}

static json_t **sort_groups(json_t *groups)
{
	json_t **sorted = calloc(json_object_size(groups) + 1, sizeof(*sorted)), *group;
	const char *key;
	size_t i = 0;

	if (!sorted)
		return NULL;
	json_object_foreach(groups, key, group) sorted[i++] = group;
	if (i)
		qsort(sorted, i, sizeof(*sorted), compare);
	return sorted;
}

static int print_groups_json(json_t **groups)
{
	int ret = 0;

	for (; !ret && *groups; groups++) {
		json_object_del(*groups, "first_us");
		json_object_del(*groups, "last_us");
		ret = print_json(json_incref(*groups));
	}
	return ret;
}

static int print_groups_text(json_t **groups)
{
	static const char *const headings[] = { ">COUNT", "FIRST",	 "LAST",
						"LATEST", "FINGERPRINT", NULL };
	char text[2 * VALUE_TEXT], time[TIME_SIZE];
	struct table table;

	if (!*groups)
		puts("No such dumps are stored.");
	table_begin(&table, headings);
	for (; *groups; groups++) {
		table_add(&table, "%" PRId64, meta_number(*groups, "count", NULL));
		table_add(&table, "%s", stored_time(*groups, "first_us", time, sizeof(time)));
		table_add(&table, "%s", stored_time(*groups, "last_us", time, sizeof(time)));
		table_add(&table, "%s", meta_text(*groups, "latest", NULL));
		table_add(&table, "%s",
			  clean_text(meta_text(*groups, "fingerprint", NULL), text, sizeof(text)));
	}
	return table_end(&table) ? complain("list the groups", -ENOMEM) : EXIT_SUCCESS;
}

int list_groups(struct store *store, const struct options *options)
{
	json_t *groups = json_object(), **sorted = NULL;
	int ret = choose_each(store, options, add_to_group, groups);

	if (!ret) {
		sorted = sort_groups(groups);
		if (!sorted)
			ret = complain("list the groups", -ENOMEM);
	}
	if (!ret)
		ret = options->json ? print_groups_json(sorted) : print_groups_text(sorted);
	free(sorted);
	json_decref(groups);
	return ret;
}
