// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include "core.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * The report path. It runs wherever a fault handler runs, inside a probe of
 * that too: it takes the context's lock and inside it the lock of each stream,
 * allocates nothing, wakes nobody, and reads a clock that may be read anywhere.
 */

#define DRM_FAULT_EVENT_FLAGS	(DRM_FAULT_RECORD_F_FATAL | DRM_FAULT_RECORD_F_GUILTY)

static u64 drm_fault_precision(u64 precision)
{
	if (precision > 1ULL << 63)
		return 1ULL << 63;
	return precision ? 1ULL << fls64(precision - 1) : 0;
}

static void drm_fault_record_place(struct drm_fault_record *record,
				   const struct drm_fault_event *event)
{
	record->flags = event->flags & DRM_FAULT_EVENT_FLAGS;
	record->gpu_timestamp = event->gpu_timestamp;
	record->address_precision = drm_fault_precision(event->address_precision);
	record->address = record->address_precision ? event->address : 0;
	record->ip_type = event->ip_type;
	record->ip_precision = drm_fault_precision(event->ip_precision);
	record->ip = record->ip_type ? event->ip : 0;
	record->address_bits = event->address_bits;
	record->access = event->access;
	record->fault_type = event->fault_type;
	record->level = event->level;
	record->engine_class = event->engine_class;
	record->engine_instance = event->engine_instance;
	if (event->engine)
		strscpy(record->engine, event->engine, sizeof(record->engine));
	record->vmid = event->vmid;
	record->raw_format = event->raw_format;
	record->raw_count = min_t(u32, event->raw_count, DRM_FAULT_RAW_WORDS);
	memcpy(record->raw, event->raw, record->raw_count * sizeof(record->raw[0]));
	record->job_context = event->job_context;
	record->job_seqno = event->job_seqno;
}

static void drm_fault_record_owner(struct drm_fault_record *record,
				   const struct drm_fault_context *context)
{
	const struct drm_fault_owner *owner = rcu_dereference(context->owner);

	record->reporter_id = context->reporter->id;
	if (!record->address_bits)
		record->address_bits = context->reporter->address_bits;
	record->context_id = context->id;
	record->pasid = READ_ONCE(context->pasid);
	if (context->client)
		record->client_id = context->client->id;
	if (!owner) {
		record->flags |= DRM_FAULT_RECORD_F_OWNER_UNKNOWN;
		return;
	}
	record->pid = pid_nr(owner->pid);
	memcpy(record->comm, owner->comm, sizeof(record->comm));
}

static bool drm_fault_record_store(struct drm_fault_context *context,
				   struct drm_fault_record *record)
{
	struct drm_fault_ring *ring;
	const struct drm_fault_record *stored;
	static atomic64_t groups = ATOMIC64_INIT(0);
	u64 gap_ns = drm_fault_settings.group_gap_ms * (u64)NSEC_PER_MSEC;
	unsigned long flags;

	raw_spin_lock_irqsave(&context->lock, flags);
	if (!drm_fault_context_stock(context)) {
		raw_spin_unlock_irqrestore(&context->lock, flags);
		return false;
	}
	ring = context->ring;
	if (drm_fault_ring_joins(ring, record->type, record->timestamp_ns, gap_ns)) {
		record->group_id = ring->group_id;
	} else {
		record->group_id = atomic64_inc_return(&groups);
		drm_fault_dump_ask(context->reporter, record->timestamp_ns);
	}

	stored = drm_fault_ring_repeat(ring, record);
	if (stored) {
		record->record_id = stored->record_id;
	} else {
		record->record_id = atomic64_inc_return(&context->reporter->record_id);
		drm_fault_ring_insert(ring, record);
	}
	trace_record(record, stored);
	drm_fault_streams_push(context, record, stored);
	raw_spin_unlock_irqrestore(&context->lock, flags);
	return true;
}

