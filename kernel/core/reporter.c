// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include "compat-file.h"
#include "core.h"

#define DRM_FAULT_NO_MINOR	0xffffffff

/* Protects the list, ids, and drm of every reporter; process context. */
DEFINE_MUTEX(drm_fault_reporters_lock);
LIST_HEAD(drm_fault_reporters);

static DEFINE_IDA(drm_fault_ids);

struct class *drm_fault_class;

/**
 * drm_fault_reporter_find - find a reporter by its number
 * @id: the number
 * @next: the first one with this or a greater number
 *
 * Context: Process.
 * Return: the reporter with a reference on its dev, or NULL
 */
struct drm_fault_reporter *drm_fault_reporter_find(u32 id, bool next)
{
	struct drm_fault_reporter *reporter, *found = NULL;

	mutex_lock(&drm_fault_reporters_lock);
	list_for_each_entry(reporter, &drm_fault_reporters, node) {
		if (reporter->id == id) {
			found = reporter;
			break;
		}
		if (next && reporter->id > id && (!found || reporter->id < found->id))
			found = reporter;
	}
	if (found)
		get_device(&found->dev);
	mutex_unlock(&drm_fault_reporters_lock);
	return found;
}

/**
 * drm_fault_reporter_find_file - find the reporter of a DRM node
 * @file: any open file
 *
 * Context: Process.
 * Return: the reporter with a reference on its dev; -EINVAL if @file is no DRM
 * node, -EOPNOTSUPP if nothing reports for it
 */
struct drm_fault_reporter *drm_fault_reporter_find_file(struct file *file)
{
	struct drm_fault_reporter *reporter, *found = ERR_PTR(-EOPNOTSUPP);
	struct drm_file *drm_file = drm_fault_drm_of_file(file);

	if (!drm_file)
		return ERR_PTR(-EINVAL);

	mutex_lock(&drm_fault_reporters_lock);
	list_for_each_entry(reporter, &drm_fault_reporters, node) {
		if (reporter->drm && reporter->drm == drm_file->minor->dev) {
			found = reporter;
			get_device(&found->dev);
			break;
		}
	}
	mutex_unlock(&drm_fault_reporters_lock);
	return found;
}

/**
 * drm_fault_reporter_of_device - find the reporter of a GPU that hooks serve
 * @dev: the GPU
 *
 * Context: Any but NMI, under RCU, as probes are; the reporter is valid as long.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_reporter_of_device(const struct device *dev)
{
	struct drm_fault_reporter *reporter;

	list_for_each_entry_rcu(reporter, &drm_fault_reporters, node)
		if (reporter->hooks && reporter->dev.parent == dev)
			return reporter;
	return NULL;
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_of_device);

/**
 * drm_fault_reporter_of_drm - find the reporter of a DRM device that hooks serve
 * @drm: the DRM device, compared only
 *
 * Context: Any but NMI, under RCU, as probes are; the reporter is valid as long.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_reporter_of_drm(const struct drm_device *drm)
{
	struct drm_fault_reporter *reporter;

	list_for_each_entry_rcu(reporter, &drm_fault_reporters, node)
		if (reporter->hooks && READ_ONCE(reporter->drm) == drm)
			return reporter;
	return NULL;
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_of_drm);

/**
 * drm_fault_reporter_of_pci - find the reporter of a GPU that hooks serve
 * @segment: its PCI segment
 * @devid: its bus, device and function
 *
 * Context: Any but NMI, under RCU, as probes are; the reporter is valid as long.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_reporter_of_pci(u32 segment, u16 devid)
{
	struct drm_fault_reporter *reporter;
	const struct pci_dev *pci;

	list_for_each_entry_rcu(reporter, &drm_fault_reporters, node) {
		if (!reporter->hooks || !dev_is_pci(reporter->dev.parent))
			continue;
		pci = to_pci_dev(reporter->dev.parent);
		if (pci_domain_nr(pci->bus) == segment &&
		    PCI_DEVID(pci->bus->number, pci->devfn) == devid)
			return reporter;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_of_pci);

/**
 * drm_fault_reporter_has_drm - does anyone report for a DRM device?
 * @drm: the DRM device, compared only
 *
 * Context: Process.
 * Return: true if there is a reporter
 */
