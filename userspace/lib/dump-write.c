// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dump.h"
#include "dump-sink.h"

#define BUFFER 4096

/* Sections come in one shape: a function that puts what the section holds. */
typedef void (*put_function)(struct sink *sink, const struct drmfault_dump_content *content,
			     const void *what);

static void put_section_header(struct sink *sink, uint32_t type, uint32_t flags, uint64_t length,
			       uint32_t crc)
{
	sink_put_number(sink, 4, type);
	sink_put_number(sink, 4, flags);
	sink_put_number(sink, 8, length);
	sink_put_number(sink, 4, crc);
	sink_put_number(sink, 4, 0);
}

static void put_section(struct sink *sink, uint32_t type, put_function function,
			const struct drmfault_dump_content *content, const void *what)
{
	struct sink measured = SINK_MEASURES;

	measured.only_counts = sink->only_counts;
	function(&measured, content, what);
	put_section_header(sink, type, 0, measured.count, measured.crc);
	function(sink, content, what);
	sink_put_zeros(sink, -measured.count % DUMP_ALIGN);
}

static void put_meta(struct sink *sink, const struct drmfault_dump_content *content,
		     const void *what)
{
	uint8_t bytes[sizeof(struct drm_fault_dump_meta)];

	(void)what;
	dump_encode(&dump_shape_meta, content->meta, content->meta->size, bytes);
	sink_put(sink, bytes, sizeof(bytes));
}

static void put_device(struct sink *sink, const struct drmfault_dump_content *content,
		       const void *what)
{
	uint8_t bytes[sizeof(struct drm_fault_dump_device)];

	(void)what;
	dump_encode(&dump_shape_device, content->device, content->device->size, bytes);
	sink_put(sink, bytes, sizeof(bytes));
}

static void put_contexts(struct sink *sink, const struct drmfault_dump_content *content,
			 const void *what)
{
	uint8_t bytes[sizeof(struct drm_fault_dump_context)];
	size_t i, size = content->context_count ? content->contexts->size : 0;

	(void)what;
	sink_put_number(sink, 4, sizeof(bytes));
	sink_put_number(sink, 4, content->context_count);
	for (i = 0; i < content->context_count; i++) {
		/* An array of an older caller's is as dense as that caller made it. */
		const void *context = (const char *)content->contexts + i * size;

		dump_encode(&dump_shape_context, context, size, bytes);
		sink_put(sink, bytes, sizeof(bytes));
	}
}

/* Records of one snapshot have one length, unless someone put it together. */
static uint64_t stride_of(const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_record *record;
	size_t i, size, stride = DUMP_ALIGN;

	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++) {
		drmfault_record_bytes(record, &size);
		if (size > stride)
			stride = size;
	}
	return (stride + DUMP_ALIGN - 1) & ~(uint64_t)(DUMP_ALIGN - 1);
}

static void put_record(struct sink *sink, const struct drmfault_record *record, uint64_t stride)
{
	struct drm_fault_record known = { 0 };
	uint8_t bytes[sizeof(known)];
	size_t size, head;
	const char *all = drmfault_record_bytes(record, &size);

	/* Of all there is in a dump only records are many. */
	if (sink->only_counts) {
		sink->count += stride;
		return;
	}
	head = size < sizeof(known) ? size : sizeof(known);
	memcpy(&known, all, head);
	dump_encode(&dump_shape_record, &known, sizeof(known), bytes);
	sink_put(sink, bytes, head);
	sink_put(sink, all + head, size - head);
	sink_put_zeros(sink, stride - size);
}

static void put_records(struct sink *sink, const struct drmfault_dump_content *content,
			const void *what)
{
	uint64_t stride = stride_of(content->snapshot);
	const struct drmfault_record *record;
	size_t i;

	(void)what;
	sink_put_number(sink, 4, stride);
	sink_put_number(sink, 4, drmfault_snapshot_count(content->snapshot));
	for (i = 0; (record = drmfault_snapshot_record(content->snapshot, i)); i++)
		put_record(sink, record, stride);
}

static void put_lost(struct sink *sink, const struct drmfault_dump_content *content,
		     const void *what)
{
	(void)what;
	sink_put_number(sink, 8, drmfault_snapshot_events(content->snapshot));
	sink_put_number(sink, 8, drmfault_snapshot_lost(content->snapshot));
	sink_put_number(sink, 8, 0);
}

/* Where the strings of this content begin: behind those of its base. */
static uint64_t first_name(const struct drmfault_dump_content *content)
{
	return content->base && content->base->strings_length ? content->base->strings_length : 1;
}

/* The offset of a name, where the next one goes to *@at. */
static uint64_t take_name(uint64_t *at, const char *name)
{
	uint64_t offset = *at;

	if (!name || !*name)
		return 0;
	*at += strlen(name) + 1;
	return offset;
}

