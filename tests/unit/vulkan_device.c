// SPDX-License-Identifier: MIT
/* The vendor binary of a driver that says which GPU it drives. */
#include <string.h>

#include "drmfault_dump.h"
#include "lib_mock.h"
#include "vulkan.h"

static void the_gpu_is_in_the_dump(void **state)
{
	struct drmfault_dump_device read = { .size = sizeof(read) };
	struct drmfault_vk_identity identity = vulkan_identity;
	struct drm_fault_record record = vulkan_fault();
	struct drmfault_snapshot *snapshot = vulkan_snapshot(&record, 1);
	struct drmfault *fault = mock_open();
	struct drmfault_device *device = NULL;
	struct drmfault_dump *dump = NULL;
	static struct fault_answer answer;

	(void)state;
	mock.device = (struct drm_fault_device){
		.size = sizeof(mock.device),
		.id = 7,
		.name = "gpu7",
		.driver = "sim",
		.bus = "0000:03:00.0",
		.address_bits = 48,
		.events = 5,
		.records = 4,
	};
	assert_int_equal(drmfault_device_get(fault, 7, &device), 0);
	identity.device = device;
	vulkan_ask(&identity, snapshot, MAX_INFOS, MAX_INFOS, MAX_BINARY, &answer);
	assert_int_equal(answer.result, VK_SUCCESS);
	assert_int_equal(
		drmfault_dump_open_memory(answer.binary, answer.counts.vendorBinarySize, &dump), 0);
	assert_int_equal(drmfault_dump_finding_count(dump), 0);
	assert_int_equal(drmfault_dump_device(dump, 0, &read), 0);
	assert_int_equal(read.id, 7);
	assert_string_equal(read.name, "gpu7");
	assert_string_equal(read.driver, "sim");
	assert_string_equal(read.bus, "0000:03:00.0");
	assert_int_equal(read.address_bits, 48);
	assert_int_equal(read.events, 5);
	assert_int_equal(read.records, 4);
	drmfault_dump_free(dump);
	drmfault_device_free(device);
	drmfault_close(fault);
	drmfault_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_gpu_is_in_the_dump, mock_reset),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: the GPU", tests, NULL, NULL);
}
