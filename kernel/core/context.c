// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "core.h"

const struct rhashtable_params drm_fault_context_params = {
	.key_len = sizeof(u64),
	.key_offset = offsetof(struct drm_fault_context, key),
	.head_offset = offsetof(struct drm_fault_context, by_key),
	.automatic_shrinking = true,
};

static void drm_fault_context_free(struct drm_fault_context *context)
{
	if (context->client)
		drm_fault_client_put(context->client);
	drm_fault_owner_put(context->owner);
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

/* Without @args the catch-all context, which has no owner. */
static int drm_fault_context_own(struct drm_fault_context *context,
				 const struct drm_fault_context_args *args)
{
	if (!args)
		return 0;

	context->key = args->key;
	context->pasid = args->pasid;
	if (args->client) {
		kref_get(&args->client->ref);
		context->client = args->client;
		kref_get(&args->client->owner->ref);
		context->owner = args->client->owner;
	} else {
		context->owner = drm_fault_owner_create();
		if (!context->owner)
			return -ENOMEM;
	}
	return 0;
}

static struct drm_fault_context *
drm_fault_context_alloc(struct drm_fault_reporter *reporter,
			const struct drm_fault_context_args *args)
{
	static atomic64_t ids = ATOMIC64_INIT(0);
	unsigned int capacity = drm_fault_settings.ring_records;
	struct drm_fault_context *context = kzalloc(sizeof(*context), GFP_KERNEL_ACCOUNT);

	if (!context)
		return ERR_PTR(-ENOMEM);
	get_device(&reporter->dev);
	context->reporter = reporter;
	context->id = atomic64_inc_return(&ids);
	kref_init(&context->ref);
	INIT_LIST_HEAD(&context->node);
	raw_spin_lock_init(&context->lock);
	context->ring = kvzalloc(drm_fault_ring_size(capacity), GFP_KERNEL_ACCOUNT);
	if (!context->ring || drm_fault_context_own(context, args)) {
		drm_fault_context_free(context);
		return ERR_PTR(-ENOMEM);
	}
	drm_fault_ring_init(context->ring, capacity);
	return context;
}

/**
 * drm_fault_context_create - note a new GPU address space
 * @reporter: the GPU
 * @args: whose it is and how it is found
 *
 * Context: Process, may sleep.
 * Return: the context, to be given to drm_fault_context_destroy(); -ENOMEM,
 * -EEXIST if the key is in use, -ENODEV if @reporter is unregistered
 */
struct drm_fault_context *
drm_fault_context_create(struct drm_fault_reporter *reporter,
			 const struct drm_fault_context_args *args)
{
	struct drm_fault_context *context = drm_fault_context_alloc(reporter, args);
	int ret = 0;

	if (IS_ERR(context))
		return context;

	mutex_lock(&reporter->lock);
	if (reporter->gone)
		ret = -ENODEV;
	else if (context->key)
		ret = rhashtable_lookup_insert_fast(&reporter->by_key,
						    &context->by_key,
						    drm_fault_context_params);
	if (!ret)
		list_add_tail(&context->node, &reporter->contexts);
	mutex_unlock(&reporter->lock);
	if (ret) {
		drm_fault_context_put(context);
		return ERR_PTR(ret);
	}
	return context;
}
EXPORT_SYMBOL_GPL(drm_fault_context_create);

static void drm_fault_context_forget(struct drm_fault_context *context)
{
	struct drm_fault_reporter *reporter = context->reporter;

	lockdep_assert_held(&reporter->lock);
	list_del_init(&context->node);
	if (context->ended)
		reporter->retained_count--;
	drm_fault_context_put(context);
}

static unsigned long drm_fault_retain_jiffies(void)
{
	return drm_fault_settings.retain_seconds * HZ;
}

/* Forgets what is over the limits; the list has the ended contexts in the order of their end. */
static void drm_fault_context_trim(struct drm_fault_reporter *reporter)
{
	unsigned long now = jiffies, next = 0;
	struct drm_fault_context *context, *tmp;

	lockdep_assert_held(&reporter->lock);
	list_for_each_entry_safe(context, tmp, &reporter->contexts, node) {
		if (!context->ended)
			continue;
		if (reporter->retained_count > drm_fault_settings.retain_contexts ||
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

	mutex_lock(&reporter->lock);
	drm_fault_context_trim(reporter);
	mutex_unlock(&reporter->lock);
}

/**
 * drm_fault_context_destroy - note the end of a GPU address space
 * @context: from drm_fault_context_create(); can be an error pointer or NULL
 *
 * No event with this pointer may come any more; events with its key go to the
 * catch-all context. What was recorded can be read for a while.
 *
 * Context: Process, may sleep.
 */
void drm_fault_context_destroy(struct drm_fault_context *context)
{
	struct drm_fault_reporter *reporter;
	u64 events, lost;

	if (IS_ERR_OR_NULL(context))
		return;

	reporter = context->reporter;
	mutex_lock(&reporter->lock);
	if (context->key)
		rhashtable_remove_fast(&reporter->by_key, &context->by_key,
				       drm_fault_context_params);
	if (list_empty(&context->node)) {
		/* The GPU has gone before: its list holds no reference. */
		mutex_unlock(&reporter->lock);
		drm_fault_context_put(context);
		return;
	}

	drm_fault_ring_counts(context->ring, &events, &lost);
	context->ended = true;
	context->ended_jiffies = jiffies;
	reporter->retained_count++;
	if (!events || reporter->gone) {
		drm_fault_context_forget(context);
	} else {
		list_move_tail(&context->node, &reporter->contexts);
		drm_fault_context_trim(reporter);
	}
	mutex_unlock(&reporter->lock);
}
EXPORT_SYMBOL_GPL(drm_fault_context_destroy);

/**
 * drm_fault_contexts_end - let go of all contexts of a GPU that has gone
 * @reporter: unregistered
 *
 * Those that were destroyed are forgotten; the others belong to their creators,
 * who still have to destroy them.
 *
 * Context: Process, may sleep.
 */
void drm_fault_contexts_end(struct drm_fault_reporter *reporter)
{
	struct drm_fault_context *context, *tmp;

	mutex_lock(&reporter->lock);
	WRITE_ONCE(reporter->gone, true);
	list_for_each_entry_safe(context, tmp, &reporter->contexts, node) {
		if (context->ended)
			drm_fault_context_forget(context);
		else
			list_del_init(&context->node);
	}
	mutex_unlock(&reporter->lock);
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