bool drm_fault_reporter_has_drm(const struct drm_device *drm)
{
	struct drm_fault_reporter *reporter;
	bool found = false;

	mutex_lock(&drm_fault_reporters_lock);
	list_for_each_entry(reporter, &drm_fault_reporters, node)
		found |= reporter->drm == drm;
	mutex_unlock(&drm_fault_reporters_lock);
	return found;
}

/**
 * drm_fault_reporter_count - how many reporters there are
 *
 * Context: Process.
 * Return: the number
 */
u32 drm_fault_reporter_count(void)
{
	struct drm_fault_reporter *reporter;
	u32 count = 0;

	mutex_lock(&drm_fault_reporters_lock);
	list_for_each_entry(reporter, &drm_fault_reporters, node)
		count++;
	mutex_unlock(&drm_fault_reporters_lock);
	return count;
}

static void drm_fault_reporter_release(struct device *dev)
{
	struct drm_fault_reporter *reporter = to_drm_fault_reporter(dev);

	ida_free(&drm_fault_ids, reporter->id);
	kfree(reporter);
}

static void drm_fault_reporter_describe(struct drm_fault_reporter *reporter,
					const struct drm_fault_reporter_args *args)
{
	struct drm_device *drm = args->drm;

	reporter->drm = drm;
	reporter->address_bits = args->address_bits;
	reporter->print_engines = args->print_engines;
	reporter->data = args->data;
	strscpy(reporter->driver, args->driver, sizeof(reporter->driver));
	strscpy(reporter->bus, dev_name(args->dev), sizeof(reporter->bus));
	reporter->primary_minor = DRM_FAULT_NO_MINOR;
	reporter->render_minor = DRM_FAULT_NO_MINOR;
	if (drm && drm->primary)
		reporter->primary_minor = drm->primary->index;
	if (drm && drm->render)
		reporter->render_minor = drm->render->index;
}

static struct drm_fault_reporter *
drm_fault_reporter_create(const struct drm_fault_reporter_args *args,
			  const struct drm_fault_hooks *hooks)
{
	struct drm_fault_reporter *reporter = kzalloc(sizeof(*reporter), GFP_KERNEL);
	int ret;

	if (!reporter)
		return ERR_PTR(-ENOMEM);
	ret = ida_alloc_min(&drm_fault_ids, 1, GFP_KERNEL);
	if (ret < 0) {
		kfree(reporter);
		return ERR_PTR(ret);
	}

	reporter->id = ret;
	INIT_LIST_HEAD(&reporter->node);
	hash_init(reporter->by_key);
	INIT_LIST_HEAD(&reporter->contexts);
	INIT_LIST_HEAD(&reporter->ended);
	raw_spin_lock_init(&reporter->lock);
	INIT_DELAYED_WORK(&reporter->purge, drm_fault_context_purge);
	drm_fault_dumper_init(reporter);
	reporter->hooks = hooks;
	drm_fault_reporter_describe(reporter, args);

	device_initialize(&reporter->dev);
	reporter->dev.class = drm_fault_class;
	reporter->dev.parent = args->dev;
	reporter->dev.groups = drm_fault_reporter_groups;
	reporter->dev.release = drm_fault_reporter_release;
	ret = dev_set_name(&reporter->dev, "gpu%u", reporter->id);
	if (ret) {
		put_device(&reporter->dev);
		return ERR_PTR(ret);
	}
	return reporter;
}

/**
 * drm_fault_reporter_add - make a GPU known
 * @args: what it is
 * @hooks: who feeds it, NULL: its driver
 *
 * Context: Process, may sleep.
 * Return: as drm_fault_reporter_register()
 */
