// SPDX-License-Identifier: MIT
/* What sections hold, looked at once, when a dump is opened. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"

#define RECORDS_MAX    (UINT64_C(1) << 20)
#define HOST_LINES_MAX 65536

static const uint32_t tables[] = { DRM_FAULT_DUMP_CONTEXTS, DRM_FAULT_DUMP_RECORDS,
				   DRM_FAULT_DUMP_BINDINGS };

bool dump_is_table(uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i] == type)
			return true;
	return false;
}

static int load_table(struct drmfault_dump *dump, struct dump_section *section, uint32_t number)
{
	uint64_t count, room;

	if (section->length >= sizeof(struct drm_fault_dump_table)) {
		section->stride = (uint32_t)dump_number(dump->bytes + section->at, 4);
		count = dump_number(dump->bytes + section->at + 4, 4);
		room = section->length - sizeof(struct drm_fault_dump_table);
		if (section->stride >= DUMP_ALIGN && section->stride % DUMP_ALIGN == 0) {
			section->count = room / section->stride;
			if (section->count > count)
				section->count = count;
			if (section->count == count && count * section->stride == room)
				return 0;
		}
	}
	/* That one ends too early was told. */
	return section->cut_off ? 0
				: dump_complain(dump, DRMFAULT_DAMAGE_TABLE, number, section->at);
}

/* What lies behind the last end is no string. */
static int load_strings(struct drmfault_dump *dump, const struct dump_section *section,
			uint32_t number)
{
	const char *strings = (const char *)dump->bytes + section->at;
	uint64_t length = section->length;

	if (dump->strings)
		return dump_complain(dump, DRMFAULT_DAMAGE_STRINGS, number, section->at);
	while (length && strings[length - 1])
		length--;
	if (length) {
		dump->strings = strings;
		dump->strings_length = length;
	}
	if (section->cut_off || (length && length == section->length && !*strings))
		return 0;
	return dump_complain(dump, DRMFAULT_DAMAGE_STRINGS, number, section->at);
}

static uint64_t count_records(const struct drmfault_dump *dump, uint64_t *bytes)
{
	uint64_t count = 0;
	size_t i;

	*bytes = 0;
	for (i = 0; i < dump->section_count; i++) {
		const struct dump_section *section = &dump->sections[i];

		if (section->type != DRM_FAULT_DUMP_RECORDS)
			continue;
		count += section->count;
		*bytes += section->count * section->stride;
	}
	return count;
}

/* In its place from the file's order of bytes to this machine's, as far as it is known. */
static void convert_record(char *bytes, size_t stride)
{
	struct drm_fault_record record = { 0 };

	dump_decode(&dump_shape_record, (const uint8_t *)bytes, stride, &record, sizeof(record));
	memcpy(bytes, &record, stride < sizeof(record) ? stride : sizeof(record));
}

static void load_records(struct drmfault_dump *dump, char *bytes, uint64_t most)
{
	uint64_t done = 0, j;
	size_t i;

	for (i = 0; i < dump->section_count; i++) {
		const struct dump_section *section = &dump->sections[i];
		const uint8_t *from =
			dump->bytes + section->at + sizeof(struct drm_fault_dump_table);

		if (section->type != DRM_FAULT_DUMP_RECORDS)
			continue;
		for (j = 0; j < section->count && done < most; j++, done++) {
			memcpy(bytes, from + j * section->stride, section->stride);
			convert_record(bytes, section->stride);
			drmfault_snapshot_set(dump->snapshot, done, bytes, section->stride);
			bytes += section->stride;
		}
	}
}

static int load_snapshot(struct drmfault_dump *dump)
{
	struct drmfault_dump_lost lost = { .size = sizeof(lost) };
	uint64_t size, count = count_records(dump, &size);
	char *bytes = malloc(size ? size : 1);
	int ret = 0;

	if (!bytes)
		return -ENOMEM;
	if (count > RECORDS_MAX) {
		count = RECORDS_MAX;
		ret = dump_complain(dump, DRMFAULT_DAMAGE_TOO_MUCH, DRMFAULT_DUMP_HEADER,
				    dump->size);
	}
	if (ret) {
		free(bytes);
		return ret;
	}
	ret = drmfault_snapshot_new(NULL, bytes, count, &dump->snapshot);
	if (ret)
		return ret;
	load_records(dump, bytes, count);
	if (drmfault_dump_lost(dump, 0, &lost))
		drmfault_snapshot_sum(dump->snapshot);
	else
		drmfault_snapshot_set_sums(dump->snapshot, lost.events, lost.lost);
	return 0;
}

