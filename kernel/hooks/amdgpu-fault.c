// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the interrupts and the fault status of AMD's memory hubs say.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "amdgpu.h"

#define AMDGPU_PAGE_SHIFT	12
#define AMDGPU_HIGH_SHIFT	44

/* Of the blocks that raise interrupts, those which are hubs for multimedia. */
#define AMDGPU_CLIENT_VMC1	0x06
#define AMDGPU_CLIENT_VMC	0x12

/* In @ring of an interrupt: what the page table did not have, as in the status. */
#define AMDGPU_RING_INVALID	0x08
#define AMDGPU_RING_PERMISSION	0x30

/* &drm_fault_amdgpu_fault.hub of the drivers that tell it */
#define AMDGPU_HUB_MM0		8
#define AMDGPU_HUB_MM1		12

/**
 * struct amdgpu_layout - where a generation has what
 * @number: as &drm_fault_record.raw tells it
 * @old: the interrupt has one word and no time, and the handler reads the address
 *	from a register
 * @no_pasid: nor has it an address space
 * @high: in the second word, address bits from AMDGPU_HIGH_SHIFT on
 * @retry: in the second word, the access waits to be tried again
 * @retry_src: or it is a source of its own, and only its second word has the access
 * @read: in the second word
 * @write: in the second word
 * @execute: in the second word
 * @ring: that tells what the page table did not have
 * @invalid: in the status, the entry was not valid
 * @permission: in the status, the entry did not allow the access
 * @walker: in the status, the walk through the table failed
 * @mapping: in the status, there was no mapping
 * @was_write: in the status
 * @atomic: in the status
 * @vmid: in the status
 */
struct amdgpu_layout {
	u8 number;
	bool old;
	bool no_pasid;
	u32 high;
	u32 retry;
	u32 retry_src;
	u32 read;
	u32 write;
	u32 execute;
	bool ring;
	u32 invalid;
	u32 permission;
	u32 walker;
	u32 mapping;
	u32 was_write;
	u32 atomic;
	u32 vmid;
};

#define AMDGPU_OLD_STATUS						\
	.old = true,							\
	.invalid = GENMASK(2, 0), .permission = GENMASK(5, 3),		\
	.was_write = BIT(24), .vmid = GENMASK(28, 25)

#define AMDGPU_INTERRUPT						\
	.high = 0xf, .retry = 0x80,					\
	.read = 0x40, .write = 0x20, .execute = 0x10, .ring = true

#define AMDGPU_STATUS							\
	.walker = GENMASK(3, 1), .invalid = BIT(4),			\
	.permission = GENMASK(7, 5), .mapping = BIT(8),			\
	.was_write = BIT(18), .atomic = BIT(19), .vmid = GENMASK(23, 20)

/* The last one is of a fault whose handler was not seen. */
static const struct amdgpu_layout amdgpu_layouts[DRM_FAULT_AMDGPU_GENERATIONS + 1] = {
	[DRM_FAULT_AMDGPU_GMC6] = { .number = 0x60, AMDGPU_OLD_STATUS, .no_pasid = true },
	[DRM_FAULT_AMDGPU_GMC7] = { .number = 0x70, AMDGPU_OLD_STATUS, .atomic = BIT(29) },
	[DRM_FAULT_AMDGPU_GMC8] = { .number = 0x80, AMDGPU_OLD_STATUS, .atomic = BIT(29) },
	[DRM_FAULT_AMDGPU_GMC9] = { .number = 0x90, AMDGPU_INTERRUPT, AMDGPU_STATUS },
	[DRM_FAULT_AMDGPU_GMC10] = { .number = 0xa0, AMDGPU_INTERRUPT, AMDGPU_STATUS },
	[DRM_FAULT_AMDGPU_GMC11] = { .number = 0xb0, AMDGPU_INTERRUPT, AMDGPU_STATUS },
	[DRM_FAULT_AMDGPU_GMC12] = { .number = 0xc0, AMDGPU_INTERRUPT, AMDGPU_STATUS },
	[DRM_FAULT_AMDGPU_GMC12_1] = {
		.number = 0xc1,
		.high = 0x1fff, .retry_src = 1,
		.read = 0x400000, .write = 0x200000, .execute = 0x100000,
		.walker = GENMASK(4, 1), .invalid = BIT(5),
		.permission = GENMASK(9, 6), .mapping = BIT(10),
		.was_write = BIT(20), .atomic = BIT(21), .vmid = GENMASK(25, 22),
	},
};

static const char *const amdgpu_hubs[] = { "gfxhub0", "mmhub0", "mmhub1" };

