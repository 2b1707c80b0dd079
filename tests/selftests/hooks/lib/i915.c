// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdlib.h>

#include "i915.h"

#define MEMORY		0x100000
/* More than any of the structures has. */
#define STRUCTURE	8192

enum field {
	DRM, ERROR_I915, ERROR_GT, ERROR_SIMULATED, ERROR_VERSION, GT_DATA0, GT_DATA1, GT_ENGINE,
	GT_NEXT, EE_ENGINE, EE_HUNG, EE_FAULT, EE_ACTHD, EE_BBADDR, EE_IPEHR, EE_PID, EE_GUILTY,
	EE_HEAD, EE_POST, EE_TAIL, EE_GUC, EE_NEXT, CS_NAME, CS_CLASS, CS_INSTANCE, REAL_GT_I915,
	REAL_GT_MASK, REAL_GT_ENGINES, RQ_I915, RQ_CONTEXT, RQ_HEAD, RQ_POST, RQ_TAIL,
	RQ_FENCE_CONTEXT, RQ_FENCE_SEQNO, CE_GEM, GEM_FILE, FILE_DRM, GUC_LISTS, GUC_LIST,
	GUC_LIST_COUNT, GUC_LIST_REGS, GUC_REG, GUC_REG_OFFSET, GUC_REG_VALUE,
};

static struct drm_fault_call_field fields[] = {
	[DRM] = { "drm_i915_private", "drm" },
	[ERROR_I915] = { "i915_gpu_coredump", "i915", 8 },
	[ERROR_GT] = { "i915_gpu_coredump", "gt", 8 },
	[ERROR_SIMULATED] = { "i915_gpu_coredump", "simulated", 1 },
	[ERROR_VERSION] = { "i915_gpu_coredump", "runtime_info.graphics.ip.ver", 1 },
	[GT_DATA0] = { "intel_gt_coredump", "fault_data0", 4 },
	[GT_DATA1] = { "intel_gt_coredump", "fault_data1", 4 },
	[GT_ENGINE] = { "intel_gt_coredump", "engine", 8 },
	[GT_NEXT] = { "intel_gt_coredump", "next", 8 },
	[EE_ENGINE] = { "intel_engine_coredump", "engine", 8 },
	[EE_HUNG] = { "intel_engine_coredump", "hung", 1 },
	[EE_FAULT] = { "intel_engine_coredump", "fault_reg", 4 },
	[EE_ACTHD] = { "intel_engine_coredump", "acthd", 8 },
	[EE_BBADDR] = { "intel_engine_coredump", "bbaddr", 8 },
	[EE_IPEHR] = { "intel_engine_coredump", "ipehr", 4 },
	[EE_PID] = { "intel_engine_coredump", "context.pid", 4 },
	[EE_GUILTY] = { "intel_engine_coredump", "context.guilty", 4 },
	[EE_HEAD] = { "intel_engine_coredump", "rq_head", 4 },
	[EE_POST] = { "intel_engine_coredump", "rq_post", 4 },
	[EE_TAIL] = { "intel_engine_coredump", "rq_tail", 4 },
	[EE_GUC] = { "intel_engine_coredump", "guc_capture_node", 8 },
	[EE_NEXT] = { "intel_engine_coredump", "next", 8 },
	[CS_NAME] = { "intel_engine_cs", "name", 8 },
	[CS_CLASS] = { "intel_engine_cs", "class", 1 },
	[CS_INSTANCE] = { "intel_engine_cs", "instance", 1 },
	[REAL_GT_I915] = { "intel_gt", "i915", 8 },
	[REAL_GT_MASK] = { "intel_gt", "info.engine_mask", 4 },
	[REAL_GT_ENGINES] = { "intel_gt", "engine" },
	[RQ_I915] = { "i915_request", "i915", 8 },
	[RQ_CONTEXT] = { "i915_request", "context", 8 },
	[RQ_HEAD] = { "i915_request", "head", 4 },
	[RQ_POST] = { "i915_request", "postfix", 4 },
	[RQ_TAIL] = { "i915_request", "tail", 4 },
	[RQ_FENCE_CONTEXT] = { "i915_request", "fence.context", 8 },
	[RQ_FENCE_SEQNO] = { "i915_request", "fence.seqno", 8 },
	[CE_GEM] = { "intel_context", "gem_context", 8 },
	[GEM_FILE] = { "i915_gem_context", "file_priv", 8 },
	[FILE_DRM] = { "drm_i915_file_private", "file", 8 },
	[GUC_LISTS] = { "__guc_capture_parsed_output", "reginfo" },
	[GUC_LIST] = { "gcap_reg_list_info", "" },
	[GUC_LIST_COUNT] = { "gcap_reg_list_info", "num_regs", 4 },
	[GUC_LIST_REGS] = { "gcap_reg_list_info", "regs", 8 },
	[GUC_REG] = { "guc_mmio_reg", "" },
	[GUC_REG_OFFSET] = { "guc_mmio_reg", "offset", 4 },
	[GUC_REG_VALUE] = { "guc_mmio_reg", "value", 4 },
};

