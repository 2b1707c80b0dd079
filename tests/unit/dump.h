/* SPDX-License-Identifier: MIT */
/* Dumps put together by hand, by the format alone. */
#ifndef TEST_DUMP_H
#define TEST_DUMP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <drm/drm_fault_dump.h>

#include "drmfault_dump.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define FILE_ROOM 16384
#define RECORDS	  3

/* The sections of file_good(), in their order. */
enum {
	GOOD_META,
	GOOD_DEVICE,
	GOOD_CONTEXTS,
	GOOD_RECORDS,
	GOOD_LOST,
	GOOD_ENGINE,
	GOOD_APPLICATION,
	GOOD_BINDINGS,
	GOOD_UNKNOWN,
	GOOD_STRINGS,
	GOOD_HOST,
	GOOD_SECTIONS,
};

struct file {
	uint8_t bytes[FILE_ROOM];
	size_t size;
	/* Where the container begins, and the payload of each section. */
	size_t start;
	size_t at[64];
	size_t length[64];
	uint32_t sections;
};

uint32_t file_crc(const uint8_t *bytes, size_t size);
void file_put(uint8_t *bytes, size_t width, uint64_t value);

void file_begin(struct file *file);
/* Returns the payload, which may be changed until file_end(). */
uint8_t *file_add(struct file *file, uint32_t type, const void *payload, size_t length);
/* Writes checksums and the header. */
void file_end(struct file *file);

/* One of everything, and a section of a kind that nobody knows. */
void file_good(struct file *file);
/* The same behind the header of a vendor binary. */
void file_vendor_binary(struct file *file);

struct drmfault_dump *file_open(const struct file *file);
/* Opens it and asserts that exactly this is wrong with it. */
void file_expect(const struct file *file, enum drmfault_dump_damage damage, uint32_t section);

#endif /* TEST_DUMP_H */