struct drm_fault_reporter *drm_fault_reporter_add(const struct drm_fault_reporter_args *args,
						  const struct drm_fault_hooks *hooks)
{
	struct drm_fault_reporter *reporter = drm_fault_reporter_create(args, hooks);
	struct drm_fault_context *catch_all;
	int ret;

	if (IS_ERR(reporter))
		return reporter;

	catch_all = drm_fault_context_create(reporter, NULL);
	if (IS_ERR(catch_all)) {
		ret = PTR_ERR(catch_all);
		goto err_put;
	}
	reporter->catch_all = catch_all;

	ret = device_add(&reporter->dev);
	if (ret)
		goto err_context;

	mutex_lock(&drm_fault_reporters_lock);
	list_add_tail_rcu(&reporter->node, &drm_fault_reporters);
	mutex_unlock(&drm_fault_reporters_lock);
	drm_fault_dumper_start(reporter);
	drm_fault_debugfs_add(reporter);
	return reporter;

err_context:
	/* In this order: of hooks, the second gives up the reference of all. */
	drm_fault_context_destroy(catch_all);
	drm_fault_contexts_end(reporter);
err_put:
	put_device(&reporter->dev);
	return ERR_PTR(ret);
}

/**
 * drm_fault_reporter_register - make a GPU known that can report faults
 * @args: what it is
 *
 * To be called when the DRM device is registered, so that its nodes are known.
 *
 * Context: Process, may sleep.
 * Return: the reporter, to be given to drm_fault_reporter_unregister(); -ENOMEM
 * or an error of the driver core
 */
struct drm_fault_reporter *
drm_fault_reporter_register(const struct drm_fault_reporter_args *args)
{
	return drm_fault_reporter_add(args, NULL);
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_register);

/**
 * drm_fault_reporter_unregister - the GPU goes away
 * @reporter: from drm_fault_reporter_register(); can be an error pointer or
 *	NULL, then nothing happens
 *
 * Events that come later are ignored. Clients and contexts may outlive this
 * call, and must still be destroyed. Streams on this GPU alone hang up.
 *
 * Context: Process, may sleep.
 */
void drm_fault_reporter_unregister(struct drm_fault_reporter *reporter)
{
	unsigned long flags;

	if (IS_ERR_OR_NULL(reporter))
		return;

	drm_fault_debugfs_remove(reporter);
	mutex_lock(&drm_fault_reporters_lock);
	list_del_rcu(&reporter->node);
	WRITE_ONCE(reporter->drm, NULL);
	mutex_unlock(&drm_fault_reporters_lock);

	/* Under the lock, so that no one starts the purge again behind our back. */
	raw_spin_lock_irqsave(&reporter->lock, flags);
	WRITE_ONCE(reporter->gone, true);
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
	/* The report path looks at gone under RCU: it has left after this. */
	synchronize_rcu();
	drm_fault_dumper_stop(reporter);
	/* Pairs with drm_fault_view_gone(): who sees it sees all that was queued. */
	smp_store_release(&reporter->closed, true);
	cancel_delayed_work_sync(&reporter->purge);
	drm_fault_context_destroy(reporter->catch_all);
	drm_fault_contexts_end(reporter);
	if (reporter->hooks)
		drm_fault_clients_close(reporter);
	drm_fault_streams_hang_up();
	device_unregister(&reporter->dev);
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_unregister);

/**
 * drm_fault_reporters_init - set the class up
 *
 * Context: Process.
 * Return: 0 or an error of the driver core
 */
int drm_fault_reporters_init(void)
{
	drm_fault_class = drm_fault_class_create("drm_fault");
	return PTR_ERR_OR_ZERO(drm_fault_class);
}

/**
 * drm_fault_reporters_exit - take the class down
 *
 * Context: Process; no reporter is left.
 */
void drm_fault_reporters_exit(void)
{
	class_destroy(drm_fault_class);
	ida_destroy(&drm_fault_ids);
}
