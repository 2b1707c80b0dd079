// SPDX-License-Identifier: MIT
/* What a good dump tells, and one that is newer or older than the library. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dump.h"

static struct file file;

static int fill(void **state)
{
	(void)state;
	file_good(&file);
	return 0;
}

static void a_good_dump_is_whole(void **state)
{
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	assert_int_equal(drmfault_dump_form(dump), DRMFAULT_DUMP_PLAIN);
	assert_int_equal(drmfault_dump_section_count(dump), GOOD_SECTIONS);
	drmfault_dump_free(dump);
	drmfault_dump_free(NULL);
}

static void meta_and_device(void **state)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	struct drmfault_dump_device device = { .size = sizeof(device) };
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_int_equal(drmfault_dump_meta(dump, 0, &meta), 0);
	assert_int_equal(meta.monotonic_ns, 5000000000);
	assert_int_equal(meta.realtime_ns, 1700000005000000000);
	assert_string_equal(meta.boot_id, "0123456789abcdef0123456789abcdef");
	assert_string_equal(meta.release, "6.12.1-test");
	assert_string_equal(meta.machine, "x86_64");
	assert_string_equal(meta.module_version, "0.1.0");
	assert_int_equal(drmfault_dump_meta(dump, 1, &meta), -ENOENT);

	assert_int_equal(drmfault_dump_device(dump, 0, &device), 0);
	assert_int_equal(device.id, 7);
	assert_int_equal(device.address_bits, 48);
	assert_int_equal(device.pci_vendor, 0x1002);
	assert_int_equal(device.pci_device, 0x73bf);
	assert_int_equal(device.pci_subsystem_vendor, 0x1da2);
	assert_int_equal(device.pci_subsystem_device, 0x438e);
	assert_int_equal(device.pci_revision, 0xc1);
	assert_string_equal(device.name, "gpu7");
	assert_string_equal(device.driver, "drm_fault_sim");
	assert_string_equal(device.bus, "0000:03:00.0");
	assert_int_equal(device.events, 11);
	assert_int_equal(device.records, 9);
	assert_int_equal(device.missed, 1);
	drmfault_dump_free(dump);
}

static void contexts_and_lost(void **state)
{
	struct drmfault_dump_context context = { .size = sizeof(context) };
	struct drmfault_dump_lost lost = { .size = sizeof(lost) };
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_int_equal(drmfault_dump_context(dump, 0, &context), 0);
	assert_int_equal(context.id, 0x100000001);
	assert_int_equal(context.client_id, 33);
	assert_int_equal(context.pid, 4242);
	assert_int_equal(context.uid, 1000);
	assert_int_equal(context.pasid, 5);
	assert_int_equal(context.flags, DRMFAULT_CONTEXT_ENDED);
	assert_string_equal(context.comm, "game");
	assert_int_equal(context.events, 10);
	assert_int_equal(context.lost, 2);
	assert_int_equal(context.group_id, 77);
	assert_int_equal(drmfault_dump_context(dump, 1, &context), 0);
	assert_int_equal(context.id, 2);
	assert_int_equal(context.flags, DRMFAULT_CONTEXT_OWNER_UNKNOWN);
	assert_string_equal(context.comm, "");
	assert_int_equal(drmfault_dump_context(dump, 2, &context), -ENOENT);

	assert_int_equal(drmfault_dump_lost(dump, 0, &lost), 0);
	assert_int_equal(lost.events, 12);
	assert_int_equal(lost.lost, 2);
	assert_int_equal(lost.dumps_skipped, 5);
	drmfault_dump_free(dump);
}

static void records_are_a_snapshot(void **state)
{
	struct drmfault_dump *dump = file_open(&file);
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	const struct drmfault_record *record;
	size_t i;

	(void)state;
	assert_int_equal(drmfault_snapshot_count(snapshot), RECORDS);
	assert_int_equal(drmfault_snapshot_events(snapshot), 12);
	assert_int_equal(drmfault_snapshot_lost(snapshot), 2);
	for (i = 0; i < RECORDS; i++) {
		record = drmfault_snapshot_record(snapshot, i);
		assert_int_equal(drmfault_record_seqno(record), i + 1);
		assert_int_equal(drmfault_record_count(record), i + 2);
		assert_int_equal(drmfault_record_address(record), 0x800101600040 + 8 * i);
		assert_string_equal(drmfault_record_engine(record), "ring0");
		assert_string_equal(drmfault_record_comm(record), "game");
		assert_int_equal(drmfault_record_raw(record, 3), 0x123456789abcdef0);
		assert_int_equal(drmfault_record_job_seqno(record), 600 + i);
	}
	assert_int_equal(drmfault_record_type(drmfault_snapshot_record(snapshot, 2)),
			 DRMFAULT_RECORD_TIMEOUT);
	drmfault_dump_free(dump);
}

static void application_and_bindings(void **state)
{
	static const uint8_t uuid[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	struct drmfault_dump_application app = { .size = sizeof(app) };
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_int_equal(drmfault_dump_application(dump, 0, &app), 0);
	assert_string_equal(app.application_name, "particles");
	assert_string_equal(app.engine_name, "motor");
	assert_string_equal(app.device_name, "Sim GPU");
	assert_string_equal(app.driver_name, "driver 1.2");
	assert_int_equal(app.application_version, 3);
	assert_int_equal(app.engine_version, 4);
	assert_int_equal(app.api_version, 0x403000);
	assert_int_equal(app.driver_version, 0x400001);
	assert_int_equal(app.vendor_id, 0x1002);
	assert_int_equal(app.device_id, 0x73bf);
	assert_memory_equal(app.pipeline_cache_uuid, uuid, sizeof(uuid));

	assert_int_equal(drmfault_dump_binding(dump, 0, &binding), 0);
	assert_string_equal(binding.name, "vertices");
	assert_int_equal(binding.address, 0x800101600000);
	assert_int_equal(binding.length, 4096);
	assert_int_equal(binding.bound_ns, 1000000000);
	assert_int_equal(binding.unbound_ns, 3000000000);
	assert_true(binding.object == 0xabcdef0123456789);
	assert_int_equal(binding.object_type, 9);
	assert_int_equal(binding.flags, 1);
	assert_int_equal(drmfault_dump_binding(dump, 1, &binding), 0);
	assert_string_equal(binding.name, "texels");
	assert_int_equal(drmfault_dump_binding(dump, 2, &binding), -ENOENT);
	drmfault_dump_free(dump);
}

static void texts_and_sections(void **state)
{
	struct drmfault_dump_section section = { .size = sizeof(section) };
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_string_equal(drmfault_dump_host(dump, 0), "HOSTNAME=box");
	assert_string_equal(drmfault_dump_host(dump, 1), "CMDLINE=game --fast=1");
	assert_null(drmfault_dump_host(dump, 2));
	assert_string_equal(drmfault_dump_string(dump, 0), "");
	assert_string_equal(drmfault_dump_string(dump, 3), "rticles");
	assert_null(drmfault_dump_string(dump, 1000));

	assert_int_equal(drmfault_dump_section(dump, GOOD_ENGINE, &section), 0);
	assert_int_equal(section.length, 22);
	assert_memory_equal(section.bytes, "ring0: head 5, tail 7\n", 22);
	assert_int_equal(drmfault_dump_section(dump, GOOD_UNKNOWN, &section), 0);
	assert_int_equal(section.type, 77);
	assert_int_equal(section.length, 3);
	assert_int_equal(section.offset, file.at[GOOD_UNKNOWN]);
	assert_memory_equal(section.bytes, "new", 3);
	assert_int_equal(drmfault_dump_section(dump, GOOD_SECTIONS, &section), -ENOENT);
	assert_string_equal(drmfault_dump_type_name(DRMFAULT_DUMP_HOST), "host");
	assert_null(drmfault_dump_type_name(77));
	assert_null(drmfault_dump_damage_name(0));
	assert_null(drmfault_dump_damage_name(1000));
	drmfault_dump_free(dump);
}

static void a_vendor_binary_is_the_same(void **state)
{
	struct drmfault_dump_section in_binary = { .size = sizeof(in_binary) };
	struct drmfault_dump_section plain = { .size = sizeof(plain) };
	struct drmfault_dump *dump = file_open(&file), *binary;
	size_t i;

	(void)state;
	file_vendor_binary(&file);
	binary = file_open(&file);
	assert_int_equal(drmfault_dump_form(binary), DRMFAULT_DUMP_VENDOR_BINARY);
	assert_int_equal(drmfault_dump_finding_count(binary), 0);
	assert_int_equal(drmfault_dump_section_count(binary), GOOD_SECTIONS);
	for (i = 0; i < GOOD_SECTIONS; i++) {
		drmfault_dump_section(binary, i, &in_binary);
		drmfault_dump_section(dump, i, &plain);
		assert_int_equal(in_binary.length, plain.length);
		assert_memory_equal(in_binary.bytes, plain.bytes, plain.length);
	}
	drmfault_dump_free(binary);
	drmfault_dump_free(dump);
}

static void what_is_longer_is_read(void **state)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	struct drmfault_dump_context context = { .size = sizeof(context) };
	uint8_t payload[2 * 400 + 8];
	const struct drmfault_record *record;
	struct drmfault_dump *dump;
	size_t size;

	(void)state;
	file_begin(&file);
	memset(payload, 0xa5, sizeof(payload));
	file_put(payload, 8, 42);
	file_add(&file, DRM_FAULT_DUMP_META, payload, 200);
	file_put(payload, 4, 80);
	file_put(payload + 4, 4, 2);
	file_put(payload + 8 + 80, 8, 43);
	file_add(&file, DRM_FAULT_DUMP_CONTEXTS, payload, 8 + 2 * 80);
	file_put(payload, 4, 400);
	file_put(payload + 8 + 400 + offsetof(struct drm_fault_record, seqno), 8, 44);
	file_add(&file, DRM_FAULT_DUMP_RECORDS, payload, sizeof(payload));
	file_end(&file);

	dump = file_open(&file);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	assert_int_equal(drmfault_dump_meta(dump, 0, &meta), 0);
	assert_int_equal(meta.monotonic_ns, 42);
	assert_int_equal(strlen(meta.release), sizeof(meta.release) - 1);
	assert_int_equal(drmfault_dump_context(dump, 1, &context), 0);
	assert_int_equal(context.id, 43);
	assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)), 2);
	record = drmfault_snapshot_record(drmfault_dump_snapshot(dump), 1);
	assert_int_equal(drmfault_record_seqno(record), 44);
	assert_int_equal(drmfault_record_raw_count(record), DRM_FAULT_RAW_WORDS);
	assert_int_equal(*((const uint8_t *)drmfault_record_bytes(record, &size) + 399), 0xa5);
	assert_int_equal(size, 400);
	drmfault_dump_free(dump);
}

static void what_is_shorter_reads_as_zeros(void **state)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	uint8_t payload[8 + 2 * 24] = { 0 };
	const struct drmfault_record *record;
	struct drmfault_dump *dump;

	(void)state;
	file_begin(&file);
	file_put(payload, 8, 42);
	file_add(&file, DRM_FAULT_DUMP_META, payload, 8);
	file_put(payload, 4, 24);
	file_put(payload + 4, 4, 2);
	file_put(payload + 8 + 24, 4, 3);
	file_put(payload + 8 + 24 + 16, 8, 45);
	file_add(&file, DRM_FAULT_DUMP_RECORDS, payload, sizeof(payload));
	file_end(&file);
	dump = file_open(&file);
	memset((char *)&meta + sizeof(meta.size), 0xa5, sizeof(meta) - sizeof(meta.size));
	assert_int_equal(drmfault_dump_meta(dump, 0, &meta), 0);
	assert_int_equal(meta.monotonic_ns, 42);
	assert_int_equal(meta.realtime_ns, 0);
	assert_string_equal(meta.module_version, "");
	record = drmfault_snapshot_record(drmfault_dump_snapshot(dump), 1);
	assert_int_equal(drmfault_record_type(record), DRMFAULT_RECORD_RESET);
	assert_int_equal(drmfault_record_seqno(record), 45);
	assert_int_equal(drmfault_record_address(record), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	drmfault_dump_free(dump);
}

/* The header of a newer minor format is longer, and may be skipped. */
static void a_longer_header_is_skipped(void **state)
{
	struct drmfault_dump *dump;
	uint8_t *header = file.bytes;

	(void)state;
	memmove(header + 136, header + 120, file.size - 120);
	memset(header + 120, 0x5a, 16);
	file.size += 16;
	file_put(header + 100, 4, 136);
	file_put(header + 104, 8, file.size);
	file_put(header + 116, 4, 0);
	file_put(header + 116, 4, file_crc(header, 136));
	dump = file_open(&file);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	assert_int_equal(drmfault_snapshot_count(drmfault_dump_snapshot(dump)), RECORDS);
	drmfault_dump_free(dump);
}

