/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DRM_FAULT_DUMP_CORE_H_
#define _DRM_FAULT_DUMP_CORE_H_

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct platform_device;
struct drm_fault_reporter;

/**
 * struct drm_fault_dumper - makes the dumps of a GPU
 * @ask: from the report path to @work
 * @work: makes one, when the burst is over
 * @since_ns: time of the first event that asked, 0: none did
 * @skipped: incidents without a dump since the last one
 * @device: to which dumps belong, NULL: none are made
 */
struct drm_fault_dumper {
	struct irq_work ask;
	struct delayed_work work;
	atomic64_t since_ns;
	u64 skipped;
	struct platform_device *device;
};

#ifdef CONFIG_DEV_COREDUMP
void drm_fault_dumper_init(struct drm_fault_reporter *reporter);
void drm_fault_dumper_start(struct drm_fault_reporter *reporter);
void drm_fault_dumper_stop(struct drm_fault_reporter *reporter);
void drm_fault_dump_ask(struct drm_fault_reporter *reporter, u64 now_ns);
#else
static inline void drm_fault_dumper_init(struct drm_fault_reporter *reporter) {}
static inline void drm_fault_dumper_start(struct drm_fault_reporter *reporter) {}
static inline void drm_fault_dumper_stop(struct drm_fault_reporter *reporter) {}
static inline void drm_fault_dump_ask(struct drm_fault_reporter *reporter, u64 now_ns) {}
#endif

/**
 * struct drm_fault_incident - what a dump is made of, besides the records
 * @since_ns: time of its first event
 * @skipped: incidents before it of which there is no dump
 * @engines: state of the engines, NULL: not known
 * @engines_length: bytes
 */
struct drm_fault_incident {
	u64 since_ns;
	u64 skipped;
	const char *engines;
	size_t engines_length;
};

void *drm_fault_container_build(struct drm_fault_reporter *reporter,
				const struct drm_fault_incident *incident, size_t *size);

#endif /* _DRM_FAULT_DUMP_CORE_H_ */
