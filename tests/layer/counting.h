/* SPDX-License-Identifier: MIT */
/* Memory of the application, as Vulkan asks for it, counted. */
#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>

#include <vulkan/vulkan.h>

extern const VkAllocationCallbacks counting;
/* Allocations that were not given back. */
size_t counting_allocated(void);

#endif /* COUNTING_H */
