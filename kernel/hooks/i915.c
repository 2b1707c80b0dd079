// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for i915. Its GPUs raise no interrupt for a fault: they keep the first one
 * in registers until the driver looks there, which it does when an engine hangs.
 * Then it captures the state of the engines, and hands it to one function.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kernel.h>

#include "i915.h"
#include "sets.h"

#define I915_PAGE		4096
#define I915_GTS		8
#define I915_ENGINES		64

/* From gen8 on all engines of a GT share the register. */
#define I915_SHARED_VERSION	8
/* From gen11 on nothing public says how its engines are counted. */
#define I915_UNNAMED_VERSION	11
/* gen6 has no type of a fault. */
#define I915_TYPED_VERSION	7

#define I915_FAULT_TYPE(fault)		((fault) >> 1 & 0x3)
#define I915_FAULT_ENGINE(fault)	((fault) >> 12 & 0x7)
#define I915_FAULT_ADDRESS(fault)	((fault) & ~0xfffU)
#define I915_DATA_ADDRESS(data0, data1) \
	((u64)((data1) & 0xf) << 44 | (u64)(data0) << 12)

/* Who is meant by the number in the register of gen8 to gen10. */
static const struct {
	u8 class;
	u8 instance;
} i915_fault_engines[] = {
	{ 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 0 }, { 3, 0 },
};

struct drm_fault_field drm_fault_i915_fields[DRM_FAULT_I915_FIELDS] = {
	[DRM_FAULT_I915_DRM] = { "drm_i915_private", "drm" },
	[DRM_FAULT_I915_ERROR_I915] = { "i915_gpu_coredump", "i915", sizeof(void *) },
	[DRM_FAULT_I915_ERROR_GT] = { "i915_gpu_coredump", "gt", sizeof(void *) },
	[DRM_FAULT_I915_ERROR_SIMULATED] = { "i915_gpu_coredump", "simulated", sizeof(bool) },
	[DRM_FAULT_I915_ERROR_VERSION] = { "i915_gpu_coredump", "runtime_info.graphics.ip.ver",
					   sizeof(u8) },
	[DRM_FAULT_I915_STATE_DATA0] = { "intel_gt_coredump", "fault_data0", sizeof(u32) },
	[DRM_FAULT_I915_STATE_DATA1] = { "intel_gt_coredump", "fault_data1", sizeof(u32) },
	[DRM_FAULT_I915_STATE_ENGINE] = { "intel_gt_coredump", "engine", sizeof(void *) },
	[DRM_FAULT_I915_STATE_NEXT] = { "intel_gt_coredump", "next", sizeof(void *) },
	[DRM_FAULT_I915_ENGINE_ENGINE] = { "intel_engine_coredump", "engine", sizeof(void *) },
	[DRM_FAULT_I915_ENGINE_HUNG] = { "intel_engine_coredump", "hung", sizeof(bool) },
	[DRM_FAULT_I915_ENGINE_FAULT] = { "intel_engine_coredump", "fault_reg", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_ACTHD] = { "intel_engine_coredump", "acthd", sizeof(u64) },
	[DRM_FAULT_I915_ENGINE_BBADDR] = { "intel_engine_coredump", "bbaddr", sizeof(u64) },
	[DRM_FAULT_I915_ENGINE_IPEHR] = { "intel_engine_coredump", "ipehr", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_PID] = { "intel_engine_coredump", "context.pid", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_GUILTY] = { "intel_engine_coredump", "context.guilty",
					   sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_RQ_HEAD] = { "intel_engine_coredump", "rq_head", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_RQ_POST] = { "intel_engine_coredump", "rq_post", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_RQ_TAIL] = { "intel_engine_coredump", "rq_tail", sizeof(u32) },
	[DRM_FAULT_I915_ENGINE_GUC] = { "intel_engine_coredump", "guc_capture_node",
					sizeof(void *) },
	[DRM_FAULT_I915_ENGINE_NEXT] = { "intel_engine_coredump", "next", sizeof(void *) },
	[DRM_FAULT_I915_CS_NAME] = { "intel_engine_cs", "name",
				     sizeof_field(struct drm_fault_i915_engine, name) - 1 },
	[DRM_FAULT_I915_CS_CLASS] = { "intel_engine_cs", "class", sizeof(u8) },
	[DRM_FAULT_I915_CS_INSTANCE] = { "intel_engine_cs", "instance", sizeof(u8) },
	[DRM_FAULT_I915_GT_I915] = { "intel_gt", "i915", sizeof(void *) },
	[DRM_FAULT_I915_GT_ENGINES] = { "intel_gt", "engine" },
	[DRM_FAULT_I915_GT_MASK] = { "intel_gt", "info.engine_mask", sizeof(u32) },
	[DRM_FAULT_I915_RQ_I915] = { "i915_request", "i915", sizeof(void *) },
	[DRM_FAULT_I915_RQ_CONTEXT] = { "i915_request", "context", sizeof(void *) },
	[DRM_FAULT_I915_RQ_HEAD] = { "i915_request", "head", sizeof(u32) },
	[DRM_FAULT_I915_RQ_POST] = { "i915_request", "postfix", sizeof(u32) },
	[DRM_FAULT_I915_RQ_TAIL] = { "i915_request", "tail", sizeof(u32) },
	[DRM_FAULT_I915_RQ_FENCE_CONTEXT] = { "i915_request", "fence.context", sizeof(u64) },
	[DRM_FAULT_I915_RQ_FENCE_SEQNO] = { "i915_request", "fence.seqno", sizeof(u64) },
	[DRM_FAULT_I915_CE_GEM] = { "intel_context", "gem_context", sizeof(void *) },
	[DRM_FAULT_I915_GEM_FILE] = { "i915_gem_context", "file_priv", sizeof(void *) },
	[DRM_FAULT_I915_FILE_DRM] = { "drm_i915_file_private", "file", sizeof(void *) },
	[DRM_FAULT_I915_GUC_LISTS] = { "__guc_capture_parsed_output", "reginfo" },
	[DRM_FAULT_I915_GUC_LIST] = { "gcap_reg_list_info", NULL },
	[DRM_FAULT_I915_GUC_LIST_COUNT] = { "gcap_reg_list_info", "num_regs", sizeof(u32) },
	[DRM_FAULT_I915_GUC_LIST_REGS] = { "gcap_reg_list_info", "regs", sizeof(void *) },
	[DRM_FAULT_I915_GUC_REG] = { "guc_mmio_reg", NULL },
	[DRM_FAULT_I915_GUC_REG_OFFSET] = { "guc_mmio_reg", "offset", sizeof(u32) },
	[DRM_FAULT_I915_GUC_REG_VALUE] = { "guc_mmio_reg", "value", sizeof(u32) },
};

