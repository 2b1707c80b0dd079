// SPDX-License-Identifier: MIT
/* Devices take their memory of the application, or fail and leave nothing behind. */
#include <stdlib.h>

#include "vulkan_client.h"

/* What the application asks its memory of. */
struct heap {
	size_t live;
	size_t asked;
	/* The one that fails, counted from 1; 0: none. */
	size_t fails;
};

static void *VKAPI_CALL heap_allocate(void *user, size_t size, size_t alignment,
				      VkSystemAllocationScope scope)
{
	struct heap *heap = user;
	void *memory;

	assert_int_equal(scope, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
	assert_true(alignment >= sizeof(void *) && !(alignment & (alignment - 1)));
	if (++heap->asked == heap->fails)
		return NULL;
	memory = malloc(size);
	assert_non_null(memory);
	/* What is not cleared shows. */
	memset(memory, 0xa5, size);
	heap->live++;
	return memory;
}

static void *VKAPI_CALL heap_reallocate(void *user, void *original, size_t size, size_t alignment,
					VkSystemAllocationScope scope)
{
	(void)user;
	(void)original;
	(void)size;
	(void)alignment;
	(void)scope;
	fail_msg("nothing is to grow");
	return NULL;
}

static void VKAPI_CALL heap_free(void *user, void *memory)
{
	struct heap *heap = user;

	if (!memory)
		return;
	heap->live--;
	free(memory);
}

static VkAllocationCallbacks callbacks_of(struct heap *heap)
{
	return (VkAllocationCallbacks){
		.pUserData = heap,
		.pfnAllocation = heap_allocate,
		.pfnReallocation = heap_reallocate,
		.pfnFree = heap_free,
	};
}

static struct drmfault_vk_device_info info_with_names(void)
{
	static const VkApplicationInfo application = {
		.pApplicationName = "application",
		.pEngineName = "engine",
	};
	struct drmfault_vk_device_info info = client_info(client_fd);

	info.identity.pApplicationInfo = &application;
	return info;
}

static void creation_fails_cleanly(void **state)
{
	const struct drmfault_vk_device_info info = info_with_names();
	struct drmfault_vk_device *device = NULL;
	struct heap heap = { 0 };
	const VkAllocationCallbacks callbacks = callbacks_of(&heap);
	VkResult result;

	(void)state;
	do {
		heap.asked = 0;
		heap.fails++;
		result = device_create_with(vulkan_mock_open, &info, &callbacks, &device);
		assert_int_equal(result == VK_SUCCESS, heap.asked < heap.fails);
		if (result != VK_SUCCESS) {
			assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
			assert_null(device);
			assert_int_equal(heap.live, 0);
		}
	} while (result != VK_SUCCESS);
	/* The object, the names, the handle, the GPU, the stream and its buffer. */
	assert_int_equal(heap.asked, 6);
	drmfault_vk_device_destroy(device);
	assert_int_equal(heap.live, 0);
}

static void a_first_query_without_memory_can_be_made_again(void **state)
{
	const struct drmfault_vk_device_info info = info_with_names();
	VkDeviceFaultDebugInfoKHR debug = { .pNext = NULL };
	struct drmfault_vk_device *device = NULL;
	struct heap heap = { 0 };
	VkAllocationCallbacks callbacks = callbacks_of(&heap);
	VkDeviceFaultCountsEXT counts;
	VkResult result;
	size_t held;

	(void)state;
	assert_int_equal(device_create_with(vulkan_mock_open, &info, &callbacks, &device),
			 VK_SUCCESS);
	/* The structure itself need not live as long. */
	memset(&callbacks, 0, sizeof(callbacks));
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	held = heap.live;
	do {
		heap.asked = 0;
		heap.fails++;
		result = drmfault_vk_device_get_fault_info_ext(device, &counts, NULL);
		assert_int_equal(result == VK_SUCCESS, heap.asked < heap.fails);
		if (result != VK_SUCCESS) {
			assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
			assert_int_equal(heap.live, held);
		}
	} while (result != VK_SUCCESS);
	assert_int_equal(counts.addressInfoCount, 1);

	/* Nothing more is needed after the first. */
	heap.fails = 1;
	heap.asked = 0;
	assert_int_equal(drmfault_vk_device_get_fault_info_ext(device, &counts, NULL), VK_SUCCESS);
	assert_int_equal(drmfault_vk_device_get_fault_debug_info_khr(device, &debug), VK_SUCCESS);
	assert_int_equal(debug.vendorBinarySize, counts.vendorBinarySize);
	assert_int_equal(heap.asked, 0);
	drmfault_vk_device_destroy(device);
	assert_int_equal(heap.live, 0);
}

static void reports_need_no_memory(void **state)
{
	const struct drmfault_vk_device_info info = info_with_names();
	struct drmfault_vk_device *device = NULL;
	static VkDeviceFaultInfoKHR reports[8];
	struct heap heap = { 0 };
	const VkAllocationCallbacks callbacks = callbacks_of(&heap);
	uint32_t count = ARRAY_SIZE(reports);

	(void)state;
	assert_int_equal(device_create_with(vulkan_mock_open, &info, &callbacks, &device),
			 VK_SUCCESS);
	heap.fails = heap.asked + 1;
	vulkan_mock_fault(client_fd);
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports),
			 VK_SUCCESS);
	assert_int_equal(count, 3);
	assert_int_equal(heap.asked, heap.fails - 1);
	drmfault_vk_device_destroy(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(creation_fails_cleanly),
		CLIENT_TEST(a_first_query_without_memory_can_be_made_again),
		CLIENT_TEST(reports_need_no_memory),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: memory", tests, NULL, NULL);
}
