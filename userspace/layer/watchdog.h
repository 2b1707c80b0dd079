/* SPDX-License-Identifier: MIT */
/* What the application waits for longer than the setting watchdog_ms allows. */
#ifndef DRMFAULT_LAYER_WATCHDOG_H
#define DRMFAULT_LAYER_WATCHDOG_H

#include "layer.h"

/* Only if the setting is on; without a thread for it there is no watchdog. */
void watchdog_start(struct device *device);
void watchdog_stop(struct device *device);

/* ---- Of those that ask instead of waiting: see pending.h ---- */

void watchdog_submit(struct device *device, VkObjectType type, uint64_t handle, uint64_t value);
void watchdog_see(struct device *device, const char *call, VkObjectType type, uint64_t handle,
		  uint64_t value);
void watchdog_forget(struct device *device, VkObjectType type, uint64_t handle);

/* A wait for these has returned @result. */
void polled_fences(struct device *device, const char *call, uint32_t count, const VkFence *fences,
		   VkResult result);
void polled_semaphores(struct device *device, const char *call, const VkSemaphoreWaitInfo *info,
		       VkResult result);

#endif /* DRMFAULT_LAYER_WATCHDOG_H */
