/* SPDX-License-Identifier: MIT */
#ifndef DEMO_H
#define DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#include <drm/drm_fault_sim.h>

#include "drmfault_vulkan.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define BUFFER_SIZE (2 * DRM_FAULT_SIM_PAGE_SIZE)
/* What the first mistake writes: words before the end of the buffer, and far behind it. */
#define WORDS_WITHIN 4
#define WORDS_BEYOND 16
#define BEYOND	     0x40
#define WORD_WRITTEN 42
/* Where the second reads, and the third goes on. */
#define READ_AT	   0x18
#define EXECUTE_AT 0x100

struct demo_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	void *cpu;
	/* As Vulkan has it. */
	uint64_t address;
};

/* The application: one device with two queues, each for a ring of the GPU. */
struct demo {
	VkInstance instance;
	VkDebugUtilsMessengerEXT messenger;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queues[2];
	VkCommandPool pools[2];
	VkFence fence;
	struct demo_buffer buffer, freed;
	VkCuModuleNVX module;
	VkCuFunctionNVX function;
	/* The last command buffer, and where the driver said that it lies. */
	VkCommandBuffer cmd;
	uint64_t cmd_address, cmd_size;
	PFN_vkSetDebugUtilsObjectNameEXT set_name;
	PFN_vkGetBufferDeviceAddressKHR get_address;
	PFN_vkCreateCuModuleNVX create_module;
	PFN_vkDestroyCuModuleNVX destroy_module;
	PFN_vkCreateCuFunctionNVX create_function;
	PFN_vkDestroyCuFunctionNVX destroy_function;
	PFN_vkCmdCuLaunchKernelNVX launch;
	PFN_vkGetDeviceFaultInfoEXT get_info;
	PFN_vkGetDeviceFaultReportsKHR get_reports;
};

extern const VkApplicationInfo demo_application;

/* Returns what is wrong, or NULL. */
const char *demo_open(struct demo *demo);
void demo_close(struct demo *demo);
bool demo_add_buffer(struct demo *demo, const char *name, uint64_t size,
		     struct demo_buffer *buffer);
void demo_free_buffer(struct demo *demo, struct demo_buffer *buffer);
bool demo_begin(struct demo *demo, uint32_t queue);
/* What vkWaitForFences or a call before it returned. */
VkResult demo_submit(struct demo *demo, uint32_t queue);

/* One that is wrong, and what the record of its fault must say. */
struct demo_mistake {
	const char *title;
	const char *cause;
	/* Commits it: records and submits. The VkResult of it all. */
	VkResult (*commit)(struct demo *demo);
	VkResult result;
	uint64_t precision, count;
	uint32_t queue, access, fault_type, ip_type, flags, engine_class;
	const char *engine;
};

#define MISTAKES 3

extern const struct demo_mistake demo_mistakes[MISTAKES];

/* One of them committed: when, by whom, and at which addresses. */
struct demo_job {
	const struct demo_mistake *mistake;
	uint64_t submitted_ns;
	uint32_t pid;
	char comm[16];
	/* Of the fault; where its instruction must lie. */
	uint64_t address, ip_first, ip_last;
	/* The instruction pointer that the record has. */
	uint64_t ip;
};

uint64_t demo_now(void);

/* Every value is looked at; those that are wrong are told on stderr. */
unsigned int check_count(void);
unsigned int check_failures(void);
bool check_true(bool right, const char *what);
void check_u64(const char *what, uint64_t is, uint64_t should);
void check_string(const char *what, const char *is, const char *should);
/* What the next ones are about. */
void check_begin(const char *of);

void record_show(const struct drmfault_record *record, const struct demo_job *job);
void record_check(const struct drmfault_record *record, const struct demo_job *job);

/* Words up to the edge of the screen, the next line below the first word. */
void show_wrapped(int indent, const char *text);

/* The types of the infos that an access and an instruction pointer become. */
VkDeviceFaultAddressTypeEXT type_of_access(uint32_t access);
VkDeviceFaultAddressTypeEXT type_of_ip(uint32_t ip_type);
void check_address(const VkDeviceFaultAddressInfoEXT *info, VkDeviceFaultAddressTypeEXT type,
		   uint64_t address, uint64_t precision);

/* Writes the vendor binary to @path, NULL: nowhere. */
void ext_show_and_check(struct demo *demo, const struct drmfault_snapshot *snapshot,
			const struct demo_job *jobs, const char *path);
/* The reports that came with a mistake; those of all are shown at the end. */
void khr_take(struct demo *demo, const struct demo_job *job);
void khr_show(void);

#endif /* DEMO_H */
