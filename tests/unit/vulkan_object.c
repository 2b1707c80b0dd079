// SPDX-License-Identifier: MIT
/* Devices: how they come and go, and what they say without any faults. */
#include <errno.h>

#include "vulkan_client.h"

/* The description of a lost device, which both extensions must give. */
static void assert_says(struct drmfault_vk_device *device, const char *expected)
{
	VkDeviceFaultCountsEXT counts = { .addressInfoCount = 9 };
	VkDeviceFaultInfoEXT info = { .pNext = NULL };
	VkDeviceFaultInfoKHR report;
	uint32_t count = 1;

	assert_int_equal(drmfault_vk_device_get_fault_info_ext(device, &counts, &info), VK_SUCCESS);
	assert_int_equal(counts.addressInfoCount, 0);
	assert_int_equal(counts.vendorInfoCount, 0);
	assert_int_equal(counts.vendorBinarySize, 0);
	assert_string_equal(info.description, expected);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, &report),
			 VK_SUCCESS);
	assert_int_equal(report.flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	assert_int_equal(report.groupId, 1);
	assert_string_equal(report.description, expected);
}

static void wrong_sizes_are_refused(void **state)
{
	struct {
		struct drmfault_vk_device_info info;
		uint64_t later[2];
	} newer = { .info = client_info(client_fd) };
	const size_t bad[] = { 0, 8, offsetof(struct drmfault_vk_device_info, report_masked), 4097,
			       SIZE_MAX };
	struct drmfault_vk_device *device = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		newer.info.size = bad[i];
		assert_int_equal(device_create_with(vulkan_mock_open, &newer.info, NULL, &device),
				 VK_ERROR_INITIALIZATION_FAILED);
		assert_null(device);
	}
	newer.info.size = sizeof(newer);
	newer.later[1] = 1;
	assert_int_equal(device_create_with(vulkan_mock_open, &newer.info, NULL, &device),
			 VK_ERROR_INITIALIZATION_FAILED);
	assert_null(device);
	newer.later[1] = 0;
	assert_int_equal(device_create_with(vulkan_mock_open, &newer.info, NULL, &device),
			 VK_SUCCESS);
	drmfault_vk_device_destroy(device);
	drmfault_vk_device_destroy(NULL);
}

static const struct {
	int *error;
	int value;
	int support;
	const char *says;
} causes[] = {
	{ &vulkan_mock_open_errno, ENOENT, -ENODEV,
	  "The device is lost (gone); faults were not recorded, the kernel module drm_fault is not "
	  "loaded" },
	{ &vulkan_mock_open_errno, EACCES, -EACCES,
	  "The device is lost (gone); faults were not recorded, this process may not open "
	  "/dev/drm_fault" },
	{ &vulkan_mock_device_errno, EOPNOTSUPP, -EOPNOTSUPP,
	  "The device is lost (gone); faults were not recorded, no hook of drm_fault sees those of "
	  "this GPU's driver" },
	{ &vulkan_mock_subscribe_errno, EMFILE, -EMFILE,
	  "The device is lost (gone); faults were not recorded, too many streams or files are "
	  "open: "
	  "close some, or raise max_streams of drm_fault" },
	{ &vulkan_mock_snapshot_errno, ENODEV, 0,
	  "The device is lost (gone); the GPU's driver is gone, and its records with it" },
	{ &vulkan_mock_snapshot_errno, 0, 0,
	  "The device is lost (gone); the GPU reported no fault, as when a job only takes too "
	  "long" },
};

/* A kernel that offers nothing is no failure, and the reason is told. */
static void nothing_is_explained(void **state)
{
	struct drmfault_vk_device *device;
	uint32_t count = 7;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(causes); i++) {
		vulkan_mock_reset();
		*causes[i].error = causes[i].value;
		device = client_device(client_fd);
		assert_int_equal(drmfault_vk_device_support(device), causes[i].support);
		assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, MS, &count, NULL),
				 VK_TIMEOUT);
		assert_int_equal(count, 0);
		drmfault_vk_device_lost(device, "gone");
		assert_says(device, causes[i].says);
		drmfault_vk_device_destroy(device);
	}
}

