// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib_mock.h"

static struct drmfault_snapshot *one(struct drm_fault_record *record)
{
	struct drmfault_snapshot *snapshot = NULL;

	record->length = sizeof(*record);
	assert_int_equal(drmfault_snapshot_from_bytes(record, sizeof(*record), 1, &snapshot), 0);
	return snapshot;
}

#define SAME(getter, member) assert_true(drmfault_record_##getter(r) == record.member)

/* Every getter returns its own member: each byte of the record is different. */
static void getters_return_their_member(void **state)
{
	struct drm_fault_record record;
	struct drmfault_snapshot *snapshot;
	const struct drmfault_record *r;
	unsigned char *bytes = (unsigned char *)&record;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(record); i++)
		bytes[i] = (unsigned char)(i * 7 + 3);
	snapshot = one(&record);
	r = drmfault_snapshot_record(snapshot, 0);
	SAME(type, type);
	SAME(flags, flags);
	SAME(device_id, reporter_id);
	SAME(seqno, seqno);
	SAME(lost, lost);
	SAME(count, count);
	SAME(id, record_id);
	SAME(group_id, group_id);
	SAME(timestamp_ns, timestamp_ns);
	SAME(last_timestamp_ns, last_timestamp_ns);
	SAME(gpu_timestamp, gpu_timestamp);
	SAME(address, address);
	SAME(address_precision, address_precision);
	SAME(address_bits, address_bits);
	SAME(ip, ip);
	SAME(ip_precision, ip_precision);
	SAME(ip_type, ip_type);
	SAME(access, access);
	SAME(fault_type, fault_type);
	SAME(level, level);
	SAME(engine_class, engine_class);
	SAME(engine_instance, engine_instance);
	SAME(context_id, context_id);
	SAME(client_id, client_id);
	SAME(pid, pid);
	SAME(pasid, pasid);
	SAME(vmid, vmid);
	SAME(raw_format, raw_format);
	SAME(job_context, job_context);
	SAME(job_seqno, job_seqno);
	drmfault_snapshot_free(snapshot);
}

static void strings_are_terminated(void **state)
{
	struct drm_fault_record record = { 0 };
	struct drmfault_snapshot *snapshot;
	const struct drmfault_record *r;

	(void)state;
	memset(record.engine, 'e', sizeof(record.engine));
	memset(record.comm, 'c', sizeof(record.comm));
	snapshot = one(&record);
	r = drmfault_snapshot_record(snapshot, 0);
	assert_string_equal(drmfault_record_engine(r), "eeeeeeeeeeeeeee");
	assert_string_equal(drmfault_record_comm(r), "ccccccccccccccc");
	drmfault_snapshot_free(snapshot);
}

static void raw_words_end_at_their_count(void **state)
{
	struct drm_fault_record record = { .raw_count = 2, .raw = { 11, 12, 13, 14 } };
	struct drmfault_snapshot *snapshot = one(&record);
	const struct drmfault_record *r = drmfault_snapshot_record(snapshot, 0);

	(void)state;
	assert_int_equal(drmfault_record_raw_count(r), 2);
	assert_int_equal(drmfault_record_raw(r, 1), 12);
	assert_int_equal(drmfault_record_raw(r, 2), 0);
	drmfault_snapshot_free(snapshot);

	record.raw_count = 1000;
	snapshot = one(&record);
	r = drmfault_snapshot_record(snapshot, 0);
	assert_int_equal(drmfault_record_raw_count(r), DRM_FAULT_RAW_WORDS);
	assert_int_equal(drmfault_record_raw(r, 999), 0);
	drmfault_snapshot_free(snapshot);
}