const struct i915_engine i915_rcs = {
	.name = "rcs0", .class = I915_RENDER, .hung = 1, .acthd = 0x100001234,
	.bbaddr = 0x100001001, .ipehr = 0x7a000004, .pid = 4711, .guilty = 2,
};

const struct i915_engine i915_bcs = {
	.name = "bcs0", .class = I915_COPY, .acthd = 0x200005678, .bbaddr = 0x200005001,
	.ipehr = 0x54c00008, .pid = 4712,
};

static const struct hooks_driver driver = {
	.module = "i915",
	.name = "i915",
	.address_bits = 48,
	.symbols = {
		"i915:i915_error_state_store", "i915:intel_engine_coredump_add_request",
		"i915:i915_gem_context_create_ioctl", "i915:intel_gt_handle_error", NULL,
	},
};

/**
 * struct value - a member to be set
 * @base: of the structure
 * @field: which
 * @value: to what
 */
struct value {
	__u64 base;
	enum field field;
	__u64 value;
};

static int set_all(struct i915 *i915, const struct value *values, unsigned int count)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < count; i++)
		ret = hooks_set(&i915->hooks, values[i].base, &fields[values[i].field],
				values[i].value);
	return ret;
}

static __u64 structure(struct i915 *i915)
{
	__u64 at = i915->memory + i915->used;

	if (i915->used + STRUCTURE > MEMORY)
		abort();
	i915->used += STRUCTURE;
	return at;
}

int i915_setup(struct i915 *i915)
{
	int ret = hooks_setup(&i915->hooks, &driver);

	if (!ret)
		ret = hooks_fields(&i915->hooks, "i915", fields, ARRAY_SIZE(fields));
	if (ret)
		return ret;
	i915->used = 0;
	i915->memory = hooks_buffer(&i915->hooks, MEMORY);
	i915->device = i915->hooks.gpu.drm - fields[DRM].offset;
	return i915->memory ? 0 : -ENOMEM;
}

void i915_teardown(struct i915 *i915)
{
	hooks_teardown(&i915->hooks);
}

static __u64 name_of(const char *name)
{
	__u64 word = 0;

	memcpy(&word, name, strnlen(name, sizeof(word)));
	return word;
}

static __u64 make_cs(struct i915 *i915, const char *name, __u8 class, __u8 instance)
{
	__u64 cs = structure(i915);
	const struct value values[] = {
		{ cs, CS_NAME, name_of(name) },
		{ cs, CS_CLASS, class },
		{ cs, CS_INSTANCE, instance },
	};

	return set_all(i915, values, ARRAY_SIZE(values)) ? 0 : cs;
}

static int make_engine(struct i915 *i915, const struct i915_engine *engine, __u64 at,
		       __u64 next)
{
	const struct value values[] = {
		{ at, EE_ENGINE, make_cs(i915, engine->name, engine->class, engine->instance) },
		{ at, EE_HUNG, engine->hung },
		{ at, EE_FAULT, engine->fault },
		{ at, EE_ACTHD, engine->acthd },
		{ at, EE_BBADDR, engine->bbaddr },
		{ at, EE_IPEHR, engine->ipehr },
		{ at, EE_PID, engine->pid },
		{ at, EE_GUILTY, engine->guilty },
		{ at, EE_NEXT, next },
	};

	return set_all(i915, values, ARRAY_SIZE(values));
}

int i915_make(struct i915 *i915, struct i915_state *state)
{
	unsigned int i = state->count;
	__u64 next = 0;
	int ret;

	state->error = structure(i915);
	state->gt = structure(i915);
	while (i--) {
		state->states[i] = structure(i915);
		ret = make_engine(i915, &state->engines[i], state->states[i], next);
		if (ret)
			return ret;
		next = state->states[i];
	}
	return set_all(i915, (const struct value[]){
		{ state->error, ERROR_I915, i915->device },
		{ state->error, ERROR_GT, state->gt },
		{ state->error, ERROR_SIMULATED, state->simulated },
		{ state->error, ERROR_VERSION, state->version },
		{ state->gt, GT_DATA0, state->data0 },
		{ state->gt, GT_DATA1, state->data1 },
		{ state->gt, GT_ENGINE, next },
	}, 7);
}

int i915_chain(struct i915 *i915, const struct i915_state *state,
	       const struct i915_state *next)
{
	return hooks_set(&i915->hooks, state->gt, &fields[GT_NEXT], next->gt);
}

int i915_guc(struct i915 *i915, __u64 engine, unsigned int list,
	     const struct i915_register *registers, unsigned int count)
{
	__u64 node = structure(i915), entries = structure(i915);
	__u64 info = node + fields[GUC_LISTS].offset + list * fields[GUC_LIST].offset;
	const struct value values[] = {
		{ info, GUC_LIST_COUNT, count },
		{ info, GUC_LIST_REGS, entries },
		{ engine, EE_GUC, node },
	};
	int ret = set_all(i915, values, ARRAY_SIZE(values));
	unsigned int i;

	for (i = 0; !ret && i < count; i++, entries += fields[GUC_REG].offset)
		ret = set_all(i915, (const struct value[]){
			{ entries, GUC_REG_OFFSET, registers[i].offset },
			{ entries, GUC_REG_VALUE, registers[i].value },
		}, 2);
	return ret;
}

