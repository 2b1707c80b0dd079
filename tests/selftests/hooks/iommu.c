// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Faults that an IOMMU tells of: io_page_fault by a real report_iommu_fault() on a
 * domain of our own, as AMD-Vi and others call it, and dmar_fault() of Intel VT-d on
 * registers in memory, all of their layout. For devices that are GPUs and others.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"

#define DMAR_FAULT	"dmar_fault"
#define REPORT		"report_iommu_fault"

#define RECORDS_AT	0x200
#define RECORDS		4
#define SEGMENT		0x12

static const struct hooks_driver driver = {
	.name = DRM_FAULT_SIM_NAME,
	.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
	.symbols = { DMAR_FAULT, NULL },
};

static struct drm_fault_call_field fields[] = {
	{ .type = "intel_iommu" },
	{ .type = "intel_iommu", .path = "reg", .size = 8 },
	{ .type = "intel_iommu", .path = "cap", .size = 8 },
	{ .type = "intel_iommu", .path = "segment", .size = 2 },
	{ .type = "iommu_domain" },
};

enum { UNIT, REG, CAP, SEG, DOMAIN };

/* Words of a fault recording register. */
#define VALID		0x8000000000000000ULL
#define READ		0x4000000000000000ULL
#define PASID(number)	((__u64)(number) << 40 | 0x80000000)
#define REASON(number)	((__u64)(number) << 32)
#define EXECUTE		0x40000000
#define ATOMIC		0x10000000
#define DEVICE		0x0310 /* 03:02.0 */

FIXTURE(iommu)
{
	struct hooks hooks;
	__u64 unit;
	__u64 registers;
	__u64 domain;
	int others;
	struct drm_fault_record want;
	struct drm_fault_record record;
};

static __u64 dropped(const char *hook)
{
	unsigned long long number = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/misc/drm_fault/hooks/iommu/%s/drops", hook);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%llu", &number) != 1)
		number = -1;
	if (file)
		fclose(file);
	return number;
}

/* The reporter of devices that are no GPUs, with iommu_all=1. */
static int others_stream(struct drm_fault_record *want)
{
	struct drm_fault_device device = { .size = sizeof(device), .flags = DRM_FAULT_DEVICE_NEXT };
	int dev = road_open();
	int ret = dev;

	while (ret >= 0) {
		device.id++;
		ret = road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, &device);
		if (!ret && !strcmp(device.driver, "iommu"))
			break;
	}
	close(dev);
	want->reporter_id = device.id;
	want->address_bits = 0;
	return ret < 0 ? ret : road_stream(DRM_FAULT_SCOPE_DEVICE, device.id);
}

/* How the module is loaded; bodies stay skipped when it comes again. */
static int load(struct hooks *hooks, const char *module)
{
	int ret = hooks_open(hooks);

	ret = ret ?: hooks_prepare(hooks, &driver);
	ret = ret ?: hooks_unload(DRM_FAULT_SIM_NAME);
	ret = ret ?: hooks_unload("drm_fault");
	ret = ret ?: hooks_load(module);
	ret = ret ?: hooks_gpu_add(hooks, &driver);
	return ret ?: hooks_gpu_open(hooks);
}

static int set_unit(struct hooks *hooks, __u64 unit, __u64 registers)
{
	int ret = hooks_set(hooks, unit, &fields[REG], registers);

	ret = ret ?: hooks_set(hooks, unit, &fields[SEG], SEGMENT);
	return ret ?: hooks_set(hooks, unit, &fields[CAP],
				(__u64)(RECORDS_AT / 16) << 24 | (__u64)(RECORDS - 1) << 40 | 1);
}

FIXTURE_VARIANT(iommu)
{
	const char *module;
	bool all;
};

FIXTURE_VARIANT_ADD(iommu, gpus) { .module = "drm_fault" };
FIXTURE_VARIANT_ADD(iommu, all) { .module = "drm_fault iommu_all=1", .all = true };

FIXTURE_SETUP(iommu)
{
	ASSERT_EQ(0, load(&self->hooks, variant->module));
	ASSERT_EQ(0, hooks_fields(&self->hooks, "vmlinux", fields, ARRAY_SIZE(fields)));
	self->unit = hooks_buffer(&self->hooks, fields[UNIT].offset);
	self->registers = hooks_buffer(&self->hooks, 4096);
	self->domain = hooks_buffer(&self->hooks, fields[DOMAIN].offset);
	ASSERT_NE(0, self->unit);
	ASSERT_NE(0, self->registers);
	ASSERT_NE(0, self->domain);
	ASSERT_EQ(0, set_unit(&self->hooks, self->unit, self->registers));
	self->want = hooks_want_unowned(&self->hooks);
	self->others = others_stream(&self->want);
	ASSERT_EQ(variant->all ? 0 : -ENODEV, self->others < 0 ? self->others : 0);
	self->want.fault_type = DRM_FAULT_TYPE_OTHER;
}

