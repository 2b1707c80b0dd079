// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <string.h>

#include "internal.h"

static uint64_t byte(uint64_t value, unsigned int shift)
{
	return (value < 0xff ? value : 0xff) << shift;
}

static uint64_t code(const struct drmfault_record *record)
{
	return byte(DRMFAULT_VK_VENDOR_CODE_MARK, 56) |
	       byte(drmfault_record_flags(record) & 0xff, 48) |
	       byte(drmfault_record_engine_instance(record), 40) |
	       byte(drmfault_record_engine_class(record), 32) |
	       byte(drmfault_record_level(record), 24) | byte(drmfault_record_access(record), 16) |
	       byte(drmfault_record_fault_type(record), 8) | byte(drmfault_record_type(record), 0);
}

static uint64_t data(const struct drmfault_record *record)
{
	if (drmfault_record_type(record) == DRMFAULT_RECORD_FAULT ||
	    drmfault_record_type(record) == DRMFAULT_RECORD_WEDGED)
		return drmfault_record_raw(record, 0);
	return drmfault_record_job_seqno(record);
}

static void describe(const struct drmfault_record *record, char *room, size_t size)
{
	uint64_t time = drmfault_record_timestamp_ns(record);
	struct text text;

	text_begin(&text, room, size);
	describe_record(&text, record);
	if (drmfault_record_level(record))
		text_add(&text, ", level %" PRIu32, drmfault_record_level(record));
	text_add(&text, ", count %" PRIu64, drmfault_record_count(record));
	text_add(&text, ", at %" PRIu64 ".%06" PRIu64 " s", time / 1000000000,
		 time / 1000 % 1000000);
	if (drmfault_record_pid(record))
		text_add(&text, ", pid %" PRIu32, drmfault_record_pid(record));
	if (*drmfault_record_comm(record)) {
		text_add(&text, " ");
		text_add_name(&text, drmfault_record_comm(record));
	}
}

/* Those that have a vendor info and are counted in the description. */
bool record_is_known(const struct drmfault_record *record)
{
	uint32_t type = drmfault_record_type(record);

	return type == DRMFAULT_RECORD_FAULT || type == DRMFAULT_RECORD_TIMEOUT ||
	       type == DRMFAULT_RECORD_RESET || type == DRMFAULT_RECORD_WEDGED;
}

void vendor_of_record(const struct drmfault_record *record, struct vendor_list *list)
{
	VkDeviceFaultVendorInfoEXT *info;

	if (list->count++ >= list->capacity)
		return;
	info = &list->infos[list->count - 1];
	/* No byte of the application's old memory is left behind the text. */
	memset(info, 0, sizeof(*info));
	describe(record, info->description, sizeof(info->description));
	info->vendorFaultCode = code(record);
	info->vendorFaultData = data(record);
}
