// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdio.h>

#include "hooks.h"

__u64 hooks_buffer(struct hooks *hooks, __u64 size)
{
	struct drm_fault_call_buffer buffer = { .size = size };

	if (hooks->buffer_count == HOOKS_BUFFERS ||
	    road_call(hooks->call, DRM_FAULT_CALL_BUFFER_ALLOC, &buffer))
		return 0;
	hooks->buffers[hooks->buffer_count++] = buffer;
	return buffer.address;
}

static int copy(struct hooks *hooks, unsigned long call, __u64 address, const void *data,
		size_t size)
{
	const struct drm_fault_call_buffer *buffer = hooks->buffers;
	struct drm_fault_call_copy args = { .size = size, .ptr = (uintptr_t)data };

	for (; buffer < hooks->buffers + hooks->buffer_count; buffer++) {
		if (address < buffer->address || address >= buffer->address + buffer->size)
			continue;
		args.handle = buffer->handle;
		args.offset = address - buffer->address;
		return road_call(hooks->call, call, &args);
	}
	return -EFAULT;
}

int hooks_write(struct hooks *hooks, __u64 address, const void *data, size_t size)
{
	return copy(hooks, DRM_FAULT_CALL_BUFFER_WRITE, address, data, size);
}

int hooks_read(struct hooks *hooks, __u64 address, void *data, size_t size)
{
	return copy(hooks, DRM_FAULT_CALL_BUFFER_READ, address, data, size);
}

int hooks_fields(struct hooks *hooks, const char *module,
		 struct drm_fault_call_field *fields, unsigned int count)
{
	struct drm_fault_call_fields args = {
		.count = count,
		.fields_ptr = (uintptr_t)fields,
	};
	unsigned int i;
	int ret;

	snprintf(args.module, sizeof(args.module), "%s", module);
	ret = road_call(hooks->call, DRM_FAULT_CALL_FIELDS, &args);
	for (i = 0; !ret && i < count; i++) {
		if (fields[i].offset < 0) {
			fprintf(stderr, "# struct %s has no %s of %u bytes\n",
				fields[i].type, fields[i].path, fields[i].size);
			ret = fields[i].offset;
		}
	}
	return ret;
}

int hooks_set(struct hooks *hooks, __u64 base, const struct drm_fault_call_field *field,
	      __u64 value)
{
	if (field->offset < 0 || !field->size || field->size > sizeof(value))
		return -EINVAL;
	/* Little-endian, as the machines that have these drivers. */
	return hooks_write(hooks, base + field->offset, &value, field->size);
}
