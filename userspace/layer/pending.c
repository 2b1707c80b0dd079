// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "pending.h"

#define BUCKETS 256u

struct entry {
	struct entry *next;
	uint64_t handle;
	VkObjectType type;
	/* What was submitted, what was seen, and since when nothing changed. */
	uint64_t target, seen, since_ns;
};

struct pending {
	struct entry *buckets[BUCKETS];
};

struct pending *pending_new(void)
{
	return calloc(1, sizeof(struct pending));
}

void pending_free(struct pending *pending)
{
	struct entry *entry;
	unsigned int i;

	for (i = 0; pending && i < BUCKETS; i++)
		while ((entry = pending->buckets[i])) {
			pending->buckets[i] = entry->next;
			free(entry);
		}
	free(pending);
}

/* Handles are often addresses: their low bits are alike. */
static struct entry **place_of(struct pending *pending, VkObjectType type, uint64_t handle)
{
	uint64_t mixed = (handle ^ handle >> 16) * UINT64_C(0x9e3779b97f4a7c15);
	struct entry **at = &pending->buckets[(mixed >> 32) % BUCKETS];

	while (*at && ((*at)->handle != handle || (*at)->type != type))
		at = &(*at)->next;
	return at;
}

void pending_submit(struct pending *pending, VkObjectType type, uint64_t handle, uint64_t value,
		    uint64_t now_ns)
{
	struct entry **at = place_of(pending, type, handle);
	struct entry *entry = *at;

	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return;
		entry->type = type;
		entry->handle = handle;
		*at = entry;
	}
	if (entry->seen >= entry->target)
		entry->since_ns = now_ns;
	if (entry->target < value)
		entry->target = value;
}

uint64_t pending_see(struct pending *pending, VkObjectType type, uint64_t handle, uint64_t value,
		     uint64_t now_ns)
{
	struct entry *entry = *place_of(pending, type, handle);

	if (!entry)
		return 0;
	if (value != entry->seen) {
		entry->seen = value;
		entry->since_ns = now_ns;
	}
	return value < entry->target && now_ns > entry->since_ns ? now_ns - entry->since_ns : 0;
}

void pending_forget(struct pending *pending, VkObjectType type, uint64_t handle)
{
	struct entry **at = place_of(pending, type, handle), *entry = *at;

	if (entry)
		*at = entry->next;
	free(entry);
}
