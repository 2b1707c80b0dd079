// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers.h"

size_t drivers_row;

/* The driver of the test that runs. */
static const char *running;

static void run_on(const struct drivers_test *test, const char *driver)
{
	struct app app;

	assert_int_equal(place_make(NULL), 0);
	app_start(&app, driver);
	test->run(&app);
	app_close(&app, NULL);
	assert_int_equal(place_remove(NULL), 0);
}

void drivers_run(void **state)
{
	const struct drivers_test *test = *state;
	const char *const *driver;

	for (driver = test->drivers; *driver; driver++) {
		running = *driver;
		drivers_row = 0;
		do
			run_on(test, running);
		while (++drivers_row < test->rows);
	}
	running = NULL;
}

int drivers_end(void **state)
{
	(void)state;
	if (!running)
		return 0;
	print_message("# with MOCK=\"%s\", row %zu\n", running, drivers_row);
	running = NULL;
	return place_remove(NULL);
}
