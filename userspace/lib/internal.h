/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_INTERNAL_H
#define DRMFAULT_INTERNAL_H

#include <sys/types.h>

#include <drm/drm_fault.h>

#include "drmfault.h"

/* The least of 48, 57 and 64 bits that it fits, see drmfault_canonical(). */
uint32_t address_width(uint64_t address);

#define DRMFAULT_API __attribute__((visibility("default")))

/*
 * How the library talks to the kernel. The unit tests give a handle another one
 * of these, which answers as they like.
 */
struct drmfault_sys {
	int (*open)(const char *path, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	ssize_t (*read)(int fd, void *buffer, size_t size);
	int (*poll)(int fd, short events, uint64_t timeout_ns, short *revents);
};

extern const struct drmfault_sys drmfault_sys_kernel;

struct drmfault {
	const struct drmfault_sys *sys;
	struct drmfault_memory memory;
	int fd;
	struct drm_fault_info info;
};

/* A record and where it lies: @length bytes of it are there. */
struct drmfault_record {
	struct drm_fault_record record;
	const void *bytes;
	size_t length;
};

int drmfault_open_with(const struct drmfault_sys *sys, const struct drmfault_memory *memory,
		       const char *path, struct drmfault **fault);
int drmfault_ioctl(const struct drmfault_sys *sys, int fd, unsigned long request, void *arg);

/* As calloc() and free(). @memory NULL or empty: malloc(). */
void *drmfault_allocate(const struct drmfault_memory *memory, size_t count, size_t size);
void drmfault_release(const struct drmfault_memory *memory, void *bytes);

void drmfault_record_set(struct drmfault_record *record, const void *bytes, size_t length);

/*
 * A snapshot in the making: it has @bytes, also if it cannot be made, to which its
 * records are then set. Its sums are given, or taken from the records. @bytes are of
 * @memory.
 */
int drmfault_snapshot_new(const struct drmfault_memory *memory, char *bytes, size_t count,
			  struct drmfault_snapshot **snapshot);
void drmfault_snapshot_set(struct drmfault_snapshot *snapshot, size_t i, const void *bytes,
			   size_t length);
void drmfault_snapshot_set_sums(struct drmfault_snapshot *snapshot, uint64_t events, uint64_t lost);
void drmfault_snapshot_sum(struct drmfault_snapshot *snapshot);

/* What a snapshot needs of a stream. */
const struct drmfault_sys *drmfault_stream_sys(const struct drmfault_stream *stream);
const struct drmfault_memory *drmfault_stream_memory(const struct drmfault_stream *stream);
uint32_t drmfault_stream_record_size(const struct drmfault_stream *stream);

#endif /* DRMFAULT_INTERNAL_H */
