#!/bin/bash
# SPDX-License-Identifier: MIT
# The demo as a test: it ends well, it shows what a reader must find, and it
# fails where the kernel tells nothing.
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

here=$(cd "$(dirname "$0")" && pwd)
screen=$(mktemp)
trap 'rm -f "$screen"' EXIT

# shows COUNT TEXT
shows() { [ "$(grep -cF -- "$2" "$screen")" = "$1" ]; }

fits_columns() { ! awk 'length > 100 { print "# " $0; long = 1 } END { exit !long }' "$screen"; }

silent_gpu_fails() {
	local rc
	modprobe -r drm_fault_sim drm_fault && modprobe drm_fault hooks=0 &&
		modprobe drm_fault_sim report=0 || return
	"$here/demo.sh" >"$screen.silent" 2>&1
	rc=$?
	sed 's/^/# /' "$screen.silent"
	rm -f "$screen.silent"
	modprobe -r drm_fault_sim drm_fault
	[ $rc = 1 ]
}

tap_start
modprobe -r drm_fault_sim 2>/dev/null
"$here/demo.sh" >"$screen" 2>"$screen.errors"
rc=$?
sed 's/^/# /' "$screen" "$screen.errors"
point "ends with status 0" [ $rc = 0 ]
point "says nothing on stderr" [ ! -s "$screen.errors" ]
rm -f "$screen.errors"
point "runs without privileges" shows 1 "of user alice, without privileges"
point "shows the address written" shows 1 "0x800000202000, exact to 4 bytes"
point "shows the address read" shows 1 "0x800000203018, exact to the byte"
point "shows the address fetched" shows 1 "0x800000200100, exact to 8 bytes"
for field in vkWaitForFences address access "fault type" "instruction pointer" engine process time count; do
	point "shows three of: $field" shows 3 "   $(printf '%-20s' "$field")"
done
point "shows the counts" shows 1 "VkDeviceFaultCountsEXT"
point "names the enumerators" shows 6 "VK_DEVICE_FAULT_ADDRESS_TYPE_"
point "shows the reports of the KHR" shows 4 "groupId "
point "the last of which is the loss" shows 1 "flags DEVICE_LOST"
point "decodes the header" shows 1 "VK_DEVICE_FAULT_VENDOR_BINARY_HEADER_VERSION_ONE_EXT"
point "shows what was collected" shows 1 "What was collected of it"
point "the same faults" shows 1 "3 records of 18 events."
point "and the same bytes" shows 1 "bytes of records are those of the vendor binary."
point "fits 100 columns" fits_columns
point "fails where nothing is reported" silent_gpu_fails
tap_end
