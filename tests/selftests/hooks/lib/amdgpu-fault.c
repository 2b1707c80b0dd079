// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdio.h>

#include "amdgpu.h"

#define CACHE	"amdgpu:amdgpu_vm_update_fault_cache"
#define MESSAGE	"_dev_err"

const struct amdgpu_gmc amdgpu_gmcs[AMDGPU_GMCS] = {
	{ "6_0", 0x60, 0, 0, 0, 0, 0, 0, false, 0x04, 0x08, 0, 0, 1 << 24, 0, 25,
	  "amdgpu:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x%08X\n" },
	{ "7_0", 0x70, 0, 0, 0, 0, 0, 0, true, 0x01, 0x10, 0, 0, 1 << 24, 1 << 29, 25,
	  "amdgpu:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x%08X\n" },
	{ "8_0", 0x80, 0, 0, 0, 0, 0, 0, true, 0x02, 0x20, 0, 0, 1 << 24, 1 << 29, 25,
	  "amdgpu:   VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x%08X\n" },
	{ "9_0", 0x90, 0xf, 0x80, 0, 0x40, 0x20, 0x10, true, 0x10, 0x20, 0x02, 0x100,
	  1 << 18, 1 << 19, 20, "amdgpu: VM_L2_PROTECTION_FAULT_STATUS:0x%08X\n" },
	{ "10_0", 0xa0, 0xf, 0x80, 0, 0x40, 0x20, 0x10, true, 0x30, 0x40, 0x08, 0x100,
	  1 << 18, 1 << 19, 20, "gfxhub_v2_1" },
	{ "11_0", 0xb0, 0xf, 0x80, 0, 0x40, 0x20, 0x10, true, 0x50, 0x80, 0x04, 0x100,
	  1 << 18, 1 << 19, 20, "gfxhub_v3_0" },
	{ "12_0", 0xc0, 0xf, 0x80, 0, 0x40, 0x20, 0x10, true, 0x10, 0xe0, 0x0e, 0x100,
	  1 << 18, 1 << 19, 20, NULL },
	{ "12_1", 0xc1, 0x1fff, 0, 1, 0x400000, 0x200000, 0x100000, true, 0x20, 0x240, 0x10,
	  0x400, 1 << 20, 1 << 21, 22, NULL },
};

__u32 amdgpu_status(const struct amdgpu_gmc *generation, const struct amdgpu_kind *fault)
{
	const __u32 causes[AMDGPU_CAUSES] = {
		[AMDGPU_INVALID] = generation->invalid | generation->permission |
				   generation->walker,
		[AMDGPU_PERMISSION] = generation->permission,
		[AMDGPU_WALKER] = generation->walker,
		[AMDGPU_MAPPING] = generation->mapping,
	};
	__u32 status = causes[fault->cause] | AMDGPU_VMID << generation->vmid_shift;

	if (fault->access == DRM_FAULT_ACCESS_WRITE)
		status |= generation->was_write;
	if (fault->access == DRM_FAULT_ACCESS_ATOMIC)
		status |= generation->was_write | generation->atomic;
	return status;
}

__u32 amdgpu_want_access(const struct amdgpu_gmc *generation, const struct amdgpu_kind *fault)
{
	bool in_interrupt = generation->high && (!generation->retry_src || fault->retry);
	bool writes = fault->access == DRM_FAULT_ACCESS_WRITE ||
		      fault->access == DRM_FAULT_ACCESS_ATOMIC;

	if (fault->access == DRM_FAULT_ACCESS_ATOMIC && fault->status && generation->atomic)
		return DRM_FAULT_ACCESS_ATOMIC;
	if (in_interrupt)
		return writes ? DRM_FAULT_ACCESS_WRITE : fault->access;
	if (fault->status)
		return writes ? DRM_FAULT_ACCESS_WRITE : DRM_FAULT_ACCESS_READ;
	return DRM_FAULT_ACCESS_UNKNOWN;
}

__u32 amdgpu_want_type(const struct amdgpu_kind *fault)
{
	static const __u32 types[AMDGPU_CAUSES] = {
		[AMDGPU_INVALID] = DRM_FAULT_TYPE_NOT_PRESENT,
		[AMDGPU_PERMISSION] = DRM_FAULT_TYPE_PERMISSION,
		[AMDGPU_WALKER] = DRM_FAULT_TYPE_INVALID_FORMAT,
		[AMDGPU_MAPPING] = DRM_FAULT_TYPE_NOT_PRESENT,
	};

	return fault->status ? types[fault->cause] : DRM_FAULT_TYPE_OTHER;
}

bool amdgpu_choose(struct amdgpu *amdgpu, unsigned int number)
{
	const struct amdgpu_gmc *generation = &amdgpu_gmcs[number];

	amdgpu->generation = generation;
	snprintf(amdgpu->symbol, sizeof(amdgpu->symbol), "amdgpu:gmc_v%s_process_interrupt",
		 generation->name);
	/* As high as they come, with bits in every word. */
	amdgpu->address = generation->high ? 0x8a5123456000ULL : 0x0a5123456000ULL;
	if (generation->high > 0xf)
		amdgpu->address |= 0x1550000ULL << 32;
	/* None repeats another's. */
	amdgpu->address += number << 24;
	/* That of no fault in any test before. */
	amdgpu->timestamp = road_now_ns();
	return hooks_symbol(&amdgpu->hooks, amdgpu->symbol);
}

void amdgpu_advance(struct amdgpu *amdgpu)
{
	amdgpu->address += 4096;
	amdgpu->timestamp++;
}