static const struct {
	uint64_t address;
	uint32_t bits;
	uint64_t canonical;
} canonical_cases[] = {
	{ 0x0, 48, 0x0 },
	{ 0x7fffffffffff, 48, 0x7fffffffffff },
	{ 0x800000000000, 48, 0xffff800000000000 },
	{ 0x800101600000, 48, 0xffff800101600000 },
	{ 0xffff800101600000, 48, 0xffff800101600000 },
	{ 0xd556aa670000, 48, 0xffffd556aa670000 },
	{ 0x1000000000000, 57, 0x1000000000000 },
	{ 0x100000000000000, 57, 0xff00000000000000 },
	{ 0x80000000, 32, 0xffffffff80000000 },
	{ 0x800000000000, 0, 0x800000000000 },
	{ 0x8000000000000000, 64, 0x8000000000000000 },
	{ 0x1, 1, 0xffffffffffffffff },
	{ 0x7fffffffffff, DRMFAULT_ADDRESS_BITS_AUTO, 0x7fffffffffff },
	{ 0x800101600000, DRMFAULT_ADDRESS_BITS_AUTO, 0xffff800101600000 },
	{ 0xffff800101600000, DRMFAULT_ADDRESS_BITS_AUTO, 0xffff800101600000 },
	{ 0x1000000000000, DRMFAULT_ADDRESS_BITS_AUTO, 0x1000000000000 },
	{ 0xff000000000000, DRMFAULT_ADDRESS_BITS_AUTO, 0xff000000000000 },
	{ 0x100000000000000, DRMFAULT_ADDRESS_BITS_AUTO, 0xff00000000000000 },
	{ 0xffff000000000000, DRMFAULT_ADDRESS_BITS_AUTO, 0xffff000000000000 },
	{ 0x8000000000000000, DRMFAULT_ADDRESS_BITS_AUTO, 0x8000000000000000 },
};

static void addresses_become_canonical(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(canonical_cases) / sizeof(canonical_cases[0]); i++)
		assert_true(
			drmfault_canonical(canonical_cases[i].address, canonical_cases[i].bits) ==
			canonical_cases[i].canonical);
}

static void ranges_are_inclusive(void **state)
{
	uint64_t first, last;

	(void)state;
	drmfault_range(0x12345, 0x1000, &first, &last);
	assert_true(first == 0x12000 && last == 0x12fff);
	drmfault_range(0x12345, 0, &first, &last);
	assert_true(first == 0x12345 && last == 0x12345);
	drmfault_range(UINT64_MAX, UINT64_C(1) << 63, &first, &last);
	assert_true(first == UINT64_C(1) << 63 && last == UINT64_MAX);
}

static void every_value_has_a_name(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 1; i <= DRM_FAULT_RECORD_DUMP; i++)
		assert_non_null(drmfault_record_type_name(i));
	for (i = 0; i <= DRM_FAULT_ACCESS_ATOMIC; i++)
		assert_non_null(drmfault_access_name(i));
	for (i = 1; i <= DRM_FAULT_TYPE_OTHER; i++)
		assert_non_null(drmfault_type_name(i));
	for (i = 1; i <= DRM_FAULT_IP_FAULT; i++)
		assert_non_null(drmfault_ip_type_name(i));
	for (i = 1; i <= DRM_FAULT_ENGINE_OTHER; i++)
		assert_non_null(drmfault_engine_class_name(i));
	for (i = 1; i <= DRM_FAULT_RAW_NOUVEAU_GSP; i++)
		assert_non_null(drmfault_raw_format_name(i));
	for (i = 1; i <= DRM_FAULT_SCOPE_ALL; i++)
		assert_non_null(drmfault_scope_name(i));
	for (i = 0; i < 5; i++)
		assert_non_null(drmfault_flag_name(i));
	assert_string_equal(drmfault_access_name(DRM_FAULT_ACCESS_WRITE), "write");
	assert_string_equal(drmfault_type_name(DRM_FAULT_TYPE_NOT_PRESENT), "not present");
}

