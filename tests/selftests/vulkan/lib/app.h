/* SPDX-License-Identifier: MIT */
/*
 * A Vulkan application, as small as the tests need: a device of the software
 * GPU through the loader, buffers with addresses, programs that it runs, and a
 * log of what its messenger was told. Functions fail the test where the driver
 * does what Vulkan does not allow.
 */
#ifndef VULKAN_APP_H
#define VULKAN_APP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <vulkan/vulkan_core.h>

#include <drm/drm_fault_sim.h>

#include "drmfault_vulkan_khr.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define APP_QUEUES	 2
#define APP_MAX_BINDINGS 512
#define APP_MAX_MESSAGES 64
#define APP_NAME	 "vulkan selftest"
#define APP_ENGINE	 "drm_fault"
/* For a job of a few instructions, on a slow machine. */
#define APP_LIMIT_NS 60000000000ULL

/* Extensions and features that a device is made with. */
enum app_with {
	APP_PLAIN = 0,
	APP_EXT = 1 << 0,
	APP_KHR = 1 << 1,
	APP_BINARY = 1 << 2,
	APP_REPORT_MASKED = 1 << 3,
	APP_LOST_ON_MASKED = 1 << 4,
	APP_ROBUST = 1 << 5,
	APP_BINDINGS = 1 << 6,
	APP_BOTH = APP_EXT | APP_KHR | APP_BINARY | APP_BINDINGS,
};

/* One message about a range of addresses. */
struct app_binding {
	VkDeviceAddressBindingTypeEXT type;
	VkDeviceAddressBindingFlagsEXT flags;
	uint64_t address, size;
	VkObjectType object_type;
	uint64_t object;
	char name[32];
	/* All else about it is as the extension says. */
	bool sound;
};

struct app {
	VkInstance instance;
	VkDebugUtilsMessengerEXT messenger, binding_messenger;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queues[APP_QUEUES];
	VkCommandPool pools[APP_QUEUES];
	PFN_vkGetBufferDeviceAddressKHR get_address;
	PFN_vkSetDebugUtilsObjectNameEXT set_name;
	PFN_vkCreateCuModuleNVX create_module;
	PFN_vkDestroyCuModuleNVX destroy_module;
	PFN_vkCreateCuFunctionNVX create_function;
	PFN_vkDestroyCuFunctionNVX destroy_function;
	PFN_vkCmdCuLaunchKernelNVX launch;
	PFN_vkGetDeviceFaultInfoEXT get_info;
	PFN_vkGetDeviceFaultReportsKHR get_reports;
	PFN_vkGetDeviceFaultDebugInfoKHR get_debug_info;
};

/* What all messengers were told since app_forget(): the newest at the end. */
struct app_log {
	struct app_binding bindings[APP_MAX_BINDINGS];
	size_t binding_count;
	char messages[APP_MAX_MESSAGES][128];
	size_t message_count;
};

extern struct app_log app_log;
void app_log_open(struct app *app);
void app_log_close(struct app *app);
extern const VkApplicationInfo app_application;
/* The validation layer is on. */
bool app_is_validated(void);

void app_instance_open(struct app *app);
void app_instance_close(struct app *app);
VkResult app_try_device(struct app *app, unsigned int with);
/* A device with queues; of a copy of an app, another one of the same instance. */
void app_device_open(struct app *app, unsigned int with);
void app_device_close(struct app *app);
/* All of it. */
void app_open(struct app *app, unsigned int with);
void app_close(struct app *app);
bool app_offers(struct app *app, const char *extension);

VkDeviceMemory app_allocate(struct app *app, uint64_t size);
/* Of this usage, and with an address. */
VkBuffer app_make_buffer(struct app *app, uint64_t size, VkBufferUsageFlags usage);
/* The validation layer wants to be asked before a buffer is bound: it is here. */
void app_bind(struct app *app, VkBuffer buffer, VkDeviceMemory memory, uint64_t offset);
uint64_t app_address_of(struct app *app, VkBuffer buffer);

struct app_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint64_t size;
	uint64_t address;
	void *cpu;
};

/* The buffer ends where its memory does. */
void app_buffer_create(struct app *app, uint64_t size, struct app_buffer *buffer);
void app_buffer_destroy(struct app *app, struct app_buffer *buffer);

/* A program, up to 15 parameters of 64 bits in its registers. */
struct app_program {
	VkCuModuleNVX module;
	VkCuFunctionNVX function;
	/* Where it lies, as its messenger was told; 0 without APP_BINDINGS. */
	uint64_t address;
};

void app_program_create(struct app *app, const uint64_t *words, size_t count,
			struct app_program *program);
void app_program_destroy(struct app *app, struct app_program *program);
void app_launch(struct app *app, VkCommandBuffer cmd, const struct app_program *program,
		const uint64_t *params, size_t count);

VkCommandBuffer app_begin(struct app *app, unsigned int queue);
void app_end(VkCommandBuffer cmd);
/* Submits, and waits with a fence: what the first of the two said that failed. */
VkResult app_submit(struct app *app, unsigned int queue, VkCommandBuffer cmd);
/* One program, launched and waited for, with two parameters. */
VkResult app_run(struct app *app, const uint64_t *words, size_t count, uint64_t first,
		 uint64_t second, uint64_t *address);

const struct app_binding *app_last_binding(VkObjectType type);
/* How many of this kind were bound; the last of them, or NULL. */
size_t app_bound(VkObjectType type, const struct app_binding **last);
/* After the device is gone: all that was bound is unbound, all that is unbound was bound. */
bool app_bindings_paired(void);

#endif /* VULKAN_APP_H */
