/* SPDX-License-Identifier: MIT */
/* A client of the mock kernel for each test: one DRM file, and devices on it. */
#ifndef TEST_VULKAN_CLIENT_H
#define TEST_VULKAN_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vulkan_mock.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MS		  UINT64_C(1000000)

/* The file of the test that runs. */
extern int client_fd;

/* Of cmocka. */
int client_setup(void **state);
int client_teardown(void **state);

#define CLIENT_TEST(name) cmocka_unit_test_setup_teardown(name, client_setup, client_teardown)

/* Of a device that has all there is, on a file or on DRMFAULT_VK_PROCESS. */
struct drmfault_vk_device_info client_info(int drm_fd);
struct drmfault_vk_device *client_device(int drm_fd);

#endif /* TEST_VULKAN_CLIENT_H */
