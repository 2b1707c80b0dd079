// SPDX-License-Identifier: MIT
/* What becomes a binding of the device's history. */
#include "object.h"

static __thread struct scope *current;

void scope_enter(struct scope *scope, struct device *device, uint32_t flags)
{
	scope->device = device;
	scope->flags = flags;
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
		 VkDeviceSize size)
{
	struct drmfault_binding_event event = event_of(object, address, size, 0);

	if (device->bindings && size)
		drmfault_bindings_unbind(device->bindings, &event);
}

/* Where a buffer is tells where its memory is, unless the driver has told already. */
static void locate_memory(struct device *device, const struct object *child)
{
	struct object memory;

	if (child->type != VK_OBJECT_TYPE_BUFFER || !child->parent ||
	    !objects_get(device->objects, VK_OBJECT_TYPE_DEVICE_MEMORY, child->parent, &memory) ||
	    memory.address || child->address < child->offset)
		return;
	memory.address = child->address - child->offset;
	objects_set(device->objects, &memory);
	binding_begin(device, &memory, memory.address, memory.size, 0);
}

void object_locate(struct device *device, struct object *object, VkDeviceAddress address)
{
	if (!address || object->address || object->flags & OBJECT_REPORTED)
		return;
	object->address = address;
	objects_set(device->objects, object);
	binding_begin(device, object, address, object->size,
		      object->flags & OBJECT_SPARSE ? DRMFAULT_BINDING_SPARSE : 0);
	if (!(object->flags & OBJECT_SPARSE))
		locate_memory(device, object);
}

void object_destroy(struct device *device, VkObjectType type, uint64_t handle)
{
	objects_remove(device->objects, type, handle);
	if (device->bindings)
		drmfault_bindings_destroy(device->bindings, (uint32_t)type, handle, 0);
}
