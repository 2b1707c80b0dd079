/* SPDX-License-Identifier: MIT */
/*
 * Which of the process's GPU faults are of which device. The kernel knows whose a DRM file
 * is: those that appear while the driver creates a device are taken to be the device's.
 */
#ifndef DRMFAULT_LAYER_OWNER_H
#define DRMFAULT_LAYER_OWNER_H

#include "layer.h"

#define OWNER_FILES 4

struct owner {
	struct owner *next;
	struct drmfault_stream *files[OWNER_FILES];
	unsigned int count;
};

/* The DRM files that are open; NULL: that cannot be told. */
struct open_files *open_files_read(void);
/* Those that are open now and were not in @before, which it frees, become the owner's. */
void owner_begin(struct owner *owner, struct open_files *before);
/* Its faults are still not those of others. */
void owner_end(struct owner *owner);
/* @data: an owner. True only where the record is another one's, for certain. */
bool owner_is_foreign(void *data, const struct drmfault_record *record);

#endif /* DRMFAULT_LAYER_OWNER_H */
