#!/bin/sh
# SPDX-License-Identifier: MIT
# Loads the modules and runs the demo as a user without privileges. As root;
# DRMFAULT_BUILD is the build folder of userspace.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
demo=${DRMFAULT_BUILD:-$here/../../../build/userspace}/tests/demo
user=${DRMFAULT_DEMO_USER:-alice}

die() { echo "demo: $*" >&2; exit 1; }

sim_node() {
	for node in /sys/class/drm/renderD*; do
		case $(readlink -f "$node") in
		*/drm_fault_sim*) [ ! -e "/dev/dri/${node##*/}" ] || echo "/dev/dri/${node##*/}" ;;
		esac
	done
}

[ "$(id -u)" = 0 ] || die "only root can load modules"
[ -x "$demo" ] || die "no $demo: build userspace first (make userspace)"
id "$user" >/dev/null 2>&1 || die "no user $user here: name one in DRMFAULT_DEMO_USER"

modprobe drm_fault
modprobe drm_fault_sim
tries=0
until [ -c /dev/drm_fault ] && [ -n "$(sim_node)" ]; do
	[ $tries -lt 100 ] || die "the modules are loaded, but their device nodes do not appear"
	tries=$((tries + 1))
	sleep 0.1
done
# The nodes exist before udev gave them their group.
udevadm settle --timeout=30

exec setpriv --reuid="$user" --regid="$user" --groups="$(stat -c %g "$(sim_node)")" \
	--no-new-privs env VK_DRIVER_FILES="${demo%/*}/drmfault_icd.json" "$demo"
