/* SPDX-License-Identifier: GPL-2.0-only */
/* What a driver would write to trace its faults: the fields of an event. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM drm_fault_bench

#if !defined(_DRM_FAULT_BENCH_TRACE_H_) || defined(TRACE_HEADER_MULTI_READ)
#define _DRM_FAULT_BENCH_TRACE_H_

#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <drm/drm_fault.h>

TRACE_EVENT(fault,
	TP_PROTO(const struct drm_fault_event *event),
	TP_ARGS(event),

	TP_STRUCT__entry(
		__field(u64, key)
		__field(u64, address)
		__field(u64, address_precision)
		__field(u64, ip)
		__field(u64, ip_precision)
		__field(u64, gpu_timestamp)
		__field(u64, job_context)
		__field(u64, job_seqno)
		__field(u32, flags)
		__field(u32, access)
		__field(u32, fault_type)
		__field(u32, level)
		__field(u32, ip_type)
		__field(u32, engine_class)
		__field(u32, engine_instance)
		__field(u32, vmid)
		__field(u32, raw_format)
		__field(u32, raw_count)
		__array(u64, raw, DRM_FAULT_RAW_WORDS)
		__array(char, engine, DRM_FAULT_ENGINE_LEN)
		__array(char, comm, TASK_COMM_LEN)
	),

	TP_fast_assign(
		__entry->key = event->key;
		__entry->address = event->address;
		__entry->address_precision = event->address_precision;
		__entry->ip = event->ip;
		__entry->ip_precision = event->ip_precision;
		__entry->gpu_timestamp = event->gpu_timestamp;
		__entry->job_context = event->job_context;
		__entry->job_seqno = event->job_seqno;
		__entry->flags = event->flags;
		__entry->access = event->access;
		__entry->fault_type = event->fault_type;
		__entry->level = event->level;
		__entry->ip_type = event->ip_type;
		__entry->engine_class = event->engine_class;
		__entry->engine_instance = event->engine_instance;
		__entry->vmid = event->vmid;
		__entry->raw_format = event->raw_format;
		__entry->raw_count = event->raw_count;
		memcpy(__entry->raw, event->raw, sizeof(__entry->raw));
		strscpy(__entry->engine, event->engine, DRM_FAULT_ENGINE_LEN);
		memcpy(__entry->comm, current->comm, TASK_COMM_LEN);
	),

	TP_printk("address=0x%llx access=%u fault=%u ip=0x%llx engine=%s comm=%s",
		  __entry->address, __entry->access, __entry->fault_type,
		  __entry->ip, __entry->engine, __entry->comm)
);

#endif /* _DRM_FAULT_BENCH_TRACE_H_ */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bench-trace
#include <trace/define_trace.h>
