// SPDX-License-Identifier: MIT
/*
 * The Vulkan driver of the software GPU does what it says: commands have their
 * effects, queues wait for each other, and what is not enabled is not there.
 */
#include <string.h>

#include "lib/app.h"

#define PAGE DRM_FAULT_SIM_PAGE_SIZE
/* More jobs than the kernel takes at a time. */
#define MANY_JOBS 100

static int open_plain(void **state)
{
	static struct app app;

	app_open(&app, APP_PLAIN);
	*state = &app;
	return 0;
}

static int close_quietly(void **state)
{
	app_close(*state);
	return app_log.message_count ? -1 : 0;
}

static int open_instance(void **state)
{
	static struct app app;

	app_instance_open(&app);
	*state = &app;
	return 0;
}

static int close_instance(void **state)
{
	app_instance_close(*state);
	return 0;
}

static void fill_copy_update(void **state)
{
	static const uint8_t text[12] = "eleven char";
	const VkBufferCopy regions[] = { { 0, PAGE, 64 }, { 8, PAGE + 100, 4 } };
	struct app *app = *state;
	struct app_buffer from, to;
	const uint8_t *bytes;
	VkCommandBuffer cmd;

	app_buffer_create(app, PAGE, &from);
	app_buffer_create(app, 2 * PAGE, &to);
	bytes = to.cpu;
	cmd = app_begin(app, 1);
	vkCmdFillBuffer(cmd, from.buffer, 0, VK_WHOLE_SIZE, 0x01020304);
	vkCmdUpdateBuffer(cmd, from.buffer, 4, sizeof(text), text);
	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
			     1,
			     &(VkMemoryBarrier){
				     .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
				     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
				     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
			     },
			     0, NULL, 0, NULL);
	vkCmdCopyBuffer(cmd, from.buffer, to.buffer, ARRAY_SIZE(regions), regions);
	app_end(cmd);
	assert_int_equal(app_submit(app, 1, cmd), VK_SUCCESS);
	assert_int_equal(*(uint32_t *)((char *)from.cpu + PAGE - 4), 0x01020304);
	assert_int_equal(bytes[PAGE - 1], 0);
	assert_int_equal(*(uint32_t *)(bytes + PAGE), 0x01020304);
	assert_memory_equal(bytes + PAGE + 4, text, sizeof(text));
	assert_memory_equal(bytes + PAGE + 100, text + 4, 4);
	assert_int_equal(bytes[PAGE + 64], 0);
	app_buffer_destroy(app, &from);
	app_buffer_destroy(app, &to);
}

/* Each parameter is in its register; a jump to 0 is one to the first word. */
static void programs(void **state)
{
	static const uint64_t words[] = {
		DRM_FAULT_SIM_STORE(8, 1, 0, 0),
		DRM_FAULT_SIM_ADD(0, 0, 8),
		DRM_FAULT_SIM_ADD(2, 2, -1),
		DRM_FAULT_SIM_JUMP_NONZERO(2, 0),
		DRM_FAULT_SIM_END,
	};
	uint64_t params[] = { 0, 0xffff800000000007, 3 };
	const uint64_t *stored;
	struct app *app = *state;
	struct app_program program;
	struct app_buffer buffer;
	VkCommandBuffer cmd;

	app_program_create(app, words, ARRAY_SIZE(words), &program);
	app_buffer_create(app, PAGE, &buffer);
	stored = buffer.cpu;
	params[0] = buffer.address;
	cmd = app_begin(app, 0);
	app_launch(app, cmd, &program, params, ARRAY_SIZE(params));
	params[0] += 4 * sizeof(*stored);
	params[2] = 1;
	app_launch(app, cmd, &program, params, ARRAY_SIZE(params));
	vkCmdFillBuffer(cmd, buffer.buffer, 6 * sizeof(*stored), 4, 9);
	app_end(cmd);
	assert_int_equal(app_submit(app, 0, cmd), VK_SUCCESS);
	assert_int_equal(stored[0], 0xffff800000000007);
	assert_int_equal(stored[2], 0xffff800000000007);
	assert_int_equal(stored[3], 0);
	assert_int_equal(stored[4], 0xffff800000000007);
	assert_int_equal(stored[5], 0);
	assert_int_equal(stored[6], 9);
	app_buffer_destroy(app, &buffer);
	app_program_destroy(app, &program);
}

