// SPDX-License-Identifier: MIT
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "table.h"

#define TABLE_BUCKETS 64u

struct entry {
	struct entry *next;
	const void *key;
	void *value;
};

struct table {
	pthread_rwlock_t lock;
	struct entry *buckets[TABLE_BUCKETS];
};

struct table instances = { .lock = PTHREAD_RWLOCK_INITIALIZER };
struct table devices = { .lock = PTHREAD_RWLOCK_INITIALIZER };

static const void *key_of(const void *handle)
{
	return *(const void *const *)handle;
}

static struct entry **bucket_of(struct table *table, const void *key)
{
	return &table->buckets[((uintptr_t)key >> 4) % TABLE_BUCKETS];
}

bool table_add(struct table *table, const void *handle, void *value)
{
	struct entry *entry = malloc(sizeof(*entry));
	struct entry **bucket;

	if (!entry)
		return false;
	entry->key = key_of(handle);
	entry->value = value;
	bucket = bucket_of(table, entry->key);
	pthread_rwlock_wrlock(&table->lock);
	entry->next = *bucket;
	*bucket = entry;
	pthread_rwlock_unlock(&table->lock);
	return true;
}

void table_remove(struct table *table, const void *handle)
{
	const void *key = key_of(handle);
	struct entry **at, *entry;

	pthread_rwlock_wrlock(&table->lock);
	for (at = bucket_of(table, key); *at && (*at)->key != key;)
		at = &(*at)->next;
	entry = *at;
	if (entry)
		*at = entry->next;
	pthread_rwlock_unlock(&table->lock);
	free(entry);
}

void *table_find(struct table *table, const void *handle)
{
	const void *key = key_of(handle);
	const struct entry *entry;
	void *value;

	pthread_rwlock_rdlock(&table->lock);
	for (entry = *bucket_of(table, key); entry && entry->key != key;)
		entry = entry->next;
	value = entry ? entry->value : NULL;
	pthread_rwlock_unlock(&table->lock);
	return value;
}
