// SPDX-License-Identifier: MIT
/* Buffers, and command buffers that are submitted and waited for. */
#include "demo.h"

/* For a job of a few instructions, on a slow machine. */
#define JOB_LIMIT_NS 20000000000ULL

/* Right up to the end of its memory. */
bool demo_add_buffer(struct demo *demo, const char *name, uint64_t size, struct demo_buffer *buffer)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
			 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateFlagsInfo flags = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateInfo memory = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &flags,
		.allocationSize = size,
	};
	VkBufferDeviceAddressInfo address = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
	};
	VkDebugUtilsObjectNameInfoEXT named = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_BUFFER,
		.pObjectName = name,
	};

	if (vkCreateBuffer(demo->device, &info, NULL, &buffer->buffer) ||
	    vkAllocateMemory(demo->device, &memory, NULL, &buffer->memory) ||
	    vkBindBufferMemory(demo->device, buffer->buffer, buffer->memory, 0) ||
	    vkMapMemory(demo->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->cpu))
		return false;
	named.objectHandle = (uint64_t)(uintptr_t)buffer->buffer;
	if (demo->set_name(demo->device, &named))
		return false;
	address.buffer = buffer->buffer;
	buffer->address = demo->get_address(demo->device, &address);
	return true;
}

void demo_free_buffer(struct demo *demo, struct demo_buffer *buffer)
{
	vkDestroyBuffer(demo->device, buffer->buffer, NULL);
	vkFreeMemory(demo->device, buffer->memory, NULL);
}

bool demo_begin(struct demo *demo, uint32_t queue)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = demo->pools[queue],
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};

	return !vkAllocateCommandBuffers(demo->device, &info, &demo->cmd) &&
	       !vkBeginCommandBuffer(demo->cmd, &begin);
}

VkResult demo_submit(struct demo *demo, uint32_t queue)
{
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &demo->cmd,
	};
	VkResult result;

	result = vkResetFences(demo->device, 1, &demo->fence);
	if (!result)
		result = vkQueueSubmit(demo->queues[queue], 1, &submit, demo->fence);
	if (!result)
		result = vkWaitForFences(demo->device, 1, &demo->fence, VK_TRUE, JOB_LIMIT_NS);
	return result;
}
