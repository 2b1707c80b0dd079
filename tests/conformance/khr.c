// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultReportsKHR, as far as one thread sees it. */
#include "conformance.h"

#define FAULTS 5
#define ROOM   (MAX_INFOS)
/* Far more than any queue below holds. */
#define FLOOD 300

static VkDeviceFaultInfoKHR infos[ROOM];

static void faults(struct conformance *c, unsigned int count, uint64_t *addresses)
{
	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, count, addresses);
}

static void timeout_of_zero(struct conformance *c)
{
	uint32_t count = 3;
	uint64_t before;

	conformance_create(c, true, true);
	conformance_prepare(infos, count);
	before = now_ns();
	CHECK(c, c->subject->reports(c->device, 0, &count, infos) == VK_TIMEOUT);
	CHECK(c, now_ns() - before < 10000 * MS);
	CHECK(c, count == 0);
	CHECK(c, is_untouched(&infos[0].flags, sizeof(infos[0].flags)));
	count = 3;
	CHECK(c, c->subject->reports(c->device, 0, &count, NULL) == VK_TIMEOUT && count == 0);
}

static void available_returns_at_once(struct conformance *c)
{
	uint32_t count = ROOM;

	faults(c, 1, NULL);
	conformance_prepare(infos, ROOM);
	CHECK(c, c->subject->reports(c->device, UINT64_MAX, &count, infos) == VK_SUCCESS);
	CHECK(c, count == 1);
}

static void null_counts_and_takes_none(struct conformance *c)
{
	uint32_t count = 0, i;

	faults(c, FAULTS, NULL);
	for (i = 0; i < 3; i++) {
		count = 0xa5a5a5a5;
		CHECK(c, c->subject->reports(c->device, 0, &count, NULL) == VK_SUCCESS);
		CHECK(c, count == FAULTS);
	}
	CHECK(c, conformance_drain(c, infos, ROOM) == FAULTS);
}

static void count_is_what_was_written(struct conformance *c)
{
	faults(c, FAULTS, NULL);
	CHECK(c, conformance_drain(c, infos, ROOM) == FAULTS);
	CHECK(c, !is_untouched(&infos[FAULTS - 1].flags, sizeof(infos[0].flags)));
	CHECK(c, is_untouched(&infos[FAULTS].flags, sizeof(infos[0].flags)));
	CHECK(c, is_untouched(infos[FAULTS].description, sizeof(infos[0].description)));
}

static void short_array(struct conformance *c)
{
	uint64_t addresses[FAULTS];
	uint32_t count = FAULTS - 2;

	faults(c, FAULTS, addresses);
	conformance_prepare(infos, ROOM);
	CHECK(c, c->subject->reports(c->device, 0, &count, infos) == VK_INCOMPLETE);
	CHECK(c, count == FAULTS - 2);
	CHECK(c, is_untouched(infos[count].description, sizeof(infos[0].description)));
	count = 2;
	CHECK(c, c->subject->reports(c->device, 0, &count, infos) == VK_SUCCESS && count == 2);
	CHECK(c, is_within(&infos[0].faultAddressInfo, addresses[FAULTS - 2]));
	CHECK(c, is_within(&infos[1].faultAddressInfo, addresses[FAULTS - 1]));
}

static void order_of_occurrence(struct conformance *c)
{
	uint64_t addresses[FAULTS];
	uint32_t i;

	faults(c, FAULTS, addresses);
	CHECK(c, conformance_drain(c, infos, ROOM) == FAULTS);
	for (i = 0; i < FAULTS; i++)
		CHECK(c, is_within(&infos[i].faultAddressInfo, addresses[i]));
}

static void exactly_once(struct conformance *c)
{
	uint64_t more;

	faults(c, FAULTS, NULL);
	CHECK(c, conformance_drain(c, infos, ROOM) == FAULTS);
	CHECK(c, conformance_drain(c, infos, ROOM) == 0);
	conformance_fault(c, CONFORMANCE_WRITE, 1, &more);
	CHECK(c, conformance_drain(c, infos, ROOM) == 1);
	CHECK(c, is_within(&infos[0].faultAddressInfo, more));
}

static void groups_are_monotonic(struct conformance *c)
{
	uint64_t last = 0;
	uint32_t count, i;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	for (i = 0; i < count; i++) {
		CHECK(c, infos[i].groupId != 0 && infos[i].groupId >= last);
		last = infos[i].groupId;
	}
	/* The loss belongs to what led to it. */
	CHECK(c, count >= 2 && infos[count - 1].groupId == infos[count - 2].groupId);
}

static void descriptions_are_text(struct conformance *c)
{
	uint32_t count, i;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	for (i = 0; i < count; i++) {
		CHECK(c, is_text(infos[i].description, sizeof(infos[i].description)));
		if (infos[i].flags & VK_DEVICE_FAULT_FLAG_VENDOR_KHR)
			CHECK(c, is_text(infos[i].vendorInfo.description,
					 sizeof(infos[i].vendorInfo.description)));
	}
}

