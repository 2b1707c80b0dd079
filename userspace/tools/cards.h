/* SPDX-License-Identifier: MIT */
/* The GPUs of this machine, as DRM shows them in sysfs. */
#ifndef DRMFAULT_CARDS_H
#define DRMFAULT_CARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CARDS_FOLDER "class/drm"

struct card {
	uint32_t minor;
	/* Empty if the kernel does not tell. */
	char driver[64];
	char bus[64];
	/* It can run jobs, and does not only display. */
	bool renders;
};

/* The number of cards, in the order of their minors; -ENOMEM. */
int cards_read(const char *sys, struct card **cards);

#endif /* DRMFAULT_CARDS_H */
