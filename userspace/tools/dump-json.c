// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "value.h"

/* In any case: JSON is UTF-8, and these texts are what somebody chose. */
static json_t *text_json(const char *text, size_t length)
{
	json_t *json = json_stringn(text, length);
	char *ascii;
	size_t i;

	if (json)
		return json;
	ascii = malloc(length ? length : 1);
	if (!ascii)
		return NULL;
	for (i = 0; i < length; i++)
		ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	json = json_stringn(ascii, length);
	free(ascii);
	return json;
}

json_t *dump_text_json(const char *text)
{
	return text_json(text, strlen(text));
}

json_t *dump_number_json(uint64_t number)
{
	const struct value value = { .kind = VALUE_NUMBER, .number = number };

	return value_json(&value);
}

json_t *dump_address_json(uint64_t address)
{
	const struct value value = { .kind = VALUE_ADDRESS, .number = address };

	return value_json(&value);
}

/* What is not known is null. */
static json_t *string_or_null(const char *text)
{
	return *text ? dump_text_json(text) : json_null();
}

static json_t *number_or_null(uint64_t value)
{
	return value ? dump_number_json(value) : json_null();
}

static json_t *meta_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };

	if (drmfault_dump_meta(dump, i, &meta))
		return NULL;
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "time_ns",
			 dump_number_json(meta.monotonic_ns), "realtime_ns",
			 number_or_null(meta.realtime_ns), "boot_id", string_or_null(meta.boot_id),
			 "kernel", string_or_null(meta.release), "machine",
			 string_or_null(meta.machine), "module_version",
			 string_or_null(meta.module_version));
}

static json_t *device_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_device device = { .size = sizeof(device) };
	json_t *pci = json_null();

	if (drmfault_dump_device(dump, i, &device))
		return NULL;
	if (device.pci_vendor)
		pci = json_pack("{s:i, s:i, s:i, s:i, s:o}", "vendor", device.pci_vendor, "device",
				device.pci_device, "subsystem_vendor", device.pci_subsystem_vendor,
				"subsystem_device", device.pci_subsystem_device, "revision",
				dump_number_json(device.pci_revision));
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", dump_number_json(device.id),
		"name", dump_text_json(device.name), "driver", dump_text_json(device.driver), "bus",
		dump_text_json(device.bus), "address_bits", dump_number_json(device.address_bits),
		"pci", pci, "events", dump_number_json(device.events), "records",
		dump_number_json(device.records), "missed", dump_number_json(device.missed));
}

static json_t *context_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_context context = { .size = sizeof(context) };
	bool unknown;

	if (drmfault_dump_context(dump, i, &context))
		return NULL;
	unknown = context.flags & DRMFAULT_CONTEXT_OWNER_UNKNOWN;
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "context",
		dump_number_json(context.id), "client", dump_number_json(context.client_id), "pid",
		unknown ? json_null() : dump_number_json(context.pid), "uid",
		unknown ? json_null() : dump_number_json(context.uid), "comm",
		unknown ? json_null() : dump_text_json(context.comm), "pasid",
		dump_number_json(context.pasid), "events", dump_number_json(context.events), "lost",
		dump_number_json(context.lost), "incident", dump_number_json(context.group_id),
		"ended", (int)(context.flags & DRMFAULT_CONTEXT_ENDED));
}

static json_t *application_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_application app = { .size = sizeof(app) };
	char uuid[2 * sizeof(app.pipeline_cache_uuid) + 1];
	size_t j;

	if (drmfault_dump_application(dump, i, &app))
		return NULL;
	for (j = 0; j < sizeof(app.pipeline_cache_uuid); j++)
		snprintf(uuid + 2 * j, 3, "%02x", app.pipeline_cache_uuid[j]);
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "name",
		dump_text_json(app.application_name), "version",
		dump_number_json(app.application_version), "engine",
		dump_text_json(app.engine_name), "engine_version",
		dump_number_json(app.engine_version), "api_version",
		dump_number_json(app.api_version), "device_name", dump_text_json(app.device_name),
		"driver_name", dump_text_json(app.driver_name), "driver_version",
		dump_number_json(app.driver_version), "vendor_id", dump_number_json(app.vendor_id),
		"device_id", dump_number_json(app.device_id), "pipeline_cache_uuid", uuid);
}

