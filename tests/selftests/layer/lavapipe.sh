#!/bin/bash
# SPDX-License-Identifier: MIT
# The layer as it is installed over lavapipe, Mesa's driver in software, which has neither
# extension and no binding report: what vulkaninfo shows, that healthy work is not changed,
# and that the kernel's records of the process arrive, alone and with the validation layer.
# shellcheck disable=SC2317 # point calls them
# shellcheck source=tests/selftests/layer/lib/layer.sh
. "$(dirname "$0")/lib/layer.sh"
# shellcheck source=tests/selftests/lib/wait.sh
. "$(dirname "$0")/../lib/wait.sh"

unset VK_LAYER_PATH VK_INSTANCE_LAYERS
export VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.json
layer=VK_LAYER_DRMFAULT_device_fault
validation=VK_LAYER_KHRONOS_validation
loses=VK_LAYER_DRMFAULT_TEST_loses
tab=$(printf '\t')

# with LAYERS COMMAND...: from the application down.
with() {
	local layers=$1
	shift
	as_alice env ${layers:+VK_INSTANCE_LAYERS="$layers"} "$@"
}

# info NAME LAYERS: without what changes from one run to the next, and without columns.
info() {
	with "$2" vulkaninfo >info.raw 2>err
	local status=$?
	grep -v '^\s*\(budget\|usage\)  *=' info.raw | tr -s ' ' >"$1.info"
	return "$status"
}
# The lines of the second that the first has not, and the other way round.
changes() { diff "$1.info" "$2.info" | grep '^[<>]' >out; }
only_what_the_layer_adds() {
	local count
	changes "$1" "$2"
	count=$(sed -n 's/^Device Extensions: count = //p' "$1.info")
	diff out - >err <<-END
		< Device Extensions: count = $count
		> Device Extensions: count = $((count + 2))
		> ${tab}VK_EXT_device_fault : extension revision 2
		> ${tab}VK_KHR_device_fault : extension revision 1
		>$space
		> VkPhysicalDeviceFaultFeaturesEXT:
		> ---------------------------------
		> ${tab}deviceFault = true
		> ${tab}deviceFaultVendorBinary = true
	END
}
space=" "

# run NAME LAYERS [ARGUMENT...]: the application, to its end.
run() {
	local name=$1 layers=$2
	shift 2
	folder "reports-$name"
	with "$layers" "$programs/layer_of_lavapipe" "$@" >out 2>err
}
healthy() {
	run "$1" "$2" && cp out "$1.result" && grep -q '^gpu llvmpipe$' out &&
		lacks out message && cmp plain.result "$1.result" && [ "$(reports)" = 0 ]
}

# start NAME LAYERS ARGUMENT: waits until it has its device, then for go. Both are for
# the script itself, not for point, whose commands end with it.
start() {
	rm -f in && mkfifo in && : >"$1.out"
	folder "reports-$1"
	with "$2" "$programs/layer_of_lavapipe" "$3" <in >"$1.out" 2>"$1.err" &
	exec 3>in
	wait_for grep -q ready "$1.out"
}
go() {
	echo go >&3
	exec 3>&-
	wait $!
	status=$?
	cp "$1.out" out && cp "$1.err" err
	return "$status"
}
# others_fault: another user, and another process of this user.
others_fault() {
	local user
	for user in bob alice; do
		of_user "$user" env VK_DRIVER_FILES="$programs/drmfault_icd.json" \
			"$programs/layer_of_mistakes" out-of-bounds >out 2>err
		[ "$(tail -n 1 out)" = lost ] || return
	done
}

# lines COUNT TEXT: so many lines begin with it.
lines() { [ "$(grep -cF -- "$2" out)" = "$1" ]; }
arrives() {
	local at
	at=$(sed -n 's/^expected //p' out)
	[ -n "$at" ] && lines 1 "$1 VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT $at 4"
}
verdict='write 0x40 to 0x43 past the end of VkBuffer "particles" (high confidence)'

# fault NAME LAYERS
fault() {
	start "$1" "$2" fault
	ok "$1: it has a device"
	point "$1: others have faults" others_fault
	go "$1"
	ok "$1: it goes on to its end"
	point "$1: the KHR reports its fault" arrives report
	point "$1: and that of no other, and the loss" lines 2 "report "
	point "$1: its device is lost then" lines 1 VK_ERROR_DEVICE_LOST
	point "$1: the EXT has the address" arrives address
	point "$1: and one record, with its process" \
		lines 1 ", pid $(sed -n 's/^pid //p' out) layer_of_lavapi"
	point "$1: which is the vendor binary's" lines 1 "records 1 of the lost device"
	point "$1: the validation layer says nothing" lines 0 message
	point "$1: the summary names the buffer" has err "  $verdict"
	point "$1: a report can be read" read_report
	point "$1: it has one record" json '.records | length == 1'
}

tap_start
point "vulkaninfo, without the layer" info plain ""
point "vulkaninfo, with the layer" info layer $layer
point "shows what the layer adds, and is the same else" only_what_the_layer_adds plain layer
point "vulkaninfo, with the validation layer" info validated $validation
for order in "above $validation:$layer" "below $layer:$validation"; do
	place=${order% *}
	point "vulkaninfo, with the validation layer $place" info "$place" "${order#* }"
	point "shows what the layer adds, and is the same else" \
		only_what_the_layer_adds validated "$place"
done
DRMFAULT_LAYER=1 point "vulkaninfo, with the layer by the environment" info implicit ""
point "shows what the layer adds, and is the same else" only_what_the_layer_adds plain implicit

point "work, without the layer" run plain ""
cp out plain.result
point "has a result" grep -q '^result 0x[0-9a-f]*$' out
for order in "alone $layer" "validated $validation:$layer" "validating $layer:$validation"; do
	WITHOUT_KHR=1 point "work, with ${order#* }: the same result" healthy "${order% *}" "${order#* }"
done

install -d layers
jq -n --arg name $loses --arg library "$programs/liblayer_that_loses.so" '{file_format_version: "1.2.0",
	layer: {name: $name, type: "GLOBAL", library_path: $library, api_version: "1.3.239",
		implementation_version: "1", description: "loses devices"}}' >layers/loses.json
export VK_ADD_LAYER_PATH=$PWD/layers
fault fault $layer:$loses

start quiet $layer:$loses ask
ok "no fault: it has a device"
point "no fault: others have faults" others_fault
go quiet
ok "no fault: it goes on to its end"
point "no fault: the KHR reports the loss alone" lines 1 "report "
point "no fault: the EXT has no address" lines 0 "address "
point "no fault: and no record" lines 1 "records 0 of the lost device"
point "no fault: nothing of others is in the report" eval \
	'read_report && json ".records | length == 0"'
end
