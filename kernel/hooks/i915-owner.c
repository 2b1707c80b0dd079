// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose an engine's work is. The error state has no more of that than the number
 * of a thread, which several openers may share and which may be another's by now.
 * But each request is noted in it by a function that is given the request: from
 * there it is a short way to the DRM file.
 */
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <drm/drm_file.h>

#include "i915.h"

#define I915_NOTES	32

/**
 * struct i915_note - a request that went into an error state
 * @state: struct intel_engine_coredump, NULL: the place is free
 * @key: of the context, the DRM file's address
 * @context: &drm_fault_record.context_id, so that another file at the same address
 *	is not taken for it; 0: not known
 * @fence_context: of the request
 * @fence_seqno: likewise
 * @position: where it lies in the ring; a state that does not say the same is
 *	another one at the same address
 */
struct i915_note {
	const void *state;
	u64 key;
	u64 context;
	u64 fence_context;
	u64 fence_seqno;
	u32 position[DRM_FAULT_I915_POSITIONS];
};

/* Protects the notes; innermost, in handlers. */
static DEFINE_RAW_SPINLOCK(i915_notes_lock);
static struct i915_note i915_notes[I915_NOTES];
static unsigned int i915_note_next;

static void i915_note_add(const struct i915_note *note)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&i915_notes_lock, flags);
	for (i = 0; i < I915_NOTES; i++)
		if (i915_notes[i].state == note->state)
			i915_notes[i].state = NULL;
	i915_notes[i915_note_next++ % I915_NOTES] = *note;
	raw_spin_unlock_irqrestore(&i915_notes_lock, flags);
}

static bool i915_note_take(const struct drm_fault_i915_engine *engine,
			   struct i915_note *note)
{
	unsigned long flags;
	bool found = false;
	unsigned int i;

	raw_spin_lock_irqsave(&i915_notes_lock, flags);
	for (i = 0; !found && i < I915_NOTES; i++) {
		if (i915_notes[i].state != engine->state)
			continue;
		*note = i915_notes[i];
		i915_notes[i].state = NULL;
		found = true;
	}
	raw_spin_unlock_irqrestore(&i915_notes_lock, flags);
	return found && !memcmp(note->position, engine->position, sizeof(note->position));
}

static u64 i915_request_file(const void *request)
{
	const void *ce, *gem, *priv;
	const struct drm_file *file;

	/* A closed context has an error for a file: nothing is read there. */
	if (!drm_fault_i915_peek(&ce, request, DRM_FAULT_I915_RQ_CONTEXT) ||
	    !drm_fault_i915_peek(&gem, ce, DRM_FAULT_I915_CE_GEM) ||
	    !drm_fault_i915_peek(&priv, gem, DRM_FAULT_I915_GEM_FILE) ||
	    !drm_fault_i915_peek(&file, priv, DRM_FAULT_I915_FILE_DRM))
		return 0;
	return (unsigned long)file;
}

/**
 * drm_fault_i915_request_captured - intel_engine_coredump_add_request()
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_i915_request_captured(struct drm_fault_hook_hit *hit)
{
	const void *request = (void *)drm_fault_hook_arg(hit, 1);
	struct i915_note note = { .state = (void *)drm_fault_hook_arg(hit, 0) };
	struct drm_fault_reporter *reporter;
	struct drm_fault_context *context;
	const void *i915;

	if (!note.state ||
	    !drm_fault_i915_peek(&i915, request, DRM_FAULT_I915_RQ_I915) ||
	    !drm_fault_i915_peek(&note.position[0], request, DRM_FAULT_I915_RQ_HEAD) ||
	    !drm_fault_i915_peek(&note.position[1], request, DRM_FAULT_I915_RQ_POST) ||
	    !drm_fault_i915_peek(&note.position[2], request, DRM_FAULT_I915_RQ_TAIL))
		return true;
	drm_fault_i915_peek(&note.fence_context, request, DRM_FAULT_I915_RQ_FENCE_CONTEXT);
	drm_fault_i915_peek(&note.fence_seqno, request, DRM_FAULT_I915_RQ_FENCE_SEQNO);
	note.key = i915_request_file(request);
	reporter = drm_fault_i915_reporter(i915);
	context = reporter ? drm_fault_context_of_key(reporter, note.key) : NULL;
	if (context)
		note.context = drm_fault_context_id(context);
	i915_note_add(&note);
	return true;
}

/**
 * drm_fault_i915_own - say whose the work of an engine is
 * @reporter: the GPU
 * @engine: the engine
 * @event: gets the context and the fence
 *
 * Context: In a handler.
 */
void drm_fault_i915_own(struct drm_fault_reporter *reporter,
			const struct drm_fault_i915_engine *engine,
			struct drm_fault_event *event)
{
	struct drm_fault_context *context;
	struct i915_note note;

	if (!i915_note_take(engine, &note))
		return;
	event->job_context = note.fence_context;
	event->job_seqno = note.fence_seqno;
	context = drm_fault_context_of_key(reporter, note.key);
	if (context && drm_fault_context_id(context) == note.context)
		event->context = context;
}

/**
 * drm_fault_i915_context_created - i915_gem_context_create_ioctl()
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_i915_context_created(struct drm_fault_hook_hit *hit)
{
	const struct drm_device *drm = (void *)drm_fault_hook_arg(hit, 0);
	struct drm_fault_reporter *reporter = drm_fault_reporter_of_drm(drm);
	struct drm_fault_context *context = NULL;

	if (reporter)
		context = drm_fault_context_of_key(reporter, drm_fault_hook_arg(hit, 2));
	if (context)
		drm_fault_context_claim(context);
	return true;
}

/**
 * drm_fault_i915_opened - &drm_fault_hooks.opened
 * @reporter: the GPU
 * @client: the opener
 * @file: its file, the address of which is the key
 *
 * Context: Atomic.
 */
void drm_fault_i915_opened(struct drm_fault_reporter *reporter,
			   struct drm_fault_client *client, const struct drm_file *file)
{
	const struct drm_fault_context_args args = {
		.client = client,
		.key = (unsigned long)file,
		.atomic = true,
	};

	drm_fault_context_create(reporter, &args);
}
