/* SPDX-License-Identifier: GPL-2.0-only */
/* Files as init sees them. */
#ifndef _DRM_FAULT_COMPAT_FS_H_
#define _DRM_FAULT_COMPAT_FS_H_

#include <linux/fs_struct.h>

/* For a block of a kernel thread. These shared init's root until 7.x. */
#ifdef DRM_FAULT_HAVE_SCOPED_INIT_FS
#define drm_fault_scoped_init_fs()	scoped_with_init_fs()
#else
#define drm_fault_scoped_init_fs()
#endif

#endif /* _DRM_FAULT_COMPAT_FS_H_ */
