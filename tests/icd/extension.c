// SPDX-License-Identifier: MIT
/* Lists of extensions, of the instance and of devices: telling and enabling them. */
#include <stdlib.h>
#include <string.h>

#include "icd.h"

/* @properties is NULL to learn how many there are. */
VkResult icd_extensions_list(const struct icd_extension_entry *entries, size_t entry_count,
			     uint32_t offered, uint32_t *count, VkExtensionProperties *properties)
{
	uint32_t there = 0, room = properties ? *count : 0;
	size_t i;

	for (i = 0; i < entry_count; i++) {
		if (!(offered & entries[i].bit))
			continue;
		if (there < room)
			properties[there] = entries[i].properties;
		there++;
	}
	*count = properties && there > room ? room : there;
	return properties && there > room ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult icd_extensions_enable(const struct icd_extension_entry *entries, size_t entry_count,
			       uint32_t offered, uint32_t count, const char *const *names,
			       uint32_t *enabled)
{
	uint32_t i;
	size_t j;

	*enabled = 0;
	for (i = 0; i < count; i++) {
		for (j = 0; j < entry_count; j++)
			if (offered & entries[j].bit &&
			    !strcmp(entries[j].properties.extensionName, names[i]))
				break;
		if (j == entry_count)
			return VK_ERROR_EXTENSION_NOT_PRESENT;
		*enabled |= entries[j].bit;
	}
	return VK_SUCCESS;
}

uint32_t icd_extensions_without(const struct icd_extension_entry *entries, size_t entry_count,
				uint32_t offered)
{
	const char *without = getenv("ICD_WITHOUT");
	size_t i;

	for (i = 0; without && i < entry_count; i++)
		if (strstr(without, entries[i].properties.extensionName))
			offered &= ~(uint32_t)entries[i].bit;
	return offered;
}
