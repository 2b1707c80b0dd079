// SPDX-License-Identifier: MIT
#include <string.h>

#include "dump.h"

/* clang-format off */
#define FIELD(kind_, file_, file_member, host_, host_member) \
	{ .file = offsetof(struct file_, file_member), .host = offsetof(struct host_, host_member), \
	  .width = sizeof(((struct file_ *)0)->file_member), .kind = kind_ }
#define NUMBER(name, member) \
	FIELD(DUMP_NUMBER, drm_fault_dump_##name, member, drmfault_dump_##name, member)
#define TEXT(name, member) \
	FIELD(DUMP_TEXT, drm_fault_dump_##name, member, drmfault_dump_##name, member)
#define RECORD(member) \
	FIELD(DUMP_NUMBER, drm_fault_record, member, drm_fault_record, member)
#define SHAPE(file_, table) \
	{ .fields = table, .count = sizeof(table) / sizeof((table)[0]), .size = sizeof(struct file_) }
/* clang-format on */

static const struct dump_field meta_fields[] = {
	NUMBER(meta, monotonic_ns), NUMBER(meta, realtime_ns), TEXT(meta, boot_id),
	TEXT(meta, release),	    TEXT(meta, machine),       TEXT(meta, module_version),
};
const struct dump_shape dump_shape_meta = SHAPE(drm_fault_dump_meta, meta_fields);

static const struct dump_field device_fields[] = {
	NUMBER(device, id),
	NUMBER(device, address_bits),
	NUMBER(device, pci_vendor),
	NUMBER(device, pci_device),
	NUMBER(device, pci_subsystem_vendor),
	NUMBER(device, pci_subsystem_device),
	NUMBER(device, pci_revision),
	TEXT(device, name),
	TEXT(device, driver),
	TEXT(device, bus),
	NUMBER(device, events),
	NUMBER(device, records),
	NUMBER(device, missed),
};
const struct dump_shape dump_shape_device = SHAPE(drm_fault_dump_device, device_fields);

static const struct dump_field context_fields[] = {
	NUMBER(context, id),	   NUMBER(context, client_id), NUMBER(context, pid),
	NUMBER(context, uid),	   NUMBER(context, pasid),     NUMBER(context, flags),
	TEXT(context, comm),	   NUMBER(context, events),    NUMBER(context, lost),
	NUMBER(context, group_id),
};
const struct dump_shape dump_shape_context = SHAPE(drm_fault_dump_context, context_fields);

static const struct dump_field lost_fields[] = {
	NUMBER(lost, events),
	NUMBER(lost, lost),
	NUMBER(lost, dumps_skipped),
};
const struct dump_shape dump_shape_lost = SHAPE(drm_fault_dump_lost, lost_fields);

/* Names are pointers here and offsets there: they are not in these two. */
static const struct dump_field application_fields[] = {
	NUMBER(application, application_version),
	NUMBER(application, engine_version),
	NUMBER(application, api_version),
	NUMBER(application, driver_version),
	NUMBER(application, vendor_id),
	NUMBER(application, device_id),
	FIELD(DUMP_BYTES, drm_fault_dump_application, pipeline_cache_uuid,
	      drmfault_dump_application, pipeline_cache_uuid),
};
const struct dump_shape dump_shape_application =
	SHAPE(drm_fault_dump_application, application_fields);

static const struct dump_field binding_fields[] = {
	NUMBER(binding, address),
	FIELD(DUMP_NUMBER, drm_fault_dump_binding, size, drmfault_dump_binding, length),
	NUMBER(binding, bound_ns),
	NUMBER(binding, unbound_ns),
	NUMBER(binding, object),
	NUMBER(binding, object_type),
	NUMBER(binding, flags),
};
const struct dump_shape dump_shape_binding = SHAPE(drm_fault_dump_binding, binding_fields);

static const struct dump_field record_fields[] = {
	RECORD(type),
	RECORD(length),
	RECORD(flags),
	RECORD(reporter_id),
	RECORD(seqno),
	RECORD(lost),
	RECORD(count),
	RECORD(record_id),
	RECORD(group_id),
	RECORD(timestamp_ns),
	RECORD(last_timestamp_ns),
	RECORD(gpu_timestamp),
	RECORD(address),
	RECORD(address_precision),
	RECORD(ip),
	RECORD(ip_precision),
	RECORD(access),
	RECORD(fault_type),
	RECORD(ip_type),
	RECORD(level),
	RECORD(engine_class),
	RECORD(engine_instance),
	FIELD(DUMP_BYTES, drm_fault_record, engine, drm_fault_record, engine),
	RECORD(context_id),
	RECORD(client_id),
	RECORD(pid),
	RECORD(pasid),
	FIELD(DUMP_BYTES, drm_fault_record, comm, drm_fault_record, comm),
	RECORD(vmid),
	RECORD(raw_format),
	RECORD(raw_count),
	RECORD(address_bits),
	RECORD(raw[0]),
	RECORD(raw[1]),
	RECORD(raw[2]),
	RECORD(raw[3]),
	RECORD(job_context),
	RECORD(job_seqno),
};
const struct dump_shape dump_shape_record = SHAPE(drm_fault_record, record_fields);

_Static_assert(DRM_FAULT_RAW_WORDS == 4, "each raw word is in record_fields");

uint64_t dump_number(const uint8_t *bytes, size_t width)
{
	uint64_t value = 0;

	while (width--)
		value = value << 8 | bytes[width];
	return value;
}

void dump_put_number(uint8_t *bytes, size_t width, uint64_t value)
{
	for (; width--; value >>= 8)
		*bytes++ = (uint8_t)value;
}

/* Of integers that the compiler laid out. */
static uint64_t host_number(const uint8_t *host, size_t width)
{
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	switch (width) {
	case sizeof(u16):
		memcpy(&u16, host, width);
		return u16;
	case sizeof(u32):
		memcpy(&u32, host, width);
		return u32;
	default:
		memcpy(&u64, host, sizeof(u64));
		return u64;
	}
}

static void put_host_number(uint8_t *host, size_t width, uint64_t value)
{
	const uint16_t u16 = (uint16_t)value;
	const uint32_t u32 = (uint32_t)value;

	memcpy(host,
	       width == sizeof(u16)   ? (const void *)&u16
	       : width == sizeof(u32) ? (const void *)&u32
				      : (const void *)&value,
	       width);
}

void dump_decode(const struct dump_shape *shape, const uint8_t *file, uint64_t length, void *host,
		 size_t host_size)
{
	uint8_t *to = host;
	size_t i;

	for (i = 0; i < shape->count; i++) {
		const struct dump_field *field = &shape->fields[i];
		size_t width = field->width;

		if (field->host + width > host_size || field->file + width > length)
			continue;
		if (field->kind == DUMP_NUMBER)
			put_host_number(to + field->host, width,
					dump_number(file + field->file, width));
		else
			memcpy(to + field->host, file + field->file, width);
		if (field->kind == DUMP_TEXT)
			to[field->host + width - 1] = '\0';
	}
}

void dump_encode(const struct dump_shape *shape, const void *host, size_t host_size, uint8_t *file)
{
	const uint8_t *from = host;
	size_t i;

	memset(file, 0, shape->size);
	for (i = 0; i < shape->count; i++) {
		const struct dump_field *field = &shape->fields[i];
		const uint8_t *member = from + field->host;
		size_t width = field->width;

		if (field->host + width > host_size)
			continue;
		if (field->kind == DUMP_NUMBER)
			dump_put_number(file + field->file, width, host_number(member, width));
		else
			memcpy(file + field->file, member,
			       field->kind == DUMP_TEXT ? strnlen((const char *)member, width - 1)
							: width);
	}
}
