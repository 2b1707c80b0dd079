/* SPDX-License-Identifier: MIT */
/*
 * How many dumps there have ever been, by driver and fault type, and how many of them
 * limits removed: a file of the store that only grows, for monitoring.
 */
#ifndef DRMFAULT_COUNTERS_H
#define DRMFAULT_COUNTERS_H

#include <stdio.h>

#include "store.h"

/**
 * counters_start - see that there are counters, before anything changes
 * @store: the caller holds its lock
 *
 * A store that has none yet starts with what is in it.
 */
int counters_start(struct store *store);
/** counters_add_dump - one more, of the driver and fault type that its @meta has */
int counters_add_dump(struct store *store, const json_t *meta);
/** counters_add_removed - as many more that a limit removed */
int counters_add_removed(struct store *store, enum store_reason reason, uint64_t count);

/**
 * counters_print - all of it in the text format of Prometheus, as node_exporter takes
 * it from *.prom files
 * @store: the store
 * @file: where
 *
 * Return: 0, or a negative errno of reading; whether it could be written, @file knows
 */
int counters_print(struct store *store, FILE *file);

#endif /* DRMFAULT_COUNTERS_H */
