/* SPDX-License-Identifier: MIT */
/* Stored dumps of the same fingerprint, counted. */
#ifndef DRMFAULT_GROUP_H
#define DRMFAULT_GROUP_H

#include "store.h"
#include "tool.h"

/* Prints the groups, as text or JSON; EXIT_FAILURE after saying why. */
int list_groups(struct store *store, const struct options *options);

#endif /* DRMFAULT_GROUP_H */
