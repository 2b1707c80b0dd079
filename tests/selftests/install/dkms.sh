#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the real DKMS made by `make dkms-install` for the running kernel and another
# one (tests/vm/build ran it): the modules are registered, signed, installed, can be
# loaded, and leave nothing when they are removed.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

MADE=/drmfault/dkms
SRC=/tmp/drm_fault
SIGNER="DKMS module signing key"
running=$(uname -r)
other=$(cd "$MADE/modules" && printf '%s\n' * | grep -vxF "$running" | head -n 1)
version=$(sed -n 's/^VERSION *:= *//p' "$DRMFAULT_SRC/Makefile")
tree=/usr/src/drm_fault-$version

# Indexing all modules of a distribution takes minutes in an emulated machine:
# what ours need is left, everything else is put aside.
few_modules() {
	local kernel=$1 dir=/lib/modules/$1 file
	mkdir -p "/tmp/few/$kernel"
	modprobe -S "$kernel" -a --show-depends drm_shmem_helper gpu-sched drm |
		awk '$1 == "insmod" { print $2 }' | sort -u | while read -r file; do
		mkdir -p "/tmp/few/$kernel/$(dirname "${file#"$dir/kernel/"}")"
		cp "$file" "/tmp/few/$kernel/${file#"$dir/kernel/"}"
	done
	mount --bind "/tmp/few/$kernel" "$dir/kernel"
	rm -rf "$dir/updates"
	cp -r "$MADE/modules/$kernel/updates" "$dir/"
	depmod "$kernel"
}

restore() {
	local kernel
	for kernel in "$running" "$other"; do
		umount "/lib/modules/$kernel/kernel"
		[ ! -d "/drmfault/modules/$kernel" ] ||
			cp -r "/drmfault/modules/$kernel/." "/lib/modules/$kernel/"
	done
	rm -rf "$SRC" "$tree" /var/lib/dkms/*
}

in_source() { make -C "$SRC" -j"$(nproc)" "$@"; }
unload() { modprobe -r drm_fault_sim drm_fault; }
status_of() { dkms status -m drm_fault -v "$version" -k "$1" | sed 's/.*: *//'; }
place_of() { modinfo -k "$1" -n "$2" | sed 's|/[^/]*$||'; }
is_known() { modinfo -k "$1" drm_fault >/dev/null 2>&1; }

check_kernel() {
	local kernel=$1 module
	point "dkms says that it is installed for $kernel" is "$(status_of "$kernel")" installed
	for module in drm_fault drm_fault_sim; do
		point "$module of $kernel is where DKMS puts modules" \
			is "$(place_of "$kernel" $module)" "/lib/modules/$kernel/updates/dkms"
		point "$module of $kernel was built for it" \
			is "$(modinfo -k "$kernel" -F vermagic $module | cut -d ' ' -f 1)" "$kernel"
	done
	point "drm_fault of $kernel has the version" \
		is "$(modinfo -k "$kernel" -F version drm_fault)" "$version"
	point "drm_fault of $kernel is signed" \
		is "$(modinfo -k "$kernel" -F signer drm_fault)" "$SIGNER"
}

# The modules that the machine came with, as if `make modules` had left them.
check_sign() {
	cp "/drmfault/modules/$running"/updates/drm_fault*.ko "$SRC/kernel/"
	point "modules are not signed by being built" \
		is "$(modinfo -F signer "$SRC/kernel/drm_fault.ko")" ""
	point "make sign works" in_source sign
	point "it signs with the key of DKMS" \
		is "$(modinfo -F signer "$SRC/kernel/drm_fault.ko")" "$SIGNER"
	rm "$SRC"/kernel/*.ko
}

check_gone() {
	local kernel
	for kernel in "$running" "$other"; do
		point "nothing is left for $kernel" not is_known "$kernel"
	done
	point "dkms knows nothing of it" is "$(dkms status -m drm_fault)" ""
	point "its sources are gone" not test -e "$tree"
}

unload
cp -r "$DRMFAULT_SRC" "$SRC"
cp -r "$MADE/src/drm_fault-$version" "$tree"
cp -rP "$MADE/state/." /var/lib/dkms/
few_modules "$running"
few_modules "$other"
trap restore EXIT

check_kernel "$running"
check_kernel "$other"
check_sign
point "the modules load by their names" modprobe drm_fault_sim
point "the device is there" test -c /dev/drm_fault
point "the loaded module has the version" is "$(cat /sys/module/drm_fault/version)" "$version"
point "the modules unload" unload
point "make dkms-remove removes them" in_source dkms-remove
check_gone
tap_end