FIXTURE_TEARDOWN(iommu)
{
	if (self->others >= 0)
		close(self->others);
	hooks_teardown(&self->hooks);
	hooks_unload("drm_fault");
}

static int set_status(struct hooks *hooks, __u64 registers, __u32 index, bool pending)
{
	__u32 status = index << 8 | (pending ? 2 : 0) | 1;

	return hooks_write(hooks, registers + 0x34, &status, sizeof(status));
}

static int set_record(struct hooks *hooks, __u64 registers, unsigned int index, __u64 low,
		      __u64 high)
{
	const __u64 words[] = { low, high };

	return hooks_write(hooks, registers + RECORDS_AT + 16 * index, words, sizeof(words));
}

static int vtd_fault(struct hooks *hooks, __u64 unit)
{
	return hooks_call_in_irq(hooks, DMAR_FAULT, 1, 24, unit);
}

/* One fault in the second record, and what it must be. */
static int one_fault(struct hooks *hooks, __u64 unit, __u64 registers, __u64 low, __u64 high,
		     struct drm_fault_record *want)
{
	int ret = set_status(hooks, registers, 1, true);

	ret = ret ?: set_record(hooks, registers, 1, low, high);
	want->raw_format = DRM_FAULT_RAW_VTD;
	want->raw_count = 3;
	want->raw[0] = low;
	want->raw[1] = high;
	want->raw[2] = SEGMENT;
	strcpy(want->engine, "0012:03:02.0");
	return ret ?: vtd_fault(hooks, unit);
}

static const struct {
	__u64 high;
	__u32 access;
	__u32 fault_type;
} vtd_cases[] = {
	{ REASON(0x05), DRM_FAULT_ACCESS_WRITE, DRM_FAULT_TYPE_OTHER },
	{ REASON(0x06) | READ, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_OTHER },
	{ REASON(0x02) | READ, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_NOT_PRESENT },
	{ REASON(0x0c), DRM_FAULT_ACCESS_WRITE, DRM_FAULT_TYPE_INVALID_FORMAT },
	{ REASON(0x71) | READ | PASID(0xabcde), DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_NOT_PRESENT },
	{ REASON(0x82) | READ | EXECUTE | PASID(1), DRM_FAULT_ACCESS_EXECUTE,
	  DRM_FAULT_TYPE_PERMISSION },
	{ REASON(0x06) | READ | EXECUTE, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_OTHER },
	{ REASON(0x85) | READ | ATOMIC | PASID(1), DRM_FAULT_ACCESS_ATOMIC,
	  DRM_FAULT_TYPE_PERMISSION },
	{ REASON(0x86) | READ, DRM_FAULT_ACCESS_READ, DRM_FAULT_TYPE_PERMISSION },
	{ REASON(0x05) | ATOMIC, DRM_FAULT_ACCESS_UNKNOWN, DRM_FAULT_TYPE_OTHER },
	{ REASON(0xff), DRM_FAULT_ACCESS_WRITE, DRM_FAULT_TYPE_OTHER },
};

/* Every access and reason, for a device that is no GPU. */
TEST_F(iommu, vtd_decodes)
{
	__u64 before = dropped("dmar_fault");
	unsigned int i;

	self->want.address_precision = 4096;
	for (i = 0; i < ARRAY_SIZE(vtd_cases); i++) {
		self->want.address = 0xfffff000abcd0000ULL + i * 4096;
		ASSERT_EQ(0, one_fault(&self->hooks, self->unit, self->registers,
				       self->want.address | 0x123,
				       vtd_cases[i].high | VALID | DEVICE, &self->want));
		self->want.access = vtd_cases[i].access;
		self->want.fault_type = vtd_cases[i].fault_type;
		if (!variant->all)
			continue;
		ASSERT_EQ(0, hooks_record(self->others, &self->record));
		EXPECT_RECORD(&self->want, &self->record) {
			TH_LOG("case %u", i);
		}
	}
	EXPECT_EQ(before + (variant->all ? 0 : ARRAY_SIZE(vtd_cases)), dropped("dmar_fault"));
	EXPECT_NO_RECORD(self->hooks.all);
}

