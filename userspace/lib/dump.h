/* SPDX-License-Identifier: MIT */
/* What the files that read and write dumps share. */
#ifndef DRMFAULT_LIB_DUMP_H
#define DRMFAULT_LIB_DUMP_H

#include <drm/drm_fault_dump.h>

#include "drmfault_dump.h"
#include "internal.h"

#define DUMP_ALIGN 8

/* One member: where it is in the file and in the structure of this machine. */
struct dump_field {
	uint16_t file;
	uint16_t host;
	uint16_t width;
	enum { DUMP_NUMBER, DUMP_TEXT, DUMP_BYTES } kind;
};

struct dump_shape {
	const struct dump_field *fields;
	size_t count;
	/* Of the structure in the file. */
	size_t size;
};

extern const struct dump_shape dump_shape_meta;
extern const struct dump_shape dump_shape_device;
extern const struct dump_shape dump_shape_context;
extern const struct dump_shape dump_shape_lost;
extern const struct dump_shape dump_shape_application;
extern const struct dump_shape dump_shape_binding;
/* Here both are struct drm_fault_record. */
extern const struct dump_shape dump_shape_record;

uint64_t dump_number(const uint8_t *bytes, size_t width);
void dump_put_number(uint8_t *bytes, size_t width, uint64_t value);
/* CRC-32 as in zlib; 0 to begin with. */
uint32_t dump_crc(uint32_t crc, const void *bytes, uint64_t size);

/* Of @length bytes there; what is not there is 0. @host has @host_size bytes. */
void dump_decode(const struct dump_shape *shape, const uint8_t *file, uint64_t length, void *host,
		 size_t host_size);
/* @file has the shape's size; what the caller's @host lacks is 0. */
void dump_encode(const struct dump_shape *shape, const void *host, size_t host_size, uint8_t *file);

/*
 * A section that was found. @length bytes of it are there, from @at on; @count of
 * @stride bytes if it is a table, from @at + 8 on.
 */
struct dump_section {
	uint32_t type;
	uint32_t flags;
	uint32_t crc;
	bool cut_off;
	uint64_t at;
	uint64_t length;
	uint32_t stride;
	uint64_t count;
};

struct drmfault_dump {
	uint8_t *bytes;
	uint64_t size;
	enum drmfault_dump_form form;
	bool cut_off;
	struct dump_section *sections;
	size_t section_count;
	struct drmfault_dump_finding *findings;
	size_t finding_count;
	struct drmfault_snapshot *snapshot;
	/* Only those whose last string has an end. */
	const char *strings;
	uint64_t strings_length;
	char *host;
	const char **host_lines;
	size_t host_count;
};

bool dump_is_table(uint32_t type);
/* Where @bytes has a container, or -EBADMSG. */
int dump_find(const uint8_t *bytes, uint64_t size, uint64_t *at, enum drmfault_dump_form *form);
/* Both return 0 or -ENOMEM. */
int dump_complain(struct drmfault_dump *dump, enum drmfault_dump_damage damage, uint32_t section,
		  uint64_t offset);
int dump_scan(struct drmfault_dump *dump, uint64_t at);
/* What sections hold, once they are found: 0 or -ENOMEM. */
int dump_load(struct drmfault_dump *dump);

#endif /* DRMFAULT_LIB_DUMP_H */
