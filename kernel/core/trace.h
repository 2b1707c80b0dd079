/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoint drm_fault:record is stable: fields are added, never removed or
 * changed. It has ids, no pointers.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM drm_fault

#if !defined(_DRM_FAULT_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _DRM_FAULT_TRACE_H_

#include <linux/tracepoint.h>
#include <uapi/drm/drm_fault.h>

TRACE_EVENT(record,
	TP_PROTO(const struct drm_fault_record *record, bool repeat),
	TP_ARGS(record, repeat),

	TP_STRUCT__entry(
		__field(u64, record_id)
		__field(u64, group_id)
		__field(u64, context_id)
		__field(u64, client_id)
		__field(u64, address)
		__field(u64, address_precision)
		__field(u64, ip)
		__field(u32, reporter_id)
		__field(u32, type)
		__field(u32, flags)
		__field(u32, access)
		__field(u32, fault_type)
		__field(u32, engine_class)
		__field(u32, engine_instance)
		__field(u32, pid)
		__field(bool, repeat)
		__array(char, engine, DRM_FAULT_ENGINE_LEN)
		__array(char, comm, DRM_FAULT_COMM_LEN)
	),

	TP_fast_assign(
		__entry->record_id = record->record_id;
		__entry->group_id = record->group_id;
		__entry->context_id = record->context_id;
		__entry->client_id = record->client_id;
		__entry->address = record->address;
		__entry->address_precision = record->address_precision;
		__entry->ip = record->ip;
		__entry->reporter_id = record->reporter_id;
		__entry->type = record->type;
		__entry->flags = record->flags;
		__entry->access = record->access;
		__entry->fault_type = record->fault_type;
		__entry->engine_class = record->engine_class;
		__entry->engine_instance = record->engine_instance;
		__entry->pid = record->pid;
		__entry->repeat = repeat;
		memcpy(__entry->engine, record->engine, DRM_FAULT_ENGINE_LEN);
		memcpy(__entry->comm, record->comm, DRM_FAULT_COMM_LEN);
	),

	TP_printk("gpu%u record=%llu%s group=%llu type=%u address=0x%llx precision=0x%llx access=%u fault=%u ip=0x%llx engine=%s context=%llu client=%llu pid=%u comm=%s flags=0x%x",
		  __entry->reporter_id, __entry->record_id, __entry->repeat ? "+" : "",
		  __entry->group_id, __entry->type, __entry->address,
		  __entry->address_precision, __entry->access, __entry->fault_type,
		  __entry->ip, __entry->engine, __entry->context_id,
		  __entry->client_id, __entry->pid, __entry->comm, __entry->flags)
);

#endif /* _DRM_FAULT_TRACE_H_ */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
