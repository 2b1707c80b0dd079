// SPDX-License-Identifier: GPL-2.0-only
/*
 * drm_fault_sim: a GPU in software that really faults. The driver.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>

#include "compat-drm.h"
#include "sim.h"

#define SIM_TIMEOUT_MIN_MS	10U
#define SIM_TIMEOUT_MAX_MS	60000U

static bool report = true;
module_param(report, bool, 0444);
MODULE_PARM_DESC(report, "report faults to drm_fault (default), or only print them to the log");

static unsigned int timeout_ms = 2000;
module_param(timeout_ms, uint, 0644);
MODULE_PARM_DESC(timeout_ms, "time a job may run, 10 to 60000 (default 2000)");

/**
 * drm_fault_sim_reporting - shall faults be reported
 *
 * Context: Any.
 * Return: module parameter report.
 */
bool drm_fault_sim_reporting(void)
{
	return report;
}

/**
 * drm_fault_sim_timeout_ms - how long may a job run
 *
 * Context: Any.
 * Return: module parameter timeout_ms within its limits.
 */
unsigned int drm_fault_sim_timeout_ms(void)
{
	return clamp(READ_ONCE(timeout_ms), SIM_TIMEOUT_MIN_MS, SIM_TIMEOUT_MAX_MS);
}

static int sim_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_fault_sim_info *args = data;

	if (args->flags || args->pad)
		return -EINVAL;

	*args = (struct drm_fault_sim_info) {
		.rings = DRM_FAULT_SIM_RINGS,
		.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
		.page_size = DRM_FAULT_SIM_PAGE_SIZE,
		.timeout_ms = drm_fault_sim_timeout_ms(),
		.max_jobs = DRM_FAULT_SIM_MAX_JOBS,
		.reporting = report,
		.max_object_size = DRM_FAULT_SIM_MAX_OBJECT,
		.max_mapped_size = DRM_FAULT_SIM_MAX_MAPPED,
	};
	return 0;
}

static const struct drm_ioctl_desc sim_ioctls[] = {
	DRM_IOCTL_DEF_DRV(FAULT_SIM_INFO, sim_info_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_CREATE, drm_fault_sim_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_MAP, drm_fault_sim_map_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_UNMAP, drm_fault_sim_unmap_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_SUBMIT, drm_fault_sim_submit_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_WAIT, drm_fault_sim_wait_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_STATE, drm_fault_sim_state_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_RECOVER, drm_fault_sim_recover_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(FAULT_SIM_FAULTS, drm_fault_snapshot_ioctl, DRM_RENDER_ALLOW),
};

static const struct file_operations sim_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	DRM_FAULT_FOPS_FDINFO
};

static const struct drm_driver sim_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open = drm_fault_sim_open,
	.postclose = drm_fault_sim_postclose,
	.ioctls = sim_ioctls,
	.num_ioctls = ARRAY_SIZE(sim_ioctls),
	.fops = &sim_fops,
	.name = DRM_FAULT_SIM_NAME,
	.desc = "GPU in software that really faults",
	.major = 1,
	.minor = 0,
	DRM_FAULT_DRIVER_DATE
	DRM_FAULT_DRIVER_PRIME
};

static void sim_rings_fini(struct drm_fault_sim_device *sim)
{
	unsigned int i;

	for (i = 0; i < DRM_FAULT_SIM_RINGS; i++)
		drm_fault_sim_ring_fini(&sim->rings[i]);
}

static int sim_rings_init(struct drm_fault_sim_device *sim)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < DRM_FAULT_SIM_RINGS && !ret; i++)
		ret = drm_fault_sim_ring_init(sim, i);
	if (ret)
		sim_rings_fini(sim);
	return ret;
}

static int sim_probe(struct platform_device *pdev)
{
	struct drm_fault_sim_device *sim;
	int ret;

	sim = devm_drm_dev_alloc(&pdev->dev, &sim_driver, struct drm_fault_sim_device, drm);
	if (IS_ERR(sim))
		return PTR_ERR(sim);

	mutex_init(&sim->files_lock);
	INIT_LIST_HEAD(&sim->files);
	init_waitqueue_head(&sim->idle);
	platform_set_drvdata(pdev, sim);

	ret = sim_rings_init(sim);
	if (ret)
		return ret;

	ret = drm_fault_sim_report_init(sim);
	if (ret)
		goto err_rings;

	/* Last: from here on it can be opened. */
	ret = drm_dev_register(&sim->drm, 0);
	if (ret)
		goto err_report;
	return 0;

err_report:
	drm_fault_sim_report_fini(sim);
err_rings:
	sim_rings_fini(sim);
	return ret;
}

/* Files stay open: their calls fail from now on, their memory goes with them. */
static void sim_remove(struct platform_device *pdev)
{
	struct drm_fault_sim_device *sim = platform_get_drvdata(pdev);
	struct drm_fault_sim_file *file;
	unsigned int i;

	drm_dev_unplug(&sim->drm);
	for (i = 0; i < DRM_FAULT_SIM_RINGS; i++)
		drm_fault_sim_ring_stop(&sim->rings[i]);

	mutex_lock(&sim->files_lock);
	sim->gone = true;
	list_for_each_entry(file, &sim->files, link)
		drm_fault_sim_report_close(file);
	mutex_unlock(&sim->files_lock);

	drm_fault_sim_report_fini(sim);
	sim_rings_fini(sim);
}

static struct platform_driver sim_platform_driver = {
	.probe = sim_probe,
	.DRM_FAULT_PLATFORM_REMOVE = sim_remove,
	.driver = {
		.name = DRM_FAULT_SIM_NAME,
	},
};

static struct platform_device *sim_platform_device;

static int __init sim_init(void)
{
	int ret;

	if (PAGE_SIZE != DRM_FAULT_SIM_PAGE_SIZE)
		return -ENODEV;

	ret = platform_driver_register(&sim_platform_driver);
	if (ret)
		return ret;

	sim_platform_device = platform_device_register_simple(DRM_FAULT_SIM_NAME,
							      PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(sim_platform_device)) {
		platform_driver_unregister(&sim_platform_driver);
		return PTR_ERR(sim_platform_device);
	}
	return 0;
}

static void __exit sim_exit(void)
{
	platform_device_unregister(sim_platform_device);
	platform_driver_unregister(&sim_platform_driver);
}

module_init(sim_init);
module_exit(sim_exit);

MODULE_DESCRIPTION("GPU in software that really faults");
MODULE_AUTHOR("the drm_fault authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(DRM_FAULT_VERSION);
