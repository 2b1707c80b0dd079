// SPDX-License-Identifier: MIT
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "lib_mock.h"

static struct drm_fault_record fault_record(uint64_t seqno)
{
	return (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(struct drm_fault_record),
		.seqno = seqno,
		.count = 1,
	};
}

static void arguments_reach_the_kernel(void **state)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_DEVICE,
		.fd = 0,
		.device_id = 9,
		.queue_records = 512,
	};
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = NULL;

	(void)state;
	assert_int_equal(drmfault_subscribe(fault, &args, &stream), 0);
	assert_int_equal(mock.asked.size, sizeof(mock.asked));
	assert_int_equal(mock.asked.scope, DRM_FAULT_SCOPE_DEVICE);
	assert_int_equal(mock.asked.device_id, 9);
	assert_int_equal(mock.asked.queue_records, 512);
	assert_int_equal(mock.asked.pad, 0);
	assert_int_equal(drmfault_stream_fd(stream), MOCK_STREAM_FD);
	assert_int_equal(drmfault_stream_queue_records(stream), 256);
	drmfault_close(fault);
	drmfault_stream_free(stream);
	drmfault_stream_free(NULL);
	assert_int_equal(mock.closed, 2);
}

/* Of callers that were built with an older or a newer header. */
static void arguments_grow_at_their_end(void **state)
{
	struct {
		struct drmfault_subscribe_args args;
		uint64_t news;
	} newer = { .args = { .size = sizeof(newer), .scope = DRMFAULT_SCOPE_ALL } };
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = NULL;

	(void)state;
	assert_int_equal(drmfault_subscribe(fault, &newer.args, &stream), 0);
	assert_int_equal(mock.asked.scope, DRM_FAULT_SCOPE_ALL);
	drmfault_stream_free(stream);
	stream = NULL;
	newer.news = UINT64_C(1) << 63;
	assert_int_equal(drmfault_subscribe(fault, &newer.args, &stream), -E2BIG);
	newer.args.size = SIZE_MAX;
	assert_int_equal(drmfault_subscribe(fault, &newer.args, &stream), -E2BIG);
	newer.args.size = offsetof(struct drmfault_subscribe_args, queue_records);
	assert_int_equal(drmfault_subscribe(fault, &newer.args, &stream), -EINVAL);
	newer.args.size = 0;
	assert_int_equal(drmfault_subscribe(fault, &newer.args, &stream), -EINVAL);
	assert_null(stream);
	drmfault_close(fault);
}

static void refusals_come_through(void **state)
{
	const struct drmfault_subscribe_args args = { .size = sizeof(args),
						      .scope = DRMFAULT_SCOPE_ALL };
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = NULL;

	(void)state;
	mock.ioctl_errno = EACCES;
	assert_int_equal(drmfault_subscribe(fault, &args, &stream), -EACCES);
	assert_null(stream);
	drmfault_close(fault);
}

