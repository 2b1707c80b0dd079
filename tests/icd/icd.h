/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan driver for the GPU in software, drm_fault_sim: as small as a driver
 * can be whose faults a Vulkan application meets. It shows how a driver offers
 * both fault extensions with libdrmfault-vulkan and tells the addresses of its
 * objects. What it runs: fills, copies and updates of buffers, and programs in
 * the GPU's own instructions (VK_NVX_binary_import, see program.c). It makes no
 * images, samplers, pipelines, descriptors, queries or events.
 *
 * Names: icd_Name is the command vkName; a handle is the address of the struct.
 */
#ifndef ICD_H
#define ICD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan_core.h>

#include <drm/drm_fault_sim.h>

#include "drmfault_vulkan.h"
#include "entrypoints.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define ICD_API_VERSION	   VK_MAKE_API_VERSION(0, 1, 1, 0)
#define ICD_DRIVER_VERSION VK_MAKE_API_VERSION(0, 0, 1, 0)
#define ICD_DEVICE_ID	   0x51
#define ICD_MAX_GPUS	   8
#define ICD_PAGE	   DRM_FAULT_SIM_PAGE_SIZE
#define ICD_QUEUES	   DRM_FAULT_SIM_RINGS

#define ICD_DECLARE(level, extension, name) __typeof__(*(PFN_vk##name)NULL) icd_##name;
ICD_COMMANDS(ICD_DECLARE)
#undef ICD_DECLARE

/* The struct of a handle, of both kinds. */
#define ICD_OBJECT(name, handle) ((struct icd_##name *)(uintptr_t)(handle))
#define ICD_HANDLE(type, object) ((type)(uintptr_t)(object))

/* What all objects begin with. The loader has the first word of those it dispatches on. */
struct icd_object {
	VK_LOADER_DATA loader;
	VkObjectType type;
	char *name;
};

extern const VkAllocationCallbacks icd_default_alloc;

void *icd_alloc(const VkAllocationCallbacks *alloc, size_t size, VkSystemAllocationScope scope);
void icd_free(const VkAllocationCallbacks *alloc, void *memory);
void *icd_object_create(const VkAllocationCallbacks *alloc, size_t size, VkObjectType type);
void icd_object_destroy(const VkAllocationCallbacks *alloc, void *object);

/* The extensions, as bits of what an instance or device has enabled. */
enum icd_extension {
	ICD_CORE = 0,
	ICD_DEBUG_UTILS = 1 << 0,
	ICD_FAULT_EXT = 1 << 1,
	ICD_FAULT_KHR = 1 << 2,
	ICD_BINDING_REPORT = 1 << 3,
	ICD_BUFFER_ADDRESS = 1 << 4,
	ICD_BINARY_IMPORT = 1 << 5,
	ICD_PROPERTIES2 = 1 << 6,
	ICD_OF_INSTANCES = ICD_DEBUG_UTILS | ICD_PROPERTIES2,
};

struct icd_extension_entry {
	enum icd_extension bit;
	VkExtensionProperties properties;
};

VkResult icd_extensions_list(const struct icd_extension_entry *entries, size_t entry_count,
			     uint32_t offered, uint32_t *count, VkExtensionProperties *properties);
VkResult icd_extensions_enable(const struct icd_extension_entry *entries, size_t entry_count,
			       uint32_t offered, uint32_t count, const char *const *names,
			       uint32_t *enabled);
/* Less those that the environment names in ICD_WITHOUT, so that tests have less of a driver. */
uint32_t icd_extensions_without(const struct icd_extension_entry *entries, size_t entry_count,
				uint32_t offered);
PFN_vkVoidFunction icd_command_of_instance(uint32_t enabled, bool instance, const char *name);
PFN_vkVoidFunction icd_command_of_device(uint32_t enabled, const char *name);
PFN_vkVoidFunction icd_command_of_physical_device(const char *name);

struct icd_messenger {
	struct icd_object object;
	struct icd_messenger *next;
	VkDebugUtilsMessengerCreateInfoEXT info;
};

struct icd_physical_device {
	struct icd_object object;
	struct icd_instance *instance;
	char node[64];
	int fd;
	struct drm_fault_sim_info info;
	uint32_t extensions;
	int fault_support;
};

struct icd_instance {
	struct icd_object object;
	VkAllocationCallbacks alloc;
	uint32_t extensions;
	VkApplicationInfo application;
	pthread_mutex_t messenger_lock;
	struct icd_messenger *messengers;
	uint32_t gpu_count;
	struct icd_physical_device gpus[ICD_MAX_GPUS];
};

/* Those of all that this kernel and the environment allow. */
uint32_t icd_device_extensions(struct icd_physical_device *gpu);
uint32_t icd_find_gpus(struct icd_instance *instance);
void icd_close_gpus(struct icd_instance *instance);
void icd_pipeline_cache_uuid(uint8_t uuid[VK_UUID_SIZE]);

