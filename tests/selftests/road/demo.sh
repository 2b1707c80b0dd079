#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh [PAGE]: loads the modules, runs the demo as a user without privileges, shows
# what was collected of it, and which mistakes the layer says it made; the file PAGE gets
# the report as HTML. As root; DRMFAULT_BUILD is the build folder of userspace.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
demo=${DRMFAULT_BUILD:-$here/../../../build/userspace}/tests/demo
user=${DRMFAULT_DEMO_USER:-alice}
collect=/usr/libexec/drmfault-collect
# So long after the first fault that the dump has all three.
delay_ms=3000
tries=0

die() { echo "demo: $*" >&2; exit 1; }

sim_node() {
	for node in /sys/class/drm/renderD*; do
		case $(readlink -f "$node") in
		*/drm_fault_sim*) [ ! -e "/dev/dri/${node##*/}" ] || echo "/dev/dri/${node##*/}" ;;
		esac
	done
}

# wait_for WHAT COMMAND...: within twenty seconds.
wait_for() {
	what=$1
	shift
	until "$@"; do
		[ $tries -lt 200 ] || die "$what"
		tries=$((tries + 1))
		sleep 0.1
	done
}

has_nodes() { [ -c /dev/drm_fault ] && [ -n "$(sim_node)" ]; }
has_dump() { ls /sys/class/drm_fault/gpu*/device/drm_fault_dump.*/devcoredump >/dev/null 2>&1; }
last() { drmfault list --limit 1 --json 2>/dev/null | jq -r .id; }
is_stored() { [ -n "$(last)" ] && [ "$(last)" != "$before" ]; }

# Where systemd runs it is asked to by udev, and nobody does it here.
collect() {
	[ -d /run/systemd/system ] && return
	wait_for "the kernel made no dump" has_dump
	"$collect" --all >"$work/said" 2>&1 || die "$(cat "$work/said")"
}

# records_of FILE: the bytes of its records.
records_of() {
	drmfault decode --strict --json "$1" |
		jq -r '.sections[] | select(.type == "records") | "\(.offset) \(.length)"' |
		while read -r offset length; do
			tail -c "+$((offset + 1))" "$1" | head -c "$length"
		done
}

show_collected() {
	echo
	echo "What was collected of it (drmfault show $(last)):"
	echo
	drmfault show "$(last)" | fmt -s -w 80
	drmfault export "$(last)" --output "$work/dump" >"$work/said"
	records_of "$work/dump" >"$work/records"
	records_of "$work/binary" >"$work/vulkan"
	if [ ! -s "$work/records" ] || ! cmp "$work/records" "$work/vulkan"; then
		die "the records of the dump are not those of the vendor binary"
	fi
	echo
	echo "Its $(stat -c %s "$work/records") bytes of records are those of the vendor binary."
}

# What `drmfault run` printed, but for what is less likely and where the instructions
# were: the page has all of it.
show_verdicts() {
	echo
	echo "Which mistakes it made (drmfault run -- demo), the likeliest of each:"
	echo
	sed -e '/^    or: /d' -e '/^  instruction pointer /d' -e '/^  `drmfault report /d' \
		"$work/summary" | fmt -s -w 80
	[ -z "$page" ] || drmfault report --html --output "$page" "$work"/reports/*.drmfault
}

[ "$(id -u)" = 0 ] || die "only root can load modules"
[ -x "$demo" ] || die "no $demo: build userspace first (make userspace)"
[ -x "$collect" ] || die "no $collect: install userspace first (make install)"
id "$user" >/dev/null 2>&1 || die "no user $user here: name one in DRMFAULT_DEMO_USER"
page=${1:-}
[ ! -e "$page" ] || die "$page is there already: remove it, or name another file"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

modprobe drm_fault
modprobe drm_fault_sim
wait_for "the modules are loaded, but their device nodes do not appear" has_nodes
# The nodes exist before udev gave them their group.
udevadm settle --timeout=30
old_delay=$(cat /sys/module/drm_fault/parameters/dump_delay_ms)
echo $delay_ms >/sys/module/drm_fault/parameters/dump_delay_ms
before=$(last)
: >"$work/binary"
chmod 711 "$work"
mkdir "$work/reports"
chown "$user" "$work/binary" "$work/reports"

as_user() {
	setpriv --reuid="$user" --regid="$user" --groups="$(stat -c %g "$(sim_node)")" \
		--no-new-privs env VK_DRIVER_FILES="${demo%/*}/drmfault_icd.json" \
		DRMFAULT_LAYER_REPORT_DIR="$work/reports" "$@"
}

as_user drmfault run -- "$demo" "$work/binary" 2>"$work/summary" || {
	cat "$work/summary" >&2
	exit 1
}
collect
wait_for "the dump of it was not stored" is_stored
echo "$old_delay" >/sys/module/drm_fault/parameters/dump_delay_ms
show_collected
show_verdicts
