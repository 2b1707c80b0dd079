// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "core.h"

/*
 * Who may see whom. The rules are those of ptrace, which is not exported:
 * capabilities, or the same ids throughout, no more rights, and a target that is
 * dumpable.
 */

/* Whoever made a user namespace, or one above it, has every right in there. */
static bool drm_fault_cred_covers(const struct cred *caller, const struct cred *target)
{
	const struct user_namespace *ns = target->user_ns;

	if (ns == caller->user_ns)
		return cap_issubset(target->cap_permitted, caller->cap_permitted);
	for (; ns->parent; ns = ns->parent)
		if (ns->parent == caller->user_ns)
			return uid_eq(ns->owner, caller->euid);
	return false;
}

/**
 * drm_fault_cred_same - are all ids of @target the real ids of @caller, and has it
 * no rights that @caller has not?
 * @caller: who wants to see
 * @target: who is seen
 *
 * Context: Any.
 * Return: true if they are
 */
bool drm_fault_cred_same(const struct cred *caller, const struct cred *target)
{
	return uid_eq(caller->uid, target->uid) && uid_eq(caller->uid, target->euid) &&
	       uid_eq(caller->uid, target->suid) && gid_eq(caller->gid, target->gid) &&
	       gid_eq(caller->gid, target->egid) && gid_eq(caller->gid, target->sgid) &&
	       drm_fault_cred_covers(caller, target);
}

/**
 * drm_fault_cred_equal - has a process the ids that the reader had, and no more rights?
 * @a: the reader's credentials, as they were
 * @b: those of the process when it opened the device
 *
 * Context: Any.
 * Return: true if it does
 */
bool drm_fault_cred_equal(const struct cred *a, const struct cred *b)
{
	return uid_eq(a->uid, b->uid) && uid_eq(a->euid, b->euid) &&
	       uid_eq(a->suid, b->suid) && gid_eq(a->gid, b->gid) &&
	       gid_eq(a->egid, b->egid) && gid_eq(a->sgid, b->sgid) &&
	       drm_fault_cred_covers(a, b);
}

/**
 * drm_fault_may_see_all - may the caller see every process's faults?
 *
 * Context: Process.
 * Return: true if it may
 */
bool drm_fault_may_see_all(void)
{
	return capable(CAP_PERFMON) || capable(CAP_SYS_ADMIN);
}

/**
 * drm_fault_would_see_all - the same, only for information
 *
 * A no is nothing that the audit log should speak of.
 *
 * Context: Process.
 * Return: true if it may
 */
bool drm_fault_would_see_all(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/**
 * drm_fault_may_see_task - may the caller see the faults of a process by its ids?
 * @task: the process
 *
 * Context: Process.
 * Return: true if it may without any capability
 */
bool drm_fault_may_see_task(struct task_struct *task)
{
	const struct cred *target = get_task_cred(task);
	bool may = drm_fault_cred_same(current_cred(), target) &&
		   drm_fault_task_dumpable(task);

	put_cred(target);
	return may;
}

/**
 * drm_fault_owner_create_for - describe a process
 * @task: a thread of it that cannot go away
 * @gfp: how to allocate
 *
 * Context: Task, may sleep if @gfp does.
 * Return: the owner, or NULL without memory
 */
struct drm_fault_owner *drm_fault_owner_create_for(struct task_struct *task, gfp_t gfp)
{
	struct drm_fault_owner *owner = kzalloc(sizeof(*owner), gfp);

	if (!owner)
		return NULL;
	kref_init(&owner->ref);
	rcu_read_lock();
	owner->pid = get_pid(task_tgid(task));
	strscpy_pad(owner->comm, task->group_leader->comm, sizeof(owner->comm));
	rcu_read_unlock();
	owner->cred = get_task_cred(task);
	owner->dumpable = drm_fault_task_dumpable(task);
	return owner;
}

/**
 * drm_fault_owner_create - describe the current process
 * @gfp: how to allocate
 *
 * Context: Task, may sleep if @gfp does.
 * Return: the owner, or NULL without memory
 */
struct drm_fault_owner *drm_fault_owner_create(gfp_t gfp)
{
	return drm_fault_owner_create_for(current, gfp);
}

static void drm_fault_owner_free_rcu(struct rcu_head *rcu)
{
	struct drm_fault_owner *owner = container_of(rcu, struct drm_fault_owner, rcu);

	put_pid(owner->pid);
	put_cred(owner->cred);
	kfree(owner);
}

static void drm_fault_owner_free(struct kref *ref)
{
	struct drm_fault_owner *owner = container_of(ref, struct drm_fault_owner, ref);

	call_rcu(&owner->rcu, drm_fault_owner_free_rcu);
}

/**
 * drm_fault_owner_put - give an owner back
 * @owner: can be NULL
 *
 * Context: Any.
 */
void drm_fault_owner_put(struct drm_fault_owner *owner)
{
	if (owner)
		kref_put(&owner->ref, drm_fault_owner_free);
}
