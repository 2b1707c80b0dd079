// SPDX-License-Identifier: GPL-2.0-only
/*
 * From Turing on the firmware handles faults where the driver uses it (GSP-RM), and
 * tells the driver which channel failed. The message has a number of the channel
 * that differs from the driver's; the driver finds the channel and disables it,
 * there it is seen which it is.
 */
#include <linux/kernel.h>

#include "nouveau.h"

/* What happened, as NVIDIA counts it for all drivers. */
#define NOUVEAU_RC_IDLE_TIMEOUT		8
#define NOUVEAU_RC_MMU_FAULT		31
#define NOUVEAU_RC_SWITCH_TIMEOUT	109

/* Firmware 535: nv2080EngineType, chid, exceptType, scope, partition (u16). */
#define NOUVEAU_RC535_SIZE		20
/* Firmware 570: the same with gfid and level behind chid, and the fault at the end. */
#define NOUVEAU_RC570_SIZE		40

/* NV2080_ENGINE_TYPE_*, by their first number. */
static const struct {
	u32 first;
	u32 last;
	u32 instance;
	u32 class;
	const char *name;
	bool numbered;
} nouveau_rc_engines[] = {
	{ 0x01, 0x01, 0, DRM_FAULT_ENGINE_RENDER, "gr", false },
	{ 0x02, 0x08, 1, DRM_FAULT_ENGINE_RENDER, "gr", true },
	{ 0x09, 0x12, 0, DRM_FAULT_ENGINE_COPY, "ce", true },
	{ 0x13, 0x1a, 0, DRM_FAULT_ENGINE_VIDEO_DECODE, "nvdec", true },
	{ 0x1b, 0x1d, 0, DRM_FAULT_ENGINE_VIDEO_ENCODE, "nvenc", true },
	{ 0x22, 0x22, 0, DRM_FAULT_ENGINE_OTHER, "sw", false },
	{ 0x26, 0x26, 0, DRM_FAULT_ENGINE_OTHER, "sec2", false },
	{ 0x2b, 0x32, 0, DRM_FAULT_ENGINE_OTHER, "nvjpg", true },
	{ 0x33, 0x33, 0, DRM_FAULT_ENGINE_OTHER, "ofa", true },
	{ 0x34, 0x3d, 10, DRM_FAULT_ENGINE_COPY, "ce", true },
	{ 0x3e, 0x3e, 1, DRM_FAULT_ENGINE_OTHER, "ofa", true },
};

/* @name: room for it, must stay as long as @event */
static void nouveau_rc_engine(struct drm_fault_event *event, u32 engine, char *name,
			      size_t size)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nouveau_rc_engines); i++) {
		if (engine < nouveau_rc_engines[i].first || engine > nouveau_rc_engines[i].last)
			continue;
		event->engine_class = nouveau_rc_engines[i].class;
		event->engine_instance = nouveau_rc_engines[i].instance +
					 engine - nouveau_rc_engines[i].first;
		event->engine = nouveau_rc_engines[i].name;
		if (nouveau_rc_engines[i].numbered) {
			scnprintf(name, size, "%s%u", event->engine, event->engine_instance);
			event->engine = name;
		}
	}
}

static bool nouveau_rc_timed_out(u32 error)
{
	return error == NOUVEAU_RC_IDLE_TIMEOUT || error == NOUVEAU_RC_SWITCH_TIMEOUT;
}

static bool nouveau_rc_read(struct drm_fault_hook_hit *hit, u32 *words, size_t size)
{
	struct drm_fault_nouveau_rc *rc = hit->data;
	const void *message = (void *)drm_fault_hook_arg(hit, 2);

	rc->gsp = (void *)drm_fault_hook_arg(hit, 0);
	if ((u32)drm_fault_hook_arg(hit, 3) >= size && drm_fault_peek(words, message, size))
		return true;
	drm_fault_hook_drop(hit->hook);
	return false;
}

/**
 * drm_fault_nouveau_rc535 - a message of firmware 535
 * @hit: arguments of who gets it
 *
 * Context: In a handler.
 * Return: true if it is complete
 */
bool drm_fault_nouveau_rc535(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_nouveau_rc *rc = hit->data;
	u32 words[NOUVEAU_RC535_SIZE / sizeof(u32)];

	if (!nouveau_rc_read(hit, words, sizeof(words)))
		return false;
	rc->engine = words[0];
	rc->chid = words[1];
	rc->error = words[2];
	rc->scope = words[3];
	rc->partition = words[4];
	return true;
}

