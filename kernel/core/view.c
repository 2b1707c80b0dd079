// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/pid_namespace.h>

#include "compat-file.h"
#include "core.h"
#include "hook.h"

/*
 * The process may have executed another program, with other rights, between
 * the subscription and the opening of this device, while the stream went on to
 * somebody else: the rights are checked for each context as it was opened.
 */
static bool drm_fault_view_may(const struct drm_fault_view *view,
			       const struct drm_fault_owner *owner)
{
	if (!view->cred)
		return true;
	if (view->scope == DRM_FAULT_SCOPE_SELF)
		return drm_fault_cred_equal(view->cred, owner->cred) &&
		       (owner->dumpable || !view->dumpable);
	return drm_fault_cred_same(view->cred, owner->cred) && owner->dumpable;
}

/**
 * drm_fault_view_has - does a context belong to a view?
 * @view: the view
 * @context: the context
 *
 * Context: Any.
 * Return: true if it does
 */
bool drm_fault_view_has(const struct drm_fault_view *view,
			const struct drm_fault_context *context)
{
	const struct drm_fault_owner *owner;
	bool has;

	switch (view->scope) {
	case DRM_FAULT_SCOPE_ALL:
		return true;
	case DRM_FAULT_SCOPE_DEVICE:
		return context->reporter == view->reporter;
	case DRM_FAULT_SCOPE_FILE:
		return context->client == view->client;
	case DRM_FAULT_SCOPE_SELF:
	case DRM_FAULT_SCOPE_PIDFD:
		rcu_read_lock();
		owner = rcu_dereference(context->owner);
		has = owner && owner->pid == view->pid &&
		      drm_fault_view_may(view, owner);
		rcu_read_unlock();
		return has;
	default:
		return false;
	}
}

/**
 * drm_fault_view_pid - process id of a context's owner as the reader counts
 * @view: the reader's view
 * @context: the context
 *
 * Context: Any.
 * Return: the id, 0 if there is none
 */
u32 drm_fault_view_pid(const struct drm_fault_view *view,
		       const struct drm_fault_context *context)
{
	const struct drm_fault_owner *owner;
	u32 pid;

	rcu_read_lock();
	owner = rcu_dereference(context->owner);
	pid = owner ? pid_nr_ns(owner->pid, view->pid_ns) : 0;
	rcu_read_unlock();
	return pid;
}

static int drm_fault_view_open_file(struct drm_fault_view *view, int fd)
{
	struct drm_fault_client *client;
	struct file *file = fget(fd);

	if (!file)
		return -EBADF;
	client = drm_fault_client_find(file);
	/* Or of one that was in its place before, whose release went by untold. */
	if (!IS_ERR(client) && client->reporter->hooks &&
	    client->id != drm_fault_drm_client_id(drm_fault_drm_of_file(file))) {
		drm_fault_client_put(client);
		drm_fault_opener_remove(drm_fault_drm_of_file(file));
		client = ERR_PTR(-EOPNOTSUPP);
	}
	/* Hooks may know of the GPU, but not yet of a file opened before they came. */
	if (client == ERR_PTR(-EOPNOTSUPP) && !drm_fault_gpu_adopt(file))
		client = drm_fault_client_find(file);
	fput(file);
	if (IS_ERR(client))
		return PTR_ERR(client);
	view->client = client;
	return 0;
}

static int drm_fault_view_open_self(struct drm_fault_view *view)
{
	view->pid = get_pid(task_tgid(current));
	view->cred = get_current_cred();
	view->dumpable = drm_fault_task_dumpable(current);
	return 0;
}

static int drm_fault_view_open_pidfd(struct drm_fault_view *view, int fd)
{
	struct file *file = fget(fd);
	struct task_struct *task;
	struct pid *pid;
	bool privileged;
	int ret = 0;

	if (!file)
		return -EBADF;
	pid = drm_fault_pid_of_file(file);
	get_pid(pid);
	fput(file);
	if (!pid)
		return -EINVAL;

	task = get_pid_task(pid, PIDTYPE_TGID);
	if (!task) {
		ret = -ESRCH;
		goto out_put;
	}
	privileged = capable(CAP_SYS_PTRACE) || capable(CAP_PERFMON);
	if (!privileged && !drm_fault_may_see_task(task))
		ret = -EACCES;
	put_task_struct(task);
	if (ret)
		goto out_put;

	view->pid = pid;
	view->cred = privileged ? NULL : get_current_cred();
	return 0;

out_put:
	put_pid(pid);
	return ret;
}

static int drm_fault_view_open_device(struct drm_fault_view *view, u32 id)
{
	if (!drm_fault_may_see_all())
		return -EACCES;
	view->reporter = drm_fault_reporter_find(id, false);
	return view->reporter ? 0 : -ENODEV;
}

/**
 * drm_fault_view_open - find out what a SUBSCRIBE call is about
 * @view: zeroed
 * @args: the call
 *
 * Context: Process; the caller's rights and PID namespace count.
 * Return: 0; -EINVAL, -EBADF, -EOPNOTSUPP, -ENODEV, -ESRCH or -EACCES
 */
int drm_fault_view_open(struct drm_fault_view *view,
			const struct drm_fault_subscribe *args)
{
	bool has_fd = args->scope == DRM_FAULT_SCOPE_FILE ||
		      args->scope == DRM_FAULT_SCOPE_PIDFD;
	int ret;

	if ((args->fd && !has_fd) ||
	    (args->device_id && args->scope != DRM_FAULT_SCOPE_DEVICE))
		return -EINVAL;

	switch (args->scope) {
	case DRM_FAULT_SCOPE_FILE:
		ret = drm_fault_view_open_file(view, args->fd);
		break;
	case DRM_FAULT_SCOPE_SELF:
		ret = drm_fault_view_open_self(view);
		break;
	case DRM_FAULT_SCOPE_PIDFD:
		ret = drm_fault_view_open_pidfd(view, args->fd);
		break;
	case DRM_FAULT_SCOPE_DEVICE:
		ret = drm_fault_view_open_device(view, args->device_id);
		break;
	case DRM_FAULT_SCOPE_ALL:
		ret = drm_fault_may_see_all() ? 0 : -EACCES;
		break;
	default:
		ret = -EINVAL;
	}
	if (ret)
		return ret;

	view->scope = args->scope;
	view->pid_ns = get_pid_ns(task_active_pid_ns(current));
	return 0;
}

/**
 * drm_fault_view_close - give back what a view holds
 * @view: opened
 *
 * Context: Process.
 */
void drm_fault_view_close(struct drm_fault_view *view)
{
	if (view->reporter)
		put_device(&view->reporter->dev);
	if (view->client)
		drm_fault_client_put(view->client);
	put_pid(view->pid);
	put_cred(view->cred);
	put_pid_ns(view->pid_ns);
}

/**
 * drm_fault_view_gone - has the only GPU that a view is about gone?
 * @view: the view
 *
 * Context: Any.
 * Return: true if nothing can come any more
 */
bool drm_fault_view_gone(const struct drm_fault_view *view)
{
	const struct drm_fault_reporter *reporter =
		view->client ? view->client->reporter : view->reporter;

	/* Pairs with the release in drm_fault_reporter_unregister(). */
	return reporter && smp_load_acquire(&reporter->closed);
}
