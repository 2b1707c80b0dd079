// SPDX-License-Identifier: MIT
/* Objects that are made and destroyed: what of them is new, and what is the same for all. */
#include "chain.h"
#include "hooks.h"
#include "object.h"

/* In the headers since 1.3.261, and instead of VkBufferCreateInfo.usage. */
#define BUFFER_USAGE_2 ((VkStructureType)1000470006)

struct buffer_usage_2 {
	VkStructureType type;
	const void *next;
	uint64_t usage;
};

static void learn_memory(struct object *object, const VkMemoryAllocateInfo *info)
{
	object->size = info->allocationSize;
}

static void learn_buffer(struct object *object, const VkBufferCreateInfo *info)
{
	const struct buffer_usage_2 *usage_2 = chain_find(info->pNext, BUFFER_USAGE_2);
	uint64_t usage = usage_2 ? usage_2->usage : info->usage;

	object->size = info->size;
	object->flags = OBJECT_LINEAR;
	if (info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
		object->flags |= OBJECT_SPARSE;
	if (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)
		object->flags |= OBJECT_ADDRESSABLE;
}

/* How long it is only its requirements tell, and they cost a call. */
static void learn_image(struct object *object, const VkImageCreateInfo *info)
{
	if (info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT)
		object->flags |= OBJECT_SPARSE;
	if (info->flags & VK_IMAGE_CREATE_DISJOINT_BIT)
		object->flags |= OBJECT_DISJOINT;
	if (info->tiling == VK_IMAGE_TILING_LINEAR)
		object->flags |= OBJECT_LINEAR;
}

static void learn_structure(struct object *object, const VkAccelerationStructureCreateInfoKHR *info)
{
	object->size = info->size;
	object->flags = OBJECT_LINEAR;
	object->parent_type = VK_OBJECT_TYPE_BUFFER;
	object->parent = HANDLE(info->buffer);
	object->offset = info->offset;
}

static void learn_structure_nv(struct object *object,
			       const VkAccelerationStructureCreateInfoNV *info)
{
	(void)info;
	object->flags = OBJECT_LINEAR;
}

/* The driver may have told of it before the call returned. */
static void object_made(struct device *device, struct object *object, uint64_t handle)
{
	struct object told;

	if (!device->bindings)
		return;
	object->handle = handle;
	if (objects_get(device->objects, object->type, handle, &told)) {
		object->flags |= told.flags & OBJECT_REPORTED;
		object->address = told.address;
		if (!object->size)
			object->size = told.size;
	}
	objects_set(device->objects, object);
	object_find_address(device, object);
}

/* HANDLE_TYPE is what @make makes of @Info and @destroy takes. */
#define OBJECT(HANDLE_TYPE, object_type, make, Info, learn, destroy)                         \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##make(VkDevice handle, const Info *pInfo,      \
						    const VkAllocationCallbacks *pAllocator, \
						    HANDLE_TYPE *pObject)                    \
	{                                                                                    \
		struct object object = { .type = object_type };                              \
		struct device *device = device_of(handle);                                   \
		struct scope scope;                                                          \
		VkResult result;                                                             \
                                                                                             \
		learn(&object, pInfo);                                                       \
		scope_enter(&scope, device,                                                  \
			    object.flags &OBJECT_SPARSE ? DRMFAULT_BINDING_SPARSE : 0);      \
		scope.making = object_type;                                                  \
		result = device->calls.make(handle, pInfo, pAllocator, pObject);             \
		scope_leave(&scope);                                                         \
		if (result == VK_SUCCESS)                                                    \
			object_made(device, &object, HANDLE(*pObject));                      \
		return result;                                                               \
	}                                                                                    \
	DESTROYED(HANDLE_TYPE, object_type, destroy)

#define DESTROYED(HANDLE_TYPE, object_type, destroy)                                        \
	VKAPI_ATTR void VKAPI_CALL layer_##destroy(VkDevice handle, HANDLE_TYPE object,     \
						   const VkAllocationCallbacks *pAllocator) \
	{                                                                                   \
		struct device *device = device_of(handle);                                  \
		struct scope scope;                                                         \
                                                                                            \
		object_destroy(device, object_type, HANDLE(object));                        \
		scope_enter(&scope, device, 0);                                             \
		device->calls.destroy(handle, object, pAllocator);                          \
		scope_leave(&scope);                                                        \
	}

OBJECT(VkDeviceMemory, VK_OBJECT_TYPE_DEVICE_MEMORY, vkAllocateMemory, VkMemoryAllocateInfo,
       learn_memory, vkFreeMemory)
OBJECT(VkBuffer, VK_OBJECT_TYPE_BUFFER, vkCreateBuffer, VkBufferCreateInfo, learn_buffer,
       vkDestroyBuffer)
OBJECT(VkImage, VK_OBJECT_TYPE_IMAGE, vkCreateImage, VkImageCreateInfo, learn_image, vkDestroyImage)
OBJECT(VkAccelerationStructureKHR, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
       vkCreateAccelerationStructureKHR, VkAccelerationStructureCreateInfoKHR, learn_structure,
       vkDestroyAccelerationStructureKHR)
OBJECT(VkAccelerationStructureNV, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV,
       vkCreateAccelerationStructureNV, VkAccelerationStructureCreateInfoNV, learn_structure_nv,
       vkDestroyAccelerationStructureNV)
/* Where they are only the driver can tell; their names end with them. */
DESTROYED(VkPipeline, VK_OBJECT_TYPE_PIPELINE, vkDestroyPipeline)

VKAPI_ATTR void VKAPI_CALL layer_vkFreeCommandBuffers(VkDevice handle, VkCommandPool pool,
						      uint32_t count,
						      const VkCommandBuffer *pCommandBuffers)
{
	struct device *device = device_of(handle);
	struct scope scope;
	uint32_t i;

	for (i = 0; i < count; i++)
		object_destroy(device, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(pCommandBuffers[i]));
	scope_enter(&scope, device, 0);
	device->calls.vkFreeCommandBuffers(handle, pool, count, pCommandBuffers);
	scope_leave(&scope);
}
