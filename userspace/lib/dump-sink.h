/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LIB_DUMP_SINK_H
#define DRMFAULT_LIB_DUMP_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where bytes go. All are counted and go into the checksum, also those that there
 * is no room for, so that the code that measures is the code that writes.
 */
struct sink {
	uint8_t *bytes;
	uint64_t capacity;
	uint64_t count;
	uint32_t crc;
	/* Nobody asks for the checksum, nor for the bytes. */
	bool only_counts;
	/* Of a file: @bytes is a buffer that is @used. -1: there is none. */
	int fd;
	size_t used;
	int error;
};

#define SINK_MEASURES    \
	{                \
		.fd = -1 \
	}

void sink_put(struct sink *sink, const void *bytes, uint64_t size);
void sink_put_zeros(struct sink *sink, uint64_t size);
void sink_put_number(struct sink *sink, size_t width, uint64_t value);
/* To the file. */
void sink_flush(struct sink *sink);

#endif /* DRMFAULT_LIB_DUMP_SINK_H */
