// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults of xe. The GuC's words for one and for the answer are an interface of
 * its firmware, the same for every kernel.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "xe.h"

#define XE_FAULT_WORDS		4
#define XE_FAULT0_LEVEL		GENMASK(2, 0)
#define XE_FAULT0_TRTT		BIT(18)
#define XE_FAULT0_INSTANCE	GENMASK(24, 19)
#define XE_FAULT0_CLASS		GENMASK(27, 25)
#define XE_FAULT0_DATA		GENMASK(31, 28)
#define XE_FAULT1_DATA		GENMASK(11, 0)
#define XE_FAULT1_ASID		GENMASK(31, 12)
#define XE_FAULT2_ACCESS	GENMASK(1, 0)
#define XE_FAULT2_TYPE		GENMASK(3, 2)
#define XE_FAULT2_ADDRESS	GENMASK(31, 12)

#define XE_ANSWER		0x6003
#define XE_ANSWER_WORDS		3
/* The driver calls this bit success; set it says that there was none. */
#define XE_ANSWER0_FAILED	BIT(1)
#define XE_ANSWER0_ASID		GENMASK(31, 12)
#define XE_ANSWER1_INSTANCE	GENMASK(12, 7)
#define XE_ANSWER1_CLASS	GENMASK(15, 13)
#define XE_ANSWER1_DATA		GENMASK(31, 16)

#define XE_REQUEST_BITS		9
#define XE_REQUEST_PROBES	16

/**
 * struct xe_request - a fault that the driver has not answered yet
 * @guc: struct xe_guc that told, compared only, NULL: the place is free
 * @key: what the answer repeats of @words
 * @stamp: when it came, in requests
 * @words: the fault
 */
struct xe_request {
	const void *guc;
	u64 key;
	u32 stamp;
	u32 words[XE_FAULT_WORDS];
};

/* Protects the following, in interrupts too; a leaf. */
static DEFINE_RAW_SPINLOCK(xe_requests_lock);
static struct xe_request xe_requests[1 << XE_REQUEST_BITS];
static u32 xe_request_stamp;

static u64 xe_request_key(const u32 *words)
{
	u32 who = XE_FAULT0_INSTANCE | XE_FAULT0_CLASS | XE_FAULT0_DATA;

	return (u64)(words[0] & who) << 32 | words[1];
}

static u64 xe_answer_key(const u32 *answer)
{
	u32 data = FIELD_GET(XE_ANSWER1_DATA, answer[2]);
	u32 words[2] = {
		FIELD_PREP(XE_FAULT0_INSTANCE, FIELD_GET(XE_ANSWER1_INSTANCE, answer[2])) |
		FIELD_PREP(XE_FAULT0_CLASS, FIELD_GET(XE_ANSWER1_CLASS, answer[2])) |
		FIELD_PREP(XE_FAULT0_DATA, data & 0xf),
		FIELD_PREP(XE_FAULT1_ASID, FIELD_GET(XE_ANSWER0_ASID, answer[1])) |
		FIELD_PREP(XE_FAULT1_DATA, data >> 4),
	};

	return xe_request_key(words);
}

static struct xe_request *xe_request_at(const void *guc, u64 key, unsigned int step)
{
	u64 start = hash_64(key ^ (uintptr_t)guc, XE_REQUEST_BITS);

	return &xe_requests[(start + step) & (ARRAY_SIZE(xe_requests) - 1)];
}

static struct xe_request *xe_request_find(const void *guc, u64 key)
{
	struct xe_request *request;
	unsigned int step;

	lockdep_assert_held(&xe_requests_lock);
	for (step = 0; step < XE_REQUEST_PROBES; step++) {
		request = xe_request_at(guc, key, step);
		if (request->guc == guc && request->key == key)
			return request;
	}
	return NULL;
}

/* A place that is free, else the one that waits longest, since its answer was missed. */
static struct xe_request *xe_request_place(const void *guc, u64 key)
{
	struct xe_request *place = xe_request_at(guc, key, 0), *request;
	unsigned int step;

	lockdep_assert_held(&xe_requests_lock);
	for (step = 0; step < XE_REQUEST_PROBES; step++) {
		request = xe_request_at(guc, key, step);
		if (!request->guc)
			return request;
		if ((s32)(request->stamp - place->stamp) < 0)
			place = request;
	}
	return place;
}

static void xe_request_add(const void *guc, const u32 *words)
{
	u64 key = xe_request_key(words);
	struct xe_request *request;
	unsigned long flags;

	raw_spin_lock_irqsave(&xe_requests_lock, flags);
	request = xe_request_find(guc, key) ?: xe_request_place(guc, key);
	request->guc = guc;
	request->key = key;
	request->stamp = xe_request_stamp++;
	memcpy(request->words, words, sizeof(request->words));
	raw_spin_unlock_irqrestore(&xe_requests_lock, flags);
}

static bool xe_request_take(const void *guc, u64 key, u32 *words)
{
	struct xe_request *request;
	unsigned long flags;

	raw_spin_lock_irqsave(&xe_requests_lock, flags);
	request = xe_request_find(guc, key);
	if (request) {
		memcpy(words, request->words, sizeof(request->words));
		request->guc = NULL;
	}
	raw_spin_unlock_irqrestore(&xe_requests_lock, flags);
	return request;
}

/* What faults and answers both tell. */
static void xe_fault_event(struct drm_fault_event *event, char *name, u64 key)
{
	u32 asid = FIELD_GET(XE_FAULT1_ASID, (u32)key);
	u32 who = key >> 32;

	*event = (struct drm_fault_event){
		.key = drm_fault_xe_asid_key(asid),
		.fault_type = DRM_FAULT_TYPE_OTHER,
		.raw_format = DRM_FAULT_RAW_XE,
	};
	drm_fault_xe_engine(event, name, FIELD_GET(XE_FAULT0_CLASS, who),
			    FIELD_GET(XE_FAULT0_INSTANCE, who));
}

