# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash
# Points of TAP for scripts. Sourced, never run; tap_end prints the plan.

tap_points=0
tap_failed=0

# point WHAT COMMAND...: what the command prints is shown if it fails.
point() {
	local what=$1 output
	shift
	tap_points=$((tap_points + 1))
	if output=$("$@" 2>&1); then
		echo "ok $tap_points $what"
	else
		tap_failed=$((tap_failed + 1))
		[ -z "$output" ] || tail -n 40 <<<"$output" | sed 's/^/# /'
		echo "not ok $tap_points $what"
	fi
}

# same A B: are two texts the same?
same() {
	[ "$1" = "$2" ] || { printf "'%s' is not '%s'\n" "$1" "$2"; return 1; }
}

not() { ! "$@"; }

tap_end() {
	echo "1..$tap_points"
	[ "$tap_failed" = 0 ]
}
