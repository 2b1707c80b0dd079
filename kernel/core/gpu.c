// SPDX-License-Identifier: GPL-2.0-only
#include <linux/device.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "compat-file.h"
#include "core.h"
#include "hook.h"

/*
 * GPUs whose driver does not report itself: each gets a reporter when it is bound
 * to a driver for which there are hooks, and loses it when it is unbound.
 */

/**
 * struct drm_fault_gpu - one of them
 * @node: in the list
 * @dev: the GPU, compared only
 * @reporter: its reporter
 */
struct drm_fault_gpu {
	struct list_head node;
	const struct device *dev;
	struct drm_fault_reporter *reporter;
};

/* Protects the list; process context. */
static DEFINE_MUTEX(drm_fault_gpus_lock);
static LIST_HEAD(drm_fault_gpus);

static int drm_fault_gpu_minor(struct device *child, void *data)
{
	struct drm_device **drm = data;
	struct drm_minor *minor;

	/* The nodes of a DRM device are children of the GPU, of DRM's class. */
	if (!child->class || strcmp(child->class->name, "drm") || !child->devt)
		return 0;
	minor = dev_get_drvdata(child);
	*drm = minor->dev;
	return 1;
}

static bool drm_fault_gpu_known(const struct device *dev)
{
	struct drm_fault_gpu *gpu;

	lockdep_assert_held(&drm_fault_gpus_lock);
	list_for_each_entry(gpu, &drm_fault_gpus, node)
		if (gpu->dev == dev)
			return true;
	return false;
}

static void drm_fault_gpu_add(struct device *dev, struct drm_device *drm,
			      struct drm_fault_hooks *hooks)
{
	const struct drm_fault_reporter_args args = {
		.dev = dev,
		.drm = drm,
		.driver = hooks->driver,
		.address_bits = hooks->address_bits,
	};
	struct drm_fault_gpu *gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);

	lockdep_assert_held(&drm_fault_gpus_lock);
	if (!gpu)
		return;
	gpu->dev = dev;
	gpu->reporter = drm_fault_reporter_add(&args, hooks);
	if (IS_ERR(gpu->reporter)) {
		dev_warn(dev, "drm_fault: no reporter for this GPU: error %ld\n",
			 PTR_ERR(gpu->reporter));
		kfree(gpu);
		return;
	}
	list_add_tail(&gpu->node, &drm_fault_gpus);
	drm_fault_openers_adopt(gpu->reporter, drm);
}

static void drm_fault_gpu_remove(struct drm_fault_gpu *gpu)
{
	lockdep_assert_held(&drm_fault_gpus_lock);
	list_del(&gpu->node);
	drm_fault_reporter_unregister(gpu->reporter);
	kfree(gpu);
}

/* The device's lock is held: its driver and its nodes stay. */
static void drm_fault_gpu_bound(struct device *dev)
{
	struct drm_fault_hooks *hooks;
	struct drm_device *drm = NULL;

	device_lock_assert(dev);
	device_for_each_child(dev, &drm, drm_fault_gpu_minor);
	if (!drm)
		return;
	hooks = drm_fault_hooks_of_driver(drm->driver->name);
	if (!hooks)
		return;

	mutex_lock(&drm_fault_gpus_lock);
	/* A driver may also report itself, as it does that as well as can be. */
	if (!drm_fault_gpu_known(dev) && !drm_fault_reporter_has_drm(drm))
		drm_fault_gpu_add(dev, drm, hooks);
	mutex_unlock(&drm_fault_gpus_lock);
}

static void drm_fault_gpu_unbound(const struct device *dev)
{
	struct drm_fault_gpu *gpu, *tmp;

	mutex_lock(&drm_fault_gpus_lock);
	list_for_each_entry_safe(gpu, tmp, &drm_fault_gpus, node)
		if (gpu->dev == dev)
			drm_fault_gpu_remove(gpu);
	mutex_unlock(&drm_fault_gpus_lock);
}

static int drm_fault_gpu_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == BUS_NOTIFY_BOUND_DRIVER)
		drm_fault_gpu_bound(data);
	else if (action == BUS_NOTIFY_UNBIND_DRIVER)
		drm_fault_gpu_unbound(data);
	return NOTIFY_DONE;
}

static int drm_fault_gpu_scan(struct device *dev, void *unused)
{
	device_lock(dev);
	if (dev->driver)
		drm_fault_gpu_bound(dev);
	device_unlock(dev);
	return 0;
}

static struct notifier_block drm_fault_gpu_pci_nb = {
	.notifier_call = drm_fault_gpu_notify,
};

static struct notifier_block drm_fault_gpu_platform_nb = {
	.notifier_call = drm_fault_gpu_notify,
};

/**
 * drm_fault_gpu_adopt - take in one file whose opener was not known
 * @file: a DRM node, open
 *
 * Whoever holds the file is taken for its owner.
 *
 * Context: Process, may sleep.
 * Return: 0, -EOPNOTSUPP if no hooks serve its GPU, -ENOMEM
 */
int drm_fault_gpu_adopt(struct file *file)
{
	struct drm_file *drm_file = drm_fault_drm_of_file(file);
	struct drm_fault_reporter *reporter;
	struct drm_fault_owner *owner;
	int ret = -EOPNOTSUPP;

	mutex_lock(&drm_fault_gpus_lock);
	rcu_read_lock();
	reporter = drm_fault_reporter_of_drm(drm_file->minor->dev);
	rcu_read_unlock();
	/* The lock keeps it: reporters of hooks go under it only. */
	if (reporter) {
		owner = drm_fault_owner_create(GFP_KERNEL_ACCOUNT);
		ret = owner ? 0 : -ENOMEM;
		if (owner)
			drm_fault_opener_adopt(reporter, drm_file, owner);
	}
	mutex_unlock(&drm_fault_gpus_lock);
	return ret;
}

/**
 * drm_fault_gpus_init - find the GPUs that there are, and watch for others
 *
 * Context: Process, may sleep.
 * Return: 0 or a negative errno
 */
int drm_fault_gpus_init(void)
{
	int ret = bus_register_notifier(&pci_bus_type, &drm_fault_gpu_pci_nb);

	if (ret)
		return ret;
	ret = bus_register_notifier(&platform_bus_type, &drm_fault_gpu_platform_nb);
	if (ret) {
		bus_unregister_notifier(&pci_bus_type, &drm_fault_gpu_pci_nb);
		return ret;
	}
	bus_for_each_dev(&pci_bus_type, NULL, NULL, drm_fault_gpu_scan);
	bus_for_each_dev(&platform_bus_type, NULL, NULL, drm_fault_gpu_scan);
	return 0;
}

/**
 * drm_fault_gpus_exit - let go of all of them
 *
 * Context: Process, may sleep; no handler of a hook runs any more.
 */
void drm_fault_gpus_exit(void)
{
	struct drm_fault_gpu *gpu, *tmp;

	bus_unregister_notifier(&platform_bus_type, &drm_fault_gpu_platform_nb);
	bus_unregister_notifier(&pci_bus_type, &drm_fault_gpu_pci_nb);
	mutex_lock(&drm_fault_gpus_lock);
	list_for_each_entry_safe(gpu, tmp, &drm_fault_gpus, node)
		drm_fault_gpu_remove(gpu);
	mutex_unlock(&drm_fault_gpus_lock);
}
