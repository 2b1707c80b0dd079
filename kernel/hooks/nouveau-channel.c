// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels of nouveau's clients: each has a context, by the address of its instance
 * block, which is what the hardware and the driver name it by. The driver's own
 * channels have none, as no process has them.
 */
#include <linux/dma-fence.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>

#include <drm/drm_file.h>
#include <drm/gpu_scheduler.h>

#include "nouveau.h"

#define NOUVEAU_CHANNELS	1024

static u64 nouveau_channel_inst(const void *channel)
{
	u64 inst;

	drm_fault_nouveau_peek(&inst, channel, DRM_FAULT_NOUVEAU_CHANNEL_INST);
	return inst;
}

static struct drm_fault_reporter *nouveau_cli_reporter(const void *cli)
{
	const void *nouveau, *drm;

	return drm_fault_nouveau_peek(&nouveau, cli, DRM_FAULT_NOUVEAU_CLI_DRM) &&
	       drm_fault_nouveau_peek(&drm, nouveau, DRM_FAULT_NOUVEAU_DRM_DEV) ?
	       drm_fault_reporter_of_drm(drm) : NULL;
}

static struct drm_fault_reporter *nouveau_channel_reporter(const void *channel)
{
	const void *cli, *nouveau, *drm;

	if (drm_fault_nouveau_peek(&cli, channel, DRM_FAULT_NOUVEAU_CHANNEL_CLI))
		return nouveau_cli_reporter(cli);
	return drm_fault_nouveau_peek(&nouveau, channel, DRM_FAULT_NOUVEAU_CHANNEL_DRM) &&
	       drm_fault_nouveau_peek(&drm, nouveau, DRM_FAULT_NOUVEAU_DRM_DEV) ?
	       drm_fault_reporter_of_drm(drm) : NULL;
}

static struct drm_fault_context *nouveau_context_add(struct drm_fault_reporter *reporter,
						     struct drm_fault_client *client,
						     u64 inst)
{
	const struct drm_fault_context_args args = {
		.client = client,
		.key = inst,
		.atomic = true,
	};
	struct drm_fault_context *context;

	if (!inst)
		return NULL;
	/* Who had this instance block before, and whose end went by unseen? */
	drm_fault_context_destroy(drm_fault_context_of_key(reporter, inst));
	context = drm_fault_context_create(reporter, &args);
	return IS_ERR(context) ? NULL : context;
}

/**
 * drm_fault_nouveau_opened - &drm_fault_hooks.opened
 * @reporter: the GPU
 * @client: the opener
 * @file: its file
 *
 * Context: Atomic.
 */
void drm_fault_nouveau_opened(struct drm_fault_reporter *reporter,
			      struct drm_fault_client *client, const struct drm_file *file)
{
	int channels = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_ABI16_CHANNELS);
	int head = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_ABI16_HEAD);
	const void *cli = file->driver_priv, *abi16, *channel;
	unsigned int left = NOUVEAU_CHANNELS;
	const struct list_head *at;

	/* A client that was here before has channels already. */
	if (channels < 0 || head < 0 ||
	    !drm_fault_nouveau_peek(&abi16, cli, DRM_FAULT_NOUVEAU_CLI_ABI16) || !abi16 ||
	    !drm_fault_peek(&at, abi16 + channels, sizeof(at)))
		return;
	while (at != abi16 + channels && left--) {
		if (drm_fault_nouveau_peek(&channel, (void *)at - head,
					   DRM_FAULT_NOUVEAU_ABI16_CHANNEL))
			nouveau_context_add(reporter, client, nouveau_channel_inst(channel));
		if (!drm_fault_peek(&at, &at->next, sizeof(at)))
			break;
	}
}

/**
 * drm_fault_nouveau_channel_alloc - nouveau_abi16_ioctl_channel_alloc() begins
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_channel_alloc(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_nouveau_alloc *alloc = hit->data;

	alloc->drm = (void *)drm_fault_hook_arg(hit, 0);
	alloc->file = (void *)drm_fault_hook_arg(hit, 2);
	return true;
}

/**
 * drm_fault_nouveau_channel_alloced - nouveau_abi16_ioctl_channel_alloc() ends
 * @hit: nothing is wanted of it but that the function was in progress
 *
 * Context: In a handler.
 */
void drm_fault_nouveau_channel_alloced(struct drm_fault_hook_hit *hit)
{
}

/**
 * drm_fault_nouveau_channel_new - nouveau_channel_new() begins
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true if it is for a client
 */
bool drm_fault_nouveau_channel_new(struct drm_fault_hook_hit *hit)
{
	*(const void **)hit->data = (void *)drm_fault_hook_arg(hit, 5);
	return drm_fault_hook_enclosing(&drm_fault_nouveau_list[DRM_FAULT_NOUVEAU_CHANNEL_ALLOC]);
}

/**
 * drm_fault_nouveau_channel_made - nouveau_channel_new() has ended
 * @hit: its result
 *
 * Context: In a handler.
 */
