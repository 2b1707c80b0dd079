// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

#include "core.h"
#include "hook.h"

struct drm_fault_settings drm_fault_settings = {
	.ring_records = 64,
	.queue_records = 256,
	.max_streams = 32,
	.group_gap_ms = 1000,
	.retain_contexts = 32,
	.retain_seconds = 600,
};

struct workqueue_struct *drm_fault_wq;

module_param_named(ring_records, drm_fault_settings.ring_records, uint, 0444);
MODULE_PARM_DESC(ring_records, "records kept per context, 4 to 4096 (default 64)");

module_param_named(queue_records, drm_fault_settings.queue_records, uint, 0444);
MODULE_PARM_DESC(queue_records, "default length of a stream's queue, 16 to 4096 (default 256)");

module_param_named(max_streams, drm_fault_settings.max_streams, uint, 0444);
MODULE_PARM_DESC(max_streams, "streams that a user may have open, 1 to 1024 (default 32)");

module_param_named(group_gap_ms, drm_fault_settings.group_gap_ms, uint, 0444);
MODULE_PARM_DESC(group_gap_ms, "pause that ends an incident, 1 to 60000 (default 1000)");

module_param_named(retain_contexts, drm_fault_settings.retain_contexts, uint, 0444);
MODULE_PARM_DESC(retain_contexts, "contexts kept per GPU after their end, 0 to 1024 (default 32)");

module_param_named(retain_seconds, drm_fault_settings.retain_seconds, uint, 0444);
MODULE_PARM_DESC(retain_seconds, "and for how long, 0 to 86400 (default 600)");

static void drm_fault_settings_clamp(void)
{
	struct drm_fault_settings *s = &drm_fault_settings;

	s->ring_records = roundup_pow_of_two(clamp_t(unsigned int, s->ring_records,
						     DRM_FAULT_RING_MIN,
						     DRM_FAULT_RING_MAX));
	s->queue_records = roundup_pow_of_two(clamp_t(unsigned int, s->queue_records,
						      DRM_FAULT_QUEUE_MIN,
						      DRM_FAULT_QUEUE_MAX));
	s->max_streams = clamp_t(unsigned int, s->max_streams, 1, 1024);
	s->group_gap_ms = clamp_t(unsigned int, s->group_gap_ms, 1, 60000);
	s->retain_contexts = min_t(unsigned int, s->retain_contexts, 1024);
	s->retain_seconds = min_t(unsigned int, s->retain_seconds, 86400);
}

static const struct file_operations drm_fault_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.unlocked_ioctl = drm_fault_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/* Everyone may open it: what one sees is decided at each subscription. */
static struct miscdevice drm_fault_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "drm_fault",
	.fops = &drm_fault_fops,
	.mode = 0666,
};

/*
 * Freeing goes in steps, each a grace period and a work: streams and contexts give
 * clients back, in a second step those go, in a third their owners.
 */
static void drm_fault_reap(void)
{
	int step;

	for (step = 0; step < 3; step++) {
		rcu_barrier();
		flush_workqueue(drm_fault_wq);
	}
}

static int __init drm_fault_init(void)
{
	int ret;

	BUILD_BUG_ON(sizeof(struct drm_fault_record) != 256);

	drm_fault_settings_clamp();
	drm_fault_wq = alloc_workqueue("drm_fault", WQ_UNBOUND, 0);
	if (!drm_fault_wq)
		return -ENOMEM;
	ret = drm_fault_reporters_init();
	if (ret)
		goto err_wq;
	drm_fault_debugfs_init();
	ret = misc_register(&drm_fault_misc);
	if (ret)
		goto err_debugfs;
	/* The node may be open by now, and drivers that report themselves need no hooks. */
	drm_fault_hooks_init(&drm_fault_misc.this_device->kobj);
	return 0;

err_debugfs:
	drm_fault_debugfs_exit();
	drm_fault_reporters_exit();
err_wq:
	destroy_workqueue(drm_fault_wq);
	return ret;
}

static void __exit drm_fault_exit(void)
{
	drm_fault_hooks_exit();
	misc_deregister(&drm_fault_misc);
	drm_fault_debugfs_exit();
	drm_fault_reap();
	destroy_workqueue(drm_fault_wq);
	drm_fault_reporters_exit();
}

module_init(drm_fault_init);
module_exit(drm_fault_exit);

MODULE_DESCRIPTION("GPU faults of any DRM driver, per process, with a history");
MODULE_AUTHOR("The drm_fault authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(DRM_FAULT_VERSION);
