// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"

struct drmfault_binding_list *list_new(bool has_places)
{
	struct drmfault_binding_list *list = calloc(1, sizeof(*list));

	if (list)
		list->has_places = has_places;
	return list;
}

static bool grow(struct drmfault_binding_list *list)
{
	size_t room = list->room ? 2 * list->room : 16;
	struct drmfault_dump_binding *bindings;
	struct list_place *places;

	if (list->count < list->room)
		return true;
	bindings = realloc(list->bindings, room * sizeof(*bindings));
	if (!bindings)
		return false;
	list->bindings = bindings;
	if (list->has_places) {
		places = realloc(list->places, room * sizeof(*places));
		if (!places)
			return false;
		list->places = places;
	}
	list->room = room;
	return true;
}

/* The offset of the name, which becomes a pointer when the names stay where they are. */
static bool add_name(struct drmfault_binding_list *list, const char *name, size_t *offset)
{
	size_t size = strlen(name) + 1, room = list->names_room ? list->names_room : 256;
	char *names;

	while (room < list->names_size + size)
		room *= 2;
	if (room > list->names_room) {
		names = realloc(list->names, room);
		if (!names)
			return false;
		list->names = names;
		list->names_room = room;
	}
	*offset = list->names_size;
	memcpy(list->names + list->names_size, name, size);
	list->names_size += size;
	return true;
}

void list_add(struct drmfault_binding_list *list, const struct drmfault_dump_binding *binding,
	      const struct list_place *place)
{
	struct drmfault_dump_binding *added;
	size_t offset = 0;

	/* All that have no name share the first one, which is empty. */
	if (!list->names && !add_name(list, "", &offset))
		list->failed = true;
	if (list->failed || !grow(list) ||
	    (*binding->name && !add_name(list, binding->name, &offset))) {
		list->failed = true;
		return;
	}
	added = &list->bindings[list->count];
	*added = *binding;
	added->name = (const char *)(uintptr_t)offset;
	if (list->has_places)
		list->places[list->count] = *place;
	list->count++;
}

int list_finish(struct drmfault_binding_list *made, struct drmfault_binding_list **list)
{
	size_t i;

	if (made->failed) {
		drmfault_binding_list_free(made);
		return -ENOMEM;
	}
	for (i = 0; i < made->count; i++)
		made->bindings[i].name = made->names + (uintptr_t)made->bindings[i].name;
	*list = made;
	return 0;
}

DRMFAULT_API size_t drmfault_binding_list_count(const struct drmfault_binding_list *list)
{
	return list->count;
}

DRMFAULT_API const struct drmfault_dump_binding *
drmfault_binding_list_bindings(const struct drmfault_binding_list *list)
{
	return list->bindings;
}

DRMFAULT_API uint32_t drmfault_binding_list_relation(const struct drmfault_binding_list *list,
						     size_t i)
{
	return list->places && i < list->count ? list->places[i].relation : 0;
}

DRMFAULT_API uint64_t drmfault_binding_list_distance(const struct drmfault_binding_list *list,
						     size_t i)
{
	return list->places && i < list->count ? list->places[i].distance : 0;
}

DRMFAULT_API void drmfault_binding_list_free(struct drmfault_binding_list *list)
{
	if (!list)
		return;
	free(list->bindings);
	free(list->places);
	free(list->names);
	free(list);
}
