// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fields.h"
#include "tool.h"

/* As wide as a time and what follows it. */
#define INDENT "                 "

#define NS_PER_S  1000000000
#define NS_PER_US 1000

static struct wall_clock clock_now(void)
{
	struct timespec wall, monotonic;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	return (struct wall_clock){
		.known = true,
		.offset_ns = (uint64_t)(wall.tv_sec - monotonic.tv_sec) * NS_PER_S +
			     (uint64_t)(wall.tv_nsec - monotonic.tv_nsec),
	};
}

/* The kernel counts from boot; people look at the clock on the wall. */
static void print_time(uint64_t monotonic_ns, const struct wall_clock *clock)
{
	uint64_t ns = monotonic_ns + clock->offset_ns;
	time_t seconds = (time_t)(ns / NS_PER_S), now = time(NULL);
	struct tm local, today;
	char text[64];

	if (!clock->known) {
		printf("[%6" PRIu64 ".%06d]  ", monotonic_ns / NS_PER_S,
		       (int)(monotonic_ns % NS_PER_S / NS_PER_US));
		return;
	}
	localtime_r(&now, &today);
	localtime_r(&seconds, &local);
	if (local.tm_yday != today.tm_yday || local.tm_year != today.tm_year)
		printf("%04d-%02d-%02d ", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
	strftime(text, sizeof(text), "%H:%M:%S", &local);
	printf("%s.%06d  ", text, (int)(ns % NS_PER_S / NS_PER_US));
}

static const char *or_number(const char *name, uint32_t value, char *buffer, size_t size)
{
	if (name)
		return name;
	snprintf(buffer, size, "number %" PRIu32, value);
	return buffer;
}

static void print_fault(const struct drmfault_record *record)
{
	uint64_t precision = drmfault_record_address_precision(record);
	uint32_t access = drmfault_record_access(record), type = drmfault_record_fault_type(record);
	char buffer[32];

	printf("%s access",
	       or_number(drmfault_access_name(access), access, buffer, sizeof(buffer)));
	if (precision > 1)
		printf(" at 0x%012" PRIx64 " (within %" PRIu64 " bytes)",
		       drmfault_record_address(record), precision);
	else if (precision)
		printf(" at 0x%012" PRIx64, drmfault_record_address(record));
	else
		fputs(" at an unknown address", stdout);
	printf(": %s", or_number(drmfault_type_name(type), type, buffer, sizeof(buffer)));
	if (drmfault_record_level(record))
		printf(" (level %" PRIu32 ")", drmfault_record_level(record));
}

/* Bits of what drm_dev_wedged_event() tells. */
static const char *const recoveries[] = { "none needed", "rebind", "bus reset", "vendor's own" };

static void print_wedged(const struct drmfault_record *record)
{
	uint64_t methods = drmfault_record_raw(record, 0);
	const char *before = "; to recover: ";
	size_t i;

	fputs("the GPU is wedged", stdout);
	if (drmfault_record_raw_format(record) != DRMFAULT_RAW_WEDGED)
		return;
	for (i = 0; i < sizeof(recoveries) / sizeof(recoveries[0]); i++) {
		if (!(methods >> i & 1))
			continue;
		printf("%s%s", before, recoveries[i]);
		before = " or ";
	}
}

static void print_dump(const struct drmfault_record *record)
{
	char buffer[VALUE_TEXT];

	printf("the driver made a dump: /sys/class/devcoredump/%s",
	       clean_text(drmfault_record_engine(record), buffer, sizeof(buffer)));
}

static void print_headline(const struct drmfault_record *record)
{
	uint32_t type = drmfault_record_type(record);

	switch (type) {
	case DRMFAULT_RECORD_FAULT:
		print_fault(record);
		break;
	case DRMFAULT_RECORD_TIMEOUT:
		printf("job %" PRIu64 " did not end in time", drmfault_record_job_seqno(record));
		break;
	case DRMFAULT_RECORD_RESET:
		fputs(drmfault_record_engine_class(record) ? "the engine was reset"
							   : "the GPU was reset",
		      stdout);
		break;
	case DRMFAULT_RECORD_WEDGED:
		print_wedged(record);
		break;
	case DRMFAULT_RECORD_DUMP:
		print_dump(record);
		break;
	case DRMFAULT_RECORD_LOST:
		printf("%" PRIu64 " events were lost: this reader was too slow",
		       drmfault_record_lost(record));
		break;
	default:
		printf("a record of type %" PRIu32 ", which this program does not know", type);
	}
	if (drmfault_record_flags(record) & DRMFAULT_FLAG_REPEAT)
		printf(", %" PRIu64 " more", drmfault_record_count(record));
	else if (drmfault_record_count(record) > 1)
		printf(", %" PRIu64 " times", drmfault_record_count(record));
	putchar('\n');
}

static void print_engine(const struct drmfault_record *record)
{
	uint32_t class = drmfault_record_engine_class(record);
	const char *name = drmfault_record_engine(record);
	char buffer[VALUE_TEXT];

	if ((!*name && !class) || drmfault_record_type(record) == DRMFAULT_RECORD_DUMP)
		return;
	printf("  on %s", clean_text(name, buffer, sizeof(buffer)));
	if (class)
		printf("%s%s %" PRIu32 "%s", *name ? " (" : "",
		       or_number(drmfault_engine_class_name(class), class, buffer, sizeof(buffer)),
		       drmfault_record_engine_instance(record), *name ? ")" : "");
}

/* What the words above say already is not said twice. */
static void print_flags(const struct drmfault_record *record)
{
	uint32_t flags = drmfault_record_flags(record);
	unsigned int bit;

	flags &= ~(DRMFAULT_FLAG_LOST | DRMFAULT_FLAG_REPEAT | DRMFAULT_FLAG_OWNER_UNKNOWN);
	for (bit = 0; bit < 32 && flags >> bit; bit++)
		if (flags >> bit & 1 && drmfault_flag_name(bit))
			printf("  %s", drmfault_flag_name(bit));
}

static void print_details(const struct drmfault_record *record)
{
	uint32_t ip_type = drmfault_record_ip_type(record);
	char buffer[VALUE_TEXT];

	if (*drmfault_record_comm(record))
		printf(INDENT "%s[%" PRIu32 "]",
		       clean_text(drmfault_record_comm(record), buffer, sizeof(buffer)),
		       drmfault_record_pid(record));
	else
		fputs(INDENT "unknown process", stdout);
	print_engine(record);
	if (ip_type)
		printf("  ip 0x%012" PRIx64 " (%s)", drmfault_record_ip(record),
		       or_number(drmfault_ip_type_name(ip_type), ip_type, buffer, sizeof(buffer)));
	printf("  gpu%" PRIu32 "  incident %" PRIu64, drmfault_record_device_id(record),
	       drmfault_record_group_id(record));
	print_flags(record);
	putchar('\n');
}

void print_record_at(const struct drmfault_record *record, const struct wall_clock *clock)
{
	if (drmfault_record_type(record) == DRMFAULT_RECORD_LOST) {
		fputs(INDENT, stdout);
		print_headline(record);
		return;
	}
	print_time(drmfault_record_timestamp_ns(record), clock);
	print_headline(record);
	print_details(record);
	if (drmfault_record_lost(record))
		printf(INDENT "%" PRIu64 " events before it were dropped\n",
		       drmfault_record_lost(record));
}

void print_record_text(const struct drmfault_record *record)
{
	const struct wall_clock clock = clock_now();

	print_record_at(record, &clock);
}

void print_record_long(const struct drmfault_record *record)
{
	char text[VALUE_TEXT];
	size_t i;

	for (i = 0; i < field_count; i++) {
		struct value value = field_value(&fields[i], record);

		printf("    %-16s %s", fields[i].name, value_text(&value, text, sizeof(text)));
		if (fields[i].unit)
			printf(" %s", fields[i].unit);
		putchar('\n');
	}
}
