// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "core.h"

static void drm_fault_context_free(struct drm_fault_context *context)
{
	if (context->client)
		drm_fault_client_put(context->client);
	drm_fault_owner_put(rcu_dereference_protected(context->owner, true));
	put_device(&context->reporter->dev);
	kvfree(context->ring);
	kfree(context);
}

static void drm_fault_context_free_work(struct work_struct *work)
{
	drm_fault_context_free(container_of(to_rcu_work(work), struct drm_fault_context,
					    rcu));
}

static void drm_fault_context_release(struct kref *ref)
{
	struct drm_fault_context *context =
		container_of(ref, struct drm_fault_context, ref);

	INIT_RCU_WORK(&context->rcu, drm_fault_context_free_work);
	queue_rcu_work(drm_fault_wq, &context->rcu);
}

/**
 * drm_fault_context_put - give a context back
 * @context: the context
 *
 * Context: Any.
 */
void drm_fault_context_put(struct drm_fault_context *context)
{
	kref_put(&context->ref, drm_fault_context_release);
}

static gfp_t drm_fault_context_gfp(const struct drm_fault_context_args *args)
{
	return args && args->atomic ? GFP_ATOMIC | __GFP_NOWARN : GFP_KERNEL_ACCOUNT;
}

/* Without @args the catch-all context, which has no owner. */
static int drm_fault_context_own(struct drm_fault_context *context,
				 const struct drm_fault_context_args *args)
{
	struct drm_fault_owner *owner;

	if (!args)
		return 0;

	context->pasid = args->pasid;
	if (args->client) {
		kref_get(&args->client->ref);
		context->client = args->client;
		kref_get(&args->client->owner->ref);
		owner = args->client->owner;
	} else {
		owner = drm_fault_owner_create(drm_fault_context_gfp(args));
		if (!owner)
			return -ENOMEM;
	}
	RCU_INIT_POINTER(context->owner, owner);
	return 0;
}

static int drm_fault_context_ring_alloc(struct drm_fault_context *context)
{
	unsigned int capacity = drm_fault_settings.ring_records;

	context->ring = kvzalloc(drm_fault_ring_size(capacity), GFP_KERNEL_ACCOUNT);
	if (!context->ring)
		return -ENOMEM;
	drm_fault_ring_init(context->ring, capacity);
	return 0;
}

static struct drm_fault_context *
drm_fault_context_alloc(struct drm_fault_reporter *reporter,
			const struct drm_fault_context_args *args)
{
	static atomic64_t ids = ATOMIC64_INIT(0);
	bool atomic = args && args->atomic;
	struct drm_fault_context *context;
	unsigned int i;

	context = kzalloc(sizeof(*context), drm_fault_context_gfp(args));
	if (!context)
		return ERR_PTR(-ENOMEM);
	get_device(&reporter->dev);
	context->reporter = reporter;
	context->id = atomic64_inc_return(&ids);
	kref_init(&context->ref);
	INIT_LIST_HEAD(&context->client_node);
	INIT_LIST_HEAD(&context->ended_node);
	raw_spin_lock_init(&context->lock);
	for (i = 0; i < DRM_FAULT_KEYS; i++)
		context->keys[i].context = context;
	if ((!atomic && drm_fault_context_ring_alloc(context)) ||
	    drm_fault_context_own(context, args)) {
		drm_fault_context_free(context);
		return ERR_PTR(-ENOMEM);
	}
	return context;
}

/**
 * drm_fault_context_create - note a new GPU address space
 * @reporter: the GPU
 * @args: whose it is and how it is found
 *
 * Context: Process, may sleep; any but NMI with &drm_fault_context_args.atomic.
 * Return: the context, to be given to drm_fault_context_destroy(); -ENOMEM,
 * -EEXIST if the key is in use, -ENODEV if @reporter is unregistered
 */
