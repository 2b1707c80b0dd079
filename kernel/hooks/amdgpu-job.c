// SPDX-License-Identifier: GPL-2.0-only
/*
 * What runs on the rings of AMD's GPUs, and what does not end in time.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <drm/gpu_scheduler.h>

#include "amdgpu.h"

#define AMDGPU_SET_BITS		6
#define AMDGPU_SET_PLACES	8

/* More in one job is not believed. */
#define AMDGPU_IBS_MAX		1024

/* Hubs are numbered from here on for multimedia, where rings know theirs and where not. */
#define AMDGPU_RING_HUB_MM	8
#define AMDGPU_FUNCS_HUB_MM	1

/**
 * struct amdgpu_ib - the indirect buffer that was started last on a ring
 * @reporter: the GPU, compared only
 * @ring: struct amdgpu_ring, compared only
 * @pasid: for whom
 * @vmid: in which hardware slot
 * @multimedia: by which hub
 * @started_ns: when
 * @address: where it is
 * @size: in bytes
 */
struct amdgpu_ib {
	const struct drm_fault_reporter *reporter;
	const void *ring;
	u32 pasid;
	u32 vmid;
	bool multimedia;
	u64 started_ns;
	u64 address;
	u64 size;
};

/**
 * struct amdgpu_place - a place for one of them
 * @seq: odd while it changes; taken with cmpxchg(), as nobody can wait here
 * @ib: what it holds
 */
struct amdgpu_place {
	unsigned int seq;
	struct amdgpu_ib ib;
};

/* By address space: the rings that one uses are together. Old ones give way. */
static struct amdgpu_place amdgpu_places[1 << AMDGPU_SET_BITS][AMDGPU_SET_PLACES];

static struct amdgpu_place *amdgpu_set(const struct drm_fault_reporter *reporter, u32 pasid)
{
	return amdgpu_places[hash_64((unsigned long)reporter + pasid, AMDGPU_SET_BITS)];
}

static bool amdgpu_place_read(const struct amdgpu_place *place, struct amdgpu_ib *ib)
{
	/* What is read next is of one write if the number is the same after it. */
	unsigned int seq = smp_load_acquire(&place->seq);

	if (seq & 1)
		return false;
	*ib = place->ib;
	/* See above. */
	smp_rmb();
	return READ_ONCE(place->seq) == seq;
}

/* Who comes at the same time gives in: what stays is as recent. */
static void amdgpu_place_write(struct amdgpu_place *place, const struct amdgpu_ib *ib)
{
	unsigned int seq = READ_ONCE(place->seq);

	if (seq & 1 || cmpxchg(&place->seq, seq, seq + 1) != seq)
		return;
	place->ib = *ib;
	/* Pairs with amdgpu_place_read(). */
	smp_store_release(&place->seq, seq + 2);
}

static void amdgpu_ib_note(const struct amdgpu_ib *ib)
{
	struct amdgpu_place *set = amdgpu_set(ib->reporter, ib->pasid), *place, *into = set;

	for (place = set; place < set + AMDGPU_SET_PLACES; place++) {
		if (READ_ONCE(place->ib.ring) == ib->ring &&
		    READ_ONCE(place->ib.pasid) == ib->pasid &&
		    READ_ONCE(place->ib.reporter) == ib->reporter) {
			into = place;
			break;
		}
		if (READ_ONCE(place->ib.started_ns) < READ_ONCE(into->ib.started_ns))
			into = place;
	}
	amdgpu_place_write(into, ib);
}

/**
 * drm_fault_amdgpu_ib_forget - an address space is a new one
 * @reporter: the GPU
 * @pasid: its number, which another one may have had
 *
 * Context: Any but NMI.
 */
void drm_fault_amdgpu_ib_forget(const struct drm_fault_reporter *reporter, u32 pasid)
{
	struct amdgpu_place *set = amdgpu_set(reporter, pasid), *place;
	static const struct amdgpu_ib none;
	struct amdgpu_ib ib;

	for (place = set; place < set + AMDGPU_SET_PLACES; place++)
		if (amdgpu_place_read(place, &ib) && ib.reporter == reporter &&
		    ib.pasid == pasid)
			amdgpu_place_write(place, &none);
}

static void amdgpu_ip(struct drm_fault_event *event, u64 address, u64 size)
{
	if (!size)
		return;
	event->ip = address;
	event->ip_type = DRM_FAULT_IP_UNKNOWN;
	event->ip_precision = roundup_pow_of_two(size);
}

