/* SPDX-License-Identifier: GPL-2.0-only */
/* DRM files as seen by one who is no DRM driver. */
#ifndef _DRM_FAULT_COMPAT_FILE_H_
#define _DRM_FAULT_COMPAT_FILE_H_

#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include <drm/drm_file.h>

/* "drm-client-id" of fdinfo; DRM numbers its clients since 6.4. */
static inline u64 drm_fault_drm_client_id(const struct drm_file *file)
{
#ifdef DRM_FAULT_HAVE_DRM_CLIENT_ID
	return file->client_id;
#else
	return 0;
#endif
}

/*
 * All drivers open their nodes with drm_open() and leave the DRM file in the
 * private data, in every kernel there is.
 */
static inline struct drm_file *drm_fault_drm_of_file(const struct file *file)
{
	return file->f_op->open == drm_open ? file->private_data : NULL;
}

/*
 * A thread of the process that a DRM file is said to belong to, with a reference.
 * It changes hands, under RCU, since 6.7.
 */
static inline struct task_struct *drm_fault_drm_file_task(const struct drm_file *file)
{
	struct task_struct *task;

	rcu_read_lock();
#ifdef DRM_FAULT_HAVE_DRM_FILE_PID_RCU
	task = get_pid_task(rcu_dereference(file->pid), PIDTYPE_PID);
#else
	task = get_pid_task(file->pid, PIDTYPE_PID);
#endif
	rcu_read_unlock();
	return task;
}

#endif /* _DRM_FAULT_COMPAT_FILE_H_ */
