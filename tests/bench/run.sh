#!/bin/bash
# SPDX-License-Identifier: MIT
# All benchmarks, in the virtual machine, as root. Ends with one line a figure:
#   bench NAME VALUE GOAL ok|short
# Ratios compare two things of one run; other figures are for information.
set -euo pipefail

TRACING=/sys/kernel/tracing
RINGS=$DRMFAULT_BUILD/tests/bench_rings
VULKAN=$DRMFAULT_BUILD/tests/bench_vulkan
HOOKS=/drmfault/selftests/hooks/bench-hooks
CLIENT=/drmfault/selftests/sim/client
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT

say() { echo "bench: $*" >&2; }
value() { awk -v name="$1" '$1 == name { print $2 }' "$figures"; }

# ratio NAME A B GOAL: A divided by B, which is to be less than GOAL.
ratio() {
	awk -v name="$1" -v a="$(value "$2")" -v b="$(value "$3")" -v goal="$4" 'BEGIN {
		r = a / b
		printf "bench %s %.3f <%s %s\n", name, r, goal, r < goal ? "ok" : "short" }'
}

load() {
	modprobe -r drm_fault_bench drm_fault_sim drm_fault 2>/dev/null || :
	modprobe drm_fault "$@"
	modprobe drm_fault_bench
	reporter=$(basename /sys/class/drm_fault/gpu*)
}

report_path() {
	say "report path, ftrace event and log line in turn"
	load
	echo 1 >"$TRACING/events/drm_fault_bench/fault/enable"
	# The line goes to the log and to no console, which would make it far slower.
	dmesg -n 1
	cat /sys/kernel/debug/drm_fault_bench >>"$figures"
	dmesg -n 7
	echo 0 >"$TRACING/events/drm_fault_bench/fault/enable"
}

storm() {
	say "a million faults"
	load
	"$RINGS" storm "$reporter" >>"$figures"
}

snapshot() {
	say "snapshots of a full ring"
	load ring_records=4096
	"$RINGS" snapshot "$reporter" >>"$figures"
}

vulkan() {
	say "queries of Vulkan on a full ring"
	load ring_records=4096
	"$VULKAN" "$reporter" >>"$figures"
}

hooks() {
	say "a driver's functions with hooks and without"
	modprobe -r drm_fault_bench drm_fault_sim drm_fault 2>/dev/null || :
	"$HOOKS" >>"$figures"
}

# added NAME WHAT BASE GOAL: what hooks add to WHAT, divided by BASE.
added() {
	awk -v name="$1" -v on="$(value "$2-on")" -v off="$(value "$2-off")" \
		-v base="$(value "$3")" -v goal="$4" 'BEGIN {
		r = (on - off) / base
		printf "bench %s %.4f <%s %s\n", name, r, goal, r < goal ? "ok" : "short" }'
}

stored() {
	say "10,000 stored dumps, and a long one"
	"$(dirname "$0")/store.sh" >>"$figures"
}

newest() { drmfault list --limit 1 --json 2>/dev/null | jq -r .id; }

# From the fault until udev, systemd and the collector have its dump on the disk.
collected() {
	local before start tries=0
	say "from a fault to a stored dump"
	modprobe drm_fault_sim && udevadm settle
	before=$(newest)
	start=$(date +%s%N)
	"$CLIENT" fault >/dev/null
	until [ "$(newest)" != "$before" ]; do
		[ $((tries += 1)) -lt 600 ] || { say "the dump is not stored within a minute"; exit 1; }
		sleep 0.1
	done
	echo "fault-to-stored $(($(date +%s%N) - start))" >>"$figures"
	echo "dump-life 300000000000" >>"$figures"
}

[ -d "$TRACING/events" ] || mount -t tracefs tracefs "$TRACING"
report_path
storm
snapshot
vulkan
modprobe -r drm_fault_bench
hooks
stored
collected

sed 's/^/info /' "$figures"
ratio report-repeat/ftrace report-repeat ftrace 1
ratio report-new/ftrace report-new ftrace 1
ratio report-key/ftrace report-key ftrace 1
ratio report-repeat/printk report-repeat printk 0.05
ratio report-new/printk report-new printk 0.05
# "Little more than the copy": the copy from the kernel is a read() of a file in
# memory. A memcpy() stays in the cache and in the process; emulated processors
# do it in wide registers, and the kernel's copies byte by byte.
ratio snapshot/read snapshot-ns read-ns 2
ratio snapshot/memcpy snapshot-ns memcpy-ns 4
# Of each record Vulkan wants two lines of text, which is more work than the copy. The
# first query takes the snapshot, and only counts.
ratio vulkan-counts/snapshot vulkan-counts-ns vulkan-snapshot-ns 3
ratio vulkan-info/snapshot vulkan-info-ns vulkan-snapshot-ns 15
ratio vulkan-reports/snapshot vulkan-reports-ns vulkan-snapshot-ns 15
# What a driver pays for being listened to, beside a submission to the GPU in
# software. A fault costs much more than this anyway, an opening has no goal.
added hook-submit/submit hook-submit sim-submit 0.01
# The list of 10,000 dumps beside cat(1) of what it is made of.
ratio list-10000/cat list-10000 cat-10000 1
ratio list-10000-json/cat list-10000-json cat-10000 1
ratio decode-1000/unzstd decode-1000 unzstd-1000 5
# Decoding checks all bytes and sorts them into records, then prints; its input
# compresses so well that zstd has little to do. As JSON, twice as many bytes as there
# are in the dump are written.
ratio decode-checked/unzstd decode-checked unzstd 6
ratio decode-text/unzstd decode-text unzstd 12
ratio decode-json/unzstd decode-json unzstd 50
# How much passes of the five minutes in which the kernel keeps a dump.
ratio fault-to-stored/life fault-to-stored dump-life 0.05
if [ "$(value storm-exact)" = 1 ]; then
	echo "bench storm-exact 1 =1 ok"
else
	echo "bench storm-exact 0 =1 short"
fi
