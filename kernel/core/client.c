// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/slab.h>

#include <drm/drm_file.h>

#include "compat-file.h"
#include "core.h"

/* Protects the table and the file of every client; innermost, process context. */
static DEFINE_MUTEX(drm_fault_clients_lock);
static DEFINE_HASHTABLE(drm_fault_clients, 8);

static struct drm_fault_client *drm_fault_client_lookup(const struct drm_file *file)
{
	struct drm_fault_client *client;

	lockdep_assert_held(&drm_fault_clients_lock);
	hash_for_each_possible(drm_fault_clients, client, node, (unsigned long)file)
		if (client->file == file)
			return client;
	return NULL;
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
	struct drm_fault_client *client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);
	bool exists;

	if (!client)
		return ERR_PTR(-ENOMEM);
	client->owner = drm_fault_owner_create();
	if (!client->owner) {
		kfree(client);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&client->ref);
	get_device(&reporter->dev);
	client->reporter = reporter;
	client->id = drm_fault_drm_client_id(file);
	client->file = file;

	mutex_lock(&drm_fault_clients_lock);
	exists = drm_fault_client_lookup(file);
	if (!exists)
		hash_add(drm_fault_clients, &client->node, (unsigned long)file);
	mutex_unlock(&drm_fault_clients_lock);
	if (exists) {
		drm_fault_client_put(client);
		return ERR_PTR(-EEXIST);
	}
	return client;
}
EXPORT_SYMBOL_GPL(drm_fault_client_create);

/**
 * drm_fault_client_destroy - note that a DRM node is closed
 * @client: from drm_fault_client_create(); can be an error pointer or NULL
 *
 * Its contexts must have been destroyed before. To be called from
 * &drm_driver.postclose. What was recorded can be read for a while.
 *
 * Context: Process, may sleep.
 */
void drm_fault_client_destroy(struct drm_fault_client *client)
{
	if (IS_ERR_OR_NULL(client))
		return;

	mutex_lock(&drm_fault_clients_lock);
	hash_del(&client->node);
	client->file = NULL;
	mutex_unlock(&drm_fault_clients_lock);
	drm_fault_client_put(client);
}
EXPORT_SYMBOL_GPL(drm_fault_client_destroy);

/**
 * drm_fault_client_find_drm - find the client of an open DRM file
 * @file: open as long as this call takes
 *
 * Context: Process.
 * Return: the client with a reference; -EOPNOTSUPP if nobody told us of it,
 * -ENODEV if its GPU is gone
 */
struct drm_fault_client *drm_fault_client_find_drm(const struct drm_file *file)
{
	struct drm_fault_client *client;

	mutex_lock(&drm_fault_clients_lock);
	client = drm_fault_client_lookup(file);
	if (!client)
		client = ERR_PTR(-EOPNOTSUPP);
	else if (READ_ONCE(client->reporter->gone))
		client = ERR_PTR(-ENODEV);
	else
		kref_get(&client->ref);
	mutex_unlock(&drm_fault_clients_lock);
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
