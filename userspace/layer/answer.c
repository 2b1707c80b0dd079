// SPDX-License-Identifier: MIT
/* What is known of the faults of a device, all in one. */
#include <stdlib.h>
#include <string.h>

#include "faults.h"

#define GROW 16u

void answer_clear(struct answer *answer)
{
	free(answer->addresses);
	free(answer->vendors);
	free(answer->binary);
	memset(answer, 0, sizeof(*answer));
}

/* Room for one more in steps of GROW; false: no memory. */
static bool grow(void **array, uint32_t count, size_t size)
{
	void *larger;

	if (count % GROW)
		return true;
	larger = realloc(*array, (count + GROW) * size);
	if (larger)
		*array = larger;
	return larger;
}

static bool is_none(const VkDeviceFaultAddressInfoEXT *info)
{
	return info->addressType == VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT;
}

static bool overlap(const VkDeviceFaultAddressInfoEXT *a, const VkDeviceFaultAddressInfoEXT *b)
{
	uint64_t a_first, a_last, b_first, b_last;

	drmfault_range(drmfault_canonical(a->reportedAddress, DRMFAULT_ADDRESS_BITS_AUTO),
		       a->addressPrecision, &a_first, &a_last);
	drmfault_range(drmfault_canonical(b->reportedAddress, DRMFAULT_ADDRESS_BITS_AUTO),
		       b->addressPrecision, &b_first, &b_last);
	return a_first <= b_last && b_first <= a_last;
}

bool address_is_same(const VkDeviceFaultAddressInfoEXT *known,
		     const VkDeviceFaultAddressInfoEXT *info)
{
	return overlap(known, info) && (known->addressType == info->addressType || is_none(known));
}

bool address_is_equal(const VkDeviceFaultAddressInfoEXT *known,
		      const VkDeviceFaultAddressInfoEXT *info)
{
	return address_is_same(known, info) &&
	       drmfault_canonical(known->reportedAddress, DRMFAULT_ADDRESS_BITS_AUTO) ==
		       drmfault_canonical(info->reportedAddress, DRMFAULT_ADDRESS_BITS_AUTO);
}

bool address_is_instruction(const VkDeviceFaultAddressInfoEXT *info)
{
	return info->addressType >= VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT;
}

static bool append_address(struct answer *answer, const VkDeviceFaultAddressInfoEXT *info)
{
	if (!grow((void **)&answer->addresses, answer->address_count, sizeof(*info)))
		return false;
	answer->addresses[answer->address_count++] = *info;
	return true;
}

/* Is it among the first ones? One without a type gets this one's, until it is told. */
static bool find_address(struct answer *answer, uint32_t among, address_match match,
			 const VkDeviceFaultAddressInfoEXT *info)
{
	VkDeviceFaultAddressInfoEXT *known;
	uint32_t i;

	for (i = 0; i < among; i++) {
		known = &answer->addresses[i];
		if (!match(known, info))
			continue;
		if (!answer->told)
			known->addressType = info->addressType;
		return true;
	}
	return false;
}

bool answer_add_address(struct answer *answer, const VkDeviceFaultAddressInfoEXT *info)
{
	return find_address(answer, answer->driver_address_count, address_is_same, info) ||
	       append_address(answer, info);
}

bool answer_merge_address(struct answer *answer, const VkDeviceFaultAddressInfoEXT *info)
{
	return find_address(answer, answer->address_count,
			    answer->told ? address_is_same : address_is_equal, info) ||
	       append_address(answer, info);
}

/* Codes say what happened, and descriptions where. */
bool vendor_is_same(const VkDeviceFaultVendorInfoEXT *a, const VkDeviceFaultVendorInfoEXT *b)
{
	return a->vendorFaultCode == b->vendorFaultCode &&
	       a->vendorFaultData == b->vendorFaultData && !strcmp(a->description, b->description);
}

static bool add_vendor(struct answer *answer, uint32_t among,
		       const VkDeviceFaultVendorInfoEXT *info)
{
	uint32_t i;

	for (i = 0; i < among; i++)
		if (vendor_is_same(&answer->vendors[i], info))
			return true;
	if (!grow((void **)&answer->vendors, answer->vendor_count, sizeof(*info)))
		return false;
	answer->vendors[answer->vendor_count++] = *info;
	return true;
}

