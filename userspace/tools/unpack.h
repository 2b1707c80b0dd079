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

/* "-" is the standard input. 0, or a negative errno. */
int bytes_read(const char *path, struct bytes *bytes);
bool bytes_are_packed(const struct bytes *bytes);
/* In their place. -ENOTSUP: this program was built without what unpacks them. */
int bytes_unpack(struct bytes *bytes);

#endif /* DRMFAULT_UNPACK_H */
