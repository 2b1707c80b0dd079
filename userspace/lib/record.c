// SPDX-License-Identifier: MIT
#include <string.h>

#include "internal.h"

void drmfault_record_set(struct drmfault_record *record, const void *bytes, size_t length)
{
	size_t known = length < sizeof(record->record) ? length : sizeof(record->record);

	memset(&record->record, 0, sizeof(record->record));
	memcpy(&record->record, bytes, known);
	record->record.engine[sizeof(record->record.engine) - 1] = '\0';
	record->record.comm[sizeof(record->record.comm) - 1] = '\0';
	record->bytes = bytes;
	record->length = length;
}

#define RECORD_GETTER(type, function, member)                                              \
	DRMFAULT_API type drmfault_record_##function(const struct drmfault_record *record) \
	{                                                                                  \
		return record->record.member;                                              \
	}

RECORD_GETTER(uint32_t, type, type)
RECORD_GETTER(uint32_t, flags, flags)
RECORD_GETTER(uint32_t, device_id, reporter_id)
RECORD_GETTER(uint64_t, seqno, seqno)
RECORD_GETTER(uint64_t, lost, lost)
RECORD_GETTER(uint64_t, count, count)
RECORD_GETTER(uint64_t, id, record_id)
RECORD_GETTER(uint64_t, group_id, group_id)
RECORD_GETTER(uint64_t, timestamp_ns, timestamp_ns)
RECORD_GETTER(uint64_t, last_timestamp_ns, last_timestamp_ns)
RECORD_GETTER(uint64_t, gpu_timestamp, gpu_timestamp)
RECORD_GETTER(uint64_t, address, address)
RECORD_GETTER(uint64_t, address_precision, address_precision)
RECORD_GETTER(uint32_t, address_bits, address_bits)
RECORD_GETTER(uint64_t, ip, ip)
RECORD_GETTER(uint64_t, ip_precision, ip_precision)
RECORD_GETTER(uint32_t, ip_type, ip_type)
RECORD_GETTER(uint32_t, access, access)
RECORD_GETTER(uint32_t, fault_type, fault_type)
RECORD_GETTER(uint32_t, level, level)
RECORD_GETTER(uint32_t, engine_class, engine_class)
RECORD_GETTER(uint32_t, engine_instance, engine_instance)
RECORD_GETTER(const char *, engine, engine)
RECORD_GETTER(uint64_t, context_id, context_id)
RECORD_GETTER(uint64_t, client_id, client_id)
RECORD_GETTER(uint32_t, pid, pid)
RECORD_GETTER(uint32_t, pasid, pasid)
RECORD_GETTER(const char *, comm, comm)
RECORD_GETTER(uint32_t, vmid, vmid)
RECORD_GETTER(uint32_t, raw_format, raw_format)
RECORD_GETTER(uint64_t, job_context, job_context)
RECORD_GETTER(uint64_t, job_seqno, job_seqno)

DRMFAULT_API uint32_t drmfault_record_raw_count(const struct drmfault_record *record)
{
	uint32_t count = record->record.raw_count;

	return count < DRM_FAULT_RAW_WORDS ? count : DRM_FAULT_RAW_WORDS;
}

DRMFAULT_API uint64_t drmfault_record_raw(const struct drmfault_record *record, uint32_t i)
{
	return i < drmfault_record_raw_count(record) ? record->record.raw[i] : 0;
}

DRMFAULT_API const void *drmfault_record_bytes(const struct drmfault_record *record, size_t *size)
{
	*size = record->length;
	return record->bytes;
}
