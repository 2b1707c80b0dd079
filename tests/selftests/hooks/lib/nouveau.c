// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdlib.h>

#include "nouveau.h"

#define MEMORY		0x100000
/* More than any of the structures has. */
#define STRUCTURE	8192
#define CLIENT		4096

enum field {
	DATA_ADDR, DATA_INST, DATA_TIME, DATA_ENGINE, DATA_VALID, DATA_GPC, DATA_HUB,
	DATA_ACCESS, DATA_CLIENT, DATA_REASON, FIFO_DEVICE, DEVICE_DEV, CHANNEL_INST,
	CHANNEL_KILL, CLI_DRM, CLI_ABI16, DRM_DEV, ABI16_CHANNELS, ABI16_HEAD, ABI16_CHANNEL,
};

static struct drm_fault_call_field fields[] = {
	[DATA_ADDR] = { "nvkm_fault_data", "addr", 8 },
	[DATA_INST] = { "nvkm_fault_data", "inst", 8 },
	[DATA_TIME] = { "nvkm_fault_data", "time", 8 },
	[DATA_ENGINE] = { "nvkm_fault_data", "engine", 1 },
	[DATA_VALID] = { "nvkm_fault_data", "valid", 1 },
	[DATA_GPC] = { "nvkm_fault_data", "gpc", 1 },
	[DATA_HUB] = { "nvkm_fault_data", "hub", 1 },
	[DATA_ACCESS] = { "nvkm_fault_data", "access", 1 },
	[DATA_CLIENT] = { "nvkm_fault_data", "client", 1 },
	[DATA_REASON] = { "nvkm_fault_data", "reason", 1 },
	[FIFO_DEVICE] = { "nvkm_fifo", "engine.subdev.device", 8 },
	[DEVICE_DEV] = { "nvkm_device", "dev", 8 },
	[CHANNEL_INST] = { "nouveau_channel", "inst", 8 },
	[CHANNEL_KILL] = { "nouveau_channel", "kill" },
	[CLI_DRM] = { "nouveau_cli", "drm", 8 },
	[CLI_ABI16] = { "nouveau_cli", "abi16", 8 },
	[DRM_DEV] = { "nouveau_drm", "dev", 8 },
	[ABI16_CHANNELS] = { "nouveau_abi16", "channels" },
	[ABI16_HEAD] = { "nouveau_abi16_chan", "head" },
	[ABI16_CHANNEL] = { "nouveau_abi16_chan", "chan", 8 },
};

enum old_field {
	CHANNEL_DRM,
};

static struct drm_fault_call_field old_fields[] = {
	[CHANNEL_DRM] = { "nouveau_channel", "drm", 8 },
};

enum new_field {
	GSP_DEVICE, CHANNEL_CLI, FIFO_RUNLS, RUNL_HEAD, RUNL_ENGNS, ENGN_HEAD, ENGN_FAULT,
	ENGN_ENGINE, ENGINE_NAME, ENGINE_INST, CHAN_INST, OBJECT_ADDRESS, JOB_BASE, JOB_CLI,
	EXEC_BASE, EXEC_CHANNEL, JOB_FENCE, FENCE_CONTEXT, FENCE_SEQNO,
};

