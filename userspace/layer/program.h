/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LAYER_PROGRAM_H
#define DRMFAULT_LAYER_PROGRAM_H

#include <stddef.h>

#define PROGRAM_NAME_SIZE 32

/* What this process is called, "" if nothing tells. */
void program_name(char *name, size_t size);

#endif /* DRMFAULT_LAYER_PROGRAM_H */
