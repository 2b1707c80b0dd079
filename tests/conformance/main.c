// SPDX-License-Identifier: MIT
/* All cases against the one subject of this program. */
#include "conformance.h"

int main(void)
{
	return conformance_run(&conformance_subject);
}
