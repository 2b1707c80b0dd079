// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/internal.h"
#include "vulkan_mock.h"

#define FILES 8
#define RING  1024
/* Numbers that no open file of a test has. */
#define FIRST_DRM 1000
#define DEVICE_FD 999

struct file {
	bool used;
	bool gone;
	int read_fd;
	int write_fd;
	uint64_t lost;
	uint64_t lost_told;
	uint64_t seqno;
	uint32_t count;
	struct drm_fault_record records[RING];
};

int vulkan_mock_open_errno;
int vulkan_mock_device_errno;
int vulkan_mock_subscribe_errno;
int vulkan_mock_snapshot_errno;
unsigned int vulkan_mock_moving;
unsigned int vulkan_mock_reads;

static struct file files[FILES];
static uint64_t numbers;
/* Of all above, as the kernel has its own locks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void vulkan_mock_reset(void)
{
	vulkan_mock_open_errno = 0;
	vulkan_mock_device_errno = 0;
	vulkan_mock_subscribe_errno = 0;
	vulkan_mock_snapshot_errno = 0;
	vulkan_mock_moving = 0;
	vulkan_mock_reads = 0;
}

static int failed(int error)
{
	errno = error;
	return -1;
}

static struct file *file_of_drm(int drm_fd)
{
	if (drm_fd < FIRST_DRM || drm_fd >= FIRST_DRM + FILES || !files[drm_fd - FIRST_DRM].used)
		return NULL;
	return &files[drm_fd - FIRST_DRM];
}

static struct file *file_of_stream(int fd)
{
	int i;

	for (i = 0; i < FILES; i++)
		if (files[i].used && files[i].read_fd == fd)
			return &files[i];
	return NULL;
}

static int mock_open_call(const char *path, int flags)
{
	(void)path;
	(void)flags;
	return vulkan_mock_open_errno ? failed(vulkan_mock_open_errno) : DEVICE_FD;
}

static int mock_close(int fd)
{
	struct file *file;

	if (fd == DEVICE_FD)
		return 0;
	pthread_mutex_lock(&lock);
	file = file_of_stream(fd);
	if (file) {
		close(file->read_fd);
		if (file->write_fd >= 0)
			close(file->write_fd);
		file->read_fd = file->write_fd = -1;
	}
	pthread_mutex_unlock(&lock);
	return file ? 0 : failed(EBADF);
}

static int get_info(struct drm_fault_info *info)
{
	info->record_size = sizeof(struct drm_fault_record);
	info->ring_records = RING;
	return 0;
}

static int get_device(struct drm_fault_device *device)
{
	if (vulkan_mock_device_errno)
		return failed(vulkan_mock_device_errno);
	if (device->flags != DRM_FAULT_DEVICE_BY_FD || !file_of_drm(device->fd))
		return failed(EINVAL);
	device->id = 1;
	device->address_bits = 48;
	strcpy(device->name, "gpu1");
	strcpy(device->driver, "mock");
	return 0;
}

/* The process is that of the first file. */
static int subscribe(struct drm_fault_subscribe *args)
{
	struct file *file = file_of_drm(args->scope == DRM_FAULT_SCOPE_SELF ? FIRST_DRM : args->fd);
	int fds[2];

	if (vulkan_mock_subscribe_errno)
		return failed(vulkan_mock_subscribe_errno);
	if (!file || file->read_fd >= 0)
		return failed(EINVAL);
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return -1;
	file->read_fd = fds[0];
	file->write_fd = fds[1];
	file->lost = file->seqno = 0;
	args->stream_fd = fds[0];
	args->queue_records = MOCK_QUEUE;
	return 0;
}

static int snapshot(int fd, struct drm_fault_snapshot *args)
{
	struct file *file = file_of_stream(fd);
	uint32_t room = args->record_count, i;

	if (vulkan_mock_snapshot_errno)
		return failed(vulkan_mock_snapshot_errno);
	if (!file || file->gone)
		return failed(ENODEV);
	args->total = file->count;
	args->events = file->count;
	args->record_count = room < file->count ? room : file->count;
	/* Asked for the number alone it cannot be missed. */
	if (room && vulkan_mock_moving) {
		vulkan_mock_moving--;
		args->result = DRM_FAULT_SNAPSHOT_MOVING;
		args->total = --args->record_count;
	}
	for (i = 0; i < args->record_count; i++)
		memcpy((char *)(uintptr_t)args->records_ptr + (size_t)i * args->record_size,
		       &file->records[i], sizeof(file->records[i]));
	args->record_size = sizeof(file->records[0]);
	return 0;
}