static void records_come_once_in_order(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drm_fault_record records[100];
	const struct drmfault_record *record;
	uint64_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		records[i] = fault_record(i + 1);
	mock.stream = records;
	mock.stream_size = sizeof(records);
	mock.read_eintr = 2;
	for (i = 0; i < 100; i++) {
		assert_int_equal(drmfault_stream_next(stream, &record), 1);
		assert_int_equal(drmfault_record_seqno(record), i + 1);
	}
	assert_int_equal(drmfault_stream_next(stream, &record), 0);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

/* A kernel of the future has longer records and kinds that nobody knows here. */
static void longer_records_are_read(void **state)
{
	struct {
		struct drm_fault_record record;
		uint64_t news[4];
	} records[3];
	struct drmfault_stream *stream;
	const struct drmfault_record *record;
	struct drmfault *fault;
	size_t size, i;

	(void)state;
	mock.record_size = sizeof(records[0]);
	fault = mock_open();
	stream = mock_subscribe(fault);
	for (i = 0; i < 3; i++) {
		records[i].record = fault_record(i + 1);
		records[i].record.type = i == 1 ? 77 : DRM_FAULT_RECORD_FAULT;
		records[i].record.length = sizeof(records[i]);
		memset(records[i].news, 0xee, sizeof(records[i].news));
	}
	mock.stream = records;
	mock.stream_size = sizeof(records);
	for (i = 0; i < 3; i++) {
		assert_int_equal(drmfault_stream_next(stream, &record), 1);
		assert_int_equal(drmfault_record_seqno(record), i + 1);
		assert_int_equal(drmfault_record_type(record), i == 1 ? 77 : 1);
		assert_memory_equal(drmfault_record_bytes(record, &size), &records[i],
				    sizeof(records[i]));
		assert_int_equal(size, sizeof(records[i]));
	}
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

/* One of the past has shorter ones: what it lacks is 0, not what lies behind it. */
static void shorter_records_are_read(void **state)
{
	struct drm_fault_record whole = fault_record(5);
	struct drmfault_stream *stream;
	const struct drmfault_record *record;
	struct drmfault *fault;
	char bytes[2 * 48];

	(void)state;
	mock.record_size = 48;
	fault = mock_open();
	stream = mock_subscribe(fault);
	whole.length = 48;
	memcpy(bytes, &whole, 48);
	memset(bytes + 48, 0xff, 48);
	whole.seqno = 6;
	memcpy(bytes + 48, &whole, 48);
	mock.stream = bytes;
	mock.stream_size = sizeof(bytes);
	assert_int_equal(drmfault_stream_next(stream, &record), 1);
	assert_int_equal(drmfault_record_seqno(record), 5);
	assert_int_equal(drmfault_record_group_id(record), 0);
	assert_int_equal(drmfault_record_address(record), 0);
	assert_string_equal(drmfault_record_comm(record), "");
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void broken_lengths_end_the_batch(void **state)
{
	static const uint32_t lengths[] = { 0, 4, 12, 257, 512, UINT32_MAX };
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	const struct drmfault_record *record;
	struct drm_fault_record broken;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		broken = fault_record(1);
		broken.length = lengths[i];
		mock.stream = &broken;
		mock.stream_size = sizeof(broken);
		assert_int_equal(drmfault_stream_next(stream, &record), -EPROTO);
		assert_int_equal(drmfault_stream_next(stream, &record), 0);
	}
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void loss_and_end_are_told(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	struct drm_fault_record lost = {
		.type = DRM_FAULT_RECORD_LOST,
		.length = sizeof(lost),
		.flags = DRM_FAULT_RECORD_F_LOST,
		.seqno = 9,
		.lost = 85,
	};
	const struct drmfault_record *record;

	(void)state;
	mock.stream = &lost;
	mock.stream_size = sizeof(lost);
	assert_int_equal(drmfault_stream_next(stream, &record), 1);
	assert_int_equal(drmfault_record_type(record), DRMFAULT_RECORD_LOST);
	assert_int_equal(drmfault_record_flags(record), DRMFAULT_FLAG_LOST);
	assert_int_equal(drmfault_record_lost(record), 85);
	mock.read_errno = ENODEV;
	assert_int_equal(drmfault_stream_next(stream, &record), -ENODEV);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void wait_tells_four_things(void **state)
{
	static const struct {
		int result;
		short revents;
		int expected;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, POLLIN, 1 },
		{ -1, 0, -EINTR },
		{ 1, POLLHUP | POLLERR, -ENODEV },
		{ 1, POLLIN | POLLHUP | POLLERR, 1 },
		{ 1, POLLNVAL, -EBADF },
	};
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		mock.poll_result = cases[i].result;
		mock.poll_revents = cases[i].revents;
		assert_int_equal(drmfault_stream_wait(stream, 1234), cases[i].expected);
		assert_int_equal(mock.poll_timeout, 1234);
	}
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

static void wait_does_not_sleep_over_what_was_read(void **state)
{
	struct drm_fault_record records[2] = { fault_record(1), fault_record(2) };
	struct drmfault *fault = mock_open();
	struct drmfault_stream *stream = mock_subscribe(fault);
	const struct drmfault_record *record;

	(void)state;
	mock.stream = records;
	mock.stream_size = sizeof(records);
	assert_int_equal(drmfault_stream_next(stream, &record), 1);
	mock.poll_result = 0;
	assert_int_equal(drmfault_stream_wait(stream, DRMFAULT_FOREVER), 1);
	drmfault_stream_free(stream);
	drmfault_close(fault);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(arguments_reach_the_kernel, mock_reset),
		cmocka_unit_test_setup(arguments_grow_at_their_end, mock_reset),
		cmocka_unit_test_setup(refusals_come_through, mock_reset),
		cmocka_unit_test_setup(records_come_once_in_order, mock_reset),
		cmocka_unit_test_setup(longer_records_are_read, mock_reset),
		cmocka_unit_test_setup(shorter_records_are_read, mock_reset),
		cmocka_unit_test_setup(broken_lengths_end_the_batch, mock_reset),
		cmocka_unit_test_setup(loss_and_end_are_told, mock_reset),
		cmocka_unit_test_setup(wait_tells_four_things, mock_reset),
		cmocka_unit_test_setup(wait_does_not_sleep_over_what_was_read, mock_reset),
	};

	return cmocka_run_group_tests_name("libdrmfault: streams", tests, NULL, NULL);
}
