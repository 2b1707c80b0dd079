// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_fault.h>

#include "private.h"

static void fields_fill(struct drm_fault_field *fields,
			struct drm_fault_call_field *asked, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		asked[i].type[sizeof(asked[i].type) - 1] = '\0';
		asked[i].path[sizeof(asked[i].path) - 1] = '\0';
		fields[i] = (struct drm_fault_field){
			.type = asked[i].type,
			.path = asked[i].path[0] ? asked[i].path : NULL,
			.size = asked[i].size,
		};
	}
}

/* Found at run time: this module is there before drm_fault.ko. */
static int fields_resolve(const char *module, struct drm_fault_field *fields,
			  struct drm_fault_call_field *asked, u32 count)
{
	typeof(drm_fault_fields_resolve) *resolve = symbol_get(drm_fault_fields_resolve);
	u32 i;

	if (!resolve)
		return -ENOENT;
	/* Each has its own error. */
	resolve(module, fields, count);
	symbol_put(drm_fault_fields_resolve);
	for (i = 0; i < count; i++)
		asked[i].offset = fields[i].offset;
	return 0;
}

int drm_fault_call_fields(const struct drm_fault_call_fields *args)
{
	struct drm_fault_call_field __user *user = u64_to_user_ptr(args->fields_ptr);
	struct drm_fault_call_field *asked;
	struct drm_fault_field *fields;
	int ret = -ENOMEM;

	if (!args->count || args->count > DRM_FAULT_CALL_FIELDS_MAX || args->pad ||
	    strnlen(args->module, sizeof(args->module)) == sizeof(args->module))
		return -EINVAL;
	asked = kvcalloc(args->count, sizeof(*asked), GFP_KERNEL);
	fields = kvcalloc(args->count, sizeof(*fields), GFP_KERNEL);
	if (!asked || !fields)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(asked, user, args->count * sizeof(*asked)))
		goto out;
	fields_fill(fields, asked, args->count);
	ret = fields_resolve(args->module, fields, asked, args->count);
	if (!ret && copy_to_user(user, asked, args->count * sizeof(*asked)))
		ret = -EFAULT;
out:
	kvfree(fields);
	kvfree(asked);
	return ret;
}
