// SPDX-License-Identifier: GPL-2.0-only
/*
 * drm_fault_call: calls functions of the kernel with prepared arguments, for the
 * tests of hooks. call.h says how.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "private.h"

/* Any argument of a call. */
union call_args {
	struct drm_fault_call_buffer buffer;
	struct drm_fault_call_copy copy;
	struct drm_fault_call_symbol symbol;
	struct drm_fault_call_make make;
	struct drm_fault_call_fields fields;
	struct drm_fault_call_gpu gpu;
	struct drm_fault_call_template template;
	struct drm_fault_call_priv priv;
};

static int call_open(struct inode *inode, struct file *filp)
{
	struct drm_fault_call_file *file;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return -ENOMEM;
	mutex_init(&file->lock);
	xa_init_flags(&file->buffers, XA_FLAGS_ALLOC1);
	xa_init_flags(&file->gpus, XA_FLAGS_ALLOC1);
	filp->private_data = file;
	return 0;
}

static int call_release(struct inode *inode, struct file *filp)
{
	struct drm_fault_call_file *file = filp->private_data;

	drm_fault_call_gpus_remove(file);
	drm_fault_call_buffers_free(file);
	mutex_destroy(&file->lock);
	kfree(file);
	return 0;
}

static int call_locked(struct drm_fault_call_file *file, unsigned int cmd,
		       union call_args *args)
{
	lockdep_assert_held(&file->lock);
	switch (cmd) {
	case DRM_FAULT_CALL_BUFFER_ALLOC:
		return drm_fault_call_buffer_alloc(file, &args->buffer);
	case DRM_FAULT_CALL_BUFFER_WRITE:
		return drm_fault_call_buffer_copy(file, &args->copy, true);
	case DRM_FAULT_CALL_BUFFER_READ:
		return drm_fault_call_buffer_copy(file, &args->copy, false);
	case DRM_FAULT_CALL_SYMBOL:
		return drm_fault_override_symbol(&args->symbol);
	case DRM_FAULT_CALL_PREPARE:
		return drm_fault_override_prepare(&args->symbol);
	case DRM_FAULT_CALL_CALL:
		return drm_fault_call_gpu_opening(file, &args->make);
	case DRM_FAULT_CALL_FIELDS:
		return drm_fault_call_fields(&args->fields);
	case DRM_FAULT_CALL_GPU_ADD:
		return drm_fault_call_gpu_add(file, &args->gpu);
	case DRM_FAULT_CALL_GPU_TEMPLATE:
		return drm_fault_call_gpu_template(file, &args->template);
	case DRM_FAULT_CALL_GPU_PRIV:
		return drm_fault_call_gpu_priv(&args->priv);
	default:
		return -ENOTTY;
	}
}

static long call_remove(struct drm_fault_call_file *file, unsigned long id)
{
	int ret;

	mutex_lock(&file->lock);
	ret = drm_fault_call_gpu_remove(file, id);
	mutex_unlock(&file->lock);
	return ret;
}

static long call_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct drm_fault_call_file *file = filp->private_data;
	size_t size = _IOC_SIZE(cmd);
	union call_args *args;
	long ret = -EFAULT;

	if (cmd == DRM_FAULT_CALL_GPU_REMOVE)
		return call_remove(file, arg);
	if (_IOC_TYPE(cmd) != DRM_FAULT_CALL_TYPE || size > sizeof(*args))
		return -ENOTTY;
	args = kzalloc(sizeof(*args), GFP_KERNEL);
	if (!args)
		return -ENOMEM;
	if (copy_from_user(args, (void __user *)arg, size))
		goto out;
	if (cmd == DRM_FAULT_CALL_CALL && !args->make.gpu) {
		/* Several threads of one process call at once. */
		ret = drm_fault_call_make(&args->make);
	} else {
		mutex_lock(&file->lock);
		ret = call_locked(file, cmd, args);
		mutex_unlock(&file->lock);
	}
	if (!ret && _IOC_DIR(cmd) & _IOC_READ && copy_to_user((void __user *)arg, args, size))
		ret = -EFAULT;
out:
	kfree(args);
	return ret;
}

static const struct file_operations call_fops = {
	.owner = THIS_MODULE,
	.open = call_open,
	.release = call_release,
	.unlocked_ioctl = call_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice call_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "drm_fault_call",
	.fops = &call_fops,
	.mode = 0600,
};

static int __init call_init(void)
{
	int ret = drm_fault_overrides_init();

	if (ret)
		return ret;
	ret = drm_fault_call_gpus_init();
	if (ret)
		goto err_overrides;
	ret = misc_register(&call_device);
	if (ret)
		goto err_gpus;
	return 0;

err_gpus:
	drm_fault_call_gpus_exit();
err_overrides:
	drm_fault_overrides_exit();
	return ret;
}

static void __exit call_exit(void)
{
	misc_deregister(&call_device);
	drm_fault_call_gpus_exit();
	drm_fault_overrides_exit();
}

module_init(call_init);
module_exit(call_exit);

MODULE_DESCRIPTION("Calls functions of the kernel, for tests");
MODULE_AUTHOR("the drm_fault authors");
MODULE_LICENSE("GPL");
