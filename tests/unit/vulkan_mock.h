/* SPDX-License-Identifier: MIT */
/*
 * A kernel for the unit tests of libdrmfault-vulkan: DRM files with a ring of
 * records each, and streams that can really be waited for, from any thread.
 */
#ifndef VULKAN_MOCK_H
#define VULKAN_MOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <drm/drm_fault.h>

#include "drmfault_vulkan.h"
#include "vulkan/device.h"

/* Records that the queue of a stream holds. */
#define MOCK_QUEUE 64

/* What opening and subscribing fail with, or 0. Reset by vulkan_mock_reset(). */
extern int vulkan_mock_open_errno;
extern int vulkan_mock_device_errno;
extern int vulkan_mock_subscribe_errno;
extern int vulkan_mock_snapshot_errno;
/* Snapshots that are taken while a record arrives, which they lack. */
extern unsigned int vulkan_mock_moving;
/* Reads of streams. */
extern unsigned int vulkan_mock_reads;

void vulkan_mock_reset(void);
/* For device_create_with(). */
int vulkan_mock_open(const struct drmfault_memory *memory, struct drmfault **fault);

/* A DRM file, and the process. */
int vulkan_mock_file(void);
void vulkan_mock_file_close(int drm_fd);
/*
 * An event: the record goes to the ring of @drm_fd and to its stream, as the kernel would
 * have it; what is 0 of its numbers and times is filled in.
 */
void vulkan_mock_raise(int drm_fd, const struct drm_fault_record *record);
/* A write that faults, each time at another page. */
void vulkan_mock_fault(int drm_fd);
/* The GPU goes away. */
void vulkan_mock_unbind(int drm_fd);

#endif /* VULKAN_MOCK_H */