/* Structures of callers that are older than the library, or newer. */
static void callers_of_other_versions(void **state)
{
	struct {
		struct drmfault_dump_lost lost;
		uint64_t newer;
	} longer = { .lost = { .size = sizeof(longer) }, .newer = 5 };
	struct drmfault_dump_lost shorter = {
		.size = offsetof(struct drmfault_dump_lost, lost),
		.lost = 99,
		.dumps_skipped = 98,
	};
	struct drmfault_dump *dump = file_open(&file);

	(void)state;
	assert_int_equal(drmfault_dump_lost(dump, 0, &longer.lost), 0);
	assert_int_equal(longer.lost.dumps_skipped, 5);
	assert_int_equal(longer.newer, 0);
	assert_int_equal(drmfault_dump_lost(dump, 0, &shorter), 0);
	assert_int_equal(shorter.events, 12);
	assert_int_equal(shorter.lost, 99);
	assert_int_equal(shorter.dumps_skipped, 98);
	shorter.size = 0;
	assert_int_equal(drmfault_dump_lost(dump, 0, &shorter), -EINVAL);
	drmfault_dump_free(dump);
}

static void files_and_pipes(void **state)
{
	char path[] = "/tmp/drmfault-dump-XXXXXX";
	struct drmfault_dump *dump = NULL;
	int pipes[2], fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file.bytes, file.size), file.size);
	close(fd);
	assert_int_equal(drmfault_dump_open(path, &dump), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	drmfault_dump_free(dump);
	unlink(path);
	assert_int_equal(drmfault_dump_open(path, &dump), -ENOENT);
	assert_int_equal(drmfault_dump_open("/", &dump), -EISDIR);

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(write(pipes[1], file.bytes, file.size), file.size);
	close(pipes[1]);
	assert_int_equal(drmfault_dump_open_fd(pipes[0], &dump), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	drmfault_dump_free(dump);
	close(pipes[0]);
	assert_int_equal(drmfault_dump_open_fd(-1, &dump), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_good_dump_is_whole, fill),
		cmocka_unit_test_setup(meta_and_device, fill),
		cmocka_unit_test_setup(contexts_and_lost, fill),
		cmocka_unit_test_setup(records_are_a_snapshot, fill),
		cmocka_unit_test_setup(application_and_bindings, fill),
		cmocka_unit_test_setup(texts_and_sections, fill),
		cmocka_unit_test_setup(a_vendor_binary_is_the_same, fill),
		cmocka_unit_test(what_is_longer_is_read),
		cmocka_unit_test(what_is_shorter_reads_as_zeros),
		cmocka_unit_test_setup(a_longer_header_is_skipped, fill),
		cmocka_unit_test_setup(callers_of_other_versions, fill),
		cmocka_unit_test_setup(files_and_pipes, fill),
	};

	return cmocka_run_group_tests_name("libdrmfault: reading dumps", tests, NULL, NULL);
}
