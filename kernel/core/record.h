/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_RECORD_H_
#define _DRM_FAULT_RECORD_H_

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/drm/drm_fault.h>

/**
 * drm_fault_record_copy - copy a record that may change meanwhile
 * @to: where to
 * @from: where from
 *
 * Word by word, each whole. Whether all belong together is for the caller to
 * find out. Shorter than a string instruction takes to start.
 *
 * Context: Any.
 */
static inline void drm_fault_record_copy(struct drm_fault_record *to,
					 const struct drm_fault_record *from)
{
	const unsigned long *source = (const unsigned long *)from;
	unsigned long *target = (unsigned long *)to;
	unsigned int i;

	for (i = 0; i < sizeof(*to) / sizeof(*source); i++)
		WRITE_ONCE(target[i], READ_ONCE(source[i]));
}

#endif /* _DRM_FAULT_RECORD_H_ */
