// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>

#include "compat-drm.h"
#include "compat-file.h"
#include "private.h"

/*
 * GPUs that do nothing but be there and be opened, under the name of any driver.
 */

#define FAKE_NAME	"drm_fault_fake"
#define FAKE_PRIV_MAX	SZ_1M

/**
 * struct drm_fault_fake - one of them
 * @drm: the DRM device
 * @driver: its driver, of its own for the sake of the name
 * @name: the name
 * @priv_size: bytes of &drm_file.driver_priv
 * @lock: protects the following
 * @template: what openers get a copy of
 * @next: what the next one gets
 * @opening: a call to make when it is opened next
 */
struct drm_fault_fake {
	struct drm_device drm;
	struct drm_driver driver;
	char name[DRM_FAULT_CALL_NAME_LEN];
	u32 priv_size;
	/* protects the following */
	struct mutex lock;
	void *template;
	void *next;
	struct drm_fault_call_make *opening;
};

static struct drm_fault_fake *to_fake(struct drm_device *drm)
{
	return container_of(drm, struct drm_fault_fake, drm);
}

static void step_set_file(struct drm_fault_call_step *step, const struct drm_file *file)
{
	unsigned int i;

	for (i = 0; i < DRM_FAULT_CALL_ARGS; i++)
		if (step->args[i] == DRM_FAULT_CALL_FILE)
			step->args[i] = (unsigned long)file;
}

/* What the driver's own open would call. */
static int fake_opening(struct drm_fault_fake *fake, const struct drm_file *file)
{
	struct drm_fault_call_make *call = fake->opening;
	unsigned int i;
	int ret;

	lockdep_assert_held(&fake->lock);
	if (!call)
		return 0;
	step_set_file(&call->outer, file);
	for (i = 0; i < call->inner_count; i++)
		step_set_file(&call->inner[i], file);
	ret = drm_fault_call_make(call);
	fake->opening = NULL;
	kfree(call);
	return ret;
}

static int fake_open(struct drm_device *drm, struct drm_file *file)
{
	struct drm_fault_fake *fake = to_fake(drm);
	void *next = kvmalloc(fake->priv_size, GFP_KERNEL);
	int ret;

	if (!next)
		return -ENOMEM;
	mutex_lock(&fake->lock);
	file->driver_priv = fake->next;
	ret = fake_opening(fake, file);
	if (ret) {
		file->driver_priv = NULL;
		kvfree(next);
	} else {
		memcpy(next, fake->template, fake->priv_size);
		fake->next = next;
	}
	mutex_unlock(&fake->lock);
	return ret;
}

static void fake_postclose(struct drm_device *drm, struct drm_file *file)
{
	kvfree(file->driver_priv);
}

static void fake_release(struct drm_device *drm)
{
	struct drm_fault_fake *fake = to_fake(drm);

	kvfree(fake->template);
	kvfree(fake->next);
	kfree(fake->opening);
	mutex_destroy(&fake->lock);
}

static const struct file_operations fake_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	DRM_FAULT_FOPS_FDINFO
};

static const struct drm_driver fake_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER,
	.open = fake_open,
	.postclose = fake_postclose,
	.release = fake_release,
	.fops = &fake_fops,
	.name = FAKE_NAME,
	.desc = "GPU that does nothing",
	.major = 1,
	DRM_FAULT_DRIVER_DATE
};

static int fake_init(struct drm_fault_fake *fake, const struct drm_fault_call_gpu *args)
{
	strscpy(fake->name, args->driver, sizeof(fake->name));
	/* It ends with the device, as what DRM was given at first would not. */
	fake->driver = fake_driver;
	fake->driver.name = fake->name;
	fake->drm.driver = &fake->driver;
	mutex_init(&fake->lock);
	fake->priv_size = args->priv_size;
	fake->template = kvzalloc(fake->priv_size, GFP_KERNEL);
	fake->next = kvzalloc(fake->priv_size, GFP_KERNEL);
	return fake->template && fake->next ? 0 : -ENOMEM;
}

static int fake_probe(struct platform_device *pdev)
{
	struct drm_fault_fake *fake;
	int ret;

	fake = devm_drm_dev_alloc(&pdev->dev, &fake_driver, struct drm_fault_fake, drm);
	if (IS_ERR(fake))
		return PTR_ERR(fake);
	ret = fake_init(fake, dev_get_platdata(&pdev->dev));
	if (!ret)
		ret = drm_dev_register(&fake->drm, 0);
	if (!ret)
		platform_set_drvdata(pdev, fake);
	return ret;
}

