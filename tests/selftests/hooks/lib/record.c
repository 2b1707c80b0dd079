// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hooks.h"

#define U32(name)	{ #name, offsetof(struct drm_fault_record, name), 4, false }
#define U64(name)	{ #name, offsetof(struct drm_fault_record, name), 8, false }
#define TEXT(name)	{ #name, offsetof(struct drm_fault_record, name), 16, true }

/* All but those that no caller can know. */
static const struct field {
	const char *name;
	size_t offset;
	size_t size;
	bool text;
} fields[] = {
	U32(type), U32(length), U32(flags), U32(reporter_id), U64(lost), U64(count),
	U64(gpu_timestamp), U64(address), U64(address_precision), U64(ip), U64(ip_precision),
	U32(access), U32(fault_type), U32(ip_type), U32(level), U32(engine_class),
	U32(engine_instance), TEXT(engine), U64(client_id), U32(pid), U32(pasid), TEXT(comm),
	U32(vmid), U32(raw_format), U32(raw_count), U32(address_bits), U64(raw[0]),
	U64(raw[1]), U64(raw[2]), U64(raw[3]), U64(job_context), U64(job_seqno),
};

static unsigned long long value(const struct drm_fault_record *record,
				const struct field *field)
{
	__u64 number = 0;

	memcpy(&number, (const char *)record + field->offset, field->size);
	return number;
}

static void tell(const struct field *field, const struct drm_fault_record *want,
		 const struct drm_fault_record *got)
{
	if (field->text)
		fprintf(stderr, "# %s is \"%.*s\", expected \"%.*s\"\n", field->name,
			(int)field->size, (const char *)got + field->offset,
			(int)field->size, (const char *)want + field->offset);
	else
		fprintf(stderr, "# %s is %#llx, expected %#llx\n", field->name, value(got, field),
			value(want, field));
}

int hooks_differ(const struct drm_fault_record *want, const struct drm_fault_record *got)
{
	unsigned int i;
	int count = 0;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!memcmp((const char *)want + fields[i].offset,
			    (const char *)got + fields[i].offset, fields[i].size))
			continue;
		tell(&fields[i], want, got);
		count++;
	}
	return count;
}

int hooks_record(int stream, struct drm_fault_record *record)
{
	ssize_t ret = road_read(stream, record, sizeof(*record));

	return ret < 0 ? ret : ret == sizeof(*record) ? 0 : -EIO;
}

struct drm_fault_record hooks_want_unowned(const struct hooks *hooks)
{
	return (struct drm_fault_record){
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(struct drm_fault_record),
		.flags = DRM_FAULT_RECORD_F_OWNER_UNKNOWN,
		.reporter_id = hooks->reporter,
		.count = 1,
		.address_bits = hooks->address_bits,
	};
}

struct drm_fault_record hooks_want(const struct hooks *hooks)
{
	struct drm_fault_record want = hooks_want_unowned(hooks);

	want.flags = 0;
	want.client_id = hooks->client;
	want.pid = getpid();
	prctl(PR_GET_NAME, want.comm);
	return want;
}
