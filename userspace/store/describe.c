// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "describe.h"
#include "relation.h"

#define HEAD 4096

/* What is not UTF-8 is not JSON either: other bytes become question marks. */
static json_t *text_json(const char *text)
{
	json_t *json = json_string(text);
	char ascii[256];
	size_t i;

	if (json)
		return json;
	for (i = 0; text[i] && i + 1 < sizeof(ascii); i++)
		ascii[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	ascii[i] = '\0';
	return json_string(ascii);
}

/* Nothing for what is not known, nor over what is there. */
static int add_text(json_t *object, const char *key, const char *text)
{
	if (!text || !*text || json_object_get(object, key))
		return 0;
	return json_object_set_new(object, key, text_json(text)) ? -ENOMEM : 0;
}

static int set_number(json_t *object, const char *key, uint64_t number)
{
	json_int_t limited = number > INT64_MAX ? INT64_MAX : (json_int_t)number;

	return json_object_set_new(object, key, json_integer(limited)) ? -ENOMEM : 0;
}

/* Both ways of writing a boot_id are in use; journald's is the kernel's without dashes. */
static int add_meta(json_t *meta, const struct drmfault_dump *dump)
{
	struct drmfault_dump_meta made = { .size = sizeof(made) };
	int ret;

	if (drmfault_dump_meta(dump, 0, &made))
		return 0;
	ret = add_text(meta, "kernel", made.release);
	ret = ret ? ret : add_text(meta, "machine", made.machine);
	return ret ? ret : add_text(meta, "boot_id", made.boot_id);
}

static int add_device(json_t *meta, const struct drmfault_dump *dump)
{
	struct drmfault_dump_device device = { .size = sizeof(device) };
	char pci[16];
	int ret;

	if (drmfault_dump_device(dump, 0, &device))
		return 0;
	ret = add_text(meta, "driver", device.driver);
	ret = ret ? ret : add_text(meta, "gpu", device.name);
	ret = ret ? ret : add_text(meta, "bus", device.bus);
	if (!ret && device.pci_vendor) {
		snprintf(pci, sizeof(pci), "%04x:%04x", device.pci_vendor, device.pci_device);
		ret = add_text(meta, "pci_id", pci);
	}
	return ret;
}

static bool find_context(const struct drmfault_dump *dump, uint64_t id,
			 struct drmfault_dump_context *context)
{
	size_t i;

	context->size = sizeof(*context);
	for (i = 0; !drmfault_dump_context(dump, i, context); i++)
		if (context->id == id && !(context->flags & DRMFAULT_CONTEXT_OWNER_UNKNOWN))
			return true;
	return false;
}

/* The process whose address space it is about; a record alone does not tell the user. */
static int add_process(json_t *meta, const struct drmfault_dump *dump,
		       const struct drmfault_record *record)
{
	struct drmfault_dump_context context;
	bool found = find_context(dump, drmfault_record_context_id(record), &context);
	json_t *process;
	int ret;

	if (json_object_get(meta, "process") || (!found && !drmfault_record_pid(record)))
		return 0;
	process = json_object();
	if (json_object_set_new(meta, "process", process))
		return -ENOMEM;
	ret = set_number(process, "pid", found ? context.pid : drmfault_record_pid(record));
	if (!ret && found)
		ret = set_number(process, "uid", context.uid);
	return ret ? ret
		   : add_text(process, "comm", found ? context.comm : drmfault_record_comm(record));
}

static json_t *fault_json(const struct drmfault_dump *dump, const struct drmfault_record *record)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	struct drmfault_dump_lost lost = { .size = sizeof(lost) };
	json_t *fault = json_object();
	char address[24];
	int ret;

	ret = add_text(fault, "access", drmfault_access_name(drmfault_record_access(record)));
	ret = ret ? ret
		  : add_text(fault, "type", drmfault_type_name(drmfault_record_fault_type(record)));
	ret = ret ? ret
		  : add_text(fault, "engine",
			     drmfault_engine_class_name(drmfault_record_engine_class(record)));
	if (!ret && drmfault_record_address_precision(record)) {
		snprintf(address, sizeof(address), "0x%" PRIx64, drmfault_record_address(record));
		ret = add_text(fault, "address", address);
	}
	drmfault_dump_lost(dump, 0, &lost);
	ret = ret ? ret : add_text(fault, "relation", address_relation(dump, record));
	ret = ret ? ret : set_number(fault, "events", drmfault_snapshot_events(snapshot));
	ret = ret ? ret : set_number(fault, "records", drmfault_snapshot_count(snapshot));
	ret = ret ? ret : set_number(fault, "dumps_skipped", lost.dumps_skipped);
	if (!ret)
		return fault;
	json_decref(fault);
	return NULL;
}

