// SPDX-License-Identifier: MIT
/* A record as it is read from the stream. */
#include <inttypes.h>
#include <stdio.h>

#include "demo.h"

#define NS_PER_S  1000000000
#define NS_PER_US 1000

static const char *or_none(const char *name)
{
	return name ? name : "?";
}

static const char *pointer_meaning(const struct drmfault_record *record)
{
	switch (drmfault_record_ip_type(record)) {
	case DRMFAULT_IP_FAULT:
		return "the instruction that raised it";
	case DRMFAULT_IP_INVALID:
		return "what could not be fetched";
	default:
		return "near by";
	}
}

static void show_time(const struct drmfault_record *record, const struct demo_job *job)
{
	uint64_t time = drmfault_record_timestamp_ns(record);

	printf("   %-20s%" PRIu64 ".%06" PRIu64 " s since boot, %" PRIu64
	       " us after the submission\n",
	       "time", time / NS_PER_S, time % NS_PER_S / NS_PER_US,
	       (time - job->submitted_ns) / NS_PER_US);
}

void record_show(const struct drmfault_record *record, const struct demo_job *job)
{
	printf("   %-20s0x%012" PRIx64 ", exact to ", "address", drmfault_record_address(record));
	if (drmfault_record_address_precision(record) == 1)
		printf("the byte\n");
	else
		printf("%" PRIu64 " bytes\n", drmfault_record_address_precision(record));
	printf("   %-20s%s\n", "access",
	       or_none(drmfault_access_name(drmfault_record_access(record))));
	printf("   %-20s%s, at level %" PRIu32 " of the page table\n", "fault type",
	       or_none(drmfault_type_name(drmfault_record_fault_type(record))),
	       drmfault_record_level(record));
	printf("   %-20s0x%012" PRIx64 ", %s\n", "instruction pointer", drmfault_record_ip(record),
	       pointer_meaning(record));
	printf("   %-20s%s, %s %" PRIu32 "\n", "engine", drmfault_record_engine(record),
	       or_none(drmfault_engine_class_name(drmfault_record_engine_class(record))),
	       drmfault_record_engine_instance(record));
	printf("   %-20s%" PRIu32 " %s\n", "process", drmfault_record_pid(record),
	       drmfault_record_comm(record));
	show_time(record, job);
	printf("   %-20s%" PRIu64 "\n\n", "count", drmfault_record_count(record));
}

static void check_times(const struct drmfault_record *record, const struct demo_job *job)
{
	uint64_t first = drmfault_record_timestamp_ns(record);
	uint64_t last = drmfault_record_last_timestamp_ns(record);

	check_true(first >= job->submitted_ns, "the time is before the submission");
	check_true(last >= first, "the last time is before the first");
	check_true(last <= demo_now(), "the last time is to come");
	if (job->mistake->count == 1)
		check_u64("last time", last, first);
}

void record_check(const struct drmfault_record *record, const struct demo_job *job)
{
	const struct demo_mistake *m = job->mistake;
	uint64_t ip = drmfault_record_ip(record);

	check_begin(m->title);
	check_u64("record type", drmfault_record_type(record), DRMFAULT_RECORD_FAULT);
	check_u64("flags", drmfault_record_flags(record), m->flags);
	check_u64("address", drmfault_record_address(record), job->address);
	check_u64("address precision", drmfault_record_address_precision(record), m->precision);
	check_u64("address bits", drmfault_record_address_bits(record), DRM_FAULT_SIM_ADDRESS_BITS);
	check_u64("access", drmfault_record_access(record), m->access);
	check_u64("fault type", drmfault_record_fault_type(record), m->fault_type);
	check_u64("level", drmfault_record_level(record), 1);
	check_true(ip >= job->ip_first && ip <= job->ip_last,
		   "the instruction is not where it was submitted");
	check_u64("its precision", drmfault_record_ip_precision(record), sizeof(uint64_t));
	check_u64("its type", drmfault_record_ip_type(record), m->ip_type);
	check_string("engine", drmfault_record_engine(record), m->engine);
	check_u64("engine class", drmfault_record_engine_class(record), m->engine_class);
	check_u64("engine instance", drmfault_record_engine_instance(record), 0);
	check_u64("pid", drmfault_record_pid(record), job->pid);
	check_string("process name", drmfault_record_comm(record), job->comm);
	check_times(record, job);
	check_u64("count", drmfault_record_count(record), m->count);
	check_u64("lost", drmfault_record_lost(record), 0);
	/* A fetch that fails has no instruction. */
	check_true(!drmfault_record_raw(record, 1) == (m->access == DRMFAULT_ACCESS_EXECUTE),
		   "the instruction word is wrong");
	check_true(drmfault_record_job_context(record) && drmfault_record_job_seqno(record),
		   "the job is not known");
}