void drm_fault_nouveau_channel_made(struct drm_fault_hook_hit *hit)
{
	const void *place = *(const void **)hit->data, *channel;
	const struct drm_fault_nouveau_alloc *alloc;
	struct drm_fault_reporter *reporter;
	struct drm_fault_context *context;
	struct drm_fault_client *client;

	alloc = drm_fault_hook_enclosing(&drm_fault_nouveau_list[DRM_FAULT_NOUVEAU_CHANNEL_ALLOC]);
	if ((int)hit->result || !alloc || !drm_fault_peek(&channel, place, sizeof(channel)))
		return;
	reporter = drm_fault_reporter_of_drm(alloc->drm);
	client = drm_fault_client_of_file(alloc->file);
	if (!reporter || !client)
		return;
	context = nouveau_context_add(reporter, client, nouveau_channel_inst(channel));
	if (context)
		drm_fault_context_claim(context);
}

/**
 * drm_fault_nouveau_channel_del - nouveau_channel_del()
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_channel_del(struct drm_fault_hook_hit *hit)
{
	const void *place = (void *)drm_fault_hook_arg(hit, 0), *channel;
	struct drm_fault_reporter *reporter;

	if (!drm_fault_peek(&channel, place, sizeof(channel)) || !channel)
		return true;
	reporter = nouveau_channel_reporter(channel);
	if (reporter)
		drm_fault_context_destroy(drm_fault_context_of_key(reporter,
								   nouveau_channel_inst(channel)));
	return true;
}

/**
 * drm_fault_nouveau_channel_killed - nouveau_channel_killed()
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_channel_killed(struct drm_fault_hook_hit *hit)
{
	int kill = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_CHANNEL_KILL);
	const void *channel = (void *)drm_fault_hook_arg(hit, 0) - kill;
	struct drm_fault_event event = { .flags = DRM_FAULT_RECORD_F_FATAL };
	struct drm_fault_reporter *reporter;

	/* What the firmware says of it is more, and has DRM_FAULT_RECORD_F_FATAL. */
	if (kill < 0 || drm_fault_nouveau_rc_tells())
		return true;
	reporter = nouveau_channel_reporter(channel);
	event.key = nouveau_channel_inst(channel);
	if (reporter)
		drm_fault_note_reset(reporter, &event);
	return true;
}

/**
 * drm_fault_nouveau_job_timedout - nouveau_sched_timedout_job() begins
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_job_timedout(struct drm_fault_hook_hit *hit)
{
	const struct drm_sched_job *base = (void *)drm_fault_hook_arg(hit, 0);
	int offset = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_JOB_BASE);
	struct drm_fault_nouveau_timeout *timeout = hit->data;
	const struct drm_sched_fence *fence;
	const void *cli, *nouveau;

	/* It may be freed before the function ends. */
	if (offset >= 0 &&
	    drm_fault_nouveau_peek(&cli, (void *)base - offset, DRM_FAULT_NOUVEAU_JOB_CLI) &&
	    drm_fault_nouveau_peek(&nouveau, cli, DRM_FAULT_NOUVEAU_CLI_DRM))
		drm_fault_nouveau_peek(&timeout->drm, nouveau, DRM_FAULT_NOUVEAU_DRM_DEV);
	if (drm_fault_peek(&fence, &base->s_fence, sizeof(fence)) && fence) {
		drm_fault_peek(&timeout->context, &fence->finished.context,
			       sizeof(timeout->context));
		drm_fault_peek(&timeout->seqno, &fence->finished.seqno,
			       sizeof(timeout->seqno));
	}
	return true;
}

/**
 * drm_fault_nouveau_exec_timeout - nouveau_exec_job_timeout(), in the above
 * @hit: its arguments
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_nouveau_exec_timeout(struct drm_fault_hook_hit *hit)
{
	const void *job = (void *)drm_fault_hook_arg(hit, 0), *channel;
	int offset = drm_fault_nouveau_offset(DRM_FAULT_NOUVEAU_EXEC_BASE);
	struct drm_fault_nouveau_timeout *timeout;

	timeout = drm_fault_hook_enclosing(&drm_fault_nouveau_list[DRM_FAULT_NOUVEAU_JOB_TIMEDOUT]);
	if (timeout && offset >= 0 &&
	    drm_fault_nouveau_peek(&channel, job - offset, DRM_FAULT_NOUVEAU_EXEC_CHANNEL))
		timeout->inst = nouveau_channel_inst(channel);
	return true;
}

/**
 * drm_fault_nouveau_job_ended - nouveau_sched_timedout_job() has ended
 * @hit: what was kept
 *
 * Context: In a handler.
 */
void drm_fault_nouveau_job_ended(struct drm_fault_hook_hit *hit)
{
	const struct drm_fault_nouveau_timeout *timeout = hit->data;
	struct drm_fault_reporter *reporter = drm_fault_reporter_of_drm(timeout->drm);
	const struct drm_fault_event event = {
		.key = timeout->inst,
		.flags = DRM_FAULT_RECORD_F_GUILTY,
		.job_context = timeout->context,
		.job_seqno = timeout->seqno,
	};

	if (reporter)
		drm_fault_note_timeout(reporter, &event);
}
