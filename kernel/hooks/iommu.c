// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for accesses that an IOMMU stopped. Most IOMMU drivers tell of them by the
 * tracepoint io_page_fault. Intel's tells nobody: its fault recording registers are
 * read where its interrupt handler begins, before it clears them.
 *
 * A fault belongs to a GPU whose device made the access. Those of other devices are
 * counted, and recorded with iommu_all=1, for a reporter of their own.
 */
#include <linux/err.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/rcupdate.h>

#include "sets.h"

#define IOMMU_FAULT_IS_READ	0
#define IOMMU_FAULT_IS_WRITE	1

static bool iommu_all;
module_param(iommu_all, bool, 0444);
MODULE_PARM_DESC(iommu_all, "record IOMMU faults of devices that are no GPUs, too (default N)");

/* What the faults of other devices are recorded for; fixed while hooks are attached. */
static struct platform_device *iommu_others_dev;
static struct drm_fault_reporter *iommu_others;

/* Whose fault it is: @reporter is of the GPU, NULL if it is none; @name tells who else. */
static void iommu_report(const struct drm_fault_hook *hook, struct drm_fault_reporter *reporter,
			 struct drm_fault_event *event, const char *name)
{
	event->engine = reporter ? "iommu" : name;
	drm_fault_hook_report(hook, reporter ?: iommu_others, event);
}

static void iommu_io_page_fault(const struct drm_fault_hook *hook, struct device *dev,
				unsigned long iova, int flags)
{
	struct drm_fault_event event = {
		.fault_type = DRM_FAULT_TYPE_OTHER,
		.address = iova,
		/* Some tell the byte, some the page, and nobody which of the two. */
		.address_precision = offset_in_page(iova) ? 1 : PAGE_SIZE,
	};

	drm_fault_hook_count(hook);
	if (flags == IOMMU_FAULT_IS_READ)
		event.access = DRM_FAULT_ACCESS_READ;
	else if (flags == IOMMU_FAULT_IS_WRITE)
		event.access = DRM_FAULT_ACCESS_WRITE;
	rcu_read_lock();
	/* Several drivers do not say which device it was. */
	iommu_report(hook, dev ? drm_fault_reporter_of_device(dev) : NULL, &event,
		     dev ? dev_name(dev) : NULL);
	rcu_read_unlock();
}

/* Intel VT-d: registers and the layout of a fault recording register. */
#define VTD_FSTS			0x34
#define VTD_FSTS_PPF			BIT(1)
#define VTD_FSTS_INDEX(fsts)		(((fsts) >> 8) & 0xff)
#define VTD_CAP_RECORD_OFFSET(cap)	((((cap) >> 24) & 0x3ff) * 16)
#define VTD_CAP_RECORDS(cap)		((((cap) >> 40) & 0xff) + 1)
#define VTD_RECORD_SIZE			16
#define VTD_RECORD_STATUS		12

#define VTD_STATUS_FAULT		BIT(31)

/* Bits of the upper quadword. */
#define VTD_RECORD_DEVICE(high)		((u16)(high))
#define VTD_RECORD_ATOMIC		BIT_ULL(28)
#define VTD_RECORD_EXECUTE		BIT_ULL(30)
#define VTD_RECORD_PASID		BIT_ULL(31)
#define VTD_RECORD_REASON(high)		((u8)((high) >> 32))
#define VTD_RECORD_READ			BIT_ULL(62)

/* Interrupts that were not let through: there is no address. */
#define VTD_REASON_INTERRUPT_FIRST	0x20
#define VTD_REASON_INTERRUPT_LAST	0x2f

#define VTD_ADDRESS_MASK		GENMASK_ULL(63, 12)
#define VTD_ADDRESS_PRECISION		4096

/*
 * What is not here is OTHER. That are the second-level reasons 0x05, 0x06 and 0x79,
 * too: such an entry has no present bit, so that one without the right for the
 * access may be empty or not.
 */
