/* SPDX-License-Identifier: MIT */
/* The device that a devcoredump is of, as sysfs shows it. */
#ifndef DRMFAULT_DEVICE_H
#define DRMFAULT_DEVICE_H

#include <jansson.h>
#include <stdbool.h>

#define DUMPS_FOLDER "sys/class/devcoredump"

enum device_kind {
	DEVICE_UNKNOWN, /* it has gone */
	DEVICE_OURS,	/* drm_fault's, below the GPU */
	DEVICE_GPU,
	DEVICE_OTHER,
};

/* Is it the name of a devcoredump, "devcd3"? */
bool device_is_dump(const char *name);

/**
 * device_describe - add what sysfs tells of a devcoredump's device
 * @root: where sys is, "" for /
 * @name: the devcoredump, "devcd3"
 * @meta: gets devcoredump, device, driver, bus, subsystem, pci_id, gpu and uevent
 *
 * The dumps of drm_fault are of a device below the GPU: all but device is the GPU's.
 */
enum device_kind device_describe(const char *root, const char *name, json_t *meta);

#endif /* DRMFAULT_DEVICE_H */
