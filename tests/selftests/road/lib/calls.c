// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "road.h"

int road_open(void)
{
	int fd = open(DRM_FAULT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int road_call(int fd, unsigned long call, void *args)
{
	return ioctl(fd, call, args) < 0 ? -errno : 0;
}

int road_info(struct drm_fault_info *info)
{
	int dev = road_open();
	int ret;

	if (dev < 0)
		return dev;
	*info = (struct drm_fault_info){ .size = sizeof(*info) };
	ret = road_call(dev, DRM_FAULT_IOCTL_GET_INFO, info);
	close(dev);
	return ret;
}

struct drm_fault_subscribe road_args(__u32 scope, int target)
{
	struct drm_fault_subscribe args = {
		.size = sizeof(args),
		.flags = DRM_FAULT_SUBSCRIBE_NONBLOCK,
		.scope = scope,
	};

	if (scope == DRM_FAULT_SCOPE_DEVICE)
		args.device_id = target;
	else
		args.fd = target;
	return args;
}

int road_subscribe(const struct drm_fault_subscribe *args)
{
	struct drm_fault_subscribe copy = *args;
	int dev = road_open();
	int ret;

	if (dev < 0)
		return dev;
	ret = road_call(dev, DRM_FAULT_IOCTL_SUBSCRIBE, &copy);
	close(dev);
	return ret ?: copy.stream_fd;
}

int road_stream(__u32 scope, int target)
{
	return road_stream_queue(scope, target, 0);
}

int road_stream_queue(__u32 scope, int target, __u32 queue_records)
{
	struct drm_fault_subscribe args = road_args(scope, target);

	args.queue_records = queue_records;
	return road_subscribe(&args);
}

ssize_t road_read(int stream, void *records, size_t size)
{
	ssize_t ret = read(stream, records, size);

	return ret < 0 ? -errno : ret;
}

int road_read_all(int stream, struct drm_fault_record *records, size_t count)
{
	size_t done = 0;
	ssize_t ret;

	while (done < count) {
		ret = road_read(stream, records + done, (count - done) * ROAD_RECORD);
		if (ret < 0)
			return ret;
		done += ret / ROAD_RECORD;
	}
	return 0;
}

int road_poll(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	int ret = poll(&pollfd, 1, timeout_ms);

	return ret < 0 ? -errno : ret ? pollfd.revents : 0;
}

struct drm_fault_snapshot road_snapshot_args(struct drm_fault_record *records,
					     __u32 count)
{
	return (struct drm_fault_snapshot){
		.size = sizeof(struct drm_fault_snapshot),
		.record_size = ROAD_RECORD,
		.record_count = count,
		.records_ptr = (uintptr_t)records,
	};
}

int road_snapshot(int stream, struct drm_fault_snapshot *args,
		  struct drm_fault_record *records, __u32 count)
{
	*args = road_snapshot_args(records, count);
	return road_call(stream, DRM_FAULT_IOCTL_SNAPSHOT, args);
}

__u64 road_sum_counts(const struct drm_fault_record *records, size_t count)
{
	__u64 sum = 0;

	while (count--)
		sum += records++->count;
	return sum;
}

__u64 road_sum_lost(const struct drm_fault_record *records, size_t count)
{
	__u64 sum = 0;

	while (count--)
		sum += records++->lost;
	return sum;
}
