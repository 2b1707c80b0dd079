// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the fault registers to drm_fault, or to the log.
 *
 * This is the whole of what a driver does to have its faults kept and read:
 * register, tell of clients and address spaces, report from the interrupt.
 */
#include <linux/dev_printk.h>
#include <linux/err.h>
#include <linux/kernel.h>

#include <drm/drm_print.h>

#include "sim.h"

static const char * const sim_access_names[] = {
	[DRM_FAULT_ACCESS_READ] = "read",
	[DRM_FAULT_ACCESS_WRITE] = "write",
	[DRM_FAULT_ACCESS_EXECUTE] = "execute",
	[DRM_FAULT_ACCESS_ATOMIC] = "atomic",
};

static const struct {
	u32 fault_type;
	const char *text;
} sim_causes[] = {
	[DRM_FAULT_SIM_CAUSE_NOT_PRESENT] = {
		DRM_FAULT_TYPE_NOT_PRESENT, "page not present",
	},
	[DRM_FAULT_SIM_CAUSE_PERMISSION] = {
		DRM_FAULT_TYPE_PERMISSION, "no permission",
	},
	[DRM_FAULT_SIM_CAUSE_INSTRUCTION] = {
		DRM_FAULT_TYPE_INVALID_FORMAT, "invalid instruction",
	},
	[DRM_FAULT_SIM_CAUSE_ALIGNMENT] = {
		DRM_FAULT_TYPE_OTHER, "misaligned",
	},
};

static const u32 sim_engine_classes[DRM_FAULT_SIM_RINGS] = {
	DRM_FAULT_ENGINE_COMPUTE,
	DRM_FAULT_ENGINE_COPY,
};

static void sim_print_engines(void *data, struct drm_printer *p)
{
	struct drm_fault_sim_device *sim = data;
	unsigned int i;

	for (i = 0; i < DRM_FAULT_SIM_RINGS; i++)
		drm_fault_sim_ring_print(&sim->rings[i], p);
	drm_printf(p, "resets: %lld\n", (long long)atomic64_read(&sim->resets));
}

/**
 * drm_fault_sim_report_init - become a reporter of faults
 * @sim:	the device
 *
 * Before the DRM device is registered, that is before anyone can open it.
 *
 * Context: Process context, may sleep.
 * Return: 0 or a negative errno.
 */
int drm_fault_sim_report_init(struct drm_fault_sim_device *sim)
{
	const struct drm_fault_reporter_args args = {
		.dev = sim->drm.dev,
		.drm = &sim->drm,
		.driver = DRM_FAULT_SIM_NAME,
		.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
		.print_engines = sim_print_engines,
		.data = sim,
	};
	struct drm_fault_reporter *reporter;

	if (!drm_fault_sim_reporting())
		return 0;

	reporter = drm_fault_reporter_register(&args);
	if (IS_ERR(reporter))
		return PTR_ERR(reporter);

	sim->reporter = reporter;
	return 0;
}

/**
 * drm_fault_sim_report_fini - stop being one
 * @sim:	the device; its rings are stopped, all files closed for reporting
 *
 * Context: Process context, may sleep.
 */
void drm_fault_sim_report_fini(struct drm_fault_sim_device *sim)
{
	if (!sim->reporter)
		return;

	drm_fault_reporter_unregister(sim->reporter);
	sim->reporter = NULL;
}

/**
 * drm_fault_sim_report_open - tell of a file and its address space
 * @file:	the file
 * @drm_file:	as DRM knows it
 *
 * Context: Process context of the opener, may sleep.
 * Return: 0 or a negative errno.
 */
int drm_fault_sim_report_open(struct drm_fault_sim_file *file, struct drm_file *drm_file)
{
	struct drm_fault_reporter *reporter = file->sim->reporter;
	struct drm_fault_context_args args = { };

	lockdep_assert_held(&file->sim->files_lock);

	if (!reporter)
		return 0;

	args.client = drm_fault_client_create(reporter, drm_file);
	if (IS_ERR(args.client))
		return PTR_ERR(args.client);

	file->context = drm_fault_context_create(reporter, &args);
	if (IS_ERR(file->context)) {
		int ret = PTR_ERR(file->context);

		file->context = NULL;
		drm_fault_client_destroy(args.client);
		return ret;
	}
	file->client = args.client;
	return 0;
}

/**
 * drm_fault_sim_report_close - the file or the device goes
 * @file:	the file; none of its jobs is on a ring
 *
 * Context: Process context, may sleep. Does nothing the second time.
 */
