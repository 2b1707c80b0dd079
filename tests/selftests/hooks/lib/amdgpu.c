// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "amdgpu.h"

#define JOB_IBS	2

static const struct drm_fault_call_field fields[AMDGPU_FIELDS] = {
	[AMDGPU_DEVICE] = { "amdgpu_device", "", 0 },
	[AMDGPU_DEVICE_DEV] = { "amdgpu_device", "dev", 8 },
	[AMDGPU_ENTRY] = { "amdgpu_iv_entry", "", 0 },
	[AMDGPU_ENTRY_CLIENT] = { "amdgpu_iv_entry", "client_id", 4 },
	[AMDGPU_ENTRY_SRC] = { "amdgpu_iv_entry", "src_id", 4 },
	[AMDGPU_ENTRY_RING] = { "amdgpu_iv_entry", "ring_id", 4 },
	[AMDGPU_ENTRY_VMID] = { "amdgpu_iv_entry", "vmid", 4 },
	[AMDGPU_ENTRY_VMID_SRC] = { "amdgpu_iv_entry", "vmid_src", 4 },
	[AMDGPU_ENTRY_TIMESTAMP] = { "amdgpu_iv_entry", "timestamp", 8 },
	[AMDGPU_ENTRY_PASID] = { "amdgpu_iv_entry", "pasid", 4 },
	[AMDGPU_ENTRY_DATA] = { "amdgpu_iv_entry", "src_data", 16 },
	[AMDGPU_FPRIV] = { "amdgpu_fpriv", "", 0 },
	[AMDGPU_FPRIV_PASID] = { "amdgpu_fpriv", "vm.pasid", 4 },
	[AMDGPU_JOB] = { "amdgpu_job", "", 0 },
	[AMDGPU_JOB_SCHED] = { "amdgpu_job", "base.sched", 8 },
	[AMDGPU_JOB_FENCE] = { "amdgpu_job", "base.s_fence", 8 },
	[AMDGPU_JOB_VMID] = { "amdgpu_job", "vmid", 4 },
	[AMDGPU_JOB_PASID] = { "amdgpu_job", "pasid", 4 },
	[AMDGPU_JOB_IB_COUNT] = { "amdgpu_job", "num_ibs", 4 },
	[AMDGPU_JOB_IBS] = { "amdgpu_job", "ibs", 0 },
	[AMDGPU_RING] = { "amdgpu_ring", "", 0 },
	[AMDGPU_RING_ADEV] = { "amdgpu_ring", "adev", 8 },
	[AMDGPU_RING_FUNCS] = { "amdgpu_ring", "funcs", 8 },
	[AMDGPU_IB] = { "amdgpu_ib", "", 0 },
	[AMDGPU_IB_ADDRESS] = { "amdgpu_ib", "gpu_addr", 8 },
	[AMDGPU_IB_LENGTH] = { "amdgpu_ib", "length_dw", 4 },
	[AMDGPU_SCHED] = { "drm_gpu_scheduler", "", 0 },
	[AMDGPU_SCHED_NAME] = { "drm_gpu_scheduler", "name", 8 },
	[AMDGPU_SCHED_DEV] = { "drm_gpu_scheduler", "dev", 8 },
	[AMDGPU_FENCE] = { "drm_sched_fence", "", 0 },
	[AMDGPU_FENCE_CONTEXT] = { "drm_sched_fence", "finished.context", 8 },
	[AMDGPU_FENCE_SEQNO] = { "drm_sched_fence", "finished.seqno", 8 },
};

static const struct drm_fault_call_field choices[AMDGPU_CHOICES] = {
	[AMDGPU_CHOICE_NODE] = { "amdgpu_iv_entry", "node_id", 4 },
	[AMDGPU_CHOICE_RING_HUB] = { "amdgpu_ring", "vm_hub", 4 },
	[AMDGPU_CHOICE_FUNCS_HUB] = { "amdgpu_ring_funcs", "vmhub", 4 },
};

static const struct hooks_driver driver = {
	.module = "amdgpu",
	.name = "amdgpu",
	.address_bits = 48,
	.symbols = {
		"amdgpu:gmc_v6_0_process_interrupt",
		"amdgpu:gmc_v7_0_process_interrupt",
		"amdgpu:gmc_v8_0_process_interrupt",
		"amdgpu:gmc_v9_0_process_interrupt",
		"amdgpu:gmc_v10_0_process_interrupt",
		"amdgpu:gmc_v11_0_process_interrupt",
		"?amdgpu:gmc_v12_0_process_interrupt",
		"?amdgpu:gmc_v12_1_process_interrupt",
		"?amdgpu:amdgpu_vm_update_fault_cache",
		"amdgpu:gfxhub_v2_0_print_l2_protection_fault_status",
		"amdgpu:gfxhub_v2_1_print_l2_protection_fault_status",
		"amdgpu:gfxhub_v3_0_print_l2_protection_fault_status",
		"amdgpu:gfxhub_v3_0_3_print_l2_protection_fault_status",
		"amdgpu:mmhub_v2_0_print_l2_protection_fault_status",
		"amdgpu:mmhub_v2_3_print_l2_protection_fault_status",
		"amdgpu:mmhub_v3_0_print_l2_protection_fault_status",
		"amdgpu:mmhub_v3_0_1_print_l2_protection_fault_status",
		"amdgpu:mmhub_v3_0_2_print_l2_protection_fault_status",
		"_dev_err",
		"amdgpu:amdgpu_cs_ioctl",
		"?amdgpu:amdgpu_userq_ioctl",
		"?amdgpu:amdgpu_vm_set_pasid",
		"amdgpu:amdgpu_ib_schedule",
		"amdgpu:amdgpu_job_timedout",
		"amdgpu:amdgpu_device_gpu_recover",
		NULL,
	},
};

