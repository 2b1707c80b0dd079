// SPDX-License-Identifier: MIT
/* VK_EXT_device_fault. */
#include "conformance.h"

#define FAULTS 3

static struct fault_answer first, again;

/* Three faults, then the loss. */
static void lose_after_faults(struct conformance *c, uint64_t addresses[FAULTS])
{
	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, FAULTS, addresses);
	conformance_lose(c);
}

static void offers(struct conformance *c)
{
	VkPhysicalDeviceFaultFeaturesEXT ext = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
	};
	VkPhysicalDeviceFaultFeaturesKHR khr = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
	};
	VkPhysicalDeviceFaultPropertiesKHR properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR,
	};

	c->subject->offer(&ext, &khr, &properties);
	CHECK(c, ext.deviceFault == VK_TRUE && khr.deviceFault == VK_TRUE);
	CHECK(c, ext.deviceFaultVendorBinary <= VK_TRUE && khr.deviceFaultVendorBinary <= VK_TRUE);
	CHECK(c, khr.deviceFaultReportMasked <= VK_TRUE);
	CHECK(c, khr.deviceFaultDeviceLostOnMasked <= VK_TRUE);
	CHECK(c, properties.maxDeviceFaultCount >= 1);
	CHECK(c, ext.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT && !ext.pNext);
	CHECK(c, khr.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR && !khr.pNext);
}

/* What dEQP-VK.postmortem.device_fault.real does. */
static void healthy(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	conformance_create(c, true, true);
	counts = conformance_counts(c);
	CHECK(c, !counts.addressInfoCount && !counts.vendorInfoCount && !counts.vendorBinarySize);
	conformance_ask(c, MAX_INFOS, MAX_INFOS, MAX_BINARY, &first);
	CHECK(c, first.result == VK_SUCCESS);
	CHECK(c, !first.counts.addressInfoCount && !first.counts.vendorInfoCount);
	CHECK(c, !first.counts.vendorBinarySize);
	CHECK(c, is_text(first.info.description, sizeof(first.info.description)));
	CHECK(c, is_untouched(first.addresses, sizeof(first.addresses)));
	CHECK(c, is_untouched(first.vendors, sizeof(first.vendors)));
	CHECK(c, is_untouched(first.binary, sizeof(first.binary)));
}

/* A device that lives answers as a healthy one, whatever happened to it. */
static void healthy_after_faults(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, 1, NULL);
	counts = conformance_counts(c);
	CHECK(c, !counts.addressInfoCount && !counts.vendorInfoCount && !counts.vendorBinarySize);
}

/* And is not bound by that answer when it is lost later. */
static void asked_too_early(struct conformance *c)
{
	conformance_create(c, true, true);
	conformance_counts(c);
	conformance_fault(c, CONFORMANCE_WRITE, 1, NULL);
	conformance_ask_all(c, &first);
	conformance_lose(c);
	CHECK(c, conformance_counts(c).addressInfoCount >= 1);
}

static void counts_without_info(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	lose_after_faults(c, NULL);
	counts = conformance_counts(c);
	CHECK(c, counts.addressInfoCount >= FAULTS);
	CHECK(c, counts.sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT && !counts.pNext);
}

static void all_fits(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	lose_after_faults(c, NULL);
	counts = conformance_counts(c);
	conformance_ask_all(c, &first);
	CHECK(c, first.result == VK_SUCCESS);
	CHECK(c, first.counts.addressInfoCount == counts.addressInfoCount);
	CHECK(c, first.counts.vendorInfoCount == counts.vendorInfoCount);
	CHECK(c, first.counts.vendorBinarySize == counts.vendorBinarySize);
}

