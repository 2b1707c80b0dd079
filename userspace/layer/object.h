/* SPDX-License-Identifier: MIT */
/*
 * Objects with addresses: what the layer must know of them in order to tell the ranges
 * that the driver does not.
 */
#ifndef DRMFAULT_LAYER_OBJECT_H
#define DRMFAULT_LAYER_OBJECT_H

#include "layer.h"

/* The driver tells the bindings of this object itself. */
#define OBJECT_REPORTED 0x1u
/* Only its addresses are its own: memory comes and goes. */
#define OBJECT_SPARSE 0x2u
/* Its address can be asked for. */
#define OBJECT_ADDRESSABLE 0x4u
/* It lies in its memory as it does for the CPU. */
#define OBJECT_LINEAR 0x8u
/* Its planes have memory of their own. */
#define OBJECT_DISJOINT 0x10u
/* Sparse, and has memory at places that are not known. */
#define OBJECT_PARTIAL 0x20u
/* It may be in the list of its parent. */
#define OBJECT_WAITING 0x40u

struct waiting;

struct object {
	uint64_t handle;
	VkObjectType type;
	uint32_t flags;
	VkDeviceSize size;
	/* 0: not known. */
	VkDeviceAddress address;
	/* What it lies in: memory, or the buffer of an acceleration structure. */
	VkObjectType parent_type;
	/* Of the table alone: what lies in it and has no address. */
	uint32_t waiting_count;
	struct waiting *waiting;
	uint64_t parent;
	VkDeviceSize offset;
};

/* Of those that wait for one parent the others are not remembered. */
#define WAITING_MAX 1024u

struct waiting {
	VkObjectType type;
	uint64_t handle;
};

struct objects *objects_new(void);
void objects_free(struct objects *objects);
/* A copy of it; false: it is not known. */
bool objects_get(struct objects *objects, VkObjectType type, uint64_t handle,
		 struct object *object);
/* Anew or over what was there. Without memory for it nothing is known of the object. */
void objects_set(struct objects *objects, const struct object *object);
/* What the driver told: the flag and, from the first time on, the address. */
void objects_report(struct objects *objects, VkObjectType type, uint64_t handle,
		    VkDeviceAddress address, VkDeviceSize size);
/* Gives it an address; false: it has one, the driver tells it, or it is not known. */
bool objects_locate(struct objects *objects, VkObjectType type, uint64_t handle,
		    VkDeviceAddress address);
void objects_remove(struct objects *objects, VkObjectType type, uint64_t handle);
/*
 * @object waits until its parent has an address. Returns false: it has one already, which
 * @parent then says, or is not there, or too many wait.
 */
bool objects_wait(struct objects *objects, struct object *object, struct object *parent);
/* Those that wait for it, none of which does any more; to be freed. NULL: none does. */
struct waiting *objects_take_waiting(struct objects *objects, VkObjectType type, uint64_t handle,
				     uint32_t *count);
/* Begins to bring in what the others will need, while something else is done. */
void objects_prefetch(struct objects *objects, VkObjectType type, uint64_t handle);

#define HANDLE(object) ((uint64_t)(uintptr_t)(object))

/* ---- What becomes a binding ---- */

/* @object got or lost bytes from @address on; flags as of the library, @time_ns 0: now. */
void binding_begin(struct device *device, const struct object *object, VkDeviceAddress address,
		   VkDeviceSize size, uint32_t flags);
void binding_end(struct device *device, const struct object *object, VkDeviceAddress address,
		 VkDeviceSize size, uint32_t flags, uint64_t time_ns);
/* Its address became known: to be called with what objects_get() gave. */
void object_locate(struct device *device, struct object *object, VkDeviceAddress address);
/* Asks for it, or takes that of its parent. */
void object_find_address(struct device *device, struct object *object);
/* By that of its parent; 0: not known. */
VkDeviceAddress object_address_in_parent(struct device *device, const struct object *object);
/* It is about to be destroyed; 0: nothing is. */
void object_destroy(struct device *device, VkObjectType type, uint64_t handle);
/* Of a buffer, by the driver; 0: not known. */
VkDeviceAddress address_ask(const struct device *device, uint64_t buffer);

/* ---- Whose the driver's messages are ---- */

/* The device in whose call this thread is; nests. */
struct scope {
	struct device *device;
	/* DRMFAULT_BINDING_* of what is bound meanwhile, and of what is unbound. */
	uint32_t flags;
	uint32_t taking;
	/* The object that it makes is of this type. */
	VkObjectType making;
	struct scope *outer;
};

void scope_enter(struct scope *scope, struct device *device, uint32_t flags);
void scope_leave(struct scope *scope);
const struct scope *scope_current(void);

#endif /* DRMFAULT_LAYER_OBJECT_H */
