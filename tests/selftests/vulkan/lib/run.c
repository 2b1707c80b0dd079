// SPDX-License-Identifier: MIT
/* Programs and their submission. */
#include <string.h>

#include "app.h"

void app_program_create(struct app *app, const uint64_t *words, size_t count,
			struct app_program *program)
{
	const VkCuModuleCreateInfoNVX module = {
		.sType = VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX,
		.dataSize = count * sizeof(*words),
		.pData = words,
	};
	VkCuFunctionCreateInfoNVX function = {
		.sType = VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX,
		.pName = "main",
	};
	const struct app_binding *binding;

	assert_int_equal(app->create_module(app->device, &module, NULL, &program->module),
			 VK_SUCCESS);
	binding = app_last_binding(VK_OBJECT_TYPE_CU_MODULE_NVX);
	program->address = binding ? binding->address : 0;
	function.module = program->module;
	assert_int_equal(app->create_function(app->device, &function, NULL, &program->function),
			 VK_SUCCESS);
}

void app_program_destroy(struct app *app, struct app_program *program)
{
	app->destroy_function(app->device, program->function, NULL);
	app->destroy_module(app->device, program->module, NULL);
}

void app_launch(struct app *app, VkCommandBuffer cmd, const struct app_program *program,
		const uint64_t *params, size_t count)
{
	const void *pointers[DRM_FAULT_SIM_REGISTERS];
	VkCuLaunchInfoNVX info = {
		.sType = VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX,
		.function = program->function,
		.gridDimX = 1,
		.gridDimY = 1,
		.gridDimZ = 1,
		.blockDimX = 1,
		.blockDimY = 1,
		.blockDimZ = 1,
		.paramCount = count,
		.pParams = pointers,
	};
	size_t i;

	for (i = 0; i < count; i++)
		pointers[i] = &params[i];
	app->launch(cmd, &info);
}

VkCommandBuffer app_begin(struct app *app, unsigned int queue)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = app->pools[queue],
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	VkCommandBuffer cmd;

	assert_int_equal(vkAllocateCommandBuffers(app->device, &info, &cmd), VK_SUCCESS);
	assert_int_equal(vkBeginCommandBuffer(cmd, &begin), VK_SUCCESS);
	return cmd;
}

void app_end(VkCommandBuffer cmd)
{
	assert_int_equal(vkEndCommandBuffer(cmd), VK_SUCCESS);
}

VkResult app_submit(struct app *app, unsigned int queue, VkCommandBuffer cmd)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};
	VkResult result;
	VkFence fence;

	assert_int_equal(vkCreateFence(app->device, &info, NULL, &fence), VK_SUCCESS);
	result = vkQueueSubmit(app->queues[queue], 1, &submit, fence);
	if (!result)
		result = vkWaitForFences(app->device, 1, &fence, VK_TRUE, APP_LIMIT_NS);
	vkDestroyFence(app->device, fence, NULL);
	return result;
}

VkResult app_run(struct app *app, const uint64_t *words, size_t count, uint64_t first,
		 uint64_t second, uint64_t *address)
{
	const uint64_t params[] = { first, second };
	struct app_program program;
	VkCommandBuffer cmd;
	VkResult result;

	app_program_create(app, words, count, &program);
	cmd = app_begin(app, 0);
	app_launch(app, cmd, &program, params, ARRAY_SIZE(params));
	app_end(cmd);
	result = app_submit(app, 0, cmd);
	/* On a lost device it may be pending for ever, and goes with the pool. */
	if (!result)
		vkFreeCommandBuffers(app->device, app->pools[0], 1, &cmd);
	app_program_destroy(app, &program);
	if (address)
		*address = program.address;
	return result;
}
