// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tool.h"

#define NS_PER_S  1000000000
#define NS_PER_US 1000

/* The kernel counts from boot; people look at the clock on the wall. */
static void print_time(uint64_t monotonic_ns)
{
	struct timespec wall, monotonic;
	struct tm local;
	char text[32];
	int64_t ns;
	time_t seconds;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	ns = (int64_t)monotonic_ns + (wall.tv_sec - monotonic.tv_sec) * NS_PER_S + wall.tv_nsec -
	     monotonic.tv_nsec;
	seconds = ns / NS_PER_S;
	localtime_r(&seconds, &local);
	strftime(text, sizeof(text), "%H:%M:%S", &local);
	printf("%s.%06d  ", text, (int)(ns % NS_PER_S / NS_PER_US));
}

/* A process may call itself what it likes; a terminal must not obey it. */
static void print_safely(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
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
	case DRMFAULT_RECORD_LOST:
		printf("%" PRIu64 " events were lost: this reader was too slow",
		       drmfault_record_lost(record));
		break;
	default:
		printf("a record of type %" PRIu32 ", which this program does not know", type);
	}
	if (drmfault_record_count(record) > 1)
		printf(", %" PRIu64 " times", drmfault_record_count(record));
	putchar('\n');
}

static void print_engine(const struct drmfault_record *record)
{
	uint32_t class = drmfault_record_engine_class(record);
	const char *name = drmfault_record_engine(record);
	char buffer[32];

	if (!*name && !class)
		return;
	fputs("  on ", stdout);
	print_safely(name);
	if (class)
		printf("%s%s %" PRIu32 "%s", *name ? " (" : "",
		       or_number(drmfault_engine_class_name(class), class, buffer, sizeof(buffer)),
		       drmfault_record_engine_instance(record), *name ? ")" : "");
}

static void print_flags(uint32_t flags)
{
	unsigned int bit;

	for (bit = 0; bit < 32; bit++)
		if (flags >> bit & 1 && drmfault_flag_name(bit))
			printf("  %s", drmfault_flag_name(bit));
}

static void print_details(const struct drmfault_record *record)
{
	uint32_t ip_type = drmfault_record_ip_type(record);
	char buffer[32];

	fputs("                 ", stdout);
	if (*drmfault_record_comm(record)) {
		print_safely(drmfault_record_comm(record));
		printf("[%" PRIu32 "]", drmfault_record_pid(record));
	} else {
		fputs("unknown process", stdout);
	}
	print_engine(record);
	if (ip_type)
		printf("  ip 0x%012" PRIx64 " (%s)", drmfault_record_ip(record),
		       or_number(drmfault_ip_type_name(ip_type), ip_type, buffer, sizeof(buffer)));
	printf("  gpu%" PRIu32 "  incident %" PRIu64, drmfault_record_device_id(record),
	       drmfault_record_group_id(record));
	print_flags(drmfault_record_flags(record));
	putchar('\n');
}

int print_record_text(const struct drmfault_record *record)
{
	uint32_t type = drmfault_record_type(record);

	if (type == DRMFAULT_RECORD_LOST)
		fputs("                 ", stdout);
	else
		print_time(drmfault_record_timestamp_ns(record));
	print_headline(record);
	if (type != DRMFAULT_RECORD_LOST)
		print_details(record);
	if (type != DRMFAULT_RECORD_LOST && drmfault_record_lost(record))
		printf("                 %" PRIu64 " events before it were dropped\n",
		       drmfault_record_lost(record));
	return EXIT_SUCCESS;
}
