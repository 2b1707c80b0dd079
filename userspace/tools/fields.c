// SPDX-License-Identifier: MIT
#include "fields.h"

#define NUMBER64(name_, getter)                                      \
	{                                                            \
		.name = name_, .kind = FIELD_NUMBER, .get64 = getter \
	}
#define NUMBER32(name_, getter)                                      \
	{                                                            \
		.name = name_, .kind = FIELD_NUMBER, .get32 = getter \
	}
#define ADDRESS(name_, getter)                                        \
	{                                                             \
		.name = name_, .kind = FIELD_ADDRESS, .get64 = getter \
	}
#define STRING(name_, getter)                                         \
	{                                                             \
		.name = name_, .kind = FIELD_STRING, .string = getter \
	}
#define NAMED(name_, getter, of)                                                     \
	{                                                                            \
		.name = name_, .kind = FIELD_NAME, .get32 = getter, .value_name = of \
	}

const struct field fields[] = {
	NAMED("type", drmfault_record_type, drmfault_record_type_name),
	NUMBER32("device", drmfault_record_device_id),
	NUMBER64("record", drmfault_record_id),
	NUMBER64("incident", drmfault_record_group_id),
	NUMBER64("seqno", drmfault_record_seqno),
	NUMBER64("count", drmfault_record_count),
	NUMBER64("lost", drmfault_record_lost),
	NUMBER64("time_ns", drmfault_record_timestamp_ns),
	NUMBER64("last_time_ns", drmfault_record_last_timestamp_ns),
	NUMBER64("gpu_time", drmfault_record_gpu_timestamp),
	NAMED("access", drmfault_record_access, drmfault_access_name),
	NAMED("fault", drmfault_record_fault_type, drmfault_type_name),
	ADDRESS("address", drmfault_record_address),
	NUMBER64("precision", drmfault_record_address_precision),
	NUMBER32("address_bits", drmfault_record_address_bits),
	NUMBER32("level", drmfault_record_level),
	ADDRESS("ip", drmfault_record_ip),
	NUMBER64("ip_precision", drmfault_record_ip_precision),
	NAMED("ip_type", drmfault_record_ip_type, drmfault_ip_type_name),
	STRING("engine", drmfault_record_engine),
	NAMED("engine_class", drmfault_record_engine_class, drmfault_engine_class_name),
	NUMBER32("engine_instance", drmfault_record_engine_instance),
	STRING("comm", drmfault_record_comm),
	NUMBER32("pid", drmfault_record_pid),
	NUMBER64("client", drmfault_record_client_id),
	NUMBER64("context", drmfault_record_context_id),
	NUMBER32("pasid", drmfault_record_pasid),
	NUMBER32("vmid", drmfault_record_vmid),
	NUMBER64("job_context", drmfault_record_job_context),
	NUMBER64("job_seqno", drmfault_record_job_seqno),
	NUMBER32("raw_format", drmfault_record_raw_format),
};

const size_t field_count = sizeof(fields) / sizeof(fields[0]);
