/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_HOOK_H_
#define _DRM_FAULT_HOOK_H_

#include <linux/kobject.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/tracepoint.h>

#include <drm/drm_fault.h>

#include "btf.h"

#define DRM_FAULT_PROTOTYPE_LEN	256

struct drm_fault_layout;
struct drm_fault_owner;
struct drm_fault_set;
struct file;

/**
 * enum drm_fault_hook_state - whether a hook listens
 * @DRM_FAULT_HOOK_OFF: hooks are switched off
 * @DRM_FAULT_HOOK_WAITING: its module is not loaded
 * @DRM_FAULT_HOOK_ATTACHED: it does
 * @DRM_FAULT_HOOK_ABSENT: this kernel has no such function
 * @DRM_FAULT_HOOK_DIFFERS: its prototype is another one
 * @DRM_FAULT_HOOK_FAILED: the kernel refused
 */
enum drm_fault_hook_state {
	DRM_FAULT_HOOK_OFF,
	DRM_FAULT_HOOK_WAITING,
	DRM_FAULT_HOOK_ATTACHED,
	DRM_FAULT_HOOK_ABSENT,
	DRM_FAULT_HOOK_DIFFERS,
	DRM_FAULT_HOOK_FAILED,
};

/**
 * struct drm_fault_probe - a hook in this kernel
 * @hook: what it is
 * @set: of which it is one
 * @kobj: its directory in sysfs
 * @state: enum drm_fault_hook_state
 * @error: why it failed
 * @checked: its prototype was compared
 * @found: the prototype that this kernel has, empty if it was not found
 * @target: "module:symbol"
 * @hits: passes through the function
 * @drops: of those, faults of which no record could be made
 * @missed: passes that the kernel could not tell us of, before @kprobe was last
 *	attached
 * @kprobe: for ENTRY
 * @kretprobe: for RETURN
 * @tracepoint: for TRACEPOINT
 */
struct drm_fault_probe {
	struct drm_fault_hook *hook;
	struct drm_fault_set *set;
	struct kobject kobj;
	u32 state;
	int error;
	bool checked;
	char found[DRM_FAULT_PROTOTYPE_LEN];
	char target[96];
	atomic64_t hits;
	atomic64_t drops;
	u64 missed;
	union {
		struct kprobe kprobe;
		struct kretprobe kretprobe;
		struct tracepoint *tracepoint;
	};
};

/**
 * struct drm_fault_set - a set of hooks in this kernel
 * @hooks: what it is
 * @kobj: its directory in sysfs
 * @laid: the layouts that it asks for were looked up
 * @started: &drm_fault_hooks.stop has to be called
 * @probes: one for each of its hooks
 */
struct drm_fault_set {
	struct drm_fault_hooks *hooks;
	struct kobject kobj;
	bool laid;
	bool started;
	struct drm_fault_probe *probes;
};

/* Protects the states of all probes, and attaching; process context. */
extern struct mutex drm_fault_hooks_lock;
extern struct drm_fault_hooks drm_fault_opener_hooks;

void drm_fault_probe_attach(struct drm_fault_probe *probe, const struct drm_fault_btf *btf);
void drm_fault_probe_detach(struct drm_fault_probe *probe, u32 state);
u64 drm_fault_probe_missed(const struct drm_fault_probe *probe);
const char *drm_fault_hook_module(const struct drm_fault_probe *probe);

struct drm_fault_layout *drm_fault_layout_open(void);
const struct drm_fault_btf *drm_fault_layout_btf(struct drm_fault_layout *layout,
						 const char *module);
void drm_fault_layout_close(struct drm_fault_layout *layout);
void drm_fault_layout_fields(const struct drm_fault_btf *btf,
			     struct drm_fault_field *fields, unsigned int count);

void drm_fault_hooks_init(struct kobject *parent);
void drm_fault_hooks_exit(void);
struct drm_fault_hooks *drm_fault_hooks_of_driver(const char *driver);

int drm_fault_hook_files_init(struct kobject *parent, struct drm_fault_set *sets,
			      unsigned int count);
void drm_fault_hook_files_exit(void);

void drm_fault_opener_adopt(struct drm_fault_reporter *reporter, struct drm_file *file,
			    struct drm_fault_owner *owner);
void drm_fault_opener_remove(const struct drm_file *file);
void drm_fault_openers_adopt(struct drm_fault_reporter *reporter, struct drm_device *drm);

int drm_fault_gpus_init(void);
void drm_fault_gpus_exit(void);
int drm_fault_gpu_adopt(struct file *file);

#endif /* _DRM_FAULT_HOOK_H_ */
