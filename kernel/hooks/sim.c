// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for the GPU in software when it does not report itself (report=0). It is
 * built from the same tree, so its structures are known here; those of other
 * drivers are &struct drm_fault_field.
 */
#include <linux/err.h>
#include <linux/kernel.h>

#include <drm/drm_file.h>

#include "../sim/sim.h"
#include "sets.h"

static const u32 sim_fault_types[] = {
	[DRM_FAULT_SIM_CAUSE_NOT_PRESENT] = DRM_FAULT_TYPE_NOT_PRESENT,
	[DRM_FAULT_SIM_CAUSE_PERMISSION] = DRM_FAULT_TYPE_PERMISSION,
	[DRM_FAULT_SIM_CAUSE_INSTRUCTION] = DRM_FAULT_TYPE_INVALID_FORMAT,
	[DRM_FAULT_SIM_CAUSE_ALIGNMENT] = DRM_FAULT_TYPE_OTHER,
};

static const struct {
	u32 engine_class;
	const char *name;
} sim_rings[DRM_FAULT_SIM_RINGS] = {
	{ DRM_FAULT_ENGINE_COMPUTE, "ring0" },
	{ DRM_FAULT_ENGINE_COPY, "ring1" },
};

static struct drm_fault_event sim_event(const struct drm_fault_sim_fault *fault, u32 ring)
{
	struct drm_fault_event event = {
		.key = fault->vm,
		.ip = fault->ip,
		.ip_precision = sizeof(fault->word),
		.ip_type = DRM_FAULT_IP_UNKNOWN,
		.vmid = fault->vm,
		.raw_format = DRM_FAULT_RAW_SIM,
		.raw_count = 2,
		.raw = { fault->status, fault->word },
		.job_context = fault->job_context,
		.job_seqno = fault->job_seqno,
	};

	if (ring < ARRAY_SIZE(sim_rings)) {
		event.engine_class = sim_rings[ring].engine_class;
		event.engine = sim_rings[ring].name;
	}
	return event;
}

static struct drm_fault_reporter *sim_reporter(const struct drm_fault_sim_device *sim)
{
	struct device *dev;

	return drm_fault_peek(&dev, &sim->drm.dev, sizeof(dev)) ?
	       drm_fault_reporter_of_device(dev) : NULL;
}

static bool sim_page_fault(struct drm_fault_hook_hit *hit)
{
	const struct drm_fault_sim_device *sim = (void *)drm_fault_hook_arg(hit, 0);
	const void *registers = (void *)drm_fault_hook_arg(hit, 1);
	struct drm_fault_sim_fault fault;
	struct drm_fault_event event;
	u32 cause;

	if (!drm_fault_peek(&fault, registers, sizeof(fault))) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	event = sim_event(&fault, DRM_FAULT_SIM_STATUS_RING(fault.status));
	cause = DRM_FAULT_SIM_STATUS_CAUSE(fault.status);
	event.access = DRM_FAULT_SIM_STATUS_ACCESS(fault.status);
	event.fault_type = cause < ARRAY_SIZE(sim_fault_types) ? sim_fault_types[cause] :
			   DRM_FAULT_TYPE_OTHER;
	event.level = DRM_FAULT_SIM_STATUS_LEVEL(fault.status);
	event.address = fault.address;
	event.address_precision = DRM_FAULT_SIM_STATUS_SIZE(fault.status);
	event.ip_type = DRM_FAULT_IP_FAULT;
	if (event.access == DRM_FAULT_ACCESS_EXECUTE &&
	    cause != DRM_FAULT_SIM_CAUSE_INSTRUCTION)
		event.ip_type = DRM_FAULT_IP_INVALID;
	if (!DRM_FAULT_SIM_STATUS_NONFATAL(fault.status))
		event.flags = DRM_FAULT_RECORD_F_FATAL;
	drm_fault_hook_report(hit->hook, sim_reporter(sim), &event);
	return true;
}

static bool sim_hang(struct drm_fault_hook_hit *hit)
{
	const struct drm_fault_sim_ring *ring = (void *)drm_fault_hook_arg(hit, 0);
	struct drm_fault_reporter *reporter;
	struct drm_fault_sim_device *sim;
	struct drm_fault_sim_fault fault;
	struct drm_fault_event event;
	u32 index;

	if (!drm_fault_peek(&fault, &ring->fault, sizeof(fault)) ||
	    !drm_fault_peek(&index, &ring->index, sizeof(index)) ||
	    !drm_fault_peek(&sim, &ring->sim, sizeof(sim)))
		return true;
	reporter = sim_reporter(sim);
	if (!reporter)
		return true;
	event = sim_event(&fault, index);
	event.flags = DRM_FAULT_RECORD_F_GUILTY;
	drm_fault_note_timeout(reporter, &event);
	event.flags |= DRM_FAULT_RECORD_F_FATAL;
	drm_fault_note_reset(reporter, &event);
	return true;
}

static void sim_opened(struct drm_fault_reporter *reporter, struct drm_fault_client *client,
		       const struct drm_file *drm_file)
{
	const struct drm_fault_sim_file *file = drm_file->driver_priv;
	struct drm_fault_context_args args = { .client = client, .atomic = true };
	u32 vm_id;

	if (!drm_fault_peek(&vm_id, &file->vm_id, sizeof(vm_id)))
		return;
	args.key = vm_id;
	drm_fault_context_create(reporter, &args);
}

static struct drm_fault_hook sim_hooks[] = {
	{
		.symbol = "drm_fault_sim_page_fault",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT | DRM_FAULT_PROVIDES_IP,
		.prototype =
			"void (struct drm_fault_sim_device *, const struct drm_fault_sim_fault *)",
		.enter = sim_page_fault,
	}, {
		.symbol = "drm_fault_sim_hang",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "void (struct drm_fault_sim_ring *)",
		.enter = sim_hang,
	},
};

struct drm_fault_hooks drm_fault_sim_hooks = {
	.name = DRM_FAULT_SIM_NAME,
	.driver = DRM_FAULT_SIM_NAME,
	.module = "drm_fault_sim",
	.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
	.hooks = sim_hooks,
	.hook_count = ARRAY_SIZE(sim_hooks),
	.opened = sim_opened,
};
