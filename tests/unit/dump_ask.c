// SPDX-License-Identifier: MIT
#include <string.h>

#include "dump_ask.h"

static uint64_t look(const void *bytes, uint64_t size)
{
	const uint8_t *byte = bytes;
	uint64_t sum = 0;

	while (size--)
		sum += *byte++;
	return sum;
}

static uint64_t ask_records(const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_record *record;
	uint64_t sum = 0;
	const void *bytes;
	size_t i, size;

	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++) {
		bytes = drmfault_record_bytes(record, &size);
		sum += look(bytes, size) + strlen(drmfault_record_comm(record)) +
		       strlen(drmfault_record_engine(record)) +
		       drmfault_record_raw(record, drmfault_record_raw_count(record) - 1);
	}
	return sum;
}

/* Structures hold no padding that is not set, so that every byte of them can be looked at. */
#define ASK(name)                                                            \
	do {                                                                 \
		struct drmfault_dump_##name name = { .size = sizeof(name) }; \
		size_t n;                                                    \
                                                                             \
		for (n = 0; !drmfault_dump_##name(dump, n, &name); n++)      \
			sum += look(&name, sizeof(name));                    \
	} while (0)

uint64_t dump_ask_everything(const struct drmfault_dump *dump)
{
	struct drmfault_dump_application app = { .size = sizeof(app) };
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct drmfault_dump_section section = { .size = sizeof(section) };
	uint64_t sum = ask_records(drmfault_dump_snapshot(dump));
	size_t i;

	ASK(meta);
	ASK(device);
	ASK(context);
	ASK(lost);
	ASK(finding);
	for (i = 0; !drmfault_dump_application(dump, i, &app); i++)
		sum += strlen(app.application_name) + strlen(app.engine_name) +
		       strlen(app.device_name) + strlen(app.driver_name);
	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++)
		sum += strlen(binding.name) + binding.address;
	for (i = 0; !drmfault_dump_section(dump, i, &section); i++)
		sum += look(section.bytes, section.length);
	for (i = 0; drmfault_dump_host(dump, i); i++)
		sum += strlen(drmfault_dump_host(dump, i));
	return sum;
}