/**
 * drm_fault_nouveau_rc570 - a message of firmware 570
 * @hit: arguments of who gets it
 *
 * Context: In a handler.
 * Return: true if it is complete
 */
bool drm_fault_nouveau_rc570(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_nouveau_rc *rc = hit->data;
	u32 words[NOUVEAU_RC570_SIZE / sizeof(u32)];

	if (!nouveau_rc_read(hit, words, sizeof(words)))
		return false;
	rc->engine = words[0];
	rc->chid = words[1];
	rc->gfid = words[2];
	rc->level = words[3];
	rc->error = words[4];
	rc->scope = words[5];
	rc->partition = words[6];
	rc->has_address = true;
	rc->address = (u64)words[8] << 32 | words[7];
	rc->type = words[9];
	return true;
}

static struct drm_fault_nouveau_rc *nouveau_rc_in_progress(void)
{
	static const u8 hooks[] = {
		DRM_FAULT_NOUVEAU_RC_R570, DRM_FAULT_NOUVEAU_RC_R535, DRM_FAULT_NOUVEAU_RC_GSP,
	};
	struct drm_fault_nouveau_rc *rc = NULL;
	unsigned int i;

	for (i = 0; !rc && i < ARRAY_SIZE(hooks); i++)
		rc = drm_fault_hook_enclosing(&drm_fault_nouveau_list[hooks[i]]);
	return rc;
}

/**
 * drm_fault_nouveau_rc_tells - is a message in progress, which will be told?
 *
 * Context: In a handler.
 * Return: true if there is
 */
bool drm_fault_nouveau_rc_tells(void)
{
	return nouveau_rc_in_progress();
}

/**
 * drm_fault_nouveau_chan_error - nvkm_chan_error()
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_chan_error(struct drm_fault_hook_hit *hit)
{
	const void *chan = (void *)drm_fault_hook_arg(hit, 0), *object;
	struct drm_fault_nouveau_rc *rc = nouveau_rc_in_progress();

	if (rc && drm_fault_nouveau_peek(&object, chan, DRM_FAULT_NOUVEAU_CHAN_INST))
		drm_fault_nouveau_peek(&rc->inst, object, DRM_FAULT_NOUVEAU_OBJECT_ADDRESS);
	return true;
}

static void nouveau_rc_report(struct drm_fault_reporter *reporter,
			      const struct drm_fault_nouveau_rc *rc,
			      struct drm_fault_event *event)
{
	if (nouveau_rc_timed_out(rc->error)) {
		event->flags |= DRM_FAULT_RECORD_F_GUILTY;
		drm_fault_note_timeout(reporter, event);
		return;
	}
	if (rc->error != NOUVEAU_RC_MMU_FAULT) {
		drm_fault_note_reset(reporter, event);
		return;
	}
	event->fault_type = DRM_FAULT_TYPE_OTHER;
	if (rc->has_address) {
		event->address = rc->address;
		event->address_precision = DRM_FAULT_NOUVEAU_PAGE;
		event->fault_type = drm_fault_nouveau_fault_type(rc->type);
		event->level = drm_fault_nouveau_level(rc->type);
	}
	drm_fault_report(reporter, event);
}

/**
 * drm_fault_nouveau_rc_done - the driver has dealt with a message
 * @hit: what was kept
 *
 * Context: In a handler.
 */
void drm_fault_nouveau_rc_done(struct drm_fault_hook_hit *hit)
{
	const struct drm_fault_nouveau_rc *rc = hit->data;
	struct drm_fault_event event = {
		.key = rc->inst,
		.flags = DRM_FAULT_RECORD_F_FATAL,
		.raw_format = DRM_FAULT_RAW_NOUVEAU_GSP,
		.raw_count = 4,
		.raw = {
			(u64)rc->error << 32 | rc->engine,
			(u64)rc->type << 32 | rc->chid,
			(u64)rc->partition << 32 | rc->scope,
			(u64)rc->level << 32 | rc->gfid,
		},
	};
	struct drm_fault_reporter *reporter;
	char name[DRM_FAULT_ENGINE_LEN];

	reporter = drm_fault_nouveau_reporter(rc->gsp, DRM_FAULT_NOUVEAU_GSP_DEVICE);
	if (!reporter) {
		drm_fault_hook_drop(hit->hook);
		return;
	}
	nouveau_rc_engine(&event, rc->engine, name, sizeof(name));
	nouveau_rc_report(reporter, rc, &event);
}