static void counts_are_what_was_written(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;
	uint32_t i, n;

	lose_after_faults(c, NULL);
	counts = conformance_counts(c);
	conformance_ask(c, MAX_INFOS, MAX_INFOS, MAX_BINARY, &first);
	CHECK(c, first.result == VK_SUCCESS);
	n = first.counts.addressInfoCount;
	CHECK(c, n == counts.addressInfoCount);
	for (i = 0; i < n; i++)
		CHECK(c, !is_untouched(&first.addresses[i], sizeof(first.addresses[i])));
	CHECK(c, is_untouched(&first.addresses[n], (MAX_INFOS - n) * sizeof(first.addresses[0])));
	n = first.counts.vendorInfoCount;
	CHECK(c, n == counts.vendorInfoCount);
	CHECK(c, is_untouched(&first.vendors[n], (MAX_INFOS - n) * sizeof(first.vendors[0])));
	n = (uint32_t)first.counts.vendorBinarySize;
	CHECK(c, n == counts.vendorBinarySize && is_untouched(first.binary + n, MAX_BINARY - n));
}

static void no_feature_no_binary(struct conformance *c)
{
	conformance_create(c, false, true);
	conformance_fault(c, CONFORMANCE_WRITE, 1, NULL);
	conformance_lose(c);
	CHECK(c, conformance_counts(c).vendorBinarySize == 0);
	conformance_ask(c, MAX_INFOS, MAX_INFOS, MAX_BINARY, &first);
	CHECK(c, first.result == VK_SUCCESS && first.counts.vendorBinarySize == 0);
	CHECK(c, is_untouched(first.binary, sizeof(first.binary)));
	CHECK(c, first.info.pVendorBinaryData == first.binary);
}

static void short_addresses(struct conformance *c)
{
	uint32_t n, have;

	lose_after_faults(c, NULL);
	have = conformance_counts(c).addressInfoCount;
	for (n = 0; n < have; n++) {
		conformance_ask(c, n, MAX_INFOS, MAX_BINARY, &first);
		CHECK(c, first.result == VK_INCOMPLETE && first.counts.addressInfoCount == n);
		CHECK(c, is_untouched(&first.addresses[n], sizeof(first.addresses[0])));
	}
}

static void short_vendors(struct conformance *c)
{
	uint32_t n, have;

	lose_after_faults(c, NULL);
	have = conformance_counts(c).vendorInfoCount;
	for (n = 0; n < have; n++) {
		conformance_ask(c, MAX_INFOS, n, MAX_BINARY, &first);
		CHECK(c, first.result == VK_INCOMPLETE && first.counts.vendorInfoCount == n);
		CHECK(c, is_untouched(&first.vendors[n], sizeof(first.vendors[0])));
	}
}

static void short_binary(struct conformance *c)
{
	static const VkDeviceSize less[] = { 1, 8, 100 };
	VkDeviceSize have, n;
	size_t i;

	lose_after_faults(c, NULL);
	have = conformance_counts(c).vendorBinarySize;
	CHECK(c, have >= sizeof(VkDeviceFaultVendorBinaryHeaderVersionOneKHR));
	for (i = 0; i < ARRAY_SIZE(less); i++) {
		n = have - less[i];
		conformance_ask(c, MAX_INFOS, MAX_INFOS, n, &first);
		CHECK(c, first.result == VK_INCOMPLETE && first.counts.vendorBinarySize <= n);
		CHECK(c, is_untouched(first.binary + n, MAX_BINARY - (size_t)n));
	}
}

static void shorter_than_the_header(struct conformance *c)
{
	VkDeviceSize n;

	lose_after_faults(c, NULL);
	for (n = 0; n < sizeof(VkDeviceFaultVendorBinaryHeaderVersionOneKHR); n++) {
		conformance_ask(c, MAX_INFOS, MAX_INFOS, n, &first);
		CHECK(c, first.result == VK_INCOMPLETE && first.counts.vendorBinarySize == 0);
		CHECK(c, is_untouched(first.binary, 64));
	}
	conformance_ask(c, MAX_INFOS, MAX_INFOS, n, &first);
	CHECK(c, first.result == VK_INCOMPLETE && first.counts.vendorBinarySize == n);
}

