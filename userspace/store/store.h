/* SPDX-License-Identifier: MIT */
/*
 * The store of collected dumps: a folder with one folder for each.
 *
 *   ID/dump.zst        what the kernel gave, compressed with zstd
 *   ID/meta.json       what is known of it, one JSON object
 *   ID/kernel.log.zst  the kernel log around it, if there is any
 *   .new-*             entries that are being written
 *   .old-*             entries that are being removed
 *   .counters.json     how many there have ever been, see counters.h
 *   .lock              held for moments by who writes
 *
 * An entry appears whole or not at all: it is written under another name, brought to
 * the disk and then renamed. Entries can be read while others are written or removed;
 * one that goes meanwhile reads as -ENOENT. Any number of processes may write.
 *
 * All functions return 0 or a negative errno and print nothing.
 */
#ifndef DRMFAULT_STORE_H
#define DRMFAULT_STORE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_FOLDER "/var/lib/drmfault"
/** The environment variable that names another folder. */
#define STORE_ENVIRONMENT "DRMFAULT_STORE"

#define STORE_DUMP "dump.zst"
#define STORE_LOG  "kernel.log.zst"
#define STORE_META "meta.json"

/** "20261202-041000-0a1b2c": the time of collection in UTC, and six random digits */
#define STORE_ID_LENGTH 22
#define STORE_ID_SIZE	(STORE_ID_LENGTH + 1)

struct store;
struct store_writer;

/**
 * store_open - open a store
 * @path: NULL: what the environment names, else STORE_FOLDER
 * @create: make the folder if it is not there
 * @store: to be closed with store_close()
 *
 * Return: 0; -ENOENT, -EACCES, -ENOTDIR
 */
int store_open(const char *path, bool create, struct store **store);
void store_close(struct store *store);
/** store_path - as it was opened, for messages */
const char *store_path(const struct store *store);
/** store_fd - the folder, for statfs() and the like; stays the store's */
int store_fd(const struct store *store);

/* ---- Writing ---- */

/**
 * store_begin - begin a new entry
 * @store: must stay open until the entry is committed or aborted
 * @writer: to be ended with store_commit() or store_abort()
 *
 * Return: 0; -EACCES, -EROFS, -ENOSPC
 */
int store_begin(struct store *store, struct store_writer **writer);
/**
 * store_write - append bytes of the dump
 * @writer: the entry
 * @bytes: as the kernel gave them; they are compressed here
 * @size: how many
 *
 * Return: 0; -ENOSPC, -EDQUOT, -EFBIG, -EIO: the entry can only be aborted
 */
int store_write(struct store_writer *writer, const void *bytes, size_t size);
/** store_write_log - append text of the kernel log, as store_write() */
int store_write_log(struct store_writer *writer, const char *text, size_t size);
/**
 * store_commit - end an entry and make it appear
 * @writer: freed, whatever is returned
 * @meta: what is known of the dump; stays the caller's. What is in it of version, id,
 *	time, size and stored_size is overwritten; time_us, CLOCK_REALTIME in
 *	microseconds, is set to now unless it is there
 * @id: the entry's, may be NULL
 *
 * The entry is on the disk when this returns 0. Then it is counted, see counters.h.
 *
 * Return: 0; otherwise there is no entry: as store_write(), -EINVAL: @meta is no object
 */
int store_commit(struct store_writer *writer, json_t *meta, char id[STORE_ID_SIZE]);
/** store_abort - end an entry and remove what was written of it; NULL is fine */
void store_abort(struct store_writer *writer);

/**
 * store_sweep - remove what writers and removers that were killed left
 * @store: the store
 *
 * Return: how many entries of that kind there were, or a negative errno
 */
int store_sweep(struct store *store);

/* ---- Reading ---- */

/** struct store_list - IDs, oldest first */
struct store_list {
	size_t count;
	char (*ids)[STORE_ID_SIZE];
};

/** store_list_read - what is there now; free it with store_list_free() */
int store_list_read(struct store *store, struct store_list *list);
void store_list_free(struct store_list *list);

/** store_is_word - can this name an entry: is it "latest", or the beginning of an ID? */
bool store_is_word(const char *word);

/**
 * store_find - the entry that a person means
 * @store: the store
 * @word: an ID, the beginning of one, or "latest"
 * @id: the whole ID
 *
 * Return: 0; -ENOENT: there is none; -ENOTUNIQ: several IDs begin so; -EINVAL: not
 * store_is_word()
 */
int store_find(struct store *store, const char *word, char id[STORE_ID_SIZE]);

/**
 * store_load - what is known of an entry
 * @store: the store
 * @id: a whole ID
 * @meta: a JSON object with at least id and time_us, for json_decref()
 *
 * Return: 0; -ENOENT: it has gone; -EBADMSG: the file is damaged, or is missing in an
 * entry that is there
 */
int store_load(struct store *store, const char *id, json_t **meta);

/** Takes bytes one after the other; what is not 0 ends it and is returned. */
typedef int (*store_sink)(void *data, const void *bytes, size_t size);

/**
 * store_read - unpack a file of an entry
 * @store: the store
 * @id: a whole ID
 * @name: STORE_DUMP or STORE_LOG
 * @sink: what takes the bytes
 * @data: for @sink
 *
 * Return: 0; -ENOENT: there is no such entry or file; -EBADMSG: it is damaged or cut
 * off, after all that could be read; what @sink returned
 */
int store_read(struct store *store, const char *id, const char *name, store_sink sink, void *data);

/**
 * store_remove - remove an entry
 * @store: the store
 * @id: a whole ID
 *
 * Return: 0; -ENOENT: it is not there, or somebody else was faster; -EACCES
 */
int store_remove(struct store *store, const char *id);

/* ---- Limits ---- */

#define STORE_NO_LIMIT UINT64_MAX

/** struct store_limits - what the store may take, each STORE_NO_LIMIT for as much as there is */
struct store_limits {
	/** Bytes of disk that all entries take together */
	uint64_t max_use;
	/** Bytes of the file system that stay free */
	uint64_t keep_free;
	/** Microseconds since an entry was collected; STORE_NO_LIMIT or 0: any */
	uint64_t max_age_us;
	/** Entries */
	uint64_t max_count;
};

/** enum store_reason - which limit made an entry go */
enum store_reason {
	STORE_MAX_AGE,
	STORE_MAX_COUNT,
	STORE_MAX_USE,
	STORE_KEEP_FREE,
	STORE_REASONS,
};

/** store_reason_name - as the setting is called: "MaxUse" */
const char *store_reason_name(enum store_reason reason);

/**
 * store_limits_default - a tenth of the file system but 1 GiB at most, 15 % of it
 * free, three months, 1000 entries
 */
int store_limits_default(struct store *store, struct store_limits *limits);

/** Hears of each entry that was removed; @data is the caller's. */
typedef void (*store_removed)(void *data, const char *id, enum store_reason reason);

/**
 * store_vacuum - remove the oldest entries until the limits are kept
 * @store: the store
 * @limits: the limits
 * @removed: may be NULL
 * @data: for @removed
 *
 * The newest entry stays, whatever the limits say, and so does what was written last
 * by way of @store. What is removed is counted.
 *
 * Return: how many were removed, or a negative errno: one could not be removed, and
 * those that had to go as well and could be are removed
 */
int store_vacuum(struct store *store, const struct store_limits *limits, store_removed removed,
		 void *data);

/** store_usage - bytes of disk that all entries take */
int store_usage(struct store *store, uint64_t *bytes);

#endif /* DRMFAULT_STORE_H */