/**
 * struct i915_walk - through the engines of a GT
 * @hook: that saw the state
 * @reporter: the GPU
 * @gt: struct intel_gt_coredump
 * @version: generation of the GPU
 * @count: engines that had something to do
 * @told: the fault in the shared register is reported
 */
struct i915_walk {
	const struct drm_fault_hook *hook;
	struct drm_fault_reporter *reporter;
	const void *gt;
	u8 version;
	unsigned int count;
	bool told;
};

/**
 * drm_fault_i915_reporter - find the reporter of a GPU
 * @i915: struct drm_i915_private
 *
 * Context: In a handler.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_i915_reporter(const void *i915)
{
	int offset = drm_fault_i915_offset(DRM_FAULT_I915_DRM);

	return offset < 0 ? NULL : drm_fault_reporter_of_drm(i915 + offset);
}

static void i915_event_engine(struct drm_fault_event *event,
			      const struct drm_fault_i915_engine *engine)
{
	event->engine = engine->name;
	event->engine_class = drm_fault_i915_class(engine->class);
	event->engine_instance = engine->instance;
}

static void i915_event_registers(struct drm_fault_event *event,
				 const struct drm_fault_i915_engine *engine)
{
	event->raw_format = DRM_FAULT_RAW_I915;
	event->raw_count = 4;
	event->raw[0] = (u64)engine->data1 << 32 | engine->fault;
	event->raw[2] = engine->data0;
}

static void i915_event_stream(struct drm_fault_event *event,
			      const struct drm_fault_i915_engine *engine)
{
	if (engine->acthd) {
		event->ip = engine->acthd;
		event->ip_precision = sizeof(u32);
		event->ip_type = DRM_FAULT_IP_UNKNOWN;
	}
	event->flags = DRM_FAULT_RECORD_F_GUILTY;
	event->raw[1] = engine->bbaddr;
	event->raw[2] |= (u64)engine->ipehr << 32;
	event->raw[3] = (u64)engine->guilty << 32 | engine->pid;
}

static void i915_event_fault(struct drm_fault_event *event, u8 version,
			     const struct drm_fault_i915_engine *engine)
{
	u32 type = I915_FAULT_TYPE(engine->fault);

	event->fault_type = DRM_FAULT_TYPE_NOT_PRESENT;
	event->address_precision = I915_PAGE;
	if (version >= I915_SHARED_VERSION) {
		event->address = I915_DATA_ADDRESS(engine->data0, engine->data1);
		event->level = type + 1;
	} else {
		event->address = I915_FAULT_ADDRESS(engine->fault);
		/* The others are what may be wrong with a directory. */
		if (version >= I915_TYPED_VERSION)
			event->level = type ? 2 : 1;
	}
}