/* Each line becomes a string, in a copy. */
static int load_host_lines(struct drmfault_dump *dump, char *text, const char *end,
			   const struct dump_section *section, uint32_t number)
{
	const char *start = text;
	char *next;
	int ret = 0;

	for (; !ret && text < end; text = next) {
		next = memchr(text, '\n', (size_t)(end - text));
		next = next ? next : (char *)end;
		*next++ = '\0';
		if (dump->host_count == HOST_LINES_MAX)
			return dump_complain(dump, DRMFAULT_DAMAGE_TOO_MUCH, number, section->at);
		if (!strchr(text, '=') || *text == '=' || strlen(text) + 1 != (size_t)(next - text))
			ret = dump_complain(dump, DRMFAULT_DAMAGE_HOST, number,
					    section->at + (uint64_t)(text - start));
		dump->host_lines[dump->host_count++] = text;
	}
	return ret;
}

static size_t count_lines(const struct drmfault_dump *dump, uint64_t *bytes)
{
	size_t i, lines = 0;
	uint64_t j;

	*bytes = 0;
	for (i = 0; i < dump->section_count; i++) {
		const struct dump_section *section = &dump->sections[i];

		if (section->type != DRM_FAULT_DUMP_HOST)
			continue;
		*bytes += section->length + 1;
		lines++;
		for (j = 0; j < section->length; j++)
			lines += dump->bytes[section->at + j] == '\n';
	}
	return lines < HOST_LINES_MAX ? lines : HOST_LINES_MAX;
}

static int load_host(struct drmfault_dump *dump)
{
	uint64_t size;
	size_t i, lines = count_lines(dump, &size);
	char *text;
	int ret = 0;

	if (!size)
		return 0;
	dump->host_lines = calloc(lines, sizeof(*dump->host_lines));
	dump->host = text = malloc(size);
	if (!dump->host_lines || !text)
		return -ENOMEM;
	for (i = 0; !ret && i < dump->section_count; i++) {
		const struct dump_section *section = &dump->sections[i];

		if (section->type != DRM_FAULT_DUMP_HOST)
			continue;
		memcpy(text, dump->bytes + section->at, section->length);
		ret = load_host_lines(dump, text, text + section->length, section, (uint32_t)i);
		text += section->length + 1;
	}
	return ret;
}

static int check_name(struct drmfault_dump *dump, uint32_t number, uint64_t at)
{
	if (drmfault_dump_string(dump, (uint32_t)dump_number(dump->bytes + at, 4)))
		return 0;
	return dump_complain(dump, DRMFAULT_DAMAGE_NAME, number, at);
}

static int check_application(struct drmfault_dump *dump, const struct dump_section *section,
			     uint32_t number)
{
	static const size_t names[] = {
		offsetof(struct drm_fault_dump_application, application_name),
		offsetof(struct drm_fault_dump_application, engine_name),
		offsetof(struct drm_fault_dump_application, device_name),
		offsetof(struct drm_fault_dump_application, driver_name),
	};
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] + 4 <= section->length)
			ret = check_name(dump, number, section->at + names[i]);
	return ret;
}

static int check_bindings(struct drmfault_dump *dump, const struct dump_section *section,
			  uint32_t number)
{
	const size_t name = offsetof(struct drm_fault_dump_binding, name);
	uint64_t i;
	int ret = 0;

	for (i = 0; !ret && i < section->count && name + 4 <= section->stride; i++)
		ret = check_name(dump, number,
				 section->at + sizeof(struct drm_fault_dump_table) +
					 i * section->stride + name);
	return ret;
}

/* Once the strings are known, which may come last. */
static int check_names(struct drmfault_dump *dump)
{
	size_t i;
	int ret = 0;

	/* Where the file is cut off they may have been in what is missing. */
	for (i = 0; !ret && !dump->cut_off && i < dump->section_count; i++) {
		const struct dump_section *section = &dump->sections[i];

		if (section->type == DRM_FAULT_DUMP_APPLICATION)
			ret = check_application(dump, section, (uint32_t)i);
		else if (section->type == DRM_FAULT_DUMP_BINDINGS)
			ret = check_bindings(dump, section, (uint32_t)i);
	}
	return ret;
}

int dump_load(struct drmfault_dump *dump)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < dump->section_count; i++) {
		struct dump_section *section = &dump->sections[i];

		if (dump_is_table(section->type))
			ret = load_table(dump, section, (uint32_t)i);
		else if (section->type == DRM_FAULT_DUMP_STRINGS)
			ret = load_strings(dump, section, (uint32_t)i);
	}
	if (!ret)
		ret = load_snapshot(dump);
	if (!ret)
		ret = load_host(dump);
	return ret ? ret : check_names(dump);
}
