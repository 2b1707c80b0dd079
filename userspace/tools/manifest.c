// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "manifest.h"

#define LAYER	 "VK_LAYER_DRMFAULT_device_fault"
#define MANIFEST "vulkan/implicit_layer.d/drmfault_device_fault.json"

/* Where the loader looks, in its order. */
static const struct {
	const char *variable; /* lists the folders; where it is not set, */
	const char *in_home;  /* it is this one below HOME, */
	const char *fallback; /* or these */
} places[] = {
	{ "XDG_CONFIG_HOME", ".config", NULL },
	{ "XDG_CONFIG_DIRS", NULL, "/etc/xdg" },
	{ NULL, NULL, "/etc" },
	{ "XDG_DATA_HOME", ".local/share", NULL },
	{ "XDG_DATA_DIRS", NULL, "/usr/local/share:/usr/share" },
};

/* Who names the layer to the loader, or folders in place of its own, knows where it is. */
static bool is_named(void)
{
	const char *layers = getenv("VK_INSTANCE_LAYERS");

	return getenv("VK_IMPLICIT_LAYER_PATH") || getenv("VK_ADD_IMPLICIT_LAYER_PATH") ||
	       (layers && strstr(layers, LAYER));
}

static bool is_in(const char *folders)
{
	char path[PATH_MAX];
	size_t length;

	for (; *folders; folders += length + (folders[length] == ':')) {
		length = strcspn(folders, ":");
		snprintf(path, sizeof(path), "%.*s/" MANIFEST, (int)length, folders);
		if (length && !access(path, R_OK))
			return true;
	}
	return false;
}

bool manifest_is_found(void)
{
	const char *home = getenv("HOME"), *folders;
	char path[PATH_MAX];
	size_t i;

	if (is_named())
		return true;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		folders = places[i].variable ? getenv(places[i].variable) : NULL;
		if (!folders || !*folders)
			folders = places[i].fallback;
		if (!folders && home) {
			snprintf(path, sizeof(path), "%s/%s", home, places[i].in_home);
			folders = path;
		}
		if (folders && is_in(folders))
			return true;
	}
	return false;
}
