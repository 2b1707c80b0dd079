/* SPDX-License-Identifier: MIT */
/* Dumps that drivers make: which one's it is, and the lines that tell most. */
#ifndef DRMFAULT_FOREIGN_H
#define DRMFAULT_FOREIGN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct foreign;

/* NULL if nobody here knows whose it is. */
const struct foreign *foreign_recognise(const uint8_t *bytes, size_t size);
void foreign_print(const struct foreign *foreign, const char *file, const uint8_t *bytes,
		   size_t size);
json_t *foreign_json(const struct foreign *foreign, const char *file, const uint8_t *bytes,
		     size_t size);

#endif /* DRMFAULT_FOREIGN_H */
