// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "private.h"

/*
 * Calls, each by a thread of its own: a task, or the interrupt on a CPU.
 */

typedef unsigned long (*drm_fault_call_fn)(unsigned long, unsigned long, unsigned long,
					   unsigned long, unsigned long, unsigned long);

/**
 * struct drm_fault_step - a function of a call
 * @function: its entry
 * @override: what makes it return at once, NULL: nothing
 * @args: its arguments
 * @result: what it then returns
 */
struct drm_fault_step {
	drm_fault_call_fn function;
	const struct drm_fault_override *override;
	const u64 *args;
	unsigned long result;
};

/**
 * struct drm_fault_running - a call in progress
 * @node: in the list, under the lock
 * @thread: running_thread() of who makes it
 * @steps: the outer function, and those inside
 * @step_count: how many
 * @at: the step whose function was called last
 * @expected: what makes it return, NULL once it has
 * @returned: what the outer function returned
 * @missed: bodies that were not skipped
 * @count: how often
 * @irq: raises the interrupt
 */
struct drm_fault_running {
	struct list_head node;
	unsigned long thread;
	struct drm_fault_step steps[1 + DRM_FAULT_CALL_INNER];
	u32 step_count;
	u32 at;
	const struct drm_fault_override *expected;
	unsigned long returned;
	u32 missed;
	u32 count;
	struct irq_work irq;
};

/* Protects the list; taken in kprobes. */
static DEFINE_RAW_SPINLOCK(drm_fault_calls_lock);
static LIST_HEAD(drm_fault_calls);

/* Odd numbers are no pointers. */
static unsigned long running_thread(void)
{
	return in_hardirq() ? smp_processor_id() * 2 + 1 : (unsigned long)current;
}

static struct drm_fault_running *running_here(void)
{
	struct drm_fault_running *running, *found = NULL;
	unsigned long thread = running_thread();
	unsigned long flags;

	raw_spin_lock_irqsave(&drm_fault_calls_lock, flags);
	list_for_each_entry(running, &drm_fault_calls, node)
		if (running->thread == thread)
			found = running;
	raw_spin_unlock_irqrestore(&drm_fault_calls_lock, flags);
	return found;
}

static void running_step(struct drm_fault_running *running, u32 at)
{
	const struct drm_fault_step *step = &running->steps[at];
	const u64 *args = step->args;
	unsigned long returned;

	running->at = at;
	running->expected = step->override;
	returned = step->function(args[0], args[1], args[2], args[3], args[4], args[5]);
	if (running->expected)
		running->missed++;
	running->expected = NULL;
	if (!at)
		running->returned = returned;
}

/*
 * Runs in place of the body, with the stack as the function found it: who called
 * that is returned to, through what kretprobes have put there.
 */
static noinline notrace unsigned long running_inside(void)
{
	struct drm_fault_running *running = running_here();
	u32 at = running->at, i;

	for (i = 1; !at && i < running->step_count; i++)
		running_step(running, i);
	running->at = at;
	return running->steps[at].result;
}

/**
 * drm_fault_call_hit - pre_handler of overrides
 * @kprobe: of an override
 * @regs: at the entry of its function
 *
 * Context: In a kprobe.
 * Return: 1 if execution goes on elsewhere
 */
int drm_fault_call_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	const struct drm_fault_override *override =
		container_of(kprobe, struct drm_fault_override, kprobe);
	struct drm_fault_running *running = running_here();

	if (!running || running->expected != override)
		return 0;
	running->expected = NULL;
	instruction_pointer_set(regs, (unsigned long)running_inside);
	return 1;
}

NOKPROBE_SYMBOL(drm_fault_call_hit);

/* As often as wished, but not while the machine waits. */
static void running_go(struct drm_fault_running *running, u32 count)
{
	unsigned long flags;
	u32 i;

	running->thread = running_thread();
	raw_spin_lock_irqsave(&drm_fault_calls_lock, flags);
	list_add(&running->node, &drm_fault_calls);
	raw_spin_unlock_irqrestore(&drm_fault_calls_lock, flags);
	for (i = 0; i < count && !running->missed; i++)
		running_step(running, 0);
	raw_spin_lock_irqsave(&drm_fault_calls_lock, flags);
	list_del(&running->node);
	raw_spin_unlock_irqrestore(&drm_fault_calls_lock, flags);
}

static void running_irq(struct irq_work *irq)
{
	running_go(container_of(irq, struct drm_fault_running, irq), 1);
}

static void running_once(struct drm_fault_running *running, u32 flags)
{
	if (!flags) {
		running_go(running, 1);
		return;
	}
	/* The interrupt comes on this CPU, while it does nothing else. */
	preempt_disable();
	if (flags & DRM_FAULT_CALL_IN_IRQ) {
		irq_work_queue(&running->irq);
		irq_work_sync(&running->irq);
	} else {
		running_go(running, 1);
	}
	preempt_enable();
}

static int step_find(struct drm_fault_step *step, const struct drm_fault_call_step *args)
{
	lockdep_assert_held(&drm_fault_overrides_lock);
	if (strnlen(args->symbol, sizeof(args->symbol)) == sizeof(args->symbol) ||
	    args->flags & ~DRM_FAULT_CALL_BODY || args->pad)
		return -EINVAL;
	step->args = args->args;
	step->result = args->result;
	if (args->flags & DRM_FAULT_CALL_BODY) {
		void *function = drm_fault_function(args->symbol);

		step->function = function;
		return PTR_ERR_OR_ZERO(function);
	}
	step->override = drm_fault_override_find(args->symbol);
	if (!step->override)
		return -EINVAL;
	if (!step->override->placed)
		return -ENOENT;
	step->function = drm_fault_override_function(step->override);
	return 0;
}

static int running_find(struct drm_fault_running *running,
			const struct drm_fault_call_make *args)
{
	int ret = step_find(&running->steps[0], &args->outer);
	u32 i;

	for (i = 0; !ret && i < args->inner_count; i++)
		ret = step_find(&running->steps[i + 1], &args->inner[i]);
	running->step_count = args->inner_count + 1;
	/* A body that runs has its own inside. */
	if (!ret && args->inner_count && !running->steps[0].override)
		ret = -EINVAL;
	return ret;
}

/**
 * drm_fault_call_make - make a call
 * @args: which
 *
 * Context: Process, may sleep.
 * Return: 0 or a negative errno
 */
int drm_fault_call_make(struct drm_fault_call_make *args)
{
	struct drm_fault_running *running;
	u32 i;
	int ret;

	if (args->inner_count > DRM_FAULT_CALL_INNER || args->count > DRM_FAULT_CALL_COUNT_MAX ||
	    args->flags & ~(DRM_FAULT_CALL_IN_IRQ | DRM_FAULT_CALL_ATOMIC))
		return -EINVAL;
	running = kzalloc(sizeof(*running), GFP_KERNEL);
	if (!running)
		return -ENOMEM;
	running->irq = IRQ_WORK_INIT_HARD(running_irq);

	down_read(&drm_fault_overrides_lock);
	ret = running_find(running, args);
	for (i = 0; !ret && i < max(args->count, 1U); i++) {
		running_once(running, args->flags);
		if (running->missed)
			ret = -EIO;
		else if (fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	up_read(&drm_fault_overrides_lock);
	args->returned = running->returned;
	kfree(running);
	return ret;
}
