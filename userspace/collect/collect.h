/* SPDX-License-Identifier: MIT */
/* From a devcoredump to an entry of the store. */
#ifndef DRMFAULT_COLLECT_H
#define DRMFAULT_COLLECT_H

#include <stdbool.h>

#include "config.h"
#include "store.h"

/** enum collect_status - the exit status of the program as well */
enum collect_status {
	COLLECT_DONE = 0,   /* stored, now or before, or not wanted */
	COLLECT_FAILED = 1, /* not stored; it may be tried again */
	COLLECT_GONE = 3,   /* not stored, and the kernel does not have it any more */
};

struct collector {
	/* Where sys, proc, dev, etc and var are, "" for /. */
	const char *root;
	struct config config;
	struct store_limits limits;
	/* Leave the kernel's copy where it is. */
	bool keep;
	struct store *store;
};

/**
 * collector_open - read the settings and open the store
 * @collector: its root and keep are set
 * @path: of the store, NULL: where it is by default
 * @settings: hears of wrong settings
 *
 * Removes what killed collectors left, and what the limits do not allow.
 *
 * Return: 0, or a negative errno of the store
 */
int collector_open(struct collector *collector, const char *path, config_warn settings);
void collector_close(struct collector *collector);

/** collector_tidy - remove the oldest entries until the limits are kept */
void collector_tidy(struct collector *collector);

/**
 * collect_dump - store one dump, then free the kernel's copy
 * @collector: with an open store
 * @name: "devcd3"
 *
 * What happened to it is reported. Several processes may do this for one dump: one
 * stores it.
 */
enum collect_status collect_dump(struct collector *collector, const char *name);

/** collect_all - the same for all that there are; the worst status of them */
enum collect_status collect_all(struct collector *collector);

#endif /* DRMFAULT_COLLECT_H */
