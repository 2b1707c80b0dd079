/* SPDX-License-Identifier: MIT */
/*
 * Fences and timeline semaphores that the application submitted, as far as they are not
 * known to be done. One user at a time.
 */
#ifndef DRMFAULT_LAYER_PENDING_H
#define DRMFAULT_LAYER_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

struct pending;

struct pending *pending_new(void);
void pending_free(struct pending *pending);

/* A submission will bring it to @value: 1 of a fence. Without memory for it nothing is known. */
void pending_submit(struct pending *pending, VkObjectType type, uint64_t handle, uint64_t value,
		    uint64_t now_ns);
/* It was found at @value. Returns for how long it has been there with more to come, or 0. */
uint64_t pending_see(struct pending *pending, VkObjectType type, uint64_t handle, uint64_t value,
		     uint64_t now_ns);
/* It was reset, or destroyed. */
void pending_forget(struct pending *pending, VkObjectType type, uint64_t handle);

#endif /* DRMFAULT_LAYER_PENDING_H */
