// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks for AMD's GPUs: the fault handlers of all generations, who owns an address
 * space, what was started last, and what did not end. An address space is known by
 * its pasid.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <drm/drm_file.h>

#include "amdgpu.h"
#include "sets.h"

#define AMDGPU_FIELD(index, structure, member, bytes)			\
	[DRM_FAULT_AMDGPU_##index] = { .type = structure, .path = member, .size = bytes }

struct drm_fault_field drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_FIELDS] = {
	AMDGPU_FIELD(DEVICE_DEV, "amdgpu_device", "dev", sizeof(void *)),
	AMDGPU_FIELD(ENTRY_CLIENT, "amdgpu_iv_entry", "client_id", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_SRC, "amdgpu_iv_entry", "src_id", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_RING, "amdgpu_iv_entry", "ring_id", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_VMID, "amdgpu_iv_entry", "vmid", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_VMID_SRC, "amdgpu_iv_entry", "vmid_src", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_TIMESTAMP, "amdgpu_iv_entry", "timestamp", sizeof(u64)),
	AMDGPU_FIELD(ENTRY_PASID, "amdgpu_iv_entry", "pasid", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_NODE, "amdgpu_iv_entry", "node_id", sizeof(u32)),
	AMDGPU_FIELD(ENTRY_DATA, "amdgpu_iv_entry", "src_data", 4 * sizeof(u32)),
	AMDGPU_FIELD(FPRIV_VM, "amdgpu_fpriv", "vm", 0),
	AMDGPU_FIELD(VM_PASID, "amdgpu_vm", "pasid", sizeof(u32)),
	AMDGPU_FIELD(JOB_BASE, "amdgpu_job", "base", 0),
	AMDGPU_FIELD(JOB_VMID, "amdgpu_job", "vmid", sizeof(u32)),
	AMDGPU_FIELD(JOB_PASID, "amdgpu_job", "pasid", sizeof(u32)),
	AMDGPU_FIELD(JOB_IB_COUNT, "amdgpu_job", "num_ibs", sizeof(u32)),
	AMDGPU_FIELD(JOB_IBS, "amdgpu_job", "ibs", 0),
	AMDGPU_FIELD(RING_ADEV, "amdgpu_ring", "adev", sizeof(void *)),
	/* One or the other tells the hub. */
	AMDGPU_FIELD(RING_HUB, "amdgpu_ring", "vm_hub", sizeof(u32)),
	AMDGPU_FIELD(RING_FUNCS, "amdgpu_ring", "funcs", sizeof(void *)),
	AMDGPU_FIELD(RING_FUNCS_HUB, "amdgpu_ring_funcs", "vmhub", sizeof(u32)),
	AMDGPU_FIELD(IB, "amdgpu_ib", NULL, 0),
	AMDGPU_FIELD(IB_ADDRESS, "amdgpu_ib", "gpu_addr", sizeof(u64)),
	AMDGPU_FIELD(IB_LENGTH, "amdgpu_ib", "length_dw", sizeof(u32)),
};

static struct drm_fault_hook amdgpu_hooks[];

/**
 * drm_fault_amdgpu_reporter - find the reporter of a GPU
 * @adev: struct amdgpu_device
 *
 * Context: In a handler.
 * Return: the reporter or NULL
 */
struct drm_fault_reporter *drm_fault_amdgpu_reporter(const void *adev)
{
	struct device *dev;

	return drm_fault_amdgpu_peek(&dev, adev, DRM_FAULT_AMDGPU_DEVICE_DEV) ?
	       drm_fault_reporter_of_device(dev) : NULL;
}

static void amdgpu_report(const struct drm_fault_hook *hook,
			  const struct drm_fault_amdgpu_fault *fault)
{
	struct drm_fault_reporter *reporter = drm_fault_amdgpu_reporter(fault->adev);
	struct drm_fault_event event;

	drm_fault_amdgpu_event(fault, &event);
	if (reporter)
		drm_fault_amdgpu_ib_last(reporter, fault, &event);
	drm_fault_hook_report(hook, reporter, &event);
}

/* The hooks on the handlers are the first, in the order of the generations. */
static bool amdgpu_interrupt_enter(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_amdgpu_fault *fault = hit->data;

	fault->adev = (void *)drm_fault_hook_arg(hit, 0);
	fault->generation = hit->hook - amdgpu_hooks;
	drm_fault_amdgpu_decode(fault, (void *)drm_fault_hook_arg(hit, 2));
	return true;
}

static void amdgpu_interrupt_leave(struct drm_fault_hook_hit *hit)
{
	const struct drm_fault_amdgpu_fault *fault = hit->data;

	if (!fault->decoded)
		drm_fault_hook_drop(hit->hook);
	else if (drm_fault_amdgpu_counts(fault, (int)hit->result))
		amdgpu_report(hit->hook, fault);
}

static struct drm_fault_amdgpu_fault *amdgpu_enclosing(void)
{
	struct drm_fault_amdgpu_fault *fault = NULL;
	unsigned int i;

