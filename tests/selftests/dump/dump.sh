#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# An incident on the software GPU becomes a devcoredump, and `drmfault decode` shows
# of it what `drmfault show` tells; what becomes of it when others follow, and when
# the GPU and the modules go.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/selftests/lib/wait.sh
. "$(dirname "$0")/../lib/wait.sh"

client=$(dirname "$0")/../sim/client
dumps=/sys/class/devcoredump
work=$(mktemp -d)
out=$work/out

# shellcheck disable=SC2317 # tap.sh calls it
tap_details() { tail -n 30 "$out"; }

# ours: the dumps that are drm_fault's.
ours() {
	local dump
	for dump in "$dumps"/devcd*; do
		case $(readlink "$dump/failing_device") in
		*/drm_fault_dump.*) echo "$dump" ;;
		esac
	done
}

has_dump() { [ "$(ours | wc -l)" = 1 ]; }
has_none() { [ -z "$(ours)" ]; }
# shellcheck disable=SC2317 # wait_for does
skipped() { [ "$(cat "/sys/class/drm_fault/$gpu/dumps_skipped")" = "$1" ]; }
end_dumps() { for dump in $(ours); do echo 1 >"$dump/data"; done; }
fault() { "$client" fault >/dev/null; }
# Longer than a pause within an incident, so that the next fault is another one's.
pause() { sleep 1.5; }
decode() { drmfault decode --strict "$@" >"$out" 2>&1; }
json() { jq -e "$1" "$out" >/dev/null; }

load() {
	modprobe drm_fault_sim && udevadm settle
	gpu=$(basename /sys/class/drm_fault/*)
}

unload() { modprobe -r drm_fault_sim && modprobe -r drm_fault; }

tap_start
modprobe -r drm_fault_sim 2>/dev/null
load || exit 4
end_dumps

# an incident
fault && wait_for has_dump
ok "a fault makes a dump"
data=$(ours)/data
is "$(readlink -f "$(ours)/failing_device/..")" "$(readlink -f "/sys/class/drm_fault/$gpu/device")"
ok "its device is one of its own, below the GPU"
cp "$data" "$work/first" && is "$(head -n 1 "$work/first" | sed 's/ *$//')" \
	"drm_fault dump of a drm_fault_sim GPU, read it with: drmfault decode FILE"
ok "head says what it is"
decode --json "$data" && drmfault show --json >"$work/show" &&
	is "$(jq -S .records "$out")" "$(jq -S .records "$work/show")" && json '.total == 1 and .events == 1'
ok "decode has the same record as show"
json ".meta[0].kernel == \"$(uname -r)\" and .meta[0].machine == \"$(uname -m)\" and
	.meta[0].module_version == \"$(modinfo -F version drm_fault)\" and .form == \"dump\" and .damage == []"
ok "and what made it"
json ".devices[0].name == \"$gpu\" and .devices[0].driver == \"drm_fault_sim\" and .devices[0].records == 1"
ok "the GPU"
json '.contexts | length == 1 and .[0].comm == "client" and .[0].uid == 0 and .[0].events == 1 and .[0].lost == 0'
ok "the address space and whose it is"
address=$(jq -r '.records[0].address' "$out")
json ".engines | length == 1 and (.[0] | test(\"ring0: (idle|runs a job)\") and test(\"ring1: idle, 0 wait\") and
	test(\"resets: 0\") and contains(\"fault address $address,\"))"
ok "the state of the engines, with the registers of the fault"
now=$(date +%s)
decode "$data" && grep -q 'write access at 0x' "$out" && grep -q '^1 record of 1 event\.$' "$out" &&
	at=$(date -d "$(awk '/write access/ { print $1 }' "$out")" +%s) && [ $((now - at)) -le 60 ] && [ $((at - now)) -le 1 ]
ok "as text, at the time of the clock on the wall"
decode - <"$data" && decode "$work/first"
ok "it is read from standard input and from a copy"

# others while it waits
pause
fault && wait_for skipped 1 && has_dump && cmp "$data" "$work/first" >"$out" 2>&1
ok "an incident while it is unread makes no other, and is counted"
end_dumps && wait_for has_none && pause
fault && wait_for has_dump && wait_for skipped 0
ok "after it was read the next incident makes one"
data=$(ours)/data
decode --json "$data" && json '.dumps_skipped == 1 and .total == 1'
ok "which tells of the one that there is no dump of"

# switched off
end_dumps && wait_for has_none && pause
echo N >/sys/module/drm_fault/parameters/dumps && fault && sleep 1 && has_none
ok "none is made where they are switched off"
echo Y >/sys/module/drm_fault/parameters/dumps && pause
fault && wait_for has_dump
ok "and one is where they are on again"

# what outlives what
data=$(ours)/data
cp "$data" "$work/last"
modprobe -r drm_fault_sim && [ ! -e "/sys/class/drm_fault/$gpu" ] && cmp "$data" "$work/last" >"$out" 2>&1
ok "the GPU goes, its dump can be read"
unload && cmp "$data" "$work/last" >"$out" 2>&1 && decode "$data" && grep -q 'write access at 0x' "$out"
ok "the module goes, its dump can be read"
echo 1 >"$data" && wait_for has_none
ok "and freed"
load && fault && wait_for has_dump && decode "$(ours)/data"
ok "all of it once more"
end_dumps

rm -rf "$work"
tap_end