/* Features that are enabled, of those that change what the driver does. */
struct icd_features {
	bool robust_access;
	bool binding_report;
	bool fault_ext, fault_khr;
	bool vendor_binary;
	bool report_masked, lost_on_masked;
};

VkResult icd_features_enable(struct icd_physical_device *gpu, const VkDeviceCreateInfo *info,
			     struct icd_features *enabled);

/* A piece of GPU memory: an object of the kernel's, mapped on both sides. */
struct icd_bo {
	struct icd_bo *next;
	uint32_t handle;
	uint64_t size;
	uint64_t address;
	void *cpu;
};

/* Where in the GPU's address space: programs below, data in the upper half. */
enum icd_zone {
	ICD_ZONE_CODE,
	ICD_ZONE_DATA,
	ICD_ZONES,
};

struct icd_queue {
	struct icd_object object;
	struct icd_device *device;
	uint32_t ring;
	uint32_t done;
};

struct icd_device {
	struct icd_object object;
	VkAllocationCallbacks alloc;
	struct icd_physical_device *gpu;
	int fd;
	uint32_t extensions;
	struct icd_features features;
	atomic_bool lost;
	pthread_mutex_t space_lock;
	struct icd_bo *space[ICD_ZONES];
	struct icd_bo idle;
	struct icd_queue queues[ICD_QUEUES];
	struct drmfault_vk_device *fault;
};

int icd_ioctl(int fd, unsigned long request, void *args);
VkResult icd_bo_create(struct icd_device *device, uint64_t size, enum icd_zone zone,
		       struct icd_bo *bo);
void icd_bo_destroy(struct icd_device *device, struct icd_bo *bo);
/* The address as the CPU and Vulkan have it. */
uint64_t icd_canonical(uint64_t address);

VkResult icd_queues_open(struct icd_device *device);
void icd_queues_close(struct icd_device *device);
VkResult icd_sync_result(struct icd_device *device, uint32_t syncobj);
uint64_t icd_deadline(uint64_t timeout_ns);

/* Ends the device's life: every later command that can says so. */
VkResult icd_device_lose(struct icd_device *device, const char *reason);

/* Which of the fault extensions this kernel allows. */
uint32_t icd_fault_offered(struct icd_physical_device *gpu);
void icd_fault_features_ext(struct icd_physical_device *gpu,
			    VkPhysicalDeviceFaultFeaturesEXT *features);
void icd_fault_features_khr(struct icd_physical_device *gpu,
			    VkPhysicalDeviceFaultFeaturesKHR *features);
void icd_fault_properties(struct icd_physical_device *gpu,
			  VkPhysicalDeviceFaultPropertiesKHR *properties);
VkResult icd_fault_open(struct icd_device *device);
void icd_fault_close(struct icd_device *device);

/* An object has got, or gives back, this range of addresses. */
void icd_report_binding(struct icd_device *device, const struct icd_object *object,
			uint64_t address, uint64_t size, VkDeviceAddressBindingTypeEXT type,
			VkDeviceAddressBindingFlagsEXT flags);

struct icd_memory {
	struct icd_object object;
	struct icd_bo bo;
	uint64_t size;
};

struct icd_buffer {
	struct icd_object object;
	uint64_t size;
	uint64_t address;
};

struct icd_fence {
	struct icd_object object;
	uint32_t syncobj;
};

struct icd_semaphore {
	struct icd_object object;
	uint32_t syncobj;
};

struct icd_module {
	struct icd_object object;
	struct icd_bo bo;
};

struct icd_function {
	struct icd_object object;
	uint64_t entry;
};

struct icd_command_pool {
	struct icd_object object;
	struct icd_command_buffer *buffers;
};

/* Words of a command buffer that lie in one piece. */
struct icd_chunk {
	struct icd_chunk *next;
	struct icd_bo bo;
};

/*
 * A command buffer is one or more programs, since a program of the application
 * ends the job that it is in.
 */
struct icd_command_buffer {
	struct icd_object object;
	struct icd_device *device;
	struct icd_command_pool *pool;
	struct icd_command_buffer *next;
	struct icd_chunk *chunks;
	size_t used;
	uint64_t *starts;
	size_t start_count, start_room;
	VkResult result;
};

VkResult icd_record_open(struct icd_command_buffer *cmd);
void icd_record_close(struct icd_command_buffer *cmd);
void icd_record_reset(struct icd_command_buffer *cmd);
/* Puts words at the end; where that fails, the end of recording tells. */
void icd_record(struct icd_command_buffer *cmd, const uint64_t *words, size_t count);
/* Where the words would lie that are recorded next, so many at least. */
uint64_t icd_record_at(struct icd_command_buffer *cmd, size_t count);
/* What comes next is a program of its own, at @start or, 0, at what is recorded next. */
void icd_record_program(struct icd_command_buffer *cmd, uint64_t start);

#endif /* ICD_H */