/**
 * drm_fault_amdgpu_ib_last - what ran last in an address space that faulted
 * @reporter: the GPU
 * @fault: the fault
 * @event: gets an instruction pointer if something did
 *
 * Which of several rings at the same hub it was is not told: the one that was
 * started last is taken.
 *
 * Context: In a handler.
 */
void drm_fault_amdgpu_ib_last(const struct drm_fault_reporter *reporter,
			      const struct drm_fault_amdgpu_fault *fault,
			      struct drm_fault_event *event)
{
	const struct amdgpu_place *set = amdgpu_set(reporter, fault->pasid), *place;
	bool multimedia = drm_fault_amdgpu_multimedia(fault);
	struct amdgpu_ib ib, last = {};

	if (!fault->pasid || !fault->decoded)
		return;
	for (place = set; place < set + AMDGPU_SET_PLACES; place++)
		if (amdgpu_place_read(place, &ib) && ib.reporter == reporter &&
		    ib.pasid == fault->pasid && ib.vmid == fault->vmid &&
		    ib.multimedia == multimedia && ib.started_ns >= last.started_ns)
			last = ib;
	amdgpu_ip(event, last.address, last.size);
}

static bool amdgpu_ring_hub(const void *ring, bool *multimedia)
{
	const void *funcs;
	u32 hub;

	if (drm_fault_amdgpu_peek(&hub, ring, DRM_FAULT_AMDGPU_RING_HUB)) {
		*multimedia = hub >= AMDGPU_RING_HUB_MM;
		return true;
	}
	if (!drm_fault_amdgpu_peek(&funcs, ring, DRM_FAULT_AMDGPU_RING_FUNCS) ||
	    !drm_fault_amdgpu_peek(&hub, funcs, DRM_FAULT_AMDGPU_RING_FUNCS_HUB))
		return false;
	*multimedia = hub >= AMDGPU_FUNCS_HUB_MM;
	return true;
}

/* The last of a job's buffers: those before it prepare. */
static bool amdgpu_ibs_last(const void *ibs, u32 count, u64 *address, u64 *size)
{
	int stride = READ_ONCE(drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_IB].offset);
	u32 length;

	if (stride <= 0 || !count || count > AMDGPU_IBS_MAX)
		return false;
	ibs += (size_t)stride * (count - 1);
	if (!drm_fault_amdgpu_peek(address, ibs, DRM_FAULT_AMDGPU_IB_ADDRESS) ||
	    !drm_fault_amdgpu_peek(&length, ibs, DRM_FAULT_AMDGPU_IB_LENGTH))
		return false;
	*size = (u64)length * sizeof(u32);
	return true;
}

/**
 * drm_fault_amdgpu_ib_schedule - buffers are put on a ring
 * @hit: ring, count, buffers, job
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_amdgpu_ib_schedule(struct drm_fault_hook_hit *hit)
{
	const void *job = (void *)drm_fault_hook_arg(hit, 3);
	struct amdgpu_ib ib = { .ring = (void *)drm_fault_hook_arg(hit, 0) };
	const void *adev;

	/* Those of the kernel itself have no address space. */
	if (!drm_fault_amdgpu_peek(&ib.pasid, job, DRM_FAULT_AMDGPU_JOB_PASID) || !ib.pasid ||
	    !drm_fault_amdgpu_peek(&ib.vmid, job, DRM_FAULT_AMDGPU_JOB_VMID) ||
	    !drm_fault_amdgpu_peek(&adev, ib.ring, DRM_FAULT_AMDGPU_RING_ADEV) ||
	    !amdgpu_ring_hub(ib.ring, &ib.multimedia) ||
	    !amdgpu_ibs_last((void *)drm_fault_hook_arg(hit, 2), drm_fault_hook_arg(hit, 1),
			     &ib.address, &ib.size))
		return true;
	ib.reporter = drm_fault_amdgpu_reporter(adev);
	if (!ib.reporter)
		return true;
	ib.started_ns = ktime_get_mono_fast_ns();
	amdgpu_ib_note(&ib);
	return true;
}

