/* SPDX-License-Identifier: MIT */
/* What the command line names: a file, the standard input, a stored dump. */
#ifndef DRMFAULT_INPUT_H
#define DRMFAULT_INPUT_H

#include "tool.h"
#include "unpack.h"

/*
 * The bytes of a file, of "-", or, if there is no such file, of a stored dump.
 * EXIT_SUCCESS, also where the compression is damaged, or EXIT_FAILURE, and it was said
 * why.
 */
int input_read(const char *word, const struct options *options, struct bytes *bytes);
/* "standard input" for "-". */
const char *input_name(const char *word);

#endif /* DRMFAULT_INPUT_H */
