// SPDX-License-Identifier: MIT
#include "drmfault_verdict.h"

int main()
{
	drmfault_subscribe_args args{};

	args.size = sizeof(args);
	args.scope = DRMFAULT_SCOPE_SELF;
	return args.fd == 0 && drmfault_version()[0] ? 0 : 1;
}
