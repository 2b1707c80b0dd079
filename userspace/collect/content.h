/* SPDX-License-Identifier: MIT */
/* The bytes of a dump on their way into the store, and what they tell. */
#ifndef DRMFAULT_CONTENT_H
#define DRMFAULT_CONTENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store.h"

/** struct content - what was read; begin with zeros, end with content_free() */
struct content {
	/* All of a dump of drm_fault, the beginning of another one. */
	uint8_t *bytes;
	size_t size;
	size_t room;
	uint64_t total;
	/* CLOCK_MONOTONIC of the first event of the newest incident, 0 if not known. */
	uint64_t event_ns;
};

/**
 * content_copy - read a dump to its end and write it to an entry
 * @content: gets what is needed of it
 * @fd: the dump
 * @writer: the entry
 * @writing: whether an error is the writer's, not the reader's
 *
 * Return: 0, or a negative errno
 */
int content_copy(struct content *content, int fd, struct store_writer *writer, bool *writing);
/** content_describe - add what the dump tells, and when it happened; 0 or -ENOMEM */
int content_describe(struct content *content, json_t *meta);
void content_free(struct content *content);

#endif /* DRMFAULT_CONTENT_H */
