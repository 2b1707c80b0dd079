// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The binary interface, in numbers that may never change. Built for 64 and for
 * 32 bits from the same table: both must agree. That a structure has no padding
 * of the compiler's is found out when this is compiled.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded"
#include <drm/drm_fault.h>
#pragma GCC diagnostic pop

#include <stddef.h>

#include "kselftest_harness.h"

struct place {
	char name[64];
	size_t is, wanted;
};

#define PLACE(type, member, wanted)						\
	{ "offset of " #type "." #member, offsetof(struct type, member), wanted }
#define SIZE(type, wanted)	{ "size of " #type, sizeof(struct type), wanted }

/* Without padding the next offset tells the size of a member. */
static const struct place places[] = {
	SIZE(drm_fault_record, 256),
	PLACE(drm_fault_record, type, 0),
	PLACE(drm_fault_record, length, 4),
	PLACE(drm_fault_record, flags, 8),
	PLACE(drm_fault_record, reporter_id, 12),
	PLACE(drm_fault_record, seqno, 16),
	PLACE(drm_fault_record, lost, 24),
	PLACE(drm_fault_record, count, 32),
	PLACE(drm_fault_record, record_id, 40),
	PLACE(drm_fault_record, group_id, 48),
	PLACE(drm_fault_record, timestamp_ns, 56),
	PLACE(drm_fault_record, last_timestamp_ns, 64),
	PLACE(drm_fault_record, gpu_timestamp, 72),
	PLACE(drm_fault_record, address, 80),
	PLACE(drm_fault_record, address_precision, 88),
	PLACE(drm_fault_record, ip, 96),
	PLACE(drm_fault_record, ip_precision, 104),
	PLACE(drm_fault_record, access, 112),
	PLACE(drm_fault_record, fault_type, 116),
	PLACE(drm_fault_record, ip_type, 120),
	PLACE(drm_fault_record, level, 124),
	PLACE(drm_fault_record, engine_class, 128),
	PLACE(drm_fault_record, engine_instance, 132),
	PLACE(drm_fault_record, engine, 136),
	PLACE(drm_fault_record, context_id, 152),
	PLACE(drm_fault_record, client_id, 160),
	PLACE(drm_fault_record, pid, 168),
	PLACE(drm_fault_record, pasid, 172),
	PLACE(drm_fault_record, comm, 176),
	PLACE(drm_fault_record, vmid, 192),
	PLACE(drm_fault_record, raw_format, 196),
	PLACE(drm_fault_record, raw_count, 200),
	PLACE(drm_fault_record, address_bits, 204),
	PLACE(drm_fault_record, raw, 208),
	PLACE(drm_fault_record, job_context, 240),
	PLACE(drm_fault_record, job_seqno, 248),
	SIZE(drm_fault_info, 72),
	PLACE(drm_fault_info, size, 0),
	PLACE(drm_fault_info, flags, 4),
	PLACE(drm_fault_info, features, 8),
	PLACE(drm_fault_info, record_size, 16),
	PLACE(drm_fault_info, device_count, 20),
	PLACE(drm_fault_info, ring_records, 24),
	PLACE(drm_fault_info, max_queue_records, 28),
	PLACE(drm_fault_info, max_streams, 32),
	PLACE(drm_fault_info, group_gap_ms, 36),
	PLACE(drm_fault_info, version, 40),
	SIZE(drm_fault_device, 144),
	PLACE(drm_fault_device, size, 0),
	PLACE(drm_fault_device, flags, 4),
	PLACE(drm_fault_device, id, 8),
	PLACE(drm_fault_device, fd, 12),
	PLACE(drm_fault_device, name, 16),
	PLACE(drm_fault_device, driver, 48),
	PLACE(drm_fault_device, bus, 80),
	PLACE(drm_fault_device, primary_minor, 112),
	PLACE(drm_fault_device, render_minor, 116),
	PLACE(drm_fault_device, address_bits, 120),
	PLACE(drm_fault_device, pad, 124),
	PLACE(drm_fault_device, events, 128),
	PLACE(drm_fault_device, records, 136),
	SIZE(drm_fault_subscribe, 32),
	PLACE(drm_fault_subscribe, size, 0),
	PLACE(drm_fault_subscribe, flags, 4),
	PLACE(drm_fault_subscribe, scope, 8),
	PLACE(drm_fault_subscribe, fd, 12),
	PLACE(drm_fault_subscribe, device_id, 16),
	PLACE(drm_fault_subscribe, queue_records, 20),
	PLACE(drm_fault_subscribe, stream_fd, 24),
	PLACE(drm_fault_subscribe, pad, 28),
	SIZE(drm_fault_snapshot, 64),
	PLACE(drm_fault_snapshot, size, 0),
	PLACE(drm_fault_snapshot, flags, 4),
	PLACE(drm_fault_snapshot, record_size, 8),
	PLACE(drm_fault_snapshot, record_count, 12),
	PLACE(drm_fault_snapshot, records_ptr, 16),
	PLACE(drm_fault_snapshot, total, 24),
	PLACE(drm_fault_snapshot, events, 32),
	PLACE(drm_fault_snapshot, lost, 40),
	PLACE(drm_fault_snapshot, generation, 48),
	PLACE(drm_fault_snapshot, result, 56),
	PLACE(drm_fault_snapshot, pad, 60),
};

static const struct {
	char name[48];
	unsigned int is, wanted;
} values[] = {
#define VALUE(name, wanted)	{ #name, name, wanted }
	VALUE(DRM_FAULT_RECORD_FAULT, 1),
	VALUE(DRM_FAULT_RECORD_TIMEOUT, 2),
	VALUE(DRM_FAULT_RECORD_RESET, 3),
	VALUE(DRM_FAULT_RECORD_LOST, 4),
	VALUE(DRM_FAULT_ACCESS_UNKNOWN, 0),
	VALUE(DRM_FAULT_ACCESS_READ, 1),
	VALUE(DRM_FAULT_ACCESS_WRITE, 2),
	VALUE(DRM_FAULT_ACCESS_EXECUTE, 3),
	VALUE(DRM_FAULT_ACCESS_ATOMIC, 4),
	VALUE(DRM_FAULT_TYPE_NOT_PRESENT, 1),
	VALUE(DRM_FAULT_TYPE_PERMISSION, 2),
	VALUE(DRM_FAULT_TYPE_INVALID_FORMAT, 3),
	VALUE(DRM_FAULT_TYPE_OTHER, 4),
	VALUE(DRM_FAULT_IP_UNKNOWN, 1),
	VALUE(DRM_FAULT_IP_INVALID, 2),
	VALUE(DRM_FAULT_IP_FAULT, 3),
	VALUE(DRM_FAULT_ENGINE_RENDER, 1),
	VALUE(DRM_FAULT_ENGINE_COMPUTE, 2),
	VALUE(DRM_FAULT_ENGINE_COPY, 3),
	VALUE(DRM_FAULT_ENGINE_VIDEO_DECODE, 4),
	VALUE(DRM_FAULT_ENGINE_VIDEO_ENCODE, 5),
	VALUE(DRM_FAULT_ENGINE_VIDEO_ENHANCE, 6),
	VALUE(DRM_FAULT_ENGINE_OTHER, 7),
	VALUE(DRM_FAULT_RAW_SIM, 1),
	VALUE(DRM_FAULT_SCOPE_FILE, 1),
	VALUE(DRM_FAULT_SCOPE_SELF, 2),
	VALUE(DRM_FAULT_SCOPE_PIDFD, 3),
	VALUE(DRM_FAULT_SCOPE_DEVICE, 4),
	VALUE(DRM_FAULT_SCOPE_ALL, 5),
	VALUE(DRM_FAULT_RECORD_F_LOST, 0x1),
	VALUE(DRM_FAULT_RECORD_F_REPEAT, 0x2),
	VALUE(DRM_FAULT_RECORD_F_FATAL, 0x4),
	VALUE(DRM_FAULT_RECORD_F_GUILTY, 0x8),
	VALUE(DRM_FAULT_RECORD_F_OWNER_UNKNOWN, 0x10),
	VALUE(DRM_FAULT_FEATURE_PRIVILEGED, 0x1),
	VALUE(DRM_FAULT_DEVICE_NEXT, 0x1),
	VALUE(DRM_FAULT_DEVICE_BY_FD, 0x2),
	VALUE(DRM_FAULT_SUBSCRIBE_NONBLOCK, 0x1),
	VALUE(DRM_FAULT_SNAPSHOT_MOVING, 0x1),
};

TEST(structures_are_laid_out_the_same_for_ever)
{
	const struct place *p;

	for (p = places; p < places + ARRAY_SIZE(places); p++)
		EXPECT_EQ(p->wanted, p->is)
			TH_LOG("%s", p->name);
}

TEST(structures_are_multiples_of_eight_bytes)
{
	EXPECT_EQ(0, sizeof(struct drm_fault_record) % 8);
	EXPECT_EQ(0, sizeof(struct drm_fault_info) % 8);
	EXPECT_EQ(0, sizeof(struct drm_fault_device) % 8);
	EXPECT_EQ(0, sizeof(struct drm_fault_subscribe) % 8);
	EXPECT_EQ(0, sizeof(struct drm_fault_snapshot) % 8);
}

TEST(values_are_the_same_for_ever)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		EXPECT_EQ(values[i].wanted, values[i].is)
			TH_LOG("%s", values[i].name);
}

TEST(numbers_of_calls_are_the_same_for_ever)
{
	EXPECT_EQ(0xfa00, DRM_FAULT_IOCTL_GET_INFO);
	EXPECT_EQ(0xfa01, DRM_FAULT_IOCTL_GET_DEVICE);
	EXPECT_EQ(0xfa02, DRM_FAULT_IOCTL_SUBSCRIBE);
	EXPECT_EQ(0xfa03, DRM_FAULT_IOCTL_SNAPSHOT);
}

TEST_HARNESS_MAIN
