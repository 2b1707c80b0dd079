// SPDX-License-Identifier: MIT
/* All ways to make, bind and destroy objects, and what the layer knows of them then. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drivers.h"
#include "mock.h"
#include "seen.h"

#define SIZE   0x1000u
#define HEAP   0x10000u
#define OFFSET 0x2000u

#define BUFFER VK_OBJECT_TYPE_BUFFER
#define MEMORY VK_OBJECT_TYPE_DEVICE_MEMORY
#define IMAGE  VK_OBJECT_TYPE_IMAGE

#define FUNCTION(app, name) ((PFN_##name)vkGetDeviceProcAddr((app)->device, #name))

static const VkBufferUsageFlags addressable = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
					      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

static VkDeviceMemory allocate(struct app *app, VkDeviceSize size, const void *next)
{
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = next,
		.allocationSize = size,
	};
	VkDeviceMemory memory;

	assert_int_equal(vkAllocateMemory(app->device, &info, NULL, &memory), VK_SUCCESS);
	return memory;
}

static VkBuffer buffer_new(struct app *app, VkBufferUsageFlags usage)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = SIZE,
		.usage = usage,
	};
	VkBuffer buffer;

	assert_int_equal(vkCreateBuffer(app->device, &info, NULL, &buffer), VK_SUCCESS);
	return buffer;
}

static VkImage image_new(struct app *app, VkImageTiling tiling, VkImageCreateFlags flags)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = flags,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.extent = { 32, 32, 1 },
		.tiling = tiling,
	};
	VkImage image;

	assert_int_equal(vkCreateImage(app->device, &info, NULL, &image), VK_SUCCESS);
	return image;
}

/* The ways to bind, and the ways to ask where. */
enum way { WAY_1, WAY_2, WAY_KHR, WAYS };

/* buffer_bind() and image_bind() are the same, by functions of these names. */
#define BIND_FUNCTION(object, Object, OBJECT)                                                      \
	static void object##_bind(struct app *app, enum way way, Vk##Object object,                \
				  VkDeviceMemory memory, VkDeviceSize offset)                      \
	{                                                                                          \
		const VkBind##Object##MemoryInfo info = {                                          \
			.sType = VK_STRUCTURE_TYPE_BIND_##OBJECT##_MEMORY_INFO,                    \
			.object = object,                                                          \
			.memory = memory,                                                          \
			.memoryOffset = offset,                                                    \
		};                                                                                 \
		PFN_vkBind##Object##Memory2 bind =                                                 \
			way == WAY_2 ? vkBind##Object##Memory2                                     \
				     : FUNCTION(app, vkBind##Object##Memory2KHR);                  \
                                                                                                   \
		assert_int_equal(                                                                  \
			way == WAY_1 ? vkBind##Object##Memory(app->device, object, memory, offset) \
				     : bind(app->device, 1, &info),                                \
			VK_SUCCESS);                                                               \
	}

BIND_FUNCTION(buffer, Buffer, BUFFER)
BIND_FUNCTION(image, Image, IMAGE)

static VkDeviceAddress ask(struct app *app, enum way way, VkBuffer buffer)
{
	const VkBufferDeviceAddressInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
		.buffer = buffer,
	};

	if (way == WAY_1)
		return vkGetBufferDeviceAddress(app->device, &info);
	if (way == WAY_2)
		return FUNCTION(app, vkGetBufferDeviceAddressKHR)(app->device, &info);
	return FUNCTION(app, vkGetBufferDeviceAddressEXT)(app->device, &info);
}

static VkAccelerationStructureKHR structure_new(struct app *app, VkBuffer buffer,
						VkDeviceSize offset, VkDeviceSize size)
{
	const VkAccelerationStructureCreateInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
		.buffer = buffer,
		.offset = offset,
		.size = size,
	};
	VkAccelerationStructureKHR structure;

	assert_int_equal(FUNCTION(app, vkCreateAccelerationStructureKHR)(app->device, &info, NULL,
									 &structure),
			 VK_SUCCESS);
	return structure;
}

