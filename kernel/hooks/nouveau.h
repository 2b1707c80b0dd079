/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of nouveau's hooks share. */
#ifndef _DRM_FAULT_HOOKS_NOUVEAU_H_
#define _DRM_FAULT_HOOKS_NOUVEAU_H_

#include <drm/drm_fault.h>

#define DRM_FAULT_NOUVEAU_PAGE		4096

/* Members of the driver's structures, in drm_fault_nouveau_fields. */
enum drm_fault_nouveau_field {
	DRM_FAULT_NOUVEAU_FAULT_ADDRESS,
	DRM_FAULT_NOUVEAU_FAULT_INST,
	DRM_FAULT_NOUVEAU_FAULT_TIME,
	DRM_FAULT_NOUVEAU_FAULT_ENGINE,
	DRM_FAULT_NOUVEAU_FAULT_VALID,
	DRM_FAULT_NOUVEAU_FAULT_GPC,
	DRM_FAULT_NOUVEAU_FAULT_HUB,
	DRM_FAULT_NOUVEAU_FAULT_ACCESS,
	DRM_FAULT_NOUVEAU_FAULT_CLIENT,
	DRM_FAULT_NOUVEAU_FAULT_REASON,
	DRM_FAULT_NOUVEAU_FIFO_DEVICE,
	DRM_FAULT_NOUVEAU_GSP_DEVICE,
	DRM_FAULT_NOUVEAU_DEVICE_DEV,
	DRM_FAULT_NOUVEAU_FIFO_RUNLS,
	DRM_FAULT_NOUVEAU_RUNL_HEAD,
	DRM_FAULT_NOUVEAU_RUNL_ENGNS,
	DRM_FAULT_NOUVEAU_ENGN_HEAD,
	DRM_FAULT_NOUVEAU_ENGN_FAULT,
	DRM_FAULT_NOUVEAU_ENGN_ENGINE,
	DRM_FAULT_NOUVEAU_ENGINE_NAME,
	DRM_FAULT_NOUVEAU_ENGINE_INST,
	DRM_FAULT_NOUVEAU_CHAN_INST,
	DRM_FAULT_NOUVEAU_OBJECT_ADDRESS,
	DRM_FAULT_NOUVEAU_CHANNEL_INST,
	DRM_FAULT_NOUVEAU_CHANNEL_KILL,
	DRM_FAULT_NOUVEAU_CHANNEL_CLI,
	DRM_FAULT_NOUVEAU_CHANNEL_DRM,
	DRM_FAULT_NOUVEAU_CLI_DRM,
	DRM_FAULT_NOUVEAU_CLI_ABI16,
	DRM_FAULT_NOUVEAU_DRM_DEV,
	DRM_FAULT_NOUVEAU_ABI16_CHANNELS,
	DRM_FAULT_NOUVEAU_ABI16_HEAD,
	DRM_FAULT_NOUVEAU_ABI16_CHANNEL,
	DRM_FAULT_NOUVEAU_JOB_BASE,
	DRM_FAULT_NOUVEAU_JOB_CLI,
	DRM_FAULT_NOUVEAU_EXEC_BASE,
	DRM_FAULT_NOUVEAU_EXEC_CHANNEL,
	DRM_FAULT_NOUVEAU_FIELDS,
};

extern struct drm_fault_field drm_fault_nouveau_fields[DRM_FAULT_NOUVEAU_FIELDS];

static inline bool drm_fault_nouveau_peek(void *to, const void *base,
					  enum drm_fault_nouveau_field field)
{
	return drm_fault_field_peek(to, base, &drm_fault_nouveau_fields[field]);
}

/* Where a member is; negative: not known. */
static inline int drm_fault_nouveau_offset(enum drm_fault_nouveau_field field)
{
	return READ_ONCE(drm_fault_nouveau_fields[field].offset);
}

