/* SPDX-License-Identifier: MIT */
/* The process whose address space faulted, as far as it is still there. */
#ifndef DRMFAULT_PROCESS_H
#define DRMFAULT_PROCESS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/**
 * process_of_text - who it was, from a dump that a driver made as text
 * @meta: gets process {pid, comm}, if the dump tells
 * @text: the beginning of the dump
 * @size: of it
 */
void process_of_text(json_t *meta, const char *text, size_t size);

/**
 * process_describe - add what /proc tells
 * @root: where proc is, "" for /
 * @meta: its process {pid, comm} gets uid, exe, cmdline and unit; it gets vulkan_driver
 *	{library, package, version}
 * @event_ns: when it faulted, CLOCK_BOOTTIME; 0 if not known
 *
 * Adds nothing where the process has ended, and another one may have its number: it
 * must have been started before the event or, where that has no time, have the same
 * name.
 */
void process_describe(const char *root, json_t *meta, uint64_t event_ns);

#endif /* DRMFAULT_PROCESS_H */
