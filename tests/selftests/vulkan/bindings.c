// SPDX-License-Identifier: MIT
/*
 * VK_EXT_device_address_binding_report: for every kind of object of the driver,
 * each range that it was said to get is said to be given back, the same one.
 * The cases are those of the public conformance tests for the objects that the
 * software GPU has (devices, memory, buffers, fences and semaphores, command pools
 * and buffers), and some on programs and on what they do not look at.
 */
#include <string.h>

#include "lib/app.h"

#define PAGE DRM_FAULT_SIM_PAGE_SIZE
#define MANY 40

static int open_with(void **state)
{
	static struct app app;

	app_open(&app, APP_BINDINGS);
	*state = &app;
	return 0;
}

static int close_paired(void **state)
{
	app_close(*state);
	return app_log.binding_count && app_bindings_paired() && !app_log.message_count ? 0 : -1;
}

/* Layers may give the application handles of their own. */
static void check_handle(const struct app_binding *b, uint64_t handle)
{
	if (!app_is_validated())
		assert_int_equal(b->object, handle);
}

/* Before vkCreateDevice returns: memory of the driver's own. */
static void device(void **state)
{
	struct app *app = *state;
	const struct app_binding *b = &app_log.bindings[0];

	assert_int_not_equal(app_log.binding_count, 0);
	assert_int_equal(b->object_type, VK_OBJECT_TYPE_DEVICE);
	assert_int_equal(b->object, (uintptr_t)app->device);
	assert_int_equal(b->flags, VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT);
}

static void check_memory(struct app *app, uint64_t size)
{
	VkDeviceMemory memory = app_allocate(app, size);
	const struct app_binding *b;

	assert_int_equal(app_bound(VK_OBJECT_TYPE_DEVICE_MEMORY, &b), 1);
	assert_true(b->size >= size && b->size < size + PAGE);
	check_handle(b, (uintptr_t)memory);
	vkFreeMemory(app->device, memory, NULL);
	b = app_last_binding(VK_OBJECT_TYPE_DEVICE_MEMORY);
	assert_int_equal(b->type, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
}

static void device_memory_small(void **state)
{
	check_memory(*state, 1024);
}

static void device_memory_large(void **state)
{
	check_memory(*state, 16 * 1024 * 1024);
}

static void device_memory_that_fails(void **state)
{
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = 1024 * 1024 * 1024,
	};
	struct app *app = *state;
	VkDeviceMemory memory;
	const struct app_binding *b;

	assert_int_equal(vkAllocateMemory(app->device, &info, NULL, &memory),
			 VK_ERROR_OUT_OF_DEVICE_MEMORY);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_DEVICE_MEMORY, &b), 0);
}

static void check_buffer(struct app *app, VkBufferUsageFlags usage, uint64_t size, uint64_t offset)
{
	VkDeviceMemory memory = app_allocate(app, size + 2 * PAGE);
	VkBuffer buffer = app_make_buffer(app, size, usage);
	const struct app_binding *b, *m;

	assert_int_equal(app_bound(VK_OBJECT_TYPE_BUFFER, &b), 0);
	app_bind(app, buffer, memory, offset);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_BUFFER, &b), 1);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_DEVICE_MEMORY, &m), 1);
	assert_int_equal(b->address, app_address_of(app, buffer));
	assert_int_equal(b->address, m->address + offset);
	assert_int_equal(b->size, size);
	assert_int_equal(b->flags, 0);
	check_handle(b, (uintptr_t)buffer);
	vkDestroyBuffer(app->device, buffer, NULL);
	vkFreeMemory(app->device, memory, NULL);
}

static void buffer_uniform_small(void **state)
{
	check_buffer(*state, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 1024, 0);
}

static void buffer_uniform_large(void **state)
{
	check_buffer(*state, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 16 * 1024 * 1024, 0);
}

static void buffer_storage_small(void **state)
{
	check_buffer(*state, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 1024, 0);
}

static void buffer_storage_large(void **state)
{
	check_buffer(*state, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 16 * 1024 * 1024, 0);
}

static void buffer_transfer_at_an_offset(void **state)
{
	check_buffer(*state, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1000, PAGE + 64);
}

