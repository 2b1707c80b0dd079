// SPDX-License-Identifier: MIT
/* The public header stands alone, in C99 and (by lib_header.cpp) in C++. */
#include "drmfault_verdict.h"

int main(void)
{
	const struct drmfault_subscribe_args args = { .size = sizeof(args) };

	return args.fd == 0 && drmfault_version()[0] ? 0 : 1;
}
