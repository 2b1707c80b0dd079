/* SPDX-License-Identifier: MIT */
/* Where an address lies, in words that are the same on each machine and in each boot. */
#ifndef DRMFAULT_RELATION_H
#define DRMFAULT_RELATION_H

#include "drmfault_dump.h"

/* The record of @type that came first, or of any type if that is 0; NULL: there is none. */
const struct drmfault_record *first_record(const struct drmfault_dump *dump, uint32_t type);

/*
 * "null": in the first 64 KiB; "in-object", "freed-object", "past-object" (at most 64
 * KiB behind its end): as the dump's objects have it; "low": in the first 4 GiB;
 * "high": in the upper half; "middle"; "none": there is no address.
 */
const char *address_relation(const struct drmfault_dump *dump,
			     const struct drmfault_record *record);

#endif /* DRMFAULT_RELATION_H */
