// SPDX-License-Identifier: MIT
/* Questions with guards around them, and what answers must look like. */
#include <time.h>

#include "conformance.h"

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

bool is_within(const VkDeviceFaultAddressInfoKHR *info, uint64_t address)
{
	uint64_t mask = info->addressPrecision - 1;

	return (info->reportedAddress & ~mask) <= address &&
	       address <= (info->reportedAddress | mask);
}

/* Bytes of the character, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	uint32_t value = length < 2 ? s[0] : s[0] & (0x7fu >> length);
	size_t i;

	for (i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3f);
	}
	if (length &&
	    (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)))
		return 0;
	return length;
}

/* UTF-8 with an end, and something in it. */
bool is_text(const char *text, size_t size)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t length;

	if (!*s || !memchr(text, '\0', size))
		return false;
	for (; *s; s += length) {
		length = utf8_length(s);
		if (!length)
			return false;
	}
	return true;
}

VkDeviceFaultCountsEXT conformance_counts(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts = fault_answer_counts();

	CHECK(c, c->subject->fault_info(c->device, &counts, NULL) == VK_SUCCESS);
	CHECK(c, counts.addressInfoCount <= MAX_INFOS && counts.vendorInfoCount <= MAX_INFOS &&
			 counts.vendorBinarySize <= MAX_BINARY);
	return counts;
}

void conformance_ask(struct conformance *c, uint32_t addresses, uint32_t vendors,
		     VkDeviceSize binary, struct fault_answer *answer)
{
	fault_answer_prepare(answer, addresses, vendors, binary);
	answer->result = c->subject->fault_info(c->device, &answer->counts, &answer->info);
	CHECK(c, answer->result == VK_SUCCESS || answer->result == VK_INCOMPLETE);
	CHECK(c, answer->counts.addressInfoCount <= addresses);
	CHECK(c, answer->counts.vendorInfoCount <= vendors);
	CHECK(c, answer->counts.vendorBinarySize <= binary);
}

void conformance_ask_all(struct conformance *c, struct fault_answer *answer)
{
	const VkDeviceFaultCountsEXT counts = conformance_counts(c);

	conformance_ask(c, counts.addressInfoCount, counts.vendorInfoCount, counts.vendorBinarySize,
			answer);
}

void conformance_prepare(VkDeviceFaultInfoKHR *infos, uint32_t count)
{
	uint32_t i;

	memset(infos, GUARD, count * sizeof(*infos));
	for (i = 0; i < count; i++) {
		infos[i].sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR;
		infos[i].pNext = NULL;
	}
}

uint32_t conformance_drain(struct conformance *c, VkDeviceFaultInfoKHR *infos, uint32_t capacity)
{
	uint32_t count = capacity;
	VkResult result;

	conformance_prepare(infos, capacity);
	result = c->subject->reports(c->device, 0, &count, infos);
	CHECK(c, result == (count ? VK_SUCCESS : VK_TIMEOUT));
	return count;
}
