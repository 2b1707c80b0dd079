// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "pack.h"

#define MODE 0640

struct packer {
	ZSTD_CCtx *context;
	int fd;
	uint64_t size;
	uint64_t packed_size;
	size_t room_size;
	uint8_t room[];
};

int write_all(int fd, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	ssize_t n;

	while (size) {
		n = write(fd, from, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		from += n;
		size -= (size_t)n;
	}
	return 0;
}

int pack_begin(int dir, const char *name, struct packer **packer)
{
	struct packer *p = calloc(1, sizeof(*p) + ZSTD_CStreamOutSize());
	int ret = -ENOMEM;

	if (!p)
		return ret;
	p->fd = -1;
	p->room_size = ZSTD_CStreamOutSize();
	p->context = ZSTD_createCCtx();
	if (p->context) {
		/* A damaged dump shall be known as one. */
		ZSTD_CCtx_setParameter(p->context, ZSTD_c_checksumFlag, 1);
		p->fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
		ret = p->fd < 0 ? -errno : 0;
	}
	if (ret) {
		pack_abort(p);
		return ret;
	}
	*packer = p;
	return 0;
}

static int pack(struct packer *packer, const void *bytes, size_t size, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	size_t left;
	int ret;

	do {
		ZSTD_outBuffer out = { packer->room, packer->room_size, 0 };

		left = ZSTD_compressStream2(packer->context, &out, &in, end);
		if (ZSTD_isError(left))
			return -ENOMEM;
		ret = write_all(packer->fd, packer->room, out.pos);
		if (ret)
			return ret;
		packer->packed_size += out.pos;
	} while (end == ZSTD_e_end ? left : in.pos < in.size);
	packer->size += size;
	return 0;
}

int pack_write(struct packer *packer, const void *bytes, size_t size)
{
	return size ? pack(packer, bytes, size, ZSTD_e_continue) : 0;
}

int pack_end(struct packer *packer, uint64_t *size, uint64_t *packed_size)
{
	int ret = pack(packer, NULL, 0, ZSTD_e_end);

	if (!ret && fsync(packer->fd))
		ret = -errno;
	if (size)
		*size = packer->size;
	if (packed_size)
		*packed_size = packer->packed_size;
	pack_abort(packer);
	return ret;
}

void pack_abort(struct packer *packer)
{
	if (!packer)
		return;
	if (packer->fd >= 0)
		close(packer->fd);
	ZSTD_freeCCtx(packer->context);
	free(packer);
}
