// SPDX-License-Identifier: MIT
/* Objects that end out of order, are shared, have names, or are of many threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "counting.h"
#include "drivers.h"
#include "drmfault_bindings.h"
#include "mock.h"
#include "seen.h"

#define SIZE	0x1000u
#define THREADS 8
#define TURNS	100

#define BUFFER	 VK_OBJECT_TYPE_BUFFER
#define MEMORY	 VK_OBJECT_TYPE_DEVICE_MEMORY
#define PIPELINE VK_OBJECT_TYPE_PIPELINE
#define COMMANDS VK_OBJECT_TYPE_COMMAND_BUFFER

static const char *const drivers[] = {
	"ext", "ext report", "ext report no-memory", "ext report extended", "ext wide", NULL
};

static void test_memory_freed_below_a_buffer(struct app *app)
{
	struct app_buffer buffer = app_buffer(app, SIZE, "orphan");
	struct drmfault_dump *dump;

	vkFreeMemory(app->device, buffer.memory, NULL);
	dump = seen_lose(app, buffer.address + 0x40);
	seen_verdict(dump, "VkBuffer \"orphan\" at 0x40 to 0x7f, whose memory was freed");
	drmfault_dump_free(dump);
}

/* What the driver calls its own while it is made is the application's. */
static void test_memory_of_its_own(struct app *app)
{
	struct drmfault_dump_binding binding;
	struct app_buffer buffer = app_buffer(app, SIZE, NULL);
	struct drmfault_dump *dump;

	app_buffer_free(app, &buffer);
	dump = seen_lose(app, 0x40);
	binding = seen_at(dump, MEMORY, SEEN(buffer.memory), buffer.address, SIZE);
	assert_int_equal(binding.flags, DRMFAULT_BINDING_DESTROYED);
	assert_true(binding.unbound_ns);
	drmfault_dump_free(dump);
}

/* The driver's own is, and comes before there is a device. */
static void test_before_there_is_a_device(struct app *app)
{
	struct drmfault_dump *dump = seen_lose(app, MOCK_EARLY + 0x40);

	seen_at(dump, VK_OBJECT_TYPE_DEVICE, 1, MOCK_EARLY, SIZE);
	seen_verdict(dump, "VkDevice 0x1 at 0x40 to 0x7f, which is the driver's own");
	drmfault_dump_free(dump);
}

static VkDeviceMemory import(struct app *app, int fd)
{
	const VkMemoryDedicatedAllocateInfo dedicated = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
	};
	const VkImportMemoryFdInfoKHR shared = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
		.pNext = &dedicated,
		.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
		.fd = fd,
	};
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &shared,
		.allocationSize = SIZE,
	};
	VkDeviceMemory memory;

	assert_int_equal(vkAllocateMemory(app->device, &info, NULL, &memory), VK_SUCCESS);
	return memory;
}

/* The same memory twice, at the same address: one goes, the other stays. */
static void test_imported_memory(struct app *app)
{
	VkDeviceMemory first = import(app, 1), second = import(app, 1);
	struct drmfault_dump *dump;

	vkFreeMemory(app->device, first, NULL);
	dump = seen_lose(app, 0x40);
	assert_true(seen_at(dump, MEMORY, SEEN(first), MOCK_SHARED(1), SIZE).unbound_ns);
	assert_false(seen_at(dump, MEMORY, SEEN(second), MOCK_SHARED(1), SIZE).unbound_ns);
	drmfault_dump_free(dump);
}

static void test_names(struct app *app)
{
	struct app_buffer before, after, anew, none;
	struct drmfault_dump *dump;

	before = app_buffer(app, SIZE, "before");
	after = app_buffer(app, SIZE, NULL);
	app_name(app, BUFFER, SEEN(after.buffer), "after");
	anew = app_buffer(app, SIZE, "old");
	app_name(app, BUFFER, SEEN(anew.buffer), "new");
	none = app_buffer(app, SIZE, "old");
	app_name(app, BUFFER, SEEN(none.buffer), NULL);
	app_buffer_free(app, &before);
	dump = seen_lose(app, 0x40);
#define NAME(of) seen_at(dump, BUFFER, SEEN((of).buffer), (of).address, SIZE).name
	assert_string_equal(NAME(before), "before");
	assert_string_equal(NAME(after), "after");
	assert_string_equal(NAME(anew), "new");
	assert_string_equal(NAME(none), "");
	drmfault_dump_free(dump);
}

/* ---- Code and commands ---- */

static VkPipeline pipeline_new(struct app *app, const VkAllocationCallbacks *allocator)
{
	const VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
	};
	VkPipeline pipeline;

	assert_int_equal(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, allocator,
						  &pipeline),
			 VK_SUCCESS);
	return pipeline;
}

static VkCommandBuffer commands_new(struct app *app)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandBufferCount = 1,
	};
	VkCommandBuffer commands;

	assert_int_equal(vkAllocateCommandBuffers(app->device, &info, &commands), VK_SUCCESS);
	return commands;
}

