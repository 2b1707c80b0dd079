// SPDX-License-Identifier: MIT
/* Sparse objects under the layer, and the times at which objects get and lose addresses. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drivers.h"
#include "drmfault_bindings.h"
#include "mock.h"
#include "seen.h"

#define WHOLE 0x40000u
#define TILE  0x10000u

#define BUFFER VK_OBJECT_TYPE_BUFFER
#define IMAGE  VK_OBJECT_TYPE_IMAGE

/* Drivers that tell reservations, and one that does not. */
static const char *const drivers[] = { "ext", "ext report", "ext report wide", NULL };

static VkBuffer buffer_new(struct app *app, VkDeviceAddress *address)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
		.size = WHOLE,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
			 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	VkBufferDeviceAddressInfo ask = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
	};

	assert_int_equal(vkCreateBuffer(app->device, &info, NULL, &ask.buffer), VK_SUCCESS);
	*address = vkGetBufferDeviceAddress(app->device, &ask);
	return ask.buffer;
}

/* Its address only the driver tells. */
static VkImage image_new(struct app *app)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.extent = { 256, WHOLE / 256 / MOCK_TEXEL, 1 },
	};
	VkImage image;

	assert_int_equal(vkCreateImage(app->device, &info, NULL, &image), VK_SUCCESS);
	return image;
}

static VkDeviceMemory memory_new(struct app *app)
{
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = WHOLE,
	};
	VkDeviceMemory memory;

	assert_int_equal(vkAllocateMemory(app->device, &info, NULL, &memory), VK_SUCCESS);
	return memory;
}

/* Memory for a range of one of both, or none any more. */
static void bind_range(struct app *app, VkBuffer buffer, VkImage image, VkDeviceMemory memory,
		       VkDeviceSize offset, VkDeviceSize size)
{
	const VkSparseMemoryBind range = {
		.resourceOffset = offset,
		.size = size,
		.memory = memory,
	};
	const VkSparseBufferMemoryBindInfo of_buffer = { buffer, 1, &range };
	const VkSparseImageOpaqueMemoryBindInfo of_image = { image, 1, &range };
	const VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.bufferBindCount = buffer != VK_NULL_HANDLE,
		.pBufferBinds = &of_buffer,
		.imageOpaqueBindCount = image != VK_NULL_HANDLE,
		.pImageOpaqueBinds = &of_image,
	};

	assert_int_equal(vkQueueBindSparse(app->queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
}

static void bind_tile(struct app *app, VkImage image, VkDeviceMemory memory)
{
	const VkSparseImageMemoryBind tile = {
		.extent = { 128, 128, 1 },
		.memory = memory,
	};
	const VkSparseImageMemoryBindInfo tiles = { image, 1, &tile };
	const VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.imageBindCount = 1,
		.pImageBinds = &tiles,
	};

	assert_int_equal(vkQueueBindSparse(app->queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
}

/* What is done to a buffer with two tiles of memory, and what a fault in the first one means. */
static const struct {
	VkDeviceSize offset, size;
	VkDeviceSize fault;
	const char *verdict;
} losses[] = {
	{ 0, 0, 0x100, "VkBuffer \"sparse\" at 0x100 to 0x13f, which was bound" },
	{ 0, 0, 2 * TILE + 0x100,
	  "VkBuffer \"sparse\" at 0x20100 to 0x2013f, which has no memory there" },
	{ 0, TILE, 0x100, "VkBuffer \"sparse\" at 0x100 to 0x13f, which has no memory there" },
	{ 0, TILE, TILE + 0x100, "VkBuffer \"sparse\" at 0x10100 to 0x1013f, which was bound" },
	{ TILE / 2, TILE, 0x100, "VkBuffer \"sparse\" at 0x100 to 0x13f, which was bound" },
	{ TILE / 2, TILE, TILE, "VkBuffer \"sparse\" at 0x10000 to 0x1003f, which has no memory" },
	{ 0, WHOLE, TILE + 0x100,
	  "VkBuffer \"sparse\" at 0x10100 to 0x1013f, which has no memory there" },
	{ 0, WHOLE, WHOLE + 0x40, "0x40 to 0x7f past the end of VkBuffer \"sparse\"" },
};

#define LOSS_COUNT (sizeof(losses) / sizeof(losses[0]))

static void test_buffer(struct app *app)
{
	VkDeviceSize offset = losses[drivers_row].offset, size = losses[drivers_row].size;
	VkDeviceMemory memory = memory_new(app);
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkBuffer buffer;

	buffer = buffer_new(app, &address);
	app_name(app, BUFFER, SEEN(buffer), "sparse");
	bind_range(app, buffer, VK_NULL_HANDLE, memory, 0, TILE);
	bind_range(app, buffer, VK_NULL_HANDLE, memory, TILE, TILE);
	if (size)
		bind_range(app, buffer, VK_NULL_HANDLE, VK_NULL_HANDLE, offset, size);
	dump = seen_lose(app, address + losses[drivers_row].fault);
	seen_verdict(dump, losses[drivers_row].verdict);
	drmfault_dump_free(dump);
}

static void test_destroyed_buffer(struct app *app)
{
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkBuffer buffer;

	buffer = buffer_new(app, &address);
	bind_range(app, buffer, VK_NULL_HANDLE, memory_new(app), TILE, TILE);
	vkDestroyBuffer(app->device, buffer, NULL);
	dump = seen_lose(app, address + TILE + 0x100);
	seen_verdict(dump, "at 0x10100 to 0x1013f, freed");
	drmfault_dump_free(dump);
}

/* The address of an image is that of its one binding. */
static VkDeviceAddress whole_of(const struct drmfault_dump *dump, VkImage image)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	size_t i;

	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++)
		if (binding.object == SEEN(image) && binding.length == WHOLE)
			return binding.address;
	fail();
	return 0;
}