static void fake_remove(struct platform_device *pdev)
{
	struct drm_fault_fake *fake = platform_get_drvdata(pdev);

	drm_dev_unplug(&fake->drm);
}

static struct platform_driver fake_platform_driver = {
	.probe = fake_probe,
	.DRM_FAULT_PLATFORM_REMOVE = fake_remove,
	.driver = {
		.name = FAKE_NAME,
	},
};

static struct drm_fault_fake *fake_of(struct drm_fault_call_file *file, u32 id)
{
	struct platform_device *pdev = xa_load(&file->gpus, id);

	lockdep_assert_held(&file->lock);
	/* The test may have unbound it. */
	return pdev ? platform_get_drvdata(pdev) : NULL;
}

int drm_fault_call_gpu_add(struct drm_fault_call_file *file,
			   struct drm_fault_call_gpu *args)
{
	const struct platform_device_info info = {
		.name = FAKE_NAME,
		.id = PLATFORM_DEVID_AUTO,
		.data = args,
		.size_data = sizeof(*args),
	};
	struct platform_device *pdev;
	struct drm_fault_fake *fake;
	int ret;

	lockdep_assert_held(&file->lock);
	if (!args->driver[0] || !args->priv_size || args->priv_size > FAKE_PRIV_MAX)
		return -EINVAL;
	pdev = platform_device_register_full(&info);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	fake = platform_get_drvdata(pdev);
	ret = fake ? xa_alloc(&file->gpus, &args->id, pdev, xa_limit_31b, GFP_KERNEL) : -ENODEV;
	if (ret) {
		platform_device_unregister(pdev);
		return ret;
	}
	args->render_minor = fake->drm.render->index;
	args->primary_minor = fake->drm.primary->index;
	args->device = (unsigned long)&pdev->dev;
	args->drm = (unsigned long)&fake->drm;
	return 0;
}

int drm_fault_call_gpu_template(struct drm_fault_call_file *file,
				struct drm_fault_call_template *args)
{
	struct drm_fault_fake *fake = fake_of(file, args->id);
	void *data;

	if (!fake)
		return -ENOENT;
	if (args->size > fake->priv_size)
		return -EINVAL;
	data = kvzalloc(fake->priv_size, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	if (copy_from_user(data, u64_to_user_ptr(args->ptr), args->size)) {
		kvfree(data);
		return -EFAULT;
	}
	mutex_lock(&fake->lock);
	swap(fake->template, data);
	memcpy(fake->next, fake->template, fake->priv_size);
	args->next = (unsigned long)fake->next;
	mutex_unlock(&fake->lock);
	kvfree(data);
	return 0;
}

int drm_fault_call_gpu_opening(struct drm_fault_call_file *file,
			       const struct drm_fault_call_make *args)
{
	struct drm_fault_fake *fake = fake_of(file, args->gpu);
	struct drm_fault_call_make *call;

	if (!fake)
		return -ENOENT;
	call = kmemdup(args, sizeof(*args), GFP_KERNEL);
	if (!call)
		return -ENOMEM;
	mutex_lock(&fake->lock);
	swap(fake->opening, call);
	mutex_unlock(&fake->lock);
	kfree(call);
	return 0;
}

int drm_fault_call_gpu_priv(struct drm_fault_call_priv *args)
{
	struct file *filp = args->pad ? NULL : fget(args->fd);
	struct drm_file *file;
	int ret = 0;

	if (!filp)
		return args->pad ? -EINVAL : -EBADF;
	file = drm_fault_drm_of_file(filp);
	if (file && file->minor->dev->driver->open == fake_open) {
		args->priv = (unsigned long)file->driver_priv;
		args->file = (unsigned long)file;
	} else {
		ret = -EINVAL;
	}
	fput(filp);
	return ret;
}

int drm_fault_call_gpu_remove(struct drm_fault_call_file *file, u32 id)
{
	struct platform_device *pdev = xa_erase(&file->gpus, id);

	lockdep_assert_held(&file->lock);
	if (!pdev)
		return -ENOENT;
	platform_device_unregister(pdev);
	return 0;
}

void drm_fault_call_gpus_remove(struct drm_fault_call_file *file)
{
	struct platform_device *pdev;
	unsigned long id;

	xa_for_each(&file->gpus, id, pdev)
		platform_device_unregister(pdev);
	xa_destroy(&file->gpus);
}

int drm_fault_call_gpus_init(void)
{
	return platform_driver_register(&fake_platform_driver);
}

void drm_fault_call_gpus_exit(void)
{
	platform_driver_unregister(&fake_platform_driver);
}
