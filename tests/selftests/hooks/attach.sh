#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Every hook that can attach on this kernel does, whichever module comes first: the
# states in sysfs are those of expected/SERIES.txt, lines "SET SYMBOL STATE". On a
# kernel without such a file the difference to the newest is shown.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

expected=$(dirname "$0")/expected
hooks=/sys/class/misc/drm_fault/hooks
drivers="amdgpu i915 nouveau xe drm_fault_sim"
states=$(mktemp)
log=$(mktemp)

# shellcheck disable=SC2317 # tap.sh calls it
tap_details() { cat "$log"; }

# The longest beginning of the release for which there is a file.
series() {
	local name=${1%%-*}
	while [ ! -f "$expected/$name.txt" ]; do
		case $name in
		*.*) name=${name%.*} ;;
		*) return 1 ;;
		esac
	done
	echo "$name"
}

there() { modinfo -n "$1" >/dev/null 2>&1; }

load() {
	local module
	for module; do
		! there "$module" || modprobe "$module" 2>&1 || return 1
	done
}

# What drm_fault_sim needs stays.
unload() {
	local module
	for module; do
		case $module in
		drm_fault_sim) set -- rmmod ;;
		*) set -- modprobe -r ;;
		esac
		[ ! -d "/sys/module/$module" ] || "$@" "$module" 2>&1 || return 1
	done
}

# Of some hundred hooks: without a process for each value.
read_states() {
	local hook set state
	[ -d "$hooks" ] || return 1
	for hook in "$hooks"/*/*/; do
		hook=${hook%/}
		set=${hook%/*}
		read -r state <"$hook/state"
		echo "${set##*/} ${hook##*/} $state"
	done | LC_ALL=C sort >"$states"
	[ -s "$states" ]
}

# same FILE: says what differs: - is expected, + is found.
same() {
	grep -v '^#' "$1" | LC_ALL=C sort | diff -U 0 - "$states" | sed 1,2d | grep '^[-+]'
	[ "${PIPESTATUS[2]}" = 0 ]
}

# compare WHAT
compare() {
	local known newest
	if ! read_states; then
		echo "no hooks in $hooks" >"$log"
		false
		ok "$1"
	elif known=$(series "$(uname -r)"); then
		same "$expected/$known.txt" >"$log"
		ok "$1: as on $known"
	else
		newest=$(find "$expected" -name '*.txt' | sort -V | tail -n 1)
		same "$newest" | sed "s/^/# ${newest##*/}: /"
		skip "$1" "untested kernel $(uname -r)"
	fi
}

# all_checked: no hook is attached whose prototype nobody compared, though the module
# tells its types: one that was built here, without the kernel's, does not.
all_checked() {
	local hook state module kind is_checked checked=0
	for hook in "$hooks"/*/*/; do
		hook=${hook%/}
		read -r state <"$hook/state"
		read -r module <"$hook/module"
		[ "$state" = attached ] || continue
		[ -e "/sys/kernel/btf/$module" ] || continue
		read -r kind <"$hook/kind"
		read -r is_checked <"$hook/checked"
		[ "$kind" = tracepoint ] || [ "$is_checked" = 1 ] ||
			echo "$hook is attached unseen"
		checked=$((checked + 1))
	done >"$log"
	[ ! -s "$log" ] && [ "$checked" -gt 0 ]
}

# none_on MODULE...: no hook is on functions of these.
none_on() {
	local hook module state
	[ -d "$hooks" ] || return 1
	for hook in "$hooks"/*/*/; do
		hook=${hook%/}
		read -r module <"$hook/module"
		read -r state <"$hook/state"
		[[ " $* " != *" $module "* || $state != attached ]] || echo "$hook is attached"
	done >"$log"
	[ ! -s "$log" ]
}

tap_start
# shellcheck disable=SC2086 # a list
{
	unload $drivers drm_fault >"$log" && load drm_fault $drivers >"$log"
	ok "the drivers come after drm_fault"
	compare "drivers after drm_fault"
	all_checked
	ok "prototypes are compared with those of the kernel"
	unload drm_fault_sim drm_fault >"$log" && load drm_fault drm_fault_sim >"$log"
	ok "drm_fault comes after the drivers"
	compare "drm_fault after drivers"
	unload $drivers >"$log"
	ok "the drivers go"
	none_on $drivers
	ok "no hook on them is left"
	load $drivers >"$log"
	ok "they come again"
	compare "drivers again"
}
rm -f "$states" "$log"
tap_end