static const struct {
	u32 field;
	u32 to;
} amdgpu_members[] = {
	{ DRM_FAULT_AMDGPU_ENTRY_CLIENT, offsetof(struct drm_fault_amdgpu_fault, client) },
	{ DRM_FAULT_AMDGPU_ENTRY_SRC, offsetof(struct drm_fault_amdgpu_fault, src) },
	{ DRM_FAULT_AMDGPU_ENTRY_RING, offsetof(struct drm_fault_amdgpu_fault, ring) },
	{ DRM_FAULT_AMDGPU_ENTRY_VMID, offsetof(struct drm_fault_amdgpu_fault, vmid) },
	{ DRM_FAULT_AMDGPU_ENTRY_VMID_SRC, offsetof(struct drm_fault_amdgpu_fault, vmid_src) },
	{ DRM_FAULT_AMDGPU_ENTRY_TIMESTAMP, offsetof(struct drm_fault_amdgpu_fault, timestamp) },
	{ DRM_FAULT_AMDGPU_ENTRY_PASID, offsetof(struct drm_fault_amdgpu_fault, pasid) },
	{ DRM_FAULT_AMDGPU_ENTRY_DATA, offsetof(struct drm_fault_amdgpu_fault, data) },
};

static const struct amdgpu_layout *amdgpu_layout(const struct drm_fault_amdgpu_fault *fault)
{
	return &amdgpu_layouts[min_t(u32, fault->generation, DRM_FAULT_AMDGPU_GENERATIONS)];
}

/* What an old interrupt does not have its decoder leaves as it was on the stack. */
static void amdgpu_decode_old(struct drm_fault_amdgpu_fault *fault, bool no_pasid)
{
	memset(&fault->data[1], 0, sizeof(fault->data) - sizeof(fault->data[0]));
	fault->vmid_src = 0;
	fault->node = 0;
	fault->timestamp = 0;
	if (no_pasid)
		fault->pasid = 0;
}

/**
 * drm_fault_amdgpu_decode - read the interrupt of a fault
 * @fault: its @generation is set
 * @entry: struct amdgpu_iv_entry
 *
 * Context: In a handler.
 * Return: true if the layout is known
 */
bool drm_fault_amdgpu_decode(struct drm_fault_amdgpu_fault *fault, const void *entry)
{
	const struct amdgpu_layout *layout = amdgpu_layout(fault);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(amdgpu_members); i++)
		if (!drm_fault_amdgpu_peek((void *)fault + amdgpu_members[i].to, entry,
					   amdgpu_members[i].field))
			return false;
	/* 6.1 has none. */
	drm_fault_amdgpu_peek(&fault->node, entry, DRM_FAULT_AMDGPU_ENTRY_NODE);

	if (layout->old) {
		amdgpu_decode_old(fault, layout->no_pasid);
	} else {
		fault->address = (u64)fault->data[0] << AMDGPU_PAGE_SHIFT |
				 (u64)(fault->data[1] & layout->high) << AMDGPU_HIGH_SHIFT;
		fault->has_address = true;
	}
	fault->decoded = true;
	return true;
}

static bool amdgpu_retries(const struct drm_fault_amdgpu_fault *fault)
{
	const struct amdgpu_layout *layout = amdgpu_layout(fault);

	return layout->retry_src ? fault->src == layout->retry_src :
	       fault->data[1] & layout->retry;
}

/* The same interrupt through another ring of the driver's. */
static bool amdgpu_delivered(const struct drm_fault_amdgpu_fault *fault)
{
	static atomic64_t recent[64];
	u64 mark = fault->timestamp * GOLDEN_RATIO_64;

	if (!fault->timestamp)
		return false;
	mark = (mark ^ fault->address) * GOLDEN_RATIO_64;
	mark = (mark ^ (unsigned long)fault->adev ^ (u64)fault->pasid << 48) * GOLDEN_RATIO_64;
	return atomic64_xchg(&recent[hash_64(mark, 6)], mark) == mark;
}

/**
 * drm_fault_amdgpu_counts - is this a fault of its own?
 * @fault: decoded
 * @consumed: the driver's handler says that nobody else need look at it
 *
 * An access that is to be tried again raises the interrupt until it succeeds, and
 * the driver passes the first one on to a thread, which handles it anew; all but
 * the last of these it consumes. Old generations may pass on any fault, and then
 * have not looked at the address. What else is consumed are faults that repeat one
 * which a compute process was told of.
 *
 * Context: In a handler.
 * Return: true if it is to be reported
 */
bool drm_fault_amdgpu_counts(const struct drm_fault_amdgpu_fault *fault, bool consumed)
{
	if (amdgpu_layout(fault)->old)
		return fault->has_address || fault->has_status || !consumed;
	if (!amdgpu_retries(fault))
		return true;
	return !consumed && !amdgpu_delivered(fault);
}

/* The hub keeps the status of one fault, which need not be this one. */
static u32 amdgpu_status(const struct drm_fault_amdgpu_fault *fault)
{
	const struct amdgpu_layout *layout = amdgpu_layout(fault);

	if (!fault->has_status || !layout->vmid ||
	    (fault->status & layout->vmid) >> __ffs(layout->vmid) != fault->vmid)
		return 0;
	return fault->status;
}