struct drm_fault_context *
drm_fault_context_create(struct drm_fault_reporter *reporter,
			 const struct drm_fault_context_args *args)
{
	struct drm_fault_context *context = drm_fault_context_alloc(reporter, args);
	unsigned long flags;
	int ret = 0;

	if (IS_ERR(context))
		return context;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	if (reporter->gone)
		ret = -ENODEV;
	else if (args && args->key)
		ret = drm_fault_context_key(context, args->key);
	if (!ret) {
		list_add_tail_rcu(&context->node, &reporter->contexts);
		context->listed = true;
		if (context->client)
			list_add_tail(&context->client_node, &context->client->contexts);
	}
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
	if (ret) {
		drm_fault_context_put(context);
		return ERR_PTR(ret);
	}
	return context;
}
EXPORT_SYMBOL_GPL(drm_fault_context_create);

static void drm_fault_context_unlist(struct drm_fault_context *context)
{
	lockdep_assert_held(&context->reporter->lock);
	list_del_rcu(&context->node);
	context->listed = false;
	list_del_init(&context->client_node);
}

static void drm_fault_context_forget(struct drm_fault_context *context)
{
	struct drm_fault_reporter *reporter = context->reporter;

	lockdep_assert_held(&reporter->lock);
	drm_fault_context_unlist(context);
	if (context->ended) {
		list_del_init(&context->ended_node);
		reporter->ended_count--;
	}
	drm_fault_context_put(context);
}

static unsigned long drm_fault_retain_jiffies(void)
{
	return drm_fault_settings.retain_seconds * HZ;
}

/* Forgets what is over the limits. */
static void drm_fault_context_trim(struct drm_fault_reporter *reporter)
{
	unsigned long now = jiffies, next = 0;
	struct drm_fault_context *context, *tmp;

	lockdep_assert_held(&reporter->lock);
	list_for_each_entry_safe(context, tmp, &reporter->ended, ended_node) {
		if (reporter->ended_count > drm_fault_settings.retain_contexts ||
		    time_after_eq(now, context->ended_jiffies + drm_fault_retain_jiffies())) {
			drm_fault_context_forget(context);
			continue;
		}
		next = context->ended_jiffies + drm_fault_retain_jiffies() - now;
		break;
	}
	if (next && !reporter->gone)
		mod_delayed_work(drm_fault_wq, &reporter->purge, next);
}

/**
 * drm_fault_context_purge - forget contexts that ended long ago
 * @work: &drm_fault_reporter.purge
 *
 * Context: Process.
 */
void drm_fault_context_purge(struct work_struct *work)
{
	struct drm_fault_reporter *reporter =
		container_of(to_delayed_work(work), struct drm_fault_reporter, purge);

	unsigned long flags;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	drm_fault_context_trim(reporter);
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
}

static void drm_fault_context_end(struct drm_fault_context *context)
{
	struct drm_fault_reporter *reporter = context->reporter;
	u64 events, lost;

	lockdep_assert_held(&reporter->lock);
	drm_fault_context_forget_keys(context);
	drm_fault_context_counts(context, &events, &lost);
	if (!events || reporter->gone) {
		drm_fault_context_forget(context);
		return;
	}
	list_del_init(&context->client_node);
	context->ended = true;
	context->ended_jiffies = jiffies;
	list_add_tail(&context->ended_node, &reporter->ended);
	reporter->ended_count++;
	drm_fault_context_trim(reporter);
}

/**
 * drm_fault_context_destroy - note the end of a GPU address space
 * @context: from drm_fault_context_create(); can be an error pointer or NULL
 *
 * No event with this pointer may come any more; events with its key go to the
 * catch-all context. What was recorded can be read for a while. Hooks, which find
 * it by key under RCU, may come when it has ended already: then nothing happens.
 *
 * Context: Any but NMI.
 */
void drm_fault_context_destroy(struct drm_fault_context *context)
{
	struct drm_fault_reporter *reporter;
	unsigned long flags;

	if (IS_ERR_OR_NULL(context))
		return;

	reporter = context->reporter;
	raw_spin_lock_irqsave(&reporter->lock, flags);
	if (context->listed && !context->ended) {
		drm_fault_context_end(context);
	} else if (!reporter->hooks) {
		/* The GPU has gone before: its list holds no reference. */
		drm_fault_context_forget_keys(context);
		drm_fault_context_put(context);
	}
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
}
EXPORT_SYMBOL_GPL(drm_fault_context_destroy);

