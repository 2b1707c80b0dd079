// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/slab.h>

#include <drm/drm_file.h>

#include "compat-file.h"
#include "core.h"

/* Protects the table and the file of every client; innermost, also in probes. */
static DEFINE_RAW_SPINLOCK(drm_fault_clients_lock);
static DEFINE_HASHTABLE(drm_fault_clients, 10);

static struct drm_fault_client *drm_fault_client_lookup(const struct drm_file *file)
{
	struct drm_fault_client *client;

	lockdep_assert_held(&drm_fault_clients_lock);
	hash_for_each_possible(drm_fault_clients, client, node, (unsigned long)file)
		if (client->file == file)
			return client;
	return NULL;
}

static void drm_fault_client_unhash(struct drm_fault_client *client)
{
	lockdep_assert_held(&drm_fault_clients_lock);
	hash_del(&client->node);
	client->file = NULL;
}

/**
 * drm_fault_client_add - note an opener of a DRM node
 * @reporter: the GPU
 * @file: the opener
 * @owner: its process; the reference is taken over, also if this fails
 * @gfp: how to allocate
 *
 * Context: Task, may sleep if @gfp does.
 * Return: the client, to be given to drm_fault_client_destroy(); -ENOMEM, or
 * -EEXIST if @file has one
 */
struct drm_fault_client *drm_fault_client_add(struct drm_fault_reporter *reporter,
					      const struct drm_file *file,
					      struct drm_fault_owner *owner, gfp_t gfp)
{
	struct drm_fault_client *client = kzalloc(sizeof(*client), gfp);
	unsigned long flags;
	bool exists;

	if (!client || !owner) {
		drm_fault_owner_put(owner);
		kfree(client);
		return ERR_PTR(-ENOMEM);
	}
	client->owner = owner;
	kref_init(&client->ref);
	INIT_LIST_HEAD(&client->contexts);
	get_device(&reporter->dev);
	client->reporter = reporter;
	client->id = drm_fault_drm_client_id(file);
	client->file = file;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	exists = drm_fault_client_lookup(file);
	if (!exists)
		hash_add(drm_fault_clients, &client->node, (unsigned long)file);
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
	if (exists) {
		drm_fault_client_put(client);
		return ERR_PTR(-EEXIST);
	}
	return client;
}

/**
 * drm_fault_client_create - note that a DRM node was opened
 * @reporter: the GPU
 * @file: the new opener
 *
 * The current process becomes the owner. To be called from &drm_driver.open.
 *
 * Context: Process, may sleep.
 * Return: the client, to be given to drm_fault_client_destroy(); -ENOMEM, or
 * -EEXIST if @file has one
 */
struct drm_fault_client *
drm_fault_client_create(struct drm_fault_reporter *reporter, struct drm_file *file)
{
	return drm_fault_client_add(reporter, file,
				    drm_fault_owner_create(GFP_KERNEL_ACCOUNT),
				    GFP_KERNEL_ACCOUNT);
}
EXPORT_SYMBOL_GPL(drm_fault_client_create);

/**
 * drm_fault_client_destroy - note that a DRM node is closed
 * @client: from drm_fault_client_create(); can be an error pointer or NULL
 *
 * Its contexts must have been destroyed before. To be called from
 * &drm_driver.postclose. What was recorded can be read for a while.
 *
 * Context: Any but NMI.
 */
void drm_fault_client_destroy(struct drm_fault_client *client)
{
	unsigned long flags;

	if (IS_ERR_OR_NULL(client))
		return;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	drm_fault_client_unhash(client);
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
	drm_fault_client_put(client);
}
EXPORT_SYMBOL_GPL(drm_fault_client_destroy);

/**
 * drm_fault_client_find_drm - find the client of an open DRM file
 * @file: open as long as this call takes
 *
 * Context: Any but NMI.
 * Return: the client with a reference; -EOPNOTSUPP if nobody told us of it,
 * -ENODEV if its GPU is gone
 */
struct drm_fault_client *drm_fault_client_find_drm(const struct drm_file *file)
{
	struct drm_fault_client *client;
	unsigned long flags;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	client = drm_fault_client_lookup(file);
	if (!client)
		client = ERR_PTR(-EOPNOTSUPP);
	else if (READ_ONCE(client->reporter->gone))
		client = ERR_PTR(-ENODEV);
	else
		kref_get(&client->ref);
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
	return client;
}

/**
 * drm_fault_client_find - find the client of any open file
 * @file: the file
 *
 * Context: Process.
 * Return: as drm_fault_client_find_drm(), and -EINVAL if @file is no DRM node
 */
struct drm_fault_client *drm_fault_client_find(struct file *file)
{
	struct drm_file *drm_file = drm_fault_drm_of_file(file);

	return drm_file ? drm_fault_client_find_drm(drm_file) : ERR_PTR(-EINVAL);
}

/**
 * drm_fault_client_of_file - find the client of an open DRM file
 * @file: the file
 *
 * Context: Any but NMI, under RCU, as probes are; the client is valid as long.
 * Return: the client or NULL
 */
struct drm_fault_client *drm_fault_client_of_file(const struct drm_file *file)
{
	struct drm_fault_client *client;
	unsigned long flags;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	client = drm_fault_client_lookup(file);
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
	return client;
}
EXPORT_SYMBOL_GPL(drm_fault_client_of_file);

/**
 * drm_fault_client_take - find the client of a file, and part the two
 * @file: the file
 *
 * Context: Any but NMI.
 * Return: the client with the reference that its creator had, or NULL
 */
struct drm_fault_client *drm_fault_client_take(const struct drm_file *file)
{
	struct drm_fault_client *client;
	unsigned long flags;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	client = drm_fault_client_lookup(file);
	if (client)
		drm_fault_client_unhash(client);
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
	return client;
}

/**
 * drm_fault_clients_close - part with all clients of a GPU that hooks served
 * @reporter: unregistered
 *
 * Context: Process.
 */
void drm_fault_clients_close(struct drm_fault_reporter *reporter)
{
	struct drm_fault_client *client;
	struct hlist_node *tmp;
	unsigned long flags;
	int bucket;

	raw_spin_lock_irqsave(&drm_fault_clients_lock, flags);
	hash_for_each_safe(drm_fault_clients, bucket, tmp, client, node) {
		if (client->reporter != reporter)
			continue;
		drm_fault_client_unhash(client);
		drm_fault_client_put(client);
	}
	raw_spin_unlock_irqrestore(&drm_fault_clients_lock, flags);
}

static void drm_fault_client_free(struct work_struct *work)
{
	struct drm_fault_client *client =
		container_of(to_rcu_work(work), struct drm_fault_client, rcu);

	drm_fault_owner_put(client->owner);
	put_device(&client->reporter->dev);
	kfree(client);
}

static void drm_fault_client_release(struct kref *ref)
{
	struct drm_fault_client *client = container_of(ref, struct drm_fault_client, ref);

	INIT_RCU_WORK(&client->rcu, drm_fault_client_free);
	queue_rcu_work(drm_fault_wq, &client->rcu);
}

/**
 * drm_fault_client_put - give a client back
 * @client: the client
 *
 * Context: Any.
 */
void drm_fault_client_put(struct drm_fault_client *client)
{
	kref_put(&client->ref, drm_fault_client_release);
}
