/* SPDX-License-Identifier: MIT */
/* Rows of text whose columns are as wide as what is in them. */
#ifndef DRMFAULT_TABLE_H
#define DRMFAULT_TABLE_H

#include <stddef.h>

#define TABLE_COLUMNS_MAX 12

struct table {
	size_t columns;
	size_t count;
	char **cells;
	int failed;
};

/* @headings end with NULL; one that begins with '>' is of numbers. */
void table_begin(struct table *table, const char *const *headings);
/* The next cell, from left to right; "" is shown as "-". */
__attribute__((format(printf, 2, 3))) void table_add(struct table *table, const char *format, ...);
/* Prints it, if it has rows, and frees it; 0 or -ENOMEM. */
int table_end(struct table *table);

#endif /* DRMFAULT_TABLE_H */