	for (i = 0; i < DRM_FAULT_AMDGPU_GENERATIONS && !fault; i++)
		fault = drm_fault_hook_enclosing(&amdgpu_hooks[i]);
	return fault;
}

static bool amdgpu_cache(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_amdgpu_fault *fault = amdgpu_enclosing();
	struct drm_fault_amdgpu_fault alone = {
		.adev = (void *)drm_fault_hook_arg(hit, 0),
		.generation = DRM_FAULT_AMDGPU_GENERATIONS,
		.pasid = drm_fault_hook_arg(hit, 1),
	};
	bool enclosed = fault;

	if (!enclosed)
		fault = &alone;
	if (!fault->has_address) {
		fault->address = drm_fault_hook_arg(hit, 2);
		fault->has_address = true;
	}
	fault->status = drm_fault_hook_arg(hit, 3);
	fault->has_status = true;
	fault->hub = drm_fault_hook_arg(hit, 4);
	fault->has_hub = true;
	if (!enclosed)
		amdgpu_report(hit->hook, fault);
	return true;
}

static bool amdgpu_print(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_amdgpu_fault *fault = amdgpu_enclosing();

	if (fault) {
		fault->status = drm_fault_hook_arg(hit, 1);
		fault->has_status = true;
	}
	return true;
}

/* Handlers that call nothing which tells these values print them. */
static bool amdgpu_message(struct drm_fault_hook_hit *hit)
{
	struct drm_fault_amdgpu_fault *fault = amdgpu_enclosing();
	u32 value = drm_fault_hook_arg(hit, 2);
	char format[64];

	if (!fault || !drm_fault_peek(format, (void *)drm_fault_hook_arg(hit, 1), sizeof(format)))
		return true;
	format[sizeof(format) - 1] = '\0';
	if (strstr(format, "VM_L2_PROTECTION_FAULT_STATUS:0x%08X") ||
	    strstr(format, "VM_CONTEXT1_PROTECTION_FAULT_STATUS 0x%08X")) {
		fault->status = value;
		fault->has_status = true;
	} else if (strstr(format, "VM_CONTEXT1_PROTECTION_FAULT_ADDR   0x%08X")) {
		fault->address = (u64)value << 12;
		fault->has_address = true;
	}
	return true;
}

/* The address space of an opener, NULL if that is not known. */
static const void *amdgpu_file_vm(const struct drm_file *file)
{
	int start = READ_ONCE(drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_FPRIV_VM].offset);
	const void *fpriv;

	if (start < 0 || !drm_fault_peek(&fpriv, &file->driver_priv, sizeof(fpriv)))
		return NULL;
	return fpriv + start;
}

/* A new address space with a key says that we were not told of the last one's end. */
static void amdgpu_take_key(struct drm_fault_reporter *reporter,
			    const struct drm_fault_context *taker, u64 key)
{
	struct drm_fault_context *context = drm_fault_context_of_key(reporter, key);

	if (context != taker)
		drm_fault_context_destroy(context);
}

static void amdgpu_opened(struct drm_fault_reporter *reporter, struct drm_fault_client *client,
			  const struct drm_file *file)
{
	struct drm_fault_context_args args = { .client = client, .atomic = true };
	const void *vm = amdgpu_file_vm(file);
	struct drm_fault_context *context;

	amdgpu_take_key(reporter, NULL, (unsigned long)vm);
	if (!drm_fault_amdgpu_peek(&args.pasid, vm, DRM_FAULT_AMDGPU_VM_PASID) || !args.pasid)
		return;
	args.key = args.pasid;
	drm_fault_amdgpu_ib_forget(reporter, args.pasid);
	amdgpu_take_key(reporter, NULL, args.key);
	context = drm_fault_context_create(reporter, &args);
	if (!IS_ERR(context))
		drm_fault_context_add_key(context, (unsigned long)vm);
}

/* Who submits is who uses the file, whoever opened it. */
static bool amdgpu_submit(struct drm_fault_hook_hit *hit)
{
	const struct drm_device *drm = (void *)drm_fault_hook_arg(hit, 0);
	const struct drm_file *file = (void *)drm_fault_hook_arg(hit, 2);
	struct drm_fault_reporter *reporter = drm_fault_reporter_of_drm(drm);
	struct drm_fault_context *context;

	if (!reporter)
		return true;
	context = drm_fault_context_of_key(reporter, (unsigned long)amdgpu_file_vm(file));
	if (context)
		drm_fault_context_claim(context);
	return true;
}

/* Compute gives an address space another number; its old one goes to others. */
static bool amdgpu_set_pasid(struct drm_fault_hook_hit *hit)
{
	const void *adev = (void *)drm_fault_hook_arg(hit, 0);
	const void *vm = (void *)drm_fault_hook_arg(hit, 1);
	u32 pasid = drm_fault_hook_arg(hit, 2), old;
	struct drm_fault_reporter *reporter = drm_fault_amdgpu_reporter(adev);
	struct drm_fault_context *context;

	if (!reporter || !drm_fault_amdgpu_peek(&old, vm, DRM_FAULT_AMDGPU_VM_PASID) ||
	    old == pasid)
		return true;
	context = drm_fault_context_of_key(reporter, (unsigned long)vm);
	if (!context)
		return true;
	drm_fault_amdgpu_ib_forget(reporter, pasid);
	amdgpu_take_key(reporter, context, pasid);
	drm_fault_context_rekey(context, old, pasid, pasid);
	return true;
}

