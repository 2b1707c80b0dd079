// SPDX-License-Identifier: MIT
/*
 * lavapipe [ask | fault]: a Vulkan application on a driver that has none of the fault
 * extensions. It prints what came out of its work. With an argument it waits for a line
 * then, and prints what both extensions know, while its device lives and once that is lost.
 * With `fault` the software GPU faults in between, through a file of this process, at an
 * address 0x40 behind the end of a buffer.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drmfault_dump.h"
#include "drmfault_vulkan.h"
#include "lavapipe/fault.h"
#include "lavapipe/work.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define EXTENSIONS_MAX 512
#define INFOS_MAX      16
#define BINARY_MAX     0x10000
#define SIZE	       0x1000
#define BEYOND	       0x40
#define LIMIT_NS       20000000000ULL

struct lavapipe {
	VkInstance instance;
	VkDebugUtilsMessengerEXT messenger;
	struct work work;
	bool has_ext, has_khr;
	PFN_vkGetDeviceFaultInfoEXT get_info;
	PFN_vkGetDeviceFaultReportsKHR get_reports;
};

static VkBool32 VKAPI_CALL print_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
					 VkDebugUtilsMessageTypeFlagsEXT types,
					 const VkDebugUtilsMessengerCallbackDataEXT *data,
					 void *user)
{
	(void)severity;
	(void)types;
	(void)user;
	printf("message %s: %s\n", data->pMessageIdName, data->pMessage);
	return VK_FALSE;
}

static const VkDebugUtilsMessengerCreateInfoEXT messenger = {
	.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
	.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
			   VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
	.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
	.pfnUserCallback = print_message,
};

static void make_instance(struct lavapipe *on)
{
	static const char *const extensions[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pApplicationName = "lavapipe",
		.apiVersion = VK_API_VERSION_1_2,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pNext = &messenger,
		.pApplicationInfo = &application,
		.enabledExtensionCount = ARRAY_SIZE(extensions),
		.ppEnabledExtensionNames = extensions,
	};
	PFN_vkCreateDebugUtilsMessengerEXT create;
	VkPhysicalDeviceProperties properties;
	uint32_t count = 1;

	must(vkCreateInstance(&info, NULL, &on->instance), "vkCreateInstance");
	create = (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
		on->instance, "vkCreateDebugUtilsMessengerEXT");
	must(create(on->instance, &messenger, NULL, &on->messenger), "a messenger");
	must(vkEnumeratePhysicalDevices(on->instance, &count, &on->work.gpu), "the only GPU");
	vkGetPhysicalDeviceProperties(on->work.gpu, &properties);
	printf("gpu %.8s\n", properties.deviceName);
}

static bool offers(struct lavapipe *on, const char *name)
{
	static VkExtensionProperties all[EXTENSIONS_MAX];
	uint32_t i, count = EXTENSIONS_MAX;

	must(vkEnumerateDeviceExtensionProperties(on->work.gpu, NULL, &count, all), "extensions");
	for (i = 0; i < count; i++)
		if (!strcmp(all[i].extensionName, name))
			return true;
	return false;
}

static void make_device(struct lavapipe *on)
{
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkPhysicalDeviceVulkan12Features addresses = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
	};
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.pNext = &addresses,
	};
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
		.pNext = &ext,
	};
	/* All that there are of these. */
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
	};
	const char *names[2];
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &addresses,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.ppEnabledExtensionNames = names,
	};

	on->has_ext = offers(on, VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
	on->has_khr = offers(on, VK_KHR_DEVICE_FAULT_EXTENSION_NAME);
	if (on->has_ext) {
		info.pNext = &ext;
		names[info.enabledExtensionCount++] = VK_EXT_DEVICE_FAULT_EXTENSION_NAME;
	}
	/* The validation layer is older than it. */
	if (on->has_khr && !getenv("WITHOUT_KHR")) {
		info.pNext = &khr;
		names[info.enabledExtensionCount++] = VK_KHR_DEVICE_FAULT_EXTENSION_NAME;
	}
	features.pNext = (void *)info.pNext;
	vkGetPhysicalDeviceFeatures2(on->work.gpu, &features);
	must(vkCreateDevice(on->work.gpu, &info, NULL, &on->work.device), "vkCreateDevice");
	on->get_info = (PFN_vkGetDeviceFaultInfoEXT)vkGetDeviceProcAddr(on->work.device,
									"vkGetDeviceFaultInfoEXT");
	on->get_reports = (PFN_vkGetDeviceFaultReportsKHR)vkGetDeviceProcAddr(
		on->work.device, "vkGetDeviceFaultReportsKHR");
}

