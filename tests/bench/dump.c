// SPDX-License-Identifier: MIT
/* dump FILE RECORDS: writes a dump with so many records, each of another address. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm/drm_fault.h>

#include "drmfault_dump.h"

static void fill(struct drm_fault_record *record, uint64_t i)
{
	record->type = DRM_FAULT_RECORD_FAULT;
	record->length = sizeof(*record);
	record->reporter_id = 1;
	record->seqno = i + 1;
	record->count = 1 + i % 3;
	record->group_id = 1 + i / 64;
	record->timestamp_ns = 1000000000 + i * 1237;
	record->last_timestamp_ns = record->timestamp_ns;
	record->address = (i * 2654435761u) << 12;
	record->address_precision = 4096;
	record->address_bits = 48;
	record->access = 1 + i % 4;
	record->fault_type = 1 + i % 3;
	record->engine_class = 1 + i % 3;
	record->pid = (uint32_t)(1000 + i % 5);
	record->context_id = 1 + i % 5;
	strcpy(record->engine, "gfxhub0");
	strcpy(record->comm, "game");
}

int main(int argc, char **argv)
{
	struct drmfault_dump_content content = { .size = sizeof(content) };
	size_t i, count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	struct drm_fault_record *records = calloc(count, sizeof(*records));
	struct drmfault_snapshot *snapshot = NULL;
	int fd, ret;

	if (!count || !records)
		return 2;
	for (i = 0; i < count; i++)
		fill(&records[i], i);
	ret = drmfault_snapshot_from_bytes(records, sizeof(*records), count, &snapshot);
	fd = ret ? -1 : open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (!ret && fd < 0)
		ret = -errno;
	content.snapshot = snapshot;
	if (!ret)
		ret = drmfault_dump_write_fd(&content, fd);
	if (ret)
		fprintf(stderr, "dump: cannot write %s: %s\n", argv[1], strerror(-ret));
	drmfault_snapshot_free(snapshot);
	free(records);
	return ret != 0;
}
