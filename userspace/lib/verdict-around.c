// SPDX-License-Identifier: MIT
/* What the bindings around a fault say together. */
#include "verdict.h"

uint64_t around_last(const struct drmfault_dump_binding *binding)
{
	return binding->address + (binding->length - 1);
}

bool around_has_all(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	return binding->address <= inquiry->first && around_last(binding) >= inquiry->last;
}

uint32_t around_traits(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	return verdict_traits(&inquiry->args, binding->object_type);
}

bool around_is_memory(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	return around_traits(inquiry, binding) & DRMFAULT_TRAIT_MEMORY;
}

bool around_is_of_driver(const struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	return binding->flags & DRMFAULT_BINDING_INTERNAL ||
	       around_traits(inquiry, binding) & DRMFAULT_TRAIT_DRIVER;
}

static bool contains(const struct drmfault_dump_binding *outer,
		     const struct drmfault_dump_binding *inner)
{
	return outer->address <= inner->address && around_last(outer) >= around_last(inner);
}

uint64_t around_memory_end(const struct inquiry *inquiry,
			   const struct drmfault_dump_binding *object)
{
	const struct drmfault_dump_binding *bindings =
		drmfault_binding_list_bindings(inquiry->list);
	size_t i;

	if (inquiry->has_live_memory || around_is_memory(inquiry, object))
		return 0;
	for (i = 0; i < drmfault_binding_list_count(inquiry->list); i++)
		if (drmfault_binding_list_relation(inquiry->list, i) == DRMFAULT_RELATION_BEFORE &&
		    around_is_memory(inquiry, &bindings[i]) &&
		    bindings[i].unbound_ns > object->bound_ns)
			return bindings[i].unbound_ns;
	return 0;
}

bool around_holds_object(const struct inquiry *inquiry, const struct drmfault_dump_binding *memory,
			 uint64_t distance)
{
	const struct drmfault_dump_binding *bindings =
		drmfault_binding_list_bindings(inquiry->list);
	size_t i;

	if (!around_is_memory(inquiry, memory))
		return false;
	for (i = 0; i < drmfault_binding_list_count(inquiry->list); i++)
		if (drmfault_binding_list_relation(inquiry->list, i) != DRMFAULT_RELATION_LATER &&
		    drmfault_binding_list_distance(inquiry->list, i) <= distance &&
		    !around_is_memory(inquiry, &bindings[i]) && contains(memory, &bindings[i]))
			return true;
	return false;
}

const struct drmfault_dump_binding *around_reservation(const struct inquiry *inquiry,
						       const struct drmfault_dump_binding *binding,
						       uint32_t *relation)
{
	const struct drmfault_dump_binding *bindings =
		drmfault_binding_list_bindings(inquiry->list);
	size_t i;

	if (binding->flags & DRMFAULT_BINDING_SPARSE)
		return NULL;
	for (i = 0; i < drmfault_binding_list_count(inquiry->list); i++)
		if (bindings[i].flags & DRMFAULT_BINDING_SPARSE &&
		    bindings[i].object == binding->object &&
		    bindings[i].object_type == binding->object_type &&
		    contains(&bindings[i], binding)) {
			*relation = drmfault_binding_list_relation(inquiry->list, i);
			return &bindings[i];
		}
	return NULL;
}

/*
 * Memory counts as something that can be there, unless it is the driver's. But nothing is
 * meant for memory by itself: that it is there makes no other mistake unlikely.
 */
static void look_at(struct inquiry *inquiry, const struct drmfault_dump_binding *binding)
{
	inquiry->has_live = true;
	if (binding->flags & DRMFAULT_BINDING_PARTIAL) {
		inquiry->is_partial = true;
		return;
	}
	if (around_is_of_driver(inquiry, binding) || binding->flags & DRMFAULT_BINDING_SPARSE)
		return;
	if (around_memory_end(inquiry, binding))
		return;
	inquiry->is_backed = true;
	if (!around_has_all(inquiry, binding))
		return;
	if (!around_is_memory(inquiry, binding))
		inquiry->is_covered = true;
	else if (!inquiry->memory_ns || binding->bound_ns < inquiry->memory_ns)
		inquiry->memory_ns = binding->bound_ns;
}

void around_look(struct inquiry *inquiry)
{
	const struct drmfault_dump_binding *bindings =
		drmfault_binding_list_bindings(inquiry->list);
	size_t i, count = drmfault_binding_list_count(inquiry->list);
	uint32_t relation;

	for (i = 0; i < count; i++) {
		relation = drmfault_binding_list_relation(inquiry->list, i);
		inquiry->has_past |= relation == DRMFAULT_RELATION_BEFORE;
		inquiry->has_live_memory |= relation == DRMFAULT_RELATION_AT &&
					    around_is_memory(inquiry, &bindings[i]);
	}
	for (i = 0; i < count; i++)
		if (drmfault_binding_list_relation(inquiry->list, i) == DRMFAULT_RELATION_AT)
			look_at(inquiry, &bindings[i]);
}