static const struct {
	enum conformance_kind kind;
	VkDeviceFaultAddressTypeKHR type;
} kinds[] = {
	{ CONFORMANCE_WRITE, VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_KHR },
	{ CONFORMANCE_READ, VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_KHR },
	{ CONFORMANCE_EXECUTE, VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_KHR },
};

static void the_address_is_within(struct conformance *c)
{
	uint64_t address;
	size_t i;

	conformance_create(c, true, true);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		conformance_fault(c, kinds[i].kind, 1, &address);
		CHECK(c, conformance_drain(c, infos, ROOM) == 1);
		CHECK(c, infos[0].flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR);
		CHECK(c, infos[0].faultAddressInfo.addressType == kinds[i].type);
		CHECK(c, is_power_of_two(infos[0].faultAddressInfo.addressPrecision));
		CHECK(c, is_within(&infos[0].faultAddressInfo, address));
	}
}

static bool is_pointer_type(VkDeviceFaultAddressTypeKHR type)
{
	return type == VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_KHR ||
	       type == VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_KHR ||
	       type == VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_KHR;
}

static bool is_empty(const VkDeviceFaultAddressInfoKHR *info)
{
	return info->addressType == VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_KHR && !info->reportedAddress;
}

/* A program that prints them all must not print what was in its memory before. */
static void all_members_are_written(struct conformance *c)
{
	uint32_t count, i;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	for (i = 0; i < count; i++) {
		const VkDeviceFaultInfoKHR *info = &infos[i];

		if (!(info->flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR))
			CHECK(c, is_empty(&info->faultAddressInfo));
		if (info->flags & VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR)
			CHECK(c, is_pointer_type(info->instructionAddressInfo.addressType));
		else
			CHECK(c, is_empty(&info->instructionAddressInfo));
		if (!(info->flags & VK_DEVICE_FAULT_FLAG_VENDOR_KHR))
			CHECK(c, !info->vendorInfo.description[0] &&
					 !info->vendorInfo.vendorFaultCode &&
					 !info->vendorInfo.vendorFaultData);
		CHECK(c, is_power_of_two(info->faultAddressInfo.addressPrecision));
		CHECK(c, is_power_of_two(info->instructionAddressInfo.addressPrecision));
	}
}

static void types_are_left_alone(struct conformance *c)
{
	uint32_t count, i;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	for (i = 0; i < count; i++)
		CHECK(c,
		      infos[i].sType == VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR && !infos[i].pNext);
}

static void flags_are_vulkans(struct conformance *c)
{
	uint32_t count, i;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	for (i = 0; i < count; i++)
		CHECK(c, infos[i].flags && infos[i].flags < 0x40);
}

static void masked_faults_are_reported(struct conformance *c)
{
	VkDeviceFaultCountsEXT counts;

	faults(c, 1, NULL);
	CHECK(c, conformance_drain(c, infos, ROOM) == 1);
	CHECK(c, !(infos[0].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR));
	/* It is healthy. */
	counts = conformance_counts(c);
	CHECK(c, counts.addressInfoCount == 0);
}

