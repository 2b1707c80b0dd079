#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The drmfault command on real records: what devices, show and watch print, to
# whom, and how they end.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/selftests/lib/wait.sh
. "$(dirname "$0")/../lib/wait.sh"

client=$(dirname "$0")/../sim/client
debugfs=/sys/kernel/debug
out=$(mktemp)
err=$(mktemp)

# shellcheck disable=SC2317 # tap.sh calls it
tap_details() {
	sed 's/^/out: /' "$out" | tail -n 20
	sed 's/^/err: /' "$err" | tail -n 20
}

# tool STATUS ARGUMENT...: the command ends so.
tool() {
	local expected=$1 status
	shift
	drmfault "$@" >"$out" 2>"$err"
	status=$?
	[ $status = "$expected" ] || { echo "# status $status, not $expected"; false; }
}

as_alice() { setpriv --reuid alice --regid alice --groups render "$@"; }
has() { grep -q -- "$1" "$out"; }
complains() { [ ! -s "$out" ] && [ "$(wc -l <"$err")" = 1 ] && grep -q -- "$1" "$err"; }
json() { jq -e "$1" "$out" >/dev/null; }
# shellcheck disable=SC2317 # wait_for does
has_stream() { find "/proc/$1/fd" -lname 'anon_inode:*drm_fault*' | grep -q .; }
inject() { echo "$*" >"$debugfs/drm_fault/$gpu/inject"; }

# watch ARGUMENT...: in the background, once it watches; its number is in $!.
watch() {
	: >"$err"
	drmfault watch --timeout 60 "$@" >"$out" 2>"$err" &
	wait_for grep -q Watching "$err"
}

# ends STATUS: the last watch does, by itself.
ends() {
	local status
	wait $!
	status=$?
	[ $status = "$1" ] || { echo "# status $status, not $1"; false; }
}

restart_gpu() {
	modprobe -r drm_fault_sim && modprobe drm_fault_sim && udevadm settle
	gpu=$(basename /sys/class/drm_fault/*)
}

mountpoint -q $debugfs || mount -t debugfs debugfs $debugfs
restart_gpu 2>/dev/null || { modprobe drm_fault_sim && restart_gpu; } || exit 4

tap_start

# the node
rules=/usr/lib/udev/rules.d/70-drm_fault.rules
udevadm verify $rules >"$out" 2>"$err"
ok "the udev rule is sound"
stat -c '%a %G' /dev/drm_fault >"$out" && has '^666 render$'
ok "it makes the device everyone's, of the group render"

# devices
tool 0 devices && has '^ *ID  NAME' && has "^ *${gpu#gpu}  $gpu  *drm_fault_sim "
ok "devices lists the GPU"
tool 0 devices --json && json "length == 1 and .[0].name == \"$gpu\" and .[0].events == 0"
ok "devices --json has it"
as_alice drmfault devices --json >"$out" 2>"$err" && json '.[0].driver == "drm_fault_sim" and .[0].events == null'
ok "another user sees the GPU, and no sums"

# show
tool 0 show && has '^No faults are recorded\.$'
ok "show: nothing yet"
inject access=2 type=1 level=1 address=0x21040 precision=8 ip=0x10010 ip_precision=8 ip_type=3 \
	class=2 engine=ring1 count=3 raw_format=1 raw_count=2 raw0=0x12 raw1=0x34
tool 0 show && has '  write access at 0x000000021040 (within 8 bytes): not present (level 1), 3 times$' &&
	has '  unknown process  on ring1 (compute 0)  ip 0x000000010010 (fault)' &&
	has '^1 record of 3 events\.$'
ok "show: a sentence about a fault"
tool 0 show --json && json '.total == 1 and .events == 3 and .lost == 0 and .moving == false and
	(.records[0] | .access == "write" and .fault == "not present" and .address == "0x21040" and
	.precision == 8 and .ip == "0x10010" and .engine == "ring1" and .count == 3 and
	.raw == ["0x12", "0x34"] and .flags == ["owner-unknown"])'
ok "show --json: its values"
tool 0 show --long && has '^    precision        8 bytes$' && has '^    raw              0x12 0x34$'
ok "show --long: its values as text"
now=$(date +%s)
tool 0 show && at=$(date -d "$(awk '/write access/ { print $1 }' "$out")" +%s) && [ $((now - at)) -lt 60 ] && [ "$at" -le $((now + 1)) ]
ok "show: the time is that of the clock on the wall"
inject access=1 type=2 address=0x50000 precision=4096
tool 0 show --json --filter access=read && json '.total == 2 and (.records | length == 1)'
ok "show: a filter"
tool 0 show -f address=0x50fff && has 'read access' && has '^1 of 2 records of 4 events\.$'
ok "show: a filter by any address of the page"
tool 0 show --device "${gpu#gpu}" && has '^2 records'
ok "show --device"
tool 1 show --device 4000 && complains 'there is no GPU 4000 here'
ok "show: no such GPU"

# privacy
as_alice drmfault show >"$out" 2>"$err"
[ $? = 1 ] && complains 'root or CAP_PERFMON.*--pid'
ok "another user may not see all, and is told what to do"
as_alice drmfault show --pid $$ >"$out" 2>"$err"
[ $? = 1 ] && complains 'further than your own processes'
ok "another user may not see root's process"
tool 1 show --pid 4194303 && complains 'no such process'
ok "show: no such process"

# watch
watch --count 2 && inject access=3 type=2 address=0x1000 precision=8 && inject access=4 type=1 address=0x2000 precision=8 &&
	ends 0 && [ "$(wc -l <"$out")" = 4 ] && has 'execute access' && has 'atomic access'
ok "watch --count: two faults as they happen, none from before"
drmfault watch --json --timeout 60 --count 1 >"$out" 2>"$err" &
wait_for has_stream $! && inject access=1 type=1 address=0x3000 precision=8 &&
	ends 0 && [ "$(wc -l <"$out")" = 1 ] && [ ! -s "$err" ] && json '.address == "0x3000"'
ok "watch --json: an object on a line"
watch && inject access=1 type=1 address=0x4000 precision=8 && wait_for has 'read access' && kill -INT $! && ends 0
ok "watch ends well when it is interrupted"
tool 0 watch --timeout 0.2 && [ ! -s "$out" ]
ok "watch --timeout"
{ drmfault watch 2>"$err"; echo "ended $?" >"$out"; } | read -r _ &
wait_for grep -q Watching "$err" && inject access=1 type=1 address=0x5000 precision=8 && wait_for has ended
ok "watch ends when nobody reads its output"

mkfifo "$out.go"
# shellcheck disable=SC2016
as_alice bash -c 'echo $$; read -r _; exec "$1" fault' - "$client" <"$out.go" >"$out.pid" &
exec 9>"$out.go"
wait_for test -s "$out.pid"
pid=$(cat "$out.pid")
as_alice drmfault watch --pid "$pid" --count 1 --timeout 60 >"$out" 2>"$err" &
wait_for grep -q Watching "$err" && echo go >&9 && ends 0 && has 'write access at 0x' && has " client\[$pid\]  on "
ok "a user watches a process of its own"

watch --device "${gpu#gpu}" && rmmod drm_fault_sim && ends 1 && grep -q 'the GPU has gone' "$err"
ok "watch says that the GPU has gone"
tool 0 devices && has '^No GPU reports faults'
ok "devices: none"
modprobe -r drm_fault && tool 1 watch && complains 'modprobe drm_fault'
ok "without the module it says what to do"
modprobe drm_fault_sim

rm -f "$out" "$out".* "$err"
tap_end
