// SPDX-License-Identifier: MIT
/*
 * What the layer costs an application that draws: frames of thousands of draws on Mesa's
 * CPU driver. Three applications draw a frame each in turn: one with the layer and two
 * without. Where the layer costs nothing, the first differs from the second as the third
 * does. Needs no kernel. Prints "bench NAME VALUE GOAL ok|short".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames-shaders.h"
#include "lavapipe.h"

#define WIDTH  64u
#define DRAWS  4000u
#define ROUNDS 12u
#define FRAMES 48u
#define WARMUP 12u
#define FORMAT VK_FORMAT_R8G8B8A8_UNORM

enum { PLAIN, LAYERED, CONTROL, SIDES };

struct side {
	struct lavapipe lavapipe;
	VkImage image;
	VkDeviceMemory image_memory;
	VkImageView view;
	VkBuffer vertices;
	VkDeviceMemory vertex_memory;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkFence fence;
};

/* ---- What is drawn to, and from ---- */

/* Memory of any kind that the processor can write: here all is. */
static VkDeviceMemory allocate(struct side *side, const VkMemoryRequirements *needed)
{
	const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needed->size,
	};
	VkPhysicalDeviceMemoryProperties has;
	VkDeviceMemory memory;
	uint32_t i;

	vkGetPhysicalDeviceMemoryProperties(side->lavapipe.gpu, &has);
	for (i = 0; i < has.memoryTypeCount; i++)
		if (needed->memoryTypeBits & 1u << i &&
		    (has.memoryTypes[i].propertyFlags & wanted) == wanted)
			info.memoryTypeIndex = i;
	must(vkAllocateMemory(side->lavapipe.device, &info, NULL, &memory), "vkAllocateMemory");
	return memory;
}

static void make_image(struct side *side)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = FORMAT,
		.extent = { WIDTH, WIDTH, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = FORMAT,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	const VkDevice device = side->lavapipe.device;
	VkMemoryRequirements needed;

	must(vkCreateImage(device, &info, NULL, &side->image), "vkCreateImage");
	vkGetImageMemoryRequirements(device, side->image, &needed);
	side->image_memory = allocate(side, &needed);
	must(vkBindImageMemory(device, side->image, side->image_memory, 0), "vkBindImageMemory");
	view.image = side->image;
	must(vkCreateImageView(device, &view, NULL, &side->view), "vkCreateImageView");
}

static void make_vertices(struct side *side)
{
	static const float triangle[3][4] = {
		{ 0, 0, 0, 1 },
		{ 0.1f, 0, 0, 1 },
		{ 0, 0.1f, 0, 1 },
	};
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = sizeof(triangle),
		.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
	};
	const VkDevice device = side->lavapipe.device;
	VkMemoryRequirements needed;
	void *mapped;

	must(vkCreateBuffer(device, &info, NULL, &side->vertices), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(device, side->vertices, &needed);
	side->vertex_memory = allocate(side, &needed);
	must(vkBindBufferMemory(device, side->vertices, side->vertex_memory, 0),
	     "vkBindBufferMemory");
	must(vkMapMemory(device, side->vertex_memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
	memcpy(mapped, triangle, sizeof(triangle));
	vkUnmapMemory(device, side->vertex_memory);
}

/* ---- How ---- */

static VkPipelineShaderStageCreateInfo make_stage(struct side *side, VkShaderStageFlagBits stage,
						  const uint32_t *code, size_t size)
{
	const VkShaderModuleCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = size,
		.pCode = code,
	};
	VkPipelineShaderStageCreateInfo made = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = stage,
		.pName = "main",
	};

	must(vkCreateShaderModule(side->lavapipe.device, &info, NULL, &made.module),
	     "vkCreateShaderModule");
	return made;
}

static void make_layout(struct side *side)
{
	static const VkPushConstantRange range = { VK_SHADER_STAGE_VERTEX_BIT, 0, 16 };
	const VkPipelineLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range,
	};

	must(vkCreatePipelineLayout(side->lavapipe.device, &info, NULL, &side->layout),
	     "vkCreatePipelineLayout");
}