json_t *dump_binding_json(const struct drmfault_dump_binding *binding)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", dump_text_json(binding->name),
		"address", dump_address_json(binding->address), "length",
		dump_address_json(binding->length), "bound_ns", dump_number_json(binding->bound_ns),
		"unbound_ns", number_or_null(binding->unbound_ns), "object",
		dump_address_json(binding->object), "object_type",
		dump_number_json(binding->object_type), "flags", dump_number_json(binding->flags));
}

static json_t *binding_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };

	return drmfault_dump_binding(dump, i, &binding) ? NULL : dump_binding_json(&binding);
}

static json_t *section_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_section section = { .size = sizeof(section) };
	const char *name;

	if (drmfault_dump_section(dump, i, &section))
		return NULL;
	name = drmfault_dump_type_name(section.type);
	return json_pack("{s:o, s:o, s:o}", "type",
			 name ? dump_text_json(name) : dump_number_json(section.type), "offset",
			 dump_number_json(section.offset), "length",
			 dump_number_json(section.length));
}

static json_t *finding_json(const struct drmfault_dump *dump, size_t i)
{
	struct drmfault_dump_finding finding = { .size = sizeof(finding) };
	json_t *section;

	if (drmfault_dump_finding(dump, i, &finding))
		return NULL;
	section = finding.section == DRMFAULT_DUMP_HEADER ? json_null()
							  : dump_number_json(finding.section);
	return json_pack("{s:s, s:o, s:o}", "what", drmfault_dump_damage_name(finding.damage),
			 "section", section, "offset", dump_number_json(finding.offset));
}

static json_t *host_json(const struct drmfault_dump *dump, size_t i)
{
	const char *line = drmfault_dump_host(dump, i);

	return line ? dump_text_json(line) : NULL;
}

/* As many as there are. */
static json_t *all(const struct drmfault_dump *dump,
		   json_t *(*one)(const struct drmfault_dump *dump, size_t i))
{
	json_t *array = json_array(), *json;
	size_t i;

	for (i = 0; array && (json = one(dump, i)); i++)
		json_array_append_new(array, json);
	return array;
}

static json_t *engines_json(const struct drmfault_dump *dump)
{
	struct drmfault_dump_section section = { .size = sizeof(section) };
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && !drmfault_dump_section(dump, i, &section); i++)
		if (section.type == DRMFAULT_DUMP_ENGINE)
			json_array_append_new(array, text_json(section.bytes, section.length));
	return array;
}

static json_t *records_json(const struct drmfault_snapshot *snapshot, const struct options *options)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (filters_pass(&options->filters, record))
			json_array_append_new(array, record_json(record));
	}
	return array;
}

json_t *dump_json_without_bindings(const struct drmfault_dump *dump, const char *file,
				   const struct options *options)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	struct drmfault_dump_lost lost = { .size = sizeof(lost) };
	bool is_binary = drmfault_dump_form(dump) == DRMFAULT_DUMP_VENDOR_BINARY;

	drmfault_dump_lost(dump, 0, &lost);
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o}",
			 "file", dump_text_json(file), "form", is_binary ? "vendor-binary" : "dump",
			 "meta", all(dump, meta_json), "devices", all(dump, device_json),
			 "contexts", all(dump, context_json), "records",
			 records_json(snapshot, options), "total",
			 dump_number_json(drmfault_snapshot_count(snapshot)), "events",
			 dump_number_json(drmfault_snapshot_events(snapshot)), "lost",
			 dump_number_json(drmfault_snapshot_lost(snapshot)), "dumps_skipped",
			 dump_number_json(lost.dumps_skipped), "engines", engines_json(dump),
			 "applications", all(dump, application_json), "host", all(dump, host_json),
			 "sections", all(dump, section_json), "damage", all(dump, finding_json));
}

json_t *dump_json(const struct drmfault_dump *dump, const char *file, const struct options *options)
{
	json_t *json = dump_json_without_bindings(dump, file, options);

	if (json && json_object_set_new(json, "bindings", all(dump, binding_json))) {
		json_decref(json);
		return NULL;
	}
	return json;
}
