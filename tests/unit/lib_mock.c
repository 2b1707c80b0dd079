// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "lib_mock.h"

struct mock mock;

int mock_reset(void **state)
{
	(void)state;
	memset(&mock, 0, sizeof(mock));
	mock.record_size = sizeof(struct drm_fault_record);
	return 0;
}

static int mock_open_call(const char *path, int flags)
{
	(void)flags;
	assert_non_null(path);
	if (mock.open_errno) {
		errno = mock.open_errno;
		return -1;
	}
	return MOCK_DEVICE_FD;
}

static int mock_close(int fd)
{
	assert_true(fd == MOCK_DEVICE_FD || fd == MOCK_STREAM_FD);
	mock.closed++;
	return 0;
}

static void mock_get_info(struct drm_fault_info *info)
{
	assert_int_equal(info->size, sizeof(*info));
	assert_int_equal(info->flags, 0);
	info->record_size = mock.record_size;
	info->ring_records = 64;
	info->features = DRM_FAULT_FEATURE_PRIVILEGED;
	/* Not terminated: the library must not rely on it. */
	memset(info->version, 'v', sizeof(info->version));
}

static void mock_take_snapshot(struct drm_fault_snapshot *args)
{
	uint32_t room = args->record_count;
	uint32_t stride = args->record_size,
		 size = stride < mock.record_size ? stride : mock.record_size;
	uint64_t total = mock.snapshot.total, i;

	mock.snapshot_asked = *args;
	args->events = mock.snapshot.events;
	args->lost = mock.snapshot.lost;
	args->generation = mock.snapshot.generation;
	args->result = mock.snapshot.result;
	args->total = total;
	args->record_size = size;
	args->record_count = room < total ? room : (uint32_t)total;
	for (i = 0; i < args->record_count; i++)
		memcpy((char *)(uintptr_t)args->records_ptr + i * stride,
		       (const char *)mock.records + i * mock.record_size, size);
	/* More arrive between the question and the answer. */
	if (mock.total_grows_to)
		mock.snapshot.total = mock.total_grows_to;
}

static int mock_ioctl(int fd, unsigned long request, void *arg)
{
	if (mock.ioctl_eintr) {
		mock.ioctl_eintr--;
		errno = EINTR;
		return -1;
	}
	if (mock.ioctl_errno) {
		errno = mock.ioctl_errno;
		return -1;
	}
	switch (request) {
	case DRM_FAULT_IOCTL_GET_INFO:
		mock_get_info(arg);
		break;
	case DRM_FAULT_IOCTL_GET_DEVICE:
		assert_int_equal(((struct drm_fault_device *)arg)->size,
				 sizeof(struct drm_fault_device));
		memcpy(arg, &mock.device, sizeof(mock.device));
		break;
	case DRM_FAULT_IOCTL_SUBSCRIBE:
		mock.asked = *(struct drm_fault_subscribe *)arg;
		((struct drm_fault_subscribe *)arg)->stream_fd = MOCK_STREAM_FD;
		((struct drm_fault_subscribe *)arg)->queue_records = 256;
		break;
	case DRM_FAULT_IOCTL_SNAPSHOT:
		assert_int_equal(fd, MOCK_STREAM_FD);
		mock_take_snapshot(arg);
		break;
	default:
		fail_msg("unknown request %lu", request);
	}
	return 0;
}

static ssize_t mock_read(int fd, void *buffer, size_t size)
{
	size_t n;

	assert_int_equal(fd, MOCK_STREAM_FD);
	if (mock.read_eintr) {
		mock.read_eintr--;
		errno = EINTR;
		return -1;
	}
	if (mock.read_errno) {
		errno = mock.read_errno;
		return -1;
	}
	if (!mock.stream_size) {
		errno = EAGAIN;
		return -1;
	}
	n = mock.stream_size < size ? mock.stream_size : size;
	memcpy(buffer, mock.stream, n);
	mock.stream = (const char *)mock.stream + n;
	mock.stream_size -= n;
	return (ssize_t)n;
}

static int mock_poll(int fd, short events, uint64_t timeout_ns, short *revents)
{
	assert_int_equal(fd, MOCK_STREAM_FD);
	assert_true(events);
	mock.poll_timeout = timeout_ns;
	*revents = mock.poll_revents;
	if (mock.poll_result < 0)
		errno = EINTR;
	return mock.poll_result;
}

const struct drmfault_sys mock_sys = {
	.open = mock_open_call,
	.close = mock_close,
	.ioctl = mock_ioctl,
	.read = mock_read,
	.poll = mock_poll,
};

struct drmfault *mock_open(void)
{
	struct drmfault *fault = NULL;

	assert_int_equal(drmfault_open_with(&mock_sys, NULL, NULL, &fault), 0);
	return fault;
}

struct drmfault_stream *mock_subscribe(struct drmfault *fault)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_SELF,
	};
	struct drmfault_stream *stream = NULL;

	assert_int_equal(drmfault_subscribe(fault, &args, &stream), 0);
	return stream;
}
