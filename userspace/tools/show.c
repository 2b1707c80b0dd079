// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

static int print_sums(const struct drmfault_snapshot *snapshot)
{
	size_t count = drmfault_snapshot_count(snapshot);

	if (!count)
		return puts("No faults are recorded.") < 0;
	printf("\n%zu record%s of %" PRIu64 " event%s", count, count == 1 ? "" : "s",
	       drmfault_snapshot_events(snapshot),
	       drmfault_snapshot_events(snapshot) == 1 ? "" : "s");
	if (drmfault_snapshot_lost(snapshot))
		printf(", %" PRIu64 " events are in none", drmfault_snapshot_lost(snapshot));
	puts(drmfault_snapshot_moving(snapshot) ? "; more arrived meanwhile." : ".");
	return 0;
}

static int run(const struct options *options)
{
	struct drmfault_snapshot *snapshot;
	struct drmfault_stream *stream;
	size_t i;
	int ret = open_stream(options, &stream);

	if (ret)
		return ret;
	ret = drmfault_snapshot_take(stream, &snapshot);
	drmfault_stream_free(stream);
	if (ret)
		return fail("read the records", ret);

	for (i = 0; !ret && i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		ret = options->json ? print_record_json(record) : print_record_text(record);
	}
	if (!ret && !options->json)
		print_sums(snapshot);
	drmfault_snapshot_free(snapshot);
	return ret ? ret : finish_output();
}

const struct command command_show = {
	.name = "show",
	.summary = "Print the faults that the kernel has recorded",
	.options = "japd",
	.run = run,
};
