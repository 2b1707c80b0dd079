// SPDX-License-Identifier: MIT
/* The same faults as vkGetDeviceFaultInfoEXT returns them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "drmfault_dump.h"

/* An address and an instruction pointer of each. */
#define ADDRESSES (2 * MISTAKES)
/* Where the dump begins: behind the header and the names. */
#define DUMP_AT 80

struct answer {
	VkDeviceFaultCountsEXT counts;
	VkDeviceFaultInfoEXT info;
};

/* The header's numbers, in their order; the pipeline cache's id lies between. */
static const struct {
	const char *name;
	size_t at;
	uint32_t value;
} header_fields[] = {
	{ "headerSize", 0, DRMFAULT_VK_BINARY_HEADER_SIZE },
	{ "headerVersion", 4, VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT },
	{ "vendorID", 8, VK_VENDOR_ID_MESA },
	{ "deviceID", 12, 0x51 },
	{ "driverVersion", 16, VK_MAKE_API_VERSION(0, 0, 1, 0) },
	{ "applicationNameOffset", 36, 56 },
	{ "applicationVersion", 40, 3 },
	{ "engineNameOffset", 44, 56 + sizeof("three mistakes") },
	{ "engineVersion", 48, 1 },
	{ "apiVersion", 52, VK_API_VERSION_1_1 },
};

static uint32_t le32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static void ask(struct demo *demo, struct answer *answer)
{
	VkDeviceFaultCountsEXT *counts = &answer->counts;
	VkDeviceFaultInfoEXT *info = &answer->info;

	memset(answer, 0, sizeof(*answer));
	counts->sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT;
	info->sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT;
	check_u64("VkResult of the counts", demo->get_info(demo->device, counts, NULL), VK_SUCCESS);
	info->pAddressInfos = calloc(counts->addressInfoCount + 1, sizeof(*info->pAddressInfos));
	info->pVendorInfos = calloc(counts->vendorInfoCount + 1, sizeof(*info->pVendorInfos));
	info->pVendorBinaryData = calloc(1, counts->vendorBinarySize + 1);
	if (!info->pAddressInfos || !info->pVendorInfos || !info->pVendorBinaryData)
		abort();
	check_u64("VkResult", demo->get_info(demo->device, counts, info), VK_SUCCESS);
}

static void forget(struct answer *answer)
{
	free(answer->info.pAddressInfos);
	free(answer->info.pVendorInfos);
	free(answer->info.pVendorBinaryData);
}

static void show_infos(const struct answer *answer)
{
	const VkDeviceFaultInfoEXT *info = &answer->info;
	uint32_t i;

	printf("VkDeviceFaultCountsEXT\n   %-20s%" PRIu32 "\n   %-20s%" PRIu32 "\n   %-20s%" PRIu64
	       "\n\n",
	       "addressInfoCount", answer->counts.addressInfoCount, "vendorInfoCount",
	       answer->counts.vendorInfoCount, "vendorBinarySize", answer->counts.vendorBinarySize);
	printf("VkDeviceFaultInfoEXT\n   description\n");
	show_wrapped(6, info->description);
	printf("   pAddressInfos\n");
	for (i = 0; i < answer->counts.addressInfoCount; i++) {
		const VkDeviceFaultAddressInfoEXT *a = &info->pAddressInfos[i];
		const char *type = drmfault_vk_address_type_name(a->addressType);

		printf("   [%" PRIu32 "] %s\n       0x%016" PRIx64 ", precision %" PRIu64 "\n", i,
		       type ? type : "?", a->reportedAddress, a->addressPrecision);
	}
	printf("   pVendorInfos\n");
	for (i = 0; i < answer->counts.vendorInfoCount; i++) {
		const VkDeviceFaultVendorInfoEXT *v = &info->pVendorInfos[i];

		printf("   [%" PRIu32 "] vendorFaultCode 0x%016" PRIx64
		       ", vendorFaultData 0x%016" PRIx64 "\n",
		       i, v->vendorFaultCode, v->vendorFaultData);
		show_wrapped(7, v->description);
	}
}

