// SPDX-License-Identifier: MIT
#include "relation.h"

#define NULL_END ((uint64_t)64 << 10)
#define NEAR	 ((uint64_t)64 << 10)
#define LOW_END	 ((uint64_t)4 << 30)

/* Distances count, so that an object at the end of all addresses is no special case. */
static const char *to_object(const struct drmfault_dump *dump, uint64_t address, uint32_t bits)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	const char *found = NULL;
	size_t i;

	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++) {
		uint64_t distance = address - drmfault_canonical(binding.address, bits);

		if (distance < binding.length && !binding.unbound_ns)
			return "in-object";
		if (distance < binding.length)
			found = "freed-object";
		else if (distance - binding.length < NEAR && !found)
			found = "past-object";
	}
	return found;
}

const char *address_relation(const struct drmfault_dump *dump, const struct drmfault_record *record)
{
	uint32_t bits = drmfault_record_address_bits(record);
	uint64_t address = drmfault_canonical(drmfault_record_address(record), bits);
	const char *object;

	if (!drmfault_record_address_precision(record))
		return "none";
	if (address < NULL_END)
		return "null";
	object = to_object(dump, address, bits);
	if (object)
		return object;
	if (address < LOW_END)
		return "low";
	return address >> 63 ? "high" : "middle";
}
