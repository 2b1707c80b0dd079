/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_SHOW_H
#define DRMFAULT_SHOW_H

#include "tool.h"

/* The stored dump that the command line names: all that is known of it. */
int show_stored(const struct options *options);

#endif /* DRMFAULT_SHOW_H */
