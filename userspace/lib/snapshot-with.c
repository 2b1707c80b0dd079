// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Records of a newer kernel are longer than those that are made here. */
static size_t longest_record(const struct drmfault_snapshot *snapshot)
{
	size_t longest = sizeof(struct drm_fault_record), i, size;

	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		drmfault_record_bytes(drmfault_snapshot_record(snapshot, i), &size);
		if (size > longest)
			longest = size;
	}
	return (longest + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
}

static void put_told(struct drm_fault_record *record, const struct drmfault_told *told)
{
	*record = (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(*record),
		.flags = told->lost ? DRM_FAULT_RECORD_F_LOST : 0,
		.lost = told->lost,
		.count = 1,
		.timestamp_ns = told->timestamp_ns,
		.last_timestamp_ns = told->timestamp_ns,
		.address = told->address,
		.address_precision = told->precision,
		.ip = told->ip,
		.ip_precision = told->ip_precision,
		.ip_type = told->ip_type,
		.access = told->access,
		.fault_type = DRM_FAULT_TYPE_OTHER,
		.pid = told->pid,
	};
	if (told->comm)
		strncpy(record->comm, told->comm, sizeof(record->comm) - 1);
}

DRMFAULT_API int drmfault_snapshot_with(const struct drmfault_snapshot *snapshot,
					const struct drmfault_told *told, size_t count,
					struct drmfault_snapshot **with)
{
	size_t stride = sizeof(struct drm_fault_record), before = 0, i, size;
	struct drmfault_told known;
	const void *record;
	char *bytes;
	int ret;

	if (snapshot) {
		stride = longest_record(snapshot);
		before = drmfault_snapshot_count(snapshot);
	}
	bytes = calloc(before + count ? before + count : 1, stride);
	if (!bytes)
		return -ENOMEM;
	for (i = 0; i < before; i++) {
		record = drmfault_record_bytes(drmfault_snapshot_record(snapshot, i), &size);
		memcpy(bytes + i * stride, record, size);
	}
	for (i = 0; i < count; i++) {
		known = (struct drmfault_told){ 0 };
		size = told->size < sizeof(known) ? told->size : sizeof(known);
		memcpy(&known, (const char *)told + i * told->size, size);
		put_told((struct drm_fault_record *)(bytes + (before + i) * stride), &known);
	}
	ret = drmfault_snapshot_from_bytes(bytes, stride, before + count, with);
	free(bytes);
	return ret;
}