static void buffer_that_is_never_bound(void **state)
{
	struct app *app = *state;
	VkBuffer buffer = app_make_buffer(app, 100, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
	const struct app_binding *b;

	vkDestroyBuffer(app->device, buffer, NULL);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_BUFFER, &b), 0);
}

static void buffers_that_alias(void **state)
{
	struct app *app = *state;
	VkDeviceMemory memory = app_allocate(app, PAGE);
	VkBuffer first = app_make_buffer(app, 512, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
	VkBuffer second = app_make_buffer(app, 512, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkMemoryRequirements needs;
	const VkBindBufferMemoryInfo info[] = {
		{ VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, NULL, first, memory, 0 },
		{ VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, NULL, second, memory, 256 },
	};
	const struct app_binding *b;

	vkGetBufferMemoryRequirements(app->device, first, &needs);
	vkGetBufferMemoryRequirements(app->device, second, &needs);
	assert_int_equal(vkBindBufferMemory2(app->device, 2, info), VK_SUCCESS);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_BUFFER, &b), 2);
	assert_int_equal(app_address_of(app, second), app_address_of(app, first) + 256);
	vkDestroyBuffer(app->device, first, NULL);
	vkDestroyBuffer(app->device, second, NULL);
	vkFreeMemory(app->device, memory, NULL);
}

/* Legal: the buffer is not used after its memory has gone. */
static void memory_that_goes_before_its_buffer(void **state)
{
	struct app *app = *state;
	struct app_buffer buffer;

	app_buffer_create(app, 2 * PAGE, &buffer);
	vkFreeMemory(app->device, buffer.memory, NULL);
	vkDestroyBuffer(app->device, buffer.buffer, NULL);
}

/* Freed addresses come again; ranges that live never overlap. */
static void many_buffers(void **state)
{
	struct app *app = *state;
	struct app_buffer buffers[MANY];
	const struct app_binding *b;
	size_t i, j;

	for (i = 0; i < MANY; i++)
		app_buffer_create(app, (i % 3 + 1) * PAGE, &buffers[i]);
	for (i = 0; i < MANY; i += 2)
		app_buffer_destroy(app, &buffers[i]);
	for (i = 0; i < MANY; i += 2)
		app_buffer_create(app, (i % 5 + 1) * PAGE, &buffers[i]);
	for (i = 0; i < MANY; i++)
		for (j = 0; j < i; j++)
			assert_true(buffers[i].address + buffers[i].size <= buffers[j].address ||
				    buffers[j].address + buffers[j].size <= buffers[i].address);
	for (i = 0; i < MANY; i++)
		app_buffer_destroy(app, &buffers[i]);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_BUFFER, &b), MANY + MANY / 2);
}

static void check_command_pool(struct app *app, VkCommandPoolCreateFlags flags)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = flags,
	};
	VkCommandPool pool;

	assert_int_equal(vkCreateCommandPool(app->device, &info, NULL, &pool), VK_SUCCESS);
	vkDestroyCommandPool(app->device, pool, NULL);
}

static void command_pool(void **state)
{
	check_command_pool(*state, 0);
}

static void command_pool_transient(void **state)
{
	check_command_pool(*state, VK_COMMAND_POOL_CREATE_TRANSIENT_BIT);
}

static void check_command_buffer(struct app *app, VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = app->pools[0],
		.level = level,
		.commandBufferCount = 3,
	};
	VkCommandBuffer buffers[3];
	const struct app_binding *b;

	assert_int_equal(vkAllocateCommandBuffers(app->device, &info, buffers), VK_SUCCESS);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_COMMAND_BUFFER, &b), 3);
	check_handle(b, (uintptr_t)buffers[2]);
	/* The second goes with the pool. */
	vkFreeCommandBuffers(app->device, app->pools[0], 1, &buffers[0]);
	vkFreeCommandBuffers(app->device, app->pools[0], 1, &buffers[2]);
}

