// SPDX-License-Identifier: MIT
/* Calls that are of interest only when they return VK_ERROR_DEVICE_LOST. */
#include <stdio.h>

#include "crash.h"
#include "hooks.h"

#define LOST(name, parameters, arguments, object)              \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name parameters \
	{                                                      \
		struct device *owner = device_of(object);      \
		VkResult result = owner->calls.name arguments; \
                                                               \
		if (result == VK_ERROR_DEVICE_LOST)            \
			device_is_lost(owner, #name);          \
		return result;                                 \
	}

#include "lost-commands.h"

/* Whoever sees the loss may end the process next, so all wait for the report. */
static void report_loss(struct device *device, const char *reason)
{
	pthread_mutex_lock(&device->report_lock);
	if (!atomic_load(&device->reported)) {
		atomic_store(&device->lost, true);
		drmfault_vk_device_lost(device->kernel, reason);
		crash_report(device, CRASH_LOST, reason);
		atomic_store(&device->reported, true);
	}
	pthread_mutex_unlock(&device->report_lock);
}

static bool is_to_be_reported(struct device *device)
{
	return !device->off && !layer_is_off() && !atomic_load(&device->reported);
}

void device_is_lost(struct device *device, const char *call)
{
	char reason[96];

	if (!is_to_be_reported(device))
		return;
	snprintf(reason, sizeof(reason), "%s returned VK_ERROR_DEVICE_LOST", call);
	report_loss(device, reason);
}

void device_was_asked(struct device *device)
{
	if (atomic_load(&device->lost) && is_to_be_reported(device))
		report_loss(device, "the driver's reports say that it is lost");
}
