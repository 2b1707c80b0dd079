// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "facts.h"

#define DUMP_PREFIX   "devcd"
#define DUMP_NAME_MAX 32
#define OURS	      "drm_fault_dump."
#define UEVENT_MAX    4096
#define PCI_DISPLAY   0x03
#define PCI_ID_WIDTH  16

/*
 * Drivers whose devices are GPUs, or parts of one, also where the DRM device is that
 * of another: on ARM the GPU, its display and the card are devices of their own.
 */
static const char *const gpu_drivers[] = {
	"adreno",  "amdgpu",	"etnaviv",  "etnaviv-gpu", "i915",     "lima",
	"msm",	   "msm_dpu",	"msm_mdss", "nouveau",	   "panfrost", "panthor",
	"powervr", "tegra-vic", "v3d",	    "vc4-drm",	   "xe",
};

bool device_is_dump(const char *name)
{
	const char *number = name + strlen(DUMP_PREFIX);

	return !strncmp(name, DUMP_PREFIX, strlen(DUMP_PREFIX)) && *number &&
	       strlen(name) < DUMP_NAME_MAX && number[strspn(number, "0123456789")] == '\0';
}

/* The lines KEY=VALUE of a device's uevent. */
static void add_uevent(const char *device, json_t *uevent)
{
	char path[PATH_MAX], text[UEVENT_MAX];
	char *line, *rest = text, *value;

	if (snprintf(path, sizeof(path), "%s/uevent", device) >= (int)sizeof(path) ||
	    facts_read(path, text, sizeof(text)) <= 0)
		return;
	while ((line = strsep(&rest, "\n"))) {
		value = strchr(line, '=');
		if (!value)
			continue;
		*value = '\0';
		facts_set(uevent, line, value + 1);
	}
}

static bool read_in(const char *device, const char *file, char *text, size_t size)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", device, file) < (int)sizeof(path) &&
	       facts_line(path, text, size);
}

static bool name_in(const char *device, const char *link, char *name, size_t size)
{
	char path[PATH_MAX];

	*name = '\0';
	return snprintf(path, sizeof(path), "%s/%s", device, link) < (int)sizeof(path) &&
	       facts_name(path, name, size);
}

/* "1002:744c" of a PCI device. */
static void add_pci_id(const char *device, json_t *meta)
{
	char vendor[PCI_ID_WIDTH], id[PCI_ID_WIDTH], text[2 * PCI_ID_WIDTH];

	if (!read_in(device, "vendor", vendor, sizeof(vendor)) ||
	    !read_in(device, "device", id, sizeof(id)) || strncmp(vendor, "0x", 2) ||
	    strncmp(id, "0x", 2))
		return;
	snprintf(text, sizeof(text), "%s:%s", vendor + 2, id + 2);
	facts_set(meta, "pci_id", text);
}

/* The DRM or accel device that a device has, "card0". */
static bool card_of(const char *device, const char *folder, char *name, size_t size)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir;

	*name = '\0';
	if (snprintf(path, sizeof(path), "%s/%s", device, folder) >= (int)sizeof(path))
		return false;
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' && (!*name || !strncmp(entry->d_name, "card", 4)))
			snprintf(name, size, "%s", entry->d_name);
	if (dir)
		closedir(dir);
	return *name;
}

static bool is_gpu_driver(const char *driver)
{
	size_t i;

	for (i = 0; i < sizeof(gpu_drivers) / sizeof(gpu_drivers[0]); i++)
		if (!strcmp(driver, gpu_drivers[i]))
			return true;
	return false;
}

static bool is_display(const char *device)
{
	char class[PCI_ID_WIDTH];

	return read_in(device, "class", class, sizeof(class)) &&
	       strtoul(class, NULL, 16) >> 16 == PCI_DISPLAY;
}

/* Adds what there is of a device; is it a GPU? */
static bool describe(const char *device, json_t *meta)
{
	char driver[NAME_MAX + 1], subsystem[NAME_MAX + 1], card[NAME_MAX + 1];
	bool has_card;

	name_in(device, "driver", driver, sizeof(driver));
	name_in(device, "subsystem", subsystem, sizeof(subsystem));
	has_card = card_of(device, "drm", card, sizeof(card)) ||
		   card_of(device, "accel", card, sizeof(card));
	facts_set(meta, "driver", driver);
	facts_set(meta, "bus", strrchr(device, '/') + 1);
	facts_set(meta, "subsystem", subsystem);
	facts_set(meta, "gpu", card);
	add_pci_id(device, meta);
	add_uevent(device, json_object_get(meta, "uevent"));
	return has_card || is_gpu_driver(driver) || is_display(device);
}

/* Some drivers' dumps are of the DRM device itself: the hardware is above it. */
static enum device_kind describe_failing(char *device, json_t *meta)
{
	const char *name = strrchr(device, '/') + 1;
	char subsystem[64], path[PATH_MAX];
	char *parent;

	facts_set(meta, "device", name);
	if (!strncmp(name, OURS, strlen(OURS))) {
		device[name - 1 - device] = '\0';
		describe(device, meta);
		/* The dump knows it by drm_fault's own name. */
		json_object_del(meta, "gpu");
		return DEVICE_OURS;
	}
	name_in(device, "subsystem", subsystem, sizeof(subsystem));
	if (strcmp(subsystem, "drm") && strcmp(subsystem, "accel"))
		return describe(device, meta) ? DEVICE_GPU : DEVICE_OTHER;
	parent = snprintf(path, sizeof(path), "%s/device", device) < (int)sizeof(path)
			 ? realpath(path, NULL)
			 : NULL;
	if (parent)
		describe(parent, meta);
	free(parent);
	facts_set(meta, "gpu", name);
	return DEVICE_GPU;
}

/* What the kernel sent when the dump came: of this class it is always the same. */
static void set_uevent(const char *name, json_t *uevent)
{
	char path[64];

	snprintf(path, sizeof(path), "/devices/virtual/devcoredump/%.31s", name);
	facts_set(uevent, "ACTION", "add");
	facts_set(uevent, "DEVPATH", path);
	facts_set(uevent, "SUBSYSTEM", "devcoredump");
}

enum device_kind device_describe(const char *root, const char *name, json_t *meta)
{
	enum device_kind kind = DEVICE_UNKNOWN;
	json_t *uevent = json_object();
	char path[PATH_MAX];
	char *device;

	facts_set(meta, "devcoredump", name);
	if (uevent)
		json_object_set_new(meta, "uevent", uevent);
	if (snprintf(path, sizeof(path), "%s/" DUMPS_FOLDER "/%s/failing_device", root, name) <
	    (int)sizeof(path)) {
		device = realpath(path, NULL);
		if (device)
			kind = describe_failing(device, meta);
		free(device);
	}
	set_uevent(name, uevent);
	return kind;
}