static const VkPipelineVertexInputStateCreateInfo vertex_input = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	.vertexBindingDescriptionCount = 1,
	.pVertexBindingDescriptions =
		&(const VkVertexInputBindingDescription){ 0, 16, VK_VERTEX_INPUT_RATE_VERTEX },
	.vertexAttributeDescriptionCount = 1,
	.pVertexAttributeDescriptions = &(
		const VkVertexInputAttributeDescription){ 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0 },
};
static const VkPipelineInputAssemblyStateCreateInfo assembly = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
	.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
};
static const VkPipelineViewportStateCreateInfo viewport = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
	.viewportCount = 1,
	.pViewports = &(const VkViewport){ 0, 0, WIDTH, WIDTH, 0, 1 },
	.scissorCount = 1,
	.pScissors = &(const VkRect2D){ { 0, 0 }, { WIDTH, WIDTH } },
};
static const VkPipelineRasterizationStateCreateInfo raster = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
	.lineWidth = 1,
};
static const VkPipelineMultisampleStateCreateInfo samples = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
	.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
};
static const VkPipelineColorBlendStateCreateInfo blend = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
	.attachmentCount = 1,
	.pAttachments = &(const VkPipelineColorBlendAttachmentState){ .colorWriteMask = 0xf },
};
static const VkPipelineRenderingCreateInfo rendering = {
	.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
	.colorAttachmentCount = 1,
	.pColorAttachmentFormats = &(const VkFormat){ FORMAT },
};

static void make_pipeline(struct side *side)
{
	const VkPipelineShaderStageCreateInfo stages[] = {
		make_stage(side, VK_SHADER_STAGE_VERTEX_BIT, vertex_shader, sizeof(vertex_shader)),
		make_stage(side, VK_SHADER_STAGE_FRAGMENT_BIT, fragment_shader,
			   sizeof(fragment_shader)),
	};
	VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = &rendering,
		.stageCount = 2,
		.pStages = stages,
		.pVertexInputState = &vertex_input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewport,
		.pRasterizationState = &raster,
		.pMultisampleState = &samples,
		.pColorBlendState = &blend,
	};
	const VkDevice device = side->lavapipe.device;

	make_layout(side);
	info.layout = side->layout;
	must(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &side->pipeline),
	     "vkCreateGraphicsPipelines");
	vkDestroyShaderModule(device, stages[0].module, NULL);
	vkDestroyShaderModule(device, stages[1].module, NULL);
}

static void make_commands(struct side *side)
{
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};
	const VkFenceCreateInfo fence = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandBufferCount = 1,
	};
	const VkDevice device = side->lavapipe.device;

	must(vkCreateCommandPool(device, &pool, NULL, &side->pool), "vkCreateCommandPool");
	info.commandPool = side->pool;
	must(vkAllocateCommandBuffers(device, &info, &side->commands), "vkAllocateCommandBuffers");
	must(vkCreateFence(device, &fence, NULL, &side->fence), "vkCreateFence");
}

static void side_open(struct side *side, bool with_layer)
{
	lavapipe_open(&side->lavapipe, with_layer);
	make_image(side);
	make_vertices(side);
	make_pipeline(side);
	make_commands(side);
}

static void side_close(struct side *side)
{
	const VkDevice device = side->lavapipe.device;

	vkDestroyFence(device, side->fence, NULL);
	vkDestroyCommandPool(device, side->pool, NULL);
	vkDestroyPipeline(device, side->pipeline, NULL);
	vkDestroyPipelineLayout(device, side->layout, NULL);
	vkDestroyBuffer(device, side->vertices, NULL);
	vkFreeMemory(device, side->vertex_memory, NULL);
	vkDestroyImageView(device, side->view, NULL);
	vkDestroyImage(device, side->image, NULL);
	vkFreeMemory(device, side->image_memory, NULL);
	lavapipe_close(&side->lavapipe);
}

/* ---- Frames ---- */

static void begin(struct side *side)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
	};
	const VkImageMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
		.image = side->image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	const VkRenderingAttachmentInfo target = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView = side->view,
		.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
	};
	const VkRenderingInfo into = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.renderArea = { { 0, 0 }, { WIDTH, WIDTH } },
		.layerCount = 1,
		.colorAttachmentCount = 1,
		.pColorAttachments = &target,
	};
	const struct lavapipe *on = &side->lavapipe;

	must(on->vkResetCommandPool(on->device, side->pool, 0), "vkResetCommandPool");
	must(on->vkBeginCommandBuffer(side->commands, &info), "vkBeginCommandBuffer");
	on->vkCmdPipelineBarrier(side->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
				 VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0, NULL, 0, NULL,
				 1, &barrier);
	on->vkCmdBeginRendering(side->commands, &into);
}

