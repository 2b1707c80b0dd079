// SPDX-License-Identifier: MIT
/*
 * Does what our header or Vulkan's says of VK_KHR_device_fault have the registry's values,
 * sizes and places? The table is that of the headers of Vulkan 1.4.363 on machines of 64
 * bits. Where the installed header has the extension itself, that is what the table is
 * held against.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drmfault_vulkan.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

struct number {
	const char *name;
	long long is;
	long long shall;
};

#define VALUE(name, shall)                      \
	{                                       \
#name, (long long)(name), shall \
	}
#define SIZE(type, shall)                            \
	{                                            \
		"sizeof " #type, sizeof(type), shall \
	}
#define PLACE(type, member, shall)                               \
	{                                                        \
#type "." #member, offsetof(type, member), shall \
	}

static const struct number values[] = {
	VALUE(VK_KHR_DEVICE_FAULT_SPEC_VERSION, 1),
	VALUE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR, 1000573000),
	VALUE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR, 1000573001),
	VALUE(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR, 1000573002),
	VALUE(VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR, 1000573003),
	VALUE(VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR, 1000233001),
	VALUE(VK_ERROR_NOT_ENOUGH_SPACE_KHR, -1000483000),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_KHR, 0),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_KHR, 1),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR, 2),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_KHR, 3),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_KHR, 4),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_KHR, 5),
	VALUE(VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_KHR, 6),
	VALUE(VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_KHR, 1),
	VALUE(VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR, 0x1),
	VALUE(VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR, 0x2),
	VALUE(VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR, 0x4),
	VALUE(VK_DEVICE_FAULT_FLAG_VENDOR_KHR, 0x8),
	VALUE(VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR, 0x10),
	VALUE(VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR, 0x20),
	/* The EXT's, on which ours are built. */
	VALUE(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, 1000341000),
	VALUE(VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT, 1000341001),
	VALUE(VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT, 1000341002),
};

static const struct number layouts[] = {
	SIZE(VkPhysicalDeviceFaultFeaturesKHR, 32),
	PLACE(VkPhysicalDeviceFaultFeaturesKHR, pNext, 8),
	PLACE(VkPhysicalDeviceFaultFeaturesKHR, deviceFault, 16),
	PLACE(VkPhysicalDeviceFaultFeaturesKHR, deviceFaultVendorBinary, 20),
	PLACE(VkPhysicalDeviceFaultFeaturesKHR, deviceFaultReportMasked, 24),
	PLACE(VkPhysicalDeviceFaultFeaturesKHR, deviceFaultDeviceLostOnMasked, 28),
	SIZE(VkPhysicalDeviceFaultPropertiesKHR, 24),
	PLACE(VkPhysicalDeviceFaultPropertiesKHR, maxDeviceFaultCount, 16),
	SIZE(VkDeviceFaultInfoKHR, 608),
	PLACE(VkDeviceFaultInfoKHR, pNext, 8),
	PLACE(VkDeviceFaultInfoKHR, flags, 16),
	PLACE(VkDeviceFaultInfoKHR, groupId, 24),
	PLACE(VkDeviceFaultInfoKHR, description, 32),
	PLACE(VkDeviceFaultInfoKHR, faultAddressInfo, 288),
	PLACE(VkDeviceFaultInfoKHR, instructionAddressInfo, 312),
	PLACE(VkDeviceFaultInfoKHR, vendorInfo, 336),
	SIZE(VkDeviceFaultDebugInfoKHR, 32),
	PLACE(VkDeviceFaultDebugInfoKHR, vendorBinarySize, 16),
	PLACE(VkDeviceFaultDebugInfoKHR, pVendorBinaryData, 24),
	SIZE(VkDeviceFaultAddressInfoKHR, 24),
	PLACE(VkDeviceFaultAddressInfoKHR, addressType, 0),
	PLACE(VkDeviceFaultAddressInfoKHR, reportedAddress, 8),
	PLACE(VkDeviceFaultAddressInfoKHR, addressPrecision, 16),
	SIZE(VkDeviceFaultVendorInfoKHR, 272),
	PLACE(VkDeviceFaultVendorInfoKHR, description, 0),
	PLACE(VkDeviceFaultVendorInfoKHR, vendorFaultCode, 256),
	PLACE(VkDeviceFaultVendorInfoKHR, vendorFaultData, 264),
	SIZE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, 56),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, headerSize, 0),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, headerVersion, 4),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, vendorID, 8),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, deviceID, 12),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, driverVersion, 16),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, pipelineCacheUUID, 20),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, applicationNameOffset, 36),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, applicationVersion, 40),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, engineNameOffset, 44),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, engineVersion, 48),
	PLACE(VkDeviceFaultVendorBinaryHeaderVersionOneKHR, apiVersion, 52),
	SIZE(VkDeviceFaultShaderAbortMessageInfoKHR, 32),
	PLACE(VkDeviceFaultShaderAbortMessageInfoKHR, messageDataSize, 16),
	PLACE(VkDeviceFaultShaderAbortMessageInfoKHR, pMessageData, 24),
	SIZE(VkPhysicalDeviceFaultFeaturesEXT, 24),
	SIZE(VkDeviceFaultCountsEXT, 32),
	SIZE(VkDeviceFaultInfoEXT, 296),
};

static void check(const struct number *numbers, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (numbers[i].is != numbers[i].shall)
			fail_msg("%s is %lld, not %lld", numbers[i].name, numbers[i].is,
				 numbers[i].shall);
	}
}

static void values_are_the_registrys(void **state)
{
	(void)state;
	check(values, ARRAY_SIZE(values));
	assert_string_equal(VK_KHR_DEVICE_FAULT_EXTENSION_NAME, "VK_KHR_device_fault");
}

static void layouts_are_the_registrys(void **state)
{
	(void)state;
	if (sizeof(void *) == 8)
		check(layouts, ARRAY_SIZE(layouts));
}

/* Types of functions, as a loader hands them out. */
static void functions_have_vulkans_types(void **state)
{
	PFN_vkGetDeviceFaultReportsKHR reports = NULL;
	PFN_vkGetDeviceFaultDebugInfoKHR debug = NULL;
	VkResult (*reports_as)(VkDevice, uint64_t, uint32_t *, VkDeviceFaultInfoKHR *) = reports;
	VkResult (*debug_as)(VkDevice, VkDeviceFaultDebugInfoKHR *) = debug;

	(void)state;
	assert_true(!reports_as && !debug_as);
}

static void flags_have_names(void **state)
{
	uint32_t bit;

	(void)state;
	for (bit = 1; bit < 0x40; bit <<= 1)
		assert_non_null(drmfault_vk_fault_flag_name((VkDeviceFaultFlagBitsKHR)bit));
	assert_null(drmfault_vk_fault_flag_name((VkDeviceFaultFlagBitsKHR)0x40));
	assert_string_equal(drmfault_vk_fault_flag_name(VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR),
			    "VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR");
	assert_string_equal(drmfault_vk_result_name(VK_ERROR_NOT_ENOUGH_SPACE_KHR),
			    "VK_ERROR_NOT_ENOUGH_SPACE_KHR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_the_registrys),
		cmocka_unit_test(layouts_are_the_registrys),
		cmocka_unit_test(functions_have_vulkans_types),
		cmocka_unit_test(flags_have_names),
	};

	return cmocka_run_group_tests_name("libdrmfault-vulkan: VK_KHR_device_fault", tests, NULL,
					   NULL);
}
