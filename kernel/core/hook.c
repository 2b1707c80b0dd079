// SPDX-License-Identifier: GPL-2.0-only
#include <linux/export.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "core.h"
#include "hook.h"

/*
 * One hook: attach it, detach it, and what happens when its function is called.
 */

/* More of one function at once, and the kernel counts the rest as missed. */
#define DRM_FAULT_HOOK_ACTIVE	64

/*
 * Functions that are in progress, so that a hook inside finds the data of the one
 * around it. A thread's frames are near the place its number is hashed to.
 */
#define DRM_FAULT_FRAME_BITS	8
#define DRM_FAULT_FRAME_PROBES	16

/**
 * struct drm_fault_frame - a hooked function in progress
 * @thread: drm_fault_thread(), 0: the place is free
 * @hook: the hook
 * @data: &drm_fault_hook_hit.data
 */
struct drm_fault_frame {
	unsigned long thread;
	const struct drm_fault_hook *hook;
	void *data;
};

static struct drm_fault_frame drm_fault_frames[1 << DRM_FAULT_FRAME_BITS];

/**
 * struct drm_fault_return - what a kretprobe keeps from entry to return
 * @frame: its place, NULL if there was none
 * @data: &drm_fault_hook_hit.data
 */
struct drm_fault_return {
	struct drm_fault_frame *frame;
	u64 data[];
};

/* What runs here: a task, or the interrupt on this CPU. Odd numbers are no pointers. */
static unsigned long drm_fault_thread(void)
{
	if (in_hardirq())
		return smp_processor_id() * 4 + 1;
	if (in_serving_softirq())
		return smp_processor_id() * 4 + 3;
	return (unsigned long)current;
}

static struct drm_fault_frame *drm_fault_frame_at(unsigned long thread, unsigned int step)
{
	unsigned long start = hash_long(thread, DRM_FAULT_FRAME_BITS);

	return &drm_fault_frames[(start + step) & (ARRAY_SIZE(drm_fault_frames) - 1)];
}

static struct drm_fault_frame *drm_fault_frame_enter(const struct drm_fault_hook *hook,
						     void *data)
{
	unsigned long thread = drm_fault_thread();
	struct drm_fault_frame *frame;
	unsigned int step;

	for (step = 0; step < DRM_FAULT_FRAME_PROBES; step++) {
		frame = drm_fault_frame_at(thread, step);
		if (cmpxchg(&frame->thread, 0, thread))
			continue;
		frame->data = data;
		WRITE_ONCE(frame->hook, hook);
		return frame;
	}
	return NULL;
}

static void drm_fault_frame_leave(struct drm_fault_frame *frame)
{
	if (!frame)
		return;
	WRITE_ONCE(frame->hook, NULL);
	/* Whoever takes the place next finds it empty. */
	smp_store_release(&frame->thread, 0);
}

/* Of functions that will return when nobody listens any more. */
static void drm_fault_frames_forget(const struct drm_fault_hook *hook)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(drm_fault_frames); i++)
		if (READ_ONCE(drm_fault_frames[i].hook) == hook)
			drm_fault_frame_leave(&drm_fault_frames[i]);
}

/**
 * drm_fault_hook_enclosing - the data of a function that called this one
 * @hook: a RETURN hook on that function
 *
 * Context: In a handler.
 * Return: its &drm_fault_hook_hit.data, NULL if it is not in progress here
 */
