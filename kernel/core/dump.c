// SPDX-License-Identifier: GPL-2.0-only
#include <linux/devcoredump.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernfs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include <drm/drm_print.h>

#include "core.h"

/*
 * One devcoredump for each incident, when its burst is over. It belongs to a device
 * of our own under the GPU, so it takes no place from the driver's own dump and the
 * driver's takes none from ours. A dump may be read after the GPU and this module
 * have gone, so none of our code may be behind it: its data are plain memory, and
 * its device is a platform device. While one waits to be read, later incidents are
 * counted only: the first is the one that matters.
 */

static bool drm_fault_dumps_on = true;
module_param_named(dumps, drm_fault_dumps_on, bool, 0644);
MODULE_PARM_DESC(dumps, "make a devcoredump of each incident (default Y)");

static unsigned int drm_fault_dump_delay_ms = 200;
module_param_named(dump_delay_ms, drm_fault_dump_delay_ms, uint, 0644);
MODULE_PARM_DESC(dump_delay_ms, "how long to gather what follows a first fault, at most 10000 (default 200)");

static struct drm_fault_reporter *drm_fault_dumper_reporter(struct drm_fault_dumper *dumper)
{
	return container_of(dumper, struct drm_fault_reporter, dumper);
}

static bool drm_fault_dump_waits(const struct drm_fault_dumper *dumper)
{
	/* The link that devcoredump makes while there is a dump. */
	struct kernfs_node *link = sysfs_get_dirent(dumper->device->dev.kobj.sd, "devcoredump");

	if (link)
		sysfs_put(link);
	return link;
}

/* A dump without them is better than none. */
static void drm_fault_dump_engines(struct drm_fault_reporter *reporter,
				   struct drm_fault_incident *incident)
{
	struct drm_print_iterator text = { .remain = SZ_64K };
	struct drm_printer printer;

	if (!reporter->print_engines)
		return;
	text.data = vzalloc(text.remain);
	if (!text.data)
		return;
	printer = drm_coredump_printer(&text);
	reporter->print_engines(reporter->data, &printer);
	incident->engines = text.data;
	incident->engines_length = SZ_64K - text.remain;
}

static void drm_fault_dump_work(struct work_struct *work)
{
	struct drm_fault_dumper *dumper =
		container_of(to_delayed_work(work), struct drm_fault_dumper, work);
	struct drm_fault_reporter *reporter = drm_fault_dumper_reporter(dumper);
	struct drm_fault_incident incident = {
		.since_ns = atomic64_xchg(&dumper->since_ns, 0),
		.skipped = dumper->skipped,
	};
	size_t size;
	void *data;

	if (!incident.since_ns)
		return;
	if (drm_fault_dump_waits(dumper)) {
		WRITE_ONCE(dumper->skipped, dumper->skipped + 1);
		return;
	}
	drm_fault_dump_engines(reporter, &incident);
	data = drm_fault_container_build(reporter, &incident, &size);
	vfree(incident.engines);
	if (IS_ERR(data)) {
		if (PTR_ERR(data) == -ENOMEM)
			WRITE_ONCE(dumper->skipped, dumper->skipped + 1);
		return;
	}
	WRITE_ONCE(dumper->skipped, 0);
	dev_coredumpv(&dumper->device->dev, data, size, GFP_KERNEL);
}

static void drm_fault_dump_asked(struct irq_work *ask)
{
	struct drm_fault_dumper *dumper = container_of(ask, struct drm_fault_dumper, ask);
	unsigned int delay_ms = min(READ_ONCE(drm_fault_dump_delay_ms), 10000U);

	/* Does nothing if it waits already: this is the burst. */
	queue_delayed_work(drm_fault_wq, &dumper->work, msecs_to_jiffies(delay_ms));
}

/**
 * drm_fault_dumper_init - set a GPU's dumper up
 * @reporter: the GPU
 *
 * Context: Process.
 */
void drm_fault_dumper_init(struct drm_fault_reporter *reporter)
{
	init_irq_work(&reporter->dumper.ask, drm_fault_dump_asked);
	INIT_DELAYED_WORK(&reporter->dumper.work, drm_fault_dump_work);
}

/**
 * drm_fault_dumper_start - dumps can be made from now on
 * @reporter: the GPU
 *
 * If the device cannot be made none are, which is said in the log.
 *
 * Context: Process, may sleep.
 */
void drm_fault_dumper_start(struct drm_fault_reporter *reporter)
{
	const struct platform_device_info info = {
		.parent = reporter->dev.parent,
		.name = "drm_fault_dump",
		.id = reporter->id,
	};
	struct platform_device *device = platform_device_register_full(&info);

	if (IS_ERR(device))
		dev_warn(&reporter->dev, "no dumps of this GPU: error %ld\n", PTR_ERR(device));
	else
		/* Pairs with drm_fault_dump_ask(). */
		smp_store_release(&reporter->dumper.device, device);
}

/**
 * drm_fault_dumper_stop - make what is to be made, then no more
 * @reporter: the GPU, whose report path is closed
 *
 * Context: Process, may sleep.
 */
void drm_fault_dumper_stop(struct drm_fault_reporter *reporter)
{
	irq_work_sync(&reporter->dumper.ask);
	flush_delayed_work(&reporter->dumper.work);
	platform_device_unregister(reporter->dumper.device);
	reporter->dumper.device = NULL;
}

/**
 * drm_fault_dump_ask - an incident began
 * @reporter: the GPU
 * @now_ns: when
 *
 * Context: Any but NMI.
 */
void drm_fault_dump_ask(struct drm_fault_reporter *reporter, u64 now_ns)
{
	/* Pairs with drm_fault_dumper_start(). */
	if (!READ_ONCE(drm_fault_dumps_on) || !smp_load_acquire(&reporter->dumper.device))
		return;
	atomic64_cmpxchg(&reporter->dumper.since_ns, 0, now_ns);
	irq_work_queue(&reporter->dumper.ask);
}