void drm_fault_sim_report_close(struct drm_fault_sim_file *file)
{
	lockdep_assert_held(&file->sim->files_lock);

	if (!file->client)
		return;

	drm_fault_context_destroy(file->context);
	drm_fault_client_destroy(file->client);
	file->context = NULL;
	file->client = NULL;
}

static struct drm_fault_event sim_event(const struct drm_fault_sim_ring *ring)
{
	const struct drm_fault_sim_fault *fault = &ring->fault;

	return (struct drm_fault_event) {
		.context = fault->file->context,
		.ip = fault->ip,
		.ip_precision = sizeof(fault->word),
		.ip_type = DRM_FAULT_IP_UNKNOWN,
		.engine_class = sim_engine_classes[ring->index],
		.engine = ring->name,
		.vmid = fault->vm,
		.raw_format = DRM_FAULT_RAW_SIM,
		.raw_count = 2,
		.raw = { fault->status, fault->word },
		.job_context = fault->job_context,
		.job_seqno = fault->job_seqno,
	};
}

static void sim_report_fault(struct drm_fault_sim_ring *ring)
{
	const struct drm_fault_sim_fault *fault = &ring->fault;
	struct drm_fault_event event = sim_event(ring);
	u32 cause = DRM_FAULT_SIM_STATUS_CAUSE(fault->status);

	event.access = DRM_FAULT_SIM_STATUS_ACCESS(fault->status);
	event.fault_type = sim_causes[cause].fault_type;
	event.level = DRM_FAULT_SIM_STATUS_LEVEL(fault->status);
	event.address = fault->address;
	event.address_precision = DRM_FAULT_SIM_STATUS_SIZE(fault->status);
	event.ip_type = DRM_FAULT_IP_FAULT;
	if (event.access == DRM_FAULT_ACCESS_EXECUTE &&
	    cause != DRM_FAULT_SIM_CAUSE_INSTRUCTION)
		event.ip_type = DRM_FAULT_IP_INVALID;
	if (!DRM_FAULT_SIM_STATUS_NONFATAL(fault->status))
		event.flags = DRM_FAULT_RECORD_F_FATAL;

	drm_fault_report(ring->sim->reporter, &event);
}

/**
 * drm_fault_sim_page_fault - print a fault to the log
 * @sim:	the device
 * @fault:	the fault registers
 *
 * All that becomes of a fault with report=0, as in drivers that do not report.
 * Its name and arguments stay as they are: it is a place to attach to.
 *
 * Context: Hard interrupt.
 */
noinline void drm_fault_sim_page_fault(struct drm_fault_sim_device *sim,
				       const struct drm_fault_sim_fault *fault)
{
	dev_err(sim->drm.dev,
		"[ring%u] page fault (vm:%u pid:%d): %s at 0x%012llx, %s, ip 0x%012llx, status 0x%08llx\n",
		DRM_FAULT_SIM_STATUS_RING(fault->status), fault->vm, fault->pid,
		sim_access_names[DRM_FAULT_SIM_STATUS_ACCESS(fault->status)], fault->address,
		sim_causes[DRM_FAULT_SIM_STATUS_CAUSE(fault->status)].text, fault->ip,
		fault->status);
}

/**
 * drm_fault_sim_irq - a ring has raised its interrupt
 * @irq:	the line
 *
 * Context: Hard interrupt.
 */
void drm_fault_sim_irq(struct irq_work *irq)
{
	struct drm_fault_sim_ring *ring = container_of(irq, struct drm_fault_sim_ring, irq);

	if (ring->sim->reporter)
		sim_report_fault(ring);
	else
		drm_fault_sim_page_fault(ring->sim, &ring->fault);
}

/**
 * drm_fault_sim_hang - a job ran too long, and its ring was reset
 * @ring:	the ring, its registers tell where the job was
 *
 * Context: The ring's worker.
 */
void drm_fault_sim_hang(struct drm_fault_sim_ring *ring)
{
	const struct drm_fault_sim_fault *fault = &ring->fault;
	struct drm_fault_event event = sim_event(ring);

	if (!ring->sim->reporter) {
		dev_err(ring->sim->drm.dev,
			"[%s] timeout (vm:%u pid:%d): job %llu at ip 0x%012llx, ring reset\n",
			ring->name, fault->vm, fault->pid, fault->job_seqno, fault->ip);
		return;
	}

	event.flags = DRM_FAULT_RECORD_F_GUILTY;
	drm_fault_note_timeout(ring->sim->reporter, &event);
	event.flags |= DRM_FAULT_RECORD_F_FATAL;
	drm_fault_note_reset(ring->sim->reporter, &event);
}
