// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "drmfault.h"
#include "seen.h"

struct drmfault_dump *seen_lose(struct app *app, VkDeviceAddress fault)
{
	app_lose(app, fault);
	return open_report();
}

static bool is_of(const struct drmfault_dump_binding *binding, VkObjectType type, uint64_t object)
{
	return binding->object_type == (uint32_t)type && binding->object == object;
}

size_t seen_count(const struct drmfault_dump *dump, VkObjectType type, uint64_t object)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	size_t i, count = 0;

	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++)
		count += is_of(&binding, type, object);
	return count;
}

/* Addresses come in either form. */
struct drmfault_dump_binding seen_at(const struct drmfault_dump *dump, VkObjectType type,
				     uint64_t object, VkDeviceAddress address, VkDeviceSize size)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) }, found = binding;
	size_t i, count = 0;

	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++) {
		if (!is_of(&binding, type, object) ||
		    drmfault_canonical(binding.address, DRMFAULT_ADDRESS_BITS_AUTO) !=
			    drmfault_canonical(address, DRMFAULT_ADDRESS_BITS_AUTO))
			continue;
		found = binding;
		count++;
	}
	if (count != 1)
		fail_msg("%zu bindings of type %d at 0x%" PRIx64, count, (int)type, address);
	assert_int_equal(found.length, size);
	return found;
}

void seen_verdict(const struct drmfault_dump *dump, const char *words)
{
	const char *verdict = host_value(dump, "verdict");

	if (!strstr(verdict, words))
		fail_msg("\"%s\" is not in \"%s\"", words, verdict);
}
