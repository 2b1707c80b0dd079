// SPDX-License-Identifier: MIT
/* An application that uses a buffer after its end; with an argument, one that does not. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app.h"

int main(int argc, char **argv)
{
	struct app_buffer buffer;
	struct app app;

	app_open(&app, "ext", NULL);
	if (app_device(&app, NULL, NULL, NULL) != VK_SUCCESS)
		return 1;
	buffer = app_buffer(&app, 0x1000, "particles");
	app_buffer_free(&app, &buffer);
	if (argc < 2)
		app_lose(&app, buffer.address + 0x100);
	else if (!strcmp(argv[1], "abort"))
		raise(SIGABRT);
	app_close(&app, NULL);
	return 7;
}
