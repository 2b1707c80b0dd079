// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/crc32.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uidgid.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include <uapi/drm/drm_fault_dump.h>

#include "cursor.h"
#include "dump.h"

/*
 * Writes a dump: drm_fault_dump.h says how it looks. All that goes in is known
 * before memory is asked for, so that it is written once, from front to back.
 */

/**
 * struct drm_fault_container - a dump in the making
 * @data: where, from vzalloc()
 * @size: bytes of @data
 * @at: the next one
 * @sections: written
 * @section: the header of the one being written
 */
struct drm_fault_container {
	char *data;
	size_t size;
	size_t at;
	u32 sections;
	struct drm_fault_dump_section *section;
};

static void *drm_fault_container_take(struct drm_fault_container *c, size_t size)
{
	void *place = c->data + c->at;

	if (WARN_ON_ONCE(size > c->size - c->at))
		return NULL;
	c->at += size;
	return place;
}

static bool drm_fault_container_begin(struct drm_fault_container *c, u32 type)
{
	c->section = drm_fault_container_take(c, sizeof(*c->section));
	if (!c->section)
		return false;
	c->section->type = cpu_to_le32(type);
	c->sections++;
	return true;
}

/* As zlib's crc32(). */
static u32 drm_fault_container_crc(const void *data, size_t size)
{
	return ~crc32_le(~0U, data, size);
}

static void drm_fault_container_end(struct drm_fault_container *c)
{
	const char *payload = (const char *)(c->section + 1);
	size_t length = c->data + c->at - payload;

	c->section->length = cpu_to_le64(length);
	c->section->crc = cpu_to_le32(drm_fault_container_crc(payload, length));
	drm_fault_container_take(c, ALIGN(c->at, 8) - c->at);
}

static void drm_fault_container_meta(struct drm_fault_container *c)
{
	struct drm_fault_dump_meta *meta;

	if (!drm_fault_container_begin(c, DRM_FAULT_DUMP_META))
		return;
	meta = drm_fault_container_take(c, sizeof(*meta));
	if (!meta)
		return;
	meta->monotonic_ns = cpu_to_le64(ktime_get_ns());
	meta->realtime_ns = cpu_to_le64(ktime_get_real_ns());
	strscpy(meta->release, init_utsname()->release, sizeof(meta->release));
	strscpy(meta->machine, init_utsname()->machine, sizeof(meta->machine));
	strscpy(meta->module_version, DRM_FAULT_VERSION, sizeof(meta->module_version));
	drm_fault_container_end(c);
}

static void drm_fault_container_pci(struct drm_fault_dump_device *device,
				    const struct device *parent)
{
	const struct pci_dev *pci;

	if (!parent || !dev_is_pci(parent))
		return;
	pci = to_pci_dev(parent);
	device->pci_vendor = cpu_to_le16(pci->vendor);
	device->pci_device = cpu_to_le16(pci->device);
	device->pci_subsystem_vendor = cpu_to_le16(pci->subsystem_vendor);
	device->pci_subsystem_device = cpu_to_le16(pci->subsystem_device);
	device->pci_revision = cpu_to_le32(pci->revision);
}

static void drm_fault_container_device(struct drm_fault_container *c,
				       struct drm_fault_reporter *reporter)
{
	struct drm_fault_dump_device *device;

	if (!drm_fault_container_begin(c, DRM_FAULT_DUMP_DEVICE))
		return;
	device = drm_fault_container_take(c, sizeof(*device));
	if (!device)
		return;
	device->id = cpu_to_le32(reporter->id);
	device->address_bits = cpu_to_le32(reporter->address_bits);
	drm_fault_container_pci(device, reporter->dev.parent);
	strscpy(device->name, dev_name(&reporter->dev), sizeof(device->name));
	strscpy(device->driver, reporter->driver, sizeof(device->driver));
	strscpy(device->bus, reporter->bus, sizeof(device->bus));
	device->events = cpu_to_le64(atomic64_read(&reporter->events));
	device->records = cpu_to_le64(atomic64_read(&reporter->record_id));
	device->missed = cpu_to_le64(atomic64_read(&reporter->missed));
	drm_fault_container_end(c);
}

static void drm_fault_container_table(struct drm_fault_container *c, size_t stride, u32 count)
{
	struct drm_fault_dump_table *table = drm_fault_container_take(c, sizeof(*table));

	if (!table)
		return;
	table->stride = cpu_to_le32(stride);
	table->count = cpu_to_le32(count);
}