struct amdgpu_entry amdgpu_entry_of(const struct amdgpu *amdgpu,
				    const struct amdgpu_kind *fault)
{
	const struct amdgpu_gmc *generation = amdgpu->generation;
	struct amdgpu_entry entry = {
		.client = 0x1b,
		.src = fault->retry ? generation->retry_src : 0,
		.vmid = AMDGPU_VMID,
		.pasid = AMDGPU_PASID,
		.timestamp = amdgpu->timestamp,
		.data = { 0x1234567, 0, 0xcccccccc, 0xdddddddd },
	};

	if (!generation->high)
		return entry;
	entry.data[0] = amdgpu->address >> 12;
	entry.data[1] = amdgpu->address >> 44;
	if (fault->retry)
		entry.data[1] |= generation->retry_bit;
	if (generation->retry_src && !fault->retry)
		return entry;
	entry.data[1] |= fault->access == DRM_FAULT_ACCESS_READ ? generation->read :
			 fault->access == DRM_FAULT_ACCESS_EXECUTE ? generation->execute :
			 generation->write;
	return entry;
}

/* Old generations without the function tell the address in a message too. */
static void add_address(struct amdgpu *amdgpu, struct drm_fault_call_make *make)
{
	static const char text[] = "amdgpu:   VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08X\n";
	__u64 format = amdgpu->format + 128;

	if (amdgpu->generation->high || amdgpu->cache)
		return;
	hooks_write(&amdgpu->hooks, format, text, sizeof(text));
	make->inner[make->inner_count++] =
		HOOKS_STEP(MESSAGE, 0, amdgpu->hooks.gpu.device, format, amdgpu->address >> 12);
}

void amdgpu_add_status(struct amdgpu *amdgpu, struct drm_fault_call_make *make, __u32 status)
{
	const char *how = amdgpu->generation->status;
	char symbol[96];

	add_address(amdgpu, make);
	if (amdgpu->cache) {
		make->inner[make->inner_count++] =
			HOOKS_STEP(CACHE, 0, amdgpu->adev, AMDGPU_PASID, amdgpu->address, status,
				   0);
		return;
	}
	if (strchr(how, ' ')) {
		hooks_write(&amdgpu->hooks, amdgpu->format, how, strlen(how) + 1);
		make->inner[make->inner_count++] =
			HOOKS_STEP(MESSAGE, 0, amdgpu->hooks.gpu.device, amdgpu->format, status);
		return;
	}
	snprintf(symbol, sizeof(symbol), "amdgpu:%s_print_l2_protection_fault_status", how);
	make->inner[make->inner_count++] = HOOKS_STEP(symbol, 0, amdgpu->adev, status);
}

int amdgpu_deliver(struct amdgpu *amdgpu, const struct amdgpu_entry *entry,
		   struct drm_fault_call_make *make, __u64 result)
{
	int ret = amdgpu_set_entry(amdgpu, entry);

	make->outer = HOOKS_STEP(amdgpu->symbol, result, amdgpu->adev, 0, amdgpu->entry);
	return ret ?: hooks_make(&amdgpu->hooks, make);
}

int amdgpu_raise(struct amdgpu *amdgpu, const struct amdgpu_kind *fault)
{
	struct amdgpu_entry entry = amdgpu_entry_of(amdgpu, fault);
	struct drm_fault_call_make make = { .flags = fault->flags };

	if (fault->status)
		amdgpu_add_status(amdgpu, &make, amdgpu_status(amdgpu->generation, fault));
	return amdgpu_deliver(amdgpu, &entry, &make, 0);
}

void amdgpu_want_raw(const struct amdgpu *amdgpu, struct drm_fault_record *want,
		     const struct amdgpu_entry *entry)
{
	const struct amdgpu_gmc *generation = amdgpu->generation;
	bool old = !generation->high;
	__u64 node = !old && amdgpu->choice[AMDGPU_CHOICE_NODE].offset >= 0 ? entry->node : 0;

	want->raw_format = DRM_FAULT_RAW_AMDGPU;
	want->raw_count = 4;
	want->raw[0] = generation->number << 56;
	want->raw[1] = entry->data[0] | (old ? 0 : (__u64)entry->data[1] << 32);
	want->raw[2] = old ? 0 : entry->data[2] | (__u64)entry->data[3] << 32;
	want->raw[3] = entry->client | entry->src << 8 | entry->ring << 16 |
		       (old ? 0 : (__u64)entry->vmid_src << 24) | node << 32 |
		       (generation->pasid ? (__u64)entry->pasid << 48 : 0);
}

struct drm_fault_record amdgpu_want_fault(const struct amdgpu *amdgpu,
					  const struct amdgpu_kind *fault)
{
	const struct amdgpu_gmc *generation = amdgpu->generation;
	struct amdgpu_entry entry = amdgpu_entry_of(amdgpu, fault);
	struct drm_fault_record want = generation->pasid ? hooks_want(&amdgpu->hooks) :
				       hooks_want_unowned(&amdgpu->hooks);

	want.pasid = generation->pasid ? AMDGPU_PASID : 0;
	want.access = amdgpu_want_access(generation, fault);
	want.fault_type = amdgpu_want_type(fault);
	if (generation->high || fault->status) {
		want.address = amdgpu->address;
		want.address_precision = 4096;
	}
	if (generation->high > 0xf)
		want.address_bits = 57;
	want.engine_class = DRM_FAULT_ENGINE_OTHER;
	strcpy(want.engine, "gfxhub0");
	want.vmid = AMDGPU_VMID;
	want.gpu_timestamp = generation->high ? entry.timestamp : 0;
	amdgpu_want_raw(amdgpu, &want, &entry);
	if (fault->status) {
		want.raw[0] |= amdgpu_status(generation, fault) | DRM_FAULT_AMDGPU_HAS_STATUS;
		if (amdgpu->cache)
			want.raw[0] |= DRM_FAULT_AMDGPU_HAS_HUB;
	}
	return want;
}
