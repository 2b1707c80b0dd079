// SPDX-License-Identifier: MIT
/* Memory, and buffers in it. */
#include "app.h"

VkDeviceMemory app_allocate(struct app *app, uint64_t size)
{
	const VkMemoryAllocateFlagsInfo flags = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &flags,
		.allocationSize = size,
	};
	VkDeviceMemory memory;

	assert_int_equal(vkAllocateMemory(app->device, &info, NULL, &memory), VK_SUCCESS);
	return memory;
}

VkBuffer app_make_buffer(struct app *app, uint64_t size, VkBufferUsageFlags usage)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	VkBuffer buffer;

	assert_int_equal(vkCreateBuffer(app->device, &info, NULL, &buffer), VK_SUCCESS);
	return buffer;
}

void app_bind(struct app *app, VkBuffer buffer, VkDeviceMemory memory, uint64_t offset)
{
	VkMemoryRequirements needs;

	vkGetBufferMemoryRequirements(app->device, buffer, &needs);
	assert_int_equal(offset % needs.alignment, 0);
	assert_int_equal(vkBindBufferMemory(app->device, buffer, memory, offset), VK_SUCCESS);
}

uint64_t app_address_of(struct app *app, VkBuffer buffer)
{
	const VkBufferDeviceAddressInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
		.buffer = buffer,
	};

	return app->get_address(app->device, &info);
}

void app_buffer_create(struct app *app, uint64_t size, struct app_buffer *buffer)
{
	VkMemoryRequirements needs;

	buffer->size = size;
	buffer->buffer = app_make_buffer(
		app, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	vkGetBufferMemoryRequirements(app->device, buffer->buffer, &needs);
	assert_true(needs.memoryTypeBits & 1);
	buffer->memory = app_allocate(app, needs.size);
	assert_int_equal(
		vkBindBufferMemory(app->device, buffer->buffer, buffer->memory, needs.size - size),
		VK_SUCCESS);
	assert_int_equal(
		vkMapMemory(app->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->cpu),
		VK_SUCCESS);
	buffer->address = app_address_of(app, buffer->buffer);
	assert_true(buffer->address);
}

void app_buffer_destroy(struct app *app, struct app_buffer *buffer)
{
	vkDestroyBuffer(app->device, buffer->buffer, NULL);
	vkFreeMemory(app->device, buffer->memory, NULL);
}
