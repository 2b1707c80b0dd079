/* SPDX-License-Identifier: MIT */
/*
 * Instances and devices by what the loader writes at the start of every handle: a
 * pointer that all handles of one instance, or of one device, have in common.
 */
#ifndef DRMFAULT_LAYER_TABLE_H
#define DRMFAULT_LAYER_TABLE_H

#include <stdbool.h>

struct table;

extern struct table instances, devices;

/* @handle: any dispatchable handle of it. */
bool table_add(struct table *table, const void *handle, void *value);
void table_remove(struct table *table, const void *handle);
/* NULL: it is not there. */
void *table_find(struct table *table, const void *handle);

#endif /* DRMFAULT_LAYER_TABLE_H */
