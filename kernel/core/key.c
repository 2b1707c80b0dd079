// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/hashtable.h>

#include "core.h"

/*
 * The numbers by which fault handlers know contexts: found under RCU, changed under
 * the reporter's lock.
 */

static struct drm_fault_key *drm_fault_key_find(struct drm_fault_reporter *reporter,
						u64 key)
{
	struct drm_fault_key *found;

	hash_for_each_possible_rcu(reporter->by_key, found, node, key,
				   lockdep_is_held(&reporter->lock))
		if (found->key == key)
			return found;
	return NULL;
}

/* Who is looking for another key in the same chain may miss it, once. */
static void drm_fault_key_remove(struct drm_fault_key *key)
{
	hash_del_rcu(&key->node);
	key->key = 0;
}

/**
 * drm_fault_context_key - give a context a key
 * @context: the context
 * @key: not 0
 *
 * Context: Any but NMI, the reporter's lock held.
 * Return: 0; -EEXIST if the key is in use, -ENOSPC without place for it
 */
int drm_fault_context_key(struct drm_fault_context *context, u64 key)
{
	struct drm_fault_reporter *reporter = context->reporter;
	struct drm_fault_key *found;
	unsigned int i;

	lockdep_assert_held(&reporter->lock);
	found = drm_fault_key_find(reporter, key);
	if (found) {
		/* Of a file on its way out: the driver gave the number away again. */
		if (!reporter->hooks || !found->context->client ||
		    READ_ONCE(found->context->client->file))
			return -EEXIST;
		drm_fault_key_remove(found);
	}
	for (i = 0; i < DRM_FAULT_KEYS && context->keys[i].key; i++)
		;
	if (i == DRM_FAULT_KEYS)
		return -ENOSPC;
	context->keys[i].key = key;
	hash_add_rcu(reporter->by_key, &context->keys[i].node, key);
	return 0;
}

/**
 * drm_fault_context_forget_keys - find a context by its keys no more
 * @context: the context
 *
 * Context: Any but NMI, the reporter's lock held.
 */
void drm_fault_context_forget_keys(struct drm_fault_context *context)
{
	struct drm_fault_key *key;

	lockdep_assert_held(&context->reporter->lock);
	for (key = context->keys; key < context->keys + DRM_FAULT_KEYS; key++)
		if (key->key)
			drm_fault_key_remove(key);
}

/**
 * drm_fault_context_add_key - tell another number by which a context is known
 * @context: alive
 * @key: not 0
 *
 * Context: Any but NMI.
 * Return: 0; -EEXIST if the key is in use, -ENOSPC after the second one, -ENODEV
 * if the GPU is gone
 */
int drm_fault_context_add_key(struct drm_fault_context *context, u64 key)
{
	struct drm_fault_reporter *reporter = context->reporter;
	unsigned long flags;
	int ret = -ENODEV;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	if (!reporter->gone && !context->ended)
		ret = drm_fault_context_key(context, key);
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
	return ret;
}
EXPORT_SYMBOL_GPL(drm_fault_context_add_key);

/**
 * drm_fault_context_rekey - an address space got another number
 * @context: alive
 * @old: the number that it has no more, 0: none
 * @key: the one that it has now, 0: none
 * @pasid: for records from now on
 *
 * Context: Any but NMI.
 * Return: 0; -EEXIST if the key is in use, -ENOSPC without place for it, -ENODEV
 * if the GPU is gone
 */
int drm_fault_context_rekey(struct drm_fault_context *context, u64 old, u64 key, u32 pasid)
{
	struct drm_fault_reporter *reporter = context->reporter;
	struct drm_fault_key *found;
	unsigned long flags;
	int ret = -ENODEV;

	raw_spin_lock_irqsave(&reporter->lock, flags);
	if (!reporter->gone && !context->ended) {
		found = old ? drm_fault_key_find(reporter, old) : NULL;
		if (found && found->context == context)
			drm_fault_key_remove(found);
		WRITE_ONCE(context->pasid, pasid);
		ret = key ? drm_fault_context_key(context, key) : 0;
	}
	raw_spin_unlock_irqrestore(&reporter->lock, flags);
	return ret;
}
EXPORT_SYMBOL_GPL(drm_fault_context_rekey);

/**
 * drm_fault_context_of_key - find a context
 * @reporter: the GPU
 * @key: by which it is known
 *
 * Context: Any but NMI, under RCU, as probes are; the context is valid as long.
 * Return: the context or NULL
 */
struct drm_fault_context *drm_fault_context_of_key(struct drm_fault_reporter *reporter,
						   u64 key)
{
	struct drm_fault_key *found = key ? drm_fault_key_find(reporter, key) : NULL;

	return found ? found->context : NULL;
}
EXPORT_SYMBOL_GPL(drm_fault_context_of_key);
