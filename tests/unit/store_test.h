/* SPDX-License-Identifier: MIT */
/* A store in a folder of its own, for the tests of one. */
#ifndef TEST_STORE_H
#define TEST_STORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store.h"

/* Setup and teardown of each test: *state is the store, of a new folder. */
int make_store(void **state);
int unmake_store(void **state);

/* One entry of some text, collected at @time_us (0: now). */
void add_entry(struct store *store, const char *text, int64_t time_us, char id[STORE_ID_SIZE]);
size_t count_entries(struct store *store);
/* Names in the folder that begin so. */
size_t count_names(struct store *store, const char *prefix);
/* The file of an entry as text. */
int read_text(struct store *store, const char *id, const char *name, char *text, size_t size);
/* A file in the folder, by its path there. */
void put_file(struct store *store, const char *path, const char *text);
/* The counters of the store, as they are printed, must have this in them. */
void expect_metric(struct store *store, const char *line);

#endif /* TEST_STORE_H */