static u32 amdgpu_access(const struct drm_fault_amdgpu_fault *fault)
{
	const struct amdgpu_layout *layout = amdgpu_layout(fault);
	u32 status = amdgpu_status(fault);
	u32 data = fault->data[1];

	if (status & layout->atomic)
		return DRM_FAULT_ACCESS_ATOMIC;
	if (layout->retry_src && !amdgpu_retries(fault))
		data = 0;
	if (data & layout->execute)
		return DRM_FAULT_ACCESS_EXECUTE;
	if (data & layout->write)
		return DRM_FAULT_ACCESS_WRITE;
	if (data & layout->read)
		return DRM_FAULT_ACCESS_READ;
	if (!status)
		return DRM_FAULT_ACCESS_UNKNOWN;
	return status & layout->was_write ? DRM_FAULT_ACCESS_WRITE : DRM_FAULT_ACCESS_READ;
}

/* An entry that is not valid allows nothing either, and may end the walk. */
static u32 amdgpu_fault_type(const struct drm_fault_amdgpu_fault *fault)
{
	const struct amdgpu_layout *layout = amdgpu_layout(fault);
	u32 status = amdgpu_status(fault);

	if (status & (layout->invalid | layout->mapping))
		return DRM_FAULT_TYPE_NOT_PRESENT;
	if (status & layout->walker)
		return DRM_FAULT_TYPE_INVALID_FORMAT;
	if (status & layout->permission)
		return DRM_FAULT_TYPE_PERMISSION;
	if (layout->ring && fault->ring & AMDGPU_RING_INVALID)
		return DRM_FAULT_TYPE_NOT_PRESENT;
	if (layout->ring && fault->ring & AMDGPU_RING_PERMISSION)
		return DRM_FAULT_TYPE_PERMISSION;
	return DRM_FAULT_TYPE_OTHER;
}

/* From the interrupt where there is one, since the other is not always known. */
static u32 amdgpu_hub(const struct drm_fault_amdgpu_fault *fault)
{
	if (!fault->decoded)
		return (fault->hub >= AMDGPU_HUB_MM0) + (fault->hub >= AMDGPU_HUB_MM1);
	if (amdgpu_layout(fault)->old)
		return 0;
	if (fault->client == AMDGPU_CLIENT_VMC1 &&
	    fault->generation == DRM_FAULT_AMDGPU_GMC9)
		return 2;
	return fault->client == AMDGPU_CLIENT_VMC || fault->vmid_src;
}

/**
 * drm_fault_amdgpu_multimedia - which kind of hub was it?
 * @fault: the fault
 *
 * Context: In a handler.
 * Return: true if video engines are behind it, false for graphics and compute
 */
bool drm_fault_amdgpu_multimedia(const struct drm_fault_amdgpu_fault *fault)
{
	return amdgpu_hub(fault);
}

static void amdgpu_raw(const struct drm_fault_amdgpu_fault *fault, struct drm_fault_event *event)
{
	event->raw_format = DRM_FAULT_RAW_AMDGPU;
	event->raw_count = 4;
	event->raw[0] = fault->status |
			(fault->has_status ? DRM_FAULT_AMDGPU_HAS_STATUS : 0) |
			(fault->has_hub ? DRM_FAULT_AMDGPU_HAS_HUB : 0) |
			(u64)(fault->hub & 0xff) << 40 |
			(u64)amdgpu_layout(fault)->number << 56;
	event->raw[1] = fault->data[0] | (u64)fault->data[1] << 32;
	event->raw[2] = fault->data[2] | (u64)fault->data[3] << 32;
	event->raw[3] = (fault->client & 0xff) | (fault->src & 0xff) << 8 |
			(fault->ring & 0xff) << 16 | (u64)(fault->vmid_src & 0xff) << 24 |
			(u64)(fault->node & 0xff) << 32 | (u64)(fault->pasid & 0xffff) << 48;
}

/**
 * drm_fault_amdgpu_event - tell a fault as an event
 * @fault: the fault
 * @event: returns it
 *
 * Context: In a handler.
 */
void drm_fault_amdgpu_event(const struct drm_fault_amdgpu_fault *fault,
			    struct drm_fault_event *event)
{
	u32 high = amdgpu_layout(fault)->high;
	u32 hub = amdgpu_hub(fault);

	*event = (struct drm_fault_event) {
		.key = fault->pasid,
		.access = amdgpu_access(fault),
		.fault_type = amdgpu_fault_type(fault),
		.address = fault->address,
		.address_precision = fault->has_address ? 1ULL << AMDGPU_PAGE_SHIFT : 0,
		.address_bits = high ? AMDGPU_HIGH_SHIFT + fls(high) : 0,
		.engine_class = DRM_FAULT_ENGINE_OTHER,
		.engine_instance = hub,
		.engine = amdgpu_hubs[hub],
		.vmid = fault->vmid,
		.gpu_timestamp = fault->timestamp,
	};
	amdgpu_raw(fault, event);
}
