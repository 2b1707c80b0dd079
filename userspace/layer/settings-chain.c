// SPDX-License-Identifier: MIT
/*
 * VK_EXT_layer_settings, revision 2 (extension 497), whose structures the headers before
 * 2023 lack. Source: the Vulkan registry.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "chain.h"
#include "layer.h"

#ifndef VK_EXT_layer_settings
#define VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT ((VkStructureType)1000496000)

typedef enum VkLayerSettingTypeEXT {
	VK_LAYER_SETTING_TYPE_BOOL32_EXT = 0,
	VK_LAYER_SETTING_TYPE_INT32_EXT = 1,
	VK_LAYER_SETTING_TYPE_INT64_EXT = 2,
	VK_LAYER_SETTING_TYPE_UINT32_EXT = 3,
	VK_LAYER_SETTING_TYPE_UINT64_EXT = 4,
	VK_LAYER_SETTING_TYPE_FLOAT32_EXT = 5,
	VK_LAYER_SETTING_TYPE_FLOAT64_EXT = 6,
	VK_LAYER_SETTING_TYPE_STRING_EXT = 7,
} VkLayerSettingTypeEXT;

typedef struct VkLayerSettingEXT {
	const char *pLayerName;
	const char *pSettingName;
	VkLayerSettingTypeEXT type;
	uint32_t valueCount;
	const void *pValues;
} VkLayerSettingEXT;

typedef struct VkLayerSettingsCreateInfoEXT {
	VkStructureType sType;
	const void *pNext;
	uint32_t settingCount;
	const VkLayerSettingEXT *pSettings;
} VkLayerSettingsCreateInfoEXT;
#endif

static bool print_value(const VkLayerSettingEXT *setting, char *room, size_t size)
{
	const void *value = setting->pValues;
	int length;

	switch ((int)setting->type) {
	case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
		length = snprintf(room, size, "%s", *(const VkBool32 *)value ? "true" : "false");
		break;
	case VK_LAYER_SETTING_TYPE_INT32_EXT:
		length = snprintf(room, size, "%" PRId32, *(const int32_t *)value);
		break;
	case VK_LAYER_SETTING_TYPE_INT64_EXT:
		length = snprintf(room, size, "%" PRId64, *(const int64_t *)value);
		break;
	case VK_LAYER_SETTING_TYPE_UINT32_EXT:
		length = snprintf(room, size, "%" PRIu32, *(const uint32_t *)value);
		break;
	case VK_LAYER_SETTING_TYPE_UINT64_EXT:
		length = snprintf(room, size, "%" PRIu64, *(const uint64_t *)value);
		break;
	case VK_LAYER_SETTING_TYPE_STRING_EXT:
		length = snprintf(room, size, "%s", *(const char *const *)value);
		break;
	default:
		return false;
	}
	return length >= 0;
}

bool settings_chain_value(const void *pNext, const char *name, char *room, size_t size)
{
	const VkLayerSettingsCreateInfoEXT *info =
		chain_find(pNext, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
	const VkLayerSettingEXT *setting;
	uint32_t i;

	for (i = 0; info && i < info->settingCount; i++) {
		setting = &info->pSettings[i];
		if (setting->valueCount == 1 && !strcmp(setting->pLayerName, LAYER_NAME) &&
		    !strcmp(setting->pSettingName, name))
			return print_value(setting, room, size);
	}
	return false;
}
