// SPDX-License-Identifier: MIT
#include <inttypes.h>

#include "internal.h"

#define LOOKUP(table, value, otherwise) \
	((value) < sizeof(table) / sizeof((table)[0]) ? (table)[(value)] : (otherwise))

static const char *const accesses[] = {
	[DRMFAULT_ACCESS_UNKNOWN] = "access to", [DRMFAULT_ACCESS_READ] = "read from",
	[DRMFAULT_ACCESS_WRITE] = "write to",	 [DRMFAULT_ACCESS_EXECUTE] = "execute at",
	[DRMFAULT_ACCESS_ATOMIC] = "atomic at",
};

static uint64_t canonical(const struct drmfault_record *record, uint64_t address)
{
	return drmfault_canonical(address, drmfault_record_address_bits(record));
}

static void describe_access(struct text *text, const struct drmfault_record *record)
{
	const char *why = drmfault_type_name(drmfault_record_fault_type(record));

	text_add(text, "%s ", LOOKUP(accesses, drmfault_record_access(record), "access to"));
	if (drmfault_record_address_precision(record))
		text_add(text, "0x%" PRIx64, canonical(record, drmfault_record_address(record)));
	else
		text_add(text, "an unknown address");
	if (why)
		text_add(text, " (%s)", why);
}

static void describe_engine(struct text *text, const struct drmfault_record *record)
{
	const char *class = drmfault_engine_class_name(drmfault_record_engine_class(record));

	if (*drmfault_record_engine(record))
		text_add_name(text, drmfault_record_engine(record));
	else if (class)
		text_add(text, "%s%" PRIu32, class, drmfault_record_engine_instance(record));
	else
		text_add(text, "an unknown engine");
}

/* What happened, to what, where. */
void describe_record(struct text *text, const struct drmfault_record *record)
{
	switch (drmfault_record_type(record)) {
	case DRMFAULT_RECORD_FAULT:
		text_add(text, "GPU page fault: ");
		describe_access(text, record);
		text_add(text, ", ");
		break;
	case DRMFAULT_RECORD_TIMEOUT:
		text_add(text, "GPU job timeout: ");
		break;
	case DRMFAULT_RECORD_WEDGED:
		text_add(text, "GPU wedged");
		return;
	default:
		text_add(text, "GPU reset: ");
		break;
	}
	describe_engine(text, record);
	if (drmfault_record_ip_type(record))
		text_add(text, ", ip 0x%" PRIx64, canonical(record, drmfault_record_ip(record)));
}

/* The first fault is the one that matters; the rest may be what it led to. */
static const struct drmfault_record *first_of(const struct drmfault_snapshot *snapshot,
					      size_t *known)
{
	const struct drmfault_record *first = NULL, *record;
	size_t i;

	*known = 0;
	for (i = 0; snapshot && (record = drmfault_snapshot_record(snapshot, i)); i++) {
		if (!record_is_known(record))
			continue;
		(*known)++;
		if (!first || (drmfault_record_type(first) != DRMFAULT_RECORD_FAULT &&
			       drmfault_record_type(record) == DRMFAULT_RECORD_FAULT))
			first = record;
	}
	return first;
}

void describe_snapshot(const struct drmfault_snapshot *snapshot, char *room, size_t size)
{
	uint64_t lost = snapshot ? drmfault_snapshot_lost(snapshot) : 0;
	const struct drmfault_record *first;
	struct text text;
	size_t known;

	text_begin(&text, room, size);
	first = first_of(snapshot, &known);
	if (first)
		describe_record(&text, first);
	else
		text_add(&text, "No GPU fault is recorded for this device");
	if (first && drmfault_record_type(first) != DRMFAULT_RECORD_FAULT)
		text_add(&text, "; no page fault");
	if (known > 1)
		text_add(&text, "; %zu more", known - 1);
	if (lost)
		text_add(&text, "; %" PRIu64 " lost", lost);
}
