// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which engine a number of the MMU means. It differs between GPUs; the driver keeps
 * it with each engine of its runlists.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "nouveau.h"

#define NOUVEAU_RUNLISTS	64
#define NOUVEAU_ENGINES		64
#define NOUVEAU_TRIGGERS	16
#define NOUVEAU_TRIGGER_TIME	(2 * HZ)

static const struct {
	const char *prefix;
	u32 class;
} nouveau_classes[] = {
	{ "gr", DRM_FAULT_ENGINE_RENDER },
	{ "ce", DRM_FAULT_ENGINE_COPY },
	{ "nvdec", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "mspdec", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "msvld", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "msppp", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "bsp", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "vp", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "nvenc", DRM_FAULT_ENGINE_VIDEO_ENCODE },
	{ "msenc", DRM_FAULT_ENGINE_VIDEO_ENCODE },
};

/**
 * struct nouveau_trigger - the next fault of an engine is none
 * @engn: struct nvkm_engn, NULL: the place is free
 * @end: if it comes before, in jiffies
 */
struct nouveau_trigger {
	const void *engn;
	unsigned long end;
};

/* Protects the triggers; innermost, in handlers. */
static DEFINE_RAW_SPINLOCK(nouveau_triggers_lock);
static struct nouveau_trigger nouveau_triggers[NOUVEAU_TRIGGERS];
static unsigned int nouveau_trigger_next;

static u32 nouveau_class(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nouveau_classes); i++)
		if (!strncmp(name, nouveau_classes[i].prefix, strlen(nouveau_classes[i].prefix)))
			return nouveau_classes[i].class;
	return DRM_FAULT_ENGINE_OTHER;
}

static const void *nouveau_first(const void *base, enum drm_fault_nouveau_field head,
				 const void **end)
{
	int offset = drm_fault_nouveau_offset(head);
	const struct list_head *next;

	*end = base + offset;
	return offset >= 0 && drm_fault_peek(&next, *end, sizeof(next)) ? next : *end;
}

static const void *nouveau_next(const void *at, const void *end)
{
	const struct list_head *next;

	return drm_fault_peek(&next, at, sizeof(next)) ? next : end;
}

static bool nouveau_engine_read(struct drm_fault_nouveau_engine *engine, const void *engn)
{
	const void *base;

	engine->engn = engn;
	if (!drm_fault_nouveau_peek(&base, engn, DRM_FAULT_NOUVEAU_ENGN_ENGINE) ||
	    !drm_fault_nouveau_peek(engine->name, base, DRM_FAULT_NOUVEAU_ENGINE_NAME) ||
	    !drm_fault_nouveau_peek(&engine->instance, base, DRM_FAULT_NOUVEAU_ENGINE_INST))
		return false;
	engine->name[sizeof(engine->name) - 1] = '\0';
	engine->class = nouveau_class(engine->name);
	return true;
}

static const void *nouveau_engn_of_fault(const void *runl, u32 fault)
{
	int head = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_ENGN_HEAD);
	unsigned int left = NOUVEAU_ENGINES;
	const void *at, *end;
	u32 number;

	for (at = nouveau_first(runl, DRM_FAULT_NOUVEAU_RUNL_ENGNS, &end);
	     at != end && left--; at = nouveau_next(at, end))
		if (drm_fault_nouveau_peek(&number, at - head, DRM_FAULT_NOUVEAU_ENGN_FAULT) &&
		    number == fault)
			return at - head;
	return NULL;
}

/**
 * drm_fault_nouveau_engine_find - which engine faulted
 * @engine: returns it
 * @fifo: struct nvkm_fifo
 * @fault: the MMU's number of it
 *
 * Context: In a handler.
 * Return: false if that is not known
 */
bool drm_fault_nouveau_engine_find(struct drm_fault_nouveau_engine *engine,
				   const void *fifo, u32 fault)
{
	int head = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_RUNL_HEAD);
	unsigned int left = NOUVEAU_RUNLISTS;
	const void *at, *end, *engn;

	if (head < 0 || drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_ENGN_HEAD) < 0)
		return false;
	for (at = nouveau_first(fifo, DRM_FAULT_NOUVEAU_FIFO_RUNLS, &end);
	     at != end && left--; at = nouveau_next(at, end)) {
		engn = nouveau_engn_of_fault(at - head, fault);
		if (engn)
			return nouveau_engine_read(engine, engn);
	}
	return false;
}

/**
 * drm_fault_nouveau_engine_event - say which engine it was
 * @engine: the engine, must stay as long as @event
 * @event: gets it
 *
 * Context: Any.
 */
void drm_fault_nouveau_engine_event(const struct drm_fault_nouveau_engine *engine,
				    struct drm_fault_event *event)
{
	event->engine = engine->name;
	event->engine_class = engine->class;
	event->engine_instance = engine->instance;
}

/**
 * drm_fault_nouveau_trigger - gf100_engn_mmu_fault_trigger()
 * @hit: its arguments
 *
 * Up to Pascal an engine that does not switch contexts is recovered by a fault that
 * the driver makes.
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_trigger(struct drm_fault_hook_hit *hit)
{
	const struct nouveau_trigger trigger = {
		.engn = (void *)drm_fault_hook_arg(hit, 0),
		.end = jiffies + NOUVEAU_TRIGGER_TIME,
	};
	unsigned long flags;

	raw_spin_lock_irqsave(&nouveau_triggers_lock, flags);
	nouveau_triggers[nouveau_trigger_next++ % NOUVEAU_TRIGGERS] = trigger;
	raw_spin_unlock_irqrestore(&nouveau_triggers_lock, flags);
	return true;
}

/**
 * drm_fault_nouveau_triggered - did the driver make this fault?
 * @engine: that faulted
 *
 * Context: In a handler.
 * Return: true if it did, once
 */
bool drm_fault_nouveau_triggered(const struct drm_fault_nouveau_engine *engine)
{
	unsigned long flags;
	bool found = false;
	unsigned int i;

	raw_spin_lock_irqsave(&nouveau_triggers_lock, flags);
	for (i = 0; i < NOUVEAU_TRIGGERS; i++) {
		if (nouveau_triggers[i].engn != engine->engn)
			continue;
		nouveau_triggers[i].engn = NULL;
		found |= time_before(jiffies, nouveau_triggers[i].end);
	}
	raw_spin_unlock_irqrestore(&nouveau_triggers_lock, flags);
	return found;
}
