// SPDX-License-Identifier: MIT
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "internal.h"

/* Records that one read() asks for. */
#define STREAM_BATCH 32

/* The first version of the arguments ended here. */
#define SUBSCRIBE_ARGS_MIN                                         \
	(offsetof(struct drmfault_subscribe_args, queue_records) + \
	 sizeof(((struct drmfault_subscribe_args *)0)->queue_records))

/* A size beyond this is no size but a mistake. */
#define SUBSCRIBE_ARGS_MAX 4096

struct drmfault_stream {
	struct drmfault_memory memory;
	const struct drmfault_sys *sys;
	int fd;
	uint32_t queue_records;
	uint32_t record_size;
	size_t filled;
	size_t taken;
	struct drmfault_record current;
	char *buffer;
};

static int stream_open(struct drmfault *fault, const struct drmfault_subscribe_args *args,
		       struct drmfault_stream *stream)
{
	struct drm_fault_subscribe subscribe = {
		.size = sizeof(subscribe),
		.flags = DRM_FAULT_SUBSCRIBE_NONBLOCK,
		.scope = args->scope,
		.fd = args->fd,
		.device_id = args->device_id,
		.queue_records = args->queue_records,
	};
	int ret = drmfault_ioctl(fault->sys, fault->fd, DRM_FAULT_IOCTL_SUBSCRIBE, &subscribe);

	if (ret)
		return ret;
	stream->fd = subscribe.stream_fd;
	stream->queue_records = subscribe.queue_records;
	return 0;
}

/* The arguments of a caller who was built with an older or a newer header. */
static int subscribe_args_copy(struct drmfault_subscribe_args *known,
			       const struct drmfault_subscribe_args *args)
{
	const char *tail = (const char *)args + sizeof(*known);
	size_t i;

	if (args->size < SUBSCRIBE_ARGS_MIN)
		return -EINVAL;
	if (args->size > SUBSCRIBE_ARGS_MAX)
		return -E2BIG;
	for (i = 0; i + sizeof(*known) < args->size; i++)
		if (tail[i])
			return -E2BIG;
	memcpy(known, args, args->size < sizeof(*known) ? args->size : sizeof(*known));
	return 0;
}

DRMFAULT_API int drmfault_subscribe(struct drmfault *fault,
				    const struct drmfault_subscribe_args *args,
				    struct drmfault_stream **stream)
{
	struct drmfault_subscribe_args known = { 0 };
	struct drmfault_stream *s;
	int ret;

	ret = subscribe_args_copy(&known, args);
	if (ret)
		return ret;

	s = drmfault_allocate(&fault->memory, 1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->memory = fault->memory;
	s->sys = fault->sys;
	s->record_size = fault->info.record_size;
	s->buffer = drmfault_allocate(&s->memory, STREAM_BATCH, s->record_size);
	ret = s->buffer ? stream_open(fault, &known, s) : -ENOMEM;
	if (ret) {
		drmfault_release(&fault->memory, s->buffer);
		drmfault_release(&fault->memory, s);
		return ret;
	}
	*stream = s;
	return 0;
}

DRMFAULT_API void drmfault_stream_free(struct drmfault_stream *stream)
{
	struct drmfault_memory memory;

	if (!stream)
		return;
	memory = stream->memory;
	stream->sys->close(stream->fd);
	drmfault_release(&memory, stream->buffer);
	drmfault_release(&memory, stream);
}

DRMFAULT_API int drmfault_stream_fd(const struct drmfault_stream *stream)
{
	return stream->fd;
}

DRMFAULT_API uint32_t drmfault_stream_queue_records(const struct drmfault_stream *stream)
{
	return stream->queue_records;
}

const struct drmfault_sys *drmfault_stream_sys(const struct drmfault_stream *stream)
{
	return stream->sys;
}

const struct drmfault_memory *drmfault_stream_memory(const struct drmfault_stream *stream)
{
	return &stream->memory;
}

uint32_t drmfault_stream_record_size(const struct drmfault_stream *stream)
{
	return stream->record_size;
}

DRMFAULT_API int drmfault_stream_wait(struct drmfault_stream *stream, uint64_t timeout_ns)
{
	short revents;
	int ret;

	if (stream->taken < stream->filled)
		return 1;
	ret = stream->sys->poll(stream->fd, POLLIN, timeout_ns, &revents);
	if (ret < 0)
		return -errno;
	if (ret == 0)
		return 0;
	if (revents & POLLIN)
		return 1;
	return revents & POLLNVAL ? -EBADF : -ENODEV;
}

static int stream_fill(struct drmfault_stream *stream)
{
	ssize_t got;

	do
		got = stream->sys->read(stream->fd, stream->buffer,
					(size_t)stream->record_size * STREAM_BATCH);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
	stream->taken = 0;
	stream->filled = (size_t)got;
	return got > 0;
}

DRMFAULT_API int drmfault_stream_next(struct drmfault_stream *stream,
				      const struct drmfault_record **record)
{
	const char *bytes;
	uint32_t length;
	size_t left;
	int ret;

	if (stream->taken == stream->filled) {
		ret = stream_fill(stream);
		if (ret <= 0)
			return ret;
	}

	bytes = stream->buffer + stream->taken;
	left = stream->filled - stream->taken;
	if (left < offsetof(struct drm_fault_record, flags)) {
		stream->taken = stream->filled;
		return -EPROTO;
	}
	memcpy(&length, bytes + offsetof(struct drm_fault_record, length), sizeof(length));
	if (length < offsetof(struct drm_fault_record, flags) || length % 8 || length > left) {
		stream->taken = stream->filled;
		return -EPROTO;
	}
	stream->taken += length;
	drmfault_record_set(&stream->current, bytes, length);
	*record = &stream->current;
	return 1;
}
