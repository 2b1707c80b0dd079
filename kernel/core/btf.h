/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_BTF_H_
#define _DRM_FAULT_BTF_H_

#include <linux/types.h>
#include <uapi/linux/btf.h>

/**
 * DOC: Type information
 *
 * A reader of BTF, the kernel's description of its own types, for two questions:
 * where a member of a structure is, and what the prototype of a function is. The
 * kernel has a reader of its own, of which modules may use next to nothing.
 *
 * A module's BTF goes on where the kernel's ends: with its type numbers and with
 * its strings. Every number in it is checked before it is followed.
 */

/**
 * struct drm_fault_btf - type information of the kernel or of a module
 * @base: what it goes on from, NULL for the kernel's
 * @types: its types
 * @strings: its strings, the last byte is 0
 * @strings_size: bytes of them
 * @strings_start: number of its first string
 * @first: number of its first type
 * @count: how many it has
 * @offsets: where each of them is in @types
 */
struct drm_fault_btf {
	const struct drm_fault_btf *base;
	const char *types;
	const char *strings;
	u32 strings_size;
	u32 strings_start;
	u32 first;
	u32 count;
	u32 *offsets;
};

int drm_fault_btf_open(struct drm_fault_btf *btf, const void *data, size_t size,
		       const struct drm_fault_btf *base);
void drm_fault_btf_close(struct drm_fault_btf *btf);
int drm_fault_btf_size(const struct drm_fault_btf *btf, const char *type);
int drm_fault_btf_member(const struct drm_fault_btf *btf, const char *type,
			 const char *path, u32 *size);
int drm_fault_btf_prototype(const struct drm_fault_btf *btf, const char *function,
			    char *text, size_t size);

#endif /* _DRM_FAULT_BTF_H_ */
