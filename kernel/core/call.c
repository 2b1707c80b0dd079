// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "core.h"

/*
 * Structures grow at their end. What that means for a caller that is older or
 * newer than this module is decided here for all calls.
 */

/**
 * drm_fault_call_reply - give the structure back to the caller
 * @call: the call
 *
 * Context: Process, may sleep.
 * Return: 0 or -EFAULT
 */
int drm_fault_call_reply(const struct drm_fault_call *call)
{
	u32 size = min(call->user_size, call->size);

	*(u32 *)call->data = call->size;
	return copy_to_user(call->arg, call->data, size) ? -EFAULT : 0;
}

/**
 * drm_fault_call - serve an ioctl from a table
 * @ops: the table
 * @count: its length
 * @file: on which it is called
 * @cmd: the number
 * @arg: address of the caller's structure
 *
 * Context: Process, may sleep.
 * Return: 0; -ENOTTY, -EINVAL, -E2BIG, -EFAULT, or what the call returns
 */
long drm_fault_call(const struct drm_fault_call_op *ops, unsigned int count,
		    struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct drm_fault_call_op *op = ops, *end = ops + count;
	u8 data[DRM_FAULT_CALL_MAX] __aligned(8) = {};
	struct drm_fault_call call = {
		.file = file,
		.arg = (void __user *)arg,
		.data = data,
	};
	int ret;

	while (op < end && op->cmd != cmd)
		op++;
	if (op == end)
		return -ENOTTY;
	if (WARN_ON_ONCE(op->size > sizeof(data)))
		return -ENOTTY;

	if (get_user(call.user_size, (u32 __user *)call.arg))
		return -EFAULT;
	if (call.user_size < op->min_size)
		return -EINVAL;
	if (call.user_size > PAGE_SIZE)
		return -E2BIG;
	ret = copy_struct_from_user(data, op->size, call.arg, call.user_size);
	if (ret)
		return ret;

	call.size = op->size;
	ret = op->run(&call);
	if (ret || op->replies)
		return ret;
	return drm_fault_call_reply(&call);
}