static void secondary_command_buffers(void **state)
{
	const VkCommandBufferInheritanceInfo inherited = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
		.pInheritanceInfo = &inherited,
	};
	struct app *app = *state;
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = app->pools[0],
		.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
		.commandBufferCount = 1,
	};
	VkCommandBuffer primary, secondary;
	struct app_buffer buffer;
	const uint32_t *words;

	app_buffer_create(app, PAGE, &buffer);
	words = buffer.cpu;
	assert_int_equal(vkAllocateCommandBuffers(app->device, &info, &secondary), VK_SUCCESS);
	assert_int_equal(vkBeginCommandBuffer(secondary, &begin), VK_SUCCESS);
	vkCmdFillBuffer(secondary, buffer.buffer, 4, 4, 2);
	app_end(secondary);
	primary = app_begin(app, 0);
	vkCmdFillBuffer(primary, buffer.buffer, 0, 4, 1);
	vkCmdExecuteCommands(primary, 1, &secondary);
	vkCmdFillBuffer(primary, buffer.buffer, 8, 4, 3);
	app_end(primary);
	assert_int_equal(app_submit(app, 0, primary), VK_SUCCESS);
	assert_int_equal(words[0], 1);
	assert_int_equal(words[1], 2);
	assert_int_equal(words[2], 3);
	app_buffer_destroy(app, &buffer);
}

static VkSemaphore make_semaphore(struct app *app)
{
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkSemaphore semaphore;

	assert_int_equal(vkCreateSemaphore(app->device, &info, NULL, &semaphore), VK_SUCCESS);
	return semaphore;
}

/* The copy of the second queue sees what the first has written. */
static void a_queue_waits_for_another(void **state)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkBufferCopy region = { 0, 4, 4 };
	struct app *app = *state;
	VkSemaphore semaphore = make_semaphore(app);
	VkCommandBuffer first, second;
	struct app_buffer buffer;
	VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &first,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &semaphore,
	};

	app_buffer_create(app, PAGE, &buffer);
	first = app_begin(app, 0);
	vkCmdFillBuffer(first, buffer.buffer, 0, 4, 77);
	app_end(first);
	second = app_begin(app, 1);
	vkCmdCopyBuffer(second, buffer.buffer, buffer.buffer, 1, &region);
	app_end(second);
	assert_int_equal(vkQueueSubmit(app->queues[0], 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
	submit = (VkSubmitInfo){
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &second,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &semaphore,
		.pWaitDstStageMask = &stage,
	};
	assert_int_equal(vkQueueSubmit(app->queues[1], 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
	assert_int_equal(vkDeviceWaitIdle(app->device), VK_SUCCESS);
	assert_int_equal(((uint32_t *)buffer.cpu)[1], 77);
	vkDestroySemaphore(app->device, semaphore, NULL);
	app_buffer_destroy(app, &buffer);
}

static void more_jobs_than_the_kernel_takes(void **state)
{
	static const uint64_t add[] = { DRM_FAULT_SIM_ATOMIC_ADD(8, 1, 0, 0), DRM_FAULT_SIM_END };
	struct app *app = *state;
	uint64_t params[] = { 0, 1 };
	struct app_program program;
	struct app_buffer buffer;
	VkCommandBuffer cmd;
	int i;

	app_buffer_create(app, PAGE, &buffer);
	app_program_create(app, add, ARRAY_SIZE(add), &program);
	params[0] = buffer.address;
	cmd = app_begin(app, 0);
	for (i = 0; i < MANY_JOBS; i++)
		app_launch(app, cmd, &program, params, 2);
	app_end(cmd);
	assert_int_equal(app_submit(app, 0, cmd), VK_SUCCESS);
	assert_int_equal(*(uint64_t *)buffer.cpu, MANY_JOBS);
	app_program_destroy(app, &program);
	app_buffer_destroy(app, &buffer);
}

static VkFence make_fence(struct app *app, VkFenceCreateFlags flags)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
		.flags = flags,
	};
	VkFence fence;

	assert_int_equal(vkCreateFence(app->device, &info, NULL, &fence), VK_SUCCESS);
	return fence;
}

static void fences(void **state)
{
	struct app *app = *state;
	VkFence pair[] = { make_fence(app, VK_FENCE_CREATE_SIGNALED_BIT), make_fence(app, 0) };

	assert_int_equal(vkGetFenceStatus(app->device, pair[0]), VK_SUCCESS);
	assert_int_equal(vkGetFenceStatus(app->device, pair[1]), VK_NOT_READY);
	assert_int_equal(vkWaitForFences(app->device, 2, pair, VK_FALSE, 0), VK_SUCCESS);
	assert_int_equal(vkWaitForFences(app->device, 2, pair, VK_TRUE, 1000000), VK_TIMEOUT);
	assert_int_equal(vkQueueSubmit(app->queues[0], 0, NULL, pair[1]), VK_SUCCESS);
	assert_int_equal(vkWaitForFences(app->device, 2, pair, VK_TRUE, UINT64_MAX), VK_SUCCESS);
	assert_int_equal(vkResetFences(app->device, 2, pair), VK_SUCCESS);
	assert_int_equal(vkGetFenceStatus(app->device, pair[0]), VK_NOT_READY);
	vkDestroyFence(app->device, pair[0], NULL);
	vkDestroyFence(app->device, pair[1], NULL);
}

static const char *const fault_commands[] = {
	"vkGetDeviceFaultInfoEXT",
	"vkGetDeviceFaultReportsKHR",
	"vkGetDeviceFaultDebugInfoKHR",
};

static void no_commands_that_are_not_enabled(void **state)
{
	struct app *app = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fault_commands); i++)
		assert_null(vkGetDeviceProcAddr(app->device, fault_commands[i]));
	assert_null(vkGetDeviceProcAddr(app->device, "vkNoSuchCommand"));
}

