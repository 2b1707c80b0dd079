// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "duration.h"

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "s", 1000000000 },
	{ "ms", 1000000 },
	{ "us", 1000 },
};

const char *duration_text(uint64_t ns, char text[DURATION_SIZE])
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t whole = ns / units[i].ns;

		if (!whole)
			continue;
		if (whole >= 100)
			snprintf(text, DURATION_SIZE, "%" PRIu64 " %s", whole, units[i].name);
		else
			snprintf(text, DURATION_SIZE, "%" PRIu64 ".%" PRIu64 " %s", whole,
				 ns % units[i].ns * 10 / units[i].ns, units[i].name);
		return text;
	}
	snprintf(text, DURATION_SIZE, "%" PRIu64 " ns", ns);
	return text;
}
