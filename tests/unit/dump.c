// SPDX-License-Identifier: MIT
#include "dump.h"

/* Bit by bit, so that it shares nothing with the library's. */
uint32_t file_crc(const uint8_t *bytes, size_t size)
{
	uint32_t crc = UINT32_MAX;
	int bit;

	for (; size--; bytes++) {
		crc ^= *bytes;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

void file_put(uint8_t *bytes, size_t width, uint64_t value)
{
	size_t i;

	for (i = 0; i < width; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

void file_begin(struct file *file)
{
	memset(file, 0, sizeof(*file));
	file->size = sizeof(struct drm_fault_dump_header);
}

uint8_t *file_add(struct file *file, uint32_t type, const void *payload, size_t length)
{
	uint8_t *header = file->bytes + file->size;
	uint8_t *to = header + sizeof(struct drm_fault_dump_section);

	file_put(header, 4, type);
	file_put(header + 8, 8, length);
	if (length)
		memcpy(to, payload, length);
	file->at[file->sections] = (size_t)(to - file->bytes);
	file->length[file->sections++] = length;
	file->size = ((size_t)(to - file->bytes) + length + 7) & ~(size_t)7;
	return to;
}

void file_end(struct file *file)
{
	uint8_t *header = file->bytes + file->start;
	size_t i;

	for (i = 0; i < file->sections; i++)
		file_put(file->bytes + file->at[i] - 8, 4,
			 file_crc(file->bytes + file->at[i], file->length[i]));
	memset(header, ' ', 88);
	memcpy(header, "drm_fault dump", 14);
	header[87] = '\n';
	memcpy(header + 88, "DRMFAULT", 8);
	file_put(header + 96, 4, 1);
	file_put(header + 100, 4, 120);
	file_put(header + 104, 8, file->size - file->start);
	file_put(header + 112, 4, file->sections);
	file_put(header + 116, 4, 0);
	file_put(header + 116, 4, file_crc(header, 120));
}

static const char strings[] = "\0particles\0motor\0Sim GPU\0driver 1.2\0vertices\0texels";

static void put_text(uint8_t *bytes, const char *text)
{
	memcpy(bytes, text, strlen(text));
}

static void add_meta(struct file *file)
{
	uint8_t meta[168] = { 0 };

	file_put(meta, 8, 5000000000);
	file_put(meta + 8, 8, 1700000005000000000);
	put_text(meta + 16, "0123456789abcdef0123456789abcdef");
	put_text(meta + 56, "6.12.1-test");
	put_text(meta + 120, "x86_64");
	put_text(meta + 136, "0.1.0");
	file_add(file, DRM_FAULT_DUMP_META, meta, sizeof(meta));
}

static void add_device(struct file *file)
{
	uint8_t device[144] = { 0 };

	file_put(device, 4, 7);
	file_put(device + 4, 4, 48);
	file_put(device + 8, 2, 0x1002);
	file_put(device + 10, 2, 0x73bf);
	file_put(device + 12, 2, 0x1da2);
	file_put(device + 14, 2, 0x438e);
	file_put(device + 16, 4, 0xc1);
	put_text(device + 24, "gpu7");
	put_text(device + 56, "drm_fault_sim");
	put_text(device + 88, "0000:03:00.0");
	file_put(device + 120, 8, 11);
	file_put(device + 128, 8, 9);
	file_put(device + 136, 8, 1);
	file_add(file, DRM_FAULT_DUMP_DEVICE, device, sizeof(device));
}

static void add_contexts(struct file *file)
{
	uint8_t table[8 + 2 * 72] = { 0 };
	uint8_t *context = table + 8;

	file_put(table, 4, 72);
	file_put(table + 4, 4, 2);
	file_put(context, 8, 0x100000001);
	file_put(context + 8, 8, 33);
	file_put(context + 16, 4, 4242);
	file_put(context + 20, 4, 1000);
	file_put(context + 24, 4, 5);
	file_put(context + 28, 4, DRM_FAULT_DUMP_CONTEXT_F_ENDED);
	put_text(context + 32, "game");
	file_put(context + 48, 8, 10);
	file_put(context + 56, 8, 2);
	file_put(context + 64, 8, 77);
	file_put(context + 72, 8, 2);
	file_put(context + 72 + 28, 4, DRM_FAULT_DUMP_CONTEXT_F_OWNER_UNKNOWN);
	file_add(file, DRM_FAULT_DUMP_CONTEXTS, table, sizeof(table));
}

static void put_record(uint8_t *record, size_t i)
{
	file_put(record, 4, i == 2 ? DRM_FAULT_RECORD_TIMEOUT : DRM_FAULT_RECORD_FAULT);
	file_put(record + 4, 4, sizeof(struct drm_fault_record));
	file_put(record + offsetof(struct drm_fault_record, reporter_id), 4, 7);
	file_put(record + offsetof(struct drm_fault_record, seqno), 8, i + 1);
	file_put(record + offsetof(struct drm_fault_record, count), 8, i + 2);
	file_put(record + offsetof(struct drm_fault_record, group_id), 8, 77);
	file_put(record + offsetof(struct drm_fault_record, context_id), 8, 0x100000001);
	file_put(record + offsetof(struct drm_fault_record, timestamp_ns), 8, 4000000000 + i);
	file_put(record + offsetof(struct drm_fault_record, address), 8, 0x800101600040 + 8 * i);
	file_put(record + offsetof(struct drm_fault_record, address_precision), 8, 8);
	file_put(record + offsetof(struct drm_fault_record, access), 4, DRM_FAULT_ACCESS_WRITE);
	file_put(record + offsetof(struct drm_fault_record, fault_type), 4,
		 DRM_FAULT_TYPE_NOT_PRESENT);
	put_text(record + offsetof(struct drm_fault_record, engine), "ring0");
	file_put(record + offsetof(struct drm_fault_record, pid), 4, 4242);
	put_text(record + offsetof(struct drm_fault_record, comm), "game");
	file_put(record + offsetof(struct drm_fault_record, raw_count), 4, 4);
	file_put(record + offsetof(struct drm_fault_record, raw[3]), 8, 0x123456789abcdef0);
	file_put(record + offsetof(struct drm_fault_record, job_seqno), 8, 600 + i);
}

static void add_records(struct file *file)
{
	uint8_t table[8 + RECORDS * sizeof(struct drm_fault_record)] = { 0 };
	size_t i;

	file_put(table, 4, sizeof(struct drm_fault_record));
	file_put(table + 4, 4, RECORDS);
	for (i = 0; i < RECORDS; i++)
		put_record(table + 8 + i * sizeof(struct drm_fault_record), i);
	file_add(file, DRM_FAULT_DUMP_RECORDS, table, sizeof(table));
}

static void add_application(struct file *file)
{
	uint8_t application[56] = { 0 };
	size_t i;

	file_put(application, 4, 1);
	file_put(application + 4, 4, 3);
	file_put(application + 8, 4, 11);
	file_put(application + 12, 4, 4);
	file_put(application + 16, 4, 0x403000);
	file_put(application + 20, 4, 0x400001);
	file_put(application + 24, 4, 0x1002);
	file_put(application + 28, 4, 0x73bf);
	for (i = 0; i < 16; i++)
		application[32 + i] = (uint8_t)(i + 1);
	file_put(application + 48, 4, 17);
	file_put(application + 52, 4, 25);
	file_add(file, DRM_FAULT_DUMP_APPLICATION, application, sizeof(application));
}

static void add_bindings(struct file *file)
{
	uint8_t table[8 + 2 * 56] = { 0 };
	uint8_t *binding = table + 8;

	file_put(table, 4, 56);
	file_put(table + 4, 4, 2);
	file_put(binding, 8, 0x800101600000);
	file_put(binding + 8, 8, 4096);
	file_put(binding + 16, 8, 1000000000);
	file_put(binding + 24, 8, 3000000000);
	file_put(binding + 32, 8, 0xabcdef0123456789);
	file_put(binding + 40, 4, 9);
	file_put(binding + 44, 4, 1);
	file_put(binding + 48, 4, 36);
	file_put(binding + 56, 8, 0x10000);
	file_put(binding + 56 + 48, 4, 45);
	file_add(file, DRM_FAULT_DUMP_BINDINGS, table, sizeof(table));
}

static void add_everything(struct file *file)
{
	uint8_t lost[24] = { 0 };

	file_put(lost, 8, 12);
	file_put(lost + 8, 8, 2);
	file_put(lost + 16, 8, 5);
	add_meta(file);
	add_device(file);
	add_contexts(file);
	add_records(file);
	file_add(file, DRM_FAULT_DUMP_LOST, lost, sizeof(lost));
	file_add(file, DRM_FAULT_DUMP_ENGINE, "ring0: head 5, tail 7\n", 22);
	add_application(file);
	add_bindings(file);
	file_add(file, 77, "new", 3);
	file_add(file, DRM_FAULT_DUMP_STRINGS, strings, sizeof(strings));
	file_add(file, DRM_FAULT_DUMP_HOST, "HOSTNAME=box\nCMDLINE=game --fast=1\n", 35);
	file_end(file);
}

void file_good(struct file *file)
{
	file_begin(file);
	add_everything(file);
}

void file_vendor_binary(struct file *file)
{
	file_begin(file);
	file_put(file->bytes, 4, 56);
	file_put(file->bytes + 4, 4, 1);
	file_put(file->bytes + 36, 4, 56);
	file_put(file->bytes + 44, 4, 62);
	memcpy(file->bytes + 56, "short", 6);
	/* Were it not skipped, this name would be taken for a container at 64. */
	memset(file->bytes + 62, 'y', 90);
	memcpy(file->bytes + 62 + 90, "DRMFAULT11111111", 17);
	file->start = 176;
	file->size = file->start + sizeof(struct drm_fault_dump_header);
	add_everything(file);
}

struct drmfault_dump *file_open(const struct file *file)
{
	struct drmfault_dump *dump = NULL;

	assert_int_equal(drmfault_dump_open_memory(file->bytes, file->size, &dump), 0);
	assert_non_null(dump);
	return dump;
}

void file_expect(const struct file *file, enum drmfault_dump_damage damage, uint32_t section)
{
	struct drmfault_dump_finding finding = { .size = sizeof(finding) };
	struct drmfault_dump *dump = file_open(file);

	assert_int_equal(drmfault_dump_finding_count(dump), 1);
	assert_int_equal(drmfault_dump_finding(dump, 0, &finding), 0);
	assert_string_equal(drmfault_dump_damage_name(finding.damage),
			    drmfault_dump_damage_name(damage));
	assert_int_equal(finding.section, section);
	assert_true(finding.offset <= file->size);
	drmfault_dump_free(dump);
}