#define AMDGPU_HANDLER "int (struct amdgpu_device *, struct amdgpu_irq_src *, struct amdgpu_iv_entry *)"

#define AMDGPU_INTERRUPT(index, function)				\
	[DRM_FAULT_AMDGPU_##index] = {					\
		.symbol = function,					\
		.kind = DRM_FAULT_HOOK_RETURN,				\
		.provides = DRM_FAULT_PROVIDES_FAULT,			\
		.prototype = AMDGPU_HANDLER,				\
		.enter = amdgpu_interrupt_enter,			\
		.leave = amdgpu_interrupt_leave,			\
		.data_size = sizeof(struct drm_fault_amdgpu_fault),	\
	}

#define AMDGPU_PRINT(hub)						\
	{								\
		.symbol = hub "_print_l2_protection_fault_status",	\
		.kind = DRM_FAULT_HOOK_ENTRY,				\
		.provides = DRM_FAULT_PROVIDES_STATUS,			\
		.prototype = "void (struct amdgpu_device *, uint32_t)",	\
		.enter = amdgpu_print,					\
	}

#define AMDGPU_SUBMIT(function)						\
	{								\
		.symbol = function,					\
		.kind = DRM_FAULT_HOOK_ENTRY,				\
		.provides = DRM_FAULT_PROVIDES_OWNER,			\
		.prototype = "int (struct drm_device *, void *, struct drm_file *)", \
		.enter = amdgpu_submit,					\
	}

static struct drm_fault_hook amdgpu_hooks[] = {
	AMDGPU_INTERRUPT(GMC6, "gmc_v6_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC7, "gmc_v7_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC8, "gmc_v8_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC9, "gmc_v9_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC10, "gmc_v10_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC11, "gmc_v11_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC12, "gmc_v12_0_process_interrupt"),
	AMDGPU_INTERRUPT(GMC12_1, "gmc_v12_1_process_interrupt"),
	{
		.symbol = "amdgpu_vm_update_fault_cache",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_FAULT | DRM_FAULT_PROVIDES_STATUS,
		.prototype =
			"void (struct amdgpu_device *, unsigned int, uint64_t, uint32_t, unsigned int)",
		.enter = amdgpu_cache,
	},
	AMDGPU_PRINT("gfxhub_v2_0"),
	AMDGPU_PRINT("gfxhub_v2_1"),
	AMDGPU_PRINT("gfxhub_v3_0"),
	AMDGPU_PRINT("gfxhub_v3_0_3"),
	AMDGPU_PRINT("mmhub_v2_0"),
	AMDGPU_PRINT("mmhub_v2_3"),
	AMDGPU_PRINT("mmhub_v3_0"),
	AMDGPU_PRINT("mmhub_v3_0_1"),
	AMDGPU_PRINT("mmhub_v3_0_2"),
	{
		.symbol = "_dev_err",
		.module = "vmlinux",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_STATUS,
		.prototype = "void (const struct device *, const char *, ...)",
		.enter = amdgpu_message,
	},
	AMDGPU_SUBMIT("amdgpu_cs_ioctl"),
	AMDGPU_SUBMIT("amdgpu_userq_ioctl"),
	{
		.symbol = "amdgpu_vm_set_pasid",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_OWNER,
		.prototype = "int (struct amdgpu_device *, struct amdgpu_vm *, u32)",
		.enter = amdgpu_set_pasid,
	}, {
		.symbol = "amdgpu_ib_schedule",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_IP,
		.prototype =
			"int (struct amdgpu_ring *, unsigned int, struct amdgpu_ib *, struct amdgpu_job *, struct dma_fence **)",
		.enter = drm_fault_amdgpu_ib_schedule,
	}, {
		.symbol = "amdgpu_job_timedout",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype = "enum drm_gpu_sched_stat (struct drm_sched_job *)",
		.enter = drm_fault_amdgpu_timedout,
	}, {
		.symbol = "amdgpu_device_gpu_recover",
		.kind = DRM_FAULT_HOOK_ENTRY,
		.provides = DRM_FAULT_PROVIDES_HANG,
		.prototype =
			"int (struct amdgpu_device *, struct amdgpu_job *, struct amdgpu_reset_context *)",
		.enter = drm_fault_amdgpu_recover,
	},
};

struct drm_fault_hooks drm_fault_amdgpu_hooks = {
	.name = "amdgpu",
	.driver = "amdgpu",
	.module = "amdgpu",
	.address_bits = 48,
	.hooks = amdgpu_hooks,
	.hook_count = ARRAY_SIZE(amdgpu_hooks),
	.fields = drm_fault_amdgpu_fields,
	.field_count = ARRAY_SIZE(drm_fault_amdgpu_fields),
	.opened = amdgpu_opened,
};
