// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "internal.h"

/* Room for what arrives between the question how many there are and the answer. */
#define SNAPSHOT_SPARE 16
/* Memory to be asked for has an end, whatever the kernel says. */
#define SNAPSHOT_MAX (1u << 20)

struct drmfault_snapshot {
	struct drmfault_memory memory;
	size_t count;
	uint64_t events;
	uint64_t lost;
	uint64_t generation;
	bool moving;
	char *bytes;
	struct drmfault_record *records;
};

int drmfault_snapshot_new(const struct drmfault_memory *memory, char *bytes, size_t count,
			  struct drmfault_snapshot **snapshot)
{
	struct drmfault_snapshot *s = drmfault_allocate(memory, 1, sizeof(*s));

	if (s)
		s->records = drmfault_allocate(memory, count ? count : 1, sizeof(*s->records));
	if (!s || !s->records) {
		drmfault_release(memory, s);
		drmfault_release(memory, bytes);
		return -ENOMEM;
	}
	if (memory)
		s->memory = *memory;
	s->bytes = bytes;
	s->count = count;
	*snapshot = s;
	return 0;
}

void drmfault_snapshot_set(struct drmfault_snapshot *snapshot, size_t i, const void *bytes,
			   size_t length)
{
	drmfault_record_set(&snapshot->records[i], bytes, length);
}

void drmfault_snapshot_set_sums(struct drmfault_snapshot *snapshot, uint64_t events, uint64_t lost)
{
	snapshot->events = events;
	snapshot->lost = lost;
}

void drmfault_snapshot_sum(struct drmfault_snapshot *snapshot)
{
	uint64_t events = 0, lost = 0;
	size_t i;

	for (i = 0; i < snapshot->count; i++) {
		lost += drmfault_record_lost(&snapshot->records[i]);
		events += drmfault_record_lost(&snapshot->records[i]) +
			  drmfault_record_count(&snapshot->records[i]);
	}
	drmfault_snapshot_set_sums(snapshot, events, lost);
}

static int snapshot_make(const struct drmfault_memory *memory, char *bytes, size_t stride,
			 size_t known, size_t count, struct drmfault_snapshot **snapshot)
{
	int ret = drmfault_snapshot_new(memory, bytes, count, snapshot);
	size_t i;

	for (i = 0; !ret && i < count; i++)
		drmfault_snapshot_set(*snapshot, i, bytes + i * stride, known);
	return ret;
}

static int snapshot_query(struct drmfault_stream *stream, struct drm_fault_snapshot *args,
			  char *bytes, uint32_t stride, uint32_t count)
{
	memset(args, 0, sizeof(*args));
	args->size = sizeof(*args);
	args->record_size = stride;
	args->record_count = count;
	args->records_ptr = (uintptr_t)bytes;
	return drmfault_ioctl(drmfault_stream_sys(stream), drmfault_stream_fd(stream),
			      DRM_FAULT_IOCTL_SNAPSHOT, args);
}

DRMFAULT_API int drmfault_snapshot_take(struct drmfault_stream *stream,
					struct drmfault_snapshot **snapshot)
{
	const struct drmfault_memory *memory = drmfault_stream_memory(stream);
	uint32_t stride = drmfault_stream_record_size(stream), room = 0;
	struct drm_fault_snapshot args;
	char *bytes = NULL;
	int ret;

	ret = snapshot_query(stream, &args, NULL, stride, 0);
	while (!ret && args.total > args.record_count && room < SNAPSHOT_MAX) {
		drmfault_release(memory, bytes);
		room = args.total > SNAPSHOT_MAX - SNAPSHOT_SPARE
			       ? SNAPSHOT_MAX
			       : (uint32_t)args.total + SNAPSHOT_SPARE;
		bytes = drmfault_allocate(memory, room, stride);
		ret = bytes ? snapshot_query(stream, &args, bytes, stride, room) : -ENOMEM;
	}
	if (!ret && args.record_count > room)
		ret = -EPROTO;
	if (ret) {
		drmfault_release(memory, bytes);
		return ret;
	}

	ret = snapshot_make(memory, bytes, stride,
			    args.record_size < stride ? args.record_size : stride,
			    args.record_count, snapshot);
	if (ret)
		return ret;
	(*snapshot)->events = args.events;
	(*snapshot)->lost = args.lost;
	(*snapshot)->generation = args.generation;
	(*snapshot)->moving = args.result & DRM_FAULT_SNAPSHOT_MOVING;
	return 0;
}

DRMFAULT_API int drmfault_snapshot_from_bytes(const void *bytes, size_t stride, size_t count,
					      struct drmfault_snapshot **snapshot)
{
	char *copy;
	int ret;

	if (stride < sizeof(uint64_t) || stride % sizeof(uint64_t) || count > SNAPSHOT_MAX)
		return -EINVAL;
	copy = drmfault_allocate(NULL, count ? count : 1, stride);
	if (!copy)
		return -ENOMEM;
	if (count)
		memcpy(copy, bytes, count * stride);
	ret = snapshot_make(NULL, copy, stride, stride, count, snapshot);
	if (!ret)
		drmfault_snapshot_sum(*snapshot);
	return ret;
}

DRMFAULT_API void
drmfault_snapshot_forget(struct drmfault_snapshot *snapshot,
			 bool (*is_forgotten)(void *data, const struct drmfault_record *record),
			 void *data)
{
	size_t kept = 0, i;

	for (i = 0; i < snapshot->count; i++)
		if (!is_forgotten(data, &snapshot->records[i]))
			snapshot->records[kept++] = snapshot->records[i];
	if (kept == snapshot->count)
		return;
	snapshot->count = kept;
	drmfault_snapshot_sum(snapshot);
}

static bool is_before(void *data, const struct drmfault_record *record)
{
	return record->record.last_timestamp_ns < *(const uint64_t *)data;
}

DRMFAULT_API void drmfault_snapshot_forget_before(struct drmfault_snapshot *snapshot,
						  uint64_t timestamp_ns)
{
	drmfault_snapshot_forget(snapshot, is_before, &timestamp_ns);
}

DRMFAULT_API void drmfault_snapshot_free(struct drmfault_snapshot *snapshot)
{
	struct drmfault_memory memory;

	if (!snapshot)
		return;
	memory = snapshot->memory;
	drmfault_release(&memory, snapshot->bytes);
	drmfault_release(&memory, snapshot->records);
	drmfault_release(&memory, snapshot);
}

DRMFAULT_API size_t drmfault_snapshot_count(const struct drmfault_snapshot *snapshot)
{
	return snapshot->count;
}

DRMFAULT_API const struct drmfault_record *
drmfault_snapshot_record(const struct drmfault_snapshot *snapshot, size_t i)
{
	return i < snapshot->count ? &snapshot->records[i] : NULL;
}

DRMFAULT_API uint64_t drmfault_snapshot_events(const struct drmfault_snapshot *snapshot)
{
	return snapshot->events;
}

DRMFAULT_API uint64_t drmfault_snapshot_lost(const struct drmfault_snapshot *snapshot)
{
	return snapshot->lost;
}

DRMFAULT_API uint64_t drmfault_snapshot_generation(const struct drmfault_snapshot *snapshot)
{
	return snapshot->generation;
}

DRMFAULT_API bool drmfault_snapshot_moving(const struct drmfault_snapshot *snapshot)
{
	return snapshot->moving;
}