int i915_note(struct i915 *i915, __u64 engine, const struct i915_request *request, bool tell)
{
	__u64 rq = structure(i915), ce = structure(i915), gem = structure(i915);
	bool closed = (__s64)request->file < 0 && (__s64)request->file > -4096;
	__u64 file = closed ? request->file : structure(i915);
	const struct value values[] = {
		{ rq, RQ_I915, i915->device },
		{ rq, RQ_CONTEXT, ce },
		{ rq, RQ_HEAD, request->position[0] },
		{ rq, RQ_POST, request->position[1] },
		{ rq, RQ_TAIL, request->position[2] },
		{ rq, RQ_FENCE_CONTEXT, request->context },
		{ rq, RQ_FENCE_SEQNO, request->seqno },
		{ ce, CE_GEM, gem },
		{ gem, GEM_FILE, file },
		{ engine, EE_HEAD, tell ? request->position[0] : 0 },
		{ engine, EE_POST, tell ? request->position[1] : 0 },
		{ engine, EE_TAIL, tell ? request->position[2] : 0 },
	};
	int ret = set_all(i915, values, ARRAY_SIZE(values));

	if (!ret && !closed)
		ret = hooks_set(&i915->hooks, file, &fields[FILE_DRM], request->file);
	return ret ?: hooks_call(&i915->hooks, driver.symbols[1], 0, engine, rq, 0);
}

int i915_store(struct i915 *i915, __u64 error)
{
	return hooks_call(&i915->hooks, driver.symbols[0], 0, error);
}

struct i915_request i915_request_of(const struct i915 *i915)
{
	return (struct i915_request){
		.file = i915->hooks.file,
		.context = 0x1234,
		.seqno = 0x56789,
		.position = { 0x100, 0x180, 0x1a0 },
	};
}

int i915_store_noted(struct i915 *i915, struct i915_state *state,
		     const struct i915_request *request)
{
	int ret = i915_make(i915, state);

	if (!ret)
		ret = i915_note(i915, state->states[0], request, true);
	return ret ?: i915_store(i915, state->error);
}

int i915_context_create(struct i915 *i915)
{
	return hooks_call(&i915->hooks, driver.symbols[2], 0, i915->hooks.gpu.drm, 0,
			  i915->hooks.file);
}

int i915_reset(struct i915 *i915, __u32 has, __u32 mask, const char *const *names)
{
	__u64 gt = structure(i915), engines = gt + fields[REAL_GT_ENGINES].offset;
	const __u64 cs[] = {
		make_cs(i915, names[0], I915_RENDER, 0), make_cs(i915, names[1], I915_COPY, 1),
	};
	const struct value values[] = {
		{ gt, REAL_GT_I915, i915->device },
		{ gt, REAL_GT_MASK, has },
	};
	int ret = set_all(i915, values, ARRAY_SIZE(values));

	ret = ret ?: hooks_write(&i915->hooks, engines, cs, sizeof(cs));
	return ret ?: hooks_call(&i915->hooks, driver.symbols[3], 0, gt, mask, 0, 0);
}

void i915_want(struct drm_fault_record *want, const struct i915_state *state,
	       const struct i915_engine *engine, __u32 class)
{
	want->engine_class = class;
	want->engine_instance = engine->instance;
	strncpy(want->engine, engine->name, sizeof(want->engine) - 1);
	want->raw_format = DRM_FAULT_RAW_I915;
	want->raw_count = 4;
	want->raw[0] = (__u64)state->data1 << 32 | engine->fault;
	want->raw[2] = state->data0;
	if (!engine->hung)
		return;
	want->flags |= DRM_FAULT_RECORD_F_GUILTY;
	want->ip = engine->acthd;
	want->ip_precision = engine->acthd ? 4 : 0;
	want->ip_type = engine->acthd ? DRM_FAULT_IP_UNKNOWN : 0;
	want->raw[1] = engine->bbaddr;
	want->raw[2] |= (__u64)engine->ipehr << 32;
	want->raw[3] = (__u64)engine->guilty << 32 | engine->pid;
}

void i915_want_fault(struct drm_fault_record *want, __u64 address, __u32 level)
{
	want->fault_type = DRM_FAULT_TYPE_NOT_PRESENT;
	want->address = address;
	want->address_precision = 4096;
	want->level = level;
}

void i915_want_job(struct drm_fault_record *want, const struct i915_request *request)
{
	want->job_context = request->context;
	want->job_seqno = request->seqno;
}

int i915_differs(int stream, const struct drm_fault_record *want)
{
	struct drm_fault_record record;
	int ret = hooks_record(stream, &record);

	return ret ?: hooks_differ(want, &record);
}
