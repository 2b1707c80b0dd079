// SPDX-License-Identifier: MIT
/* A VkDevice: an open file of the GPU's, so an address space of its own. */
#include <fcntl.h>
#include <unistd.h>

#include "icd.h"

static const struct icd_extension_entry extensions[] = {
	{ ICD_FAULT_EXT, { VK_EXT_DEVICE_FAULT_EXTENSION_NAME, VK_EXT_DEVICE_FAULT_SPEC_VERSION } },
	{ ICD_FAULT_KHR, { VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_KHR_DEVICE_FAULT_SPEC_VERSION } },
	{ ICD_BINDING_REPORT,
	  { VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_EXTENSION_NAME,
	    VK_EXT_DEVICE_ADDRESS_BINDING_REPORT_SPEC_VERSION } },
	{ ICD_BUFFER_ADDRESS,
	  { VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
	    VK_KHR_BUFFER_DEVICE_ADDRESS_SPEC_VERSION } },
	{ ICD_BINARY_IMPORT,
	  { VK_NVX_BINARY_IMPORT_EXTENSION_NAME, VK_NVX_BINARY_IMPORT_SPEC_VERSION } },
};

uint32_t icd_device_extensions(struct icd_physical_device *gpu)
{
	return icd_extensions_without(extensions, ARRAY_SIZE(extensions),
				      icd_fault_offered(gpu) | ICD_BINDING_REPORT |
					      ICD_BUFFER_ADDRESS | ICD_BINARY_IMPORT);
}

VkResult icd_EnumerateDeviceExtensionProperties(VkPhysicalDevice gpu, const char *pLayerName,
						uint32_t *pPropertyCount,
						VkExtensionProperties *pProperties)
{
	if (pLayerName)
		return VK_ERROR_LAYER_NOT_PRESENT;
	return icd_extensions_list(extensions, ARRAY_SIZE(extensions),
				   ICD_OBJECT(physical_device, gpu)->extensions, pPropertyCount,
				   pProperties);
}

VkResult icd_EnumerateDeviceLayerProperties(VkPhysicalDevice gpu, uint32_t *pPropertyCount,
					    VkLayerProperties *pProperties)
{
	(void)gpu;
	(void)pProperties;
	*pPropertyCount = 0;
	return VK_SUCCESS;
}

/* What the driver runs where a submission has nothing to run. */
static VkResult make_idle_program(struct icd_device *device)
{
	VkResult result = icd_bo_create(device, ICD_PAGE, ICD_ZONE_CODE, &device->idle);

	if (result)
		return result;
	*(uint64_t *)device->idle.cpu = DRM_FAULT_SIM_END;
	icd_report_binding(device, &device->object, device->idle.address, device->idle.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT,
			   VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT);
	return VK_SUCCESS;
}

static void destroy(struct icd_device *device, const VkAllocationCallbacks *alloc)
{
	if (device->idle.cpu) {
		icd_report_binding(device, &device->object, device->idle.address, device->idle.size,
				   VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT,
				   VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT);
		icd_bo_destroy(device, &device->idle);
	}
	icd_fault_close(device);
	icd_queues_close(device);
	if (device->fd >= 0)
		close(device->fd);
	pthread_mutex_destroy(&device->space_lock);
	icd_object_destroy(alloc, device);
}

static VkResult open_device(struct icd_device *device)
{
	VkResult result;

	device->fd = open(device->gpu->node, O_RDWR | O_CLOEXEC);
	if (device->fd < 0)
		return VK_ERROR_INITIALIZATION_FAILED;
	result = icd_fault_open(device);
	if (!result)
		result = icd_queues_open(device);
	if (!result)
		result = make_idle_program(device);
	return result;
}

VkResult icd_CreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo *pCreateInfo,
			  const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
	struct icd_physical_device *gpu = ICD_OBJECT(physical_device, handle);
	VkAllocationCallbacks alloc = pAllocator ? *pAllocator : gpu->instance->alloc;
	struct icd_features features;
	struct icd_device *device;
	uint32_t enabled;
	VkResult result;

	result = icd_extensions_enable(extensions, ARRAY_SIZE(extensions), gpu->extensions,
				       pCreateInfo->enabledExtensionCount,
				       pCreateInfo->ppEnabledExtensionNames, &enabled);
	if (!result)
		result = icd_features_enable(gpu, pCreateInfo, &features);
	if (result)
		return result;
	device = icd_object_create(&alloc, sizeof(*device), VK_OBJECT_TYPE_DEVICE);
	if (!device)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	device->alloc = alloc;
	device->gpu = gpu;
	device->features = features;
	device->extensions = enabled | (gpu->instance->extensions & ICD_DEBUG_UTILS);
	/* The conformance tests enable the feature alone, and call the command. */
	if (features.fault_ext)
		device->extensions |= ICD_FAULT_EXT;
	pthread_mutex_init(&device->space_lock, NULL);
	result = open_device(device);
	if (result) {
		destroy(device, &alloc);
		return result;
	}
	*pDevice = (VkDevice)device;
	return VK_SUCCESS;
}

void icd_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *pAllocator)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	VkAllocationCallbacks alloc;

	if (!device)
		return;
	alloc = pAllocator ? *pAllocator : device->alloc;
	destroy(device, &alloc);
}

void icd_GetDeviceQueue(VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex,
			VkQueue *pQueue)
{
	(void)queueIndex; /* a family has one */
	*pQueue = (VkQueue)&ICD_OBJECT(device, device)->queues[queueFamilyIndex];
}

void icd_GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
	icd_GetDeviceQueue(device, pQueueInfo->queueFamilyIndex, pQueueInfo->queueIndex, pQueue);
}

/* A group is one device. */
void icd_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heapIndex,
					  uint32_t localDeviceIndex, uint32_t remoteDeviceIndex,
					  VkPeerMemoryFeatureFlags *pFeatures)
{
	(void)device;
	(void)heapIndex;
	(void)localDeviceIndex;
	(void)remoteDeviceIndex;
	*pFeatures = 0;
}
