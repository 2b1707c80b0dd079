// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sysfs.h>

#include "core.h"

/*
 * /sys/class/drm_fault/gpuN: what does not need a call. The counters tell what
 * other processes do and are root's.
 */

static ssize_t driver_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_drm_fault_reporter(dev)->driver);
}

static ssize_t bus_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_drm_fault_reporter(dev)->bus);
}

static ssize_t address_bits_show(struct device *dev, struct device_attribute *attr,
				 char *buf)
{
	return sysfs_emit(buf, "%u\n", to_drm_fault_reporter(dev)->address_bits);
}

static ssize_t events_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n",
			  atomic64_read(&to_drm_fault_reporter(dev)->events));
}

static ssize_t records_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n",
			  atomic64_read(&to_drm_fault_reporter(dev)->record_id));
}

static ssize_t missed_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lld\n",
			  atomic64_read(&to_drm_fault_reporter(dev)->missed));
}

static ssize_t dumps_skipped_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n",
			  READ_ONCE(to_drm_fault_reporter(dev)->dumper.skipped));
}

/* The driver core has an attribute "driver" only for devices on a bus. */
static struct device_attribute dev_attr_gpu_driver = {
	.attr = { .name = "gpu_driver", .mode = 0444 },
	.show = driver_show,
};
static DEVICE_ATTR_RO(bus);
static DEVICE_ATTR_RO(address_bits);
static DEVICE_ATTR_ADMIN_RO(events);
static DEVICE_ATTR_ADMIN_RO(records);
static DEVICE_ATTR_ADMIN_RO(missed);
static DEVICE_ATTR_ADMIN_RO(dumps_skipped);

static struct attribute *drm_fault_reporter_attrs[] = {
	&dev_attr_gpu_driver.attr,
	&dev_attr_bus.attr,
	&dev_attr_address_bits.attr,
	&dev_attr_events.attr,
	&dev_attr_records.attr,
	&dev_attr_missed.attr,
	&dev_attr_dumps_skipped.attr,
	NULL
};

static const struct attribute_group drm_fault_reporter_group = {
	.attrs = drm_fault_reporter_attrs,
};

const struct attribute_group *drm_fault_reporter_groups[] = {
	&drm_fault_reporter_group,
	NULL
};
