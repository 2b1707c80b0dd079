// SPDX-License-Identifier: MIT
/* Looking through the ranges of addresses that were told. */
#include "app.h"

const struct app_binding *app_last_binding(VkObjectType type)
{
	size_t i;

	for (i = app_log.binding_count; i-- > 0;)
		if (app_log.bindings[i].object_type == type)
			return &app_log.bindings[i];
	return NULL;
}

size_t app_bound(VkObjectType type, const struct app_binding **last)
{
	size_t i, count = 0;

	*last = NULL;
	for (i = 0; i < app_log.binding_count; i++)
		if (app_log.bindings[i].object_type == type &&
		    app_log.bindings[i].type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT) {
			*last = &app_log.bindings[i];
			count++;
		}
	return count;
}

static bool same_range(const struct app_binding *a, const struct app_binding *b)
{
	return a->address == b->address && a->size == b->size && a->object == b->object &&
	       a->object_type == b->object_type;
}

/* The one that ends what @i begins, or 0. */
static size_t partner(size_t i)
{
	size_t j;

	for (j = i + 1; j < app_log.binding_count; j++)
		if (same_range(&app_log.bindings[i], &app_log.bindings[j]))
			return j;
	return 0;
}

bool app_bindings_paired(void)
{
	bool ended[APP_MAX_BINDINGS] = { false };
	size_t i, j;

	for (i = 0; i < app_log.binding_count; i++) {
		const struct app_binding *b = &app_log.bindings[i];

		if (!b->sound || !b->size || !b->address)
			return false;
		if (ended[i])
			continue;
		j = partner(i);
		if (b->type != VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT || !j ||
		    app_log.bindings[j].type != VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT)
			return false;
		ended[j] = true;
	}
	return true;
}
