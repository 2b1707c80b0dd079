// SPDX-License-Identifier: MIT
/*
 * Prints what the software GPU offers of both fault extensions, as vulkaninfo
 * does: a vulkaninfo older than VK_KHR_device_fault knows the EXT alone.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/app.h"

static void show(const char *name, VkBool32 value)
{
	printf("\t%-30s = %s\n", name, value ? "true" : "false");
}

static void show_features(struct app *app)
{
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
	};
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
		.pNext = &khr,
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &ext,
	};

	vkGetPhysicalDeviceFeatures2(app->gpu, &features);
	printf("VkPhysicalDeviceFaultFeaturesEXT:\n");
	show("deviceFault", ext.deviceFault);
	show("deviceFaultVendorBinary", ext.deviceFaultVendorBinary);
	printf("VkPhysicalDeviceFaultFeaturesKHR:\n");
	show("deviceFault", khr.deviceFault);
	show("deviceFaultVendorBinary", khr.deviceFaultVendorBinary);
	show("deviceFaultReportMasked", khr.deviceFaultReportMasked);
	show("deviceFaultDeviceLostOnMasked", khr.deviceFaultDeviceLostOnMasked);
}

static void show_properties(struct app *app)
{
	VkPhysicalDeviceFaultPropertiesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &khr,
	};

	vkGetPhysicalDeviceProperties2(app->gpu, &properties);
	printf("VkPhysicalDeviceFaultPropertiesKHR:\n\t%-30s = %" PRIu32 "\n",
	       "maxDeviceFaultCount", khr.maxDeviceFaultCount);
}

int main(void)
{
	static const char *const names[] = { VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
					     VK_KHR_DEVICE_FAULT_EXTENSION_NAME };
	struct app app;
	size_t i;

	app_instance_open(&app);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (app_offers(&app, names[i]))
			printf("%s\n", names[i]);
	show_features(&app);
	show_properties(&app);
	app_instance_close(&app);
	return 0;
}