/* Named, and with an address that the application has asked for. */
static uint64_t add_particles(struct lavapipe *on, struct work_buffer *buffer)
{
	PFN_vkSetDebugUtilsObjectNameEXT set_name =
		(PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(
			on->instance, "vkSetDebugUtilsObjectNameEXT");
	VkBufferDeviceAddressInfo address = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
	};
	VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_BUFFER,
		.pObjectName = "particles",
	};

	work_buffer_create(&on->work, SIZE,
			   VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
				   VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
			   buffer);
	address.buffer = buffer->buffer;
	name.objectHandle = (uint64_t)(uintptr_t)buffer->buffer;
	must(set_name(on->work.device, &name), "vkSetDebugUtilsObjectNameEXT");
	return vkGetBufferDeviceAddress(on->work.device, &address);
}

static void print_address(const char *what, const VkDeviceFaultAddressInfoEXT *info)
{
	printf("%s %s 0x%" PRIx64 " %" PRIu64 "\n", what,
	       drmfault_vk_address_type_name(info->addressType), info->reportedAddress,
	       info->addressPrecision);
}

static void print_reports(struct lavapipe *on, const char *when, uint64_t timeout)
{
	VkDeviceFaultInfoKHR report = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR };
	uint32_t count = 1;

	while (on->get_reports(on->work.device, timeout, &count, &report) >= 0 && count) {
		if (report.flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR)
			print_address("report", &report.faultAddressInfo);
		else
			printf("report flags 0x%x\n", report.flags);
		timeout = 0;
		count = 1;
	}
	printf("no more reports %s\n", when);
}

/* How many records of the kernel's are in it. */
static size_t records_in(const void *binary, size_t size)
{
	struct drmfault_dump *dump;
	size_t count;

	if (drmfault_dump_open_memory(binary, size, &dump))
		return 0;
	count = drmfault_snapshot_count(drmfault_dump_snapshot(dump));
	drmfault_dump_free(dump);
	return count;
}

static void print_info(struct lavapipe *on, const char *when)
{
	static uint8_t binary[BINARY_MAX];
	VkDeviceFaultAddressInfoEXT addresses[INFOS_MAX];
	VkDeviceFaultVendorInfoEXT vendors[INFOS_MAX];
	VkDeviceFaultCountsEXT counts = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT,
		.addressInfoCount = INFOS_MAX,
		.vendorInfoCount = INFOS_MAX,
		.vendorBinarySize = BINARY_MAX,
	};
	VkDeviceFaultInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
		.pAddressInfos = addresses,
		.pVendorInfos = vendors,
		.pVendorBinaryData = binary,
	};
	uint32_t i;

	must(on->get_info(on->work.device, &counts, &info), "vkGetDeviceFaultInfoEXT");
	for (i = 0; i < counts.addressInfoCount; i++)
		print_address("address", &addresses[i]);
	for (i = 0; i < counts.vendorInfoCount; i++)
		printf("vendor %s\n", vendors[i].description);
	printf("description %s\n", info.description);
	printf("records %zu %s\n", records_in(binary, counts.vendorBinarySize), when);
}

static void ask(struct lavapipe *on, bool with_fault)
{
	struct work_buffer particles;
	uint64_t address = add_particles(on, &particles) + SIZE + BEYOND;
	char line[16];

	printf("pid %d\nready\n", (int)getpid());
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		exit(EXIT_FAILURE);
	printf("expected 0x%" PRIx64 "\n", address);
	if (with_fault && !fault_at(address)) {
		fprintf(stderr, "the software GPU does not fault\n");
		exit(EXIT_FAILURE);
	}
	print_reports(on, "while it lives", with_fault ? LIMIT_NS : 0);
	setenv("LOSE", "1", 1);
	printf("%s\n", drmfault_vk_result_name(vkQueueWaitIdle(on->work.queue)));
	unsetenv("LOSE");
	print_info(on, "of the lost device");
	print_reports(on, "of the lost device", 0);
	work_buffer_destroy(&on->work, &particles);
}

int main(int argc, char **argv)
{
	struct lavapipe on = { 0 };
	PFN_vkDestroyDebugUtilsMessengerEXT destroy;

	make_instance(&on);
	make_device(&on);
	work_begin(&on.work);
	printf("result 0x%016" PRIx64 "\n", work_result(&on.work));
	if (argc > 1)
		ask(&on, !strcmp(argv[1], "fault"));
	work_end(&on.work);
	vkDestroyDevice(on.work.device, NULL);
	destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
		on.instance, "vkDestroyDebugUtilsMessengerEXT");
	destroy(on.instance, on.messenger, NULL);
	vkDestroyInstance(on.instance, NULL);
	return EXIT_SUCCESS;
}
