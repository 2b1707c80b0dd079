// SPDX-License-Identifier: MIT
/* Files of a device that the application closed, as one does that closes all. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "vulkan_mock.h"

#define FOREVER	   UINT64_MAX
#define SOME_TIME  UINT64_C(200000000)
#define MOST_READS 100

static int drm_fd;
static struct drmfault_vk_device *device;

static int setup(void **state)
{
	struct drmfault_vk_device_info info = { .size = sizeof(info) };

	(void)state;
	vulkan_mock_reset();
	info.drm_fd = drm_fd = vulkan_mock_file();
	return device_create_with(vulkan_mock_open, &info, NULL, &device) != VK_SUCCESS;
}

static int teardown(void **state)
{
	(void)state;
	drmfault_vk_device_destroy(device);
	vulkan_mock_file_close(drm_fd);
	return 0;
}

static VkResult ask(uint64_t timeout, VkDeviceFaultFlagsKHR *flags)
{
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 1;
	VkResult result;

	result = drmfault_vk_device_get_fault_reports_khr(device, timeout, &count, &report);
	*flags = report.flags;
	return result;
}

static void *lose(void *data)
{
	drmfault_vk_device_lost(data, "a ring");
	return NULL;
}

/* Not all the time, and the loss is seen all the same. */
static void expect_patience(void)
{
	VkDeviceFaultFlagsKHR flags;
	pthread_t thread;

	assert_int_equal(ask(SOME_TIME, &flags), VK_TIMEOUT);
	assert_in_range(vulkan_mock_reads, 1, MOST_READS);
	assert_int_equal(pthread_create(&thread, NULL, lose, device), 0);
	assert_int_equal(ask(FOREVER, &flags), VK_SUCCESS);
	assert_int_equal(flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	pthread_join(thread, NULL);
}

static void the_file_of_the_loss(void **state)
{
	(void)state;
	close(device->lost_fd);
	expect_patience();
	device->lost_fd = -1;
}

/* Its number is that of a file now in which there is always something. */
static void another_file_in_its_place(void **state)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, device->lost_fd), device->lost_fd);
	close(fd);
	expect_patience();
}

static void the_stream(void **state)
{
	VkDeviceFaultFlagsKHR flags;
	int fd = drmfault_stream_fd(device->stream);

	(void)state;
	close(fd);
	assert_int_equal(ask(SOME_TIME, &flags), VK_TIMEOUT);
	assert_int_equal(vulkan_mock_reads, 1);
	lose(device);
	assert_int_equal(ask(FOREVER, &flags), VK_SUCCESS);
	assert_int_equal(flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_int_equal(ask(FOREVER, &flags), VK_TIMEOUT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(the_file_of_the_loss),
		TEST(another_file_in_its_place),
		TEST(the_stream),
	};

	return cmocka_run_group_tests_name("files that were closed", tests, NULL, NULL);
}
