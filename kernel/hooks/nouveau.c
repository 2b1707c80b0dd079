// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for nouveau. Where the driver itself handles faults, all of its GPUs go
 * through one function with one structure; where the firmware does, see
 * nouveau-firmware.c.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "nouveau.h"
#include "sets.h"

/* Access of gv100 and later; what is older knows the first two, with this meaning. */
#define NOUVEAU_ACCESS_PHYSICAL		0x08

static const u32 nouveau_access[] = {
	DRM_FAULT_ACCESS_READ,
	DRM_FAULT_ACCESS_WRITE,
	DRM_FAULT_ACCESS_ATOMIC,
	/* a prefetch */
	DRM_FAULT_ACCESS_READ,
	/* a weak atomic */
	DRM_FAULT_ACCESS_ATOMIC,
};

#define NOUVEAU_REASON_PTE		0x02

static const u32 nouveau_reasons[] = {
	/* directory, its size, page table entry, limit of the address space */
	DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_TYPE_NOT_PRESENT,
	DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_TYPE_NOT_PRESENT,
	/* instance block not bound; privilege, read-only, write-only */
	DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_PERMISSION,
	DRM_FAULT_TYPE_PERMISSION, DRM_FAULT_TYPE_PERMISSION,
	/* pitch mask, creation of work; aperture, compression */
	DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_OTHER,
	DRM_FAULT_TYPE_INVALID_FORMAT, DRM_FAULT_TYPE_INVALID_FORMAT,
	/* kind of memory; region, poison, atomic */
	DRM_FAULT_TYPE_INVALID_FORMAT, DRM_FAULT_TYPE_PERMISSION,
	DRM_FAULT_TYPE_OTHER, DRM_FAULT_TYPE_PERMISSION,
};

struct drm_fault_field drm_fault_nouveau_fields[DRM_FAULT_NOUVEAU_FIELDS] = {
	[DRM_FAULT_NOUVEAU_FAULT_ADDRESS] = { "nvkm_fault_data", "addr", sizeof(u64) },
	[DRM_FAULT_NOUVEAU_FAULT_INST] = { "nvkm_fault_data", "inst", sizeof(u64) },
	[DRM_FAULT_NOUVEAU_FAULT_TIME] = { "nvkm_fault_data", "time", sizeof(u64) },
	[DRM_FAULT_NOUVEAU_FAULT_ENGINE] = { "nvkm_fault_data", "engine", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_VALID] = { "nvkm_fault_data", "valid", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_GPC] = { "nvkm_fault_data", "gpc", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_HUB] = { "nvkm_fault_data", "hub", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_ACCESS] = { "nvkm_fault_data", "access", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_CLIENT] = { "nvkm_fault_data", "client", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FAULT_REASON] = { "nvkm_fault_data", "reason", sizeof(u8) },
	[DRM_FAULT_NOUVEAU_FIFO_DEVICE] = { "nvkm_fifo", "engine.subdev.device", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_GSP_DEVICE] = { "nvkm_gsp", "subdev.device", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_DEVICE_DEV] = { "nvkm_device", "dev", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_FIFO_RUNLS] = { "nvkm_fifo", "runls" },
	[DRM_FAULT_NOUVEAU_RUNL_HEAD] = { "nvkm_runl", "head" },
	[DRM_FAULT_NOUVEAU_RUNL_ENGNS] = { "nvkm_runl", "engns" },
	[DRM_FAULT_NOUVEAU_ENGN_HEAD] = { "nvkm_engn", "head" },
	[DRM_FAULT_NOUVEAU_ENGN_FAULT] = { "nvkm_engn", "fault", sizeof(u32) },
	[DRM_FAULT_NOUVEAU_ENGN_ENGINE] = { "nvkm_engn", "engine", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_ENGINE_NAME] = { "nvkm_engine", "subdev.name",
			sizeof_field(struct drm_fault_nouveau_engine, name) },
	[DRM_FAULT_NOUVEAU_ENGINE_INST] = { "nvkm_engine", "subdev.inst", sizeof(u32) },
	[DRM_FAULT_NOUVEAU_CHAN_INST] = { "nvkm_chan", "inst", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_OBJECT_ADDRESS] = { "nvkm_gpuobj", "addr", sizeof(u64) },
	[DRM_FAULT_NOUVEAU_CHANNEL_INST] = { "nouveau_channel", "inst", sizeof(u64) },
	[DRM_FAULT_NOUVEAU_CHANNEL_KILL] = { "nouveau_channel", "kill" },
	[DRM_FAULT_NOUVEAU_CHANNEL_CLI] = { "nouveau_channel", "cli", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_CHANNEL_DRM] = { "nouveau_channel", "drm", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_CLI_DRM] = { "nouveau_cli", "drm", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_CLI_ABI16] = { "nouveau_cli", "abi16", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_DRM_DEV] = { "nouveau_drm", "dev", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_ABI16_CHANNELS] = { "nouveau_abi16", "channels" },
	[DRM_FAULT_NOUVEAU_ABI16_HEAD] = { "nouveau_abi16_chan", "head" },
	[DRM_FAULT_NOUVEAU_ABI16_CHANNEL] = { "nouveau_abi16_chan", "chan", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_JOB_BASE] = { "nouveau_job", "base" },
	[DRM_FAULT_NOUVEAU_JOB_CLI] = { "nouveau_job", "cli", sizeof(void *) },
	[DRM_FAULT_NOUVEAU_EXEC_BASE] = { "nouveau_exec_job", "base" },
	[DRM_FAULT_NOUVEAU_EXEC_CHANNEL] = { "nouveau_exec_job", "chan", sizeof(void *) },
};