static void put_application(struct sink *sink, const struct drmfault_dump_content *content,
			    const void *what)
{
	const struct drmfault_dump_application *application = content->application;
	uint8_t bytes[sizeof(struct drm_fault_dump_application)];
	uint64_t at = first_name(content);

	(void)what;
	dump_encode(&dump_shape_application, application, application->size, bytes);
#define NAME(member)                                                                    \
	dump_put_number(bytes + offsetof(struct drm_fault_dump_application, member), 4, \
			take_name(&at, application->member))
	NAME(application_name);
	NAME(engine_name);
	NAME(device_name);
	NAME(driver_name);
#undef NAME
	sink_put(sink, bytes, sizeof(bytes));
}

static const struct drmfault_dump_binding *binding(const struct drmfault_dump_content *content,
						   size_t i)
{
	return (const void *)((const char *)content->bindings + i * content->bindings->size);
}

static void put_bindings(struct sink *sink, const struct drmfault_dump_content *content,
			 const void *what)
{
	const struct drmfault_dump_application *application = content->application;
	uint8_t bytes[sizeof(struct drm_fault_dump_binding)];
	uint64_t at = first_name(content);
	size_t i;

	(void)what;
	if (application) {
		take_name(&at, application->application_name);
		take_name(&at, application->engine_name);
		take_name(&at, application->device_name);
		take_name(&at, application->driver_name);
	}
	sink_put_number(sink, 4, sizeof(bytes));
	sink_put_number(sink, 4, content->binding_count);
	for (i = 0; i < content->binding_count; i++) {
		const struct drmfault_dump_binding *b = binding(content, i);

		dump_encode(&dump_shape_binding, b, b->size, bytes);
		dump_put_number(bytes + offsetof(struct drm_fault_dump_binding, name), 4,
				take_name(&at, b->name));
		sink_put(sink, bytes, sizeof(bytes));
	}
}

static void put_name(struct sink *sink, const char *name)
{
	if (name && *name)
		sink_put(sink, name, strlen(name) + 1);
}

/* In the order in which offsets were given out. */
static void put_strings(struct sink *sink, const struct drmfault_dump_content *content,
			const void *what)
{
	const struct drmfault_dump_application *application = content->application;
	size_t i;

	(void)what;
	if (content->base && content->base->strings_length)
		sink_put(sink, content->base->strings, content->base->strings_length);
	else
		sink_put(sink, "", 1);
	if (application) {
		put_name(sink, application->application_name);
		put_name(sink, application->engine_name);
		put_name(sink, application->device_name);
		put_name(sink, application->driver_name);
	}
	for (i = 0; i < content->binding_count; i++)
		put_name(sink, binding(content, i)->name);
}

static void put_part(struct sink *sink, const struct drmfault_dump_content *content,
		     const void *what)
{
	const struct drmfault_dump_part *part = what;

	(void)content;
	sink_put(sink, part->bytes, part->length);
}

static bool has_strings(const struct drmfault_dump_content *content)
{
	return content->application || content->binding_count ||
	       (content->base && content->base->strings_length);
}

/* As they are, with a checksum that is wrong, if it is. */
static uint32_t put_base(struct sink *sink, const struct drmfault_dump *base)
{
	uint32_t count = 0;
	size_t i;

	for (i = 0; base && i < base->section_count; i++) {
		const struct dump_section *section = &base->sections[i];

		/* Those go behind, with what is added to them. */
		if (base->strings_length && base->strings == (char *)base->bytes + section->at)
			continue;
		put_section_header(sink, section->type, section->flags, section->length,
				   section->crc);
		sink_put(sink, base->bytes + section->at, section->length);
		sink_put_zeros(sink, -section->length % DUMP_ALIGN);
		count++;
	}
	return count;
}

/* Returns the number of sections. */
static uint32_t put_sections(struct sink *sink, const struct drmfault_dump_content *content)
{
	const struct {
		bool there;
		uint32_t type;
		put_function function;
	} sections[] = {
		{ content->meta, DRM_FAULT_DUMP_META, put_meta },
		{ content->device, DRM_FAULT_DUMP_DEVICE, put_device },
		{ content->context_count, DRM_FAULT_DUMP_CONTEXTS, put_contexts },
		{ content->snapshot, DRM_FAULT_DUMP_RECORDS, put_records },
		{ content->snapshot, DRM_FAULT_DUMP_LOST, put_lost },
		{ content->application, DRM_FAULT_DUMP_APPLICATION, put_application },
		{ content->binding_count, DRM_FAULT_DUMP_BINDINGS, put_bindings },
		{ has_strings(content), DRM_FAULT_DUMP_STRINGS, put_strings },
	};
	uint32_t count = put_base(sink, content->base);
	size_t i;

	for (i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (!sections[i].there)
			continue;
		put_section(sink, sections[i].type, sections[i].function, content, NULL);
		count++;
	}
	for (i = 0; i < content->part_count; i++) {
		put_section(sink, content->parts[i].type, put_part, content, &content->parts[i]);
		count++;
	}
	return count;
}