/**
 * drm_fault_contexts_end_client - end all contexts of a client of hooks
 * @client: its file is closed
 *
 * Context: Any but NMI.
 */
void drm_fault_contexts_end_client(struct drm_fault_client *client)
{
	struct drm_fault_reporter *reporter = client->reporter;
	struct drm_fault_context *context, *tmp;
	unsigned long flags;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	list_for_each_entry_safe(context, tmp, &client->contexts, client_node)
		drm_fault_context_end(context);
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
}

/**
 * drm_fault_context_claim - the current process is who uses a context
 * @context: alive
 *
 * A node may be opened by a display server for its clients, so the first other
 * process to use it becomes the owner, and the next when that one is gone.
 *
 * Context: Task, any but NMI, under RCU, as probes are.
 */
void drm_fault_context_claim(struct drm_fault_context *context)
{
	struct drm_fault_owner *owner = rcu_dereference(context->owner);
	struct drm_fault_owner *claimant, *old;
	unsigned long flags;

	if (!owner || owner->pid == task_tgid(current))
		return;
	/* Processes that share a file do not take it from each other at every turn. */
	if (context->client && owner != context->client->owner &&
	    pid_task(owner->pid, PIDTYPE_TGID))
		return;
	claimant = drm_fault_owner_create(GFP_ATOMIC | __GFP_NOWARN);
	if (!claimant)
		return;
	raw_spin_lock_irqsave(&context->reporter->lock, flags);
	old = rcu_dereference_protected(context->owner,
					lockdep_is_held(&context->reporter->lock));
	if (old == owner)
		rcu_assign_pointer(context->owner, claimant);
	raw_spin_unlock_irqrestore(&context->reporter->lock, flags);
	drm_fault_owner_put(old == owner ? old : claimant);
}
EXPORT_SYMBOL_GPL(drm_fault_context_claim);

/**
 * drm_fault_context_stock - see to it that a context has a ring
 * @context: about to record its first event, its lock held
 *
 * Context: Any but NMI.
 * Return: false if there is no memory for one now
 */
bool drm_fault_context_stock(struct drm_fault_context *context)
{
	struct drm_fault_ring *ring;

	lockdep_assert_held(&context->lock);
	if (context->ring)
		return true;
	ring = drm_fault_stock_take();
	/* Pairs with drm_fault_context_ring(). */
	smp_store_release(&context->ring, ring);
	return ring;
}

/**
 * drm_fault_context_counts - what was ever raised in a context
 * @context: the context
 * @events: returns the events
 * @lost: returns those of them that no record counts
 *
 * Context: Any.
 */
void drm_fault_context_counts(const struct drm_fault_context *context, u64 *events,
			      u64 *lost)
{
	const struct drm_fault_ring *ring = drm_fault_context_ring(context);

	*events = 0;
	*lost = 0;
	if (ring)
		drm_fault_ring_counts(ring, events, lost);
}

/**
 * drm_fault_contexts_end - let go of all contexts of a GPU that has gone
 * @reporter: unregistered
 *
 * Those that were destroyed are forgotten, and those that hooks made; the others
 * belong to their creators, who still have to destroy them.
 *
 * Context: Process, may sleep.
 */
void drm_fault_contexts_end(struct drm_fault_reporter *reporter)
{
	struct drm_fault_context *context, *tmp;
	unsigned long flags;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	WRITE_ONCE(reporter->gone, true);
	list_for_each_entry_safe(context, tmp, &reporter->contexts, node) {
		if (reporter->hooks)
			drm_fault_context_forget_keys(context);
		if (context->ended || reporter->hooks)
			drm_fault_context_forget(context);
		else
			drm_fault_context_unlist(context);
	}
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
}

/**
 * drm_fault_context_id - number of a context as records show it
 * @context: from drm_fault_context_create()
 *
 * Context: Any.
 * Return: the number, unique until the module is unloaded
 */
u64 drm_fault_context_id(const struct drm_fault_context *context)
{
	return context->id;
}
EXPORT_SYMBOL_GPL(drm_fault_context_id);
