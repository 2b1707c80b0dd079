// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "crash.h"

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

static struct drmfault_told told_of(const VkDeviceFaultAddressInfoEXT *info, uint64_t time_ns)
{
	struct drmfault_told told = {
		.size = sizeof(told),
		.pid = (uint32_t)getpid(),
		.comm = program_invocation_short_name,
		.timestamp_ns = time_ns,
	};

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

/* A driver does not say when: it was before the loss, and not long. */
void crash_add_told(struct crash *crash)
{
	const struct answer *answer = crash->answer;
	bool has_address, has_ip;
	struct drmfault_told *told;
	uint32_t i, count = 0;

	look(crash->snapshot, &has_address, &has_ip);
	if (!answer->driver_address_count || has_address)
		return;
	told = calloc(answer->driver_address_count, sizeof(*told));
	for (i = 0; told && i < answer->driver_address_count; i++) {
		told[count] = told_of(&answer->addresses[i], crash->time_ns);
		count += !told[count].ip_type || !has_ip;
	}
	if (count && !drmfault_snapshot_with(crash->snapshot, told, count, &crash->told))
		crash->snapshot = crash->told;
	free(told);
}