static struct drm_fault_call_field new_fields[] = {
	[GSP_DEVICE] = { "nvkm_gsp", "subdev.device", 8 },
	[CHANNEL_CLI] = { "nouveau_channel", "cli", 8 },
	[FIFO_RUNLS] = { "nvkm_fifo", "runls" },
	[RUNL_HEAD] = { "nvkm_runl", "head" },
	[RUNL_ENGNS] = { "nvkm_runl", "engns" },
	[ENGN_HEAD] = { "nvkm_engn", "head" },
	[ENGN_FAULT] = { "nvkm_engn", "fault", 4 },
	[ENGN_ENGINE] = { "nvkm_engn", "engine", 8 },
	[ENGINE_NAME] = { "nvkm_engine", "subdev.name", 16 },
	[ENGINE_INST] = { "nvkm_engine", "subdev.inst", 4 },
	[CHAN_INST] = { "nvkm_chan", "inst", 8 },
	[OBJECT_ADDRESS] = { "nvkm_gpuobj", "addr", 8 },
	[JOB_BASE] = { "nouveau_job", "base" },
	[JOB_CLI] = { "nouveau_job", "cli", 8 },
	[EXEC_BASE] = { "nouveau_exec_job", "base" },
	[EXEC_CHANNEL] = { "nouveau_exec_job", "chan", 8 },
	[JOB_FENCE] = { "drm_sched_job", "s_fence", 8 },
	[FENCE_CONTEXT] = { "drm_sched_fence", "finished.context", 8 },
	[FENCE_SEQNO] = { "drm_sched_fence", "finished.seqno", 8 },
};

static const struct hooks_driver driver = {
	.module = "nouveau",
	.name = "nouveau",
	.priv_size = CLIENT,
	.symbols = {
		"nouveau:nvkm_fifo_fault", "nouveau:nouveau_abi16_ioctl_channel_alloc",
		"nouveau:nouveau_channel_new", "nouveau:nouveau_channel_del",
		"nouveau:nouveau_channel_killed", "?nouveau:gf100_engn_mmu_fault_trigger",
		"?nouveau:nvkm_chan_error", "?nouveau:r570_fifo_rc_triggered",
		"?nouveau:r535_fifo_rc_triggered", "?nouveau:r535_gsp_msg_rc_triggered",
		"?nouveau:nouveau_sched_timedout_job", "?nouveau:nouveau_exec_job_timeout", NULL,
	},
};

static int set(struct nouveau *nouveau, __u64 base, enum field field, __u64 value)
{
	return hooks_set(&nouveau->hooks, base, &fields[field], value);
}

static int set_new(struct nouveau *nouveau, __u64 base, enum new_field field, __u64 value)
{
	return hooks_set(&nouveau->hooks, base, &new_fields[field], value);
}

static int set_word(struct nouveau *nouveau, __u64 at, __u64 value)
{
	return hooks_write(&nouveau->hooks, at, &value, sizeof(value));
}

__u64 nouveau_structure(struct nouveau *nouveau)
{
	__u64 at = nouveau->memory + nouveau->used;

	if (nouveau->used + STRUCTURE > MEMORY)
		abort();
	nouveau->used += STRUCTURE;
	return at;
}

static int make_parts(struct nouveau *nouveau)
{
	__u64 device = nouveau_structure(nouveau);
	int ret = set(nouveau, device, DEVICE_DEV, nouveau->hooks.gpu.device);

	nouveau->fifo = nouveau_structure(nouveau);
	nouveau->gsp = nouveau_structure(nouveau);
	nouveau->drm = nouveau_structure(nouveau);
	nouveau->cli = nouveau_structure(nouveau);
	ret = ret ?: set(nouveau, nouveau->fifo, FIFO_DEVICE, device);
	ret = ret ?: set(nouveau, nouveau->drm, DRM_DEV, nouveau->hooks.gpu.drm);
	ret = ret ?: set(nouveau, nouveau->cli, CLI_DRM, nouveau->drm);
	if (!ret && nouveau->modern)
		ret = set_new(nouveau, nouveau->gsp, GSP_DEVICE, device);
	return ret ?: nouveau_engines(nouveau, NULL, 0);
}

