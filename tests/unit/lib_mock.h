/* SPDX-License-Identifier: MIT */
/*
 * A kernel for the unit tests of libdrmfault: it answers from a script, checks
 * what it is asked, and stands in for /dev/drm_fault alone.
 */
#ifndef LIB_MOCK_H
#define LIB_MOCK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <drm/drm_fault.h>

#include "drmfault.h"
#include "internal.h"

#define MOCK_DEVICE_FD 100
#define MOCK_STREAM_FD 101

/* What the next calls do; reset by mock_reset(). */
struct mock {
	int open_errno;
	int ioctl_errno;
	unsigned int ioctl_eintr;
	unsigned int read_eintr;
	uint32_t record_size;
	struct drm_fault_device device;
	struct drm_fault_subscribe asked;
	struct drm_fault_snapshot snapshot;
	struct drm_fault_snapshot snapshot_asked;
	uint64_t total_grows_to;
	const void *records;
	const void *stream;
	size_t stream_size;
	int read_errno;
	int poll_result;
	short poll_revents;
	uint64_t poll_timeout;
	unsigned int closed;
};

extern struct mock mock;
extern const struct drmfault_sys mock_sys;

int mock_reset(void **state);
struct drmfault *mock_open(void);
struct drmfault_stream *mock_subscribe(struct drmfault *fault);

#endif /* LIB_MOCK_H */
