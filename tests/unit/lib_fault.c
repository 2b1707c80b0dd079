// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "lib_mock.h"

/* What opening can say, and what the library makes of it. */
static const struct {
	int open_errno;
	int ioctl_errno;
	int expected;
} open_cases[] = {
	{ ENOENT, 0, -ENODEV }, { ENXIO, 0, -ENODEV },	{ ENODEV, 0, -ENODEV },
	{ EACCES, 0, -EACCES }, { EMFILE, 0, -EMFILE }, { 0, ENOTTY, -ENOTTY },
	{ 0, EINVAL, -ENOTTY }, { 0, ENOMEM, -ENOMEM },
};

static void open_says_why(void **state)
{
	struct drmfault *fault = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(open_cases) / sizeof(open_cases[0]); i++) {
		mock_reset(NULL);
		mock.open_errno = open_cases[i].open_errno;
		mock.ioctl_errno = open_cases[i].ioctl_errno;
		assert_int_equal(drmfault_open_with(&mock_sys, NULL, NULL, &fault),
				 open_cases[i].expected);
		assert_null(fault);
		assert_int_equal(mock.closed, open_cases[i].open_errno ? 0 : 1);
	}
}

static void open_without_the_module(void **state)
{
	struct drmfault *fault = NULL;

	(void)state;
	assert_int_equal(drmfault_open("/nonexistent/drm_fault", &fault), -ENODEV);
	assert_null(fault);
	assert_non_null(strstr(drmfault_explain(-ENODEV), "modprobe drm_fault"));
}

static void open_of_another_file(void **state)
{
	struct drmfault *fault = NULL;

	(void)state;
	assert_int_equal(drmfault_open("/dev/null", &fault), -ENOTTY);
	assert_null(fault);
}

static void open_rejects_odd_record_sizes(void **state)
{
	static const uint32_t sizes[] = { 0, 4, 12, 255 };
	struct drmfault *fault = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		mock.record_size = sizes[i];
		assert_int_equal(drmfault_open_with(&mock_sys, NULL, NULL, &fault), -EPROTO);
	}
}

static void info_is_terminated(void **state)
{
	struct drmfault *fault = mock_open();

	(void)state;
	assert_int_equal(strlen(drmfault_module_version(fault)), DRM_FAULT_NAME_LEN - 1);
	assert_true(drmfault_is_privileged(fault));
	assert_int_equal(drmfault_ring_records(fault), 64);
	drmfault_close(fault);
	assert_int_equal(mock.closed, 1);
}

static void calls_survive_signals(void **state)
{
	struct drmfault *fault;

	(void)state;
	mock.ioctl_eintr = 3;
	fault = mock_open();
	assert_int_equal(mock.ioctl_eintr, 0);
	drmfault_close(fault);
}

static void device_is_described(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_device *device = NULL;

	(void)state;
	mock.device = (struct drm_fault_device){
		.id = 7,
		.driver = "sim",
		.bus = "0000:03:00.0",
		.primary_minor = 0xffffffff,
		.render_minor = 128,
		.address_bits = 48,
		.events = 5,
		.records = 4,
	};
	memset(mock.device.name, 'n', sizeof(mock.device.name));
	assert_int_equal(drmfault_device_get(fault, 7, &device), 0);
	assert_int_equal(drmfault_device_id(device), 7);
	assert_int_equal(strlen(drmfault_device_name(device)), DRM_FAULT_NAME_LEN - 1);
	assert_string_equal(drmfault_device_driver(device), "sim");
	assert_string_equal(drmfault_device_bus(device), "0000:03:00.0");
	assert_int_equal(drmfault_device_primary_minor(device), -1);
	assert_int_equal(drmfault_device_render_minor(device), 128);
	assert_int_equal(drmfault_device_address_bits(device), 48);
	assert_int_equal(drmfault_device_events(device), 5);
	assert_int_equal(drmfault_device_records(device), 4);
	drmfault_device_free(device);
	drmfault_close(fault);
}

static void device_errors_leave_the_result_alone(void **state)
{
	struct drmfault *fault = mock_open();
	struct drmfault_device *device = NULL;

	(void)state;
	mock.ioctl_errno = EOPNOTSUPP;
	assert_int_equal(drmfault_device_of_fd(fault, 3, &device), -EOPNOTSUPP);
	assert_int_equal(drmfault_device_next(fault, UINT32_MAX, &device), -ENODEV);
	assert_null(device);
	drmfault_device_free(NULL);
	drmfault_close(fault);
}

static void every_error_is_one_sentence(void **state)
{
	int error;

	(void)state;
	for (error = 1; error < 140; error++) {
		assert_true(strlen(drmfault_explain(-error)) > 10);
		assert_null(strchr(drmfault_explain(-error), '\n'));
	}
	assert_string_equal(drmfault_explain(0), "nothing is wrong");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(open_says_why, mock_reset),
		cmocka_unit_test_setup(open_without_the_module, mock_reset),
		cmocka_unit_test_setup(open_of_another_file, mock_reset),
		cmocka_unit_test_setup(open_rejects_odd_record_sizes, mock_reset),
		cmocka_unit_test_setup(info_is_terminated, mock_reset),
		cmocka_unit_test_setup(calls_survive_signals, mock_reset),
		cmocka_unit_test_setup(device_is_described, mock_reset),
		cmocka_unit_test_setup(device_errors_leave_the_result_alone, mock_reset),
		cmocka_unit_test_setup(every_error_is_one_sentence, mock_reset),
	};

	return cmocka_run_group_tests_name("libdrmfault: device", tests, NULL, NULL);
}
