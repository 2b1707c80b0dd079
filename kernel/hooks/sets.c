// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>

#include "sets.h"

struct drm_fault_hooks *const drm_fault_hook_sets[] = {
	&drm_fault_amdgpu_hooks,
	&drm_fault_dump_hooks,
	&drm_fault_i915_hooks,
	&drm_fault_iommu_hooks,
	&drm_fault_nouveau_hooks,
	&drm_fault_sched_hooks,
	&drm_fault_sim_hooks,
	&drm_fault_wedged_hooks,
	&drm_fault_xe_hooks,
};

const unsigned int drm_fault_hook_set_count = ARRAY_SIZE(drm_fault_hook_sets);