static int look_up(struct amdgpu *amdgpu)
{
	struct hooks *hooks = &amdgpu->hooks;
	int ret;

	memcpy(amdgpu->field, fields, sizeof(fields));
	memcpy(amdgpu->choice, choices, sizeof(choices));
	ret = hooks_fields(hooks, "amdgpu", amdgpu->field, AMDGPU_FIELDS);
	if (ret)
		return ret;
	hooks_fields(hooks, "amdgpu", amdgpu->choice, AMDGPU_CHOICES);
	amdgpu->cache = hooks_symbol(hooks, "amdgpu:amdgpu_vm_update_fault_cache");
	return 0;
}

static int allocate(struct amdgpu *amdgpu)
{
	struct hooks *hooks = &amdgpu->hooks;

	amdgpu->adev = hooks_buffer(hooks, amdgpu->field[AMDGPU_DEVICE].offset);
	amdgpu->entry = hooks_buffer(hooks, amdgpu->field[AMDGPU_ENTRY].offset);
	amdgpu->format = hooks_buffer(hooks, 256);
	if (!amdgpu->adev || !amdgpu->entry || !amdgpu->format)
		return -ENOMEM;
	return amdgpu_set(amdgpu, amdgpu->adev, AMDGPU_DEVICE_DEV, hooks->gpu.device);
}

int amdgpu_next_pasid(struct amdgpu *amdgpu, __u32 pasid)
{
	size_t size = amdgpu->field[AMDGPU_FPRIV].offset;
	struct drm_fault_call_template template = {
		.id = amdgpu->hooks.gpu.id,
		.size = size,
	};
	char *data = calloc(1, size);
	int ret;

	if (!data)
		return -ENOMEM;
	memcpy(data + amdgpu->field[AMDGPU_FPRIV_PASID].offset, &pasid, sizeof(pasid));
	template.ptr = (uintptr_t)data;
	ret = road_call(amdgpu->hooks.call, DRM_FAULT_CALL_GPU_TEMPLATE, &template);
	free(data);
	return ret;
}

