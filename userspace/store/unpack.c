// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "unpack.h"

#define CHUNK	   131072
#define FIRST_ROOM 65536

/* The room is a power of two: whether it is used up can be seen from the size. */
int bytes_append(void *data, const void *more, size_t size)
{
	struct bytes *bytes = data;
	size_t room = FIRST_ROOM, wanted = bytes->size + size;
	uint8_t *longer;

	if (size > BYTES_MAX || wanted > BYTES_MAX)
		return -EFBIG;
	while (room < bytes->size)
		room *= 2;
	if (!bytes->data || wanted > room) {
		while (room < wanted)
			room *= 2;
		longer = realloc(bytes->data, room);
		if (!longer)
			return -ENOMEM;
		bytes->data = longer;
	}
	if (size)
		memcpy(bytes->data + bytes->size, more, size);
	bytes->size = wanted;
	return 0;
}

static ssize_t read_some(int fd, void *room, size_t size)
{
	ssize_t n;

	do
		n = read(fd, room, size);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* A pipe may give less than is needed to see what it is. */
static ssize_t read_head(int fd, uint8_t *room, size_t wanted)
{
	size_t have = 0;
	ssize_t n;

	while (have < wanted) {
		n = read_some(fd, room + have, CHUNK - have);
		if (n < 0)
			return n;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

/* One chunk; @left: bytes that zstd still waits for, 0: a frame has ended. */
static int unpack_chunk(ZSTD_DCtx *context, const void *bytes, size_t size, size_t *left,
			uint8_t *room, unpack_sink sink, void *data)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	ZSTD_outBuffer out;
	int ret = 0;

	do {
		out = (ZSTD_outBuffer){ room, CHUNK, 0 };
		*left = ZSTD_decompressStream(context, &out, &in);
		if (out.pos)
			ret = sink(data, room, out.pos);
		if (!ret && ZSTD_isError(*left))
			ret = -EBADMSG;
	} while (!ret && (in.pos < in.size || out.pos == out.size));
	return ret;
}

static int unpack_rest(int fd, uint8_t *chunk, ssize_t n, unpack_sink sink, void *data)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	uint8_t *room = malloc(CHUNK);
	int ret = context && room ? 0 : -ENOMEM;
	size_t left = 0;

	while (!ret && n > 0) {
		ret = unpack_chunk(context, chunk, (size_t)n, &left, room, sink, data);
		if (!ret)
			n = read_some(fd, chunk, CHUNK);
	}
	if (!ret)
		ret = n < 0 ? (int)n : left ? -EBADMSG : 0;
	free(room);
	ZSTD_freeDCtx(context);
	return ret;
}

static int copy_rest(int fd, uint8_t *chunk, ssize_t n, unpack_sink sink, void *data)
{
	int ret = 0;

	while (!ret && n > 0) {
		ret = sink(data, chunk, (size_t)n);
		if (!ret)
			n = read_some(fd, chunk, CHUNK);
	}
	return ret ? ret : n < 0 ? (int)n : 0;
}

int unpack_fd(int fd, bool must_be_packed, unpack_sink sink, void *data)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint8_t *chunk = malloc(CHUNK);
	ssize_t n;
	int ret;

	if (!chunk)
		return -ENOMEM;
	n = read_head(fd, chunk, sizeof(magic));
	if (n >= (ssize_t)sizeof(magic) && !memcmp(chunk, magic, sizeof(magic)))
		ret = unpack_rest(fd, chunk, n, sink, data);
	else if (must_be_packed && n >= 0)
		ret = -EBADMSG;
	else
		ret = copy_rest(fd, chunk, n, sink, data);
	free(chunk);
	return ret;
}

int bytes_read(const char *path, struct bytes *bytes)
{
	int ret, fd = STDIN_FILENO;

	memset(bytes, 0, sizeof(*bytes));
	if (strcmp(path, "-")) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
	}
	/* Of an empty file, too, there is memory. */
	ret = bytes_append(bytes, "", 0);
	if (!ret)
		ret = unpack_fd(fd, false, bytes_append, bytes);
	if (fd != STDIN_FILENO)
		close(fd);
	if (ret == -EBADMSG) {
		bytes->damaged = true;
		return 0;
	}
	if (ret) {
		free(bytes->data);
		memset(bytes, 0, sizeof(*bytes));
	}
	return ret;
}
