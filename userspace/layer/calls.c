// SPDX-License-Identifier: MIT
#include "calls.h"

#define LOAD_INSTANCE(name) calls->name = (PFN_##name)next(instance, #name);
#define LOAD_DEVICE(name)   calls->name = (PFN_##name)next(device, #name);

void instance_calls_load(struct instance_calls *calls, VkInstance instance,
			 PFN_vkGetInstanceProcAddr next)
{
	calls->vkGetInstanceProcAddr = next;
	INSTANCE_CALLS(LOAD_INSTANCE)
}

void device_calls_load(struct device_calls *calls, VkDevice device, PFN_vkGetDeviceProcAddr next)
{
	calls->vkGetDeviceProcAddr = next;
	DEVICE_CALLS(LOAD_DEVICE)
	SIZE_CALLS(LOAD_DEVICE)
#define LOST(name, parameters, arguments, handle) LOAD_DEVICE(name)
#include "lost-commands.h"
#undef LOST
}
