/* SPDX-License-Identifier: MIT */
/* Which stored dumps are of interest. */
#ifndef DRMFAULT_CHOOSE_H
#define DRMFAULT_CHOOSE_H

#include <jansson.h>

#include "store.h"
#include "tool.h"

/* What is done with each of them; what is not 0 ends it and is returned. */
typedef int (*choose_visit)(void *data, const json_t *meta);

/*
 * All that the options want, oldest first; at most options->count of the newest. What
 * cannot be read is told of, and what has gone meanwhile is not missed.
 */
int choose_each(struct store *store, const struct options *options, choose_visit visit, void *data);

#endif /* DRMFAULT_CHOOSE_H */
