/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of i915's hooks share. */
#ifndef _DRM_FAULT_HOOKS_I915_H_
#define _DRM_FAULT_HOOKS_I915_H_

#include <drm/drm_fault.h>

/* Members of the driver's structures, in drm_fault_i915_fields. */
enum drm_fault_i915_field {
	DRM_FAULT_I915_DRM,
	DRM_FAULT_I915_ERROR_I915,
	DRM_FAULT_I915_ERROR_GT,
	DRM_FAULT_I915_ERROR_SIMULATED,
	DRM_FAULT_I915_ERROR_VERSION,
	DRM_FAULT_I915_STATE_DATA0,
	DRM_FAULT_I915_STATE_DATA1,
	DRM_FAULT_I915_STATE_ENGINE,
	DRM_FAULT_I915_STATE_NEXT,
	DRM_FAULT_I915_ENGINE_ENGINE,
	DRM_FAULT_I915_ENGINE_HUNG,
	DRM_FAULT_I915_ENGINE_FAULT,
	DRM_FAULT_I915_ENGINE_ACTHD,
	DRM_FAULT_I915_ENGINE_BBADDR,
	DRM_FAULT_I915_ENGINE_IPEHR,
	DRM_FAULT_I915_ENGINE_PID,
	DRM_FAULT_I915_ENGINE_GUILTY,
	DRM_FAULT_I915_ENGINE_RQ_HEAD,
	DRM_FAULT_I915_ENGINE_RQ_POST,
	DRM_FAULT_I915_ENGINE_RQ_TAIL,
	DRM_FAULT_I915_ENGINE_GUC,
	DRM_FAULT_I915_ENGINE_NEXT,
	DRM_FAULT_I915_CS_NAME,
	DRM_FAULT_I915_CS_CLASS,
	DRM_FAULT_I915_CS_INSTANCE,
	DRM_FAULT_I915_GT_I915,
	DRM_FAULT_I915_GT_ENGINES,
	DRM_FAULT_I915_GT_MASK,
	DRM_FAULT_I915_RQ_I915,
	DRM_FAULT_I915_RQ_CONTEXT,
	DRM_FAULT_I915_RQ_HEAD,
	DRM_FAULT_I915_RQ_POST,
	DRM_FAULT_I915_RQ_TAIL,
	DRM_FAULT_I915_RQ_FENCE_CONTEXT,
	DRM_FAULT_I915_RQ_FENCE_SEQNO,
	DRM_FAULT_I915_CE_GEM,
	DRM_FAULT_I915_GEM_FILE,
	DRM_FAULT_I915_FILE_DRM,
	DRM_FAULT_I915_GUC_LISTS,
	DRM_FAULT_I915_GUC_LIST,
	DRM_FAULT_I915_GUC_LIST_COUNT,
	DRM_FAULT_I915_GUC_LIST_REGS,
	DRM_FAULT_I915_GUC_REG,
	DRM_FAULT_I915_GUC_REG_OFFSET,
	DRM_FAULT_I915_GUC_REG_VALUE,
	DRM_FAULT_I915_FIELDS,
};

extern struct drm_fault_field drm_fault_i915_fields[DRM_FAULT_I915_FIELDS];

static inline bool drm_fault_i915_peek(void *to, const void *base,
				       enum drm_fault_i915_field field)
{
	return drm_fault_field_peek(to, base, &drm_fault_i915_fields[field]);
}

/* Where a member is, or the size of a structure; negative: not known. */
static inline int drm_fault_i915_offset(enum drm_fault_i915_field field)
{
	return READ_ONCE(drm_fault_i915_fields[field].offset);
}

struct drm_fault_reporter *drm_fault_i915_reporter(const void *i915);

#define DRM_FAULT_I915_VALID		0x1
/* Words of struct i915_request that also are in the error state. */
#define DRM_FAULT_I915_POSITIONS	3

/**
 * struct drm_fault_i915_engine - an engine, as the error state has it
 * @state: struct intel_engine_coredump, compared only
 * @name: the driver's name of it
 * @class: as the driver counts them
 * @instance: number in the class
 * @hung: it is one of those for which the state was captured
 * @fault: FAULT_REG
 * @data0: FAULT_TLB_DATA0, from gen8 on
 * @data1: FAULT_TLB_DATA1
 * @ipehr: instruction that was parsed last
 * @acthd: where the command streamer was
 * @bbaddr: where it was in the batch
 * @pid: thread that made the GEM context, 0: it has ended
 * @guilty: how often that context was guilty before
 * @position: where the request lies in the ring
 */
struct drm_fault_i915_engine {
	const void *state;
	char name[9];
	u8 class;
	u8 instance;
	bool hung;
	u32 fault;
	u32 data0;
	u32 data1;
	u32 ipehr;
	u64 acthd;
	u64 bbaddr;
	u32 pid;
	u32 guilty;
	u32 position[DRM_FAULT_I915_POSITIONS];
};

bool drm_fault_i915_cs_read(struct drm_fault_i915_engine *engine, const void *cs);
bool drm_fault_i915_engine_read(struct drm_fault_i915_engine *engine, const void *gt,
				const void *state);
u32 drm_fault_i915_class(u8 class);

bool drm_fault_i915_request_captured(struct drm_fault_hook_hit *hit);
bool drm_fault_i915_context_created(struct drm_fault_hook_hit *hit);
void drm_fault_i915_opened(struct drm_fault_reporter *reporter,
			   struct drm_fault_client *client, const struct drm_file *file);
void drm_fault_i915_own(struct drm_fault_reporter *reporter,
			const struct drm_fault_i915_engine *engine,
			struct drm_fault_event *event);

#endif /* _DRM_FAULT_HOOKS_I915_H_ */
