// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cards.h"

/* The last part of what a path, through links, is. */
static void target_name(const char *path, char *name, size_t size)
{
	char *target = realpath(path, NULL);

	snprintf(name, size, "%s", target ? strrchr(target, '/') + 1 : "");
	free(target);
}

static bool has_render_node(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (folder && (entry = readdir(folder)))
		found |= !strncmp(entry->d_name, "renderD", 7);
	if (folder)
		closedir(folder);
	return found;
}

static bool parse_card(const char *name, uint32_t *minor)
{
	char rest;

	/* Connectors have longer names. */
	return sscanf(name, "card%u%c", minor, &rest) == 1;
}

static int is_card(const struct dirent *entry)
{
	uint32_t minor;

	return parse_card(entry->d_name, &minor);
}

static void read_card(const char *sys, const char *name, struct card *card)
{
	char path[PATH_MAX];

	memset(card, 0, sizeof(*card));
	parse_card(name, &card->minor);
	snprintf(path, sizeof(path), "%s/%s/%s/device", sys, CARDS_FOLDER, name);
	target_name(path, card->bus, sizeof(card->bus));
	snprintf(path, sizeof(path), "%s/%s/%s/device/driver", sys, CARDS_FOLDER, name);
	target_name(path, card->driver, sizeof(card->driver));
	snprintf(path, sizeof(path), "%s/%s/%s/device/drm", sys, CARDS_FOLDER, name);
	card->renders = has_render_node(path);
}

int cards_read(const char *sys, struct card **cards)
{
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int i, count;

	*cards = NULL;
	snprintf(path, sizeof(path), "%s/%s", sys, CARDS_FOLDER);
	count = scandir(path, &entries, is_card, versionsort);
	/* Without DRM there is no such folder. */
	if (count < 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	*cards = calloc((size_t)count + 1, sizeof(**cards));
	for (i = 0; i < count; i++) {
		if (*cards)
			read_card(sys, entries[i]->d_name, &(*cards)[i]);
		free(entries[i]);
	}
	free(entries);
	return *cards ? count : -ENOMEM;
}