static void xe_fault_place(struct drm_fault_event *event, const u32 *words)
{
	static const u32 accesses[] = {
		DRM_FAULT_ACCESS_READ, DRM_FAULT_ACCESS_WRITE,
		DRM_FAULT_ACCESS_ATOMIC, DRM_FAULT_ACCESS_UNKNOWN,
	};
	static const u32 types[] = {
		DRM_FAULT_TYPE_NOT_PRESENT, DRM_FAULT_TYPE_PERMISSION,
		DRM_FAULT_TYPE_PERMISSION, DRM_FAULT_TYPE_OTHER,
	};
	unsigned int i;

	event->access = accesses[FIELD_GET(XE_FAULT2_ACCESS, words[2])];
	event->address = (u64)words[3] << 32 | (words[2] & XE_FAULT2_ADDRESS);
	event->address_precision = SZ_4K;
	/* A fault in the table of sparse resources has neither type nor level. */
	if (!(words[0] & XE_FAULT0_TRTT)) {
		event->fault_type = types[FIELD_GET(XE_FAULT2_TYPE, words[2])];
		event->level = FIELD_GET(XE_FAULT0_LEVEL, words[0]) + 1;
	}
	event->raw_count = XE_FAULT_WORDS;
	for (i = 0; i < XE_FAULT_WORDS; i++)
		event->raw[i] = words[i];
}

static void xe_fault_report(const struct drm_fault_hook *hook, const void *device,
			    struct drm_fault_event *event, u64 key)
{
	drm_fault_xe_batch_of_engine(event, device, FIELD_GET(XE_FAULT1_ASID, (u32)key),
				     FIELD_GET(XE_FAULT0_CLASS, (u32)(key >> 32)));
	drm_fault_hook_report(hook, drm_fault_xe_reporter(device), event);
}

/* The GuC tells of a fault, which the driver may resolve. */
bool drm_fault_xe_fault(struct drm_fault_hook_hit *hit)
{
	const void *guc = (void *)drm_fault_hook_arg(hit, 0);
	const void *message = (void *)drm_fault_hook_arg(hit, 1);
	u32 words[XE_FAULT_WORDS];

	if ((u32)drm_fault_hook_arg(hit, 2) != XE_FAULT_WORDS)
		return true;
	if (guc && drm_fault_peek(words, message, sizeof(words)))
		xe_request_add(guc, words);
	else
		drm_fault_hook_drop(hit->hook);
	return true;
}

/* Everything that the driver sends to the GuC, and among that its answers. */
bool drm_fault_xe_fault_answer(struct drm_fault_hook_hit *hit)
{
	const void *ct = (void *)drm_fault_hook_arg(hit, 0);
	u32 answer[XE_ANSWER_WORDS], words[XE_FAULT_WORDS];
	struct drm_fault_event event;
	char name[DRM_FAULT_ENGINE_LEN];
	const void *guc;
	bool requested;
	u64 key;

	if ((u32)drm_fault_hook_arg(hit, 2) != XE_ANSWER_WORDS ||
	    !drm_fault_peek(answer, (void *)drm_fault_hook_arg(hit, 1), sizeof(answer)) ||
	    answer[0] != XE_ANSWER)
		return true;
	guc = xe_container(ct, XE_GUC_CT);
	key = xe_answer_key(answer);
	requested = guc && xe_request_take(guc, key, words);
	/* Where there is a function for it, that has told more. */
	if (!(answer[1] & XE_ANSWER0_FAILED) ||
	    drm_fault_hook_enclosing(&drm_fault_xe_list[XE_HOOK_FAULT_ACK]))
		return true;

	xe_fault_event(&event, name, key);
	if (requested) {
		xe_fault_place(&event, words);
	} else {
		event.raw_count = 1;
		event.raw[0] = (u64)answer[2] << 32 | answer[1];
	}
	xe_fault_report(hit->hook, drm_fault_xe_device_of_guc(guc), &event, key);
	return true;
}

/* True, so that the answer that is sent inside is not told again. */
bool drm_fault_xe_fault_ack_enter(struct drm_fault_hook_hit *hit)
{
	const void *pagefault = (void *)drm_fault_hook_arg(hit, 0);
	u32 words[XE_FAULT_WORDS];
	struct drm_fault_event event;
	char name[DRM_FAULT_ENGINE_LEN];

	if (!(int)drm_fault_hook_arg(hit, 1) ||
	    !xe_peek(words, pagefault, XE_PAGEFAULT_MESSAGE))
		return false;
	xe_fault_event(&event, name, xe_request_key(words));
	xe_fault_place(&event, words);
	xe_fault_report(hit->hook,
			drm_fault_xe_device_of_gt(xe_pointer(pagefault, XE_PAGEFAULT_GT)),
			&event, xe_request_key(words));
	return true;
}

void drm_fault_xe_fault_ack_leave(struct drm_fault_hook_hit *hit)
{
}

/*
 * The driver has found whose fault it is that it will answer next, by the ASID: so
 * that is what has to be known of it, and no more need be kept for the answer.
 */
bool drm_fault_xe_vm_faulted(struct drm_fault_hook_hit *hit)
{
	const void *vm = (void *)drm_fault_hook_arg(hit, 0);
	u32 words[XE_FAULT_WORDS];

	if (xe_peek(words, (void *)drm_fault_hook_arg(hit, 1), XE_PAGEFAULT_MESSAGE))
		drm_fault_xe_vm_know(vm, FIELD_GET(XE_FAULT1_ASID, words[1]));
	return true;
}
