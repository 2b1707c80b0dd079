#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Looks at a kernel's headers and prints a -D for each interface that is there.
# Never by version number: distributions carry interfaces back.
#
# usage: probe.sh KERNEL-SOURCE-DIR
set -eu

include=$1/include

# One probe a line: name, header, extended regular expression. When the oldest
# supported kernel has the interface, the line and its use in compat*.h can go.
probes() {
	cat <<'TABLE'
CLASS_CREATE_OWNER linux/device/class.h define class_create\(owner, *name\)
TASK_EXEC_STATE linux/sched/exec_state.h enum task_dumpable
PIDFS uapi/linux/magic.h PID_FS_MAGIC
SCOPED_INIT_FS linux/fs_struct.h scoped_with_init_fs\(\)
DRM_CLIENT_ID drm/drm_file.h u64 client_id;
DRM_FILE_PID_RCU drm/drm_file.h struct pid __rcu \*pid;
DRM_DRIVER_DATE drm/drm_drv.h char \*date;
DRM_PRIME_MMAP drm/drm_drv.h \(\*gem_prime_mmap\)
DRM_SHOW_FDINFO drm/drm_file.h drm_show_fdinfo\(
PLATFORM_REMOVE_INT linux/platform_device.h int \(\*remove\)\(
TABLE
}

probes | while read -r name header pattern; do
	if grep -Eqs -- "$pattern" "$include/$header"; then
		printf '%s\n' "-DDRM_FAULT_HAVE_$name"
	fi
done