static const struct {
	const char *(*name)(uint32_t value);
	int (*from_name)(const char *name);
	uint32_t first;
	uint32_t last;
} name_tables[] = {
	{ drmfault_record_type_name, drmfault_record_type_from_name, 1, DRM_FAULT_RECORD_DUMP },
	{ drmfault_access_name, drmfault_access_from_name, 0, DRM_FAULT_ACCESS_ATOMIC },
	{ drmfault_type_name, drmfault_type_from_name, 1, DRM_FAULT_TYPE_OTHER },
	{ drmfault_ip_type_name, drmfault_ip_type_from_name, 1, DRM_FAULT_IP_FAULT },
	{ drmfault_engine_class_name, drmfault_engine_class_from_name, 1, DRM_FAULT_ENGINE_OTHER },
	{ drmfault_raw_format_name, drmfault_raw_format_from_name, 1, DRM_FAULT_RAW_NOUVEAU_GSP },
	{ drmfault_scope_name, drmfault_scope_from_name, 1, DRM_FAULT_SCOPE_ALL },
};

static void names_lead_back(void **state)
{
	uint32_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(name_tables) / sizeof(name_tables[0]); i++) {
		for (value = name_tables[i].first; value <= name_tables[i].last; value++)
			assert_int_equal(name_tables[i].from_name(name_tables[i].name(value)),
					 value);
		assert_null(name_tables[i].name(name_tables[i].last + 1));
		assert_int_equal(name_tables[i].from_name("no such thing"), -EINVAL);
		assert_int_equal(name_tables[i].from_name(""), -EINVAL);
	}
}

static void unknown_values_have_none(void **state)
{
	(void)state;
	assert_null(drmfault_record_type_name(0));
	assert_null(drmfault_record_type_name(99));
	assert_null(drmfault_access_name(UINT32_MAX));
	assert_null(drmfault_type_name(0));
	assert_null(drmfault_engine_class_name(8));
	assert_null(drmfault_flag_name(5));
}

/* The public header repeats the kernel's numbers: they must be the same. */
static void numbers_are_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(DRMFAULT_RECORD_LOST, DRM_FAULT_RECORD_LOST);
	assert_int_equal(DRMFAULT_ACCESS_ATOMIC, DRM_FAULT_ACCESS_ATOMIC);
	assert_int_equal(DRMFAULT_TYPE_OTHER, DRM_FAULT_TYPE_OTHER);
	assert_int_equal(DRMFAULT_IP_FAULT, DRM_FAULT_IP_FAULT);
	assert_int_equal(DRMFAULT_ENGINE_OTHER, DRM_FAULT_ENGINE_OTHER);
	assert_int_equal(DRMFAULT_SCOPE_ALL, DRM_FAULT_SCOPE_ALL);
	assert_int_equal(DRMFAULT_FLAG_OWNER_UNKNOWN, DRM_FAULT_RECORD_F_OWNER_UNKNOWN);
	assert_int_equal(DRMFAULT_RAW_SIM, DRM_FAULT_RAW_SIM);
	assert_int_equal(DRMFAULT_FLAG_REPEAT, DRM_FAULT_RECORD_F_REPEAT);
	assert_int_equal(DRMFAULT_FLAG_FATAL, DRM_FAULT_RECORD_F_FATAL);
	assert_int_equal(DRMFAULT_FLAG_GUILTY, DRM_FAULT_RECORD_F_GUILTY);
	assert_int_equal(DRMFAULT_FLAG_LOST, DRM_FAULT_RECORD_F_LOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(getters_return_their_member),
		cmocka_unit_test(strings_are_terminated),
		cmocka_unit_test(raw_words_end_at_their_count),
		cmocka_unit_test(addresses_become_canonical),
		cmocka_unit_test(ranges_are_inclusive),
		cmocka_unit_test(every_value_has_a_name),
		cmocka_unit_test(names_lead_back),
		cmocka_unit_test(unknown_values_have_none),
		cmocka_unit_test(numbers_are_the_kernels),
	};

	return cmocka_run_group_tests_name("libdrmfault: records", tests, NULL, NULL);
}
