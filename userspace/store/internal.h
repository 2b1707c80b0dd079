/* SPDX-License-Identifier: MIT */
/* What the files of the store share. */
#ifndef DRMFAULT_STORE_INTERNAL_H
#define DRMFAULT_STORE_INTERNAL_H

#include <dirent.h>

#include "store.h"

#define NEW_PREFIX ".new-"
#define OLD_PREFIX ".old-"
#define LOCK_FILE  ".lock"
/* Room for a prefix and an ID. */
#define NAME_ROOM 64

struct store {
	int fd;
	char *path;
	/* What was written last by way of this, which store_vacuum() leaves. */
	char written[STORE_ID_SIZE];
};

/* Could it be a whole ID? */
bool is_id(const char *name);
/* The time that an ID has, in microseconds. */
uint64_t id_time_us(const char *id);

/*
 * The lock of those who write, for moments only. Readers do not take it, and those
 * who may only read cannot. A file to be closed, or a negative errno.
 */
int store_lock(struct store *store);

/* Opens the folder @name of @dir to be read; NULL with errno. */
DIR *open_folder(int dir, const char *name);
/*
 * Opens the file @name of @dir to be read: a file to be closed, or a negative errno.
 * -EBADMSG: it is a link, a pipe or the like, which may have no end or never begin.
 */
int open_regular(int dir, const char *name);
/* Removes @name with all that is in it. */
int remove_folder(struct store *store, const char *name);

#endif /* DRMFAULT_STORE_INTERNAL_H */
