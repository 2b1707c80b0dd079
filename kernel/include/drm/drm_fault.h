/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What GPU drivers and hooks call to hand faults to drm_fault.
 */
#ifndef _DRM_FAULT_H_
#define _DRM_FAULT_H_

#include <linux/types.h>
#include <uapi/drm/drm_fault.h>

struct device;
struct drm_device;
struct drm_file;
struct module;

/**
 * DOC: Overview
 *
 * A driver registers one &struct drm_fault_reporter per GPU, one &struct
 * drm_fault_client per &struct drm_file and one &struct drm_fault_context per
 * GPU address space of that client. Its fault handler then fills a &struct
 * drm_fault_event and calls drm_fault_report(), from any context up to hard
 * IRQ. drm_fault keeps the records, finds out who may read them, and serves
 * the streams. A driver that also wants the query on its own DRM node adds one
 * line with drm_fault_snapshot_ioctl() to its &struct drm_ioctl_desc table.
 *
 * DOC: Lifetime
 *
 * Contexts belong to a client (or, with none, to the reporter), clients to a
 * reporter. They are destroyed in the reverse order; drm_fault keeps what
 * readers still need. Pointers passed to drm_fault_report() and to the notes
 * must be alive during the call, which a driver has anyway as long as it
 * stops its interrupts or takes its own lock first. A driver that cannot
 * promise that reports by &drm_fault_event.key, which is looked up safely.
 *
 * DOC: Locking
 *
 * Nothing here takes a lock of the driver or calls back into it. The report
 * path takes only raw spinlocks of its own, with interrupts off, which no
 * reader ever holds. Everything that has to wake, allocate or sleep happens
 * later in another context.
 */

struct drm_fault_reporter;
struct drm_fault_client;
struct drm_fault_context;

/**
 * struct drm_fault_reporter_args - what drm_fault_reporter_register() needs
 */
struct drm_fault_reporter_args {
	/** @dev: the GPU, parent of our device in /sys/class/drm_fault. Mandatory. */
	struct device *dev;
	/**
	 * @drm: the DRM device, by which a file descriptor is recognised. Can be
	 * NULL, then neither FILE streams nor lookups by file reach this reporter.
	 */
	struct drm_device *drm;
	/** @driver: name of the driver, copied. Mandatory. */
	const char *driver;
	/** @address_bits: width of GPU virtual addresses, 0 if not known. */
	u8 address_bits;
};

struct drm_fault_reporter *
drm_fault_reporter_register(const struct drm_fault_reporter_args *args);
void drm_fault_reporter_unregister(struct drm_fault_reporter *reporter);

struct drm_fault_client *
drm_fault_client_create(struct drm_fault_reporter *reporter, struct drm_file *file);
void drm_fault_client_destroy(struct drm_fault_client *client);

/**
 * struct drm_fault_context_args - what drm_fault_context_create() needs
 */
struct drm_fault_context_args {
	/**
	 * @client: the client whose address space this is. Can be NULL, then the
	 * current process is the owner and no FILE stream sees the context.
	 */
	struct drm_fault_client *client;
	/**
	 * @key: any number by which the fault handler knows the address space
	 * (pasid, asid, ttbr0, a pointer), unique in the reporter; 0: none, then
	 * events must carry &drm_fault_event.context. Never shown to anyone.
	 */
	u64 key;
	/** @pasid: shown in records, 0 if there is none. */
	u32 pasid;
};

struct drm_fault_context *
drm_fault_context_create(struct drm_fault_reporter *reporter,
			 const struct drm_fault_context_args *args);
void drm_fault_context_destroy(struct drm_fault_context *context);
u64 drm_fault_context_id(const struct drm_fault_context *context);

/**
 * struct drm_fault_event - one event on its way in
 *
 * What the hardware does not tell stays 0. Fields named as in &struct
 * drm_fault_record mean the same.
 */
struct drm_fault_event {
	/** @context: where it happened, NULL: look @key up. */
	struct drm_fault_context *context;
	/**
	 * @key: &drm_fault_context_args.key. With neither this nor @context, or
	 * with an unknown key, the event goes to the reporter's catch-all context,
	 * which only the privileged see.
	 */
	u64 key;
	/** @flags: DRM_FAULT_RECORD_F_FATAL or DRM_FAULT_RECORD_F_GUILTY. */
	u32 flags;
	/** @access: enum drm_fault_access */
	u32 access;
	/** @fault_type: enum drm_fault_type, for faults mandatory */
	u32 fault_type;
	/** @level: page-table level from 1 */
	u32 level;
	/** @address: GPU virtual address, without sign extension */
	u64 address;
	/** @address_precision: power of two, 0: there is no address */
	u64 address_precision;
	/** @ip: instruction pointer */
	u64 ip;
	/** @ip_precision: power of two, 0 with @ip_type 0 */
	u64 ip_precision;
	/** @ip_type: enum drm_fault_ip_type */
	u32 ip_type;
	/** @engine_class: enum drm_fault_engine_class */
	u32 engine_class;
	/** @engine_instance: number in the class */
	u32 engine_instance;
	/** @vmid: hardware slot */
	u32 vmid;
	/** @engine: name, can be NULL; must stay valid during the call only */
	const char *engine;
	/** @gpu_timestamp: the GPU's clock */
	u64 gpu_timestamp;
	/** @raw_format: enum drm_fault_raw_format */
	u32 raw_format;
	/** @raw_count: words used in @raw */
	u32 raw_count;
	/** @raw: status words */
	u64 raw[DRM_FAULT_RAW_WORDS];
	/** @job_context: fence context of the job */
	u64 job_context;
	/** @job_seqno: fence number of the job */
	u64 job_seqno;
};

void drm_fault_report(struct drm_fault_reporter *reporter,
		      const struct drm_fault_event *event);
void drm_fault_note_timeout(struct drm_fault_reporter *reporter,
			    const struct drm_fault_event *event);
void drm_fault_note_reset(struct drm_fault_reporter *reporter,
			  const struct drm_fault_event *event);

int drm_fault_snapshot_ioctl(struct drm_device *drm, void *data,
			     struct drm_file *file);

#endif /* _DRM_FAULT_H_ */
