#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The module as a whole: report=0, and when it can go.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

cd "$(dirname "$0")" || exit 1
client=./client
tracing=/sys/kernel/tracing

reload() { modprobe -r drm_fault_sim && load "$@"; }
load() { modprobe drm_fault_sim "$@" && udevadm settle; }
reporters() { find /sys/class/drm_fault -mindepth 1 | wc -l; }
logged() { dmesg | tail -n +$((before + 1)) | grep -Ec "$1"; }
mark() { before=$(dmesg | wc -l); }

probe() {
	mountpoint -q $tracing || mount -t tracefs tracefs $tracing
	echo 'p:sim/fault drm_fault_sim_page_fault address=+0(%si):x64 ip=+8(%si):x64' \
		>$tracing/kprobe_events
	echo 1 >$tracing/events/sim/fault/enable
}

unprobe() {
	echo 0 >$tracing/events/sim/fault/enable
	echo >$tracing/kprobe_events
}

tap_start

load && reload timeout_ms=2000
ok "loads again and again"
is "$(reporters)" 1
ok "is a reporter"

# Without hooks, which would serve it then.
modprobe -r drm_fault_sim && modprobe -r drm_fault && modprobe drm_fault hooks=0 &&
	load report=0 timeout_ms=200
ok "loads with report=0"
is "$(reporters)" 0
ok "is no reporter then"
mark
probe
is "$($client fault)" -14
ok "a fault ends the job"
is "$(logged 'page fault.*write at 0x7f0000204040, page not present, ip 0x000000100008')" 1
ok "and is a line in the log"
grep -q 'fault: (drm_fault_sim_page_fault.*address=0x7f0000204040 ip=0x100008' $tracing/trace
ok "from a function that can be probed"
unprobe
is "$($client hang)" -110
ok "a hang ends the job after timeout_ms"
is "$($client faults)" -95
ok "the query is not there"

modprobe -r drm_fault_sim && modprobe -r drm_fault && load timeout_ms=2000
coproc $client hold
# bash forgets the pipes of a coprocess that has ended
exec {from}<&"${COPROC[0]}" {to}>&"${COPROC[1]}"
read -r _ <&"$from"
! modprobe -r drm_fault_sim 2>/dev/null
ok "stays while a fence is held"
echo >&"$to"
read -r status <&"$from"
wait
exec {from}<&- {to}>&-
is "$status" -125
ok "the fence of a closed file is cancelled"
modprobe -r drm_fault_sim
ok "goes without it"
load
tap_end