static void drm_fault_container_context(struct drm_fault_container *c,
					const struct drm_fault_cursor *cursor)
{
	struct drm_fault_dump_context *to = drm_fault_container_take(c, sizeof(*to));
	const struct drm_fault_context *context = cursor->context;
	const struct drm_fault_owner *owner;
	u64 events, lost;

	if (!to)
		return;
	drm_fault_context_counts(context, &events, &lost);
	to->id = cpu_to_le64(context->id);
	to->client_id = cpu_to_le64(context->client ? context->client->id : 0);
	to->pasid = cpu_to_le32(context->pasid);
	to->events = cpu_to_le64(events);
	to->lost = cpu_to_le64(lost);
	to->group_id = cpu_to_le64(READ_ONCE(context->ring->group_id));
	rcu_read_lock();
	owner = rcu_dereference(context->owner);
	to->flags = cpu_to_le32((context->ended ? DRM_FAULT_DUMP_CONTEXT_F_ENDED : 0) |
				(owner ? 0 : DRM_FAULT_DUMP_CONTEXT_F_OWNER_UNKNOWN));
	if (owner) {
		to->pid = cpu_to_le32(pid_nr(owner->pid));
		to->uid = cpu_to_le32(from_kuid(&init_user_ns, owner->cred->uid));
		memcpy(to->comm, owner->comm, sizeof(to->comm));
	}
	rcu_read_unlock();
}

static void drm_fault_container_contexts(struct drm_fault_container *c,
					 const struct drm_fault_cursors *cursors)
{
	unsigned int i;

	if (!drm_fault_container_begin(c, DRM_FAULT_DUMP_CONTEXTS))
		return;
	drm_fault_container_table(c, sizeof(struct drm_fault_dump_context), cursors->count);
	for (i = 0; i < cursors->count; i++)
		drm_fault_container_context(c, &cursors->list[i]);
	drm_fault_container_end(c);
}

/* Nothing on most machines. */
static void drm_fault_container_swap(struct drm_fault_record *record)
{
	unsigned int i;

	cpu_to_le32s(&record->type);
	cpu_to_le32s(&record->length);
	cpu_to_le32s(&record->flags);
	cpu_to_le32s(&record->reporter_id);
	cpu_to_le64s(&record->seqno);
	cpu_to_le64s(&record->lost);
	cpu_to_le64s(&record->count);
	cpu_to_le64s(&record->record_id);
	cpu_to_le64s(&record->group_id);
	cpu_to_le64s(&record->timestamp_ns);
	cpu_to_le64s(&record->last_timestamp_ns);
	cpu_to_le64s(&record->gpu_timestamp);
	cpu_to_le64s(&record->address);
	cpu_to_le64s(&record->address_precision);
	cpu_to_le64s(&record->ip);
	cpu_to_le64s(&record->ip_precision);
	cpu_to_le32s(&record->access);
	cpu_to_le32s(&record->fault_type);
	cpu_to_le32s(&record->ip_type);
	cpu_to_le32s(&record->level);
	cpu_to_le32s(&record->engine_class);
	cpu_to_le32s(&record->engine_instance);
	cpu_to_le64s(&record->context_id);
	cpu_to_le64s(&record->client_id);
	cpu_to_le32s(&record->pid);
	cpu_to_le32s(&record->pasid);
	cpu_to_le32s(&record->vmid);
	cpu_to_le32s(&record->raw_format);
	cpu_to_le32s(&record->raw_count);
	cpu_to_le32s(&record->address_bits);
	for (i = 0; i < DRM_FAULT_RAW_WORDS; i++)
		cpu_to_le64s(&record->raw[i]);
	cpu_to_le64s(&record->job_context);
	cpu_to_le64s(&record->job_seqno);
}

/* Records may have been dropped from rings meanwhile, so the count comes last. */
static void drm_fault_container_records(struct drm_fault_container *c,
					struct drm_fault_cursors *cursors, u32 most)
{
	struct drm_fault_dump_table *table;
	struct drm_fault_record *record;
	u32 count = 0;

	if (!drm_fault_container_begin(c, DRM_FAULT_DUMP_RECORDS))
		return;
	table = (struct drm_fault_dump_table *)(c->data + c->at);
	drm_fault_container_table(c, sizeof(*record), 0);
	while (cursors->waiting && count < most) {
		record = drm_fault_container_take(c, sizeof(*record));
		if (!record)
			break;
		*record = cursors->heap[0]->record;
		drm_fault_container_swap(record);
		count++;
		drm_fault_cursors_advance(cursors);
		cond_resched();
	}
	table->count = cpu_to_le32(count);
	drm_fault_container_end(c);
}

static void drm_fault_container_engines(struct drm_fault_container *c,
					const struct drm_fault_incident *incident)
{
	char *to;

	if (!incident->engines_length || !drm_fault_container_begin(c, DRM_FAULT_DUMP_ENGINE))
		return;
	to = drm_fault_container_take(c, incident->engines_length);
	if (!to)
		return;
	memcpy(to, incident->engines, incident->engines_length);
	drm_fault_container_end(c);
}

static void drm_fault_container_lost(struct drm_fault_container *c, u64 events, u64 lost,
				     u64 skipped)
{
	struct drm_fault_dump_lost *to;

	if (!drm_fault_container_begin(c, DRM_FAULT_DUMP_LOST))
		return;
	to = drm_fault_container_take(c, sizeof(*to));
	if (!to)
		return;
	to->events = cpu_to_le64(events);
	to->lost = cpu_to_le64(lost);
	to->dumps_skipped = cpu_to_le64(skipped);
	drm_fault_container_end(c);
}

