// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/string.h>

#include "core.h"

static int drm_fault_get_info(struct drm_fault_call *call)
{
	struct drm_fault_info *info = call->data;

	if (info->flags)
		return -EINVAL;

	memset(info, 0, sizeof(*info));
	if (drm_fault_would_see_all())
		info->features |= DRM_FAULT_FEATURE_PRIVILEGED;
	info->record_size = sizeof(struct drm_fault_record);
	info->device_count = drm_fault_reporter_count();
	info->ring_records = drm_fault_settings.ring_records;
	info->max_queue_records = DRM_FAULT_QUEUE_MAX;
	info->max_streams = drm_fault_settings.max_streams;
	info->group_gap_ms = drm_fault_settings.group_gap_ms;
	strscpy(info->version, DRM_FAULT_VERSION, sizeof(info->version));
	return 0;
}

static struct drm_fault_reporter *
drm_fault_get_device_find(const struct drm_fault_device *args)
{
	struct drm_fault_reporter *reporter;
	struct file *file;

	switch (args->flags) {
	case 0:
	case DRM_FAULT_DEVICE_NEXT:
		if (args->fd)
			return ERR_PTR(-EINVAL);
		reporter = drm_fault_reporter_find(args->id, args->flags);
		return reporter ?: ERR_PTR(-ENODEV);
	case DRM_FAULT_DEVICE_BY_FD:
		if (args->id)
			return ERR_PTR(-EINVAL);
		file = fget(args->fd);
		if (!file)
			return ERR_PTR(-EBADF);
		reporter = drm_fault_reporter_find_file(file);
		fput(file);
		return reporter;
	default:
		return ERR_PTR(-EINVAL);
	}
}

static int drm_fault_get_device(struct drm_fault_call *call)
{
	struct drm_fault_device *args = call->data;
	struct drm_fault_reporter *reporter;

	if (args->pad)
		return -EINVAL;
	reporter = drm_fault_get_device_find(args);
	if (IS_ERR(reporter))
		return PTR_ERR(reporter);

	memset(args, 0, sizeof(*args));
	args->id = reporter->id;
	strscpy(args->name, dev_name(&reporter->dev), sizeof(args->name));
	strscpy(args->driver, reporter->driver, sizeof(args->driver));
	strscpy(args->bus, reporter->bus, sizeof(args->bus));
	args->primary_minor = reporter->primary_minor;
	args->render_minor = reporter->render_minor;
	args->address_bits = reporter->address_bits;
	if (drm_fault_would_see_all()) {
		args->events = atomic64_read(&reporter->events);
		args->records = atomic64_read(&reporter->record_id);
	}
	put_device(&reporter->dev);
	return 0;
}

static int drm_fault_subscribe(struct drm_fault_call *call)
{
	struct drm_fault_subscribe *args = call->data;
	struct file *file;
	int fd, ret;

	if (args->flags & ~DRM_FAULT_SUBSCRIBE_NONBLOCK || args->pad)
		return -EINVAL;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	file = drm_fault_stream_create(args, &args->queue_records);
	if (IS_ERR(file)) {
		ret = PTR_ERR(file);
		goto err_fd;
	}

	args->stream_fd = fd;
	ret = drm_fault_call_reply(call);
	if (ret)
		goto err_file;
	fd_install(fd, file);
	return 0;

err_file:
	fput(file);
err_fd:
	put_unused_fd(fd);
	return ret;
}

static const struct drm_fault_call_op drm_fault_calls[] = {
	{
		.cmd = DRM_FAULT_IOCTL_GET_INFO,
		.size = sizeof(struct drm_fault_info),
		.min_size = offsetofend(struct drm_fault_info, version),
		.run = drm_fault_get_info,
	},
	{
		.cmd = DRM_FAULT_IOCTL_GET_DEVICE,
		.size = sizeof(struct drm_fault_device),
		.min_size = offsetofend(struct drm_fault_device, records),
		.run = drm_fault_get_device,
	},
	{
		.cmd = DRM_FAULT_IOCTL_SUBSCRIBE,
		.size = sizeof(struct drm_fault_subscribe),
		.min_size = offsetofend(struct drm_fault_subscribe, pad),
		.run = drm_fault_subscribe,
		.replies = true,
	},
};

/**
 * drm_fault_ioctl - calls on /dev/drm_fault
 * @file: the open device
 * @cmd: DRM_FAULT_IOCTL_*
 * @arg: address of the structure
 *
 * Context: Process, may sleep.
 * Return: 0 or an error as uapi/drm/drm_fault.h tells
 */
long drm_fault_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return drm_fault_call(drm_fault_calls, ARRAY_SIZE(drm_fault_calls), file, cmd, arg);
}
