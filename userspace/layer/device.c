// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <string.h>

#include "chain.h"
#include "device.h"
#include "faults.h"
#include "hooks.h"
#include "instance.h"
#include "object.h"
#include "owner.h"
#include "watchdog.h"

static VkLayerDeviceCreateInfo *link_of(const VkDeviceCreateInfo *pCreateInfo)
{
	VkLayerDeviceCreateInfo *info = (VkLayerDeviceCreateInfo *)pCreateInfo->pNext;

	while (info && (info->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
			info->function != VK_LAYER_LINK_INFO))
		info = (VkLayerDeviceCreateInfo *)info->pNext;
	return info;
}

/* As in instance.c: the lower one does the work of both. */
static bool is_once_more(const VkLayerDeviceLink *link)
{
	while (link && link->pfnNextGetInstanceProcAddr != layer_vkGetInstanceProcAddr)
		link = link->pNext;
	return link;
}

static VkResult pass_on(const struct instance *instance, VkLayerDeviceCreateInfo *link,
			VkPhysicalDevice gpu, const VkDeviceCreateInfo *pCreateInfo,
			const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
	PFN_vkCreateDevice create =
		(PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
			instance->handle, "vkCreateDevice");

	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	return create(gpu, pCreateInfo, pAllocator, pDevice);
}

static void device_free(struct device *device)
{
	VkAllocationCallbacks copy = device->allocator_copy;
	const VkAllocationCallbacks *allocator = device->allocator ? &copy : NULL;

	faults_free(device->faults);
	objects_free(device->objects);
	drmfault_bindings_free(device->bindings);
	drmfault_vk_device_destroy(device->kernel);
	if (device->owner)
		owner_end(device->owner);
	layer_free(allocator, device->owner);
	pthread_mutex_destroy(&device->report_lock);
	layer_free(allocator, device);
}

/* The crash report wants the binary, whether the application does or not. */
static VkResult listen_to_kernel(struct device *device, const struct device_request *request)
{
	const VkPhysicalDeviceProperties *properties = &device->properties;
	struct drmfault_vk_device_info info = {
		.size = sizeof(info),
		.drm_fd = DRMFAULT_VK_PROCESS,
		.identity = {
			.vendorID = properties->vendorID,
			.deviceID = properties->deviceID,
			.driverVersion = properties->driverVersion,
			.vendor_binary = true,
		},
		.report_masked = request->report_masked,
		.is_foreign = owner_is_foreign,
		.foreign_data = device->owner,
	};

	memcpy(info.identity.pipelineCacheUUID, properties->pipelineCacheUUID, VK_UUID_SIZE);
	if (device->instance->application.sType == VK_STRUCTURE_TYPE_APPLICATION_INFO)
		info.identity.pApplicationInfo = &device->instance->application;
	return drmfault_vk_device_create(&info, device->allocator, &device->kernel);
}

static VkResult device_init(struct device *device, const struct device_request *request)
{
	const struct settings *settings = &device->instance->settings;
	struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = DRMFAULT_ADDRESS_BITS_AUTO,
		.past_count = settings->past_bindings,
	};
	VkResult result;

	device->instance->calls.vkGetPhysicalDeviceProperties(request->gpu.handle,
							      &device->properties);
	device->owner = layer_allocate(request->allocator, sizeof(*device->owner),
				       VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
	if (!device->owner)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = listen_to_kernel(device, request);
	if (result != VK_SUCCESS)
		return result;
	device->faults = faults_new(device);
	device->objects = objects_new();
	if (!device->faults || !device->objects)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (settings->bindings && drmfault_bindings_new(&args, &device->bindings))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	return VK_SUCCESS;
}

static struct device *device_new(struct instance *instance, const struct device_request *request,
				 VkResult *result)
{
	struct device *device = layer_allocate(request->allocator, sizeof(*device),
					       VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);

	*result = VK_ERROR_OUT_OF_HOST_MEMORY;
	if (!device)
		return NULL;
	if (request->allocator) {
		device->allocator_copy = *request->allocator;
		device->allocator = &device->allocator_copy;
	}
	pthread_mutex_init(&device->report_lock, NULL);
	device->instance = instance;
	device->off = instance->off;
	device->gpu = request->gpu;
	device->app_ext = request->app_ext;
	device->app_khr = request->app_khr;
	device->app_vendor_binary = request->vendor_binary;
	device->app_report = request->binding_report;
	*result = device->off ? VK_SUCCESS : device_init(device, request);
	if (*result == VK_SUCCESS)
		return device;
	device_free(device);
	return NULL;
}

