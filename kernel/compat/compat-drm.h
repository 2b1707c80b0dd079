/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences between kernels for one who is a DRM driver. */
#ifndef _DRM_FAULT_COMPAT_DRM_H_
#define _DRM_FAULT_COMPAT_DRM_H_

#include <linux/platform_device.h>

#include <drm/drm_drv.h>
#include <drm/drm_prime.h>

/* The date of a driver, of no use to anyone, went in 6.14; before it must be. */
#ifdef DRM_FAULT_HAVE_DRM_DRIVER_DATE
#define DRM_FAULT_DRIVER_DATE	.date = "0",
#else
#define DRM_FAULT_DRIVER_DATE
#endif

/* Export and mmap of dma-bufs had to be asked for until 6.6. */
#ifdef DRM_FAULT_HAVE_DRM_PRIME_MMAP
#define DRM_FAULT_DRIVER_PRIME \
	.prime_handle_to_fd = drm_gem_prime_handle_to_fd, \
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle, \
	.gem_prime_mmap = drm_gem_prime_mmap,
#else
#define DRM_FAULT_DRIVER_PRIME
#endif

/* DRM prints fdinfo for drivers since 6.5. */
#ifdef DRM_FAULT_HAVE_DRM_SHOW_FDINFO
#define DRM_FAULT_FOPS_FDINFO	.show_fdinfo = drm_show_fdinfo,
#else
#define DRM_FAULT_FOPS_FDINFO
#endif

/* The remove callback of platform drivers has no result since 6.11. */
#ifdef DRM_FAULT_HAVE_PLATFORM_REMOVE_INT
#define DRM_FAULT_PLATFORM_REMOVE	remove_new
#else
#define DRM_FAULT_PLATFORM_REMOVE	remove
#endif

#endif /* _DRM_FAULT_COMPAT_DRM_H_ */