/* What nvkm_fifo_fault() is given, by the names of struct nvkm_fault_data. */
struct nouveau_fault {
	u64 address;
	u64 inst;
	u64 time;
	u8 engine;
	u8 valid;
	u8 gpc;
	u8 hub;
	u8 access;
	u8 client;
	u8 reason;
};

static const struct {
	enum drm_fault_nouveau_field field;
	size_t to;
} nouveau_fault_members[] = {
	{ DRM_FAULT_NOUVEAU_FAULT_ADDRESS, offsetof(struct nouveau_fault, address) },
	{ DRM_FAULT_NOUVEAU_FAULT_INST, offsetof(struct nouveau_fault, inst) },
	{ DRM_FAULT_NOUVEAU_FAULT_TIME, offsetof(struct nouveau_fault, time) },
	{ DRM_FAULT_NOUVEAU_FAULT_ENGINE, offsetof(struct nouveau_fault, engine) },
	{ DRM_FAULT_NOUVEAU_FAULT_VALID, offsetof(struct nouveau_fault, valid) },
	{ DRM_FAULT_NOUVEAU_FAULT_GPC, offsetof(struct nouveau_fault, gpc) },
	{ DRM_FAULT_NOUVEAU_FAULT_HUB, offsetof(struct nouveau_fault, hub) },
	{ DRM_FAULT_NOUVEAU_FAULT_ACCESS, offsetof(struct nouveau_fault, access) },
	{ DRM_FAULT_NOUVEAU_FAULT_CLIENT, offsetof(struct nouveau_fault, client) },
	{ DRM_FAULT_NOUVEAU_FAULT_REASON, offsetof(struct nouveau_fault, reason) },
};

/**
 * drm_fault_nouveau_reporter - find the reporter of a GPU
 * @base: a part of the driver
 * @device: its member that leads to struct nvkm_device
 *
 * Context: In a handler.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_nouveau_reporter(const void *base,
						      enum drm_fault_nouveau_field device)
{
	const void *nvkm;
	struct device *dev;

	return drm_fault_nouveau_peek(&nvkm, base, device) &&
	       drm_fault_nouveau_peek(&dev, nvkm, DRM_FAULT_NOUVEAU_DEVICE_DEV) ?
	       drm_fault_reporter_of_device(dev) : NULL;
}

/**
 * drm_fault_nouveau_fault_type - why the MMU failed
 * @reason: its word for it
 *
 * Context: Any.
 * Return: enum drm_fault_type
 */