static void drm_fault_container_header(struct drm_fault_container *c,
				       const struct drm_fault_reporter *reporter)
{
	struct drm_fault_dump_header *header = (void *)c->data;
	char text[DRM_FAULT_DUMP_TEXT_LEN];
	int length;

	length = scnprintf(text, sizeof(text),
			   "drm_fault dump of a %s GPU, read it with: drmfault decode FILE",
			   reporter->driver);
	memset(header->text, ' ', sizeof(header->text));
	memcpy(header->text, text, length);
	header->text[sizeof(header->text) - 1] = '\n';
	header->magic = cpu_to_le64(DRM_FAULT_DUMP_MAGIC);
	header->version = cpu_to_le32(DRM_FAULT_DUMP_VERSION);
	header->header_size = cpu_to_le32(sizeof(*header));
	header->total_size = cpu_to_le64(c->at);
	header->section_count = cpu_to_le32(c->sections);
	header->crc = cpu_to_le32(drm_fault_container_crc(header, sizeof(*header)));
}

static size_t drm_fault_container_room(const struct drm_fault_cursors *cursors, u32 records,
				       const struct drm_fault_incident *incident)
{
	return sizeof(struct drm_fault_dump_header) +
	       6 * (sizeof(struct drm_fault_dump_section) + 8) +
	       sizeof(struct drm_fault_dump_meta) + sizeof(struct drm_fault_dump_device) +
	       incident->engines_length + sizeof(struct drm_fault_dump_lost) +
	       2 * sizeof(struct drm_fault_dump_table) +
	       (size_t)cursors->count * sizeof(struct drm_fault_dump_context) +
	       (size_t)records * sizeof(struct drm_fault_record);
}

/* Leaves out what was quiet: a dump is about one incident. */
static void drm_fault_container_choose(struct drm_fault_cursors *cursors, u64 since_ns)
{
	struct drm_fault_context *context;
	unsigned int i, kept = 0;

	for (i = 0; i < cursors->count; i++) {
		context = cursors->list[i].context;
		cursors->list[i].context = NULL;
		if (READ_ONCE(context->ring->group_last_ns) >= since_ns)
			cursors->list[kept++].context = context;
		else
			drm_fault_context_put(context);
	}
	cursors->count = kept;
}

static int drm_fault_container_write(struct drm_fault_container *c,
				     struct drm_fault_reporter *reporter,
				     struct drm_fault_cursors *cursors,
				     const struct drm_fault_incident *incident)
{
	u64 events, lost, all_events = 0, all_lost = 0;
	unsigned int i;
	u32 records = 0;
	int ret;

	for (i = 0; i < cursors->count; i++) {
		ret = drm_fault_cursor_index(&cursors->list[i]);
		if (ret)
			return ret;
		drm_fault_context_counts(cursors->list[i].context, &events, &lost);
		all_events += events;
		all_lost += lost;
		records += cursors->list[i].count;
	}
	ret = drm_fault_cursors_start(cursors);
	if (ret)
		return ret;

	c->size = drm_fault_container_room(cursors, records, incident);
	c->data = vzalloc(c->size);
	if (!c->data)
		return -ENOMEM;
	c->at = sizeof(struct drm_fault_dump_header);
	drm_fault_container_meta(c);
	drm_fault_container_device(c, reporter);
	drm_fault_container_contexts(c, cursors);
	drm_fault_container_records(c, cursors, records);
	drm_fault_container_engines(c, incident);
	drm_fault_container_lost(c, all_events, all_lost, incident->skipped);
	drm_fault_container_header(c, reporter);
	return 0;
}

/**
 * drm_fault_container_build - write a dump of a GPU
 * @reporter: the GPU
 * @incident: what is to be in it
 * @size: returns the bytes
 *
 * Context: Process, may sleep.
 * Return: the dump, to be freed with vfree(); -ENOENT if there is nothing in it,
 * -ENOMEM, -ENODEV
 */
void *drm_fault_container_build(struct drm_fault_reporter *reporter,
				const struct drm_fault_incident *incident, size_t *size)
{
	const struct drm_fault_view view = {
		.scope = DRM_FAULT_SCOPE_DEVICE,
		.reporter = reporter,
		.pid_ns = &init_pid_ns,
	};
	struct drm_fault_container c = {};
	struct drm_fault_cursors cursors = {};
	int ret = drm_fault_cursors_open(&cursors, &view);

	if (!ret) {
		drm_fault_container_choose(&cursors, incident->since_ns);
		ret = cursors.count ?
			      drm_fault_container_write(&c, reporter, &cursors, incident) :
			      -ENOENT;
	}
	drm_fault_cursors_close(&cursors);
	if (ret)
		return ERR_PTR(ret);
	*size = c.at;
	return c.data;
}
