// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "unpack.h"

#define FIRST_ROOM 65536

/* Makes room behind what is there. */
static int grow(struct bytes *bytes, size_t *room)
{
	uint8_t *longer;

	if (bytes->size < *room)
		return 0;
	if (*room >= BYTES_MAX)
		return -EFBIG;
	*room = *room ? 2 * *room : FIRST_ROOM;
	longer = realloc(bytes->data, *room);
	if (!longer)
		return -ENOMEM;
	bytes->data = longer;
	return 0;
}

static int read_all(int fd, struct bytes *bytes)
{
	size_t room = 0;
	ssize_t n;
	int ret;

	for (;;) {
		ret = grow(bytes, &room);
		if (ret)
			return ret;
		n = read(fd, bytes->data + bytes->size, room - bytes->size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		bytes->size += (size_t)n;
	}
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
	ret = read_all(fd, bytes);
	if (fd != STDIN_FILENO)
		close(fd);
	if (ret) {
		free(bytes->data);
		memset(bytes, 0, sizeof(*bytes));
	}
	return ret;
}

bool bytes_are_packed(const struct bytes *bytes)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return bytes->size >= sizeof(magic) && !memcmp(bytes->data, magic, sizeof(magic));
}

#ifdef HAVE_ZSTD

/* All that can be unpacked is kept: what is readable is shown. */
static int unpack(const struct bytes *packed, struct bytes *plain)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	ZSTD_inBuffer in = { packed->data, packed->size, 0 };
	size_t room = 0, left = 1;
	int ret = context ? 0 : -ENOMEM;

	while (!ret) {
		ZSTD_outBuffer out;

		ret = grow(plain, &room);
		if (ret)
			break;
		out = (ZSTD_outBuffer){ plain->data, room, plain->size };
		left = ZSTD_decompressStream(context, &out, &in);
		plain->size = out.pos;
		if (ZSTD_isError(left) || (in.pos == in.size && out.pos < out.size))
			break;
	}
	plain->damaged = left != 0;
	ZSTD_freeDCtx(context);
	return ret;
}

#else

static int unpack(const struct bytes *packed, struct bytes *plain)
{
	(void)packed;
	(void)plain;
	return -ENOTSUP;
}

#endif

int bytes_unpack(struct bytes *bytes)
{
	struct bytes plain = { 0 };
	int ret = unpack(bytes, &plain);

	if (ret) {
		free(plain.data);
		return ret;
	}
	free(bytes->data);
	*bytes = plain;
	return 0;
}
