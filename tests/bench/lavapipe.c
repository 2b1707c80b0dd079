// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lavapipe.h"

#define GPUS_MAX 16

void must(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	if (result == VK_ERROR_LAYER_NOT_PRESENT || result == VK_ERROR_INCOMPATIBLE_DRIVER)
		fprintf(stderr,
			"%s: VkResult %d: VK_LAYER_PATH must name the folder of "
			"drmfault_layer.json, and mesa-vulkan-drivers be installed\n",
			what, result);
	else
		fprintf(stderr, "%s: VkResult %d\n", what, result);
	exit(EXIT_FAILURE);
}

void *must_allocate(size_t size)
{
	void *memory = malloc(size);

	must(memory ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "malloc");
	return memory;
}

static void make_instance(struct lavapipe *lavapipe, bool with_layer)
{
	static const char *const layers[] = { "VK_LAYER_DRMFAULT_device_fault" };
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_3,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
		.enabledLayerCount = with_layer,
		.ppEnabledLayerNames = layers,
	};

	must(vkCreateInstance(&info, NULL, &lavapipe->instance), "vkCreateInstance");
}

static void choose_gpu(struct lavapipe *lavapipe)
{
	VkPhysicalDeviceProperties properties;
	VkPhysicalDevice gpus[GPUS_MAX];
	uint32_t count = GPUS_MAX, i;

	must(vkEnumeratePhysicalDevices(lavapipe->instance, &count, gpus),
	     "vkEnumeratePhysicalDevices");
	for (i = 0; i < count; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
			lavapipe->gpu = gpus[i];
			return;
		}
	}
	must(VK_ERROR_INCOMPATIBLE_DRIVER, "lavapipe");
}

static void make_device(struct lavapipe *lavapipe)
{
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkPhysicalDeviceVulkan12Features addresses = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.bufferDeviceAddress = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &addresses,
		.dynamicRendering = VK_TRUE,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};

	must(vkCreateDevice(lavapipe->gpu, &info, NULL, &lavapipe->device), "vkCreateDevice");
	vkGetDeviceQueue(lavapipe->device, 0, 0, &lavapipe->queue);
}

#define LOAD(name) lavapipe->name = (PFN_##name)vkGetDeviceProcAddr(lavapipe->device, #name);

void lavapipe_open(struct lavapipe *lavapipe, bool with_layer)
{
	make_instance(lavapipe, with_layer);
	choose_gpu(lavapipe);
	make_device(lavapipe);
	LAVAPIPE_CALLS(LOAD)
}

void lavapipe_close(struct lavapipe *lavapipe)
{
	vkDestroyDevice(lavapipe->device, NULL);
	vkDestroyInstance(lavapipe->instance, NULL);
}

double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

double quantile(double *values, unsigned int count, double part)
{
	qsort(values, count, sizeof(*values), compare);
	return values[(unsigned int)(part * (count - 1))];
}