/* Is the fault in the register this engine's, and no other's? */
static bool i915_faulted(const struct i915_walk *walk,
			 const struct drm_fault_i915_engine *engine)
{
	u32 index = I915_FAULT_ENGINE(engine->fault);

	if (!(engine->fault & DRM_FAULT_I915_VALID))
		return false;
	if (walk->version < I915_SHARED_VERSION)
		return true;
	if (walk->version < I915_UNNAMED_VERSION && index < ARRAY_SIZE(i915_fault_engines))
		return engine->class == i915_fault_engines[index].class &&
		       engine->instance == i915_fault_engines[index].instance;
	return walk->count == 1 && engine->hung;
}

static void i915_report(struct i915_walk *walk, const struct drm_fault_i915_engine *engine)
{
	struct drm_fault_event event = { 0 };

	i915_event_engine(&event, engine);
	i915_event_registers(&event, engine);
	/* One that goes on may long be at somebody else's work. */
	if (engine->hung) {
		i915_event_stream(&event, engine);
		drm_fault_i915_own(walk->reporter, engine, &event);
	}
	if (i915_faulted(walk, engine)) {
		i915_event_fault(&event, walk->version, engine);
		drm_fault_report(walk->reporter, &event);
		walk->told = true;
	} else if (engine->hung) {
		drm_fault_note_timeout(walk->reporter, &event);
	}
}

/* A fault of which it is not clear who did it: that is all that can be said. */
static void i915_report_nobody(struct i915_walk *walk,
			       const struct drm_fault_i915_engine *engine)
{
	u32 index = I915_FAULT_ENGINE(engine->fault);
	struct drm_fault_event event = { 0 };

	i915_event_registers(&event, engine);
	i915_event_fault(&event, walk->version, engine);
	if (walk->version < I915_UNNAMED_VERSION && index < ARRAY_SIZE(i915_fault_engines)) {
		event.engine_class = drm_fault_i915_class(i915_fault_engines[index].class);
		event.engine_instance = i915_fault_engines[index].instance;
	}
	drm_fault_report(walk->reporter, &event);
}

static const void *i915_next(const void *state)
{
	const void *next;

	return drm_fault_i915_peek(&next, state, DRM_FAULT_I915_ENGINE_NEXT) ? next : NULL;
}

static void i915_walk_gt(struct i915_walk *walk)
{
	struct drm_fault_i915_engine engine, valid = { 0 };
	const void *first, *state;
	unsigned int left;

	drm_fault_i915_peek(&first, walk->gt, DRM_FAULT_I915_STATE_ENGINE);
	walk->count = 0;
	walk->told = false;
	for (state = first; state && walk->count < I915_ENGINES; state = i915_next(state))
		walk->count++;
	left = walk->count;
	for (state = first; left; state = i915_next(state), left--) {
		if (!drm_fault_i915_engine_read(&engine, walk->gt, state)) {
			drm_fault_hook_drop(walk->hook);
			continue;
		}
		if (engine.fault & DRM_FAULT_I915_VALID)
			valid = engine;
		i915_report(walk, &engine);
	}
	if (valid.fault && !walk->told)
		i915_report_nobody(walk, &valid);
}

