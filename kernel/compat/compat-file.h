/* SPDX-License-Identifier: GPL-2.0-only */
/* DRM files as seen by one who is no DRM driver. */
#ifndef _DRM_FAULT_COMPAT_FILE_H_
#define _DRM_FAULT_COMPAT_FILE_H_

#include <linux/fs.h>

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

#endif /* _DRM_FAULT_COMPAT_FILE_H_ */
