// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "internal.h"

#define LENGTH(table)		  (sizeof(table) / sizeof((table)[0]))
#define NAME_LOOKUP(table, value) ((value) < LENGTH(table) ? (table)[(value)] : NULL)

static int value_lookup(const char *const *table, size_t length, const char *name)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (table[i] && !strcmp(table[i], name))
			return (int)i;
	return -EINVAL;
}

static const char *const record_types[] = {
	[DRM_FAULT_RECORD_FAULT] = "fault",   [DRM_FAULT_RECORD_TIMEOUT] = "timeout",
	[DRM_FAULT_RECORD_RESET] = "reset",   [DRM_FAULT_RECORD_LOST] = "lost",
	[DRM_FAULT_RECORD_WEDGED] = "wedged", [DRM_FAULT_RECORD_DUMP] = "dump",
};

static const char *const accesses[] = {
	[DRM_FAULT_ACCESS_UNKNOWN] = "unknown", [DRM_FAULT_ACCESS_READ] = "read",
	[DRM_FAULT_ACCESS_WRITE] = "write",	[DRM_FAULT_ACCESS_EXECUTE] = "execute",
	[DRM_FAULT_ACCESS_ATOMIC] = "atomic",
};

static const char *const fault_types[] = {
	[DRM_FAULT_TYPE_NOT_PRESENT] = "not present",
	[DRM_FAULT_TYPE_PERMISSION] = "permission",
	[DRM_FAULT_TYPE_INVALID_FORMAT] = "invalid format",
	[DRM_FAULT_TYPE_OTHER] = "other",
};

static const char *const ip_types[] = {
	[DRM_FAULT_IP_UNKNOWN] = "unknown",
	[DRM_FAULT_IP_INVALID] = "invalid",
	[DRM_FAULT_IP_FAULT] = "fault",
};

static const char *const engine_classes[] = {
	[DRM_FAULT_ENGINE_RENDER] = "render",
	[DRM_FAULT_ENGINE_COMPUTE] = "compute",
	[DRM_FAULT_ENGINE_COPY] = "copy",
	[DRM_FAULT_ENGINE_VIDEO_DECODE] = "video-decode",
	[DRM_FAULT_ENGINE_VIDEO_ENCODE] = "video-encode",
	[DRM_FAULT_ENGINE_VIDEO_ENHANCE] = "video-enhance",
	[DRM_FAULT_ENGINE_OTHER] = "other",
};

static const char *const raw_formats[] = {
	[DRM_FAULT_RAW_SIM] = "sim",	     [DRM_FAULT_RAW_AMDGPU] = "amdgpu",
	[DRM_FAULT_RAW_XE] = "xe",	     [DRM_FAULT_RAW_I915] = "i915",
	[DRM_FAULT_RAW_NOUVEAU] = "nouveau", [DRM_FAULT_RAW_VTD] = "vtd",
	[DRM_FAULT_RAW_WEDGED] = "wedged",   [DRM_FAULT_RAW_NOUVEAU_GSP] = "nouveau-gsp",
};

static const char *const scopes[] = {
	[DRM_FAULT_SCOPE_FILE] = "file",   [DRM_FAULT_SCOPE_SELF] = "self",
	[DRM_FAULT_SCOPE_PIDFD] = "pidfd", [DRM_FAULT_SCOPE_DEVICE] = "device",
	[DRM_FAULT_SCOPE_ALL] = "all",
};

static const char *const flags[] = { "lost", "repeat", "fatal", "guilty", "owner-unknown" };

DRMFAULT_API const char *drmfault_record_type_name(uint32_t type)
{
	return NAME_LOOKUP(record_types, type);
}

DRMFAULT_API int drmfault_record_type_from_name(const char *name)
{
	return value_lookup(record_types, LENGTH(record_types), name);
}

DRMFAULT_API const char *drmfault_access_name(uint32_t access)
{
	return NAME_LOOKUP(accesses, access);
}

DRMFAULT_API int drmfault_access_from_name(const char *name)
{
	return value_lookup(accesses, LENGTH(accesses), name);
}

DRMFAULT_API const char *drmfault_type_name(uint32_t fault_type)
{
	return NAME_LOOKUP(fault_types, fault_type);
}

DRMFAULT_API int drmfault_type_from_name(const char *name)
{
	return value_lookup(fault_types, LENGTH(fault_types), name);
}

DRMFAULT_API const char *drmfault_ip_type_name(uint32_t ip_type)
{
	return NAME_LOOKUP(ip_types, ip_type);
}

DRMFAULT_API int drmfault_ip_type_from_name(const char *name)
{
	return value_lookup(ip_types, LENGTH(ip_types), name);
}

DRMFAULT_API const char *drmfault_engine_class_name(uint32_t engine_class)
{
	return NAME_LOOKUP(engine_classes, engine_class);
}

DRMFAULT_API int drmfault_engine_class_from_name(const char *name)
{
	return value_lookup(engine_classes, LENGTH(engine_classes), name);
}

DRMFAULT_API const char *drmfault_raw_format_name(uint32_t raw_format)
{
	return NAME_LOOKUP(raw_formats, raw_format);
}

DRMFAULT_API int drmfault_raw_format_from_name(const char *name)
{
	return value_lookup(raw_formats, LENGTH(raw_formats), name);
}

DRMFAULT_API const char *drmfault_scope_name(uint32_t scope)
{
	return NAME_LOOKUP(scopes, scope);
}

DRMFAULT_API int drmfault_scope_from_name(const char *name)
{
	return value_lookup(scopes, LENGTH(scopes), name);
}

DRMFAULT_API const char *drmfault_flag_name(unsigned int bit)
{
	return NAME_LOOKUP(flags, bit);
}
