// SPDX-License-Identifier: MIT
/* What an application without a mistake does: a buffer goes through two images. */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

#define SIDE   16u
#define TEXELS ((VkDeviceSize)SIDE * SIDE)
#define BYTES  (4 * TEXELS)
#define FILL   0x01020304u
/* FNV-1a */
#define HASH_START 0xcbf29ce484222325
#define HASH_PRIME 0x100000001b3

void must(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fflush(stdout);
	fprintf(stderr, "%s: VkResult %d\n", what, result);
	exit(EXIT_FAILURE);
}

static uint32_t memory_type(struct work *work, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
	VkPhysicalDeviceMemoryProperties memory;
	uint32_t i;

	vkGetPhysicalDeviceMemoryProperties(work->gpu, &memory);
	for (i = 0; i < memory.memoryTypeCount; i++)
		if (allowed & 1u << i && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
			return i;
	must(VK_ERROR_OUT_OF_DEVICE_MEMORY, "memory of a type");
	return 0;
}

static VkDeviceMemory allocate(struct work *work, const VkMemoryRequirements *needs,
			       VkMemoryPropertyFlags wanted)
{
	const VkMemoryAllocateFlagsInfo flags = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &flags,
		.allocationSize = needs->size,
		.memoryTypeIndex = memory_type(work, needs->memoryTypeBits, wanted),
	};
	VkDeviceMemory memory;

	must(vkAllocateMemory(work->device, &info, NULL, &memory), "vkAllocateMemory");
	return memory;
}

void work_buffer_create(struct work *work, VkDeviceSize size, VkBufferUsageFlags usage,
			struct work_buffer *buffer)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = size,
		.usage = usage,
	};
	VkMemoryRequirements needs;

	must(vkCreateBuffer(work->device, &info, NULL, &buffer->buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(work->device, buffer->buffer, &needs);
	buffer->memory = allocate(work, &needs,
				  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	must(vkBindBufferMemory(work->device, buffer->buffer, buffer->memory, 0),
	     "vkBindBufferMemory");
	must(vkMapMemory(work->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->cpu),
	     "vkMapMemory");
}

void work_buffer_destroy(struct work *work, struct work_buffer *buffer)
{
	vkDestroyBuffer(work->device, buffer->buffer, NULL);
	vkFreeMemory(work->device, buffer->memory, NULL);
}

struct image {
	VkImage image;
	VkDeviceMemory memory;
};

static void image_create(struct work *work, struct image *image)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.extent = { SIDE, SIDE, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
	};
	VkMemoryRequirements needs;

	must(vkCreateImage(work->device, &info, NULL, &image->image), "vkCreateImage");
	vkGetImageMemoryRequirements(work->device, image->image, &needs);
	image->memory = allocate(work, &needs, 0);
	must(vkBindImageMemory(work->device, image->image, image->memory, 0), "vkBindImageMemory");
}

static void image_destroy(struct work *work, struct image *image)
{
	vkDestroyImage(work->device, image->image, NULL);
	vkFreeMemory(work->device, image->memory, NULL);
}

static VkCommandBuffer begin(struct work *work)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = work->pool,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo once = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
	};
	VkCommandBuffer cmd;

	must(vkAllocateCommandBuffers(work->device, &info, &cmd), "vkAllocateCommandBuffers");
	must(vkBeginCommandBuffer(cmd, &once), "vkBeginCommandBuffer");
	return cmd;
}

static void submit(struct work *work, VkCommandBuffer cmd)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	must(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
	must(vkQueueSubmit(work->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	must(vkQueueWaitIdle(work->queue), "vkQueueWaitIdle");
	vkFreeCommandBuffers(work->device, work->pool, 1, &cmd);
}

/* All that was written before is there for what comes. */
static void barrier(VkCommandBuffer cmd)
{
	const VkMemoryBarrier memory = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
				 VK_ACCESS_HOST_READ_BIT,
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
			     VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
			     &memory, 0, NULL, 0, NULL);
}

static void make_usable(VkCommandBuffer cmd, const struct image *image)
{
	const VkImageMemoryBarrier memory = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image->image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
			     0, 0, NULL, 0, NULL, 1, &memory);
}

/* The first quarter of @from, twice as wide and high. */
static void enlarge(VkCommandBuffer cmd, const struct image *from, const struct image *to)
{
	const VkImageBlit blit = {
		.srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.srcOffsets = { { 0, 0, 0 }, { SIDE / 2, SIDE / 2, 1 } },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.dstOffsets = { { 0, 0, 0 }, { SIDE, SIDE, 1 } },
	};

	vkCmdBlitImage(cmd, from->image, VK_IMAGE_LAYOUT_GENERAL, to->image,
		       VK_IMAGE_LAYOUT_GENERAL, 1, &blit, VK_FILTER_NEAREST);
}

static void record(VkCommandBuffer cmd, const struct work_buffer *from, const struct image *images,
		   const struct work_buffer *to)
{
	const VkBufferImageCopy whole = {
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageExtent = { SIDE, SIDE, 1 },
	};

	make_usable(cmd, &images[0]);
	make_usable(cmd, &images[1]);
	vkCmdFillBuffer(cmd, from->buffer, 0, BYTES / 4, FILL);
	barrier(cmd);
	vkCmdCopyBufferToImage(cmd, from->buffer, images[0].image, VK_IMAGE_LAYOUT_GENERAL, 1,
			       &whole);
	barrier(cmd);
	enlarge(cmd, &images[0], &images[1]);
	barrier(cmd);
	vkCmdCopyImageToBuffer(cmd, images[1].image, VK_IMAGE_LAYOUT_GENERAL, to->buffer, 1,
			       &whole);
	barrier(cmd);
}

uint64_t work_result(struct work *work)
{
	const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
					 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
	struct work_buffer from, to;
	uint64_t hash = HASH_START;
	struct image images[2];
	VkCommandBuffer cmd;
	uint32_t i;

	work_buffer_create(work, BYTES, usage, &from);
	work_buffer_create(work, BYTES, usage, &to);
	for (i = 0; i < TEXELS; i++)
		((uint32_t *)from.cpu)[i] = i * i + 1;
	for (i = 0; i < 2; i++)
		image_create(work, &images[i]);
	cmd = begin(work);
	record(cmd, &from, images, &to);
	submit(work, cmd);
	for (i = 0; i < BYTES; i++)
		hash = (hash ^ ((uint8_t *)to.cpu)[i]) * HASH_PRIME;
	for (i = 0; i < 2; i++)
		image_destroy(work, &images[i]);
	work_buffer_destroy(work, &to);
	work_buffer_destroy(work, &from);
	return hash;
}

void work_begin(struct work *work)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};

	vkGetDeviceQueue(work->device, 0, 0, &work->queue);
	must(vkCreateCommandPool(work->device, &info, NULL, &work->pool), "vkCreateCommandPool");
}

void work_end(struct work *work)
{
	vkDestroyCommandPool(work->device, work->pool, NULL);
}
