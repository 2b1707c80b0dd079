# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash
# Points of TAP for the scripts of all areas. Sourced, never run: tap_start comes
# first, tap_end last, with the status that the script ends with.

tap_points=0
tap_failed=0

tap_start() { echo "TAP version 13"; }

# tap_end: prints the plan; did all pass?
tap_end() {
	echo "1..$tap_points"
	[ "$tap_failed" = 0 ]
}

# tap_details: prints what is shown of a point that failed. For scripts to define anew.
tap_details() { :; }

# tap_comment: its input as comments, of which some may be comments already.
tap_comment() { sed 's/^\(# \)\?/# /'; }

# tap_result STATUS WHAT
tap_result() {
	tap_points=$((tap_points + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_points $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_points $2"
		tap_details 2>&1 | tap_comment
	fi
}

# skip WHAT WHY
skip() {
	tap_points=$((tap_points + 1))
	echo "ok $tap_points $1 # SKIP $2"
}

# ok WHAT: a point for the command before it.
ok() { tap_result $? "$1"; }

# point WHAT COMMAND...: what the command prints is shown if it fails. It cannot set
# variables of the script.
point() {
	local what=$1 output status
	shift
	output=$("$@" 2>&1)
	status=$?
	[ $status = 0 ] || [ -z "$output" ] || tail -n 40 <<<"$output" | tap_comment
	tap_result $status "$what"
}

# is A B: are two texts the same?
is() { [ "$1" = "$2" ] || { echo "# '$1' is not '$2'"; false; }; }

not() { ! "$@"; }
