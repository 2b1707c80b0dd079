/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_MANIFEST_H
#define DRMFAULT_MANIFEST_H

#include <stdbool.h>

/* Whether the environment leads Vulkan's loader to the manifest of the layer. */
bool manifest_is_found(void);

#endif /* DRMFAULT_MANIFEST_H */