u32 drm_fault_nouveau_fault_type(u32 reason)
{
	return reason < ARRAY_SIZE(nouveau_reasons) ? nouveau_reasons[reason] :
	       DRM_FAULT_TYPE_OTHER;
}

/**
 * drm_fault_nouveau_level - where the MMU failed
 * @reason: its word for it
 *
 * Context: Any.
 * Return: level of the page table, 0 if not known: there are several of directories
 */
u32 drm_fault_nouveau_level(u32 reason)
{
	return reason == NOUVEAU_REASON_PTE;
}

static bool nouveau_fault_read(struct nouveau_fault *fault, const void *info)
{
	bool read = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nouveau_fault_members); i++)
		read &= drm_fault_nouveau_peek((void *)fault + nouveau_fault_members[i].to, info,
					       nouveau_fault_members[i].field);
	return read;
}

static void nouveau_fault_event(const struct nouveau_fault *fault,
				struct drm_fault_event *event)
{
	bool physical = fault->access & NOUVEAU_ACCESS_PHYSICAL;
	u8 access = fault->access & ~NOUVEAU_ACCESS_PHYSICAL;

	event->key = fault->inst;
	event->gpu_timestamp = fault->time;
	if (access < ARRAY_SIZE(nouveau_access))
		event->access = nouveau_access[access];
	event->fault_type = drm_fault_nouveau_fault_type(fault->reason);
	event->level = drm_fault_nouveau_level(fault->reason);
	if (!physical) {
		event->address = fault->address;
		event->address_precision = DRM_FAULT_NOUVEAU_PAGE;
	}
	event->raw_format = DRM_FAULT_RAW_NOUVEAU;
	event->raw_count = 2;
	event->raw[0] = (u64)fault->valid << 48 | (u64)fault->reason << 40 |
			(u64)fault->access << 32 | (u64)fault->hub << 24 |
			fault->gpc << 16 | fault->client << 8 | fault->engine;
	event->raw[1] = fault->address;
}

static bool nouveau_fifo_fault(struct drm_fault_hook_hit *hit)
{
	const void *fifo = (void *)drm_fault_hook_arg(hit, 0);
	struct drm_fault_nouveau_engine engine = { 0 };
	struct drm_fault_event event = { 0 };
	struct drm_fault_reporter *reporter;
	struct nouveau_fault fault;

	reporter = drm_fault_nouveau_reporter(fifo, DRM_FAULT_NOUVEAU_FIFO_DEVICE);
	if (!reporter || !nouveau_fault_read(&fault, (void *)drm_fault_hook_arg(hit, 1))) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	if (drm_fault_nouveau_engine_find(&engine, fifo, fault.engine)) {
		drm_fault_nouveau_engine_event(&engine, &event);
		if (drm_fault_nouveau_triggered(&engine)) {
			drm_fault_note_timeout(reporter, &event);
			return true;
		}
	} else if (!fault.hub) {
		/* Clients in a GPC are all of the graphics engine. */
		event.engine = "gr";
		event.engine_class = DRM_FAULT_ENGINE_RENDER;
	}
	nouveau_fault_event(&fault, &event);
	drm_fault_report(reporter, &event);
	return true;
}

#define NOUVEAU_RC(function, entry) \
	{ \
		.symbol = function, \
		.kind = DRM_FAULT_HOOK_RETURN, \
		.provides = DRM_FAULT_PROVIDES_FAULT | DRM_FAULT_PROVIDES_HANG, \
		.prototype = "int (void *, u32, void *, u32)", \
		.enter = entry, \
		.leave = drm_fault_nouveau_rc_done, \
		.data_size = sizeof(struct drm_fault_nouveau_rc), \
	}

/* Arguments of nouveau_channel_new(), of today and of long ago. */
#define NOUVEAU_NEW	"struct nouveau_cli *, bool, u64, u32, u32, struct nouveau_channel **"
#define NOUVEAU_NEW_OLD	"struct nouveau_drm *, struct nvif_device *, u32, u32, bool, struct nouveau_channel **"

