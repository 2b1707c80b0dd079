// SPDX-License-Identifier: GPL-2.0-only
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "private.h"

/**
 * struct drm_fault_buffer - memory that arguments point to
 * @size: bytes
 * @data: the memory
 */
struct drm_fault_buffer {
	u64 size;
	void *data;
};

int drm_fault_call_buffer_alloc(struct drm_fault_call_file *file,
				struct drm_fault_call_buffer *args)
{
	struct drm_fault_buffer *buffer;
	int ret;

	lockdep_assert_held(&file->lock);
	if (!args->size || args->size > DRM_FAULT_CALL_BUFFER_MAX || args->pad)
		return -EINVAL;
	buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	buffer->size = args->size;
	buffer->data = vzalloc(args->size);
	ret = buffer->data ? xa_alloc(&file->buffers, &args->handle, buffer,
				      xa_limit_31b, GFP_KERNEL) : -ENOMEM;
	if (ret) {
		vfree(buffer->data);
		kfree(buffer);
		return ret;
	}
	args->address = (unsigned long)buffer->data;
	return 0;
}

int drm_fault_call_buffer_copy(struct drm_fault_call_file *file,
			       const struct drm_fault_call_copy *args, bool write)
{
	const struct drm_fault_buffer *buffer = xa_load(&file->buffers, args->handle);
	void __user *user = u64_to_user_ptr(args->ptr);
	u64 end;

	lockdep_assert_held(&file->lock);
	if (!buffer)
		return -ENOENT;
	if (args->pad || check_add_overflow(args->offset, args->size, &end) ||
	    end > buffer->size)
		return -EINVAL;
	if (write ? copy_from_user(buffer->data + args->offset, user, args->size) :
		    copy_to_user(user, buffer->data + args->offset, args->size))
		return -EFAULT;
	return 0;
}

void drm_fault_call_buffers_free(struct drm_fault_call_file *file)
{
	struct drm_fault_buffer *buffer;
	unsigned long handle;

	xa_for_each(&file->buffers, handle, buffer) {
		vfree(buffer->data);
		kfree(buffer);
	}
	xa_destroy(&file->buffers);
}