static void nothing_has_room(struct conformance *c)
{
	lose_after_faults(c, NULL);
	conformance_ask(c, 0, 0, 0, &first);
	CHECK(c, first.result == VK_INCOMPLETE);
	CHECK(c, is_untouched(first.addresses, sizeof(first.addresses[0])));
	CHECK(c, is_untouched(first.vendors, sizeof(first.vendors[0])));
	CHECK(c, is_text(first.info.description, sizeof(first.info.description)));
}

static void same_counts(struct conformance *c)
{
	VkDeviceFaultCountsEXT one, other;

	lose_after_faults(c, NULL);
	one = conformance_counts(c);
	conformance_ask_all(c, &first);
	other = conformance_counts(c);
	CHECK(c, one.addressInfoCount == other.addressInfoCount);
	CHECK(c, one.vendorInfoCount == other.vendorInfoCount);
	CHECK(c, one.vendorBinarySize == other.vendorBinarySize);
}

static bool same_addresses(uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (first.addresses[i].addressType != again.addresses[i].addressType ||
		    first.addresses[i].reportedAddress != again.addresses[i].reportedAddress ||
		    first.addresses[i].addressPrecision != again.addresses[i].addressPrecision)
			return false;
	return true;
}

static bool same_vendors(uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (strcmp(first.vendors[i].description, again.vendors[i].description) ||
		    first.vendors[i].vendorFaultCode != again.vendors[i].vendorFaultCode ||
		    first.vendors[i].vendorFaultData != again.vendors[i].vendorFaultData)
			return false;
	return true;
}

static void same_values(struct conformance *c)
{
	lose_after_faults(c, NULL);
	conformance_ask_all(c, &first);
	conformance_ask_all(c, &again);
	CHECK(c, again.result == first.result);
	CHECK(c, !memcmp(&first.counts, &again.counts, sizeof(first.counts)));
	CHECK(c, !strcmp(first.info.description, again.info.description));
	CHECK(c, same_addresses(first.counts.addressInfoCount));
	CHECK(c, same_vendors(first.counts.vendorInfoCount));
	CHECK(c, !memcmp(first.binary, again.binary, (size_t)first.counts.vendorBinarySize));
}

/* Another fault may come to a device that is lost already: what was told stays told. */
static void more_only_behind(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	lose_after_faults(c, NULL);
	counts = conformance_counts(c);
	conformance_ask(c, counts.addressInfoCount - 1, counts.vendorInfoCount - 1,
			counts.vendorBinarySize - 9, &first);
	conformance_ask(c, MAX_INFOS, MAX_INFOS, MAX_BINARY, &again);
	CHECK(c, again.counts.addressInfoCount > first.counts.addressInfoCount);
	CHECK(c, again.counts.vendorInfoCount > first.counts.vendorInfoCount);
	CHECK(c, again.counts.vendorBinarySize > first.counts.vendorBinarySize);
	CHECK(c, same_addresses(first.counts.addressInfoCount));
	CHECK(c, same_vendors(first.counts.vendorInfoCount));
	CHECK(c, !memcmp(first.binary, again.binary, (size_t)first.counts.vendorBinarySize));
}

static void descriptions_are_text(struct conformance *c)
{
	uint32_t i;

	lose_after_faults(c, NULL);
	conformance_ask_all(c, &first);
	CHECK(c, is_text(first.info.description, sizeof(first.info.description)));
	for (i = 0; i < first.counts.vendorInfoCount; i++)
		CHECK(c,
		      is_text(first.vendors[i].description, sizeof(first.vendors[i].description)));
}

static void precisions(struct conformance *c)
{
	uint32_t i;

	lose_after_faults(c, NULL);
	conformance_ask_all(c, &first);
	for (i = 0; i < first.counts.addressInfoCount; i++) {
		CHECK(c, is_power_of_two(first.addresses[i].addressPrecision));
		CHECK(c, (unsigned int)first.addresses[i].addressType <=
				 VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT);
	}
}

static bool has_address(uint64_t address, VkDeviceFaultAddressTypeEXT type)
{
	uint32_t i;

	for (i = 0; i < first.counts.addressInfoCount; i++)
		if (first.addresses[i].addressType == type &&
		    is_within(&first.addresses[i], address))
			return true;
	return false;
}

