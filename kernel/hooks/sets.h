/* SPDX-License-Identifier: GPL-2.0-only */
/* The sets of hooks, one file of this folder each. */
#ifndef _DRM_FAULT_HOOK_SETS_H_
#define _DRM_FAULT_HOOK_SETS_H_

#include <drm/drm_fault.h>

extern struct drm_fault_hooks *const drm_fault_hook_sets[];
extern const unsigned int drm_fault_hook_set_count;

extern struct drm_fault_hooks drm_fault_amdgpu_hooks;
extern struct drm_fault_hooks drm_fault_dump_hooks;
extern struct drm_fault_hooks drm_fault_i915_hooks;
extern struct drm_fault_hooks drm_fault_iommu_hooks;
extern struct drm_fault_hooks drm_fault_nouveau_hooks;
extern struct drm_fault_hooks drm_fault_sched_hooks;
extern struct drm_fault_hooks drm_fault_sim_hooks;
extern struct drm_fault_hooks drm_fault_wedged_hooks;
extern struct drm_fault_hooks drm_fault_xe_hooks;

#endif /* _DRM_FAULT_HOOK_SETS_H_ */
