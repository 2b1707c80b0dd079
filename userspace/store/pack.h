/* SPDX-License-Identifier: MIT */
/* Writes a file that is compressed with zstd. */
#ifndef DRMFAULT_PACK_H
#define DRMFAULT_PACK_H

#include <stddef.h>
#include <stdint.h>

struct packer;

/* The file @name in the folder @dir, which must not be there yet. */
int pack_begin(int dir, const char *name, struct packer **packer);
int pack_write(struct packer *packer, const void *bytes, size_t size);
/* Brings it to the disk and closes it; the lengths may be NULL. Frees the packer in any case. */
int pack_end(struct packer *packer, uint64_t *size, uint64_t *packed_size);
/* Closes the file as it is; NULL is fine. */
void pack_abort(struct packer *packer);

/* All of it; 0, or a negative errno. */
int write_all(int fd, const void *bytes, size_t size);

#endif /* DRMFAULT_PACK_H */