static void the_address_is_within(struct conformance *c)
{
	uint64_t writes[FAULTS], read, execute;
	size_t i;

	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, FAULTS, writes);
	conformance_fault(c, CONFORMANCE_READ, 1, &read);
	conformance_fault(c, CONFORMANCE_EXECUTE, 1, &execute);
	conformance_lose(c);
	conformance_ask_all(c, &first);
	for (i = 0; i < FAULTS; i++)
		CHECK(c, has_address(writes[i], VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT));
	CHECK(c, has_address(read, VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT));
	CHECK(c, has_address(execute, VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT));
}

static void types_are_left_alone(struct conformance *c)
{
	lose_after_faults(c, NULL);
	conformance_ask_all(c, &first);
	CHECK(c, first.info.sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT);
	CHECK(c, !first.info.pNext && !first.counts.pNext);
	CHECK(c, first.counts.sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT);
	CHECK(c, first.info.pAddressInfos == first.addresses);
	CHECK(c, first.info.pVendorInfos == first.vendors);
}

/* A poller must not take the facts from a crash reader. */
static void reports_take_nothing_away(struct conformance *c)
{
	static VkDeviceFaultInfoKHR infos[MAX_INFOS];
	uint64_t addresses[FAULTS];
	size_t i;

	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, FAULTS, addresses);
	CHECK(c, conformance_drain(c, infos, MAX_INFOS) == FAULTS);
	conformance_lose(c);
	conformance_drain(c, infos, MAX_INFOS);
	conformance_ask_all(c, &first);
	for (i = 0; i < FAULTS; i++)
		CHECK(c, has_address(addresses[i], VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT));
}

/* Nor must a device tell of those that were there before it. */
static void faults_are_of_this_device(struct conformance *c)
{
	const unsigned int many = 20;

	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, many, NULL);
	c->subject->destroy(c->device);
	c->device = NULL;
	conformance_create(c, true, true);
	conformance_lose(c);
	CHECK(c, conformance_counts(c).vendorInfoCount < many);
}

const struct conformance_case conformance_ext[] = {
	{ "features: deviceFault is supported where the extensions are", offers },
	{ "ext: a healthy device answers SUCCESS, counts of 0 and a description", healthy },
	{ "ext: a device that survived a fault answers as a healthy one", healthy_after_faults },
	{ "ext: a device that was asked before its loss tells all after it", asked_too_early },
	{ "ext: without pFaultInfo the counts are those there are", counts_without_info },
	{ "ext: where all fits the result is SUCCESS", all_fits },
	{ "ext: counts become what was written, and no more is", counts_are_what_was_written },
	{ "ext: without the feature vendorBinarySize is 0, the data not modified",
	  no_feature_no_binary },
	{ "ext: at most addressInfoCount are written, and INCOMPLETE", short_addresses },
	{ "ext: at most vendorInfoCount are written, and INCOMPLETE", short_vendors },
	{ "ext: at most vendorBinarySize bytes are written, and INCOMPLETE", short_binary },
	{ "ext: without room for the header nothing is written, and the size is 0",
	  shorter_than_the_header },
	{ "ext: counts of 0 get nothing but the description, and INCOMPLETE", nothing_has_room },
	{ "ext: subsequent calls return identical counts", same_counts },
	{ "ext: subsequent calls return identical values", same_values },
	{ "ext: more room gets supplementary values, behind the same", more_only_behind },
	{ "ext: descriptions are null-terminated UTF-8", descriptions_are_text },
	{ "ext: addressPrecision is a power of two, addressType one of Vulkan's", precisions },
	{ "ext: the address accessed is within the region, of the right type",
	  the_address_is_within },
	{ "ext: sType, pNext and pointers are left alone", types_are_left_alone },
	{ "ext: reports that were taken are in the answer all the same",
	  reports_take_nothing_away },
	{ "ext: faults of a device before are not this one's", faults_are_of_this_device },
	{ NULL, NULL },
};