static void show_header(const uint8_t *binary)
{
	const char *version = drmfault_vk_header_version_name(
		(VkDeviceFaultVendorBinaryHeaderVersionEXT)le32(binary + 4));
	size_t i;

	printf("   pVendorBinaryData: VkDeviceFaultVendorBinaryHeaderVersionOneEXT\n");
	for (i = 0; i < ARRAY_SIZE(header_fields); i++) {
		uint32_t value = le32(binary + header_fields[i].at);

		printf("      %-22s", header_fields[i].name);
		if (!strcmp(header_fields[i].name, "headerVersion"))
			printf("%s\n", version ? version : "?");
		else if (strstr(header_fields[i].name, "NameOffset"))
			printf("%" PRIu32 " \"%s\"\n", value, (const char *)binary + value);
		else if (value < 0x1000 && !strstr(header_fields[i].name, "ID"))
			printf("%" PRIu32 "\n", value);
		else
			printf("0x%08" PRIx32 "\n", value);
		if (header_fields[i].at == 16)
			printf("      %-22s\"%.16s\"\n", "pipelineCacheUUID",
			       (const char *)binary + 20);
	}
}

static void check_infos(const struct answer *answer, const struct drmfault_snapshot *snapshot,
			const struct demo_job *jobs)
{
	const VkDeviceFaultInfoEXT *info = &answer->info;
	char description[VK_MAX_DESCRIPTION_SIZE];
	size_t i;

	for (i = 0; i < MISTAKES; i++) {
		const struct demo_mistake *m = jobs[i].mistake;
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);
		uint64_t code = 0xdfULL << 56 | (uint64_t)m->flags << 48 |
				(uint64_t)m->engine_class << 32 | 1 << 24 | m->access << 16 |
				m->fault_type << 8 | DRMFAULT_RECORD_FAULT;

		record_check(record, &jobs[i]);
		check_address(&info->pAddressInfos[2 * i], type_of_access(m->access),
			      jobs[i].address, m->precision);
		check_address(&info->pAddressInfos[2 * i + 1], type_of_ip(m->ip_type), jobs[i].ip,
			      sizeof(uint64_t));
		check_u64("vendorFaultCode", info->pVendorInfos[i].vendorFaultCode, code);
		check_u64("vendorFaultData", info->pVendorInfos[i].vendorFaultData,
			  drmfault_record_raw(record, 0));
	}
	check_begin("VkDeviceFaultInfoEXT");
	snprintf(description, sizeof(description),
		 "GPU page fault: write to 0x%" PRIx64 " (not present), ring0, ip 0x%" PRIx64
		 "; 2 more",
		 drmfault_canonical(jobs[0].address, DRM_FAULT_SIM_ADDRESS_BITS), jobs[0].ip);
	check_string("description", info->description, description);
}

/* The dump in it has the kernel's own bytes of each record. */
static void check_dump(const struct answer *answer, const struct drmfault_snapshot *snapshot)
{
	const struct drmfault_snapshot *read;
	struct drmfault_dump *dump;
	size_t i, size, read_size;

	check_u64("error of the dump",
		  drmfault_dump_open_memory(answer->info.pVendorBinaryData,
					    answer->counts.vendorBinarySize, &dump),
		  0);
	if (check_failures())
		return;
	check_u64("form", drmfault_dump_form(dump), DRMFAULT_DUMP_VENDOR_BINARY);
	check_u64("findings", drmfault_dump_finding_count(dump), 0);
	read = drmfault_dump_snapshot(dump);
	check_u64("records", drmfault_snapshot_count(read), MISTAKES);
	for (i = 0; i < drmfault_snapshot_count(read); i++) {
		const void *bytes =
			drmfault_record_bytes(drmfault_snapshot_record(snapshot, i), &size);
		const void *read_bytes =
			drmfault_record_bytes(drmfault_snapshot_record(read, i), &read_size);

		check_u64("size of a record", read_size, size);
		check_true(!memcmp(read_bytes, bytes, size), "a record differs from the kernel's");
	}
	drmfault_dump_free(dump);
}