static bool i915_error_stored(struct drm_fault_hook_hit *hit)
{
	const void *error = (void *)drm_fault_hook_arg(hit, 0);
	struct i915_walk walk = { .hook = hit->hook };
	unsigned int left = I915_GTS;
	const void *i915;
	bool simulated;

	if (IS_ERR_OR_NULL(error))
		return true;
	if (!drm_fault_i915_peek(&i915, error, DRM_FAULT_I915_ERROR_I915) ||
	    !drm_fault_i915_peek(&simulated, error, DRM_FAULT_I915_ERROR_SIMULATED) ||
	    !drm_fault_i915_peek(&walk.version, error, DRM_FAULT_I915_ERROR_VERSION)) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	if (simulated)
		return true;
	walk.reporter = drm_fault_i915_reporter(i915);
	if (!walk.reporter) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	drm_fault_i915_peek(&walk.gt, error, DRM_FAULT_I915_ERROR_GT);
	while (walk.gt && left--) {
		i915_walk_gt(&walk);
		drm_fault_i915_peek(&walk.gt, walk.gt, DRM_FAULT_I915_STATE_NEXT);
	}
	return true;
}

/**
 * struct i915_handling - intel_gt_handle_error() in progress
 * @gt: struct intel_gt
 * @engines: mask of those to reset
 */
struct i915_handling {
	const void *gt;
	u32 engines;
};

static bool i915_error_handling(struct drm_fault_hook_hit *hit)
{
	struct i915_handling *handling = hit->data;

	handling->gt = (void *)drm_fault_hook_arg(hit, 0);
	handling->engines = drm_fault_hook_arg(hit, 1);
	return true;
}

static void i915_error_handled(struct drm_fault_hook_hit *hit)
{
	const struct i915_handling *handling = hit->data;
	int engines = drm_fault_i915_offset(DRM_FAULT_I915_GT_ENGINES);
	struct drm_fault_i915_engine engine = { 0 };
	struct drm_fault_reporter *reporter;
	struct drm_fault_event event = {
		.raw_format = DRM_FAULT_RAW_I915,
		.raw_count = 1,
	};
	const void *i915, *cs;
	u32 mask;

	if (!drm_fault_i915_peek(&i915, handling->gt, DRM_FAULT_I915_GT_I915) ||
	    !drm_fault_i915_peek(&mask, handling->gt, DRM_FAULT_I915_GT_MASK))
		return;
	reporter = drm_fault_i915_reporter(i915);
	if (!reporter)
		return;
	mask &= handling->engines;
	event.raw[0] = mask;
	if (hweight32(mask) == 1 && engines >= 0 &&
	    drm_fault_peek(&cs, handling->gt + engines + __ffs(mask) * sizeof(cs), sizeof(cs)) &&
	    drm_fault_i915_cs_read(&engine, cs))
		i915_event_engine(&event, &engine);
	drm_fault_note_reset(reporter, &event);
}

#define I915_CAPTURED	"struct intel_engine_capture_vma *"
#define I915_CAPTURES	"struct intel_engine_coredump *, struct i915_request *, gfp_t"
#define I915_HANDLES	"struct intel_gt *, intel_engine_mask_t, long unsigned int, const char *, ..."

static struct drm_fault_hook i915_hooks[] = {
	{
		.symbol = "i915_error_state_store",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT | DRM_FAULT_PROVIDES_IP |
			    DRM_FAULT_PROVIDES_HANG,
		.prototype = "void (struct i915_gpu_coredump *)",
		.enter = i915_error_stored,
	}, {
		.symbol = "intel_engine_coredump_add_request",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = I915_CAPTURED " (" I915_CAPTURES ")",
		.enter = drm_fault_i915_request_captured,
	}, {
		.symbol = "i915_gem_context_create_ioctl",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct drm_device *, void *, struct drm_file *)",
		.enter = drm_fault_i915_context_created,
	}, {
		.symbol = "intel_gt_handle_error",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "void (" I915_HANDLES ")",
		.enter = i915_error_handling,
		.leave = i915_error_handled,
		.data_size = sizeof(struct i915_handling),
	},
};

struct drm_fault_hooks drm_fault_i915_hooks = {
	.name = "i915",
	.driver = "i915",
	.module = "i915",
	.address_bits = 48,
	.hooks = i915_hooks,
	.hook_count = ARRAY_SIZE(i915_hooks),
	.fields = drm_fault_i915_fields,
	.field_count = ARRAY_SIZE(drm_fault_i915_fields),
	.opened = drm_fault_i915_opened,
};