static void name_driver(const struct drmfault_dump_content *content, char *driver, size_t size)
{
	struct drmfault_dump_device device = { .size = sizeof(device) };

	driver[0] = '\0';
	if (content->device)
		snprintf(driver, size, " of a %.*s GPU", (int)sizeof(device.driver),
			 content->device->driver);
	else if (content->base && !drmfault_dump_device(content->base, 0, &device))
		snprintf(driver, size, " of a %s GPU", device.driver);
}

/* A name from a file does not get to a terminal as it is. */
static void put_text(uint8_t *text, const char *line)
{
	size_t i;

	memset(text, ' ', DRM_FAULT_DUMP_TEXT_LEN);
	for (i = 0; line[i] && i < DRM_FAULT_DUMP_TEXT_LEN - 1; i++)
		text[i] = line[i] >= ' ' && line[i] <= '~' ? (uint8_t)line[i] : '?';
	text[DRM_FAULT_DUMP_TEXT_LEN - 1] = '\n';
}

static void put_header(struct sink *sink, const struct drmfault_dump_content *content,
		       uint64_t body, uint32_t sections)
{
	uint8_t bytes[sizeof(struct drm_fault_dump_header)];
	char driver[64], line[2 * DRM_FAULT_DUMP_TEXT_LEN];

	memset(bytes, 0, sizeof(bytes));
	name_driver(content, driver, sizeof(driver));
	snprintf(line, sizeof(line), "drm_fault dump%s, read it with: drmfault decode FILE",
		 driver);
	put_text(bytes, line);
#define NUMBER(member, width, value) \
	dump_put_number(bytes + offsetof(struct drm_fault_dump_header, member), width, value)
	NUMBER(magic, 8, DRM_FAULT_DUMP_MAGIC);
	NUMBER(version, 4, DRM_FAULT_DUMP_VERSION);
	NUMBER(header_size, 4, sizeof(bytes));
	NUMBER(total_size, 8, sizeof(bytes) + body);
	NUMBER(section_count, 4, sections);
	NUMBER(crc, 4, dump_crc(0, bytes, sizeof(bytes)));
#undef NUMBER
	sink_put(sink, bytes, sizeof(bytes));
}

/* As long as this library's: what an older caller's lacks is 0. */
static int take_content(const struct drmfault_dump_content *content,
			struct drmfault_dump_content *taken)
{
	const char *bytes = (const char *)content;
	size_t i;

	if (content->size < sizeof(content->size))
		return -EINVAL;
	for (i = sizeof(*taken); i < content->size; i++)
		if (bytes[i])
			return -E2BIG;
	memset(taken, 0, sizeof(*taken));
	memcpy(taken, content, content->size < sizeof(*taken) ? content->size : sizeof(*taken));
	if (taken->base && taken->base->cut_off)
		return -EINVAL;
	for (i = 0; i < taken->part_count; i++)
		if (taken->parts[i].type == DRM_FAULT_DUMP_STRINGS)
			return -EINVAL;
	return 0;
}

static int write_to(struct sink *sink, const struct drmfault_dump_content *content)
{
	struct sink measured = SINK_MEASURES;
	struct drmfault_dump_content taken;
	uint32_t sections;
	int ret = take_content(content, &taken);

	if (ret)
		return ret;
	measured.only_counts = true;
	sections = put_sections(&measured, &taken);
	put_header(sink, &taken, measured.count, sections);
	put_sections(sink, &taken);
	return 0;
}

DRMFAULT_API int drmfault_dump_write(const struct drmfault_dump_content *content, void *bytes,
				     uint64_t capacity, uint64_t *size)
{
	struct sink sink = {
		.bytes = bytes,
		.capacity = capacity,
		.fd = -1,
		.only_counts = capacity == 0,
	};
	int ret = write_to(&sink, content);

	if (!ret)
		*size = sink.count;
	return ret;
}

DRMFAULT_API int drmfault_dump_write_fd(const struct drmfault_dump_content *content, int fd)
{
	uint8_t buffer[BUFFER];
	struct sink sink = { .bytes = buffer, .capacity = sizeof(buffer), .fd = fd };
	int ret = fd < 0 ? -EBADF : write_to(&sink, content);

	if (ret)
		return ret;
	sink_flush(&sink);
	return sink.error;
}