void *drm_fault_hook_enclosing(const struct drm_fault_hook *hook)
{
	unsigned long thread = drm_fault_thread();
	const struct drm_fault_frame *frame;
	unsigned int step;

	for (step = 0; step < DRM_FAULT_FRAME_PROBES; step++) {
		frame = drm_fault_frame_at(thread, step);
		if (READ_ONCE(frame->thread) == thread && READ_ONCE(frame->hook) == hook)
			return frame->data;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(drm_fault_hook_enclosing);

/**
 * drm_fault_hook_arg - an argument of the hooked function
 * @hit: in its enter
 * @n: from 0 to 5
 *
 * Context: In a handler.
 * Return: the argument as a register holds it
 */
unsigned long drm_fault_hook_arg(const struct drm_fault_hook_hit *hit, unsigned int n)
{
	return regs_get_kernel_argument(hit->regs, n);
}
EXPORT_SYMBOL_GPL(drm_fault_hook_arg);

/**
 * drm_fault_hook_count - count a pass through a tracepoint
 * @hook: that saw it; the other kinds are counted by themselves
 *
 * Context: In a handler.
 */
void drm_fault_hook_count(const struct drm_fault_hook *hook)
{
	atomic64_inc(&hook->state->hits);
}
EXPORT_SYMBOL_GPL(drm_fault_hook_count);

/**
 * drm_fault_hook_drop - count a fault that could not be recorded
 * @hook: that saw it
 *
 * Context: In a handler.
 */
void drm_fault_hook_drop(const struct drm_fault_hook *hook)
{
	atomic64_inc(&hook->state->drops);
}
EXPORT_SYMBOL_GPL(drm_fault_hook_drop);

/**
 * drm_fault_hook_report - report what a hook saw
 * @hook: the hook
 * @reporter: the GPU, NULL if it is not known: then it is counted only
 * @event: what happened
 *
 * Context: In a handler.
 */
void drm_fault_hook_report(const struct drm_fault_hook *hook,
			   struct drm_fault_reporter *reporter,
			   const struct drm_fault_event *event)
{
	if (reporter)
		drm_fault_report(reporter, event);
	else
		drm_fault_hook_drop(hook);
}
EXPORT_SYMBOL_GPL(drm_fault_hook_report);

static int drm_fault_hook_entered(struct kprobe *kprobe, struct pt_regs *regs)
{
	struct drm_fault_probe *probe = container_of(kprobe, struct drm_fault_probe, kprobe);
	struct drm_fault_hook_hit hit = { .hook = probe->hook, .regs = regs };

	atomic64_inc(&probe->hits);
	rcu_read_lock();
	probe->hook->enter(&hit);
	rcu_read_unlock();
	return 0;
}

static struct drm_fault_probe *drm_fault_probe_of(struct kretprobe_instance *instance)
{
	struct kretprobe *kretprobe = get_kretprobe(instance);

	return kretprobe ? container_of(kretprobe, struct drm_fault_probe, kretprobe) : NULL;
}

static int drm_fault_hook_entering(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct drm_fault_probe *probe = drm_fault_probe_of(instance);
	struct drm_fault_return *kept = (void *)instance->data;
	struct drm_fault_hook_hit hit = { .regs = regs, .data = kept->data };
	bool wanted;

	if (!probe)
		return 1;
	hit.hook = probe->hook;
	atomic64_inc(&probe->hits);
	memset(kept->data, 0, probe->hook->data_size);
	rcu_read_lock();
	wanted = !probe->hook->enter || probe->hook->enter(&hit);
	rcu_read_unlock();
	if (wanted)
		kept->frame = drm_fault_frame_enter(probe->hook, kept->data);
	return !wanted;
}

static int drm_fault_hook_returned(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct drm_fault_probe *probe = drm_fault_probe_of(instance);
	struct drm_fault_return *kept = (void *)instance->data;
	struct drm_fault_hook_hit hit = {
		.regs = regs,
		.result = regs_return_value(regs),
		.data = kept->data,
	};

	drm_fault_frame_leave(kept->frame);
	if (probe) {
		hit.hook = probe->hook;
		rcu_read_lock();
		probe->hook->leave(&hit);
		rcu_read_unlock();
	}
	return 0;
}

/**
 * drm_fault_hook_module - whose function a hook is on
 * @probe: the hook
 *
 * Context: Any.
 * Return: the module, "vmlinux": the kernel itself
 */
const char *drm_fault_hook_module(const struct drm_fault_probe *probe)
{
	return probe->hook->module ?: probe->set->hooks->module;
}

static const char *drm_fault_probe_target(struct drm_fault_probe *probe)
{
	const char *module = drm_fault_hook_module(probe);

	if (strcmp(module, "vmlinux"))
		snprintf(probe->target, sizeof(probe->target), "%s:%s", module,
			 probe->hook->symbol);
	else
		strscpy(probe->target, probe->hook->symbol, sizeof(probe->target));
	return probe->target;
}

/* Is @found one of "a | b | c"? */
static bool drm_fault_prototype_fits(const char *wanted, const char *found)
{
	size_t length = strlen(found);

	for (;;) {
		if (!strncmp(wanted, found, length) &&
		    (!wanted[length] || !strncmp(wanted + length, " | ", 3)))
			return true;
		wanted = strstr(wanted, " | ");
		if (!wanted)
			return false;
		wanted += 3;
	}
}

static bool drm_fault_probe_check(struct drm_fault_probe *probe,
				  const struct drm_fault_btf *btf)
{
	const struct drm_fault_hook *hook = probe->hook;

	probe->found[0] = '\0';
	probe->checked = false;
	if (!btf || !hook->prototype ||
	    drm_fault_btf_prototype(btf, hook->symbol, probe->found, sizeof(probe->found)))
		return true;
	probe->checked = true;
	return drm_fault_prototype_fits(hook->prototype, probe->found);
}

struct drm_fault_tracepoint_search {
	struct notifier_block nb;
	const char *name;
	struct tracepoint *found;
};

static void drm_fault_tracepoint_match(struct tracepoint *tracepoint, void *data)
{
	struct drm_fault_tracepoint_search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

static int drm_fault_tracepoint_module(struct notifier_block *nb, unsigned long action,
				       void *data)
{
	struct drm_fault_tracepoint_search *search =
		container_of(nb, struct drm_fault_tracepoint_search, nb);
	const struct module *module = ((struct tp_module *)data)->mod;
	struct tracepoint *tracepoint;
	unsigned int i;

	for (i = 0; action == MODULE_STATE_COMING && i < module->num_tracepoints; i++) {
		tracepoint = tracepoint_ptr_deref(module->tracepoints_ptrs + i);
		drm_fault_tracepoint_match(tracepoint, search);
	}
	return 0;
}

static struct tracepoint *drm_fault_tracepoint_find(const struct drm_fault_probe *probe)
{
	struct drm_fault_tracepoint_search search = {
		.nb.notifier_call = drm_fault_tracepoint_module,
		.name = probe->hook->symbol,
	};

	for_each_kernel_tracepoint(drm_fault_tracepoint_match, &search);
	if (search.found)
		return search.found;
	/* Registering tells of the modules that are there. */
	if (!register_tracepoint_module_notifier(&search.nb))
		unregister_tracepoint_module_notifier(&search.nb);
	return search.found;
}

static int drm_fault_probe_register(struct drm_fault_probe *probe)
{
	struct drm_fault_hook *hook = probe->hook;

	switch (hook->kind) {
	case DRM_FAULT_HOOK_ENTRY:
		probe->kprobe = (struct kprobe) {
			.symbol_name = drm_fault_probe_target(probe),
			.pre_handler = drm_fault_hook_entered,
		};
		return register_kprobe(&probe->kprobe);
	case DRM_FAULT_HOOK_RETURN:
		probe->kretprobe = (struct kretprobe) {
			.kp.symbol_name = drm_fault_probe_target(probe),
			.entry_handler = drm_fault_hook_entering,
			.handler = drm_fault_hook_returned,
			.data_size = sizeof(struct drm_fault_return) + hook->data_size,
			.maxactive = DRM_FAULT_HOOK_ACTIVE,
		};
		return register_kretprobe(&probe->kretprobe);
	case DRM_FAULT_HOOK_TRACEPOINT:
		drm_fault_probe_target(probe);
		probe->tracepoint = drm_fault_tracepoint_find(probe);
		if (!probe->tracepoint)
			return -ENOENT;
		return tracepoint_probe_register(probe->tracepoint, hook->probe, hook);
	default:
		return -EINVAL;
	}
}

/**
 * drm_fault_probe_attach - begin to listen
 * @probe: not attached; its state tells how it went
 * @btf: to compare the prototype, NULL if there is none
 *
 * Context: Process, may sleep.
 */
void drm_fault_probe_attach(struct drm_fault_probe *probe, const struct drm_fault_btf *btf)
{
	lockdep_assert_held(&drm_fault_hooks_lock);

	probe->error = 0;
	if (!drm_fault_probe_check(probe, btf)) {
		WRITE_ONCE(probe->state, DRM_FAULT_HOOK_DIFFERS);
		pr_info("hook %s stays off, the kernel has: %s\n",
			drm_fault_probe_target(probe), probe->found);
		return;
	}
	probe->error = drm_fault_probe_register(probe);
	if (!probe->error) {
		WRITE_ONCE(probe->state, DRM_FAULT_HOOK_ATTACHED);
	} else if (probe->error == -ENOENT) {
		WRITE_ONCE(probe->state, DRM_FAULT_HOOK_ABSENT);
	} else {
		WRITE_ONCE(probe->state, DRM_FAULT_HOOK_FAILED);
		pr_info("hook %s stays off: error %d\n", probe->target, probe->error);
	}
}

/**
 * drm_fault_probe_detach - listen no more
 * @probe: the hook
 * @state: its state from now on
 *
 * When this returns no handler runs.
 *
 * Context: Process, may sleep.
 */
void drm_fault_probe_detach(struct drm_fault_probe *probe, u32 state)
{
	lockdep_assert_held(&drm_fault_hooks_lock);

	if (probe->state == DRM_FAULT_HOOK_ATTACHED) {
		if (probe->hook->kind == DRM_FAULT_HOOK_ENTRY) {
			unregister_kprobe(&probe->kprobe);
		} else if (probe->hook->kind == DRM_FAULT_HOOK_RETURN) {
			unregister_kretprobe(&probe->kretprobe);
			drm_fault_frames_forget(probe->hook);
		} else {
			tracepoint_probe_unregister(probe->tracepoint, probe->hook->probe,
						    probe->hook);
			tracepoint_synchronize_unregister();
		}
		probe->missed = drm_fault_probe_missed(probe);
	}
	WRITE_ONCE(probe->state, state);
}

/**
 * drm_fault_probe_missed - passes that went by untold
 * @probe: the hook
 *
 * Context: Process.
 * Return: the number, ever since the module was loaded
 */
u64 drm_fault_probe_missed(const struct drm_fault_probe *probe)
{
	u64 missed = probe->missed;

	lockdep_assert_held(&drm_fault_hooks_lock);
	if (probe->state != DRM_FAULT_HOOK_ATTACHED)
		return missed;
	if (probe->hook->kind == DRM_FAULT_HOOK_ENTRY)
		missed += probe->kprobe.nmissed;
	else if (probe->hook->kind == DRM_FAULT_HOOK_RETURN)
		missed += probe->kretprobe.nmissed + probe->kretprobe.kp.nmissed;
	return missed;
}