static void record(struct side *side)
{
	const struct lavapipe *on = &side->lavapipe;
	const VkDeviceSize start = 0;
	float place[4] = { 0 };
	uint32_t i;

	begin(side);
	on->vkCmdBindPipeline(side->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, side->pipeline);
	on->vkCmdBindVertexBuffers(side->commands, 0, 1, &side->vertices, &start);
	for (i = 0; i < DRAWS; i++) {
		place[0] = (float)(i % WIDTH) / WIDTH * 2 - 1;
		place[1] = (float)(i / WIDTH % WIDTH) / WIDTH * 2 - 1;
		on->vkCmdPushConstants(side->commands, side->layout, VK_SHADER_STAGE_VERTEX_BIT, 0,
				       sizeof(place), place);
		on->vkCmdDraw(side->commands, 3, 1, 0, 0);
	}
	on->vkCmdEndRendering(side->commands);
	must(on->vkEndCommandBuffer(side->commands), "vkEndCommandBuffer");
}

/* Nanoseconds of a frame. */
static double draw(struct side *side)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &side->commands,
	};
	const struct lavapipe *on = &side->lavapipe;
	double start = now_ns(), taken;

	record(side);
	must(on->vkQueueSubmit(on->queue, 1, &info, side->fence), "vkQueueSubmit");
	must(on->vkWaitForFences(on->device, 1, &side->fence, VK_TRUE, UINT64_MAX),
	     "vkWaitForFences");
	taken = now_ns() - start;
	must(on->vkResetFences(on->device, 1, &side->fence), "vkResetFences");
	return taken;
}

/* The median; it is to be less than what three in four frames without the layer take. */
static void print(double *layered, double *control)
{
	double ratio = quantile(layered, ROUNDS * FRAMES, 0.5);
	double goal = quantile(control, ROUNDS * FRAMES, 0.75);

	printf("bench layer-frame/without %.3f <%.3f %s\n", ratio, goal,
	       ratio < goal ? "ok" : "short");
}

/* One frame of each; who is the first, the second, the third changes. */
static void draw_all(struct side *sides, uint32_t turn, double *costs)
{
	uint32_t i, at;

	for (i = 0; i < SIDES; i++) {
		at = (turn + (turn / SIDES % 2 ? SIDES - i : i)) % SIDES;
		costs[at] = draw(&sides[at]);
	}
}

/* Commands of the frame that are not the driver's own. */
static uint32_t count_replaced(const struct lavapipe *layered, const struct lavapipe *plain)
{
	return (layered->vkCmdPipelineBarrier != plain->vkCmdPipelineBarrier) +
	       (layered->vkCmdBeginRendering != plain->vkCmdBeginRendering) +
	       (layered->vkCmdEndRendering != plain->vkCmdEndRendering) +
	       (layered->vkCmdBindPipeline != plain->vkCmdBindPipeline) +
	       (layered->vkCmdBindVertexBuffers != plain->vkCmdBindVertexBuffers) +
	       (layered->vkCmdPushConstants != plain->vkCmdPushConstants) +
	       (layered->vkCmdDraw != plain->vkCmdDraw);
}

/* Where things came to lie in memory makes a difference too: each round has its own. */
static uint32_t run_round(uint32_t round, double costs[FRAMES][SIDES])
{
	struct side sides[SIDES];
	double warmup[SIDES];
	uint32_t i, at, replaced;

	for (i = 0; i < SIDES; i++) {
		at = (round + i) % SIDES;
		side_open(&sides[at], at == LAYERED);
	}
	for (i = 0; i < WARMUP; i++)
		draw_all(sides, i, warmup);
	for (i = 0; i < FRAMES; i++)
		draw_all(sides, i, costs[i]);
	replaced = count_replaced(&sides[LAYERED].lavapipe, &sides[PLAIN].lavapipe);
	for (i = 0; i < SIDES; i++)
		side_close(&sides[i]);
	return replaced;
}

int main(void)
{
	static double costs[ROUNDS * FRAMES][SIDES];
	static double layered[ROUNDS * FRAMES], control[ROUNDS * FRAMES];
	uint32_t i, replaced = 0;

	for (i = 0; i < ROUNDS; i++)
		replaced += run_round(i, &costs[i * FRAMES]);
	for (i = 0; i < ROUNDS * FRAMES; i++) {
		layered[i] = costs[i][LAYERED] / costs[i][PLAIN];
		control[i] = costs[i][CONTROL] / costs[i][PLAIN];
	}
	print(layered, control);
	printf("bench layer-commands %u =0 %s\n", replaced, replaced ? "short" : "ok");
	return EXIT_SUCCESS;
}
