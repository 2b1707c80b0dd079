// SPDX-License-Identifier: MIT
/* Words for a device of which no fault is known. */
#include <errno.h>

#include "device.h"

static const struct {
	int error;
	const char *text;
} reasons[] = {
	{ 0, "the GPU reported no fault, as when a job only takes too long" },
	{ -ENODEV, "faults were not recorded, the kernel module drm_fault is not loaded" },
	{ -EACCES, "faults were not recorded, this process may not open /dev/drm_fault" },
	{ -EPERM, "faults were not recorded, this process may not open /dev/drm_fault" },
	{ -EOPNOTSUPP,
	  "faults were not recorded, no hook of drm_fault sees those of this GPU's driver" },
};

static const char *reason_of(int error)
{
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].error == error)
			return reasons[i].text;
	return NULL;
}

void describe_loss(struct text *text, const struct drmfault_vk_device *device)
{
	text_add(text, "The device is lost");
	if (!*device->reason)
		return;
	text_add(text, " (");
	text_add_name(text, device->reason);
	text_add(text, ")");
}

void describe_nothing(struct text *text, const struct drmfault_vk_device *device)
{
	const char *reason = reason_of(device->support);

	describe_loss(text, device);
	if (device->missed == -ENODEV)
		text_add(text, "; the GPU's driver is gone, and its records with it");
	else if (device->missed)
		text_add(text, "; records could not be read, %s", drmfault_explain(device->missed));
	else if (reason)
		text_add(text, "; %s", reason);
	else
		text_add(text, "; faults were not recorded, %s", drmfault_explain(device->support));
}
