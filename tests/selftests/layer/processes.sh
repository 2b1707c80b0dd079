#!/bin/bash
# SPDX-License-Identifier: MIT
# What is in a crash report: the kernel's records of this device and no other, each fault
# once with what the driver says of it, while other devices and users have faults too.
# shellcheck disable=SC2016,SC2317 # jq has variables of its own; tap.sh calls them
# shellcheck source=tests/selftests/layer/lib/layer.sh
. "$(dirname "$0")/lib/layer.sh"
# shellcheck source=tests/selftests/lib/wait.sh
. "$(dirname "$0")/../lib/wait.sh"

application=$programs/layer_of_mistakes

# All of one fault in the report: a record, a verdict, the driver's words if it has any.
is_whole() {
	jq -c '{records, verdicts, host}' report.json >out
	json '(.records | length == 1) and (.records[0] | .type == "fault" and .count == 1 and
		.pid == $pid and .address == $address and .access == $access) and
		([.verdicts[] | select(.subject == "address")] | length == 1)' \
		--argjson pid "$1" --arg address "$2" --arg access "$3"
}
names() { json '[.bindings[].name] | index($name) != null' --arg name "$1"; }
driver_says() {
	json '[.host[] | select(startswith("driver_address="))] == $lines' --argjson lines "$1"
}

# start USER MISTAKE: waits until it has its device, then for go.
start() {
	local user=$1
	folder "reports-$user" "$user"
	mkfifo "in-$user" && : >"out-$user"
	of_user "$user" env MISTAKES_WAIT=1 "$application" "$2" <"in-$user" >"out-$user" 2>"err-$user" &
}
pid_in() { sed -n 's/^pid //p' "$1"; }

of() {
	folder=$PWD/reports-$1
	cp "out-$1" out
	cp "err-$1" err
	[ "$(tail -n 1 out)" = lost ] && read_report
}

tap_start

# Both have devices, on the same GPU, at the same addresses.
start alice use-after-free
exec 3>in-alice
start bob out-of-bounds
exec 4>in-bob
point "alice has a device" wait_for grep -q ready out-alice
point "bob has a device" wait_for grep -q ready out-bob
echo go >&3
point "alice's device is lost" wait_for grep -q lost out-alice
echo go >&4
point "bob's device is lost" wait_for grep -q lost out-bob
wait
point "alice's report can be read" of alice
point "it has alice's fault, once" is_whole "$(pid_in out-alice)" 0x800000202018 read
point "and what the driver says of it" driver_says '[
	"driver_address=VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT 0xffff800000202018 0x8",
	"driver_address=VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT 0x12000 0x8"]'
point "bob's report can be read" of bob
point "it has bob's fault, once" is_whole "$(pid_in out-bob)" 0x800000203040 write
point "bob's is not alice's to read" [ "$(stat -c '%a %U' "$PWD"/reports-bob/*)" = "600 bob" ]

# Two devices of one process, the first of which is lost before the other one.
folder reports
of_user alice "$application" second-device >out-both 2>err
pid=$(pid_in out-both)
find "$folder" -type f -printf '%T@ %p\n' | sort -n | cut -d ' ' -f 2 >both
point "each device has a report" [ "$(wc -l <both)" = 2 ]
report_of() { drmfault report --json "$(sed -n "$1p" both)" >report.json 2>err; }
point "the report of the first" report_of 1
point "has its fault, once" is_whole "$pid" 0x800000202018 read
point "and its objects" names "of the first"
point "the report of the second" report_of 2
point "has its fault, once" is_whole "$pid" 0x800000203040 write
point "and its objects" names particles
point "and not those of the first" eval '! names "of the first"'
end
