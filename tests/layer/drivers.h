/* SPDX-License-Identifier: MIT */
/* A test on each of some drivers, every time in a place and on a device of its own. */
#ifndef DRMFAULT_TEST_LAYER_DRIVERS_H
#define DRMFAULT_TEST_LAYER_DRIVERS_H

#include <stddef.h>

#include "app.h"
#include "place.h"

struct drivers_test {
	void (*run)(struct app *app);
	/* What their mocks are told, ended by NULL. */
	const char *const *drivers;
	/* How often on each driver; 0: once. */
	size_t rows;
};

/* Which of them, from 0: for a test that has a table. */
extern size_t drivers_row;

/* Of cmocka. The end of a test that failed says on which driver it did. */
void drivers_run(void **state);
int drivers_end(void **state);

/* For the tests of main(): on each of a list, and on those that follow. */
#define ON_EACH(test, drivers) DRIVERS_TEST(test, drivers, 0)
#define ON(test, ...)	       DRIVERS_TEST(test, DRIVERS_LIST(__VA_ARGS__), 0)
/* And for each row of a table, on a device of its own. */
#define ROWS_ON_EACH(test, rows, drivers) DRIVERS_TEST(test, drivers, rows)
#define ROWS_ON(test, rows, ...)	  DRIVERS_TEST(test, DRIVERS_LIST(__VA_ARGS__), rows)

#define DRIVERS_LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define DRIVERS_TEST(test, drivers, rows)                                              \
	{                                                                              \
		.name = #test, .test_func = drivers_run, .teardown_func = drivers_end, \
		.initial_state = &(struct drivers_test)                                \
		{                                                                      \
			test, drivers, rows                                            \
		}                                                                      \
	}

#endif /* DRMFAULT_TEST_LAYER_DRIVERS_H */