static const u8 vtd_fault_types[] = {
	[0x01] = DRM_FAULT_TYPE_NOT_PRESENT,	/* root entry */
	[0x02] = DRM_FAULT_TYPE_NOT_PRESENT,	/* context entry */
	[0x03] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* context entry */
	[0x07] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* pointer to the next table */
	[0x08] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* pointer to the root table */
	[0x09] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* pointer to the context table */
	[0x0a] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* reserved bits of the root entry */
	[0x0b] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* of the context entry */
	[0x0c] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* of a page-table entry */
	[0x0d] = DRM_FAULT_TYPE_PERMISSION,	/* translation requests are blocked */
	[0x30] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* pointer to the root table */
	[0x39] = DRM_FAULT_TYPE_NOT_PRESENT,	/* root entry */
	[0x3a] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* its reserved bits */
	[0x41] = DRM_FAULT_TYPE_NOT_PRESENT,	/* context entry */
	[0x42] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* its reserved bits */
	[0x43] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* the rest of it */
	[0x51] = DRM_FAULT_TYPE_NOT_PRESENT,	/* PASID directory entry */
	[0x52] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* its reserved bits */
	[0x59] = DRM_FAULT_TYPE_NOT_PRESENT,	/* PASID table entry */
	[0x5a] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* its reserved bits */
	[0x5b] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* the rest of it */
	[0x71] = DRM_FAULT_TYPE_NOT_PRESENT,	/* first-level entry */
	[0x72] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* its reserved bits */
	[0x7a] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* reserved bits of a second-level entry */
	[0x7b] = DRM_FAULT_TYPE_INVALID_FORMAT,	/* pointer to the second-level table */
	[0x81] = DRM_FAULT_TYPE_PERMISSION,	/* a page of the supervisor */
	[0x82] = DRM_FAULT_TYPE_PERMISSION,	/* not to be executed */
	[0x85] = DRM_FAULT_TYPE_PERMISSION,	/* not to be written */
	[0x86] = DRM_FAULT_TYPE_PERMISSION,	/* not to be read */
};

enum {
	VTD_FIELD_REG,
	VTD_FIELD_CAP,
	VTD_FIELD_SEGMENT,
};

static struct drm_fault_field iommu_fields[] = {
	[VTD_FIELD_REG] = { .type = "intel_iommu", .path = "reg", .size = sizeof(void *) },
	[VTD_FIELD_CAP] = { .type = "intel_iommu", .path = "cap", .size = sizeof(u64) },
	[VTD_FIELD_SEGMENT] = { .type = "intel_iommu", .path = "segment", .size = sizeof(u16) },
};

/**
 * struct vtd - one remapping unit, as its driver knows it
 * @reg: its registers
 * @cap: its capabilities
 * @segment: PCI domain of its devices
 */
struct vtd {
	void __iomem *reg;
	u64 cap;
	u16 segment;
};

static bool vtd_peek(struct vtd *vtd, const void *iommu)
{
	return drm_fault_field_peek(&vtd->reg, iommu, &iommu_fields[VTD_FIELD_REG]) && vtd->reg &&
	       drm_fault_field_peek(&vtd->cap, iommu, &iommu_fields[VTD_FIELD_CAP]) &&
	       drm_fault_field_peek(&vtd->segment, iommu, &iommu_fields[VTD_FIELD_SEGMENT]);
}

/* Before there was a bit for atomic accesses they counted as reads. */
static u32 vtd_access(u64 high)
{
	if (!(high & VTD_RECORD_READ))
		return high & VTD_RECORD_ATOMIC ? DRM_FAULT_ACCESS_UNKNOWN :
						  DRM_FAULT_ACCESS_WRITE;
	if (high & VTD_RECORD_ATOMIC)
		return DRM_FAULT_ACCESS_ATOMIC;
	if ((high & VTD_RECORD_PASID) && (high & VTD_RECORD_EXECUTE))
		return DRM_FAULT_ACCESS_EXECUTE;
	return DRM_FAULT_ACCESS_READ;
}

static struct drm_fault_event vtd_event(const struct vtd *vtd, u64 low, u64 high)
{
	u8 reason = VTD_RECORD_REASON(high);
	struct drm_fault_event event = {
		.fault_type = DRM_FAULT_TYPE_OTHER,
		.raw_format = DRM_FAULT_RAW_VTD,
		.raw_count = 3,
		.raw = { low, high, vtd->segment },
	};

