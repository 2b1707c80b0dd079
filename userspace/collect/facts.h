/* SPDX-License-Identifier: MIT */
/* Small files of the kernel, and what is read in them as words of meta.json. */
#ifndef DRMFAULT_FACTS_H
#define DRMFAULT_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Up to @size - 1 bytes of a file; returns how many, or a negative errno. A NUL is put
 * behind them.
 */
ssize_t facts_read(const char *path, char *text, size_t size);
/* The first line of it, without its end; false where there is none. */
bool facts_line(const char *path, char *text, size_t size);
/* The last part of what a path, through links, is; false and "" where there is nothing. */
bool facts_name(const char *path, char *name, size_t size);

/*
 * Sets a member of an object, unless the text is empty. What is no UTF-8 is shown by
 * question marks: names are anybody's choice.
 */
void facts_set(json_t *object, const char *key, const char *text);

#endif /* DRMFAULT_FACTS_H */