static void without_the_feature_they_wait(struct conformance *c)
{
	uint32_t count;

	conformance_create(c, true, false);
	conformance_fault(c, CONFORMANCE_WRITE, FAULTS, NULL);
	CHECK(c, conformance_drain(c, infos, ROOM) == 0);
	CHECK(c, c->subject->reports(c->device, 0, &count, NULL) == VK_TIMEOUT);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	CHECK(c, count >= FAULTS + 1);
	CHECK(c, infos[count - 1].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

static void a_timeout_says_so(struct conformance *c)
{
	uint32_t i, count, timeouts = 0;

	conformance_create(c, true, true);
	conformance_fault(c, CONFORMANCE_WRITE, 1, NULL);
	conformance_fault(c, CONFORMANCE_TIMEOUT, 1, NULL);
	count = conformance_drain(c, infos, ROOM);
	CHECK(c, count >= 2 && !(infos[0].flags & VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR));
	for (i = 0; i < count; i++)
		if (infos[i].flags & VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR)
			timeouts++;
	CHECK(c, timeouts == 1);
}

static uint32_t count_flag(uint32_t count, VkDeviceFaultFlagsKHR flag)
{
	uint32_t i, found = 0;

	for (i = 0; i < count; i++)
		found += (infos[i].flags & flag) != 0;
	return found;
}

/*
 * Whichever reports a full store loses, at least maxDeviceFaultCount stay, and one
 * report, the one behind the gap, says that others are missing.
 */
static void overflow(struct conformance *c)
{
	VkPhysicalDeviceFaultPropertiesKHR properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR,
	};
	VkPhysicalDeviceFaultFeaturesEXT ext = { .pNext = NULL };
	VkPhysicalDeviceFaultFeaturesKHR khr = { .pNext = NULL };
	uint32_t count, more;

	c->subject->offer(&ext, &khr, &properties);
	faults(c, FLOOD, NULL);
	count = conformance_drain(c, infos, ROOM);
	CHECK(c, count >= properties.maxDeviceFaultCount && count <= FLOOD);
	if (count == FLOOD)
		return;
	conformance_fault(c, CONFORMANCE_WRITE, 2, NULL);
	more = conformance_drain(c, infos + count, ROOM - count);
	CHECK(c, more == 2);
	CHECK(c, count_flag(count + more, VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR) == 1);
	CHECK(c, !(infos[count + 1].flags & VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR));
}

static void overflow_then_loss(struct conformance *c)
{
	uint32_t count;

	faults(c, FLOOD, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	if (count < FLOOD)
		CHECK(c, count_flag(count, VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR) == 1);
	CHECK(c, infos[count - 1].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

static void loss_is_last(struct conformance *c)
{
	uint32_t count;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	count = conformance_drain(c, infos, ROOM);
	CHECK(c, count >= FAULTS + 1);
	CHECK(c, infos[count - 1].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
	CHECK(c, count_flag(count, VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR) == 1);
	CHECK(c, conformance_drain(c, infos, ROOM) == 0);
}

/* One at a time, as programs do that have no memory to spare. */
static void loss_is_last_of_single_ones(struct conformance *c)
{
	uint32_t count, seen = 0;
	VkResult result;

	faults(c, FAULTS, NULL);
	conformance_lose(c);
	do {
		count = 1;
		conformance_prepare(infos, 1);
		result = c->subject->reports(c->device, 0, &count, infos);
		CHECK(c, result == VK_SUCCESS || result == VK_INCOMPLETE);
		CHECK(c, count == 1);
		seen++;
		/* More to come, if and only if this was not the loss. */
		CHECK(c, (result == VK_SUCCESS) ==
				 !!(infos[0].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR));
	} while (result == VK_INCOMPLETE);
	CHECK(c, seen >= FAULTS + 1);
	CHECK(c, conformance_drain(c, infos, ROOM) == 0);
}

static void nothing_after_the_loss(struct conformance *c)
{
	uint32_t count = 1;
	uint64_t before;

	faults(c, 1, NULL);
	conformance_lose(c);
	conformance_drain(c, infos, ROOM);
	before = now_ns();
	CHECK(c, c->subject->reports(c->device, 50 * MS, &count, infos) == VK_TIMEOUT && !count);
	CHECK(c, now_ns() - before >= 50 * MS);
	/* Which must be finite on a lost device. */
	count = 1;
	CHECK(c, c->subject->reports(c->device, UINT64_MAX, &count, infos) == VK_TIMEOUT && !count);
}

/* The counterpart of the EXT's case. */
static void answers_take_no_reports(struct conformance *c)
{
	faults(c, FAULTS, NULL);
	conformance_counts(c);
	conformance_lose(c);
	conformance_counts(c);
	CHECK(c, conformance_drain(c, infos, ROOM) >= FAULTS + 1);
}

const struct conformance_case conformance_khr[] = {
	{ "khr: a timeout of 0 does not wait, and returns TIMEOUT", timeout_of_zero },
	{ "khr: with a report there the call returns at once", available_returns_at_once },
	{ "khr: without pFaultInfo the number is returned, and none is taken",
	  null_counts_and_takes_none },
	{ "khr: the count becomes what was written, and no more is", count_is_what_was_written },
	{ "khr: at most the count is written, and INCOMPLETE", short_array },
	{ "khr: reports come in order of occurrence", order_of_occurrence },
	{ "khr: each report is returned exactly once", exactly_once },
	{ "khr: groupId is monotonic, and the loss in the group that led to it",
	  groups_are_monotonic },
	{ "khr: descriptions are null-terminated UTF-8", descriptions_are_text },
	{ "khr: the address accessed is within the region, of the right type",
	  the_address_is_within },
	{ "khr: members whose flag is not set are written too", all_members_are_written },
	{ "khr: sType and pNext are left alone", types_are_left_alone },
	{ "khr: flags are those of Vulkan", flags_are_vulkans },
	{ "khr: faults that the device survives are reported", masked_faults_are_reported },
	{ "khr: without deviceFaultReportMasked they are not, until the device is lost",
	  without_the_feature_they_wait },
	{ "khr: a watchdog's timeout says so", a_timeout_says_so },
	{ "khr: OVERFLOW is on the first report after a loss of reports, and no other", overflow },
	{ "khr: DEVICE_LOST is reported after an overflow too", overflow_then_loss },
	{ "khr: DEVICE_LOST is on the last report, and nothing follows", loss_is_last },
	{ "khr: DEVICE_LOST is last for who takes one at a time", loss_is_last_of_single_ones },
	{ "khr: after DEVICE_LOST a call waits for its time, and never for ever",
	  nothing_after_the_loss },
	{ "khr: answers of the EXT take no reports away", answers_take_no_reports },
	{ NULL, NULL },
};
