// SPDX-License-Identifier: MIT
/* What the loader asks for: the interface's version, and commands by their names. */
#include <string.h>

#include "icd.h"

/* 5 says that we take instances of any version, 4 asks for physical devices' commands. */
#define LOADER_INTERFACE_VERSION 5
#define LOADER_INTERFACE_MINIMUM 4

#define EXPORT __attribute__((visibility("default")))

enum level {
	LEVEL_GLOBAL,
	LEVEL_INSTANCE,
	LEVEL_PHYSICAL,
	LEVEL_DEVICE,
};

struct command {
	const char *name;
	PFN_vkVoidFunction function;
	enum level level;
	enum icd_extension extension;
};

#define ENTRY_OF(level_, extension_, name_, of)                           \
	{                                                                 \
		.name = "vk" #name_,                                      \
		.function = (PFN_vkVoidFunction)(void (*)(void))icd_##of, \
		.level = LEVEL_##level_,                                  \
		.extension = ICD_##extension_,                            \
	},
#define ENTRY(level, extension, name) ENTRY_OF(level, extension, name, name)

static const struct command commands[] = { ICD_COMMANDS(ENTRY) ICD_ALIASES(ENTRY_OF) };

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* Commands of a device are given to all instances: they may enable them later. */
PFN_vkVoidFunction icd_command_of_instance(uint32_t enabled, bool instance, const char *name)
{
	const struct command *command = find(name);

	if (!command ||
	    (!instance && command->level != LEVEL_GLOBAL && strcmp(name, "vkGetInstanceProcAddr")))
		return NULL;
	if (command->extension & ICD_OF_INSTANCES & ~enabled)
		return NULL;
	return command->function;
}

PFN_vkVoidFunction icd_command_of_device(uint32_t enabled, const char *name)
{
	const struct command *command = find(name);

	if (!command || command->level != LEVEL_DEVICE ||
	    (command->extension && !(enabled & command->extension)))
		return NULL;
	return command->function;
}

PFN_vkVoidFunction icd_command_of_physical_device(const char *name)
{
	const struct command *command = find(name);

	return command && command->level == LEVEL_PHYSICAL ? command->function : NULL;
}

PFN_vkVoidFunction icd_GetInstanceProcAddr(VkInstance handle, const char *name)
{
	struct icd_instance *instance = ICD_OBJECT(instance, handle);

	return icd_command_of_instance(instance ? instance->extensions : 0, instance, name);
}

PFN_vkVoidFunction icd_GetDeviceProcAddr(VkDevice handle, const char *name)
{
	return icd_command_of_device(ICD_OBJECT(device, handle)->extensions, name);
}

/* The three names by which the loader knows a driver. */
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
									  const char *pName);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
										const char *pName);
EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion);

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *pName)
{
	return icd_GetInstanceProcAddr(instance, pName);
}

PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *pName)
{
	(void)instance;
	return icd_command_of_physical_device(pName);
}

VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion)
{
	if (*pVersion < LOADER_INTERFACE_MINIMUM)
		return VK_ERROR_INCOMPATIBLE_DRIVER;
	if (*pVersion > LOADER_INTERFACE_VERSION)
		*pVersion = LOADER_INTERFACE_VERSION;
	return VK_SUCCESS;
}
