#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# One version everywhere: the line in the Makefile and what was made of it.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

version=$(sed -n 's/^VERSION *:= *//p' "$DRMFAULT_SRC/Makefile")

dkms_conf() {
	sed -e "s/@VERSION@/$version/g" "$DRMFAULT_SRC/kernel/dkms.conf.in" |
		sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p'
}

point "the Makefile has a version" grep -qx '[0-9]*\.[0-9]*\.[0-9]*' <<<"$version"
for module in drm_fault drm_fault_sim; do
	point "modinfo $module" is "$(modinfo -F version $module)" "$version"
done
modprobe drm_fault
point "the loaded module" is "$(cat /sys/module/drm_fault/version)" "$version"
for library in drmfault drmfault-vulkan; do
	point "pkg-config $library" is "$(pkg-config --modversion $library)" "$version"
done
point "drmfault --version" is "$(drmfault --version | grep -o '[0-9.]*[0-9]' | head -n 1)" "$version"
point "dkms.conf" is "$(dkms_conf)" "$version"
tap_end
