/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before everything else. What differs between kernels is here and in
 * probe.sh, nowhere else; each shim says what it stands for and when it can go.
 */
#ifndef _DRM_FAULT_COMPAT_H_
#define _DRM_FAULT_COMPAT_H_

#include <linux/device/class.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/sched/task.h>
#include <linux/string.h>

/* class_create() lost its first argument in 6.4. */
static inline struct class *drm_fault_class_create(const char *name)
{
#ifdef DRM_FAULT_HAVE_CLASS_CREATE_OWNER
	return class_create(THIS_MODULE, name);
#else
	return class_create(name);
#endif
}

/*
 * Being dumpable moved from the mm to a state of its own in 7.x, whose getter is
 * not exported.
 */
#ifdef DRM_FAULT_HAVE_TASK_EXEC_STATE
#include <linux/sched/exec_state.h>

static inline bool drm_fault_task_dumpable(struct task_struct *task)
{
	struct task_exec_state *state;
	bool dumpable;

	rcu_read_lock();
	state = rcu_dereference(task->exec_state);
	dumpable = state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
	rcu_read_unlock();
	return dumpable;
}
#else
static inline bool drm_fault_task_dumpable(struct task_struct *task)
{
	bool dumpable;

	task_lock(task);
	dumpable = task->mm && get_dumpable(task->mm) == SUID_DUMP_USER;
	task_unlock(task);
	return dumpable;
}
#endif

/*
 * pidfd_pid() is not exported. Since 6.9 a pidfd is a file of its own file system
 * with the pid in its inode, before that an anonymous one with the pid in the
 * file. Names of anonymous files are given by the kernel alone.
 */
static inline struct pid *drm_fault_pid_of_file(struct file *file)
{
#ifdef DRM_FAULT_HAVE_PIDFS
	if (file_inode(file)->i_sb->s_magic == PID_FS_MAGIC)
		return file_inode(file)->i_private;
#else
	if (file_inode(file)->i_sb->s_magic == ANON_INODE_FS_MAGIC &&
	    !strcmp(file->f_path.dentry->d_name.name, "[pidfd]"))
		return file->private_data;
#endif
	return NULL;
}

#endif /* _DRM_FAULT_COMPAT_H_ */
