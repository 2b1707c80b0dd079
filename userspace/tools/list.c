// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "counters.h"
#include "group.h"
#include "stored.h"
#include "table.h"
#include "value.h"

#define TIME_SIZE 32

struct rows {
	struct table table;
	size_t count;
};

static void add_process(struct table *table, const json_t *meta)
{
	/* Where nobody's memory is concerned, whose job it was. */
	const char *of = json_object_get(meta, "process") ? "process" : "hang";
	char text[VALUE_TEXT];

	if (meta_number(meta, of, "pid"))
		table_add(table, "%" PRId64, meta_number(meta, of, "pid"));
	else
		table_add(table, "%s", "");
	table_add(table, "%s", clean_text(meta_text(meta, of, "comm"), text, sizeof(text)));
}

static int add_row(void *data, const json_t *meta)
{
	struct rows *rows = data;
	char text[VALUE_TEXT], time[TIME_SIZE], summary[SUMMARY_SIZE];

	table_add(&rows->table, "%s", stored_time(meta, "time_us", time, sizeof(time)));
	table_add(&rows->table, "%s", meta_text(meta, "id", NULL));
	table_add(&rows->table, "%s",
		  clean_text(meta_text(meta, "driver", NULL), text, sizeof(text)));
	add_process(&rows->table, meta);
	table_add(&rows->table, "%s%s", stored_summary(meta, summary),
		  json_object_get(meta, "damage") ? " (damaged)" : "");
	rows->count++;
	return 0;
}

static int list_text(struct store *store, const struct options *options)
{
	static const char *const headings[] = {
		"TIME", "ID", "DRIVER", ">PID", "COMM", "WHAT", NULL
	};
	struct rows rows = { 0 };
	int ret;

	table_begin(&rows.table, headings);
	ret = choose_each(store, options, add_row, &rows);
	if (table_end(&rows.table))
		return complain("list the dumps", rows.table.failed);
	if (!ret && !rows.count)
		puts("No such dumps are stored.");
	return ret;
}

static int print_line(void *data, const json_t *meta)
{
	(void)data;
	write_json(meta, 0);
	putchar('\n');
	/* What reads it shall have it now, and if nobody does, that ends it. */
	return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int print_metrics(struct store *store)
{
	int ret = store ? counters_print(store, stdout) : 0;

	return ret ? stored_complain(store_path(store), ret) : EXIT_SUCCESS;
}

static int run(const struct options *options)
{
	struct store *store;
	int ret;

	if (options->format && strcmp(options->format, "prometheus")) {
		fputs("drmfault: --format of a list can only be prometheus\n", stderr);
		return EXIT_USAGE;
	}
	ret = stored_open(options, &store);
	if (ret)
		return ret;
	if (options->format)
		ret = print_metrics(store);
	else if (options->group)
		ret = list_groups(store, options);
	else if (options->json)
		ret = choose_each(store, options, print_line, NULL);
	else
		ret = list_text(store, options);
	store_close(store);
	return finish_output() ? EXIT_FAILURE : ret;
}

const struct command command_list = {
	.name = "list",
	.summary = "List the dumps that were collected",
	.options = "jSUrpcbNgFD",
	.formats = "prometheus (counters, for node_exporter's textfile collector)",
	.run = run,
};