/* An interrupt that was not let through is at no address. */
TEST_F(iommu, vtd_interrupt)
{
	ASSERT_EQ(0, one_fault(&self->hooks, self->unit, self->registers, 0x0017000000000000ULL,
			       REASON(0x22) | VALID | DEVICE, &self->want));
	if (!variant->all)
		return;
	ASSERT_EQ(0, hooks_record(self->others, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
}

/* From the index on, around the end, up to one that is free; all of them at most. */
TEST_F(iommu, vtd_all_records)
{
	static const __u64 high = REASON(5) | VALID | DEVICE;
	__u64 before = dropped("dmar_fault");
	unsigned int i;

	ASSERT_EQ(0, set_status(&self->hooks, self->registers, 2, true));
	for (i = 0; i < RECORDS; i++)
		ASSERT_EQ(0, set_record(&self->hooks, self->registers, i, 0x1000 * (i + 1),
					i == 1 ? high & ~VALID : high));
	ASSERT_EQ(0, vtd_fault(&self->hooks, self->unit));
	for (i = 2; variant->all && i < RECORDS + 1; i++) {
		ASSERT_EQ(0, hooks_record(self->others, &self->record));
		EXPECT_EQ(0x1000 * (i % RECORDS + 1), self->record.address);
	}
	if (variant->all)
		EXPECT_NO_RECORD(self->others);
	EXPECT_EQ(before + (variant->all ? 0 : 3), dropped("dmar_fault"));

	ASSERT_EQ(0, set_record(&self->hooks, self->registers, 1, 0x2000, high));
	ASSERT_EQ(0, vtd_fault(&self->hooks, self->unit));
	for (i = 2; variant->all && i < RECORDS + 2; i++) {
		ASSERT_EQ(0, hooks_record(self->others, &self->record));
		EXPECT_EQ(0x1000 * (i % RECORDS + 1), self->record.address);
	}
	if (variant->all)
		EXPECT_NO_RECORD(self->others);
	EXPECT_EQ(before + (variant->all ? 0 : 3 + RECORDS), dropped("dmar_fault"));
}

/* It is also called when nothing is pending. */
TEST_F(iommu, vtd_nothing_pending)
{
	__u64 before = dropped("dmar_fault");

	ASSERT_EQ(0, set_status(&self->hooks, self->registers, 0, false));
	ASSERT_EQ(0, set_record(&self->hooks, self->registers, 0, 0x1000, VALID | DEVICE));
	ASSERT_EQ(0, vtd_fault(&self->hooks, self->unit));
	if (variant->all)
		EXPECT_NO_RECORD(self->others);
	EXPECT_EQ(before, dropped("dmar_fault"));
}

/* A unit without registers, and none at all. */
TEST_F(iommu, vtd_unreadable)
{
	__u64 before = dropped("dmar_fault");

	ASSERT_EQ(0, hooks_set(&self->hooks, self->unit, &fields[REG], 0));
	ASSERT_EQ(0, vtd_fault(&self->hooks, self->unit));
	ASSERT_EQ(0, vtd_fault(&self->hooks, 0x10));
	if (variant->all)
		EXPECT_NO_RECORD(self->others);
	EXPECT_EQ(before + 2, dropped("dmar_fault"));
}

static int report(struct hooks *hooks, __u64 domain, __u64 device, __u64 address, int flags)
{
	__u64 returned;

	return hooks_run(hooks, REPORT, &returned, HOOKS_ARGS(domain, device, address, flags));
}

static const struct {
	int flags;
	__u32 access;
	__u64 address;
	__u64 precision;
} report_cases[] = {
	{ 0, DRM_FAULT_ACCESS_READ, 0x12345678, 1 },
	{ 1, DRM_FAULT_ACCESS_WRITE, 0xfffffffff000ULL, 4096 },
	{ 2, DRM_FAULT_ACCESS_UNKNOWN, 0x1001, 1 },
};

/* Of the GPU itself, it is a fault of the GPU. */
TEST_F(iommu, report_of_a_gpu)
{
	unsigned int i;

	self->want = hooks_want_unowned(&self->hooks);
	self->want.fault_type = DRM_FAULT_TYPE_OTHER;
	strcpy(self->want.engine, "iommu");
	for (i = 0; i < ARRAY_SIZE(report_cases); i++) {
		ASSERT_EQ(0, report(&self->hooks, self->domain, self->hooks.gpu.device,
				    report_cases[i].address, report_cases[i].flags));
		self->want.access = report_cases[i].access;
		self->want.address = report_cases[i].address;
		self->want.address_precision = report_cases[i].precision;
		ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
		EXPECT_RECORD(&self->want, &self->record);
	}
	EXPECT_NO_RECORD(self->hooks.own);
	if (variant->all)
		EXPECT_NO_RECORD(self->others);
}

/* arm-smmu does not say whose it was. */
TEST_F(iommu, report_of_nobody)
{
	__u64 before = dropped("io_page_fault");

	ASSERT_EQ(0, report(&self->hooks, self->domain, 0, 0x4008, 1));
	EXPECT_NO_RECORD(self->hooks.all);
	if (!variant->all) {
		EXPECT_EQ(before + 1, dropped("io_page_fault"));
		return;
	}
	self->want.access = DRM_FAULT_ACCESS_WRITE;
	self->want.address = 0x4008;
	self->want.address_precision = 1;
	ASSERT_EQ(0, hooks_record(self->others, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	EXPECT_EQ(before, dropped("io_page_fault"));
}

TEST_HARNESS_MAIN
