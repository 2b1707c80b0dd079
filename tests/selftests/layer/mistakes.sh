#!/bin/bash
# SPDX-License-Identifier: MIT
# Five mistakes of an application, each of which must be told as it was made, with the
# name of the object: on the standard error, and as text, JSON and page of the report.
# The driver has the extensions, or leaves all of it to the layer.
# shellcheck disable=SC2016,SC2317 # jq has variables of its own; tap.sh calls them
# shellcheck source=tests/selftests/layer/lib/layer.sh
. "$(dirname "$0")/lib/layer.sh"

# MISTAKE|KIND|OBJECT|OFFSET|TEXT, in which * is a time.
mistakes="
use-after-free|use after free|particles|0x18|read of VkBuffer \"particles\" at 0x18 to 0x1f, freed * earlier
out-of-bounds|out of bounds|particles|0x40|write 0x40 to 0x43 past the end of VkBuffer \"particles\"
read-only|permission|collision kernel|0x8|write to VkCuModuleNVX \"collision kernel\" at 0x8 to 0xb, which does not allow it
execute|permission|particles|0x100|instruction fetch from VkBuffer \"particles\" at 0x100 to 0x107, which is no code
null|null||0x0|read at address 0x18 to 0x1f, null or close to it
"

# tells FILE PATTERN: in a line, where * is anything.
tells() {
	local line
	while IFS= read -r line; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ $line != *$2* ]] || return 0
	done <"$1"
	return 1
}
# What the page draws from: it is JSON in which < > and & are escaped.
page_data() {
	sed -n 's/.*<script[^>]*type="application\/json"[^>]*>\(.*\)<\/script>.*/\1/p' page.html
}

lose() { as_alice "$programs/layer_of_mistakes" "$1" >out 2>err && [ "$(tail -n 1 out)" = lost ]; }
first_is() {
	jq -c .verdicts report.json >out
	json '.verdicts | map(select(.subject == "address")) | length == 1 and (.[0].candidates[0] |
		.kind == $kind and .confidence == "high" and .offset == $offset and
		(.binding.name // "") == $object)' \
		--arg kind "$1" --arg object "$2" --arg offset "$3"
}

# told HOW: each mistake in each form.
told() {
	local mistake kind object offset text
	while IFS='|' read -r mistake kind object offset text; do
		[ -n "$mistake" ] || continue
		[ "$mistake $1" != "read-only without bindings" ] || continue
		folder reports
		point "$mistake, $1: the device is lost" lose "$mistake"
		point "$mistake, $1: the summary says it" tells err "  $text (high confidence)"
		point "$mistake, $1: a report can be read" read_report
		point "$mistake, $1: its text says it" tells report.txt "$text"
		point "$mistake, $1: its JSON says it" first_is "$kind" "$object" "$offset"
		page_data >out
		point "$mistake, $1: its page says it" tells out "${text//\"/\\\\\"}"
	done <<<"$mistakes"
}

# A job without an end has no address, but the program that it is in.
hang() {
	folder reports
	point "hang, $1: the device is lost" lose hang
	point "hang, $1: the summary says so" has err "$2 says: GPU job timeout: ring0"
	point "hang, $1: and in which program" \
		tells err '  instruction pointer in VkCuModuleNVX "light kernel" at 0x0 to 0x7 (high confidence)'
	point "hang, $1: a report can be read" read_report
	point "hang, $1: its JSON says it" json '.verdicts[0].candidates[0] |
		.kind == "code" and .binding.name == "light kernel"'
}

tap_start
told "by the driver"
hang "by the driver" "the driver"
export ICD_WITHOUT=$faults
told "by the layer"
hang "by the layer" "the kernel"
export ICD_WITHOUT="$faults $bindings"
told "without bindings"
end
