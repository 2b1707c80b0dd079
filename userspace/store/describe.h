/* SPDX-License-Identifier: MIT */
/* What a dump tells of itself, in the words of meta.json. */
#ifndef DRMFAULT_DESCRIBE_H
#define DRMFAULT_DESCRIBE_H

#include <jansson.h>
#include <stddef.h>

#include "drmfault_dump.h"

#define FINGERPRINT_SIZE 160

/**
 * describe_dump - add what a dump tells
 * @meta: a JSON object; what is in it already stays, but for format, fault, hang,
 *	damage and fingerprint. For a dump that is not drm_fault's, its driver should be
 *	there: it is in the fingerprint
 * @bytes: the dump, or the beginning of a long one
 * @size: how many
 *
 * Of a dump of drm_fault: format, driver, gpu, bus, pci_id, kernel, machine, boot_id,
 * process {pid, uid, comm}, fault, hang, damage, fingerprint. Of another one: format
 * and fingerprint.
 *
 * Return: 0; -ENOMEM
 */
int describe_dump(json_t *meta, const void *bytes, size_t size);

/**
 * meta_kind - in one word or two, what went wrong
 * @meta: what is known of a dump
 *
 * Return: the fault type ("not present"), "timeout" for a hang, else "unknown"; as long
 * as @meta
 */
const char *meta_kind(const json_t *meta);

/**
 * fingerprint_of_dump - what is the same each time that the same thing goes wrong
 * @dump: a dump of drm_fault
 * @text: "amdgpu/write/not-present/compute/low 1a2b3c4d": driver, access, fault type,
 *	engine class, where the address lies; then a hash of that
 */
void fingerprint_of_dump(const struct drmfault_dump *dump, char text[FINGERPRINT_SIZE]);
/** fingerprint_of_text - the same of a dump that is not drm_fault's, by its first lines */
void fingerprint_of_text(const char *driver, const void *bytes, size_t size,
			 char text[FINGERPRINT_SIZE]);

#endif /* DRMFAULT_DESCRIBE_H */
