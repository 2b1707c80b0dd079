/* SPDX-License-Identifier: MIT */
/* What the files of the layer share: its instances and devices. */
#ifndef DRMFAULT_LAYER_H
#define DRMFAULT_LAYER_H

#include <pthread.h>
#include <stdatomic.h>

#include "calls.h"
#include "drmfault_bindings.h"
#include "settings.h"
#include "table.h"

#define LAYER_NAME "VK_LAYER_DRMFAULT_device_fault"

/* Of the binding report, as it is in no header before April 2023 under this name. */
#define BINDING_REPORT VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME

struct app_messenger;
struct device;

struct instance {
	VkInstance handle;
	struct instance_calls calls;
	struct settings settings;
	VkAllocationCallbacks allocator_copy;
	const VkAllocationCallbacks *allocator;
	VkApplicationInfo application;
	char *names;
	/* Everything goes straight to the driver. */
	bool off;
	/* The application itself enabled it. */
	bool debug_utils;
	VkDebugUtilsMessengerEXT messenger;
	struct app_messenger *app_messengers;

	pthread_mutex_t lock;
	struct device *first_device;
};

/* What a physical device has, and what this layer says that it has. */
struct gpu {
	VkPhysicalDevice handle;
	/* Extensions of the driver that can be used. */
	bool ext, khr, binding_report;
	VkPhysicalDeviceFaultFeaturesEXT driver_ext;
	VkPhysicalDeviceFaultFeaturesKHR driver_khr;
	/* Extensions that applications see, and their features. */
	bool offers_ext, offers_khr;
	VkPhysicalDeviceFaultFeaturesEXT ext_features;
	VkPhysicalDeviceFaultFeaturesKHR khr_features;
};

struct objects;
struct faults;
struct owner;
struct watchdog;

struct device {
	VkDevice handle;
	struct instance *instance;
	struct device *next;
	struct device_calls calls;
	VkAllocationCallbacks allocator_copy;
	const VkAllocationCallbacks *allocator;
	VkPhysicalDeviceProperties properties;
	struct gpu gpu;

	bool off;
	/* What the application enabled, by name or by feature. */
	bool app_ext, app_khr, app_vendor_binary, app_report;
	/* What is enabled at the driver. */
	bool driver_ext, driver_khr, driver_report;

	struct drmfault_vk_device *kernel;
	struct owner *owner;
	struct drmfault_bindings *bindings;
	struct objects *objects;
	struct faults *faults;
	struct watchdog *watchdog;

	atomic_bool lost;
	/* Of the crash report, which is written once. */
	pthread_mutex_t report_lock;
	atomic_bool reported;
};

/* Is the layer to do nothing in this process? In children of fork(), and with setuid. */
bool layer_is_off(void);

static inline struct instance *instance_of(const void *handle)
{
	return table_find(&instances, handle);
}

static inline struct device *device_of(const void *handle)
{
	return table_find(&devices, handle);
}

/* A call returned VK_ERROR_DEVICE_LOST; @call: its name. */
void device_is_lost(struct device *device, const char *call);
/* The driver was asked for reports, and may have told the loss before any call does. */
void device_was_asked(struct device *device);

#endif /* DRMFAULT_LAYER_H */