int nouveau_setup(struct nouveau *nouveau)
{
	struct hooks *hooks = &nouveau->hooks;
	int ret = hooks_setup(hooks, &driver);

	if (ret)
		return ret;
	nouveau->modern = hooks_symbol(hooks, "nouveau:nvkm_chan_error");
	ret = hooks_fields(hooks, "nouveau", fields, ARRAY_SIZE(fields));
	if (!ret && nouveau->modern)
		ret = hooks_fields(hooks, "nouveau", new_fields, ARRAY_SIZE(new_fields));
	else if (!ret)
		ret = hooks_fields(hooks, "nouveau", old_fields, ARRAY_SIZE(old_fields));
	if (ret)
		return ret;
	nouveau->used = 0;
	nouveau->memory = hooks_buffer(hooks, MEMORY);
	return nouveau->memory ? make_parts(nouveau) : -ENOMEM;
}

void nouveau_teardown(struct nouveau *nouveau)
{
	hooks_teardown(&nouveau->hooks);
}

static int make_engine(struct nouveau *nouveau, struct nouveau_engine *engine)
{
	__u64 base = nouveau_structure(nouveau);
	char name[16] = "";
	int ret;

	strncpy(name, engine->name, sizeof(name) - 1);
	engine->engn = nouveau_structure(nouveau);
	ret = hooks_write(&nouveau->hooks, base + new_fields[ENGINE_NAME].offset, name,
			  sizeof(name));
	ret = ret ?: set_new(nouveau, base, ENGINE_INST, engine->instance);
	ret = ret ?: set_new(nouveau, engine->engn, ENGN_FAULT, engine->fault);
	return ret ?: set_new(nouveau, engine->engn, ENGN_ENGINE, base);
}

/* An engine is put in front of those that @runl has, which end at @runl itself. */
static int put_engine(struct nouveau *nouveau, __u64 runl, __u64 engn, __u64 before)
{
	__u64 head = engn + new_fields[ENGN_HEAD].offset;
	int ret = set_word(nouveau, head, before);

	return ret ?: set_word(nouveau, runl + new_fields[RUNL_ENGNS].offset, head);
}

int nouveau_engines(struct nouveau *nouveau, struct nouveau_engine *engines,
		    unsigned int count)
{
	__u64 list = nouveau->fifo + new_fields[FIFO_RUNLS].offset, at = list, runl = 0, end;
	unsigned int i;
	int ret = 0;

	if (!nouveau->modern)
		return 0;
	for (i = 0; !ret && i < count; i++) {
		bool shares = count > 1 && i == count - 1;

		if (!shares) {
			runl = nouveau_structure(nouveau);
			ret = set_word(nouveau, at, runl + new_fields[RUNL_HEAD].offset);
			at = runl + new_fields[RUNL_HEAD].offset;
		}
		end = shares ? engines[i - 1].engn + new_fields[ENGN_HEAD].offset :
		      runl + new_fields[RUNL_ENGNS].offset;
		ret = ret ?: make_engine(nouveau, &engines[i]);
		ret = ret ?: put_engine(nouveau, runl, engines[i].engn, end);
	}
	return ret ?: set_word(nouveau, at, list);
}

__u64 nouveau_fault_data(struct nouveau *nouveau, const struct nouveau_fault *fault)
{
	const __u64 values[] = {
		[DATA_ADDR] = fault->addr, [DATA_INST] = fault->inst, [DATA_TIME] = fault->time,
		[DATA_ENGINE] = fault->engine, [DATA_VALID] = fault->valid,
		[DATA_GPC] = fault->gpc, [DATA_HUB] = fault->hub, [DATA_ACCESS] = fault->access,
		[DATA_CLIENT] = fault->client, [DATA_REASON] = fault->reason,
	};
	static __u64 data;
	unsigned int i;

	/* One serves all faults of a test; each test has a process of its own. */
	if (!data)
		data = nouveau_structure(nouveau);
	for (i = 0; i < ARRAY_SIZE(values); i++)
		if (set(nouveau, data, i, values[i]))
			return 0;
	return data;
}

int nouveau_fault(struct nouveau *nouveau, const struct nouveau_fault *fault)
{
	return hooks_call(&nouveau->hooks, driver.symbols[0], 0, nouveau->fifo,
			  nouveau_fault_data(nouveau, fault));
}