int amdgpu_open(struct amdgpu *amdgpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", amdgpu->hooks.gpu.render_minor);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int amdgpu_setup(struct amdgpu *amdgpu)
{
	struct hooks_driver with_size = driver;
	int ret = hooks_open(&amdgpu->hooks);

	/* A test's process ends without writing what it has kept. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!ret)
		ret = hooks_prepare(&amdgpu->hooks, &driver);
	if (!ret)
		ret = look_up(amdgpu);
	if (ret)
		return ret;
	with_size.priv_size = amdgpu->field[AMDGPU_FPRIV].offset;
	ret = hooks_gpu_add(&amdgpu->hooks, &with_size);
	if (!ret)
		ret = amdgpu_next_pasid(amdgpu, AMDGPU_PASID);
	if (!ret)
		ret = hooks_gpu_open(&amdgpu->hooks);
	if (!ret)
		ret = allocate(amdgpu);
	if (ret)
		return ret;
	amdgpu->ring = amdgpu_ring(amdgpu, false);
	return amdgpu->ring ? 0 : -ENOMEM;
}

void amdgpu_teardown(struct amdgpu *amdgpu)
{
	hooks_teardown(&amdgpu->hooks);
}

int amdgpu_set(struct amdgpu *amdgpu, __u64 base, enum amdgpu_field field, __u64 value)
{
	return hooks_set(&amdgpu->hooks, base, &amdgpu->field[field], value);
}

int amdgpu_set_entry(struct amdgpu *amdgpu, const struct amdgpu_entry *entry)
{
	const struct {
		enum amdgpu_field field;
		__u64 value;
	} members[] = {
		{ AMDGPU_ENTRY_CLIENT, entry->client },
		{ AMDGPU_ENTRY_SRC, entry->src },
		{ AMDGPU_ENTRY_RING, entry->ring },
		{ AMDGPU_ENTRY_VMID, entry->vmid },
		{ AMDGPU_ENTRY_VMID_SRC, entry->vmid_src },
		{ AMDGPU_ENTRY_TIMESTAMP, entry->timestamp },
		{ AMDGPU_ENTRY_PASID, entry->pasid },
	};
	const struct drm_fault_call_field *node = &amdgpu->choice[AMDGPU_CHOICE_NODE];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(members); i++)
		ret = amdgpu_set(amdgpu, amdgpu->entry, members[i].field, members[i].value);
	if (!ret && node->offset >= 0)
		ret = hooks_set(&amdgpu->hooks, amdgpu->entry, node, entry->node);
	return ret ?: hooks_write(&amdgpu->hooks,
				  amdgpu->entry + amdgpu->field[AMDGPU_ENTRY_DATA].offset,
				  entry->data, sizeof(entry->data));
}

int amdgpu_fault(struct amdgpu *amdgpu, __u32 pasid, __u64 address)
{
	static __u64 timestamp = 1000;
	const struct amdgpu_entry entry = {
		.client = 0x1b,
		.vmid = AMDGPU_VMID,
		.pasid = pasid,
		.timestamp = timestamp++,
		.data = { address >> 12, address >> 44 },
	};
	int ret = amdgpu_set_entry(amdgpu, &entry);

	return ret ?: hooks_call(&amdgpu->hooks, "amdgpu:gmc_v11_0_process_interrupt", 0,
				 amdgpu->adev, 0, amdgpu->entry);
}

void amdgpu_want(struct drm_fault_record *want, __u32 pasid, __u64 address)
{
	want->address = address;
	want->address_precision = 4096;
	want->fault_type = DRM_FAULT_TYPE_OTHER;
	want->engine_class = DRM_FAULT_ENGINE_OTHER;
	strcpy(want->engine, "gfxhub0");
	want->vmid = AMDGPU_VMID;
	if (!(want->flags & DRM_FAULT_RECORD_F_OWNER_UNKNOWN))
		want->pasid = pasid;
	want->raw_format = DRM_FAULT_RAW_AMDGPU;
	want->raw_count = 4;
	want->raw[0] = 0xb0ULL << 56;
	want->raw[1] = (address >> 12 & 0xffffffff) | address >> 44 << 32;
	want->raw[3] = 0x1b | (__u64)pasid << 48;
}

__u64 amdgpu_ring(struct amdgpu *amdgpu, bool multimedia)
{
	const struct drm_fault_call_field *ring_hub = &amdgpu->choice[AMDGPU_CHOICE_RING_HUB];
	const struct drm_fault_call_field *funcs_hub = &amdgpu->choice[AMDGPU_CHOICE_FUNCS_HUB];
	__u64 ring = hooks_buffer(&amdgpu->hooks, amdgpu->field[AMDGPU_RING].offset);
	__u64 funcs = hooks_buffer(&amdgpu->hooks, 1024);
	int ret;

	if (!ring || !funcs)
		return 0;
	ret = amdgpu_set(amdgpu, ring, AMDGPU_RING_ADEV, amdgpu->adev);
	if (!ret)
		ret = amdgpu_set(amdgpu, ring, AMDGPU_RING_FUNCS, funcs);
	if (!ret && ring_hub->offset >= 0)
		ret = hooks_set(&amdgpu->hooks, ring, ring_hub, multimedia ? 8 : 0);
	else if (!ret)
		ret = hooks_set(&amdgpu->hooks, funcs, funcs_hub, multimedia ? 1 : 0);
	return ret ? 0 : ring;
}

/* The last of them is what counts. */
__u64 amdgpu_job(struct amdgpu *amdgpu, __u32 pasid, __u32 vmid, __u64 address, __u32 words)
{
	__u64 size = amdgpu->field[AMDGPU_IB].offset;
	__u64 ibs = amdgpu->field[AMDGPU_JOB_IBS].offset;
	__u64 job = hooks_buffer(&amdgpu->hooks, ibs + JOB_IBS * size);

	if (!job || amdgpu_set(amdgpu, job, AMDGPU_JOB_PASID, pasid) ||
	    amdgpu_set(amdgpu, job, AMDGPU_JOB_VMID, vmid) ||
	    amdgpu_set(amdgpu, job, AMDGPU_JOB_IB_COUNT, JOB_IBS) ||
	    amdgpu_set(amdgpu, job + ibs, AMDGPU_IB_ADDRESS, 0xbad000) ||
	    amdgpu_set(amdgpu, job + ibs, AMDGPU_IB_LENGTH, 0xbad) ||
	    amdgpu_set(amdgpu, job + ibs + size, AMDGPU_IB_ADDRESS, address) ||
	    amdgpu_set(amdgpu, job + ibs + size, AMDGPU_IB_LENGTH, words))
		return 0;
	return job;
}

int amdgpu_start(struct amdgpu *amdgpu, __u64 ring, __u64 job)
{
	return hooks_call(&amdgpu->hooks, "amdgpu:amdgpu_ib_schedule", 0, ring, JOB_IBS,
			  job + amdgpu->field[AMDGPU_JOB_IBS].offset, job, 0);
}
