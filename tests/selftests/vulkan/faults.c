// SPDX-License-Identifier: MIT
/*
 * Faults of Vulkan submissions: each loses the device, and both extensions tell
 * the address, the access and the instruction. All through the loader, and, in
 * another run, through the validation layer.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/answer.h"

#define PAGE		     DRM_FAULT_SIM_PAGE_SIZE
#define BEYOND		     0x40
#define NEEDING_KHR_FEATURES 2

#define RULE_EXT "VUID-vkGetDeviceFaultInfoEXT-device-07336"

/* The registers that a launch sets: an address, and a value or a second address. */
static const uint64_t store[] = { DRM_FAULT_SIM_STORE(4, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t load[] = { DRM_FAULT_SIM_LOAD(8, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t atomic[] = { DRM_FAULT_SIM_ATOMIC_ADD(8, 1, 0, 0), DRM_FAULT_SIM_END };
static const uint64_t endless[] = { DRM_FAULT_SIM_JUMP(0) };

static int open_both(void **state)
{
	static struct app app;

	app_open(&app, APP_BOTH);
	*state = &app;
	return 0;
}

static int open_masked(void **state)
{
	static struct app app;

	app_open(&app, APP_BOTH | APP_ROBUST | APP_REPORT_MASKED);
	*state = &app;
	return 0;
}

static int open_instance(void **state)
{
	static struct app app;

	app_instance_open(&app);
	*state = &app;
	return 0;
}

static int close_instance(void **state)
{
	app_instance_close(*state);
	return app_log.message_count ? -1 : 0;
}

static int close_quietly(void **state)
{
	app_close(*state);
	return app_log.message_count ? -1 : 0;
}

/* One rule of the layer's is for calls on a device that is not lost. */
static int close_after_healthy(void **state)
{
	size_t i, rules = 0;

	app_close(*state);
	for (i = 0; i < app_log.message_count; i++)
		rules += !strcmp(app_log.messages[i], RULE_EXT);
	return rules == (app_is_validated() ? 2 : 0) && rules == app_log.message_count ? 0 : -1;
}

static void write_past_the_end(void **state)
{
	struct app *app = *state;
	struct app_buffer buffer;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
		.precision = 4,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
	};

	app_buffer_create(app, PAGE, &buffer);
	e.address = buffer.address + buffer.size + BEYOND;
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), e.address, 42, &e.ip),
			 VK_ERROR_DEVICE_LOST);
	check_lost(app, &e);
	app_buffer_destroy(app, &buffer);
}

static void read_of_freed_memory(void **state)
{
	struct app *app = *state;
	struct app_buffer buffer;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT,
		.precision = 8,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
	};

	app_buffer_create(app, PAGE, &buffer);
	e.address = buffer.address + 0x18;
	assert_int_equal(app_run(app, load, ARRAY_SIZE(load), e.address, 0, NULL), VK_SUCCESS);
	app_buffer_destroy(app, &buffer);
	assert_int_equal(app_run(app, load, ARRAY_SIZE(load), e.address, 0, &e.ip),
			 VK_ERROR_DEVICE_LOST);
	check_lost(app, &e);
}

static void atomic_at_null(void **state)
{
	struct app *app = *state;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
		.address = 8,
		.precision = 8,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
	};

	assert_int_equal(app_run(app, atomic, ARRAY_SIZE(atomic), e.address, 1, &e.ip),
			 VK_ERROR_DEVICE_LOST);
	check_lost(app, &e);
}

static void execution_of_data(void **state)
{
	struct app *app = *state;
	struct app_buffer buffer;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT,
		.precision = 8,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT,
	};
	uint64_t jump;

	app_buffer_create(app, PAGE, &buffer);
	e.address = buffer.address + 0x100;
	e.ip = e.address;
	jump = DRM_FAULT_SIM_JUMP(e.address);
	assert_int_equal(app_run(app, &jump, 1, 0, 0, NULL), VK_ERROR_DEVICE_LOST);
	check_lost(app, &e);
	app_buffer_destroy(app, &buffer);
}

static void write_to_a_program(void **state)
{
	struct app *app = *state;
	struct app_program victim;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
		.precision = 4,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
	};

	app_program_create(app, store, ARRAY_SIZE(store), &victim);
	e.address = victim.address;
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), e.address, 0, &e.ip),
			 VK_ERROR_DEVICE_LOST);
	check_lost(app, &e);
	app_program_destroy(app, &victim);
}

