// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "report.h"

uint64_t report_flat(uint64_t address, uint32_t bits)
{
	return bits && bits < 64 ? address & ((UINT64_C(1) << bits) - 1) : address;
}

struct span report_record_span(const struct drmfault_record *record, uint32_t bits)
{
	struct span span;

	drmfault_range(report_flat(drmfault_record_address(record), bits),
		       drmfault_record_address_precision(record), &span.first, &span.last);
	return span;
}

struct span report_binding_span(const struct drmfault_dump_binding *binding, uint32_t bits)
{
	struct span span = { .first = report_flat(binding->address, bits) };

	span.last = span.first + (binding->length ? binding->length - 1 : 0);
	/* What goes around the end of all addresses ends there. */
	if (span.last < span.first)
		span.last = UINT64_MAX;
	return span;
}

uint64_t report_distance(struct span a, struct span b)
{
	if (a.last < b.first)
		return b.first - a.last - 1;
	return b.last < a.first ? a.first - b.last - 1 : 0;
}

int report_by_address(const void *a, const void *b)
{
	const struct near_object *x = a, *y = b;

	if (x->span.first != y->span.first)
		return x->span.first < y->span.first ? -1 : 1;
	if (x->span.last != y->span.last)
		return x->span.last > y->span.last ? -1 : 1;
	return x->binding.bound_ns < y->binding.bound_ns
		       ? -1
		       : x->binding.bound_ns > y->binding.bound_ns;
}

/* Puts it where @is_before() of the others ends, if that is among the first. */
static size_t
near_insert(struct near_object near[NEAR_MAX], size_t count, const struct near_object *object,
	    bool (*is_before)(const struct near_object *a, const struct near_object *b))
{
	size_t at = count;

	while (at && is_before(object, &near[at - 1]))
		at--;
	if (at == NEAR_MAX)
		return count;
	if (count < NEAR_MAX)
		count++;
	memmove(near + at + 1, near + at, (count - at - 1) * sizeof(*near));
	near[at] = *object;
	return count;
}

static bool is_nearer(const struct near_object *a, const struct near_object *b)
{
	return a->distance < b->distance;
}

static bool ended_later(const struct near_object *a, const struct near_object *b)
{
	return a->binding.unbound_ns > b->binding.unbound_ns;
}

size_t report_near(const struct drmfault_dump *dump, struct span span, uint32_t bits,
		   struct near_object near[NEAR_MAX])
{
	struct near_object object = { .binding.size = sizeof(object.binding) };
	size_t count = 0, i;

	for (i = 0; !drmfault_dump_binding(dump, i, &object.binding); i++) {
		object.span = report_binding_span(&object.binding, bits);
		object.distance = report_distance(object.span, span);
		count = near_insert(near, count, &object, is_nearer);
	}
	qsort(near, count, sizeof(*near), report_by_address);
	return count;
}

size_t report_ended(const struct drmfault_dump *dump, struct near_object near[NEAR_MAX])
{
	struct near_object object = { .binding.size = sizeof(object.binding) };
	size_t count = 0, i;

	for (i = 0; !drmfault_dump_binding(dump, i, &object.binding); i++) {
		if (!object.binding.unbound_ns)
			continue;
		object.span = report_binding_span(&object.binding, 0);
		count = near_insert(near, count, &object, ended_later);
	}
	return count;
}

const struct drmfault_record *report_main_record(const struct drmfault_dump *dump)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	size_t i;

	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (drmfault_record_type(record) == DRMFAULT_RECORD_FAULT &&
		    drmfault_record_address_precision(record))
			return record;
	}
	return drmfault_snapshot_count(snapshot) ? drmfault_snapshot_record(snapshot, 0) : NULL;
}

uint32_t report_address_bits(const struct drmfault_dump *dump)
{
	const struct drmfault_record *record = report_main_record(dump);
	struct drmfault_dump_device device = { .size = sizeof(device) };

	if (record && drmfault_record_address_bits(record))
		return drmfault_record_address_bits(record);
	return drmfault_dump_device(dump, 0, &device) ? 0 : device.address_bits;
}
