// SPDX-License-Identifier: MIT
/* The conformance cases against the library itself, on a kernel that is no kernel. */
#include <stdlib.h>

#include "conformance.h"
#include "vulkan_mock.h"

/* What a driver has for each VkDevice. */
struct device {
	int drm_fd;
	struct drmfault_vk_device *fault;
	/* The next page to fault at. */
	uint64_t page;
};

static const VkApplicationInfo application = {
	.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
	.pApplicationName = "conformance",
	.applicationVersion = 7,
	.pEngineName = "cases",
	.engineVersion = 8,
	.apiVersion = VK_API_VERSION_1_3,
};

static const struct drmfault_vk_identity identity = {
	.vendorID = VK_VENDOR_ID_MESA,
	.deviceID = 0x51,
	.driverVersion = 0x12345678,
	.pipelineCacheUUID = "0123456789abcde",
	.pApplicationInfo = &application,
};

static const uint32_t accesses[] = {
	[CONFORMANCE_WRITE] = DRM_FAULT_ACCESS_WRITE,
	[CONFORMANCE_READ] = DRM_FAULT_ACCESS_READ,
	[CONFORMANCE_EXECUTE] = DRM_FAULT_ACCESS_EXECUTE,
};

static void identify(struct conformance_identity *of)
{
	of->vendorID = identity.vendorID;
	of->deviceID = identity.deviceID;
	of->driverVersion = identity.driverVersion;
	memcpy(of->pipelineCacheUUID, identity.pipelineCacheUUID, VK_UUID_SIZE);
	of->application = application;
}

static void offer(VkPhysicalDeviceFaultFeaturesEXT *ext, VkPhysicalDeviceFaultFeaturesKHR *khr,
		  VkPhysicalDeviceFaultPropertiesKHR *properties)
{
	drmfault_vk_fill_features_ext(0, ext);
	drmfault_vk_fill_features_khr(0, khr);
	drmfault_vk_fill_properties_khr(0, properties);
}

static void *create(const struct conformance_features *features)
{
	struct device *device = calloc(1, sizeof(*device));
	struct drmfault_vk_device_info info = {
		.size = sizeof(info),
		.identity = identity,
		.report_masked = features->report_masked,
	};

	if (!device)
		return NULL;
	info.identity.vendor_binary = features->vendor_binary;
	info.drm_fd = device->drm_fd = vulkan_mock_file();
	device->page = 0x800000001;
	if (device_create_with(vulkan_mock_open, &info, NULL, &device->fault) != VK_SUCCESS) {
		vulkan_mock_file_close(device->drm_fd);
		free(device);
		return NULL;
	}
	return device;
}

static void destroy(void *of)
{
	struct device *device = of;

	drmfault_vk_device_destroy(device->fault);
	vulkan_mock_file_close(device->drm_fd);
	free(device);
}

static bool fault(void *of, enum conformance_kind kind, uint64_t *address)
{
	struct device *device = of;
	struct drm_fault_record record = {
		.type = DRM_FAULT_RECORD_TIMEOUT,
		.engine = "ring0",
		.address_bits = 48,
	};

	if (kind != CONFORMANCE_TIMEOUT) {
		record.type = DRM_FAULT_RECORD_FAULT;
		record.access = accesses[kind];
		record.fault_type = DRM_FAULT_TYPE_NOT_PRESENT;
		record.address = device->page++ << 12 | 0x18;
		record.address_precision = 8;
		/* Not of each record an instruction is known. */
		record.ip_type = device->page % 3 ? DRM_FAULT_IP_FAULT : 0;
		record.ip = 0x10008;
		record.ip_precision = 8;
		*address = drmfault_canonical(record.address, 48);
	}
	vulkan_mock_raise(device->drm_fd, &record);
	return true;
}

static bool lose(void *of)
{
	struct device *device = of;

	drmfault_vk_device_lost(device->fault, "the case lost it");
	return true;
}

static VkResult fault_info(void *of, VkDeviceFaultCountsEXT *counts, VkDeviceFaultInfoEXT *info)
{
	struct device *device = of;

	return drmfault_vk_device_get_fault_info_ext(device->fault, counts, info);
}

static VkResult reports(void *of, uint64_t timeout, uint32_t *count, VkDeviceFaultInfoKHR *infos)
{
	struct device *device = of;

	return drmfault_vk_device_get_fault_reports_khr(device->fault, timeout, count, infos);
}

static VkResult debug_info(void *of, VkDeviceFaultDebugInfoKHR *info)
{
	struct device *device = of;

	return drmfault_vk_device_get_fault_debug_info_khr(device->fault, info);
}

const struct conformance_subject conformance_subject = {
	.name = "libdrmfault-vulkan",
	.times_out = true,
	.identify = identify,
	.offer = offer,
	.create = create,
	.destroy = destroy,
	.fault = fault,
	.lose = lose,
	.fault_info = fault_info,
	.reports = reports,
	.debug_info = debug_info,
};
