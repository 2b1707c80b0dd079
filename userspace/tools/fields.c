// SPDX-License-Identifier: MIT
#include "fields.h"

/* clang-format off */
#define NUMBER64(name_, getter, unit_) \
	{ .name = name_, .kind = VALUE_NUMBER, .get64 = drmfault_record_##getter, .unit = unit_ }
#define NUMBER32(name_, getter, unit_) \
	{ .name = name_, .kind = VALUE_NUMBER, .get32 = drmfault_record_##getter, .unit = unit_ }
#define ADDRESS(name_, getter, precision_) \
	{ .name = name_, .kind = VALUE_ADDRESS, .get64 = drmfault_record_##getter, \
	  .precision = drmfault_record_##precision_ }
#define STRING(name_, getter) \
	{ .name = name_, .kind = VALUE_STRING, .string = drmfault_record_##getter }
#define NAMED(name_, getter, values) \
	{ .name = name_, .kind = VALUE_NAME, .get32 = drmfault_record_##getter, \
	  .value_name = drmfault_##values##_name, .from_name = drmfault_##values##_from_name }
/* clang-format on */

const struct field fields[] = {
	NAMED("type", type, record_type),
	NUMBER32("device", device_id, NULL),
	NUMBER64("record", id, NULL),
	NUMBER64("incident", group_id, NULL),
	NUMBER64("seqno", seqno, NULL),
	NUMBER64("count", count, "events"),
	NUMBER64("lost", lost, "events"),
	NUMBER64("time_ns", timestamp_ns, "ns"),
	NUMBER64("last_time_ns", last_timestamp_ns, "ns"),
	NUMBER64("gpu_time", gpu_timestamp, NULL),
	NAMED("access", access, access),
	NAMED("fault", fault_type, type),
	ADDRESS("address", address, address_precision),
	NUMBER64("precision", address_precision, "bytes"),
	NUMBER32("address_bits", address_bits, "bits"),
	NUMBER32("level", level, NULL),
	ADDRESS("ip", ip, ip_precision),
	NUMBER64("ip_precision", ip_precision, "bytes"),
	NAMED("ip_type", ip_type, ip_type),
	STRING("engine", engine),
	NAMED("engine_class", engine_class, engine_class),
	NUMBER32("engine_instance", engine_instance, NULL),
	STRING("comm", comm),
	NUMBER32("pid", pid, NULL),
	NUMBER64("client", client_id, NULL),
	NUMBER64("context", context_id, NULL),
	NUMBER32("pasid", pasid, NULL),
	NUMBER32("vmid", vmid, NULL),
	NUMBER64("job_context", job_context, NULL),
	NUMBER64("job_seqno", job_seqno, NULL),
	{ .name = "flags", .kind = VALUE_FLAGS, .get32 = drmfault_record_flags },
	NAMED("raw_format", raw_format, raw_format),
	{ .name = "raw", .kind = VALUE_WORDS, .get32 = drmfault_record_raw_count },
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);

struct value field_value(const struct field *field, const struct drmfault_record *record)
{
	struct value value = { .kind = field->kind };
	uint32_t i;

	if (field->string)
		value.text = field->string(record);
	else
		value.number = field->get64 ? field->get64(record) : field->get32(record);
	if (field->value_name)
		value.text = field->value_name((uint32_t)value.number);
	/* Without a precision there is no address. */
	if (field->precision && !field->precision(record))
		value.kind = VALUE_NONE;
	if (field->kind == VALUE_WORDS)
		for (i = 0; i < value.number && i < VALUE_WORDS_MAX; i++)
			value.words[i] = drmfault_record_raw(record, i);
	return value;
}
