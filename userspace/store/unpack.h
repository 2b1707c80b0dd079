/* SPDX-License-Identifier: MIT */
/* The bytes of a file, without the compression that it may have. */
#ifndef DRMFAULT_UNPACK_H
#define DRMFAULT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t *data;
	size_t size;
	/* It was compressed, and there was something wrong with that. */
	bool damaged;
};

/* No file is read beyond this. */
#define BYTES_MAX ((size_t)1 << 30)

/* As store_sink, which it is. */
typedef int (*unpack_sink)(void *data, const void *bytes, size_t size);

/*
 * Reads to the end. What does not begin as zstd does is given as it is, or, if it
 * @must_be_packed, is damaged. -EBADMSG: damaged or cut off, after all that could be
 * read of it; what @sink returned.
 */
int unpack_fd(int fd, bool must_be_packed, unpack_sink sink, void *data);
/* Into memory, to be freed with free(); "-" is the standard input. 0, or a negative errno. */
int bytes_read(const char *path, struct bytes *bytes);
/* A sink that appends to a struct bytes; its room doubles, and begins at that. */
int bytes_append(void *data, const void *bytes, size_t size);

#endif /* DRMFAULT_UNPACK_H */
