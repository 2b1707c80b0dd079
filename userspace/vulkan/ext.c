// SPDX-License-Identifier: MIT
#include <string.h>

#include "internal.h"

/* A note of lost events is no event, nor is one of a dump. */
bool snapshot_has_events(const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_record *record;
	size_t i;

	for (i = 0; snapshot && (record = drmfault_snapshot_record(snapshot, i)); i++)
		if (drmfault_record_type(record) != DRMFAULT_RECORD_LOST &&
		    drmfault_record_type(record) != DRMFAULT_RECORD_DUMP)
			return true;
	return false;
}

static void fill(const struct drmfault_vk_identity *identity,
		 const struct drmfault_snapshot *snapshot, struct address_list *addresses,
		 struct vendor_list *vendors, struct byte_list *binary)
{
	const struct drmfault_record *record;
	size_t i;

	if (!snapshot_has_events(snapshot))
		return;
	for (i = 0; (record = drmfault_snapshot_record(snapshot, i)); i++) {
		if (!record_is_known(record))
			continue;
		addresses_of_record(record, addresses);
		vendor_of_record(record, vendors);
	}
	if (identity->vendor_binary)
		binary_of_snapshot(identity, snapshot, binary);
}

DRMFAULT_API VkResult drmfault_vk_get_fault_info_ext(const struct drmfault_vk_identity *identity,
						     const struct drmfault_snapshot *snapshot,
						     VkDeviceFaultCountsEXT *pFaultCounts,
						     VkDeviceFaultInfoEXT *pFaultInfo)
{
	struct address_list addresses = { 0 };
	struct vendor_list vendors = { 0 };
	struct byte_list binary = { 0 };
	bool incomplete;

	if (!pFaultInfo) {
		fill(identity, snapshot, &addresses, &vendors, &binary);
		pFaultCounts->addressInfoCount = addresses.count;
		pFaultCounts->vendorInfoCount = vendors.count;
		pFaultCounts->vendorBinarySize = binary.count;
		return VK_SUCCESS;
	}

	addresses.infos = pFaultInfo->pAddressInfos;
	if (addresses.infos)
		addresses.capacity = pFaultCounts->addressInfoCount;
	vendors.infos = pFaultInfo->pVendorInfos;
	if (vendors.infos)
		vendors.capacity = pFaultCounts->vendorInfoCount;
	if (identity->vendor_binary && pFaultInfo->pVendorBinaryData &&
	    pFaultCounts->vendorBinarySize >= DRMFAULT_VK_BINARY_HEADER_SIZE) {
		binary.bytes = pFaultInfo->pVendorBinaryData;
		binary.capacity = pFaultCounts->vendorBinarySize;
	}
	fill(identity, snapshot, &addresses, &vendors, &binary);
	memset(pFaultInfo->description, 0, sizeof(pFaultInfo->description));
	describe_snapshot(snapshot, pFaultInfo->description, sizeof(pFaultInfo->description));

	incomplete = addresses.count > addresses.capacity || vendors.count > vendors.capacity ||
		     binary.count > binary.capacity;
#define WRITTEN(list) ((list).count < (list).capacity ? (list).count : (list).capacity)
	pFaultCounts->addressInfoCount = WRITTEN(addresses);
	pFaultCounts->vendorInfoCount = WRITTEN(vendors);
	pFaultCounts->vendorBinarySize = WRITTEN(binary);
#undef WRITTEN
	return incomplete ? VK_INCOMPLETE : VK_SUCCESS;
}
