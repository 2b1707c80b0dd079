// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "lib_mock.h"

#define MANY 50

static struct drm_fault_record records[MANY];

static int fill(void **state)
{
	size_t i;

	mock_reset(state);
	memset(records, 0, sizeof(records));
	for (i = 0; i < MANY; i++) {
		records[i].type = DRM_FAULT_RECORD_FAULT;
		records[i].length = sizeof(records[i]);
		records[i].seqno = i + 1;
		records[i].count = 2;
		records[i].lost = i == 10 ? 7 : 0;
	}
	mock.records = records;
	return 0;
}

static void nothing_is_an_empty_snapshot(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drmfault_snapshot *snapshot = NULL;

	(void)state;
	assert_int_equal(drmfault_snapshot_take(stream, &snapshot), 0);
	assert_int_equal(drmfault_snapshot_count(snapshot), 0);
	assert_null(drmfault_snapshot_record(snapshot, 0));
	assert_false(drmfault_snapshot_moving(snapshot));
	drmfault_snapshot_free(snapshot);
	drmfault_snapshot_free(NULL);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void all_records_and_sums_come(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drmfault_snapshot *snapshot = NULL;
	size_t i;

	(void)state;
	mock.snapshot = (struct drm_fault_snapshot){
		.total = MANY,
		.events = 107,
		.lost = 7,
		.generation = 42,
		.result = DRM_FAULT_SNAPSHOT_MOVING,
	};
	assert_int_equal(drmfault_snapshot_take(stream, &snapshot), 0);
	assert_int_equal(mock.snapshot_asked.flags, 0);
	assert_int_equal(mock.snapshot_asked.pad, 0);
	assert_int_equal(drmfault_snapshot_count(snapshot), MANY);
	assert_int_equal(drmfault_snapshot_events(snapshot), 107);
	assert_int_equal(drmfault_snapshot_lost(snapshot), 7);
	assert_int_equal(drmfault_snapshot_generation(snapshot), 42);
	assert_true(drmfault_snapshot_moving(snapshot));
	for (i = 0; i < MANY; i++)
		assert_int_equal(drmfault_record_seqno(drmfault_snapshot_record(snapshot, i)),
				 i + 1);
	assert_null(drmfault_snapshot_record(snapshot, MANY));
	drmfault_snapshot_free(snapshot);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void records_that_arrive_meanwhile_are_fetched(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drmfault_snapshot *snapshot = NULL;

	(void)state;
	mock.snapshot.total = 2;
	mock.total_grows_to = MANY;
	assert_int_equal(drmfault_snapshot_take(stream, &snapshot), 0);
	assert_int_equal(drmfault_snapshot_count(snapshot), MANY);
	drmfault_snapshot_free(snapshot);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void errors_leave_the_result_alone(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drmfault_snapshot *snapshot = NULL;

	(void)state;
	mock.ioctl_errno = ENODEV;
	assert_int_equal(drmfault_snapshot_take(stream, &snapshot), -ENODEV);
	assert_null(snapshot);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void bytes_make_a_snapshot(void **state)
{
	struct drmfault_snapshot *snapshot = NULL;

	(void)state;
	assert_int_equal(drmfault_snapshot_from_bytes(records, sizeof(records[0]), MANY, &snapshot),
			 0);
	assert_int_equal(drmfault_snapshot_count(snapshot), MANY);
	assert_int_equal(drmfault_snapshot_lost(snapshot), 7);
	assert_int_equal(drmfault_snapshot_events(snapshot), 2 * MANY + 7);
	memset(records, 0, sizeof(records));
	assert_int_equal(drmfault_record_seqno(drmfault_snapshot_record(snapshot, 3)), 4);
	drmfault_snapshot_free(snapshot);
}

static void bad_strides_are_refused(void **state)
{
	static const size_t strides[] = { 0, 4, 7, 12, 257 };
	struct drmfault_snapshot *snapshot = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(strides) / sizeof(strides[0]); i++)
		assert_int_equal(drmfault_snapshot_from_bytes(records, strides[i], 1, &snapshot),
				 -EINVAL);
	assert_int_equal(drmfault_snapshot_from_bytes(records, 8, SIZE_MAX / 8, &snapshot),
			 -EINVAL);
	assert_null(snapshot);
}

static void older_records_can_be_left_out(void **state)
{
	struct drmfault_snapshot *snapshot = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < MANY; i++)
		records[i].last_timestamp_ns = 100 * (MANY - i);
	assert_int_equal(drmfault_snapshot_from_bytes(records, sizeof(records[0]), MANY, &snapshot),
			 0);
	drmfault_snapshot_forget_before(snapshot, 100);
	assert_int_equal(drmfault_snapshot_count(snapshot), MANY);
	assert_int_equal(drmfault_snapshot_events(snapshot), 2 * MANY + 7);
	drmfault_snapshot_forget_before(snapshot, 301);
	assert_int_equal(drmfault_snapshot_count(snapshot), MANY - 3);
	assert_null(drmfault_snapshot_record(snapshot, MANY - 3));
	for (i = 0; i < MANY - 3; i++)
		assert_int_equal(drmfault_record_seqno(drmfault_snapshot_record(snapshot, i)),
				 records[i].seqno);
	assert_int_equal(drmfault_snapshot_events(snapshot),
			 2 * (MANY - 3) + drmfault_snapshot_lost(snapshot));
	drmfault_snapshot_forget_before(snapshot, UINT64_MAX);
	assert_int_equal(drmfault_snapshot_count(snapshot), 0);
	assert_int_equal(drmfault_snapshot_events(snapshot), 0);
	drmfault_snapshot_free(snapshot);
}

static void told_faults_come_behind(void **state)
{
	const struct drmfault_told told[] = {
		{
			.size = sizeof(told[0]),
			.access = DRMFAULT_ACCESS_WRITE,
			.address = 0x1234000,
			.precision = 0x1000,
			.pid = 42,
			.comm = "a name of more than sixteen letters",
			.timestamp_ns = 7777,
		},
		{
			.size = sizeof(told[0]),
			.ip = 0x5678,
			.ip_precision = 1,
			.ip_type = DRMFAULT_IP_FAULT,
			.timestamp_ns = 8888,
			.lost = 40,
		},
	};
	struct drmfault_snapshot *kernel, *with;
	const struct drmfault_record *record;
	size_t i;

	(void)state;
	assert_int_equal(drmfault_snapshot_from_bytes(records, sizeof(records[0]), 3, &kernel), 0);
	assert_int_equal(drmfault_snapshot_with(kernel, told, 2, &with), 0);
	drmfault_snapshot_free(kernel);
	assert_int_equal(drmfault_snapshot_count(with), 5);
	assert_int_equal(drmfault_snapshot_events(with), 3 * 2 + 2 + 40);
	assert_int_equal(drmfault_snapshot_lost(with), 40);
	for (i = 0; i < 3; i++)
		assert_int_equal(drmfault_record_seqno(drmfault_snapshot_record(with, i)), i + 1);
	record = drmfault_snapshot_record(with, 3);
	assert_int_equal(drmfault_record_type(record), DRMFAULT_RECORD_FAULT);
	assert_int_equal(drmfault_record_access(record), DRMFAULT_ACCESS_WRITE);
	assert_int_equal(drmfault_record_address(record), 0x1234000);
	assert_int_equal(drmfault_record_address_precision(record), 0x1000);
	assert_int_equal(drmfault_record_ip_type(record), 0);
	assert_int_equal(drmfault_record_pid(record), 42);
	assert_string_equal(drmfault_record_comm(record), "a name of more ");
	assert_int_equal(drmfault_record_timestamp_ns(record), 7777);
	record = drmfault_snapshot_record(with, 4);
	assert_int_equal(drmfault_record_address_precision(record), 0);
	assert_int_equal(drmfault_record_ip_type(record), DRMFAULT_IP_FAULT);
	assert_int_equal(drmfault_record_ip(record), 0x5678);
	assert_string_equal(drmfault_record_comm(record), "");
	assert_int_equal(drmfault_record_lost(record), 40);
	assert_true(drmfault_record_flags(record) & DRMFAULT_FLAG_LOST);
	drmfault_snapshot_free(with);

	assert_int_equal(drmfault_snapshot_with(NULL, told, 1, &with), 0);
	assert_int_equal(drmfault_snapshot_count(with), 1);
	drmfault_snapshot_free(with);
	assert_int_equal(drmfault_snapshot_with(NULL, NULL, 0, &with), 0);
	assert_int_equal(drmfault_snapshot_count(with), 0);
	drmfault_snapshot_free(with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_is_an_empty_snapshot, fill),
		cmocka_unit_test_setup(all_records_and_sums_come, fill),
		cmocka_unit_test_setup(records_that_arrive_meanwhile_are_fetched, fill),
		cmocka_unit_test_setup(errors_leave_the_result_alone, fill),
		cmocka_unit_test_setup(bytes_make_a_snapshot, fill),
		cmocka_unit_test_setup(bad_strides_are_refused, fill),
		cmocka_unit_test_setup(older_records_can_be_left_out, fill),
		cmocka_unit_test_setup(told_faults_come_behind, fill),
	};

	return cmocka_run_group_tests_name("libdrmfault: snapshots", tests, NULL, NULL);
}
