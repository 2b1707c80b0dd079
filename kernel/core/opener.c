// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched/task.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include "compat-file.h"
#include "core.h"
#include "hook.h"

/*
 * Who opens and closes the nodes of GPUs that hooks serve.
 */

static struct drm_fault_hook drm_fault_opener_list[3];

/*
 * What is no longer open may still run on the GPU until its release is done: the
 * client is parted from the file at the beginning, its contexts end at the end.
 */
static void drm_fault_opener_end(struct drm_fault_client *client)
{
	if (!client)
		return;
	drm_fault_contexts_end_client(client);
	drm_fault_client_put(client);
}

/* Whose release we are not told of must not be known by its address. */
static bool drm_fault_opener_watches(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(drm_fault_opener_list); i++)
		if (READ_ONCE(drm_fault_opener_list[i].state->state) != DRM_FAULT_HOOK_ATTACHED)
			return false;
	return true;
}

/**
 * drm_fault_opener_remove - forget who is known at the address of a file
 * @file: the address
 *
 * Context: Any but NMI.
 */
void drm_fault_opener_remove(const struct drm_file *file)
{
	drm_fault_opener_end(drm_fault_client_take(file));
}

static void drm_fault_opener_add(struct drm_fault_reporter *reporter, struct drm_file *file,
				 struct drm_fault_owner *owner)
{
	struct drm_fault_client *client;

	if (!drm_fault_opener_watches()) {
		drm_fault_owner_put(owner);
		return;
	}
	client = drm_fault_client_add(reporter, file, owner, GFP_ATOMIC | __GFP_NOWARN);
	if (!IS_ERR(client) && reporter->hooks->opened)
		reporter->hooks->opened(reporter, client, file);
}

static bool drm_fault_open_enter(struct drm_fault_hook_hit *hit)
{
	*(struct file **)hit->data = (struct file *)drm_fault_hook_arg(hit, 1);
	return true;
}

static void drm_fault_open_leave(struct drm_fault_hook_hit *hit)
{
	struct file *filp = *(struct file **)hit->data;
	struct drm_fault_reporter *reporter;
	struct drm_file *file;

	if ((int)hit->result)
		return;
	file = filp->private_data;
	reporter = drm_fault_reporter_of_drm(file->minor->dev);
	if (!reporter)
		return;
	/* A new file in the place of one whose release we were not told of. */
	drm_fault_opener_remove(file);
	drm_fault_opener_add(reporter, file,
			     drm_fault_owner_create(GFP_ATOMIC | __GFP_NOWARN));
}

static bool drm_fault_release_enter(struct drm_fault_hook_hit *hit)
{
	struct file *filp = (struct file *)drm_fault_hook_arg(hit, 1);
	struct drm_file *file = filp->private_data;
	struct drm_fault_client *client = NULL;

	if (drm_fault_reporter_of_drm(file->minor->dev))
		client = drm_fault_client_take(file);
	*(struct drm_fault_client **)hit->data = client;
	return client;
}

static void drm_fault_release_leave(struct drm_fault_hook_hit *hit)
{
	drm_fault_opener_end(*(struct drm_fault_client **)hit->data);
}

static struct drm_fault_hook drm_fault_opener_list[3] = {
	{
		.symbol = "drm_open",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct inode *, struct file *)",
		.enter = drm_fault_open_enter,
		.leave = drm_fault_open_leave,
		.data_size = sizeof(struct file *),
	}, {
		.symbol = "drm_release",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct inode *, struct file *)",
		.enter = drm_fault_release_enter,
		.leave = drm_fault_release_leave,
		.data_size = sizeof(struct drm_fault_client *),
	}, {
		/* Of drivers that need no lock there. */
		.symbol = "drm_release_noglobal",
		.kind = DRM_FAULT_HOOK_RETURN,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct inode *, struct file *)",
		.enter = drm_fault_release_enter,
		.leave = drm_fault_release_leave,
		.data_size = sizeof(struct drm_fault_client *),
	},
};

struct drm_fault_hooks drm_fault_opener_hooks = {
	.name = "drm",
	.module = "drm",
	.hooks = drm_fault_opener_list,
	.hook_count = ARRAY_SIZE(drm_fault_opener_list),
};

static struct drm_fault_owner *drm_fault_opener_owner(const struct drm_file *file)
{
	struct task_struct *task = drm_fault_drm_file_task(file);
	struct drm_fault_owner *owner;

	if (!task)
		return NULL;
	owner = drm_fault_owner_create_for(task, GFP_KERNEL);
	put_task_struct(task);
	return owner;
}

/**
 * drm_fault_opener_adopt - take in a file that was open before
 * @reporter: its GPU
 * @file: the file, which cannot go away during the call
 * @owner: its process; the reference is taken over
 *
 * Context: Process, may sleep.
 */
void drm_fault_opener_adopt(struct drm_fault_reporter *reporter, struct drm_file *file,
			    struct drm_fault_owner *owner)
{
	/* As the handlers run, for the sake of those of the driver's set. */
	rcu_read_lock();
	preempt_disable();
	drm_fault_opener_add(reporter, file, owner);
	preempt_enable();
	rcu_read_unlock();
	/*
	 * If its release has begun, the hook there may have come before us. It has
	 * no users by then; if it had some, the hook comes after us.
	 */
	if (!file_count(file->filp))
		drm_fault_opener_remove(file);
}

/**
 * drm_fault_openers_adopt - take in all that were open before
 * @reporter: the GPU
 * @drm: its DRM device
 *
 * Those whose opener is gone wait until somebody who holds the file asks.
 *
 * Context: Process, may sleep.
 */
void drm_fault_openers_adopt(struct drm_fault_reporter *reporter, struct drm_device *drm)
{
	struct drm_fault_owner *owner;
	struct drm_file *file;

	mutex_lock(&drm->filelist_mutex);
	list_for_each_entry(file, &drm->filelist, lhead) {
		owner = file->filp ? drm_fault_opener_owner(file) : NULL;
		if (owner)
			drm_fault_opener_adopt(reporter, file, owner);
	}
	mutex_unlock(&drm->filelist_mutex);
}