/* Each feature that is reported as false cannot be enabled. */
static void no_features_that_are_not_there(void **state)
{
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkPhysicalDeviceFeatures there, wanted;
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.pEnabledFeatures = &wanted,
	};
	struct app *app = *state;
	const VkBool32 *is = (const VkBool32 *)&there;
	VkDevice device;
	size_t i;

	vkGetPhysicalDeviceFeatures(app->gpu, &there);
	assert_true(there.robustBufferAccess);
	for (i = 0; i < sizeof(there) / sizeof(*is); i++) {
		if (is[i])
			continue;
		memset(&wanted, 0, sizeof(wanted));
		((VkBool32 *)&wanted)[i] = VK_TRUE;
		assert_int_equal(vkCreateDevice(app->gpu, &info, NULL, &device),
				 VK_ERROR_FEATURE_NOT_PRESENT);
	}
}

static void no_extensions_that_are_not_there(void **state)
{
	static const char *const name = "VK_NV_low_latency";
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = 1,
		.ppEnabledExtensionNames = &name,
	};
	struct app *app = *state;
	VkDevice device;

	assert_int_equal(vkCreateDevice(app->gpu, &info, NULL, &device),
			 VK_ERROR_EXTENSION_NOT_PRESENT);
}

#define PLAIN(name)    cmocka_unit_test_setup_teardown(name, open_plain, close_quietly)
#define INSTANCE(name) cmocka_unit_test_setup_teardown(name, open_instance, close_instance)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAIN(fill_copy_update),
		PLAIN(programs),
		PLAIN(secondary_command_buffers),
		PLAIN(a_queue_waits_for_another),
		PLAIN(more_jobs_than_the_kernel_takes),
		PLAIN(fences),
		PLAIN(no_commands_that_are_not_enabled),
		INSTANCE(no_features_that_are_not_there),
		INSTANCE(no_extensions_that_are_not_there),
	};

	return cmocka_run_group_tests_name("the Vulkan driver of the software GPU", tests, NULL,
					   NULL);
}
