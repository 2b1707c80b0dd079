// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <unistd.h>

#include "crash.h"
#include "program.h"

static const struct {
	enum drmfault_access access;
	enum drmfault_ip_type ip_type;
} meanings[] = {
	[VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT] = { .access = DRMFAULT_ACCESS_READ },
	[VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT] = { .access = DRMFAULT_ACCESS_WRITE },
	[VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT] = { .access = DRMFAULT_ACCESS_EXECUTE },
	[VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT] = { .ip_type =
										   DRMFAULT_IP_UNKNOWN },
	[VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT] = { .ip_type =
										   DRMFAULT_IP_INVALID },
	[VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT] = { .ip_type =
										 DRMFAULT_IP_FAULT },
};

/* @process: what all of them have in common. */
static struct drmfault_told told_of(const VkDeviceFaultAddressInfoEXT *info,
				    const struct drmfault_told *process)
{
	struct drmfault_told told = *process;

	if ((size_t)info->addressType < sizeof(meanings) / sizeof(meanings[0])) {
		told.access = meanings[info->addressType].access;
		told.ip_type = meanings[info->addressType].ip_type;
	}
	if (told.ip_type) {
		told.ip = info->reportedAddress;
		told.ip_precision = info->addressPrecision;
	} else {
		told.address = info->reportedAddress;
		told.precision = info->addressPrecision;
	}
	return told;
}

/* What the kernel recorded of its own: an address, an instruction pointer. */
static void look(const struct drmfault_snapshot *snapshot, bool *address, bool *ip)
{
	const struct drmfault_record *record;
	size_t i;

	*address = *ip = false;
	for (i = 0; snapshot && (record = drmfault_snapshot_record(snapshot, i)); i++) {
		if (drmfault_record_type(record) == DRMFAULT_RECORD_FAULT &&
		    drmfault_record_address_precision(record))
			*address = true;
		if (drmfault_record_ip_type(record))
			*ip = true;
	}
}

/* The first ones and the last one, which counts those between; how many. */
static size_t take(const struct answer *answer, const struct drmfault_told *process, bool has_ip,
		   struct drmfault_told *told)
{
	struct drmfault_told next;
	size_t count = 0;
	uint32_t i;

	for (i = 0; i < answer->driver_address_count; i++) {
		next = told_of(&answer->addresses[i], process);
		if (next.ip_type && has_ip)
			continue;
		if (count == CRASH_TOLD_MAX)
			next.lost = told[--count].lost + 1;
		told[count++] = next;
	}
	return count;
}

/* A driver does not say when: it was before the loss, and not long. */
void crash_add_told(struct crash *crash)
{
	char program[PROGRAM_NAME_SIZE];
	const struct drmfault_told process = {
		.size = sizeof(process),
		.pid = (uint32_t)getpid(),
		.comm = program,
		.timestamp_ns = crash->time_ns,
	};
	struct drmfault_told *told;
	bool has_address, has_ip;
	size_t count;

	look(crash->snapshot, &has_address, &has_ip);
	if (has_address)
		return;
	told = calloc(CRASH_TOLD_MAX, sizeof(*told));
	if (!told)
		return;
	program_name(program, sizeof(program));
	count = take(crash->answer, &process, has_ip, told);
	if (count && !drmfault_snapshot_with(crash->snapshot, told, count, &crash->told)) {
		crash->snapshot = crash->told;
		crash->left_out = told[count - 1].lost;
	}
	free(told);
}