static const struct {
	const char *prefix;
	u32 engine_class;
} amdgpu_rings[] = {
	{ "gfx", DRM_FAULT_ENGINE_RENDER },
	{ "comp", DRM_FAULT_ENGINE_COMPUTE },
	{ "sdma", DRM_FAULT_ENGINE_COPY },
	{ "uvd_enc", DRM_FAULT_ENGINE_VIDEO_ENCODE },
	{ "uvd", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "vce", DRM_FAULT_ENGINE_VIDEO_ENCODE },
	{ "vcn_dec", DRM_FAULT_ENGINE_VIDEO_DECODE },
	/* fdinfo counts rings that do both as encoders. */
	{ "vcn", DRM_FAULT_ENGINE_VIDEO_ENCODE },
	{ "jpeg", DRM_FAULT_ENGINE_VIDEO_DECODE },
	{ "vpe", DRM_FAULT_ENGINE_VIDEO_ENHANCE },
};

static u32 amdgpu_ring_class(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(amdgpu_rings); i++)
		if (!strncmp(name, amdgpu_rings[i].prefix, strlen(amdgpu_rings[i].prefix)))
			return amdgpu_rings[i].engine_class;
	return DRM_FAULT_ENGINE_OTHER;
}

/* @base: where the driver's job is inside its own */
static void amdgpu_job_fence(const struct drm_sched_job *base, struct drm_fault_event *event)
{
	const struct drm_sched_fence *fence;

	if (!drm_fault_peek(&fence, &base->s_fence, sizeof(fence)))
		return;
	drm_fault_peek(&event->job_context, &fence->finished.context,
		       sizeof(event->job_context));
	drm_fault_peek(&event->job_seqno, &fence->finished.seqno, sizeof(event->job_seqno));
}

static void amdgpu_job_owner(const void *job, struct drm_fault_event *event)
{
	u64 address, size;
	u32 pasid, count;
	int ibs;

	if (drm_fault_amdgpu_peek(&pasid, job, DRM_FAULT_AMDGPU_JOB_PASID))
		event->key = pasid;
	drm_fault_amdgpu_peek(&event->vmid, job, DRM_FAULT_AMDGPU_JOB_VMID);

	ibs = READ_ONCE(drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_JOB_IBS].offset);
	if (ibs > 0 && drm_fault_amdgpu_peek(&count, job, DRM_FAULT_AMDGPU_JOB_IB_COUNT) &&
	    amdgpu_ibs_last(job + ibs, count, &address, &size))
		amdgpu_ip(event, address, size);
}

/**
 * drm_fault_amdgpu_timedout - a job did not end in time
 * @hit: struct drm_sched_job
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_amdgpu_timedout(struct drm_fault_hook_hit *hit)
{
	const struct drm_sched_job *base = (void *)drm_fault_hook_arg(hit, 0);
	int start = READ_ONCE(drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_JOB_BASE].offset);
	struct drm_gpu_scheduler *sched;
	struct drm_fault_reporter *reporter;
	struct drm_fault_event event = {};
	char name[DRM_FAULT_ENGINE_LEN];
	const char *ring;
	struct device *dev;

	if (!drm_fault_peek(&sched, &base->sched, sizeof(sched)) ||
	    !drm_fault_peek(&dev, &sched->dev, sizeof(dev)))
		return true;
	reporter = drm_fault_reporter_of_device(dev);
	if (!reporter)
		return true;
	if (drm_fault_peek(&ring, &sched->name, sizeof(ring)) &&
	    drm_fault_peek(name, ring, sizeof(name))) {
		name[sizeof(name) - 1] = '\0';
		event.engine = name;
		event.engine_class = amdgpu_ring_class(name);
	}
	amdgpu_job_fence(base, &event);
	if (start >= 0)
		amdgpu_job_owner((void *)base - start, &event);
	drm_fault_note_timeout(reporter, &event);
	return true;
}

/**
 * drm_fault_amdgpu_recover - the GPU is reset
 * @hit: struct amdgpu_device, and struct amdgpu_job if that is why
 *
 * Context: In a handler.
 * Return: true
 */
bool drm_fault_amdgpu_recover(struct drm_fault_hook_hit *hit)
{
	const void *job = (void *)drm_fault_hook_arg(hit, 1);
	int start = READ_ONCE(drm_fault_amdgpu_fields[DRM_FAULT_AMDGPU_JOB_BASE].offset);
	struct drm_fault_reporter *reporter =
		drm_fault_amdgpu_reporter((void *)drm_fault_hook_arg(hit, 0));
	struct drm_fault_event event = {};

	if (!reporter)
		return true;
	if (job && start >= 0) {
		event.flags = DRM_FAULT_RECORD_F_GUILTY;
		amdgpu_job_fence(job + start, &event);
		amdgpu_job_owner(job, &event);
	}
	drm_fault_note_reset(reporter, &event);
	return true;
}
