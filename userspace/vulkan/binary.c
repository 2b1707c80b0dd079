// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "drmfault_dump.h"
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

/* No clock is read: the same snapshot must always give the same bytes. */
static uint64_t newest_ns(const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_record *record;
	uint64_t newest = 0;
	size_t i;

	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++)
		if (drmfault_record_last_timestamp_ns(record) > newest)
			newest = drmfault_record_last_timestamp_ns(record);
	return newest;
}

static void tell_meta(const struct drmfault_snapshot *snapshot, struct drmfault_dump_meta *meta)
{
	struct utsname names;

	*meta = (struct drmfault_dump_meta){ .size = sizeof(*meta) };
	meta->monotonic_ns = newest_ns(snapshot);
	if (uname(&names))
		return;
	snprintf(meta->release, sizeof(meta->release), "%.*s", (int)sizeof(meta->release) - 1,
		 names.release);
	snprintf(meta->machine, sizeof(meta->machine), "%.*s", (int)sizeof(meta->machine) - 1,
		 names.machine);
}

static void tell_device(const struct drmfault_device *from, struct drmfault_dump_device *device)
{
	*device = (struct drmfault_dump_device){ .size = sizeof(*device) };
	if (!from)
		return;
	device->id = drmfault_device_id(from);
	device->address_bits = drmfault_device_address_bits(from);
	device->events = drmfault_device_events(from);
	device->records = drmfault_device_records(from);
	snprintf(device->name, sizeof(device->name), "%s", drmfault_device_name(from));
	snprintf(device->driver, sizeof(device->driver), "%s", drmfault_device_driver(from));
	snprintf(device->bus, sizeof(device->bus), "%s", drmfault_device_bus(from));
}

static void tell_application(const struct drmfault_vk_identity *identity,
			     const VkApplicationInfo *app,
			     struct drmfault_dump_application *application)
{
	*application = (struct drmfault_dump_application){
		.size = sizeof(*application),
		.application_name = app->pApplicationName,
		.engine_name = app->pEngineName,
		.application_version = app->applicationVersion,
		.engine_version = app->engineVersion,
		.api_version = app->apiVersion,
		.driver_version = identity->driverVersion,
		.vendor_id = identity->vendorID,
		.device_id = identity->deviceID,
	};
	memcpy(application->pipeline_cache_uuid, identity->pipelineCacheUUID,
	       sizeof(application->pipeline_cache_uuid));
}

static void put_dump(struct byte_list *list, const struct drmfault_vk_identity *identity,
		     const VkApplicationInfo *app, const struct drmfault_snapshot *snapshot)
{
	struct drmfault_dump_application application;
	struct drmfault_dump_device device;
	struct drmfault_dump_meta meta;
	const struct drmfault_dump_content content = {
		.size = sizeof(content),
		.meta = &meta,
		.device = identity->device ? &device : NULL,
		.snapshot = snapshot,
		.application = &application,
	};
	uint64_t left = list->count < list->capacity ? list->capacity - list->count : 0;
	uint64_t size = 0;

	tell_meta(snapshot, &meta);
	tell_device(identity->device, &device);
	tell_application(identity, app, &application);
	drmfault_dump_write(&content, left ? list->bytes + list->count : NULL, left, &size);
	list->count += size;
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
	put_dump(list, identity, app, snapshot);
}