/* Bindings of other threads are looked for among all devices of the instance. */
static void device_list(struct device *device)
{
	pthread_mutex_lock(&device->instance->lock);
	device->next = device->instance->first_device;
	device->instance->first_device = device;
	pthread_mutex_unlock(&device->instance->lock);
}

static void device_unlist(struct device *device)
{
	struct device **at = &device->instance->first_device;

	pthread_mutex_lock(&device->instance->lock);
	while (*at && *at != device)
		at = &(*at)->next;
	if (*at)
		*at = device->next;
	pthread_mutex_unlock(&device->instance->lock);
}

/* A driver that does not like what the layer wants gets what the application wants. */
static VkResult create_below(struct device *device, struct device_request *request,
			     VkLayerDeviceCreateInfo *link, VkDevice loader_device)
{
	PFN_vkGetInstanceProcAddr proc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	VkLayerDeviceLink *next = link->u.pLayerInfo->pNext;
	PFN_vkCreateDevice create =
		(PFN_vkCreateDevice)proc(device->instance->handle, "vkCreateDevice");
	VkResult result;

	if (!create)
		return VK_ERROR_INITIALIZATION_FAILED;
	device->calls.vkGetDeviceProcAddr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	link->u.pLayerInfo = next;
	device->handle = loader_device;
	if (device->off)
		return create(request->gpu.handle, request->info, request->allocator,
			      &device->handle);

	result = request_create(request, create, &device->handle);
	if (result != VK_ERROR_FEATURE_NOT_PRESENT && result != VK_ERROR_EXTENSION_NOT_PRESENT)
		return result;
	link->u.pLayerInfo = next;
	device->handle = loader_device;
	request->driver_ext = request->app_ext && request->gpu.ext;
	request->driver_khr = request->app_khr && request->gpu.khr;
	request->driver_report = false;
	return request_create(request, create, &device->handle);
}

static VkResult device_start(struct device *device, const struct device_request *request)
{
	device->driver_ext = request->driver_ext;
	device->driver_khr = request->driver_khr;
	device->driver_report = request->driver_report;
	device_calls_load(&device->calls, device->handle, device->calls.vkGetDeviceProcAddr);
	if (!table_add(&devices, device->handle, device)) {
		device->calls.vkDestroyDevice(device->handle, request->allocator);
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (!device->off)
		watchdog_start(device);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL layer_vkCreateDevice(VkPhysicalDevice gpu,
						    const VkDeviceCreateInfo *pCreateInfo,
						    const VkAllocationCallbacks *pAllocator,
						    VkDevice *pDevice)
{
	struct instance *instance = instance_of(gpu);
	struct device_request request = {
		.info = pCreateInfo,
		.allocator = pAllocator,
		.gpu.handle = gpu,
	};
	VkLayerDeviceCreateInfo *link = link_of(pCreateInfo);
	struct open_files *before;
	struct device *device;
	struct scope scope;
	VkResult result;

	if (!link || !link->u.pLayerInfo)
		return VK_ERROR_INITIALIZATION_FAILED;
	if (is_once_more(link->u.pLayerInfo))
		return pass_on(instance, link, gpu, pCreateInfo, pAllocator, pDevice);
	result = instance->off ? VK_SUCCESS : request_read(&request, instance);
	if (result != VK_SUCCESS)
		return result;
	device = device_new(instance, &request, &result);
	if (!device)
		return result;

	device_list(device);
	before = device->off ? NULL : open_files_read();
	scope_enter(&scope, device, 0);
	result = create_below(device, &request, link, *pDevice);
	scope_leave(&scope);
	if (!device->off)
		owner_begin(device->owner, before);
	if (result == VK_SUCCESS)
		result = device_start(device, &request);
	if (result != VK_SUCCESS) {
		device_unlist(device);
		device_free(device);
		return result;
	}
	*pDevice = device->handle;
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL layer_vkDestroyDevice(VkDevice handle,
						 const VkAllocationCallbacks *pAllocator)
{
	struct device *device = handle ? device_of(handle) : NULL;
	struct scope scope;

	if (!device)
		return;
	watchdog_stop(device);
	table_remove(&devices, handle);
	scope_enter(&scope, device, 0);
	device->calls.vkDestroyDevice(handle, pAllocator);
	scope_leave(&scope);
	device_unlist(device);
	device_free(device);
}

/* An application may not leave any; a thread that watches would go on without its code. */
void devices_end(struct instance *instance)
{
	struct device *device;

	while (!layer_is_off() && (device = instance->first_device)) {
		watchdog_stop(device);
		table_remove(&devices, device->handle);
		device_unlist(device);
		device_free(device);
	}
}