/* In drm_fault_nouveau_list. */
enum drm_fault_nouveau_hook {
	DRM_FAULT_NOUVEAU_FIFO_FAULT,
	DRM_FAULT_NOUVEAU_FAULT_TRIGGER,
	DRM_FAULT_NOUVEAU_RC_R570,
	DRM_FAULT_NOUVEAU_RC_R535,
	DRM_FAULT_NOUVEAU_RC_GSP,
	DRM_FAULT_NOUVEAU_CHAN_ERROR,
	DRM_FAULT_NOUVEAU_CHANNEL_ALLOC,
	DRM_FAULT_NOUVEAU_CHANNEL_NEW,
	DRM_FAULT_NOUVEAU_CHANNEL_DEL,
	DRM_FAULT_NOUVEAU_CHANNEL_KILLED,
	DRM_FAULT_NOUVEAU_JOB_TIMEDOUT,
	DRM_FAULT_NOUVEAU_EXEC_TIMEOUT,
	DRM_FAULT_NOUVEAU_HOOKS,
};

extern struct drm_fault_hook drm_fault_nouveau_list[DRM_FAULT_NOUVEAU_HOOKS];

/**
 * struct drm_fault_nouveau_engine - an engine
 * @engn: struct nvkm_engn, compared only
 * @name: the driver's name of it
 * @class: enum drm_fault_engine_class
 * @instance: number in its class
 */
struct drm_fault_nouveau_engine {
	const void *engn;
	char name[16];
	u32 class;
	u32 instance;
};

bool drm_fault_nouveau_engine_find(struct drm_fault_nouveau_engine *engine,
				   const void *fifo, u32 fault);
void drm_fault_nouveau_engine_event(const struct drm_fault_nouveau_engine *engine,
				    struct drm_fault_event *event);
bool drm_fault_nouveau_triggered(const struct drm_fault_nouveau_engine *engine);
bool drm_fault_nouveau_trigger(struct drm_fault_hook_hit *hit);

u32 drm_fault_nouveau_fault_type(u32 reason);
u32 drm_fault_nouveau_level(u32 reason);
struct drm_fault_reporter *drm_fault_nouveau_reporter(const void *base,
						      enum drm_fault_nouveau_field device);

/**
 * struct drm_fault_nouveau_rc - the firmware says that a channel failed
 * @gsp: struct nvkm_gsp
 * @inst: of the channel, as soon as the driver has found it
 * @engine: NV2080_ENGINE_TYPE_*
 * @chid: the firmware's number of the channel
 * @gfid: function of a divided GPU
 * @level: of the error
 * @error: what happened
 * @scope: who else is affected
 * @partition: part of a divided GPU
 * @has_address: @address and @type are told
 * @address: of an MMU fault
 * @type: of an MMU fault
 */
struct drm_fault_nouveau_rc {
	const void *gsp;
	u64 inst;
	u32 engine;
	u32 chid;
	u32 gfid;
	u32 level;
	u32 error;
	u32 scope;
	u16 partition;
	bool has_address;
	u64 address;
	u32 type;
};

bool drm_fault_nouveau_rc_tells(void);
bool drm_fault_nouveau_rc535(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_rc570(struct drm_fault_hook_hit *hit);
void drm_fault_nouveau_rc_done(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_chan_error(struct drm_fault_hook_hit *hit);

/**
 * struct drm_fault_nouveau_alloc - a client asks for a channel
 * @drm: the GPU
 * @file: the client's file
 */
struct drm_fault_nouveau_alloc {
	const struct drm_device *drm;
	const struct drm_file *file;
};

/**
 * struct drm_fault_nouveau_timeout - a job did not end in time
 * @drm: struct drm_device of the GPU
 * @inst: of its channel, 0: it has none
 * @context: of its fence
 * @seqno: of its fence
 */
struct drm_fault_nouveau_timeout {
	const void *drm;
	u64 inst;
	u64 context;
	u64 seqno;
};

void drm_fault_nouveau_opened(struct drm_fault_reporter *reporter,
			      struct drm_fault_client *client, const struct drm_file *file);
bool drm_fault_nouveau_channel_alloc(struct drm_fault_hook_hit *hit);
void drm_fault_nouveau_channel_alloced(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_channel_new(struct drm_fault_hook_hit *hit);
void drm_fault_nouveau_channel_made(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_channel_del(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_channel_killed(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_job_timedout(struct drm_fault_hook_hit *hit);
void drm_fault_nouveau_job_ended(struct drm_fault_hook_hit *hit);
bool drm_fault_nouveau_exec_timeout(struct drm_fault_hook_hit *hit);

#endif /* _DRM_FAULT_HOOKS_NOUVEAU_H_ */