static int mock_ioctl(int fd, unsigned long request, void *arg)
{
	int ret = failed(ENOTTY);

	pthread_mutex_lock(&lock);
	if (request == DRM_FAULT_IOCTL_GET_INFO)
		ret = get_info(arg);
	else if (request == DRM_FAULT_IOCTL_GET_DEVICE)
		ret = get_device(arg);
	else if (request == DRM_FAULT_IOCTL_SUBSCRIBE)
		ret = subscribe(arg);
	else if (request == DRM_FAULT_IOCTL_SNAPSHOT)
		ret = snapshot(fd, arg);
	pthread_mutex_unlock(&lock);
	return ret;
}

/* A loss that no record has told yet is one of its own, once all others are read. */
static ssize_t read_loss(struct file *file, void *buffer)
{
	const struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_LOST,
		.length = sizeof(record),
		.flags = DRM_FAULT_RECORD_F_LOST,
		.lost = file->lost,
	};

	if (!file->lost)
		return failed(EAGAIN);
	memcpy(buffer, &record, sizeof(record));
	file->lost = 0;
	return sizeof(record);
}

static ssize_t mock_read(int fd, void *buffer, size_t size)
{
	struct file *file;
	ssize_t got;

	pthread_mutex_lock(&lock);
	vulkan_mock_reads++;
	file = file_of_stream(fd);
	got = read(fd, buffer, size);
	if (got < 0 && errno == EAGAIN && file)
		got = read_loss(file, buffer);
	else if (got == 0)
		got = failed(ENODEV);
	pthread_mutex_unlock(&lock);
	return got;
}

static int mock_poll(int fd, short events, uint64_t timeout_ns, short *revents)
{
	(void)fd;
	(void)events;
	(void)timeout_ns;
	*revents = 0;
	return failed(EINVAL);
}

static const struct drmfault_sys sys = {
	.open = mock_open_call,
	.close = mock_close,
	.ioctl = mock_ioctl,
	.read = mock_read,
	.poll = mock_poll,
};

int vulkan_mock_open(const struct drmfault_memory *memory, struct drmfault **fault)
{
	return drmfault_open_with(&sys, memory, NULL, fault);
}

int vulkan_mock_file(void)
{
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < FILES && files[i].used; i++)
		;
	if (i == FILES)
		abort();
	memset(&files[i], 0, sizeof(files[i]));
	files[i].read_fd = files[i].write_fd = -1;
	files[i].used = true;
	pthread_mutex_unlock(&lock);
	return FIRST_DRM + i;
}

void vulkan_mock_file_close(int drm_fd)
{
	pthread_mutex_lock(&lock);
	files[drm_fd - FIRST_DRM].used = false;
	pthread_mutex_unlock(&lock);
}

static void deliver(struct file *file, struct drm_fault_record *record)
{
	int waiting = 0;

	if (file->write_fd < 0)
		return;
	record->seqno = ++file->seqno;
	ioctl(file->read_fd, FIONREAD, &waiting);
	if (waiting >= MOCK_QUEUE * (int)sizeof(*record)) {
		file->lost++;
		return;
	}
	if (file->lost)
		record->flags |= DRM_FAULT_RECORD_F_LOST;
	record->lost = file->lost;
	if (write(file->write_fd, record, sizeof(*record)) != sizeof(*record))
		abort();
	file->lost = 0;
}

void vulkan_mock_raise(int drm_fd, const struct drm_fault_record *of)
{
	struct drm_fault_record record = *of;
	struct file *file;

	pthread_mutex_lock(&lock);
	file = file_of_drm(drm_fd);
	numbers++;
	record.length = sizeof(record);
	record.record_id = numbers;
	if (!record.group_id)
		record.group_id = numbers / 4 + 1;
	if (!record.count)
		record.count = 1;
	if (!record.timestamp_ns)
		record.timestamp_ns = clock_ns();
	if (!record.last_timestamp_ns)
		record.last_timestamp_ns = record.timestamp_ns;
	if (file->count < RING)
		file->records[file->count++] = record;
	deliver(file, &record);
	pthread_mutex_unlock(&lock);
}

void vulkan_mock_fault(int drm_fd)
{
	static uint64_t page = 0x1000;
	const struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_FAULT,
		.access = DRM_FAULT_ACCESS_WRITE,
		.address = page++ << 12,
		.address_precision = 4,
		.address_bits = 48,
	};

	vulkan_mock_raise(drm_fd, &record);
}

void vulkan_mock_unbind(int drm_fd)
{
	struct file *file;

	pthread_mutex_lock(&lock);
	file = file_of_drm(drm_fd);
	file->gone = true;
	if (file->write_fd >= 0)
		close(file->write_fd);
	file->write_fd = -1;
	pthread_mutex_unlock(&lock);
}
