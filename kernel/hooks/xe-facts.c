// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways through xe's structures: nothing is followed that is not looked at with
 * care, since the driver does not hold still for us.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>

#include "xe.h"

/* An array by 32-bit numbers is no deeper, and nobody has more in it. */
#define XE_ARRAY_LEVELS	6
#define XE_ARRAY_STEPS	4096

static const struct {
	u32 engine_class;
	const char *name;
} xe_engines[] = {
	{ DRM_FAULT_ENGINE_RENDER, "rcs" },
	{ DRM_FAULT_ENGINE_VIDEO_DECODE, "vcs" },
	{ DRM_FAULT_ENGINE_VIDEO_ENHANCE, "vecs" },
	{ DRM_FAULT_ENGINE_COPY, "bcs" },
	{ DRM_FAULT_ENGINE_OTHER, "gsccs" },
	{ DRM_FAULT_ENGINE_COMPUTE, "ccs" },
};

/*
 * What is at an index, NULL if it is nothing. Then the next @shift bits of indices
 * have nothing either; BITS_PER_LONG: none has, from here on.
 */
static const void *xe_array_descend(const struct xarray *array, unsigned long index,
				    unsigned int *shift)
{
	const struct xa_node *node;
	unsigned int level;
	unsigned char bits;
	void *entry;

	*shift = BITS_PER_LONG;
	if (!drm_fault_peek(&entry, &array->xa_head, sizeof(entry)))
		return NULL;
	if (!xa_is_node(entry))
		return index || xa_is_internal(entry) || xa_is_value(entry) ? NULL : entry;
	for (level = 0; level < XE_ARRAY_LEVELS && xa_is_node(entry); level++) {
		node = xa_to_node(entry);
		if (!drm_fault_peek(&bits, &node->shift, sizeof(bits)) ||
		    bits >= BITS_PER_LONG || (!level && index >> bits >= XA_CHUNK_SIZE) ||
		    !drm_fault_peek(&entry, &node->slots[(index >> bits) & XA_CHUNK_MASK],
				    sizeof(entry))) {
			*shift = BITS_PER_LONG;
			return NULL;
		}
		*shift = bits;
	}
	return xa_is_internal(entry) || xa_is_value(entry) ? NULL : entry;
}

/**
 * drm_fault_xe_array_load - look a number up in an array that others may be changing
 * @base: the structure with the array, can be NULL
 * @field: the array
 * @index: the number
 *
 * Context: Any but NMI.
 * Return: the pointer there, NULL if there is none
 */
const void *drm_fault_xe_array_load(const void *base, enum xe_field field, unsigned long index)
{
	int offset = READ_ONCE(drm_fault_xe_fields[field].offset);
	unsigned int shift;

	return base && offset >= 0 ? xe_array_descend(base + offset, index, &shift) : NULL;
}

/**
 * drm_fault_xe_array_find - find a pointer in an array that others may be changing
 * @base: the structure with the array, can be NULL
 * @field: the array
 * @index: in: the first number to look at, out: where the pointer was
 *
 * Context: Any but NMI.
 * Return: the pointer, NULL if there is none
 */
const void *drm_fault_xe_array_find(const void *base, enum xe_field field, unsigned long *index)
{
	int offset = READ_ONCE(drm_fault_xe_fields[field].offset);
	unsigned int steps, shift;
	unsigned long next;
	const void *entry;

	if (!base || offset < 0)
		return NULL;
	for (steps = 0; steps < XE_ARRAY_STEPS; steps++) {
		entry = xe_array_descend(base + offset, *index, &shift);
		if (entry)
			return entry;
		if (shift >= BITS_PER_LONG)
			return NULL;
		next = ((*index >> shift) + 1) << shift;
		if (next <= *index)
			return NULL;
		*index = next;
	}
	return NULL;
}

/**
 * drm_fault_xe_device_of_gt - whose GT is it?
 * @gt: struct xe_gt, can be NULL
 *
 * Context: Any but NMI.
 * Return: the struct xe_device or NULL
 */
const void *drm_fault_xe_device_of_gt(const void *gt)
{
	return xe_pointer(xe_pointer(gt, XE_GT_TILE), XE_TILE_DEVICE);
}

/**
 * drm_fault_xe_device_of_guc - whose GuC is it?
 * @guc: struct xe_guc, can be NULL
 *
 * Context: Any but NMI.
 * Return: the struct xe_device or NULL
 */
const void *drm_fault_xe_device_of_guc(const void *guc)
{
	return drm_fault_xe_device_of_gt(xe_container(guc, XE_GT_GUC));
}

/**
 * drm_fault_xe_reporter - find the reporter of a GPU
 * @device: struct xe_device, can be NULL
 *
 * Context: Any but NMI, under RCU, as probes are; the reporter is valid as long.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_xe_reporter(const void *device)
{
	int offset = READ_ONCE(drm_fault_xe_fields[XE_DEVICE_DRM].offset);
	const struct drm_device *drm = device + offset;
	const struct device *dev;

	if (!device || offset < 0 || !drm_fault_peek(&dev, &drm->dev, sizeof(dev)))
		return NULL;
	return drm_fault_reporter_of_device(dev);
}

/**
 * drm_fault_xe_engine - say which engine it was
 * @event: of what happened there
 * @name: where the name goes, for as long as @event is used
 * @engine_class: enum xe_engine_class
 * @instance: its number in the class, negative: any of them
 *
 * Context: Any.
 */
void drm_fault_xe_engine(struct drm_fault_event *event, char name[DRM_FAULT_ENGINE_LEN],
			 u32 engine_class, int instance)
{
	if (engine_class >= ARRAY_SIZE(xe_engines))
		return;
	event->engine_class = xe_engines[engine_class].engine_class;
	event->engine_instance = max(instance, 0);
	if (instance < 0)
		strscpy(name, xe_engines[engine_class].name, DRM_FAULT_ENGINE_LEN);
	else
		snprintf(name, DRM_FAULT_ENGINE_LEN, "%s%d", xe_engines[engine_class].name,
			 instance);
	event->engine = name;
}
