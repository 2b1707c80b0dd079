// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "show.h"

static json_t *snapshot_json(const struct drmfault_snapshot *snapshot,
			     const struct filters *filters)
{
	json_t *records = json_array();
	size_t i;

	for (i = 0; records && i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (filters_pass(filters, record) &&
		    json_array_append_new(records, record_json(record))) {
			json_decref(records);
			return NULL;
		}
	}
	return records ? json_pack("{s:o, s:I, s:I, s:I, s:b}", "records", records, "total",
				   (json_int_t)drmfault_snapshot_count(snapshot), "events",
				   (json_int_t)drmfault_snapshot_events(snapshot), "lost",
				   (json_int_t)drmfault_snapshot_lost(snapshot), "moving",
				   drmfault_snapshot_moving(snapshot))
		       : NULL;
}

static void print_sums(const struct drmfault_snapshot *snapshot, size_t shown)
{
	size_t count = drmfault_snapshot_count(snapshot);
	uint64_t events = drmfault_snapshot_events(snapshot);
	uint64_t lost = drmfault_snapshot_lost(snapshot);

	if (!count) {
		puts("No faults are recorded.");
		return;
	}
	if (shown)
		putchar('\n');
	if (shown != count)
		printf("%zu of ", shown);
	printf("%zu record%s of %" PRIu64 " event%s", count, count == 1 ? "" : "s", events,
	       events == 1 ? "" : "s");
	if (lost)
		printf(", %" PRIu64 " of them in no record", lost);
	puts(drmfault_snapshot_moving(snapshot) ? "; more arrived meanwhile." : ".");
}

static void print_snapshot(const struct drmfault_snapshot *snapshot, const struct options *options)
{
	size_t i, shown = 0;

	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (!filters_pass(&options->filters, record))
			continue;
		print_record_text(record);
		if (options->full)
			print_record_long(record);
		shown++;
	}
	print_sums(snapshot, shown);
}

static int show_kernel(const struct options *options)
{
	struct drmfault_snapshot *snapshot;
	struct drmfault_stream *stream;
	int ret = open_stream(options, &stream);

	if (ret)
		return ret;
	ret = drmfault_snapshot_take(stream, &snapshot);
	drmfault_stream_free(stream);
	if (ret)
		return complain("read the records", ret);
	if (options->json)
		ret = print_json(snapshot_json(snapshot, &options->filters));
	else
		print_snapshot(snapshot, options);
	drmfault_snapshot_free(snapshot);
	return ret ? ret : finish_output();
}

static int run(const struct options *options)
{
	if (options->arg_count && (options->all || options->pid || options->device)) {
		fputs("drmfault: a stored dump has the records that it has: --filter chooses among "
		      "them, and --all, --pid and --device do not\n",
		      stderr);
		return EXIT_USAGE;
	}
	if (!options->arg_count && (options->log || options->store)) {
		fputs("drmfault: --log and --store are for stored dumps: name one by its ID, or as "
		      "\"latest\"\n",
		      stderr);
		return EXIT_USAGE;
	}
	return options->arg_count ? show_stored(options) : show_kernel(options);
}

const struct command command_show = {
	.name = "show",
	.summary = "Print the faults that the kernel has recorded, or a stored dump",
	.options = "jlapdfLD",
	.arguments = "[ID]",
	.most = 1,
	.run = run,
};