/* A buffer with an address tells where its memory is, and so where the others in it are. */
static void test_buffers_in_a_heap(struct app *app)
{
	enum way way = (enum way)drivers_row;
	struct drmfault_dump_binding binding;
	VkBuffer first, second, other;
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkDeviceMemory memory;

	memory = allocate(app, HEAP, NULL);
	first = buffer_new(app, addressable);
	second = buffer_new(app, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	other = buffer_new(app, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	buffer_bind(app, way, first, memory, 0);
	address = ask(app, way, first);
	buffer_bind(app, way, second, memory, OFFSET);
	buffer_bind(app, way, other, memory, OFFSET + SIZE);
	vkDestroyBuffer(app->device, other, NULL);
	dump = seen_lose(app, address + OFFSET + SIZE + 0x40);
	seen_at(dump, BUFFER, SEEN(first), address, SIZE);
	seen_at(dump, BUFFER, SEEN(second), address + OFFSET, SIZE);
	seen_at(dump, MEMORY, SEEN(memory), address, HEAP);
	binding = seen_at(dump, BUFFER, SEEN(other), address + OFFSET + SIZE, SIZE);
	assert_true(binding.unbound_ns >= binding.bound_ns);
	seen_verdict(dump, "freed");
	drmfault_dump_free(dump);
}

/* It tells of those too that came before it, and not of those that are gone. */
static void test_buffers_before_an_address(struct app *app)
{
	VkAccelerationStructureKHR structure;
	VkBuffer first, gone, last;
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkDeviceMemory memory;
	VkImage image;

	memory = allocate(app, HEAP, NULL);
	first = buffer_new(app, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	gone = buffer_new(app, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	image = image_new(app, VK_IMAGE_TILING_LINEAR, 0);
	last = buffer_new(app, addressable);
	buffer_bind(app, WAY_1, gone, memory, 0);
	buffer_bind(app, WAY_1, first, memory, SIZE);
	image_bind(app, WAY_1, image, memory, OFFSET);
	structure = structure_new(app, first, 0x100, 0x200);
	vkDestroyBuffer(app->device, gone, NULL);
	buffer_bind(app, WAY_1, last, memory, OFFSET + SIZE);
	address = ask(app, WAY_1, last) - OFFSET - SIZE;
	dump = seen_lose(app, 0x40);
	seen_at(dump, MEMORY, SEEN(memory), address, HEAP);
	seen_at(dump, BUFFER, SEEN(first), address + SIZE, SIZE);
	seen_at(dump, IMAGE, SEEN(image), address + OFFSET, SIZE);
	seen_at(dump, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, SEEN(structure),
		address + SIZE + 0x100, 0x200);
	assert_int_equal(seen_count(dump, BUFFER, SEEN(gone)), 0);
	drmfault_dump_free(dump);
}

/* Past the one object in a heap that is still there. */
static void test_past_a_buffer_in_a_heap(struct app *app)
{
	static char text[TEXT_MAX];
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkDeviceMemory memory;
	VkBuffer buffer;

	memory = allocate(app, HEAP, NULL);
	buffer = buffer_new(app, addressable);
	app_name(app, BUFFER, SEEN(buffer), "particles");
	buffer_bind(app, WAY_1, buffer, memory, 0);
	address = ask(app, WAY_1, buffer);
	dump = seen_lose(app, address + SIZE + 0x40);
	seen_verdict(dump, "0x40 to 0x7f past the end of VkBuffer \"particles\"");
	read_summary(text);
	assert_non_null(strstr(text, "\"particles\" (high confidence)"));
	drmfault_dump_free(dump);
}

/* Images are where their memory is only if they lie in it as the CPU sees them. */
static void test_images(struct app *app)
{
	enum way way = (enum way)drivers_row;
	struct drmfault_dump *dump;
	VkDeviceAddress address;
	VkImage linear, optimal;
	VkDeviceMemory memory;
	VkBuffer buffer;

	memory = allocate(app, HEAP, NULL);
	buffer = buffer_new(app, addressable);
	buffer_bind(app, WAY_1, buffer, memory, 0);
	address = ask(app, WAY_1, buffer);
	linear = image_new(app, VK_IMAGE_TILING_LINEAR, 0);
	optimal = image_new(app, VK_IMAGE_TILING_OPTIMAL, 0);
	image_bind(app, way, linear, memory, OFFSET);
	image_bind(app, way, optimal, memory, OFFSET + SIZE);
	vkDestroyImage(app->device, linear, NULL);
	dump = seen_lose(app, address + OFFSET);
	seen_at(dump, IMAGE, SEEN(linear), address + OFFSET, SIZE);
	assert_int_equal(seen_count(dump, IMAGE, SEEN(optimal)), 0);
	seen_verdict(dump, "VkImage");
	drmfault_dump_free(dump);
}

/* If the driver tells memory, and would tell an image that is elsewhere. */
static void test_image_in_told_memory(struct app *app)
{
	struct drmfault_dump *dump;
	struct app_buffer whole;
	VkImage image;

	whole = app_buffer(app, HEAP, NULL);
	image = image_new(app, VK_IMAGE_TILING_OPTIMAL, 0);
	image_bind(app, WAY_2, image, whole.memory, OFFSET);
	dump = seen_lose(app, 0x40);
	seen_at(dump, IMAGE, SEEN(image), whole.address + OFFSET, SIZE);
	drmfault_dump_free(dump);
}

static void test_planes(struct app *app)
{
	static const VkImageAspectFlagBits aspects[] = { VK_IMAGE_ASPECT_PLANE_0_BIT,
							 VK_IMAGE_ASPECT_PLANE_1_BIT };
	VkBindImagePlaneMemoryInfo planes[2];
	VkBindImageMemoryInfo infos[2];
	struct app_buffer heaps[2];
	struct drmfault_dump *dump;
	VkImage image;
	size_t i;

	image = image_new(app, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_CREATE_DISJOINT_BIT);
	for (i = 0; i < 2; i++) {
		heaps[i] = app_buffer(app, HEAP, NULL);
		planes[i] = (VkBindImagePlaneMemoryInfo){
			.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO,
			.planeAspect = aspects[i],
		};
		infos[i] = (VkBindImageMemoryInfo){
			.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
			.pNext = &planes[i],
			.image = image,
			.memory = heaps[i].memory,
			.memoryOffset = OFFSET,
		};
	}
	assert_int_equal(vkBindImageMemory2(app->device, 2, infos), VK_SUCCESS);
	vkDestroyImage(app->device, image, NULL);
	dump = seen_lose(app, 0x40);
	seen_at(dump, IMAGE, SEEN(image), heaps[0].address + OFFSET, SIZE);
	assert_true(
		seen_at(dump, IMAGE, SEEN(image), heaps[1].address + OFFSET, SIZE / 2).unbound_ns);
	assert_int_equal(seen_count(dump, IMAGE, SEEN(image)), 2);
	drmfault_dump_free(dump);
}

static void test_acceleration_structures(struct app *app)
{
	VkAccelerationStructureKHR structure;
	struct drmfault_dump *dump;
	struct app_buffer buffer;

	buffer = app_buffer(app, HEAP, NULL);
	structure = structure_new(app, buffer.buffer, OFFSET, SIZE);
	FUNCTION(app, vkDestroyAccelerationStructureKHR)(app->device, structure, NULL);
	dump = seen_lose(app, 0x40);
	assert_true(seen_at(dump, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, SEEN(structure),
			    buffer.address + OFFSET, SIZE)
			    .unbound_ns);
	drmfault_dump_free(dump);
}

static void test_acceleration_structures_nv(struct app *app)
{
	const VkAccelerationStructureCreateInfoNV info = {
		.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_NV,
		.compactedSize = SIZE,
	};
	VkBindAccelerationStructureMemoryInfoNV bind = {
		.sType = VK_STRUCTURE_TYPE_BIND_ACCELERATION_STRUCTURE_MEMORY_INFO_NV,
		.memoryOffset = OFFSET,
	};
	struct drmfault_dump *dump;
	struct app_buffer buffer;

	buffer = app_buffer(app, HEAP, NULL);
	assert_int_equal(FUNCTION(app, vkCreateAccelerationStructureNV)(
				 app->device, &info, NULL, &bind.accelerationStructure),
			 VK_SUCCESS);
	bind.memory = buffer.memory;
	assert_int_equal(FUNCTION(app, vkBindAccelerationStructureMemoryNV)(app->device, 1, &bind),
			 VK_SUCCESS);
	FUNCTION(app, vkDestroyAccelerationStructureNV)
	(app->device, bind.accelerationStructure, NULL);
	dump = seen_lose(app, 0x40);
	assert_true(seen_at(dump, VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV,
			    SEEN(bind.accelerationStructure), buffer.address + OFFSET, SIZE)
			    .unbound_ns);
	drmfault_dump_free(dump);
}

#define NAMED_COUNT 20000u
#define NAMED_BYTES (NAMED_COUNT * 16u)

/* Their end nobody tells, so that names would be kept for ever. */
static void test_names_of_what_has_no_address(void **state)
{
	struct app app;
	size_t before;
	uint32_t i;

	(void)state;
	app_open(&app, "", NULL);
	assert_int_equal(app_device(&app, NULL, NULL, NULL), VK_SUCCESS);
	app_name(&app, VK_OBJECT_TYPE_IMAGE_VIEW, 1, "first");
	before = mallinfo2().uordblks;
	for (i = 2; i < NAMED_COUNT; i++)
		app_name(&app, VK_OBJECT_TYPE_IMAGE_VIEW, i, "view of a frame");
	assert_in_range(mallinfo2().uordblks, 0, before + NAMED_BYTES);
	app_close(&app, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROWS_ON(test_buffers_in_a_heap, WAYS, "ext", "ext report no-memory"),
		ON(test_buffers_before_an_address, "ext"),
		ON(test_past_a_buffer_in_a_heap, "ext", "ext report", "ext report extended"),
		ROWS_ON(test_images, WAYS, "ext"),
		ON(test_image_in_told_memory, "ext report", "ext report no-images"),
		cmocka_unit_test(test_names_of_what_has_no_address),
		ON(test_planes, "ext report no-images"),
		ON(test_acceleration_structures, "ext"),
		ON(test_acceleration_structures_nv, "ext"),
	};

	return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
