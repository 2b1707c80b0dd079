/* SPDX-License-Identifier: MIT */
/* A question to another program. */
#ifndef DRMFAULT_ASK_H
#define DRMFAULT_ASK_H

#include <stdbool.h>

#define ASK_MAX 4096

/*
 * Runs a program, found by PATH, and takes the first bytes that it prints. False where
 * there is none, it fails, prints nothing or takes longer than ten seconds.
 */
bool ask(const char *const *command, char answer[ASK_MAX]);

#endif /* DRMFAULT_ASK_H */