static void a_job_without_end(void **state)
{
	static VkDeviceFaultInfoKHR reports[MAX_REPORTS];
	static struct answer answer;
	struct app *app = *state;
	uint32_t i, count, timeouts = 0;

	assert_int_equal(app_run(app, endless, ARRAY_SIZE(endless), 0, 0, NULL),
			 VK_ERROR_DEVICE_LOST);
	count = ask_khr(app, reports, APP_LIMIT_NS);
	assert_true(count >= 2);
	for (i = 0; i < count; i++) {
		assert_false(reports[i].flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR);
		timeouts += !!(reports[i].flags & VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR);
	}
	assert_int_equal(timeouts, 1);
	assert_int_equal(reports[count - 1].flags, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	ask_ext(app, &answer);
	assert_non_null(strstr(answer.info.description, "GPU job timeout: ring0"));
}

/* As the public conformance tests do, in spite of the rule. */
static void healthy_device_ext(void **state)
{
	static struct answer answer;
	struct app *app = *state;

	ask_ext(app, &answer);
	assert_int_equal(answer.counts.addressInfoCount, 0);
	assert_int_equal(answer.counts.vendorInfoCount, 0);
	assert_int_equal(answer.counts.vendorBinarySize, 0);
}

static void healthy_device_khr(void **state)
{
	struct app *app = *state;
	uint32_t count = 1;

	assert_int_equal(app->get_reports(app->device, 0, &count, NULL), VK_TIMEOUT);
	assert_int_equal(count, 0);
	count = 1;
	assert_int_equal(app->get_reports(app->device, 1000000, &count, NULL), VK_TIMEOUT);
	assert_int_equal(count, 0);
}

/* Robust access: the store is dropped, the device lives, and the fault is told. */
static void a_masked_fault(void **state)
{
	static VkDeviceFaultInfoKHR reports[MAX_REPORTS];
	struct app *app = *state;
	struct app_buffer buffer;
	struct expected e = {
		.type = VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT,
		.precision = 4,
		.ip_type = VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT,
	};

	app_buffer_create(app, PAGE, &buffer);
	e.address = buffer.address + buffer.size;
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), e.address, 42, &e.ip), VK_SUCCESS);
	assert_int_equal(ask_khr(app, reports, APP_LIMIT_NS), 1);
	check_report(&reports[0], &e);
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), buffer.address, 42, NULL),
			 VK_SUCCESS);
	assert_int_equal(*(uint32_t *)buffer.cpu, 42);
	assert_int_equal(ask_khr(app, reports, 0), 0);
	app_buffer_destroy(app, &buffer);
}

static bool can_lose_on_masked(struct app *app)
{
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &khr,
	};

	vkGetPhysicalDeviceFeatures2(app->gpu, &features);
	return khr.deviceFaultDeviceLostOnMasked;
}

/* Nobody but a driver can do so: where a layer gives the extension it cannot be had. */
static void a_masked_fault_may_lose_the_device(void **state)
{
	const unsigned int with = APP_BOTH | APP_ROBUST | APP_REPORT_MASKED | APP_LOST_ON_MASKED;
	struct app *app = *state;

	if (!can_lose_on_masked(app)) {
		assert_non_null(getenv("ICD_WITHOUT"));
		assert_int_equal(app_try_device(app, with), VK_ERROR_FEATURE_NOT_PRESENT);
		return;
	}
	app_device_open(app, with);
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), 0x40, 42, NULL),
			 VK_ERROR_DEVICE_LOST);
	app_device_close(app);
}

/* Each device has an address space of its own, and its own faults. */
static void another_device_hears_nothing(void **state)
{
	static VkDeviceFaultInfoKHR reports[MAX_REPORTS];
	struct app *app = *state, other = *app;

	assert_int_equal(app_try_device(&other, APP_BOTH), VK_SUCCESS);
	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), 0x40, 42, NULL),
			 VK_ERROR_DEVICE_LOST);
	assert_int_equal(ask_khr(&other, reports, 0), 0);
	assert_int_equal(vkDeviceWaitIdle(other.device), VK_SUCCESS);
	vkDestroyDevice(other.device, NULL);
}

/* What names it has in the dump: the application's. */
static void the_binary_names_the_application(void **state)
{
	static struct answer answer;
	struct app *app = *state;

	assert_int_equal(app_run(app, store, ARRAY_SIZE(store), 0x40, 42, NULL),
			 VK_ERROR_DEVICE_LOST);
	ask_ext(app, &answer);
	assert_true(answer.counts.vendorBinarySize > 56 + sizeof(APP_NAME) + sizeof(APP_ENGINE));
	assert_string_equal((char *)answer.binary + 56, APP_NAME);
	assert_string_equal((char *)answer.binary + 56 + sizeof(APP_NAME), APP_ENGINE);
}

static void debug_info(void **state)
{
	static struct answer answer;
	static uint8_t binary[sizeof(answer.binary)];
	VkDeviceFaultDebugInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
	};
	struct app *app = *state;

	assert_int_equal(app_run(app, load, ARRAY_SIZE(load), 0x40, 0, NULL), VK_ERROR_DEVICE_LOST);
	assert_int_equal(app->get_debug_info(app->device, &info), VK_SUCCESS);
	ask_ext(app, &answer);
	assert_int_equal(info.vendorBinarySize, answer.counts.vendorBinarySize);
	info.pVendorBinaryData = binary;
	assert_int_equal(app->get_debug_info(app->device, &info), VK_SUCCESS);
	assert_memory_equal(binary, answer.binary, info.vendorBinarySize);
	info.vendorBinarySize = 60;
	assert_int_equal(app->get_debug_info(app->device, &info), VK_ERROR_NOT_ENOUGH_SPACE_KHR);
}

#define LOST(name) cmocka_unit_test_setup_teardown(name, open_both, close_quietly)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(healthy_device_ext, open_both, close_after_healthy),
		LOST(healthy_device_khr),
		LOST(write_past_the_end),
		LOST(read_of_freed_memory),
		LOST(atomic_at_null),
		LOST(execution_of_data),
		LOST(write_to_a_program),
		LOST(a_job_without_end),
		LOST(another_device_hears_nothing),
		LOST(the_binary_names_the_application),
		LOST(debug_info),
		/* The last ones: NEEDING_KHR_FEATURES. */
		cmocka_unit_test_setup_teardown(a_masked_fault, open_masked, close_quietly),
		cmocka_unit_test_setup_teardown(a_masked_fault_may_lose_the_device, open_instance,
						close_instance),
	};

	size_t count = ARRAY_SIZE(tests);

	/* A layer that does not know the KHR leaves its structures out: none of its features. */
	if (app_is_validated())
		count -= NEEDING_KHR_FEATURES;
	return _cmocka_run_group_tests("faults of Vulkan submissions", tests, count, NULL, NULL);
}
