// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "describe.h"
#include "process.h"

#define CHUNK 65536
/* A dump of drm_fault has its magic number behind a line of text. */
#define MAGIC	     "DRMFAULT"
#define MAGIC_OFFSET 88
/* Of drm_fault's no more is kept to be looked at, nor of others. */
#define OURS_MAX  ((size_t)64 << 20)
#define OTHER_MAX ((size_t)64 << 10)

static size_t kept_max(const struct content *content)
{
	bool ours = content->size >= MAGIC_OFFSET + strlen(MAGIC) &&
		    !memcmp(content->bytes + MAGIC_OFFSET, MAGIC, strlen(MAGIC));

	return ours ? OURS_MAX : OTHER_MAX;
}

static int keep(struct content *content, const uint8_t *bytes, size_t size)
{
	size_t max = kept_max(content), room = content->room ? content->room : CHUNK;
	uint8_t *longer;

	if (content->size >= max)
		return 0;
	if (size > max - content->size)
		size = max - content->size;
	while (room < content->size + size)
		room *= 2;
	if (room != content->room) {
		longer = realloc(content->bytes, room);
		if (!longer)
			return -ENOMEM;
		content->bytes = longer;
		content->room = room;
	}
	memcpy(content->bytes + content->size, bytes, size);
	content->size += size;
	return 0;
}

int content_copy(struct content *content, int fd, struct store_writer *writer, bool *writing)
{
	static uint8_t chunk[CHUNK];
	ssize_t n;
	int ret;

	*writing = false;
	for (;;) {
		/* Its size is not known before: in sysfs it is 0. */
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		content->total += (uint64_t)n;
		ret = keep(content, chunk, (size_t)n);
		if (ret)
			return ret;
		ret = store_write(writer, chunk, (size_t)n);
		if (ret) {
			*writing = true;
			return ret;
		}
	}
}

/* The records of the newest incident have the greatest number. */
static uint64_t event_of(const struct drmfault_dump *dump)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	const struct drmfault_record *record;
	uint64_t group = 0, time, first = 0;
	size_t i;

	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		record = drmfault_snapshot_record(snapshot, i);
		time = drmfault_record_timestamp_ns(record);
		if (drmfault_record_group_id(record) > group) {
			group = drmfault_record_group_id(record);
			first = time;
		} else if (drmfault_record_group_id(record) == group && time < first) {
			first = time;
		}
	}
	return first;
}

int content_describe(struct content *content, json_t *meta)
{
	struct drmfault_dump *dump;

	if (!drmfault_dump_open_memory(content->bytes, content->size, &dump)) {
		content->event_ns = event_of(dump);
		drmfault_dump_free(dump);
	} else if (content->size) {
		process_of_text(meta, (const char *)content->bytes, content->size);
	}
	return describe_dump(meta, content->bytes, content->size);
}

void content_free(struct content *content)
{
	free(content->bytes);
}
