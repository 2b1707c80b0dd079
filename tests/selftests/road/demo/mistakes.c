// SPDX-License-Identifier: MIT
/* The three mistakes. Each is right up to its last step. */
#include "demo.h"

/* The last words, and those of an index that is too high. */
static VkResult write_past_the_end(struct demo *demo)
{
	if (!demo_begin(demo, 0))
		return VK_ERROR_UNKNOWN;
	vkCmdFillBuffer(demo->cmd, demo->buffer.buffer, BUFFER_SIZE - 4 * WORDS_WITHIN,
			4 * WORDS_WITHIN, WORD_WRITTEN);
	vkCmdFillBuffer(demo->cmd, demo->buffer.buffer, BUFFER_SIZE + BEYOND, 4 * WORDS_BEYOND,
			WORD_WRITTEN);
	if (vkEndCommandBuffer(demo->cmd))
		return VK_ERROR_UNKNOWN;
	return demo_submit(demo, 0);
}

/* The same command buffer twice: before the memory is freed, and after. */
static VkResult read_what_is_freed(struct demo *demo)
{
	const VkBufferCopy region = { .srcOffset = READ_AT, .size = 8 };

	if (!demo_begin(demo, 1))
		return VK_ERROR_UNKNOWN;
	vkCmdCopyBuffer(demo->cmd, demo->freed.buffer, demo->buffer.buffer, 1, &region);
	if (vkEndCommandBuffer(demo->cmd) || demo_submit(demo, 1))
		return VK_ERROR_UNKNOWN;
	check_begin("the copy before the memory was freed");
	check_u64("faults", demo->get_reports(demo->device, 0, &(uint32_t){ 0 }, NULL), VK_TIMEOUT);
	demo_free_buffer(demo, &demo->freed);
	return demo_submit(demo, 1);
}

/* A program in the GPU's own instructions. */
static VkResult execute_data(struct demo *demo)
{
	const uint64_t program[] = {
		DRM_FAULT_SIM_NOP,
		DRM_FAULT_SIM_JUMP(demo->buffer.address + EXECUTE_AT),
	};
	const VkCuModuleCreateInfoNVX module = {
		.sType = VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX,
		.dataSize = sizeof(program),
		.pData = program,
	};
	VkCuFunctionCreateInfoNVX function = {
		.sType = VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX,
		.pName = "main",
	};
	VkCuLaunchInfoNVX launch = {
		.sType = VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX,
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
	};

	if (demo->create_module(demo->device, &module, NULL, &demo->module))
		return VK_ERROR_UNKNOWN;
	function.module = demo->module;
	if (demo->create_function(demo->device, &function, NULL, &demo->function) ||
	    !demo_begin(demo, 0))
		return VK_ERROR_UNKNOWN;
	launch.function = demo->function;
	demo->launch(demo->cmd, &launch);
	if (vkEndCommandBuffer(demo->cmd))
		return VK_ERROR_UNKNOWN;
	return demo_submit(demo, 0);
}

const struct demo_mistake demo_mistakes[MISTAKES] = {
	{
		.title = "A write past the end of a buffer",
		.cause = "vkCmdFillBuffer of 16 words, 0x40 behind the last; the GPU drops them",
		.commit = write_past_the_end,
		.result = VK_SUCCESS,
		.precision = 4,
		.count = WORDS_BEYOND,
		.access = DRMFAULT_ACCESS_WRITE,
		.fault_type = DRMFAULT_TYPE_NOT_PRESENT,
		.ip_type = DRMFAULT_IP_FAULT,
		.engine_class = DRMFAULT_ENGINE_COMPUTE,
		.engine = "ring0",
	},
	{
		.title = "A read of memory that was freed",
		.cause = "vkCmdCopyBuffer, submitted before vkFreeMemory and again after it",
		.commit = read_what_is_freed,
		.result = VK_SUCCESS,
		.precision = 1,
		.count = 1,
		.access = DRMFAULT_ACCESS_READ,
		.fault_type = DRMFAULT_TYPE_NOT_PRESENT,
		.ip_type = DRMFAULT_IP_FAULT,
		.engine_class = DRMFAULT_ENGINE_COPY,
		.engine = "ring1",
	},
	{
		.title = "An instruction fetch from memory that is not executable",
		.cause = "vkCmdCuLaunchKernelNVX of a program that jumps into the first buffer",
		.commit = execute_data,
		.result = VK_ERROR_DEVICE_LOST,
		.precision = 8,
		.count = 1,
		.access = DRMFAULT_ACCESS_EXECUTE,
		.fault_type = DRMFAULT_TYPE_PERMISSION,
		.ip_type = DRMFAULT_IP_INVALID,
		.flags = DRMFAULT_FLAG_FATAL,
		.engine_class = DRMFAULT_ENGINE_COMPUTE,
		.engine = "ring0",
	},
};
