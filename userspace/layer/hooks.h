/* SPDX-License-Identifier: MIT */
/* The functions that stand before the driver's: layer_vkX() for vkX(). */
#ifndef DRMFAULT_LAYER_HOOKS_H
#define DRMFAULT_LAYER_HOOKS_H

#include "layer.h"

/* The type that a PFN_ points to, so that a declaration cannot differ from Vulkan's. */
#define HOOK(name) extern VKAPI_ATTR __typeof__(*(PFN_##name)0) VKAPI_CALL layer_##name;

HOOK(vkGetInstanceProcAddr)
HOOK(vkGetDeviceProcAddr)
DEVICE_CALLS(HOOK)

#define LOST(name, parameters, arguments, handle) HOOK(name)
#include "lost-commands.h"
#undef LOST

#endif /* DRMFAULT_LAYER_HOOKS_H */