/**
 * drm_fault_raise - record an event
 * @reporter: the GPU
 * @event: what happened
 * @type: enum drm_fault_record_type
 *
 * Context: Any but NMI, where it is only counted.
 */
void drm_fault_raise(struct drm_fault_reporter *reporter,
		     const struct drm_fault_event *event, u32 type)
{
	struct drm_fault_context *context = event->context;
	struct drm_fault_record record = {
		.type = type,
		.length = sizeof(record),
		.count = 1,
	};

	if (in_nmi()) {
		atomic64_inc(&reporter->missed);
		return;
	}

	record.timestamp_ns = ktime_get_mono_fast_ns();
	record.last_timestamp_ns = record.timestamp_ns;
	drm_fault_record_place(&record, event);

	rcu_read_lock();
	if (READ_ONCE(reporter->gone))
		goto out_unlock;
	if (!context)
		context = drm_fault_context_of_key(reporter, event->key);
	if (!context)
		context = reporter->catch_all;
	drm_fault_record_owner(&record, context);
	if (drm_fault_record_store(context, &record))
		atomic64_inc(&reporter->events);
	else
		atomic64_inc(&reporter->missed);
out_unlock:
	rcu_read_unlock();
}

/**
 * drm_fault_report - a GPU could not complete an access
 * @reporter: the GPU
 * @event: what is known of it
 *
 * Context: Any up to hard IRQ, and in probe handlers. In NMI the event is only
 * counted. Takes raw spinlocks of drm_fault alone.
 */
void drm_fault_report(struct drm_fault_reporter *reporter,
		      const struct drm_fault_event *event)
{
	drm_fault_raise(reporter, event, DRM_FAULT_RECORD_FAULT);
}
EXPORT_SYMBOL_GPL(drm_fault_report);

/**
 * drm_fault_note_timeout - a job did not end in time
 * @reporter: the GPU
 * @event: whose job it was, on which engine, and where it stands, as far as known
 *
 * The one whose job waits too long need not be the one who faulted.
 *
 * Context: As drm_fault_report().
 */
void drm_fault_note_timeout(struct drm_fault_reporter *reporter,
			    const struct drm_fault_event *event)
{
	drm_fault_raise(reporter, event, DRM_FAULT_RECORD_TIMEOUT);
}
EXPORT_SYMBOL_GPL(drm_fault_note_timeout);

/**
 * drm_fault_note_reset - an engine or the GPU was reset
 * @reporter: the GPU
 * @event: who is blamed, which engine; engine_class 0: the whole GPU
 *
 * Ends the incident of the context: a later fault is another story.
 *
 * Context: As drm_fault_report().
 */
void drm_fault_note_reset(struct drm_fault_reporter *reporter,
			  const struct drm_fault_event *event)
{
	drm_fault_raise(reporter, event, DRM_FAULT_RECORD_RESET);
}
EXPORT_SYMBOL_GPL(drm_fault_note_reset);

/**
 * drm_fault_note_wedged - the GPU does not work any more
 * @reporter: the GPU
 * @event: with DRM_FAULT_RAW_WEDGED, who is blamed
 *
 * Context: As drm_fault_report().
 */
void drm_fault_note_wedged(struct drm_fault_reporter *reporter,
			   const struct drm_fault_event *event)
{
	drm_fault_raise(reporter, event, DRM_FAULT_RECORD_WEDGED);
}
EXPORT_SYMBOL_GPL(drm_fault_note_wedged);

/**
 * drm_fault_note_dump - the driver made a dump of its own
 * @reporter: the GPU
 * @event: its engine is the dump's name
 *
 * Context: As drm_fault_report().
 */
void drm_fault_note_dump(struct drm_fault_reporter *reporter,
			 const struct drm_fault_event *event)
{
	drm_fault_raise(reporter, event, DRM_FAULT_RECORD_DUMP);
}
EXPORT_SYMBOL_GPL(drm_fault_note_dump);
