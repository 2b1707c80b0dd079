/* SPDX-License-Identifier: MIT */
/* What Vulkan calls the types of its objects, for those who know no Vulkan. */
#ifndef DRMFAULT_OBJECT_TYPE_H
#define DRMFAULT_OBJECT_TYPE_H

#include <inttypes.h>
#include <stdint.h>

#include "drmfault_verdict.h"

#define OBJECT_TYPE_SIZE 32

/* All of them, for verdicts. */
extern const struct drmfault_object_type object_types[];
extern const size_t object_type_count;

/* "VkBuffer" for 9; NULL for what has no name here. */
const char *object_type_name(uint32_t type);
/* The same, or "object of type 77" in @text. */
const char *object_type_text(uint32_t type, char text[OBJECT_TYPE_SIZE]);

#endif /* DRMFAULT_OBJECT_TYPE_H */