bool answer_add_vendor(struct answer *answer, const VkDeviceFaultVendorInfoEXT *info)
{
	return add_vendor(answer, answer->driver_vendor_count, info);
}

bool answer_merge_vendor(struct answer *answer, const VkDeviceFaultVendorInfoEXT *info)
{
	return add_vendor(answer, answer->vendor_count, info);
}

size_t character_length(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	static const struct {
		unsigned char mask, mark;
		uint32_t least;
	} forms[] = { { 0x80, 0x00, 0 },
		      { 0xe0, 0xc0, 0x80 },
		      { 0xf0, 0xe0, 0x800 },
		      { 0xf8, 0xf0, 0x10000 } };
	uint32_t code;
	size_t i, j;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if ((text[0] & forms[i].mask) != forms[i].mark)
			continue;
		code = text[0] & (unsigned char)~forms[i].mask;
		for (j = 1; j <= i; j++) {
			if ((text[j] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[j] & 0x3f);
		}
		if (code < forms[i].least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
			return 0;
		return i + 1;
	}
	return 0;
}

void description_repair(char description[VK_MAX_DESCRIPTION_SIZE])
{
	const char *at = description;
	size_t length = 1;

	if (memchr(description, 0, VK_MAX_DESCRIPTION_SIZE))
		while (*at && (length = character_length(at)))
			at += length;
	else
		length = 0;
	if (!length)
		description[0] = 0;
}

void precision_repair(VkDeviceFaultAddressInfoEXT *info)
{
	uint64_t precision = info->addressPrecision;

	if (!precision || precision & (precision - 1))
		info->addressPrecision = 1;
}

void description_add(char description[VK_MAX_DESCRIPTION_SIZE], const char *words)
{
	size_t used = strlen(description), length;

	if (!*words)
		return;
	if (used && used + 2 < VK_MAX_DESCRIPTION_SIZE) {
		memcpy(description + used, "; ", 2);
		used += 2;
	}
	while (*words && (length = character_length(words)) &&
	       used + length < VK_MAX_DESCRIPTION_SIZE) {
		memcpy(description + used, words, length);
		used += length;
		words += length;
	}
	description[used] = 0;
}

static bool kernel_room(const VkDeviceFaultCountsEXT *counts, VkDeviceFaultInfoEXT *info)
{
	info->pAddressInfos = calloc(counts->addressInfoCount + 1, sizeof(*info->pAddressInfos));
	info->pVendorInfos = calloc(counts->vendorInfoCount + 1, sizeof(*info->pVendorInfos));
	info->pVendorBinaryData = calloc(1, counts->vendorBinarySize + 1);
	return info->pAddressInfos && info->pVendorInfos && info->pVendorBinaryData;
}

void kernel_answer(struct faults *faults, struct answer *answer)
{
	struct drmfault_vk_device *kernel = faults->device->kernel;
	VkDeviceFaultInfoEXT info = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT };
	VkDeviceFaultCountsEXT counts = { .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT };
	uint32_t i;

	if (drmfault_vk_device_get_fault_info_ext(kernel, &counts, NULL) >= 0 &&
	    kernel_room(&counts, &info) &&
	    drmfault_vk_device_get_fault_info_ext(kernel, &counts, &info) >= 0) {
		for (i = 0; i < counts.addressInfoCount; i++)
			answer_add_address(answer, &info.pAddressInfos[i]);
		for (i = 0; i < counts.vendorInfoCount; i++)
			answer_add_vendor(answer, &info.pVendorInfos[i]);
		if (strcmp(answer->description, info.description))
			description_add(answer->description, info.description);
		if (!answer->binary && counts.vendorBinarySize) {
			answer->binary = info.pVendorBinaryData;
			answer->binary_size = counts.vendorBinarySize;
			info.pVendorBinaryData = NULL;
		}
	}
	free(info.pAddressInfos);
	free(info.pVendorInfos);
	free(info.pVendorBinaryData);
}