static json_t *hang_json(const struct drmfault_record *record)
{
	json_t *hang = json_object();
	int ret = 0;

	if (drmfault_record_pid(record))
		ret = set_number(hang, "pid", drmfault_record_pid(record));
	ret = ret ? ret : add_text(hang, "comm", drmfault_record_comm(record));
	ret = ret ? ret : add_text(hang, "ring", drmfault_record_engine(record));
	if (hang && !ret)
		return hang;
	json_decref(hang);
	return NULL;
}

static int add_damage(json_t *meta, const struct drmfault_dump *dump)
{
	struct drmfault_dump_finding finding = { .size = sizeof(finding) };
	json_t *damage;
	size_t i;

	if (!drmfault_dump_finding_count(dump))
		return 0;
	damage = json_array();
	for (i = 0; !drmfault_dump_finding(dump, i, &finding); i++)
		if (json_array_append_new(damage,
					  json_string(drmfault_dump_damage_name(finding.damage))))
			break;
	return json_object_set_new(meta, "damage", damage) ? -ENOMEM : 0;
}

static int add_records(json_t *meta, const struct drmfault_dump *dump)
{
	const struct drmfault_record *fault = first_record(dump, DRMFAULT_RECORD_FAULT);
	const struct drmfault_record *hang = first_record(dump, DRMFAULT_RECORD_TIMEOUT);
	const struct drmfault_record *any = fault ? fault : first_record(dump, 0);
	int ret = any ? add_process(meta, dump, any) : 0;

	if (!ret && fault && json_object_set_new(meta, "fault", fault_json(dump, fault)))
		ret = -ENOMEM;
	if (!ret && hang && json_object_set_new(meta, "hang", hang_json(hang)))
		ret = -ENOMEM;
	return ret;
}

static int describe_own(json_t *meta, const struct drmfault_dump *dump)
{
	char fingerprint[FINGERPRINT_SIZE];
	int ret;

	fingerprint_of_dump(dump, fingerprint);
	ret = json_object_set_new(meta, "format", json_string("drm_fault")) ? -ENOMEM : 0;
	ret = ret ? ret : add_meta(meta, dump);
	ret = ret ? ret : add_device(meta, dump);
	ret = ret ? ret : add_records(meta, dump);
	ret = ret ? ret : add_damage(meta, dump);
	if (!ret && json_object_set_new(meta, "fingerprint", text_json(fingerprint)))
		ret = -ENOMEM;
	return ret;
}

int describe_dump(json_t *meta, const void *bytes, size_t size)
{
	char fingerprint[FINGERPRINT_SIZE];
	struct drmfault_dump *dump;
	const char *format;
	int ret = drmfault_dump_open_memory(bytes, size, &dump);

	if (!ret) {
		ret = describe_own(meta, dump);
		drmfault_dump_free(dump);
		return ret;
	}
	if (ret == -ENOMEM)
		return ret;
	format = memchr(bytes, '\0', size < HEAD ? size : HEAD) ? "binary" : "text";
	fingerprint_of_text(json_string_value(json_object_get(meta, "driver")), bytes, size,
			    fingerprint);
	return json_object_set_new(meta, "format", json_string(format)) ||
			       json_object_set_new(meta, "fingerprint", text_json(fingerprint))
		       ? -ENOMEM
		       : 0;
}

const char *meta_kind(const json_t *meta)
{
	const char *type =
		json_string_value(json_object_get(json_object_get(meta, "fault"), "type"));

	if (type)
		return type;
	return json_object_get(meta, "hang") ? "timeout" : "unknown";
}
