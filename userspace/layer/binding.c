// SPDX-License-Identifier: MIT
/* What becomes a binding of the device's history. */
#include <stdlib.h>

#include "object.h"

static __thread struct scope *current;

void scope_enter(struct scope *scope, struct device *device, uint32_t flags)
{
	scope->device = device;
	scope->flags = flags;
	scope->taking = 0;
	scope->making = VK_OBJECT_TYPE_UNKNOWN;
	scope->outer = current;
	current = scope;
}

void scope_leave(struct scope *scope)
{
	current = scope->outer;
}

const struct scope *scope_current(void)
{
	return current;
}

static struct drmfault_binding_event event_of(const struct object *object, VkDeviceAddress address,
					      VkDeviceSize size, uint32_t flags)
{
	return (struct drmfault_binding_event){
		.size = sizeof(struct drmfault_binding_event),
		.address = address,
		.length = size,
		.object = object->handle,
		.object_type = (uint32_t)object->type,
		.flags = flags,
	};
}

void binding_begin(struct device *device, const struct object *object, VkDeviceAddress address,
		   VkDeviceSize size, uint32_t flags)
{
	struct drmfault_binding_event event = event_of(object, address, size, flags);

	if (device->bindings && size)
		drmfault_bindings_bind(device->bindings, &event);
}

void binding_end(struct device *device, const struct object *object, VkDeviceAddress address,
		 VkDeviceSize size, uint32_t flags, uint64_t time_ns)
{
	struct drmfault_binding_event event = event_of(object, address, size, flags);

	event.time_ns = time_ns;
	if (device->bindings && size)
		drmfault_bindings_unbind(device->bindings, &event);
}

/* What lies in it has an address, too. */
static void locate_waiting(struct device *device, const struct object *parent)
{
	struct object object;
	uint32_t count, i;
	struct waiting *waiting =
		objects_take_waiting(device->objects, parent->type, parent->handle, &count);

	for (i = 0; i < count; i++)
		if (objects_get(device->objects, waiting[i].type, waiting[i].handle, &object) &&
		    object.parent_type == parent->type && object.parent == parent->handle)
			object_locate(device, &object, parent->address + object.offset);
	free(waiting);
}

/* Where a buffer is tells where its memory is, unless the driver has told already. */
static void locate_memory(struct device *device, const struct object *child)
{
	struct object memory;

	if (child->type != VK_OBJECT_TYPE_BUFFER || child->flags & OBJECT_SPARSE ||
	    !child->parent ||
	    !objects_get(device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, child->parent, &memory) ||
	    memory.address || child->address < child->offset)
		return;
	memory.address = child->address - child->offset;
	if (!objects_locate(device->objects, memory.type, memory.handle, memory.address))
		return;
	binding_begin(device, &memory, memory.address, memory.size, 0);
	locate_waiting(device, &memory);
}

void object_locate(struct device *device, struct object *object, VkDeviceAddress address)
{
	if (!address || object->address ||
	    !objects_locate(device->objects, object->type, object->handle, address))
		return;
	object->address = address;
	binding_begin(device, object, address, object->size,
		      object->flags & OBJECT_SPARSE ? DRMFAULT_BINDING_SPARSE : 0);
	locate_waiting(device, object);
	locate_memory(device, object);
}

static bool has_address_of(const struct object *object, const struct object *parent)
{
	return parent->address &&
	       (object->flags & OBJECT_LINEAR || parent->flags & OBJECT_REPORTED);
}

/*
 * Optimal images may be mapped apart from their memory, so that it says nothing of them
 * unless the driver has told the memory and would have told them too.
 */
VkDeviceAddress object_address_in_parent(struct device *device, const struct object *object)
{
	struct object parent;

	if (!object->parent ||
	    !objects_get(device->objects, object->parent_type, object->parent, &parent) ||
	    !has_address_of(object, &parent))
		return 0;
	return parent.address + object->offset;
}

/* If nothing says where it is now, its parent may later. */
static void locate_in_parent(struct device *device, struct object *object)
{
	struct object parent;

	if (object->flags & OBJECT_REPORTED || !object->parent)
		return;
	if (!(object->flags & OBJECT_LINEAR))
		object_locate(device, object, object_address_in_parent(device, object));
	else if (!objects_wait(device->objects, object, &parent) && parent.address)
		object_locate(device, object, parent.address + object->offset);
}

void object_find_address(struct device *device, struct object *object)
{
	if (object->address)
		locate_memory(device, object);
	else if (object->flags & OBJECT_ADDRESSABLE &&
		 (object->parent || object->flags & OBJECT_SPARSE))
		object_locate(device, object, address_ask(device, object->handle));
	else
		locate_in_parent(device, object);
}

void object_destroy(struct device *device, VkObjectType type, uint64_t handle)
{
	if (!handle || !device->bindings)
		return;
	objects_prefetch(device->objects, type, handle);
	drmfault_bindings_destroy(device->bindings, (uint32_t)type, handle, 0);
	objects_remove(device->objects, type, handle);
}