	if (reason >= VTD_REASON_INTERRUPT_FIRST && reason <= VTD_REASON_INTERRUPT_LAST)
		return event;
	event.access = vtd_access(high);
	event.address = low & VTD_ADDRESS_MASK;
	event.address_precision = VTD_ADDRESS_PRECISION;
	if (reason < ARRAY_SIZE(vtd_fault_types) && vtd_fault_types[reason])
		event.fault_type = vtd_fault_types[reason];
	return event;
}

static void vtd_report(const struct drm_fault_hook *hook, const struct vtd *vtd, u64 low, u64 high)
{
	struct drm_fault_event event = vtd_event(vtd, low, high);
	u16 device = VTD_RECORD_DEVICE(high);
	char name[DRM_FAULT_ENGINE_LEN];

	snprintf(name, sizeof(name), "%04x:%02x:%02x.%d", vtd->segment, PCI_BUS_NUM(device),
		 PCI_SLOT(device & 0xff), PCI_FUNC(device));
	iommu_report(hook, drm_fault_reporter_of_pci(vtd->segment, device), &event, name);
}

/* The handler goes the same way through the records after this, and clears them. */
static bool vtd_dmar_fault(struct drm_fault_hook_hit *hit)
{
	void __iomem *records, *record;
	unsigned int count, index, i;
	struct vtd vtd;
	u32 status;

	if (!vtd_peek(&vtd, (void *)drm_fault_hook_arg(hit, 1))) {
		drm_fault_hook_drop(hit->hook);
		return true;
	}
	status = readl(vtd.reg + VTD_FSTS);
	if (!(status & VTD_FSTS_PPF))
		return true;
	records = vtd.reg + VTD_CAP_RECORD_OFFSET(vtd.cap);
	count = VTD_CAP_RECORDS(vtd.cap);
	for (i = 0, index = VTD_FSTS_INDEX(status); i < count; i++, index++) {
		record = records + index % count * VTD_RECORD_SIZE;
		status = readl(record + VTD_RECORD_STATUS);
		if (!(status & VTD_STATUS_FAULT))
			break;
		vtd_report(hit->hook, &vtd, readq(record),
			   (u64)status << 32 | readl(record + sizeof(u64)));
	}
	return true;
}

static int iommu_start(void)
{
	struct drm_fault_reporter_args args = { .driver = "iommu" };

	if (!iommu_all)
		return 0;
	iommu_others_dev = platform_device_register_simple("drm_fault_iommu",
							   PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(iommu_others_dev))
		return PTR_ERR(iommu_others_dev);
	args.dev = &iommu_others_dev->dev;
	iommu_others = drm_fault_reporter_register(&args);
	if (IS_ERR(iommu_others)) {
		int ret = PTR_ERR(iommu_others);

		iommu_others = NULL;
		platform_device_unregister(iommu_others_dev);
		return ret;
	}
	return 0;
}

static void iommu_stop(void)
{
	if (!iommu_others)
		return;
	drm_fault_reporter_unregister(iommu_others);
	iommu_others = NULL;
	platform_device_unregister(iommu_others_dev);
}

static struct drm_fault_hook iommu_hooks[] = {
	{
		.symbol = "io_page_fault",
		.kind = DRM_FAULT_HOOK_TRACEPOINT,
		.provides = DRM_FAULT_PROVIDES_FAULT,
		.probe = iommu_io_page_fault,
	}, {
		.symbol = "dmar_fault",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT | DRM_FAULT_PROVIDES_STATUS,
		.prototype = "irqreturn_t (int, void *)",
		.enter = vtd_dmar_fault,
	},
};

struct drm_fault_hooks drm_fault_iommu_hooks = {
	.name = "iommu",
	.module = "vmlinux",
	.hooks = iommu_hooks,
	.hook_count = ARRAY_SIZE(iommu_hooks),
	.fields = iommu_fields,
	.field_count = ARRAY_SIZE(iommu_fields),
	.start = iommu_start,
	.stop = iommu_stop,
};