/* Where the only object of a type is that has no other way to say it. */
static VkDeviceAddress place_of(const void *handle)
{
	return ((const struct mock_object *)handle)->address;
}

static void expect_instruction(struct app *app, VkDeviceAddress at, const char *verdict)
{
	struct drmfault_dump *dump = seen_lose(app, at + 0x40);

	seen_verdict(dump, verdict);
	drmfault_dump_free(dump);
}

static void test_pipeline(struct app *app)
{
	VkPipeline pipeline = pipeline_new(app, NULL);

	app_name(app, PIPELINE, SEEN(pipeline), "shade");
	expect_instruction(app, place_of(pipeline),
			   "instruction pointer in VkPipeline \"shade\" at 0x40 to 0x7f");
}

static void test_destroyed_pipeline(struct app *app)
{
	VkPipeline pipeline = pipeline_new(app, NULL);
	VkDeviceAddress address = place_of(pipeline);

	app_name(app, PIPELINE, SEEN(pipeline), "shade");
	vkDestroyPipeline(app->device, pipeline, NULL);
	expect_instruction(app, address,
			   "instruction pointer in VkPipeline \"shade\" at 0x40 to 0x7f, freed");
}

static void test_commands(struct app *app)
{
	VkCommandBuffer commands = commands_new(app);

	app_name(app, COMMANDS, SEEN(commands), "frame");
	expect_instruction(app, place_of(commands),
			   "instruction pointer in VkCommandBuffer \"frame\" at 0x40 to 0x7f");
}

static void test_freed_commands(struct app *app)
{
	VkCommandBuffer commands = commands_new(app);
	VkDeviceAddress address = place_of(commands);

	vkFreeCommandBuffers(app->device, VK_NULL_HANDLE, 1, &commands);
	expect_instruction(app, address, "at 0x40 to 0x7f, freed");
}

/* ---- Memory of the application, and threads ---- */

static void make_and_destroy(struct app *app, const VkAllocationCallbacks *allocator)
{
	const VkMemoryAllocateInfo memory_info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = SIZE,
	};
	const VkBufferCreateInfo buffer_info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = SIZE,
		.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	const VkImageCreateInfo image_info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.extent = { 16, 16, 1 },
		.tiling = VK_IMAGE_TILING_LINEAR,
	};
	VkPipeline pipeline = pipeline_new(app, allocator);
	VkDeviceMemory memory;
	VkBuffer buffer;
	VkImage image;

	assert_int_equal(vkAllocateMemory(app->device, &memory_info, allocator, &memory),
			 VK_SUCCESS);
	assert_int_equal(vkCreateBuffer(app->device, &buffer_info, allocator, &buffer), VK_SUCCESS);
	assert_int_equal(vkCreateImage(app->device, &image_info, allocator, &image), VK_SUCCESS);
	assert_int_equal(vkBindBufferMemory(app->device, buffer, memory, 0), VK_SUCCESS);
	assert_int_equal(vkBindImageMemory(app->device, image, memory, 0), VK_SUCCESS);
	app_name(app, BUFFER, SEEN(buffer), "of a thread");
	vkDestroyPipeline(app->device, pipeline, allocator);
	vkDestroyImage(app->device, image, allocator);
	vkDestroyBuffer(app->device, buffer, allocator);
	vkFreeMemory(app->device, memory, allocator);
}

static void test_allocators(void **state)
{
	struct app app;

	(void)state;
	app_open(&app, "ext report", &counting);
	assert_int_equal(app_device(&app, NULL, NULL, &counting), VK_SUCCESS);
	make_and_destroy(&app, &counting);
	app_close(&app, &counting);
	assert_int_equal(counting_allocated(), 0);
}

static void *run_thread(void *data)
{
	int i;

	for (i = 0; i < TURNS; i++)
		make_and_destroy(data, NULL);
	return NULL;
}

/* As translation layers do it: after all of it nothing is left. */
static void test_threads(struct app *app)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct drmfault_dump *dump;
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, run_thread, app), 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	dump = seen_lose(app, 0x40);
	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++)
		assert_true(binding.unbound_ns);
	assert_true(i >= (size_t)THREADS * TURNS * 2);
	drmfault_dump_free(dump);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_EACH(test_memory_freed_below_a_buffer, drivers),
		ON(test_memory_of_its_own, "ext report"),
		ON(test_before_there_is_a_device, "ext report early"),
		ON(test_imported_memory, "ext report"),
		ON_EACH(test_names, drivers),
		ON(test_pipeline, "ext report instruction"),
		ON(test_destroyed_pipeline, "ext report instruction"),
		ON(test_commands, "ext report instruction"),
		ON(test_freed_commands, "ext report instruction"),
		IN_PLACE(test_allocators),
		ON_EACH(test_threads, drivers),
	};

	return cmocka_run_group_tests_name("lifetime", tests, NULL, NULL);
}
