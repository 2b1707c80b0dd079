/* SPDX-License-Identifier: MIT */
/*
 * Settings, each from the first of these that has it:
 *
 *	the environment		DRMFAULT_LAYER_REPORT_DIR=/tmp
 *	a settings file		drmfault_device_fault.report_dir = /tmp
 *	the application		VkLayerSettingsCreateInfoEXT
 *
 * The file is vk_layer_settings.txt in the current folder, or the file or folder that
 * VK_LAYER_SETTINGS_PATH names. What a value cannot be is told once, and the default holds.
 */
#ifndef DRMFAULT_LAYER_SETTINGS_H
#define DRMFAULT_LAYER_SETTINGS_H

#include <limits.h>
#include <stdbool.h>

#include <vulkan/vulkan_core.h>

/* When the two extensions are added to a driver that has neither. */
enum settings_provide {
	PROVIDE_ALWAYS,
	/* If the kernel reports faults to this process. */
	PROVIDE_KERNEL,
	/* Never: what a driver has is repaired and reported. */
	PROVIDE_NEVER,
};

struct settings {
	enum settings_provide provide;
	/* Write a crash report when a device is lost. */
	bool report;
	/* Where to, "": the default. */
	char report_dir[PATH_MAX];
	/* The summary: "stderr", "none", or a file that it is added to. */
	char output[PATH_MAX];
	/* Report waits that take longer, milliseconds; 0: do not. */
	uint32_t watchdog_ms;
	bool bindings;
	/* Ended bindings to keep, 0: the library's default. */
	uint32_t past_bindings;
};

/* @pNext: chain of VkInstanceCreateInfo. */
void settings_read(struct settings *settings, const void *pNext);

/* What is in the settings file, to be freed; NULL: there is none. */
char *settings_file_read(void);

/*
 * The value of a setting as text in @room, cut to what fits; false: nothing sets it. In
 * files of their own: the settings file, and the application's structure.
 */
bool settings_file_value(const char *content, const char *name, char *room, size_t size);
bool settings_chain_value(const void *pNext, const char *name, char *room, size_t size);

#endif /* DRMFAULT_LAYER_SETTINGS_H */
