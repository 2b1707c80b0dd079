// SPDX-License-Identifier: MIT
#include <string.h>

#include "internal.h"

static void put(struct byte_list *list, const void *bytes, uint64_t size)
{
	uint64_t left = list->count < list->capacity ? list->capacity - list->count : 0;
	uint64_t fits = size < left ? size : left;

	if (fits)
		memcpy(list->bytes + list->count, bytes, (size_t)fits);
	list->count += size;
}

static void put_zeros(struct byte_list *list, uint64_t size)
{
	uint64_t left = list->count < list->capacity ? list->capacity - list->count : 0;
	uint64_t fits = size < left ? size : left;

	if (fits)
		memset(list->bytes + list->count, 0, (size_t)fits);
	list->count += size;
}

static void put_u32(struct byte_list *list, uint32_t value)
{
	const uint8_t bytes[] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
				  (uint8_t)(value >> 24) };

	put(list, bytes, sizeof(bytes));
}

static uint32_t name_size(const char *name)
{
	return name ? (uint32_t)strlen(name) + 1 : 0;
}

static void put_header(struct byte_list *list, const struct drmfault_vk_identity *identity,
		       const VkApplicationInfo *app)
{
	uint32_t app_name = name_size(app->pApplicationName);

	put_u32(list, DRMFAULT_VK_BINARY_HEADER_SIZE);
	put_u32(list, VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT);
	put_u32(list, identity->vendorID);
	put_u32(list, identity->deviceID);
	put_u32(list, identity->driverVersion);
	put(list, identity->pipelineCacheUUID, sizeof(identity->pipelineCacheUUID));
	put_u32(list, app->pApplicationName ? DRMFAULT_VK_BINARY_HEADER_SIZE : 0);
	put_u32(list, app->applicationVersion);
	put_u32(list, app->pEngineName ? DRMFAULT_VK_BINARY_HEADER_SIZE + app_name : 0);
	put_u32(list, app->engineVersion);
	put_u32(list, app->apiVersion);
}

/* Records of one snapshot have one length, unless someone put it together. */
static uint32_t stride_of(const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_record *record;
	size_t i, size, stride = 0;

	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++) {
		drmfault_record_bytes(record, &size);
		if (size > stride)
			stride = size;
	}
	return ((uint32_t)stride + 7) & ~7u;
}

static void put_records(struct byte_list *list, const struct drmfault_snapshot *snapshot)
{
	uint32_t stride = stride_of(snapshot);
	const struct drmfault_record *record;
	const void *bytes;
	size_t i, size;

	put_u32(list, stride);
	put_u32(list, (uint32_t)drmfault_snapshot_count(snapshot));
	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++) {
		bytes = drmfault_record_bytes(record, &size);
		put(list, bytes, size);
		put_zeros(list, stride - size);
	}
}

void binary_of_snapshot(const struct drmfault_vk_identity *identity,
			const struct drmfault_snapshot *snapshot, struct byte_list *list)
{
	static const VkApplicationInfo nobody;
	const VkApplicationInfo *app = identity->pApplicationInfo ? identity->pApplicationInfo
								  : &nobody;

	put_header(list, identity, app);
	put(list, app->pApplicationName, name_size(app->pApplicationName));
	put(list, app->pEngineName, name_size(app->pEngineName));
	put_zeros(list, -list->count & 7);
	put_records(list, snapshot);
}
