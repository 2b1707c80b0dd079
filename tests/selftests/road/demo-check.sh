#!/bin/bash
# SPDX-License-Identifier: MIT
# The demo as a test: it ends well, it shows what a reader must find, and it
# fails where the kernel tells nothing.
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

here=$(cd "$(dirname "$0")" && pwd)
screen=$(mktemp)
page=$screen.html
trap 'rm -f "$screen" "$page"' EXIT

# shows COUNT TEXT
shows() { [ "$(grep -cF -- "$2" "$screen")" = "$1" ]; }

# says PATTERN: in however many lines.
says() { tr -s '\n ' ' ' <"$screen" | grep -q -- "$1"; }

# The page draws from JSON, in which < > and & are escaped: each verdict by its likeliest.
page_verdicts() {
	sed -n 's/.*<script[^>]*type="application\/json"[^>]*>\(.*\)<\/script>.*/\1/p' "$page" |
		jq -r '.verdicts[] | select(.subject == "address") | .candidates[0] |
			"\(.kind), \(.binding.name), \(.offset)"'
}
page_tells() {
	is "$(page_verdicts | paste -sd ';')" \
		"out of bounds, particles, 0x40;use after free, vertices, 0x18;permission, particles, 0x100"
}

fits_columns() { ! awk 'length > 80 { print "# " $0; long = 1 } END { exit !long }' "$screen"; }

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
"$here/demo.sh" "$page" >"$screen" 2>"$screen.errors"
rc=$?
sed 's/^/# /' "$screen" "$screen.errors"
point "ends with status 0" [ $rc = 0 ]
point "says nothing on stderr" [ ! -s "$screen.errors" ]
rm -f "$screen.errors"
point "runs without privileges" shows 1 "of user alice, without privileges"
point "shows the address written" shows 1 "0x800000202040, exact to 4 bytes"
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
point "says how far which buffer was missed" \
	shows 1 '  write 0x40 to 0x43 past the end of VkBuffer "particles" (high confidence)'
point "says which buffer was freed before" \
	says ' read of VkBuffer "vertices" at 0x18, freed [0-9.]* m\?s earlier (high confidence)'
point "says which buffer is no code" says \
	' instruction fetch from VkBuffer "particles" at 0x100 to 0x107, which is no code (high confidence)'
point "and nothing else of the three" shows 3 "(high confidence)"
point "writes a page that says the same" page_tells
point "fits 80 columns" fits_columns
point "fails where nothing is reported" silent_gpu_fails
tap_end
