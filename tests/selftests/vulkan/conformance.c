// SPDX-License-Identifier: MIT
/*
 * The conformance cases against the Vulkan driver of the software GPU, through
 * the loader. Faults that a device survives come with robust access: the GPU
 * drops the store and goes on.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "conformance.h"
#include "lib/app.h"

#define PAGE DRM_FAULT_SIM_PAGE_SIZE
/* Nothing is ever mapped from here on. */
#define NOWHERE	      0xffffa00000000000
#define POLL_NS	      1000000
#define POLLS_AT_MOST 60000

struct device {
	struct app app;
	pthread_mutex_t lock;
	struct app_program store, load;
	uint64_t next;
};

static const uint64_t store[] = { DRM_FAULT_SIM_STORE(8, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t load[] = { DRM_FAULT_SIM_LOAD(8, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t endless[] = { DRM_FAULT_SIM_JUMP(0) };

static void identify(struct conformance_identity *of)
{
	VkPhysicalDeviceProperties properties;
	struct app app;

	app_instance_open(&app);
	vkGetPhysicalDeviceProperties(app.gpu, &properties);
	of->vendorID = properties.vendorID;
	of->deviceID = properties.deviceID;
	of->driverVersion = properties.driverVersion;
	memcpy(of->pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE);
	of->application = app_application;
	app_instance_close(&app);
}

static void offer(VkPhysicalDeviceFaultFeaturesEXT *ext, VkPhysicalDeviceFaultFeaturesKHR *khr,
		  VkPhysicalDeviceFaultPropertiesKHR *fault_properties)
{
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = ext,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = fault_properties,
	};
	struct app app;

	/* Not every case says what these are. */
	ext->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT;
	ext->pNext = khr;
	khr->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR;
	khr->pNext = NULL;
	fault_properties->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR;
	app_instance_open(&app);
	vkGetPhysicalDeviceFeatures2(app.gpu, &features);
	vkGetPhysicalDeviceProperties2(app.gpu, &properties);
	app_instance_close(&app);
	ext->pNext = NULL;
}

static void *create(const struct conformance_features *features)
{
	struct device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	app_open(&device->app, APP_EXT | APP_KHR | APP_ROBUST |
				       (features->vendor_binary ? APP_BINARY : 0) |
				       (features->report_masked ? APP_REPORT_MASKED : 0));
	pthread_mutex_init(&device->lock, NULL);
	app_program_create(&device->app, store, ARRAY_SIZE(store), &device->store);
	app_program_create(&device->app, load, ARRAY_SIZE(load), &device->load);
	device->next = NOWHERE;
	return device;
}

static void destroy(void *of)
{
	struct device *device = of;

	app_program_destroy(&device->app, &device->store);
	app_program_destroy(&device->app, &device->load);
	app_close(&device->app);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

/* Runs it, and waits unless the device is to be lost later. */
static VkResult run(struct device *device, const struct app_program *program, uint64_t address,
		    bool wait)
{
	const uint64_t params[] = { address, 42 };
	struct app *app = &device->app;
	VkCommandBuffer cmd = app_begin(app, 0);
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};
	VkResult result;

	app_launch(app, cmd, program, params, ARRAY_SIZE(params));
	app_end(cmd);
	result = vkQueueSubmit(app->queues[0], 1, &submit, VK_NULL_HANDLE);
	if (!wait)
		return result;
	if (!result)
		result = vkQueueWaitIdle(app->queues[0]);
	vkFreeCommandBuffers(app->device, app->pools[0], 1, &cmd);
	return result;
}

static uint32_t count_reports(struct device *device)
{
	uint32_t count = 0;

	device->app.get_reports(device->app.device, 0, &count, NULL);
	return count;
}

/* The GPU survives none of these; the driver finds it out when it is asked next. */
static bool run_fatal(struct device *device, const uint64_t *words, size_t count)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	uint32_t before = count_reports(device);
	struct app_program program;
	unsigned int polls;
	VkResult result;

	app_program_create(&device->app, words, count, &program);
	result = run(device, &program, 0, false);
	for (polls = 0; polls < POLLS_AT_MOST && count_reports(device) == before; polls++)
		nanosleep(&pause, NULL);
	app_program_destroy(&device->app, &program);
	return result == VK_SUCCESS && count_reports(device) > before;
}

static bool fault_at(struct device *device, enum conformance_kind kind, uint64_t address)
{
	const uint64_t jump = DRM_FAULT_SIM_JUMP(address);

	switch (kind) {
	case CONFORMANCE_WRITE:
		return run(device, &device->store, address, true) == VK_SUCCESS;
	case CONFORMANCE_READ:
		return run(device, &device->load, address, true) == VK_SUCCESS;
	case CONFORMANCE_EXECUTE:
		return run_fatal(device, &jump, 1);
	default:
		return run_fatal(device, endless, ARRAY_SIZE(endless));
	}
}

static bool fault(void *of, enum conformance_kind kind, uint64_t *address)
{
	struct device *device = of;
	bool done;

	pthread_mutex_lock(&device->lock);
	if (kind != CONFORMANCE_TIMEOUT)
		*address = device->next;
	done = fault_at(device, kind, device->next);
	device->next += PAGE;
	pthread_mutex_unlock(&device->lock);
	return done;
}

static bool lose(void *of)
{
	const uint64_t jump = DRM_FAULT_SIM_JUMP(NOWHERE - PAGE);
	struct device *device = of;
	VkResult result;

	pthread_mutex_lock(&device->lock);
	result = app_run(&device->app, &jump, 1, 0, 0, NULL);
	pthread_mutex_unlock(&device->lock);
	return result == VK_ERROR_DEVICE_LOST;
}

static VkResult fault_info(void *of, VkDeviceFaultCountsEXT *counts, VkDeviceFaultInfoEXT *info)
{
	struct app *app = &((struct device *)of)->app;

	return app->get_info(app->device, counts, info);
}

static VkResult reports(void *of, uint64_t timeout, uint32_t *count, VkDeviceFaultInfoKHR *infos)
{
	struct app *app = &((struct device *)of)->app;

	return app->get_reports(app->device, timeout, count, infos);
}

static VkResult debug_info(void *of, VkDeviceFaultDebugInfoKHR *info)
{
	struct app *app = &((struct device *)of)->app;

	return app->get_debug_info(app->device, info);
}

const struct conformance_subject conformance_subject = {
	.name = "the Vulkan driver of the software GPU",
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
