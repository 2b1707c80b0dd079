// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "demo.h"

static unsigned int count, failures;
static const char *subject = "";

unsigned int check_count(void)
{
	return count;
}

unsigned int check_failures(void)
{
	return failures;
}

void check_begin(const char *of)
{
	subject = of;
}

bool check_true(bool right, const char *what)
{
	count++;
	if (right)
		return true;
	failures++;
	fflush(stdout);
	fprintf(stderr, "WRONG: %s: %s\n", subject, what);
	return false;
}

void check_u64(const char *what, uint64_t is, uint64_t should)
{
	char text[160];

	snprintf(text, sizeof(text), "%s is 0x%" PRIx64 ", not 0x%" PRIx64, what, is, should);
	check_true(is == should, text);
}

void check_string(const char *what, const char *is, const char *should)
{
	char text[640];

	snprintf(text, sizeof(text), "%s is \"%s\", not \"%s\"", what, is, should);
	check_true(!strcmp(is, should), text);
}
