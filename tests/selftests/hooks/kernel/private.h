/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the test module share. Lock order, outer to inner:
 *
 *	file->lock > fake->lock > overrides_lock > calls_lock
 */
#ifndef _DRM_FAULT_CALL_PRIVATE_H_
#define _DRM_FAULT_CALL_PRIVATE_H_

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/xarray.h>

#include "call.h"

/**
 * struct drm_fault_call_file - an open file
 * @lock: serialises its calls but CALL
 * @buffers: of BUFFER_ALLOC
 * @gpus: of GPU_ADD
 */
struct drm_fault_call_file {
	/* serialises; see above */
	struct mutex lock;
	struct xarray buffers;
	struct xarray gpus;
};

/**
 * struct drm_fault_override - a function that returns at once in calls of ours
 * @node: in the list
 * @symbol: "module:function"
 * @placed: the kprobe is registered
 * @kprobe: on its first instruction
 */
struct drm_fault_override {
	struct list_head node;
	char symbol[DRM_FAULT_CALL_SYMBOL_LEN];
	bool placed;
	struct kprobe kprobe;
};

/*
 * Protects overrides; held to read during calls, so that no function goes away in
 * one.
 */
extern struct rw_semaphore drm_fault_overrides_lock;

int drm_fault_overrides_init(void);
void drm_fault_overrides_exit(void);
struct drm_fault_override *drm_fault_override_find(const char *symbol);
void *drm_fault_override_function(const struct drm_fault_override *override);
int drm_fault_override_symbol(struct drm_fault_call_symbol *args);
int drm_fault_override_prepare(struct drm_fault_call_symbol *args);
void *drm_fault_function(const char *symbol);

int drm_fault_call_hit(struct kprobe *kprobe, struct pt_regs *regs);
int drm_fault_call_make(struct drm_fault_call_make *args);

int drm_fault_call_buffer_alloc(struct drm_fault_call_file *file,
				struct drm_fault_call_buffer *args);
int drm_fault_call_buffer_copy(struct drm_fault_call_file *file,
			       const struct drm_fault_call_copy *args, bool write);
void drm_fault_call_buffers_free(struct drm_fault_call_file *file);

int drm_fault_call_fields(const struct drm_fault_call_fields *args);

int drm_fault_call_gpus_init(void);
void drm_fault_call_gpus_exit(void);
int drm_fault_call_gpu_add(struct drm_fault_call_file *file,
			   struct drm_fault_call_gpu *args);
int drm_fault_call_gpu_template(struct drm_fault_call_file *file,
				struct drm_fault_call_template *args);
int drm_fault_call_gpu_priv(struct drm_fault_call_priv *args);
int drm_fault_call_gpu_opening(struct drm_fault_call_file *file,
			       const struct drm_fault_call_make *args);
int drm_fault_call_gpu_remove(struct drm_fault_call_file *file, u32 id);
void drm_fault_call_gpus_remove(struct drm_fault_call_file *file);

#endif /* _DRM_FAULT_CALL_PRIVATE_H_ */
