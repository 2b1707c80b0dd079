// SPDX-License-Identifier: MIT
/*
 * libFuzzer over the reader of dumps, and over the writer with what was read as its
 * base: what it writes must be read again as it was.
 */
#include <stdlib.h>

#include "dump_ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void write_and_read(const struct drmfault_dump *dump)
{
	const struct drmfault_dump_part part = { DRMFAULT_DUMP_HOST, 4, "A=b\n" };
	const struct drmfault_dump_content content = {
		.size = sizeof(content),
		.base = dump,
		.parts = &part,
		.part_count = 1,
	};
	struct drmfault_dump *again;
	uint64_t length, written;
	uint8_t *bytes;

	/* Of one that is cut off nothing is written. */
	if (drmfault_dump_write(&content, NULL, 0, &length))
		return;
	bytes = malloc(length);
	if (!bytes || drmfault_dump_write(&content, bytes, length, &written) || written != length ||
	    drmfault_dump_open_memory(bytes, length, &again))
		abort();
	if (drmfault_snapshot_count(drmfault_dump_snapshot(again)) !=
	    drmfault_snapshot_count(drmfault_dump_snapshot(dump)))
		abort();
	drmfault_dump_free(again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct drmfault_dump *dump;

	if (drmfault_dump_open_memory(bytes, size, &dump))
		return 0;
	if (dump_ask_everything(dump) == UINT64_MAX)
		abort();
	write_and_read(dump);
	drmfault_dump_free(dump);
	return 0;
}
