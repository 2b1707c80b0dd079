// SPDX-License-Identifier: GPL-2.0-only
/*
 * What i915's error state says of an engine. The driver read the registers itself,
 * or the firmware that schedules did (GuC), then they are in lists of that.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "i915.h"

/* Lists of a capture by the GuC: global, of the class, of the engine. */
#define I915_GUC_LISTS		3
#define I915_GUC_REGISTERS	256

static const u32 i915_classes[] = {
	DRM_FAULT_ENGINE_RENDER,
	DRM_FAULT_ENGINE_VIDEO_DECODE,
	DRM_FAULT_ENGINE_VIDEO_ENHANCE,
	DRM_FAULT_ENGINE_COPY,
	DRM_FAULT_ENGINE_OTHER,
	DRM_FAULT_ENGINE_COMPUTE,
};

/* Those of engines as offsets in their block. */
static const struct {
	u32 offset;
	size_t to;
} i915_guc_registers[] = {
	{ 0xcec4, offsetof(struct drm_fault_i915_engine, fault) },
	{ 0xceb8, offsetof(struct drm_fault_i915_engine, data0) },
	{ 0xcebc, offsetof(struct drm_fault_i915_engine, data1) },
	{ 0x4b10, offsetof(struct drm_fault_i915_engine, data0) },
	{ 0x4b14, offsetof(struct drm_fault_i915_engine, data1) },
	{ 0x68, offsetof(struct drm_fault_i915_engine, ipehr) },
	{ 0x74, offsetof(struct drm_fault_i915_engine, acthd) },
	{ 0x5c, offsetof(struct drm_fault_i915_engine, acthd) + sizeof(u32) },
	{ 0x140, offsetof(struct drm_fault_i915_engine, bbaddr) },
	{ 0x168, offsetof(struct drm_fault_i915_engine, bbaddr) + sizeof(u32) },
};

/**
 * drm_fault_i915_class - class of an engine
 * @class: as the driver counts them
 *
 * Context: Any.
 * Return: enum drm_fault_engine_class
 */
u32 drm_fault_i915_class(u8 class)
{
	return class < ARRAY_SIZE(i915_classes) ? i915_classes[class] :
	       DRM_FAULT_ENGINE_OTHER;
}

/**
 * drm_fault_i915_cs_read - which engine it is
 * @engine: returns its name, class and instance
 * @cs: struct intel_engine_cs
 *
 * Context: In a handler.
 * Return: false if nothing can be told
 */
bool drm_fault_i915_cs_read(struct drm_fault_i915_engine *engine, const void *cs)
{
	return drm_fault_i915_peek(engine->name, cs, DRM_FAULT_I915_CS_NAME) &&
	       drm_fault_i915_peek(&engine->class, cs, DRM_FAULT_I915_CS_CLASS) &&
	       drm_fault_i915_peek(&engine->instance, cs, DRM_FAULT_I915_CS_INSTANCE);
}

static void i915_guc_register(struct drm_fault_i915_engine *engine, const void *entry)
{
	u32 offset, value;
	unsigned int i;

	if (!drm_fault_i915_peek(&offset, entry, DRM_FAULT_I915_GUC_REG_OFFSET) ||
	    !drm_fault_i915_peek(&value, entry, DRM_FAULT_I915_GUC_REG_VALUE))
		return;
	for (i = 0; i < ARRAY_SIZE(i915_guc_registers); i++)
		if (i915_guc_registers[i].offset == offset)
			memcpy((void *)engine + i915_guc_registers[i].to, &value, sizeof(value));
}

static void i915_guc_read(struct drm_fault_i915_engine *engine, const void *node)
{
	int lists = drm_fault_i915_offset(DRM_FAULT_I915_GUC_LISTS);
	int list_size = drm_fault_i915_offset(DRM_FAULT_I915_GUC_LIST);
	int register_size = drm_fault_i915_offset(DRM_FAULT_I915_GUC_REG);
	const void *list, *registers;
	u32 count, i, j;

	if (lists < 0 || list_size <= 0 || register_size <= 0)
		return;
	for (i = 0; i < I915_GUC_LISTS; i++) {
		list = node + lists + i * list_size;
		if (!drm_fault_i915_peek(&count, list, DRM_FAULT_I915_GUC_LIST_COUNT) ||
		    !drm_fault_i915_peek(&registers, list, DRM_FAULT_I915_GUC_LIST_REGS) ||
		    !registers)
			continue;
		for (j = 0; j < min_t(u32, count, I915_GUC_REGISTERS); j++)
			i915_guc_register(engine, registers + j * register_size);
	}
}

/**
 * drm_fault_i915_engine_read - read the state of an engine
 * @engine: returns it
 * @gt: struct intel_gt_coredump
 * @state: struct intel_engine_coredump
 *
 * Context: In a handler.
 * Return: false if nothing can be told
 */
bool drm_fault_i915_engine_read(struct drm_fault_i915_engine *engine, const void *gt,
				const void *state)
{
	const void *cs, *node;

	*engine = (struct drm_fault_i915_engine){ .state = state };
	if (!drm_fault_i915_peek(&cs, state, DRM_FAULT_I915_ENGINE_ENGINE) ||
	    !drm_fault_i915_cs_read(engine, cs) ||
	    !drm_fault_i915_peek(&engine->hung, state, DRM_FAULT_I915_ENGINE_HUNG) ||
	    !drm_fault_i915_peek(&engine->fault, state, DRM_FAULT_I915_ENGINE_FAULT) ||
	    !drm_fault_i915_peek(&engine->data0, gt, DRM_FAULT_I915_STATE_DATA0) ||
	    !drm_fault_i915_peek(&engine->data1, gt, DRM_FAULT_I915_STATE_DATA1))
		return false;
	drm_fault_i915_peek(&engine->ipehr, state, DRM_FAULT_I915_ENGINE_IPEHR);
	drm_fault_i915_peek(&engine->acthd, state, DRM_FAULT_I915_ENGINE_ACTHD);
	drm_fault_i915_peek(&engine->bbaddr, state, DRM_FAULT_I915_ENGINE_BBADDR);
	drm_fault_i915_peek(&engine->pid, state, DRM_FAULT_I915_ENGINE_PID);
	drm_fault_i915_peek(&engine->guilty, state, DRM_FAULT_I915_ENGINE_GUILTY);
	drm_fault_i915_peek(&engine->position[0], state, DRM_FAULT_I915_ENGINE_RQ_HEAD);
	drm_fault_i915_peek(&engine->position[1], state, DRM_FAULT_I915_ENGINE_RQ_POST);
	drm_fault_i915_peek(&engine->position[2], state, DRM_FAULT_I915_ENGINE_RQ_TAIL);
	if (drm_fault_i915_peek(&node, state, DRM_FAULT_I915_ENGINE_GUC) && node)
		i915_guc_read(engine, node);
	return true;
}