/* Header and names, and then the dump. */
static void check_binary(const struct answer *answer, const struct drmfault_snapshot *snapshot)
{
	const uint8_t *binary = answer->info.pVendorBinaryData;
	size_t i;

	check_begin("vendor binary");
	for (i = 0; i < ARRAY_SIZE(header_fields); i++)
		check_u64(header_fields[i].name, le32(binary + header_fields[i].at),
			  header_fields[i].value);
	check_string("pipelineCacheUUID", (const char *)binary + 20, "drm_fault_sim 1");
	check_string("application name", (const char *)binary + 56, "three mistakes");
	check_string("engine name", (const char *)binary + 71, "demo");
	check_dump(answer, snapshot);
}

static bool same_infos(const struct answer *a, const struct answer *b)
{
	uint32_t i;

	for (i = 0; i < a->counts.addressInfoCount; i++)
		if (a->info.pAddressInfos[i].addressType != b->info.pAddressInfos[i].addressType ||
		    a->info.pAddressInfos[i].reportedAddress !=
			    b->info.pAddressInfos[i].reportedAddress ||
		    a->info.pAddressInfos[i].addressPrecision !=
			    b->info.pAddressInfos[i].addressPrecision)
			return false;
	return !memcmp(a->info.pVendorInfos, b->info.pVendorInfos,
		       a->counts.vendorInfoCount * sizeof(*a->info.pVendorInfos));
}

/* The same once more, and what comes where something is too short. */
static void check_again(struct demo *demo, const struct answer *answer)
{
	struct answer again;
	VkDeviceFaultCountsEXT counts;

	check_begin("second query");
	ask(demo, &again);
	check_true(!memcmp(&again.counts, &answer->counts, sizeof(counts)), "other counts");
	check_true(!memcmp(again.info.description, answer->info.description,
			   sizeof(answer->info.description)),
		   "another description");
	check_true(same_infos(&again, answer), "other infos");
	check_true(!memcmp(again.info.pVendorBinaryData, answer->info.pVendorBinaryData,
			   answer->counts.vendorBinarySize),
		   "another vendor binary");
	counts = again.counts;
	counts.addressInfoCount--;
	check_u64("VkResult with one address too few",
		  demo->get_info(demo->device, &counts, &again.info), VK_INCOMPLETE);
	check_u64("addressInfoCount then", counts.addressInfoCount, ADDRESSES - 1);
	forget(&again);
}

static void write_binary(const struct answer *answer, const char *path)
{
	FILE *file = fopen(path, "w");
	size_t size = answer->counts.vendorBinarySize;

	check_true(file && fwrite(answer->info.pVendorBinaryData, 1, size, file) == size &&
			   !fclose(file),
		   "the vendor binary cannot be written");
}

void ext_show_and_check(struct demo *demo, const struct drmfault_snapshot *snapshot,
			const struct demo_job *jobs, const char *path)
{
	struct answer answer;

	check_begin("VkDeviceFaultCountsEXT");
	check_u64("records of the snapshot", drmfault_snapshot_count(snapshot), MISTAKES);
	ask(demo, &answer);
	show_infos(&answer);
	check_u64("addressInfoCount", answer.counts.addressInfoCount, ADDRESSES);
	check_u64("vendorInfoCount", answer.counts.vendorInfoCount, MISTAKES);
	if (check_true(answer.counts.vendorBinarySize > DUMP_AT, "the vendor binary is too short"))
		show_header(answer.info.pVendorBinaryData);
	/* Where these are wrong, there is nothing to look at. */
	if (!check_failures()) {
		check_infos(&answer, snapshot, jobs);
		check_binary(&answer, snapshot);
		check_again(demo, &answer);
	}
	if (path)
		write_binary(&answer, path);
	forget(&answer);
}
