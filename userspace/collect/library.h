/* SPDX-License-Identifier: MIT */
/* The Vulkan driver that a process uses, and the package that it came from. */
#ifndef DRMFAULT_LIBRARY_H
#define DRMFAULT_LIBRARY_H

#include <jansson.h>

/**
 * library_describe - add the Vulkan driver of a process
 * @root: of the file system, "" for /
 * @folder: of the process, below proc
 * @meta: gets vulkan_driver {library, package, version}
 *
 * The package is named where the file that the process has mapped is still the one of
 * that name here: not in a container, and not after an upgrade.
 */
void library_describe(const char *root, const char *folder, json_t *meta);

#endif /* DRMFAULT_LIBRARY_H */
