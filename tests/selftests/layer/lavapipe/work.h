/* SPDX-License-Identifier: MIT */
#ifndef LAVAPIPE_WORK_H
#define LAVAPIPE_WORK_H

#include <stdint.h>

#include <vulkan/vulkan_core.h>

/* Ends the program where @result is not VK_SUCCESS. */
void must(VkResult result, const char *what);

/* A device of any driver, with what an application needs to copy. */
struct work {
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
};

struct work_buffer {
	VkBuffer buffer;
	VkDeviceMemory memory;
	void *cpu;
};

void work_begin(struct work *work);
void work_end(struct work *work);
void work_buffer_create(struct work *work, VkDeviceSize size, VkBufferUsageFlags usage,
			struct work_buffer *buffer);
void work_buffer_destroy(struct work *work, struct work_buffer *buffer);

/* Fills, copies and scales buffers and images; what came out, as one number. */
uint64_t work_result(struct work *work);

#endif /* LAVAPIPE_WORK_H */
