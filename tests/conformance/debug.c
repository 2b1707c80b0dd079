// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultDebugInfoKHR, and the header of the binary that both extensions return. */
#include "conformance.h"

#define HEADER_SIZE 56

static struct fault_answer answer;
static uint8_t binary[MAX_BINARY];

static void lose(struct conformance *c, bool vendor_binary)
{
	conformance_create(c, vendor_binary, true);
	conformance_fault(c, CONFORMANCE_WRITE, 2, NULL);
	conformance_lose(c);
}

/* Asks for up to @capacity bytes into guarded memory; without, for the size. */
static VkResult ask(struct conformance *c, bool with_data, uint32_t capacity, uint32_t *size)
{
	VkDeviceFaultDebugInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
		.vendorBinarySize = capacity,
		.pVendorBinaryData = with_data ? binary : NULL,
	};
	VkResult result;

	memset(binary, GUARD, sizeof(binary));
	result = c->subject->debug_info(c->device, &info);
	CHECK(c, info.sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR && !info.pNext);
	CHECK(c, info.pVendorBinaryData == (with_data ? binary : NULL));
	*size = info.vendorBinarySize;
	return result;
}

static uint32_t size_of(struct conformance *c)
{
	uint32_t size;

	CHECK(c, ask(c, false, 0, &size) == VK_SUCCESS);
	CHECK(c, size <= MAX_BINARY);
	return size;
}

static void null_gets_the_size(struct conformance *c)
{
	lose(c, true);
	CHECK(c, size_of(c) >= HEADER_SIZE);
	CHECK(c, size_of(c) == conformance_counts(c).vendorBinarySize);
}

static void size_is_what_was_written(struct conformance *c)
{
	uint32_t have, size;

	lose(c, true);
	have = size_of(c);
	CHECK(c, ask(c, true, MAX_BINARY, &size) == VK_SUCCESS);
	CHECK(c, size == have);
	CHECK(c, is_untouched(binary + size, sizeof(binary) - size));
}

static void same_bytes_each_time(struct conformance *c)
{
	uint32_t have, size;

	lose(c, true);
	have = size_of(c);
	conformance_ask_all(c, &answer);
	CHECK(c, answer.counts.vendorBinarySize == have);
	CHECK(c, ask(c, true, have, &size) == VK_SUCCESS && size == have);
	CHECK(c, !memcmp(binary, answer.binary, have));
	CHECK(c, ask(c, true, have, &size) == VK_SUCCESS && size == have);
	CHECK(c, !memcmp(binary, answer.binary, have));
}

static void short_room(struct conformance *c)
{
	static const uint32_t less[] = { 1, 8 };
	uint32_t have, size;
	size_t i;

	lose(c, true);
	have = size_of(c);
	for (i = 0; i < ARRAY_SIZE(less); i++) {
		CHECK(c, ask(c, true, have - less[i], &size) == VK_ERROR_NOT_ENOUGH_SPACE_KHR);
		CHECK(c, size == 0 && is_untouched(binary, sizeof(binary)));
	}
	CHECK(c, ask(c, true, 0, &size) == VK_ERROR_NOT_ENOUGH_SPACE_KHR);
	CHECK(c, ask(c, true, HEADER_SIZE, &size) == VK_ERROR_NOT_ENOUGH_SPACE_KHR);
	CHECK(c, is_untouched(binary, sizeof(binary)));
}

static void no_feature_no_binary(struct conformance *c)
{
	uint32_t size;

	lose(c, false);
	CHECK(c, size_of(c) == 0);
	CHECK(c, ask(c, true, MAX_BINARY, &size) == VK_SUCCESS && size == 0);
	CHECK(c, is_untouched(binary, sizeof(binary)));
}

static void shader_messages(struct conformance *c)
{
	uint8_t room[16];
	VkDeviceFaultShaderAbortMessageInfoKHR message = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR,
		.messageDataSize = sizeof(room),
		.pMessageData = room,
	};
	VkDeviceFaultDebugInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
		.pNext = &message,
	};

	lose(c, true);
	memset(room, GUARD, sizeof(room));
	CHECK(c, c->subject->debug_info(c->device, &info) == VK_SUCCESS);
	CHECK(c, info.pNext == &message && message.pMessageData == room && !message.pNext);
	CHECK(c, message.messageDataSize == 0);
	CHECK(c, is_untouched(room, sizeof(room)));
}

static uint32_t le32(size_t at)
{
	return binary[at] | (uint32_t)binary[at + 1] << 8 | (uint32_t)binary[at + 2] << 16 |
	       (uint32_t)binary[at + 3] << 24;
}

static void get_binary(struct conformance *c, uint32_t *size)
{
	lose(c, true);
	CHECK(c, ask(c, true, MAX_BINARY, size) == VK_SUCCESS);
	CHECK(c, *size >= HEADER_SIZE);
}

static void header_has_its_version(struct conformance *c)
{
	uint32_t size;

	get_binary(c, &size);
	CHECK(c, le32(0) == HEADER_SIZE);
	CHECK(c, le32(4) == VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_KHR);
}

static void header_names_the_driver(struct conformance *c)
{
	struct conformance_identity identity;
	uint32_t size;

	c->subject->identify(&identity);
	get_binary(c, &size);
	CHECK(c, le32(8) == identity.vendorID);
	CHECK(c, le32(12) == identity.deviceID);
	CHECK(c, le32(16) == identity.driverVersion);
	CHECK(c, !memcmp(binary + 20, identity.pipelineCacheUUID, VK_UUID_SIZE));
}

/* The string at an offset of the header, which is 0 where there is none. */
static bool is_name(uint32_t at, const char *name, uint32_t size)
{
	if (!name)
		return at == 0;
	return at >= HEADER_SIZE && at < size && size - at > strlen(name) &&
	       !strcmp((const char *)binary + at, name);
}

static void header_names_the_application(struct conformance *c)
{
	struct conformance_identity identity;
	uint32_t size;

	c->subject->identify(&identity);
	get_binary(c, &size);
	CHECK(c, is_name(le32(36), identity.application.pApplicationName, size));
	CHECK(c, le32(40) == 0 || le32(40) == identity.application.applicationVersion);
	CHECK(c, is_name(le32(44), identity.application.pEngineName, size));
	CHECK(c, le32(48) == 0 || le32(48) == identity.application.engineVersion);
	CHECK(c, le32(52) == 0 || le32(52) == identity.application.apiVersion);
}

const struct conformance_case conformance_debug[] = {
	{ "debug info: without pVendorBinaryData the size is returned", null_gets_the_size },
	{ "debug info: the size becomes what was written, and no more is",
	  size_is_what_was_written },
	{ "debug info: subsequent calls return identical bytes, the EXT's", same_bytes_each_time },
	{ "debug info: without room NOT_ENOUGH_SPACE is returned, and nothing written",
	  short_room },
	{ "debug info: without the feature the size is 0, the data not modified",
	  no_feature_no_binary },
	{ "debug info: without messages of shaders their size is 0", shader_messages },
	{ "binary: headerSize is 56 and headerVersion ONE, little-endian", header_has_its_version },
	{ "binary: the header has the driver's numbers and UUID", header_names_the_driver },
	{ "binary: names and versions are VkApplicationInfo's, offsets from the start",
	  header_names_the_application },
	{ NULL, NULL },
};
