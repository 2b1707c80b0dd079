/* SPDX-License-Identifier: MIT */
/* Which records are of interest: FIELD=VALUE, by the names that JSON has. */
#ifndef DRMFAULT_FILTER_H
#define DRMFAULT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fields.h"

#define FILTERS_MAX 16

struct filter {
	const struct field *field;
	uint64_t number;
	const char *pattern;
};

struct filters {
	struct filter list[FILTERS_MAX];
	size_t count;
};

/* NULL, or a sentence about what is wrong with @text in @message. */
const char *filters_add(struct filters *filters, const char *text, char *message, size_t size);
/* Do all filters let it through? Losses always pass. */
bool filters_pass(const struct filters *filters, const struct drmfault_record *record);

#endif /* DRMFAULT_FILTER_H */