/* Opaque ranges of an image are where they say, its tiles are somewhere in it. */
static void test_image(struct app *app)
{
	VkDeviceAddress address;
	struct drmfault_dump *dump;
	VkImage image;

	image = image_new(app);
	bind_range(app, VK_NULL_HANDLE, image, memory_new(app), TILE, TILE);
	bind_range(app, VK_NULL_HANDLE, image, memory_new(app), 2 * TILE, TILE);
	bind_range(app, VK_NULL_HANDLE, image, VK_NULL_HANDLE, 2 * TILE, TILE);
	dump = seen_lose(app, 0x40);
	address = whole_of(dump, image);
	assert_int_equal(seen_at(dump, IMAGE, SEEN(image), address + TILE, TILE).unbound_ns, 0);
	assert_true(seen_at(dump, IMAGE, SEEN(image), address + 2 * TILE, TILE).unbound_ns);
	assert_int_equal(seen_count(dump, IMAGE, SEEN(image)), 3);
	drmfault_dump_free(dump);
}

static void test_image_of_tiles(struct app *app)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	size_t i, partial = 0, sparse = 0;
	struct drmfault_dump *dump;
	VkImage image;

	image = image_new(app);
	bind_tile(app, image, VK_NULL_HANDLE);
	bind_tile(app, image, memory_new(app));
	bind_tile(app, image, memory_new(app));
	dump = seen_lose(app, 0x40);
	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++) {
		if (binding.object != SEEN(image))
			continue;
		assert_int_equal(binding.length, WHOLE);
		partial += binding.flags == DRMFAULT_BINDING_PARTIAL;
		sparse += binding.flags == DRMFAULT_BINDING_SPARSE;
	}
	assert_int_equal(partial, 1);
	assert_int_equal(sparse, 1);
	drmfault_dump_free(dump);
}

/* ---- Times ---- */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* When the driver was called last. */
static uint64_t driver_ns(void)
{
	return strtoull(getenv(MOCK_TIME), NULL, 10);
}

/*
 * A fault while the driver is at it must not be judged by what the layer learns only when
 * the driver is done, nor one before by what is about to be.
 */
static void test_times_of_sparse_memory(struct app *app)
{
	uint64_t before_ns, bind_ns, unbind_ns;
	struct drmfault_dump_binding binding;
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkBuffer buffer;

	buffer = buffer_new(app, &address);
	bind_range(app, buffer, VK_NULL_HANDLE, memory_new(app), TILE, TILE);
	bind_ns = driver_ns();
	before_ns = now_ns();
	bind_range(app, buffer, VK_NULL_HANDLE, VK_NULL_HANDLE, TILE, TILE);
	unbind_ns = driver_ns();
	dump = seen_lose(app, 0x40);
	binding = seen_at(dump, BUFFER, SEEN(buffer), address + TILE, TILE);
	assert_in_range(binding.bound_ns, bind_ns, before_ns);
	assert_in_range(binding.unbound_ns, before_ns, unbind_ns);
	drmfault_dump_free(dump);
}

static void test_times_of_buffers(struct app *app)
{
	uint64_t before_ns, bind_ns, destroy_ns;
	struct drmfault_dump_binding binding;
	struct drmfault_dump *dump;
	struct app_buffer buffer;

	before_ns = now_ns();
	buffer = app_buffer(app, TILE, NULL);
	/* A driver tells while it is at it, and then it has done it. */
	bind_ns = strstr(app->mock, "report") ? before_ns : driver_ns();
	before_ns = now_ns();
	vkDestroyBuffer(app->device, buffer.buffer, NULL);
	destroy_ns = driver_ns();
	dump = seen_lose(app, 0x40);
	binding = seen_at(dump, BUFFER, SEEN(buffer.buffer), buffer.address, TILE);
	assert_in_range(binding.bound_ns, bind_ns, before_ns);
	assert_in_range(binding.unbound_ns, before_ns, destroy_ns);
	drmfault_dump_free(dump);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROWS_ON_EACH(test_buffer, LOSS_COUNT, drivers),
		ON_EACH(test_destroyed_buffer, drivers),
		ON(test_image, "ext report"),
		ON(test_image_of_tiles, "ext report"),
		ON(test_times_of_sparse_memory, "ext clock"),
		ON(test_times_of_buffers, "ext clock", "ext report clock"),
	};

	return cmocka_run_group_tests_name("sparse", tests, NULL, NULL);
}
