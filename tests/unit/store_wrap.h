/* SPDX-License-Identifier: MIT */
/* System calls that change a store, which can fail, or be the last of a process. */
#ifndef TEST_STORE_WRAP_H
#define TEST_STORE_WRAP_H

#include <stdbool.h>

struct wrap {
	/* The call to hit, from 1; 0: none. */
	int at;
	/* With what it fails; 0: the process is killed before it. */
	int error;
	/* And all that follow of those that need space. */
	bool lasts;
	/* How many there were. */
	int count;
};

extern struct wrap wrap;

#endif /* TEST_STORE_WRAP_H */
