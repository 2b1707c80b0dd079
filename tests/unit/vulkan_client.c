// SPDX-License-Identifier: MIT
#include "vulkan_client.h"

int client_fd;

int client_setup(void **state)
{
	(void)state;
	vulkan_mock_reset();
	client_fd = vulkan_mock_file();
	return 0;
}

int client_teardown(void **state)
{
	(void)state;
	vulkan_mock_file_close(client_fd);
	return 0;
}

struct drmfault_vk_device_info client_info(int drm_fd)
{
	return (struct drmfault_vk_device_info){
		.size = sizeof(struct drmfault_vk_device_info),
		.drm_fd = drm_fd,
		.identity = { .vendor_binary = true },
		.report_masked = true,
	};
}

struct drmfault_vk_device *client_device(int drm_fd)
{
	const struct drmfault_vk_device_info info = client_info(drm_fd);
	struct drmfault_vk_device *device = NULL;

	assert_int_equal(device_create_with(vulkan_mock_open, &info, NULL, &device), VK_SUCCESS);
	return device;
}
