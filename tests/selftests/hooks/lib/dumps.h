/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The dumps that the kernel has: folders "devcd1" of DUMPS. */
#ifndef HOOKS_DUMPS_H
#define HOOKS_DUMPS_H

#include <stdbool.h>

#define DUMPS	"/sys/class/devcoredump"

/* Is this the dump of a device whose name begins so? */
bool is_dump_of(const char *name, const char *device);
/* Frees it: 0, or a negative errno. */
int end_dump(const char *name);

#endif /* HOOKS_DUMPS_H */