static void command_buffer_primary(void **state)
{
	check_command_buffer(*state, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

static void command_buffer_secondary(void **state)
{
	check_command_buffer(*state, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

/* It gets more memory while it is recorded, which it gives back when it is reset. */
static void command_buffer_that_grows(void **state)
{
	struct app *app = *state;
	static uint32_t data[4096];
	const struct app_binding *b;
	struct app_buffer buffer;
	VkCommandBuffer cmd;
	uint32_t i;

	app_buffer_create(app, sizeof(data), &buffer);
	cmd = app_begin(app, 0);
	for (i = 0; i < 5; i++)
		vkCmdUpdateBuffer(cmd, buffer.buffer, 0, sizeof(data), data);
	app_end(cmd);
	assert_true(app_bound(VK_OBJECT_TYPE_COMMAND_BUFFER, &b) > 1);
	assert_int_equal(app_submit(app, 0, cmd), VK_SUCCESS);
	assert_int_equal(vkResetCommandBuffer(cmd, 0), VK_SUCCESS);
	b = app_last_binding(VK_OBJECT_TYPE_COMMAND_BUFFER);
	assert_int_equal(b->type, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
	app_buffer_destroy(app, &buffer);
}

static void program(void **state)
{
	static const uint64_t words[] = { DRM_FAULT_SIM_END };
	struct app *app = *state;
	struct app_program program;
	const struct app_binding *b;

	app_program_create(app, words, 1, &program);
	assert_int_equal(app_bound(VK_OBJECT_TYPE_CU_MODULE_NVX, &b), 1);
	check_handle(b, (uintptr_t)program.module);
	app_program_destroy(app, &program);
}

/* They have no addresses of the GPU's. */
static void fence_and_semaphore(void **state)
{
	const VkFenceCreateInfo fence_info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkSemaphoreCreateInfo semaphore_info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
	};
	struct app *app = *state;
	size_t before = app_log.binding_count;
	VkSemaphore semaphore;
	VkFence fence;

	assert_int_equal(vkCreateFence(app->device, &fence_info, NULL, &fence), VK_SUCCESS);
	assert_int_equal(vkCreateSemaphore(app->device, &semaphore_info, NULL, &semaphore),
			 VK_SUCCESS);
	vkDestroyFence(app->device, fence, NULL);
	vkDestroySemaphore(app->device, semaphore, NULL);
	assert_int_equal(app_log.binding_count, before);
}

static void names_are_told(void **state)
{
	struct app *app = *state;
	struct app_buffer buffer;
	VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_BUFFER,
		.pObjectName = "particles",
	};

	app_buffer_create(app, PAGE, &buffer);
	name.objectHandle = (uintptr_t)buffer.buffer;
	assert_int_equal(app->set_name(app->device, &name), VK_SUCCESS);
	app_buffer_destroy(app, &buffer);
	assert_string_equal(app_last_binding(VK_OBJECT_TYPE_BUFFER)->name, "particles");
}

static int open_without(void **state)
{
	static struct app app;

	app_open(&app, APP_PLAIN);
	*state = &app;
	return 0;
}

static int close_silent(void **state)
{
	app_close(*state);
	return app_log.binding_count || app_log.message_count ? -1 : 0;
}

static void nothing_without_the_feature(void **state)
{
	struct app_buffer buffer;

	app_buffer_create(*state, PAGE, &buffer);
	app_buffer_destroy(*state, &buffer);
}

#define PAIRED(name) cmocka_unit_test_setup_teardown(name, open_with, close_paired)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PAIRED(device),
		PAIRED(device_memory_small),
		PAIRED(device_memory_large),
		PAIRED(buffer_uniform_small),
		PAIRED(buffer_uniform_large),
		PAIRED(buffer_storage_small),
		PAIRED(buffer_storage_large),
		PAIRED(buffer_transfer_at_an_offset),
		PAIRED(buffer_that_is_never_bound),
		PAIRED(buffers_that_alias),
		PAIRED(memory_that_goes_before_its_buffer),
		PAIRED(many_buffers),
		PAIRED(command_pool),
		PAIRED(command_pool_transient),
		PAIRED(command_buffer_primary),
		PAIRED(command_buffer_secondary),
		PAIRED(command_buffer_that_grows),
		PAIRED(program),
		PAIRED(fence_and_semaphore),
		PAIRED(names_are_told),
		cmocka_unit_test_setup_teardown(nothing_without_the_feature, open_without,
						close_silent),
		PAIRED(device_memory_that_fails),
	};

	/* The validation layer warns of what the last one does. */
	return _cmocka_run_group_tests("VK_EXT_device_address_binding_report", tests,
				       ARRAY_SIZE(tests) - app_is_validated(), NULL, NULL);
}
