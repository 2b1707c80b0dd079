// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"
#include "dump-sink.h"

void sink_flush(struct sink *sink)
{
	size_t done = 0;
	ssize_t n;

	while (done < sink->used && !sink->error) {
		n = write(sink->fd, sink->bytes + done, sink->used - done);
		if (n < 0 && errno != EINTR)
			sink->error = -errno;
		else if (n > 0)
			done += (size_t)n;
	}
	sink->used = 0;
}

static void put_fd(struct sink *sink, const uint8_t *bytes, uint64_t size)
{
	uint64_t fits;

	while (size && !sink->error) {
		fits = sink->capacity - sink->used;
		if (fits > size)
			fits = size;
		memcpy(sink->bytes + sink->used, bytes, fits);
		sink->used += fits;
		bytes += fits;
		size -= fits;
		if (sink->used == sink->capacity)
			sink_flush(sink);
	}
}

void sink_put(struct sink *sink, const void *bytes, uint64_t size)
{
	uint64_t left = sink->count < sink->capacity ? sink->capacity - sink->count : 0;

	sink->crc = dump_crc(sink->crc, bytes, size);
	if (sink->fd >= 0)
		put_fd(sink, bytes, size);
	else if (left)
		memcpy(sink->bytes + sink->count, bytes, left < size ? left : size);
	sink->count += size;
}

void sink_put_zeros(struct sink *sink, uint64_t size)
{
	static const uint8_t zeros[64];
	uint64_t n;

	for (; size; size -= n) {
		n = size < sizeof(zeros) ? size : sizeof(zeros);
		sink_put(sink, zeros, n);
	}
}

void sink_put_number(struct sink *sink, size_t width, uint64_t value)
{
	uint8_t bytes[sizeof(value)];

	dump_put_number(bytes, width, value);
	sink_put(sink, bytes, width);
}