static void features_are_what_the_kernel_offers(void **state)
{
	VkPhysicalDeviceFaultFeaturesEXT ext = { .deviceFault = 9, .deviceFaultVendorBinary = 9 };
	VkPhysicalDeviceFaultFeaturesKHR khr = { .deviceFault = 9, .deviceFaultVendorBinary = 9 };
	VkPhysicalDeviceFaultPropertiesKHR properties = { .maxDeviceFaultCount = 0 };

	(void)state;
	drmfault_vk_fill_features_ext(0, &ext);
	drmfault_vk_fill_features_khr(0, &khr);
	drmfault_vk_fill_properties_khr(0, &properties);
	assert_true(ext.deviceFault == VK_TRUE && ext.deviceFaultVendorBinary == VK_TRUE);
	assert_true(khr.deviceFault == VK_TRUE && khr.deviceFaultVendorBinary == VK_TRUE);
	assert_true(khr.deviceFaultReportMasked == VK_TRUE);
	assert_true(khr.deviceFaultDeviceLostOnMasked == VK_FALSE);
	assert_int_equal(properties.maxDeviceFaultCount, DRMFAULT_VK_MAX_FAULTS);

	drmfault_vk_fill_features_ext(-ENODEV, &ext);
	drmfault_vk_fill_features_khr(-ENODEV, &khr);
	drmfault_vk_fill_properties_khr(-ENODEV, &properties);
	assert_true(!ext.deviceFault && !ext.deviceFaultVendorBinary);
	assert_true(!khr.deviceFault && !khr.deviceFaultVendorBinary);
	assert_true(!khr.deviceFaultReportMasked && !khr.deviceFaultDeviceLostOnMasked);
	assert_int_equal(properties.maxDeviceFaultCount, 1);
}

/* On the kernel that is here, which may have the module or not. */
static void the_probe_opens_the_device(void **state)
{
	const struct drmfault_vk_device_info info = client_info(DRMFAULT_VK_PROCESS);
	struct drmfault_vk_device *device = NULL;
	struct drmfault *fault = NULL;
	int error = drmfault_open(NULL, &fault);

	(void)state;
	drmfault_close(fault);
	assert_int_equal(drmfault_vk_probe(DRMFAULT_VK_PROCESS), error);
	/* Standard input is no DRM node. */
	assert_int_equal(drmfault_vk_probe(0), error ? error : -EINVAL);
	assert_int_equal(drmfault_vk_device_create(&info, NULL, &device), VK_SUCCESS);
	assert_int_equal(drmfault_vk_device_support(device), error);
	drmfault_vk_device_destroy(device);
}

static void the_first_reason_stays(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);

	(void)state;
	assert_false(drmfault_vk_device_is_lost(device));
	drmfault_vk_device_lost(device, NULL);
	assert_true(drmfault_vk_device_is_lost(device));
	drmfault_vk_device_lost(device, "late");
	assert_says(device, "The device is lost; the GPU reported no fault, as when a job only "
			    "takes too long");
	drmfault_vk_device_destroy(device);

	device = client_device(client_fd);
	drmfault_vk_device_lost(device, "queue\n\xff 0");
	assert_says(device, "The device is lost (queue?? 0); the GPU reported no fault, as when a "
			    "job only takes too long");
	drmfault_vk_device_destroy(device);
}

static void reasons_of_any_length_fit(void **state)
{
	struct drmfault_vk_device *device = client_device(client_fd);
	VkDeviceFaultInfoKHR report;
	uint32_t count = 1;
	char reason[1000];

	(void)state;
	memset(reason, 'r', sizeof(reason));
	reason[sizeof(reason) - 1] = '\0';
	drmfault_vk_device_lost(device, reason);
	assert_int_equal(drmfault_vk_device_get_fault_reports_khr(device, 0, &count, &report),
			 VK_SUCCESS);
	assert_non_null(memchr(report.description, '\0', sizeof(report.description)));
	assert_non_null(strstr(report.description, "rrr); the GPU reported no fault"));
	drmfault_vk_device_destroy(device);
}

static void the_identity_is_copied(void **state)
{
	char name[] = "application", engine[] = "engine";
	VkApplicationInfo application = { .pApplicationName = name, .pEngineName = engine };
	struct drmfault_vk_device_info info = client_info(client_fd);
	VkDeviceFaultDebugInfoKHR debug = { .pNext = NULL };
	struct drmfault_vk_device *device = NULL;
	static char binary[4096];

	(void)state;
	info.identity.pApplicationInfo = &application;
	assert_int_equal(device_create_with(vulkan_mock_open, &info, NULL, &device), VK_SUCCESS);
	memset(name, 'x', sizeof(name) - 1);
	memset(engine, 'x', sizeof(engine) - 1);
	memset(&application, 0, sizeof(application));
	memset(&info, 0, sizeof(info));
	vulkan_mock_fault(client_fd);
	drmfault_vk_device_lost(device, NULL);
	debug.vendorBinarySize = sizeof(binary);
	debug.pVendorBinaryData = binary;
	assert_int_equal(drmfault_vk_device_get_fault_debug_info_khr(device, &debug), VK_SUCCESS);
	assert_memory_equal(binary + 56, "application\0engine", sizeof("application\0engine"));
	drmfault_vk_device_destroy(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLIENT_TEST(wrong_sizes_are_refused),
		CLIENT_TEST(nothing_is_explained),
		CLIENT_TEST(features_are_what_the_kernel_offers),
		CLIENT_TEST(the_probe_opens_the_device),
		CLIENT_TEST(the_first_reason_stays),
		CLIENT_TEST(reasons_of_any_length_fit),
		CLIENT_TEST(the_identity_is_copied),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: devices", tests, NULL, NULL);
}
