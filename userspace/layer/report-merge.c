// SPDX-License-Identifier: MIT
/* Reports of driver and kernel, in one queue: the same fault is there once. */
#include <string.h>

#include "faults.h"

#define MEMORY	    VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR
#define INSTRUCTION VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR
#define VENDOR	    VK_DEVICE_FAULT_FLAG_VENDOR_KHR
/* What both must have, or neither. */
#define SORT (MEMORY | VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR)

static bool either_is_same(const VkDeviceFaultAddressInfoKHR *a,
			   const VkDeviceFaultAddressInfoKHR *b)
{
	return address_is_same(a, b) || address_is_same(b, a);
}

/* Of two whole reports: their first common member decides, where a piece has but one. */
static bool is_same(const VkDeviceFaultInfoKHR *a, const VkDeviceFaultInfoKHR *b)
{
	uint32_t both = a->flags & b->flags;

	if ((a->flags ^ b->flags) & SORT)
		return false;
	if (both & MEMORY)
		return either_is_same(&a->faultAddressInfo, &b->faultAddressInfo);
	if (both & VENDOR)
		return vendor_is_same(&a->vendorInfo, &b->vendorInfo);
	if (both & INSTRUCTION)
		return either_is_same(&a->instructionAddressInfo, &b->instructionAddressInfo);
	return !strcmp(a->description, b->description);
}

/* What only the other one has; the words are those of the driver if it has any. */
static void complete(VkDeviceFaultInfoKHR *to, const VkDeviceFaultInfoKHR *from)
{
	uint32_t lacks = from->flags & ~to->flags;

	if (lacks & INSTRUCTION)
		to->instructionAddressInfo = from->instructionAddressInfo;
	if (lacks & VENDOR)
		to->vendorInfo = from->vendorInfo;
	if (to->faultAddressInfo.addressType == VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT)
		to->faultAddressInfo.addressType = from->faultAddressInfo.addressType;
	if (!to->description[0])
		memcpy(to->description, from->description, sizeof(to->description));
	to->flags |= from->flags;
}

/* What waits as this number; NULL: it was returned. */
static VkDeviceFaultInfoKHR *find_waiting(struct report_queue *queue, uint64_t number)
{
	uint64_t first = queue->queued - queue->count;

	if (number < first)
		return NULL;
	return &queue->waiting[(queue->first + (number - first)) % REPORTS_MAX];
}

static void list_remove(struct report_list *list, uint32_t i)
{
	size_t behind = --list->count - i;

	memmove(&list->reports[i], &list->reports[i + 1], behind * sizeof(list->reports[0]));
	memmove(&list->numbers[i], &list->numbers[i + 1], behind * sizeof(list->numbers[0]));
}

static void list_add(struct report_list *list, const VkDeviceFaultInfoKHR *report, uint64_t number)
{
	if (list->count == REPORTS_MAX)
		list_remove(list, 0);
	list->reports[list->count] = *report;
	list->numbers[list->count++] = number;
}

static void push(struct report_queue *queue, const VkDeviceFaultInfoKHR *report)
{
	VkDeviceFaultInfoKHR *to = &queue->waiting[(queue->first + queue->count++) % REPORTS_MAX];

	*to = *report;
	if (to->groupId < queue->group || !to->groupId)
		to->groupId = queue->group ? queue->group : 1;
	queue->group = to->groupId;
	queue->queued++;
}

/* The other side told it as @i of its own. */
static void unite(struct report_queue *queue, enum report_side side, uint32_t i,
		  const VkDeviceFaultInfoKHR *report)
{
	struct report_list *others = &queue->alone[!side];
	VkDeviceFaultInfoKHR *waiting = find_waiting(queue, others->numbers[i]), merged;
	/* Nothing of the driver's is left out; of the kernel's the answer of the EXT has all. */
	bool has_more = side == REPORT_OF_DRIVER && report->flags & ~others->reports[i].flags;

	list_remove(others, i);
	if (!waiting) {
		if (has_more)
			push(queue, report);
		return;
	}
	merged = side == REPORT_OF_DRIVER ? *report : *waiting;
	complete(&merged, side == REPORT_OF_DRIVER ? waiting : report);
	merged.groupId = waiting->groupId;
	*waiting = merged;
}

void report_add(struct report_queue *queue, enum report_side side,
		const VkDeviceFaultInfoKHR *report)
{
	const struct report_list *others = &queue->alone[!side];
	uint32_t i;

	for (i = 0; i < others->count; i++)
		if (is_same(&others->reports[i], report)) {
			unite(queue, side, i, report);
			return;
		}
	list_add(&queue->alone[side], report, queue->queued);
	push(queue, report);
}

bool report_has(const VkDeviceFaultInfoKHR *known, const VkDeviceFaultInfoKHR *piece,
		address_match match)
{
	const VkDeviceFaultFlagsKHR both = known->flags & piece->flags;

	return (both & MEMORY && match(&known->faultAddressInfo, &piece->faultAddressInfo)) ||
	       (both & INSTRUCTION &&
		match(&known->instructionAddressInfo, &piece->instructionAddressInfo)) ||
	       (both & VENDOR && vendor_is_same(&known->vendorInfo, &piece->vendorInfo));
}

bool report_is_told(const struct report_queue *queue, const VkDeviceFaultInfoKHR *report)
{
	const struct report_list *kernel = &queue->alone[REPORT_OF_KERNEL];
	uint32_t i;

	for (i = 0; i < kernel->count; i++)
		if (report_has(&kernel->reports[i], report, either_is_same))
			return true;
	return false;
}