struct drm_fault_hook drm_fault_nouveau_list[DRM_FAULT_NOUVEAU_HOOKS] = {
	[DRM_FAULT_NOUVEAU_FIFO_FAULT] = {
		.symbol = "nvkm_fifo_fault",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT,
		.prototype = "void (struct nvkm_fifo *, struct nvkm_fault_data *)",
		.enter = nouveau_fifo_fault,
	},
	[DRM_FAULT_NOUVEAU_FAULT_TRIGGER] = {
		.symbol = "gf100_engn_mmu_fault_trigger",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "void (struct nvkm_engn *)",
		.enter = drm_fault_nouveau_trigger,
	},
	[DRM_FAULT_NOUVEAU_RC_R570] = NOUVEAU_RC("r570_fifo_rc_triggered",
						 drm_fault_nouveau_rc570),
	[DRM_FAULT_NOUVEAU_RC_R535] = NOUVEAU_RC("r535_fifo_rc_triggered",
						 drm_fault_nouveau_rc535),
	[DRM_FAULT_NOUVEAU_RC_GSP] = NOUVEAU_RC("r535_gsp_msg_rc_triggered",
						drm_fault_nouveau_rc535),
	[DRM_FAULT_NOUVEAU_CHAN_ERROR] = {
		.symbol = "nvkm_chan_error",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "void (struct nvkm_chan *, bool)",
		.enter = drm_fault_nouveau_chan_error,
	},
	[DRM_FAULT_NOUVEAU_CHANNEL_ALLOC] = {
		.symbol = "nouveau_abi16_ioctl_channel_alloc",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct drm_device *, void *, struct drm_file *)",
		.enter = drm_fault_nouveau_channel_alloc,
		.leave = drm_fault_nouveau_channel_alloced,
		.data_size = sizeof(struct drm_fault_nouveau_alloc),
	},
	[DRM_FAULT_NOUVEAU_CHANNEL_NEW] = {
		.symbol = "nouveau_channel_new",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (" NOUVEAU_NEW ") | int (" NOUVEAU_NEW_OLD ")",
		.enter = drm_fault_nouveau_channel_new,
		.leave = drm_fault_nouveau_channel_made,
		.data_size = sizeof(void *),
	},
	[DRM_FAULT_NOUVEAU_CHANNEL_DEL] = {
		.symbol = "nouveau_channel_del",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "void (struct nouveau_channel **)",
		.enter = drm_fault_nouveau_channel_del,
	},
	[DRM_FAULT_NOUVEAU_CHANNEL_KILLED] = {
		.symbol = "nouveau_channel_killed",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "int (struct nvif_event *, void *, u32) | int (struct nvif_notify *)",
		.enter = drm_fault_nouveau_channel_killed,
	},
	[DRM_FAULT_NOUVEAU_JOB_TIMEDOUT] = {
		.symbol = "nouveau_sched_timedout_job",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "enum drm_gpu_sched_stat (struct drm_sched_job *)",
		.enter = drm_fault_nouveau_job_timedout,
		.leave = drm_fault_nouveau_job_ended,
		.data_size = sizeof(struct drm_fault_nouveau_timeout),
	},
	[DRM_FAULT_NOUVEAU_EXEC_TIMEOUT] = {
		.symbol = "nouveau_exec_job_timeout",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "enum drm_gpu_sched_stat (struct nouveau_job *)",
		.enter = drm_fault_nouveau_exec_timeout,
	},
};

struct drm_fault_hooks drm_fault_nouveau_hooks = {
	.name = "nouveau",
	.driver = "nouveau",
	.module = "nouveau",
	.hooks = drm_fault_nouveau_list,
	.hook_count = ARRAY_SIZE(drm_fault_nouveau_list),
	.fields = drm_fault_nouveau_fields,
	.field_count = ARRAY_SIZE(drm_fault_nouveau_fields),
	.opened = drm_fault_nouveau_opened,
};
