#!/bin/bash
# SPDX-License-Identifier: MIT
# The programs of ../vulkan with the layer on: all that they expect of the driver holds,
# whether it has the fault extensions or the layer gives both from the kernel's records,
# and a device that is lost leaves one report.
# shellcheck disable=SC2317 # tap.sh calls them
# shellcheck source=tests/selftests/layer/lib/layer.sh
. "$(dirname "$0")/lib/layer.sh"

passes() { vulkan_program "$1" >out 2>err; }

# under HOW PROGRAM=LOST...: and so many of its devices were lost.
under() {
	local how=$1 name lost
	shift
	for name; do
		lost=${name#*=} name=${name%=*}
		folder "reports-$name"
		point "$name, $how" passes "$name"
		[ -z "$lost" ] || point "$name, $how: reports of what was lost" [ "$(reports)" = "$lost" ]
	done
}

tap_start
under "extensions of the driver" driver=0 faults=10 bindings=0 conformance=
export ICD_WITHOUT=VK_KHR_device_fault
under "the EXT of the driver" faults=9
export ICD_WITHOUT=VK_EXT_device_fault
under "the KHR of the driver" faults=10
export ICD_WITHOUT=$faults
under "extensions of the layer" driver=0 faults=9 bindings=0 conformance=
end
