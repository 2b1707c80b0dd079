/* SPDX-License-Identifier: MIT */
/*
 * Devices of Mesa's CPU driver in one process, with the layer and without it, and what
 * benchmarks that compare the two have in common. What goes wrong ends the program.
 */
#ifndef DRMFAULT_BENCH_LAVAPIPE_H
#define DRMFAULT_BENCH_LAVAPIPE_H

#include <stdbool.h>
#include <stddef.h>

#include <vulkan/vulkan.h>

/* Functions as the device gives them: no trampoline of the loader is in the figures. */
#define LAVAPIPE_CALLS(CALL)         \
	CALL(vkAllocateMemory)       \
	CALL(vkFreeMemory)           \
	CALL(vkCreateBuffer)         \
	CALL(vkDestroyBuffer)        \
	CALL(vkBindBufferMemory)     \
	CALL(vkResetCommandPool)     \
	CALL(vkBeginCommandBuffer)   \
	CALL(vkEndCommandBuffer)     \
	CALL(vkCmdPipelineBarrier)   \
	CALL(vkCmdBeginRendering)    \
	CALL(vkCmdEndRendering)      \
	CALL(vkCmdBindPipeline)      \
	CALL(vkCmdBindVertexBuffers) \
	CALL(vkCmdPushConstants)     \
	CALL(vkCmdDraw)              \
	CALL(vkQueueSubmit)          \
	CALL(vkWaitForFences)        \
	CALL(vkResetFences)

#define LAVAPIPE_MEMBER(name) PFN_##name name;

struct lavapipe {
	VkInstance instance;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	LAVAPIPE_CALLS(LAVAPIPE_MEMBER)
};

void lavapipe_open(struct lavapipe *lavapipe, bool with_layer);
void lavapipe_close(struct lavapipe *lavapipe);

void must(VkResult result, const char *what);
void *must_allocate(size_t size);

double now_ns(void);
/* Sorts @values; @part: 0.5 for the median. */
double quantile(double *values, unsigned int count, double part);

#endif /* DRMFAULT_BENCH_LAVAPIPE_H */
