// SPDX-License-Identifier: MIT
/* Whose faults devices tell, and which: from when, until when, and from where. */
#include <time.h>

#include "vulkan_client.h"

static uint32_t addresses_of(struct drmfault_vk_device *device)
{
	VkDeviceFaultCountsEXT counts;

	assert_int_equal(drmfault_vk_device_get_fault_info_ext(device, &counts, NULL), VK_SUCCESS);
	return counts.addressInfoCount;
}

static void faults_before_the_device_are_not_its_own(void **state)
{
	struct drmfault_vk_device *device;

	(void)state;
	vulkan_mock_fault(client_fd);
	vulkan_mock_fault(client_fd);
	device = client_device(client_fd);
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	assert_int_equal(addresses_of(device), 1);
	drmfault_vk_device_destroy(device);
}

/* What a program has read once it reads again. */
static void faults_after_the_first_query_are_not_told(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);

	(void)state;
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	/* Up to the first query they are. */
	vulkan_mock_fault(client_fd);
	assert_int_equal(addresses_of(device), 2);
	vulkan_mock_fault(client_fd);
	assert_int_equal(addresses_of(device), 2);
	drmfault_vk_device_destroy(device);
}

static void records_that_arrive_meanwhile_are_told(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);

	(void)state;
	vulkan_mock_fault(client_fd);
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	vulkan_mock_moving = 2;
	assert_int_equal(addresses_of(device), 2);
	assert_int_equal(vulkan_mock_moving, 0);
	drmfault_vk_device_destroy(device);
}

/* While they never stop arriving, what there is must do. */
static void a_storm_does_not_hold_up_the_query(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);

	(void)state;
	vulkan_mock_fault(client_fd);
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	vulkan_mock_moving = 1000;
	assert_int_equal(addresses_of(device), 1);
	drmfault_vk_device_destroy(device);
}

static bool is_odd(void *data, const struct drmfault_record *record)
{
	(*(unsigned int *)data)++;
	return drmfault_record_context_id(record) % 2;
}

static void raise_in_context(uint64_t context)
{
	const struct drm_fault_record record = {
		.type = DRMFAULT_RECORD_FAULT,
		.length = sizeof(record),
		.address = context << 12,
		.address_precision = 1,
		.context_id = context,
	};

	vulkan_mock_raise(client_fd, &record);
}

/* Another device of the process has the contexts with odd numbers. */
static void faults_of_others_are_left_out(void **state)
{
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	struct drmfault_vk_device_info info = client_info(DRMFAULT_VK_PROCESS);
	VkDeviceFaultInfoKHR reports[4] = { 0 };
	struct drmfault_vk_device *device;
	uint32_t count = ARRAY_SIZE(reports);
	unsigned int asked = 0;

	(void)state;
	info.is_foreign = is_odd;
	info.foreign_data = &asked;
	assert_int_equal(device_create_with(vulkan_mock_open, &info, NULL, &device), VK_SUCCESS);
	raise_in_context(1);
	raise_in_context(2);
	raise_in_context(3);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports),
			 VK_SUCCESS);
	assert_int_equal(count, 1);
	assert_int_equal(reports[0].faultAddressInfo.reportedAddress, 2 << 12);
	drmfault_vk_device_lost(device, "gone");
	assert_int_equal(drmfault_vk_device_get_fault_info_ext(device, &counts, NULL), VK_SUCCESS);
	assert_int_equal(counts.addressInfoCount, 1);
	assert_int_equal(counts.vendorInfoCount, 1);
	assert_int_equal(asked, 6);
	drmfault_vk_device_destroy(device);
}

/* A layer does not know the file: the process is that of the first one here. */
static void a_process_has_the_same(void **state)
{
	struct drmfault_vk_device *device = client_device(DRMFAULT_VK_PROCESS);
	uint32_t count;

	(void)state;
	assert_int_equal(drmfault_vk_device_support(device), 0);
	vulkan_mock_fault(client_fd);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, NULL),
			 VK_SUCCESS);
	assert_int_equal(count, 1);
	drmfault_vk_device_destroy(device);
}

/* Records are gone with the GPU, reports that came in time are not. */
static void a_gpu_that_goes_away(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);
	VkDeviceFaultInfoKHR reports[4];
	uint32_t count = ARRAY_SIZE(reports);
	clock_t used;

	(void)state;
	vulkan_mock_fault(client_fd);
	vulkan_mock_unbind(client_fd);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, reports),
			 VK_SUCCESS);
	assert_int_equal(count, 1);
	/* What tells that it is gone must not keep the processor busy. */
	used = clock();
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 200 * MS, &count, NULL),
			 VK_TIMEOUT);
	assert_true(clock() - used < CLOCKS_PER_SEC / 20);
	drmfault_vk_device_lost(device, NULL);
	count = ARRAY_SIZE(reports);
	assert_int_equal(
		drmfault_vk_device_get_fault_reports_khr(device, UINT64_MAX, &count, reports),
		VK_SUCCESS);
	assert_int_equal(count, 1);
	assert_string_equal(reports[0].description, "The device is lost after 1 report");
	drmfault_vk_device_destroy(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(faults_before_the_device_are_not_its_own),
		CLIENT_TEST(faults_after_the_first_query_are_not_told),
		CLIENT_TEST(records_that_arrive_meanwhile_are_told),
		CLIENT_TEST(a_storm_does_not_hold_up_the_query),
		CLIENT_TEST(a_process_has_the_same),
		CLIENT_TEST(faults_of_others_are_left_out),
		CLIENT_TEST(a_gpu_that_goes_away),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: whose faults", tests, NULL, NULL);
}
