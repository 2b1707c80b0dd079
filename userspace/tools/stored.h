/* SPDX-License-Identifier: MIT */
/* Stored dumps, for the commands that look at them. */
#ifndef DRMFAULT_STORED_H
#define DRMFAULT_STORED_H

#include "store.h"
#include "tool.h"
#include "unpack.h"

/* What stored_summary() needs. */
#define SUMMARY_SIZE 320

/*
 * These say what is wrong in one sentence and return EXIT_FAILURE then. Where the
 * store of this machine is not there, nothing was collected: @store is NULL.
 */
int stored_open(const struct options *options, struct store **store);
/* The one that @word means; with EXIT_FAILURE also where there is no store. */
int stored_find(struct store *store, const char *word, char id[STORE_ID_SIZE]);
/* "drmfault: 2026...: WHY", for the error of a function of the store. */
int stored_complain(const char *id, int error);
/*
 * The metadata; where they cannot be read, what the ID alone tells, with "meta.json" as
 * its damage. NULL: it has gone, or no memory. Either is told of if @say.
 */
json_t *stored_load(struct store *store, const char *id, bool say);
/* A file of it into memory. 0, or a negative errno; -EBADMSG: as far as it is good. */
int stored_bytes(struct store *store, const char *id, const char *name, struct bytes *bytes);

/* Values of metadata: "driver", or "process", "comm"; "" and 0 if they are not there. */
const char *meta_text(const json_t *meta, const char *key, const char *sub);
int64_t meta_number(const json_t *meta, const char *key, const char *sub);

/* "write access at 0x1000: not present", cleaned of what a terminal would obey. */
const char *stored_summary(const json_t *meta, char text[SUMMARY_SIZE]);
/* The same behind the driver, for the subject of a report. */
const char *stored_title(const json_t *meta, char text[SUMMARY_SIZE]);
/* The microseconds that @key has, in the user's time zone: "2026-12-02 04:10:00". */
const char *stored_time(const json_t *meta, const char *key, char *text, size_t size);

#endif /* DRMFAULT_STORED_H */
