// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "dump.h"

DRMFAULT_API enum drmfault_dump_form drmfault_dump_form(const struct drmfault_dump *dump)
{
	return dump->form;
}

/* As much of @from as the caller's structure has room for; its size stays. */
static int give(void *to, const void *from, size_t from_size)
{
	size_t size;

	memcpy(&size, to, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	memset((char *)to + sizeof(size), 0, size - sizeof(size));
	if (from_size > size)
		from_size = size;
	memcpy((char *)to + sizeof(size), (const char *)from + sizeof(size),
	       from_size - sizeof(size));
	return 0;
}

DRMFAULT_API size_t drmfault_dump_finding_count(const struct drmfault_dump *dump)
{
	return dump->finding_count;
}

DRMFAULT_API int drmfault_dump_finding(const struct drmfault_dump *dump, size_t i,
				       struct drmfault_dump_finding *finding)
{
	if (i >= dump->finding_count)
		return -ENOENT;
	return give(finding, &dump->findings[i], sizeof(*finding));
}

DRMFAULT_API size_t drmfault_dump_section_count(const struct drmfault_dump *dump)
{
	return dump->section_count;
}

DRMFAULT_API int drmfault_dump_section(const struct drmfault_dump *dump, size_t i,
				       struct drmfault_dump_section *section)
{
	struct drmfault_dump_section s = { .size = sizeof(s) };

	if (i >= dump->section_count)
		return -ENOENT;
	s.type = dump->sections[i].type;
	s.flags = dump->sections[i].flags;
	s.offset = dump->sections[i].at;
	s.length = dump->sections[i].length;
	s.bytes = dump->bytes + dump->sections[i].at;
	return give(section, &s, sizeof(s));
}

DRMFAULT_API const struct drmfault_snapshot *
drmfault_dump_snapshot(const struct drmfault_dump *dump)
{
	return dump->snapshot;
}

static const uint8_t *entry(const struct drmfault_dump *dump, uint32_t type, uint64_t i,
			    uint64_t *length)
{
	size_t s;

	for (s = 0; s < dump->section_count; s++) {
		const struct dump_section *section = &dump->sections[s];
		bool table = dump_is_table(type);
		uint64_t count = table ? section->count : 1;

		if (section->type != type)
			continue;
		if (i < count) {
			*length = table ? section->stride : section->length;
			return dump->bytes + section->at +
			       (table ? sizeof(struct drm_fault_dump_table) + i * section->stride
				      : 0);
		}
		i -= count;
	}
	return NULL;
}

/* @file_size of the newest structure that this library knows. */
static int get(const struct drmfault_dump *dump, uint32_t type, uint64_t i,
	       const struct dump_shape *shape, void *to, const uint8_t **file, uint64_t *length)
{
	size_t size;

	*file = entry(dump, type, i, length);
	if (!*file)
		return -ENOENT;
	memcpy(&size, to, sizeof(size));
	if (size < sizeof(size))
		return -EINVAL;
	memset((char *)to + sizeof(size), 0, size - sizeof(size));
	dump_decode(shape, *file, *length, to, size);
	return 0;
}

#define GETTER(name, type)                                                                \
	DRMFAULT_API int drmfault_dump_##name(const struct drmfault_dump *dump, size_t i, \
					      struct drmfault_dump_##name *name)          \
	{                                                                                 \
		const uint8_t *file;                                                      \
		uint64_t length;                                                          \
                                                                                          \
		return get(dump, type, i, &dump_shape_##name, name, &file, &length);      \
	}

GETTER(meta, DRM_FAULT_DUMP_META)
GETTER(device, DRM_FAULT_DUMP_DEVICE)
GETTER(context, DRM_FAULT_DUMP_CONTEXTS)
GETTER(lost, DRM_FAULT_DUMP_LOST)

static const char *name_at(const struct drmfault_dump *dump, const uint8_t *file, uint64_t length,
			   size_t at)
{
	const char *name = NULL;

	if (at + 4 <= length)
		name = drmfault_dump_string(dump, (uint32_t)dump_number(file + at, 4));
	return name ? name : "";
}

DRMFAULT_API int drmfault_dump_application(const struct drmfault_dump *dump, size_t i,
					   struct drmfault_dump_application *application)
{
	const uint8_t *file;
	uint64_t length;
	int ret;

	if (application->size < offsetof(struct drmfault_dump_application, application_version))
		return -EINVAL;
	ret = get(dump, DRM_FAULT_DUMP_APPLICATION, i, &dump_shape_application, application, &file,
		  &length);
	if (ret)
		return ret;
#define NAME(member) \
	name_at(dump, file, length, offsetof(struct drm_fault_dump_application, member))
	application->application_name = NAME(application_name);
	application->engine_name = NAME(engine_name);
	application->device_name = NAME(device_name);
	application->driver_name = NAME(driver_name);
#undef NAME
	return 0;
}

DRMFAULT_API int drmfault_dump_binding(const struct drmfault_dump *dump, size_t i,
				       struct drmfault_dump_binding *binding)
{
	const uint8_t *file;
	uint64_t length;
	int ret;

	if (binding->size < offsetof(struct drmfault_dump_binding, address))
		return -EINVAL;
	ret = get(dump, DRM_FAULT_DUMP_BINDINGS, i, &dump_shape_binding, binding, &file, &length);
	if (!ret)
		binding->name =
			name_at(dump, file, length, offsetof(struct drm_fault_dump_binding, name));
	return ret;
}

DRMFAULT_API const char *drmfault_dump_host(const struct drmfault_dump *dump, size_t i)
{
	return i < dump->host_count ? dump->host_lines[i] : NULL;
}

DRMFAULT_API const char *drmfault_dump_string(const struct drmfault_dump *dump, uint32_t offset)
{
	if (offset < dump->strings_length)
		return dump->strings + offset;
	return offset ? NULL : "";
}

static const struct {
	uint32_t type;
	const char *name;
} types[] = {
	{ DRM_FAULT_DUMP_META, "meta" },
	{ DRM_FAULT_DUMP_DEVICE, "device" },
	{ DRM_FAULT_DUMP_CONTEXTS, "contexts" },
	{ DRM_FAULT_DUMP_RECORDS, "records" },
	{ DRM_FAULT_DUMP_ENGINE, "engine" },
	{ DRM_FAULT_DUMP_LOST, "lost" },
	{ DRM_FAULT_DUMP_APPLICATION, "application" },
	{ DRM_FAULT_DUMP_BINDINGS, "bindings" },
	{ DRM_FAULT_DUMP_STRINGS, "strings" },
	{ DRM_FAULT_DUMP_HOST, "host" },
};

DRMFAULT_API const char *drmfault_dump_type_name(uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

static const char *const damages[] = {
	[DRMFAULT_DAMAGE_HEADER] = "impossible sizes",
	[DRMFAULT_DAMAGE_CHECKSUM] = "wrong checksum",
	[DRMFAULT_DAMAGE_CUT_OFF] = "cut off",
	[DRMFAULT_DAMAGE_TRAILING] = "more bytes than there should be",
	[DRMFAULT_DAMAGE_SECTION_COUNT] = "wrong number of sections",
	[DRMFAULT_DAMAGE_GAP] = "gap that is not zeros",
	[DRMFAULT_DAMAGE_TABLE] = "impossible table",
	[DRMFAULT_DAMAGE_STRINGS] = "malformed strings",
	[DRMFAULT_DAMAGE_NAME] = "name out of bounds",
	[DRMFAULT_DAMAGE_HOST] = "malformed line",
	[DRMFAULT_DAMAGE_TOO_MUCH] = "more than can be read",
};

DRMFAULT_API const char *drmfault_dump_damage_name(uint32_t damage)
{
	return damage < sizeof(damages) / sizeof(damages[0]) ? damages[damage] : NULL;
}