__u64 nouveau_channel(struct nouveau *nouveau, __u64 inst)
{
	__u64 channel = nouveau_structure(nouveau);
	int ret = set(nouveau, channel, CHANNEL_INST, inst);

	if (!ret && nouveau->modern)
		ret = set_new(nouveau, channel, CHANNEL_CLI, nouveau->cli);
	else if (!ret)
		ret = hooks_set(&nouveau->hooks, channel, &old_fields[CHANNEL_DRM], nouveau->drm);
	return ret ? 0 : channel;
}

__u64 nouveau_chan(struct nouveau *nouveau, __u64 inst)
{
	__u64 chan = nouveau_structure(nouveau), object = nouveau_structure(nouveau);

	return set_new(nouveau, chan, CHAN_INST, object) ||
	       set_new(nouveau, object, OBJECT_ADDRESS, inst) ? 0 : chan;
}

__u64 nouveau_pointer(struct nouveau *nouveau, __u64 value)
{
	__u64 place = nouveau_structure(nouveau);

	return set_word(nouveau, place, value) ? 0 : place;
}

int nouveau_channel_new(struct nouveau *nouveau, __u64 file, __u64 channel, __s64 result)
{
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(driver.symbols[1], result, nouveau->hooks.gpu.drm, 0, file),
		.inner = {
			HOOKS_STEP(driver.symbols[2], result, 0, 0, 0, 0, 0,
				   nouveau_pointer(nouveau, channel)),
		},
		.inner_count = 1,
	};

	return hooks_make(&nouveau->hooks, &make);
}

int nouveau_channel_del(struct nouveau *nouveau, __u64 channel)
{
	return hooks_call(&nouveau->hooks, driver.symbols[3], 0,
			  nouveau_pointer(nouveau, channel));
}

__u64 nouveau_kill(__u64 channel)
{
	return channel + fields[CHANNEL_KILL].offset;
}

__u64 nouveau_job(struct nouveau *nouveau, __u64 channel, __u64 context, __u64 seqno)
{
	__u64 exec = nouveau_structure(nouveau), fence = nouveau_structure(nouveau);
	__u64 job = exec + new_fields[EXEC_BASE].offset;
	__u64 base = job + new_fields[JOB_BASE].offset;

	return set_new(nouveau, exec, EXEC_CHANNEL, channel) ||
	       set_new(nouveau, job, JOB_CLI, nouveau->cli) ||
	       set_new(nouveau, base, JOB_FENCE, fence) ||
	       set_new(nouveau, fence, FENCE_CONTEXT, context) ||
	       set_new(nouveau, fence, FENCE_SEQNO, seqno) ? 0 : base;
}

int nouveau_open_with(struct nouveau *nouveau, const __u64 *channels, unsigned int count)
{
	__u64 abi16 = nouveau_structure(nouveau), list = abi16 + fields[ABI16_CHANNELS].offset;
	struct drm_fault_call_template template = {
		.id = nouveau->hooks.gpu.id,
		.size = CLIENT,
	};
	__u64 at = list, entry;
	char cli[CLIENT] = {};
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < count; i++) {
		entry = nouveau_structure(nouveau);
		ret = set_word(nouveau, at, entry + fields[ABI16_HEAD].offset);
		at = entry + fields[ABI16_HEAD].offset;
		ret = ret ?: set(nouveau, entry, ABI16_CHANNEL, channels[i]);
	}
	ret = ret ?: set_word(nouveau, at, list);
	if (ret)
		return ret;
	memcpy(cli + fields[CLI_ABI16].offset, &abi16, sizeof(abi16));
	template.ptr = (uintptr_t)cli;
	ret = road_call(nouveau->hooks.call, DRM_FAULT_CALL_GPU_TEMPLATE, &template);
	return ret ?: hooks_gpu_node(&nouveau->hooks);
}
