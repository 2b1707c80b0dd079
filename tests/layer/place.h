/* SPDX-License-Identifier: MIT */
/* A folder for what the layer writes in a test. */
#ifndef DRMFAULT_TEST_LAYER_PLACE_H
#define DRMFAULT_TEST_LAYER_PLACE_H

#include <limits.h>

#include "drmfault_dump.h"

#define TEXT_MAX 65536

struct place {
	char folder[64];
	/* Where reports go, not there before, and the file of summaries. */
	char reports[128];
	char output[128];
};

extern struct place place;

/* Of cmocka. */
int place_make(void **state);
int place_remove(void **state);
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

/* Number of reports, and the path of one. */
unsigned int find_reports(char path[PATH_MAX]);
/* There must be one, without damage. */
struct drmfault_dump *open_report(void);
/* The first line of that name, behind its '='. */
const char *host_value(const struct drmfault_dump *dump, const char *name);
void read_summary(char text[TEXT_MAX]);

#endif /* DRMFAULT_TEST_LAYER_PLACE_H */
